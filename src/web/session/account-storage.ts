import { useCallback, useState } from 'react';
import { accountPrefix, getSession, preferencePrefix } from '../api/session-store.ts';

/** A browser may refuse even to name its storage: asked for at each use. */
type Area = () => Storage;
const browserWide: Area = () => localStorage;
const thisTab: Area = () => sessionStorage;

/**
 * Values of one account in browser storage. Unreadable or full storage never stops the work: it is only not remembered.
 */
function readAt(key: string, area = browserWide): unknown {
  try {
    const text = area().getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** false: the storage is full or refused. */
function writeAt(key: string, value: unknown, area = browserWide): boolean {
  try {
    if (value === undefined) area().removeItem(key);
    else area().setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

const owner = (): string => getSession()?.user.id ?? 'nobody';

/**
 * Drafts and remembered values: of this account, gone at Logout (docs/specification.md §2.5). What comes back may be
 * anything: check it.
 */
export const accountStorage = {
  read: (key: string): unknown => readAt(accountPrefix(owner()) + key),
  write: (key: string, value: unknown): void => void writeAt(accountPrefix(owner()) + key, value),
  remove: (key: string): void => void writeAt(accountPrefix(owner()) + key, undefined),
};

/** `false` as a fallback means a boolean, 10 a number. */
type Widened<T> = T extends boolean ? boolean : T extends number ? number : T;

/** A stored preference, for a component that something else renders again. */
export function readPreference<T extends string | number | boolean>(key: string, fallback: T): Widened<T> {
  const stored = readAt(preferencePrefix(owner()) + key);
  // Safe: only a value of the fallback's own type is taken over.
  return (typeof stored === typeof fallback ? stored : fallback) as Widened<T>;
}

export function writePreference(key: string, value: string | number | boolean): void {
  writeAt(preferencePrefix(owner()) + key, value);
}

/** A look of the screen (filter panel open, page size), kept per account over Logout. */
export function usePreference<T extends string | number | boolean>(
  key: string,
  fallback: T,
): [Widened<T>, (value: Widened<T>) => void] {
  const [value, setValue] = useState<Widened<T>>(() => readPreference(key, fallback));
  const change = useCallback(
    (next: Widened<T>) => {
      setValue(next);
      writePreference(key, next);
    },
    [key],
  );
  return [value, change];
}

export interface Draft<T> {
  value: T;
  /** ISO instant of the last keystroke in it. */
  savedAt: string;
}

function savedAtOf(stored: unknown): string | undefined {
  if (typeof stored !== 'object' || stored === null || !('value' in stored) || !('savedAt' in stored)) return undefined;
  return typeof stored.savedAt === 'string' ? stored.savedAt : undefined;
}

/** Form drafts, key: mode and id (the user is part of the storage, docs/specification.md §8.2.4). */
function draftsIn(area: Area, longestMs: number) {
  const keyOf = (key: string, account: string): string => `${accountPrefix(account)}draft:${key}`;
  const isOld = (savedAt: string): boolean => !(Date.now() - Date.parse(savedAt) <= longestMs);
  const remove = (key: string, account = owner()): void => void writeAt(keyOf(key, account), undefined, area);
  /** Those too old to be offered, whoever's they are. */
  const forgetOld = (): void => {
    try {
      for (const key of Object.keys(area())) {
        if (!/^challan-desk:.*:draft:/.test(key)) continue;
        const savedAt = savedAtOf(readAt(key, area));
        if (savedAt === undefined || isOld(savedAt)) area().removeItem(key);
      }
    } catch {
      // Refused.
    }
  };
  return {
    read: <T>(key: string, check: (value: unknown) => T | undefined): Draft<T> | undefined => {
      const stored = readAt(keyOf(key, owner()), area);
      const savedAt = savedAtOf(stored);
      if (savedAt === undefined) return undefined;
      // Safe: only an object with a value has the time of one.
      const value = isOld(savedAt) ? undefined : check((stored as { value: unknown }).value);
      if (value === undefined) {
        remove(key);
        return undefined;
      }
      // What the check leaves out does not stay in storage either.
      writeAt(keyOf(key, owner()), { value, savedAt }, area);
      return { value, savedAt };
    },
    /**
     * Under nobody's name nothing is written; a form whose session has just ended says whose it was. false: there is no
     * room for it.
     */
    write: <T>(key: string, value: T, account = getSession()?.user.id): boolean => {
      if (account === undefined) return true;
      if (longestMs <= dayMs) setTimeout(forgetOld, longestMs + 1);
      return writeAt(keyOf(key, account), { value, savedAt: new Date().toISOString() } satisfies Draft<T>, area);
    },
    remove: (key: string): void => remove(key),
    forgetOld,
  };
}

const dayMs = 24 * 3_600_000;
export const drafts = draftsIn(browserWide, 14 * dayMs);

/** As long as a session lasts at most (docs/specification.md §2.4). */
const longestSessionMs = 8 * 3_600_000;
/** Of dialogs and selections: they stay in this tab, and not for longer than the day's work. */
export const tabDrafts = draftsIn(thisTab, longestSessionMs);
