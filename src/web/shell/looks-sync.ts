import { useEffect, useRef } from 'react';
import { call } from '../api/client.ts';
import { preferences } from '../api/preferences.ts';
import { getSession, preferencePrefix } from '../api/session-store.ts';
import { columnMemory, densityMemory, viewRestored, type Density } from '../grid/grid-settings.ts';
import { readPreference, writePreference } from '../session/account-storage.ts';

/** How often it is looked whether a look has changed; a call that failed is repeated with it. */
const lookMs = 3_000;

/**
 * The columns of the tables, their page sizes and the density follow the account to another machine. This device's storage
 * is what a table is drawn from at once; what the server has of a later time is taken over, and what is changed here is sent
 * to it, again and again until it got through. Nothing waits for either.
 */
export default function LooksSync(): null {
  const stored = preferences.useList({}, { staleTime: 60_000 }).data?.data;
  const isTaken = useRef(false);
  const isKnown = stored !== undefined;

  useEffect(() => {
    // Only once: what this screen sends comes back in the same list.
    if (!stored || isTaken.current) return;
    isTaken.current = true;
    for (const { key, value, updatedAt } of stored) {
      const look = lookOf(key);
      if (!look || updatedAt <= readPreference(`${key}.at`, '')) continue;
      if (value !== look.now()) look.take(value);
      remember(key, value, updatedAt);
    }
  }, [stored]);

  useEffect(() => {
    if (!isKnown) return undefined;
    let isSending = false;
    const look = async (): Promise<void> => {
      if (isSending) return;
      isSending = true;
      const session = getSession();
      for (const key of looksHere()) {
        const { now, empty } = lookOf(key) ?? { now: () => '', empty: '' };
        const value = now();
        if (value === readPreference(`${key}.sent`, empty)) continue;
        try {
          const { data } = await call(preferences.calls.put, { body: { key, value } });
          // Its place in the storage is the account's that is signed in.
          if (getSession() !== session) break;
          remember(key, value, data?.updatedAt ?? '');
        } catch {
          // The look is kept here, and sent with the next round.
          break;
        }
      }
      isSending = false;
    };
    const timer = setInterval(() => void look(), lookMs);
    return () => {
      clearInterval(timer);
      if (getSession()) void look();
    };
  }, [isKnown]);
  return null;
}

const prefix = (): string => preferencePrefix(getSession()?.user.id ?? 'nobody');

interface Look {
  /** As this device has it, as text. */
  now: () => string;
  empty: string;
  take: (value: string) => void;
}

const density: Look = {
  now: () => densityMemory.read(prefix()),
  empty: 'comfortable' satisfies Density,
  take: (value) => {
    densityMemory.write(prefix(), value === 'compact' ? value : 'comfortable');
    viewRestored.emit(undefined);
  },
};

const layoutOf = (id: string): Look => ({
  now: () =>
    JSON.stringify({ columns: columnMemory.read(prefix(), id), pageSize: readPreference(`${id}.page-size`, 0) }),
  empty: JSON.stringify({ columns: null, pageSize: 0 }),
  take: (value) => {
    try {
      const { columns, pageSize } = JSON.parse(value) as { columns?: unknown; pageSize?: unknown };
      if (typeof pageSize === 'number') writePreference(`${id}.page-size`, pageSize);
      // What cannot be read is no layout: the memory of columns checks it when it reads.
      columnMemory.write(prefix(), id, Array.isArray(columns) ? (columns as []) : null);
      viewRestored.emit(id);
    } catch {
      // As above.
    }
  },
});

/** A preference that is the look of tables; the others are views and drafts of their own. */
function lookOf(key: string): Look | undefined {
  if (key === 'density') return density;
  return key.startsWith('layout:') ? layoutOf(key.slice('layout:'.length)) : undefined;
}

/** Whatever this device remembers of tables. */
function looksHere(): string[] {
  try {
    const start = prefix();
    const ids = Object.keys(localStorage).flatMap((key) => {
      const name = key.startsWith(start) ? key.slice(start.length) : '';
      const id = /^grid:(.+)$/.exec(name)?.[1] ?? /^(.+)\.page-size$/.exec(name)?.[1];
      // A layout that was reset is known by what was sent of it.
      return id ?? /^layout:(.+)\.sent$/.exec(name)?.[1] ?? [];
    });
    return ['density', ...[...new Set(ids)].map((id) => `layout:${id}`)];
  } catch {
    return [];
  }
}

/** What the server has, and of when. */
function remember(key: string, value: string, at: string): void {
  writePreference(`${key}.sent`, value);
  writePreference(`${key}.at`, at);
}
