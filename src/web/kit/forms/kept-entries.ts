import { useEffect } from 'react';
import { z } from 'zod';
import { getLastEnd, getSession, subscribeSession } from '../api/session-store.ts';
import { tabDrafts, type Draft } from '../api/account-storage.ts';
import { useLatest } from '../ui/use-latest.ts';

const texts = z.record(z.string(), z.string());
const keptShape = z.object({
  /** The id of the edited record; absent for a new one. */
  id: z.string().optional(),
  /** The values when the form was opened, and the version: saving against an older version than the stored one is a conflict. */
  base: z.object({ values: texts, version: z.number().optional() }),
  /** Only the fields that differ from `base`. */
  values: texts,
  /** What the form shows beside its values, such as the name of the chosen owner. */
  aside: texts,
  /** Account numbers and PANs were left out. `readKeptEntries` restores them as long as this page is not reloaded. */
  lacksNumbers: z.boolean().optional(),
});
export type KeptEntries = z.infer<typeof keptShape>;

/** Fields that are never in browser storage (docs/security.md §2.4), only in the memory of this page. */
const memoryOnlyFields: readonly string[] = ['accountNo', 'panNo'];
type Values = KeptEntries['values'];
const memory = new Map<string, { account: string; base: Values; values: Values }>();
const pickValues = (texts: Values, isMemoryOnly: boolean): Values =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => memoryOnlyFields.includes(name) === isMemoryOnly));

subscribeSession(() => {
  const account = getSession()?.user.id;
  for (const [key, held] of memory) {
    if (account === undefined ? getLastEnd() !== 'expired' : account !== held.account) memory.delete(key);
  }
});

function write(key: string, account: string, entries: KeptEntries): void {
  const lacksNumbers = memoryOnlyFields.some((name) => name in entries.base.values);
  const base = { ...entries.base, values: pickValues(entries.base.values, false) };
  tabDrafts.write(key, { ...entries, base, values: pickValues(entries.values, false), lacksNumbers }, account);
  if (lacksNumbers) {
    memory.set(key, {
      account,
      base: pickValues(entries.base.values, true),
      values: pickValues(entries.values, true),
    });
  }
}

/**
 * Reads what was typed into a record's form when its session expired (docs/specification.md §2.4) or the page was reloaded.
 * `key` identifies the form on its screen, so that the screen can reopen it. After a reload account numbers and PANs are
 * lost: the entries of a new record come back without them, those of an edited record not at all, because its base is
 * incomplete.
 */
export function readKeptEntries(key: string | undefined): Draft<KeptEntries> | undefined {
  if (key === undefined) return undefined;
  const held = memory.get(key);
  const isHeld = held !== undefined && held.account === getSession()?.user.id;
  const draft = tabDrafts.read(key, (value) => {
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

/** Whether a form has kept entries: its screen then opens the form at once. */
export const hasKeptEntries = (key: string): boolean => readKeptEntries(key) !== undefined;

/**
 * Keeps the entries of an open form when the session expires or the page is unloaded. `entries` returns undefined if nothing
 * is unsaved.
 */
export function useKeepEntries(key: string | undefined, entries: () => KeptEntries | undefined): void {
  const latest = useLatest(entries);
  useEffect(() => {
    const account = getSession()?.user.id;
    if (key === undefined || account === undefined) return undefined;
    // The open form contains the kept entries, so they are removed from storage.
    const forget = (): void => {
      tabDrafts.remove(key);
      memory.delete(key);
    };
    forget();
    const keep = (): void => {
      const now = latest.current();
      if (now) write(key, account, now);
    };
    const stop = subscribeSession(() => {
      if (getSession() === null && getLastEnd() === 'expired') keep();
    });
    window.addEventListener('pagehide', keep);
    // A page that is restored from the back/forward cache still has its form.
    window.addEventListener('pageshow', forget);
    return () => {
      stop();
      window.removeEventListener('pagehide', keep);
      window.removeEventListener('pageshow', forget);
    };
  }, [key, latest]);
}
