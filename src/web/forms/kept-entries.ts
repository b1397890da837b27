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
  /** Account numbers and PANs were left out; `readKept` puts them back while this page lasts. */
  lacksNumbers: z.boolean().optional(),
});
export type KeptEntries = z.infer<typeof keptShape>;

/** Never in browser storage (docs/security.md §2.4): in the memory of this page alone. */
const numbers: readonly string[] = ['accountNo', 'panNo'];
type Values = KeptEntries['values'];
const memory = new Map<string, { account: string; base: Values; values: Values }>();
const only = (texts: Values, isWanted: boolean): Values =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => numbers.includes(name) === isWanted));

subscribeSession(() => {
  const account = getSession()?.user.id;
  for (const [place, held] of memory) {
    if (account === undefined ? getLastEnd() !== 'expired' : account !== held.account) memory.delete(place);
  }
});

function write(place: string, account: string, entries: KeptEntries): void {
  const lacksNumbers = numbers.some((name) => name in entries.base.values);
  const base = { ...entries.base, values: only(entries.base.values, false) };
  tabDrafts.write(place, { ...entries, base, values: only(entries.values, false), lacksNumbers }, account);
  if (lacksNumbers) {
    memory.set(place, { account, base: only(entries.base.values, true), values: only(entries.values, true) });
  }
}

/**
 * What was typed into a record's form when the session ended under it (docs/specification.md §2.4) or the page was
 * reloaded. `place` is the form's place, so that it opens there again by itself. After a reload account numbers and PANs
 * are gone: a new record comes back without them, an edit not at all, as its record is no longer known in full.
 */
export function readKept(place: string | undefined): Draft<KeptEntries> | undefined {
  if (place === undefined) return undefined;
  const held = memory.get(place);
  const isHeld = held !== undefined && held.account === getSession()?.user.id;
  const draft = tabDrafts.read(place, (value) => {
    const found = keptShape.safeParse(value).data;
    return found?.lacksNumbers && found.id !== undefined && !isHeld ? undefined : found;
  });
  if (!draft || !isHeld) return draft;
  const { base, values } = draft.value;
  const whole = { ...base, values: { ...base.values, ...held.base } };
  return {
    ...draft,
    value: { ...draft.value, base: whole, values: { ...values, ...held.values }, lacksNumbers: false },
  };
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
    const forget = (): void => {
      tabDrafts.remove(place);
      memory.delete(place);
    };
    forget();
    const keep = (): void => {
      const now = latest.current();
      if (now) write(place, account, now);
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
