import { useCallback, useState } from 'react';
import { accountPrefix, getSession, preferencePrefix } from '../api/session-store.ts';

/** Values of one account in browser storage. Unreadable or full storage never stops the work: it is only not remembered. */
function readAt(key: string): unknown {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function writeAt(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or refused.
  }
}

const owner = (): string => getSession()?.user.id ?? 'nobody';

/** Drafts and remembered values: of this account, gone at Logout (ruling 7). What comes back may be anything: check it. */
export const accountStorage = {
  read: (key: string): unknown => readAt(accountPrefix(owner()) + key),
  write: (key: string, value: unknown): void => writeAt(accountPrefix(owner()) + key, value),
  remove: (key: string): void => writeAt(accountPrefix(owner()) + key, undefined),
};

/** `false` as a fallback means a boolean, 10 a number. */
type Widened<T> = T extends boolean ? boolean : T extends number ? number : T;

/** A look of the screen as it stands in storage, for a reader that is drawn anew by something else. */
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

/** Form drafts, key: mode and id (the user is part of the storage, ruling 26). */
export const drafts = {
  read: <T>(key: string, check: (value: unknown) => T | undefined): Draft<T> | undefined => {
    const stored = accountStorage.read(`draft:${key}`);
    if (typeof stored !== 'object' || stored === null || !('value' in stored) || !('savedAt' in stored))
      return undefined;
    const value = check(stored.value);
    if (value === undefined || typeof stored.savedAt !== 'string') {
      drafts.remove(key);
      return undefined;
    }
    return { value, savedAt: stored.savedAt };
  },
  write: <T>(key: string, value: T): void =>
    accountStorage.write(`draft:${key}`, { value, savedAt: new Date().toISOString() } satisfies Draft<T>),
  remove: (key: string): void => accountStorage.remove(`draft:${key}`),
};
