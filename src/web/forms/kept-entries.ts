import { useEffect, useRef } from 'react';
import { z } from 'zod';
import { getLastEnd, getSession, subscribeSession } from '../api/session-store.ts';
import { tabDrafts, type Draft } from '../session/account-storage.ts';

const texts = z.record(z.string(), z.string());
const keptShape = z.object({
  /** The record that was edited; absent: a new one. */
  id: z.string().optional(),
  /** What the form began with: it is saved against this version, so a newer one is a conflict. */
  base: z.object({ values: texts, version: z.number().optional() }),
  /** Only the fields that differ from it. */
  values: texts,
  /** What the form shows beside its values: the name of a chosen owner. */
  aside: texts,
});
export type KeptEntries = z.infer<typeof keptShape>;

/**
 * What was typed into a record's form when the session ended under it (docs/specification.md §2.4) or the page was
 * reloaded. `place` is the form's place, so that it opens there again by itself.
 */
export function readKept(place: string | undefined): Draft<KeptEntries> | undefined {
  if (place === undefined) return undefined;
  return tabDrafts.read(place, (value) => keptShape.safeParse(value).data);
}

/** For the screen around a form: open it at once, it has something to give back. */
export const hasKept = (place: string): boolean => readKept(place) !== undefined;

/** Nothing is written while the form is open and the session lasts; `entries` gives nothing where nothing is unsaved. */
export function useKeeping(place: string | undefined, entries: () => KeptEntries | undefined): void {
  const latest = useRef(entries);
  useEffect(() => {
    latest.current = entries;
  });
  useEffect(() => {
    const account = getSession()?.user.id;
    if (place === undefined || account === undefined) return undefined;
    // They are in the form now.
    const forget = (): void => tabDrafts.remove(place);
    forget();
    const keep = (): void => {
      const now = latest.current();
      if (now) tabDrafts.write(place, now, account);
    };
    const stop = subscribeSession(() => {
      if (getSession() === null && getLastEnd() === 'expired') keep();
    });
    window.addEventListener('pagehide', keep);
    // A page that comes back as it was still has the form.
    window.addEventListener('pageshow', forget);
    return () => {
      stop();
      window.removeEventListener('pagehide', keep);
      window.removeEventListener('pageshow', forget);
    };
  }, [place]);
}
