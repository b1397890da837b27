import { useCallback, useState } from 'react';
import {
  accountPrefix,
  getSession,
  preferencePrefix,
  removeKeys,
  thisTab,
  wholeBrowser,
  withStorage,
  type Area,
} from './session-store.ts';

/** Reads a value from browser storage. If the storage cannot be read, the value is only not remembered. */
const readAt = (key: string, area?: Area): unknown =>
  withStorage<unknown>((storage) => JSON.parse(storage.getItem(key) ?? 'null') ?? undefined, undefined, area);

/** Writes a value, or removes it if it is undefined. Returns false if the storage is full or refused. */
const writeAt = (key: string, value: unknown, area?: Area): boolean =>
  withStorage(
    (storage) => {
      if (value === undefined) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(value));
      return true;
    },
    false,
    area,
  );

const accountId = (): string => getSession()?.user.id ?? 'nobody';

/**
 * Remembered values of this account. Logout removes them (docs/specification.md §2.5). A stored value may be anything, so check
 * it after reading.
 */
export const accountStorage = {
  read: (key: string): unknown => readAt(accountPrefix(accountId()) + key),
  write: (key: string, value: unknown): void => void writeAt(accountPrefix(accountId()) + key, value),
};

/** Turns the type of a literal fallback into that of the value: `false` into boolean, 10 into number. */
type Widened<T> = T extends boolean ? boolean : T extends number ? number : T;

/** A preference as it is stored: it may be anything, so check it after reading. */
export const storedPreference = (key: string): unknown => readAt(preferencePrefix(accountId()) + key);

/** Reads a preference once. Use it where a change does not have to render the component again. */
export function readPreference<T extends string | number | boolean>(key: string, fallback: T): Widened<T> {
  const stored = storedPreference(key);
  // Safe: a stored value is used only if it has the type of the fallback.
  return (typeof stored === typeof fallback ? stored : fallback) as Widened<T>;
}

/** Writes a preference, or removes it if it is undefined. */
export function writePreference(key: string, value: unknown): void {
  writeAt(preferencePrefix(accountId()) + key, value);
}

/** The keys of all stored preferences. */
export function preferenceKeys(): string[] {
  const start = preferencePrefix(accountId());
  const keys = withStorage((storage) => Object.keys(storage), []);
  return keys.flatMap((key) => (key.startsWith(start) ? key.slice(start.length) : []));
}

/** A display setting of the account, such as the page size. Logout keeps it. */
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
  /** When the draft was last written, as an ISO instant. */
  savedAt: string;
}

function savedAtOf(stored: unknown): string | undefined {
  if (typeof stored !== 'object' || stored === null || !('value' in stored) || !('savedAt' in stored)) return undefined;
  return typeof stored.savedAt === 'string' ? stored.savedAt : undefined;
}

/** Drafts of the account that is signed in (docs/specification.md §8.2.4). The key has the form's mode and the record's id. */
function draftsIn(area: Area, maxAgeMs: number) {
  const keyOf = (key: string, account: string): string => `${accountPrefix(account)}draft:${key}`;
  const isOld = (savedAt: string): boolean => !(Date.now() - Date.parse(savedAt) <= maxAgeMs);
  const remove = (key: string, account = accountId()): void => void writeAt(keyOf(key, account), undefined, area);
  /** Removes the drafts of all accounts that are too old to be offered. */
  const removeOld = (): void =>
    removeKeys(area, (key) => {
      if (!/^challan-desk:.*:draft:/.test(key)) return false;
      const savedAt = savedAtOf(readAt(key, area));
      return savedAt === undefined || isOld(savedAt);
    });
  return {
    read: <T>(key: string, check: (value: unknown) => T | undefined): Draft<T> | undefined => {
      const stored = readAt(keyOf(key, accountId()), area);
      const savedAt = savedAtOf(stored);
      if (savedAt === undefined) return undefined;
      // Safe: `savedAtOf` returns a time only for an object with a value.
      const value = isOld(savedAt) ? undefined : check((stored as { value: unknown }).value);
      if (value === undefined) {
        remove(key);
        return undefined;
      }
      // Written again, because what the check leaves out must not stay in storage either.
      writeAt(keyOf(key, accountId()), { value, savedAt }, area);
      return { value, savedAt };
    },
    /**
     * Writes a draft. A form whose session has just ended passes its account; without an account nothing is written. Returns
     * false if the storage has no room.
     */
    write: <T>(key: string, value: T, account = getSession()?.user.id): boolean => {
      if (account === undefined) return true;
      if (maxAgeMs <= dayMs) setTimeout(removeOld, maxAgeMs + 1);
      return writeAt(keyOf(key, account), { value, savedAt: new Date().toISOString() } satisfies Draft<T>, area);
    },
    remove: (key: string): void => remove(key),
    /** The keys of all drafts of the account that are offered. */
    keys: (): string[] => {
      const start = keyOf('', accountId());
      return withStorage((storage) => Object.keys(storage), [], area)
        .filter((key) => key.startsWith(start))
        .map((key) => key.slice(start.length))
        .filter((key) => {
          const savedAt = savedAtOf(readAt(keyOf(key, accountId()), area));
          return savedAt !== undefined && !isOld(savedAt);
        });
    },
    removeOld,
  };
}

const dayMs = 24 * 3_600_000;
export const drafts = draftsIn(wholeBrowser, 14 * dayMs);

/** The longest time that a session lasts (docs/specification.md §2.4). */
const maxSessionMs = 8 * 3_600_000;
/** Drafts of dialogs and selections. They stay in this tab, and no longer than a session. */
export const tabDrafts = draftsIn(thisTab, maxSessionMs);
