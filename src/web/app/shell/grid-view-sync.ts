import { useEffect, useRef } from 'react';
import { call } from '../../kit/api/client.ts';
import { preferences } from '../../kit/api/preferences.ts';
import { getSession } from '../../kit/api/session-store.ts';
import { columnMemory, densityMemory, stopsKey, viewRestored, type Density } from '../../kit/grid/grid-settings.ts';
import { preferenceKeys, readPreference, writePreference } from '../../kit/api/account-storage.ts';

/** The interval at which changed views are sent. A failed call is retried in the next round. */
const syncIntervalMs = 3_000;

/**
 * Syncs grid views (the columns of the tables, their page sizes and the density) and the stops of Enter in the challan form with
 * the server, so that they follow the account to another computer. Tables render at once from this device's storage. Newer views from the server replace the
 * stored ones, and local changes are sent until they succeed. Nothing waits for either.
 */
export default function GridViewSync(): null {
  const stored = preferences.useList({}, { staleTime: 60_000 }).data?.data;
  const isRestored = useRef(false);
  const isLoaded = stored !== undefined;

  useEffect(() => {
    // Restore only once: later the list contains what this screen has sent itself.
    if (!stored || isRestored.current) return;
    isRestored.current = true;
    for (const { key, value, updatedAt } of stored) {
      const view = viewOf(key);
      if (!view || updatedAt <= readPreference(`${key}.at`, '')) continue;
      if (value !== view.read()) view.restore(value);
      remember(key, value, updatedAt);
    }
  }, [stored]);

  useEffect(() => {
    if (!isLoaded) return undefined;
    let isSending = false;
    const sendChanges = async (): Promise<void> => {
      if (isSending) return;
      isSending = true;
      const session = getSession();
      for (const key of localKeys()) {
        const { read, empty } = viewOf(key) ?? { read: () => '', empty: '' };
        const value = read();
        if (value === readPreference(`${key}.sent`, empty)) continue;
        try {
          const { data } = await call(preferences.calls.put, { body: { key, value } });
          // Storage keys belong to the signed-in account: stop if that has changed.
          if (getSession() !== session) break;
          remember(key, value, data?.updatedAt ?? '');
        } catch {
          // The view stays in local storage and is sent in the next round.
          break;
        }
      }
      isSending = false;
    };
    const timer = setInterval(() => void sendChanges(), syncIntervalMs);
    return () => {
      clearInterval(timer);
      if (getSession()) void sendChanges();
    };
  }, [isLoaded]);
  return null;
}

interface SyncedView {
  /** Reads the view of this device, as text. */
  read: () => string;
  /** The value of a view that was never changed. */
  empty: string;
  /** Stores a view from the server and tells the grids. */
  restore: (value: string) => void;
}

const density: SyncedView = {
  read: densityMemory.read,
  empty: 'comfortable' satisfies Density,
  restore: (value) => {
    densityMemory.write(value === 'compact' ? value : 'comfortable');
    viewRestored.emit(undefined);
  },
};

const layoutOf = (id: string): SyncedView => ({
  read: () => JSON.stringify({ columns: columnMemory.read(id), pageSize: readPreference(`${id}.page-size`, 0) }),
  empty: JSON.stringify({ columns: null, pageSize: 0 }),
  restore: (value) => {
    try {
      const { columns, pageSize } = JSON.parse(value) as { columns?: unknown; pageSize?: unknown };
      if (typeof pageSize === 'number') writePreference(`${id}.page-size`, pageSize);
      // `columnMemory` validates the columns when it reads them.
      columnMemory.write(id, Array.isArray(columns) ? (columns as []) : null);
      viewRestored.emit(id);
    } catch {
      // A value that is not valid JSON is ignored.
    }
  },
});

const stops: SyncedView = {
  read: () => readPreference(stopsKey, ''),
  empty: '',
  restore: (value) => {
    writePreference(stopsKey, value);
    viewRestored.emit(stopsKey);
  },
};

/** The grid view behind a preference; undefined for other preferences. */
function viewOf(key: string): SyncedView | undefined {
  if (key === 'density') return density;
  if (key === stopsKey) return stops;
  return key.startsWith('layout:') ? layoutOf(key.slice('layout:'.length)) : undefined;
}

/** The keys of all views that this device remembers. */
function localKeys(): string[] {
  const ids = preferenceKeys().flatMap(
    // A layout that was reset is no longer stored, but its sent value is.
    (name) => /^(?:grid:(.+)|(.+)\.page-size|layout:(.+)\.sent)$/.exec(name)?.slice(1).find(Boolean) ?? [],
  );
  return ['density', stopsKey, ...[...new Set(ids)].map((id) => `layout:${id}`)];
}

/** Remembers what the server has, and its time. */
function remember(key: string, value: string, at: string): void {
  writePreference(`${key}.sent`, value);
  writePreference(`${key}.at`, at);
}
