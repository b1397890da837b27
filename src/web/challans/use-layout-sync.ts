import { useEffect, useRef, type RefObject } from 'react';
import type { Challan } from '../../shared/contract/challan.ts';
import type { Preference } from '../../shared/contract/preferences.ts';
import { preferences } from '../api/preferences.ts';
import { call } from '../api/client.ts';
import { getSession, preferencePrefix } from '../api/session-store.ts';
import type { GridHandle } from '../grid/grid-types.ts';
import { columnMemory } from '../grid/grid-settings.ts';
import { readPreference, writePreference } from '../session/account-storage.ts';

/** How often it is looked whether the layout has changed; a call that failed is repeated with it. */
const lookMs = 3_000;

interface Parts {
  /** Names the list. */
  id: string;
  grid: RefObject<GridHandle<Challan> | null>;
  /** What the server keeps for the account; undefined while it is not known. */
  stored: readonly Preference[] | undefined;
}

/**
 * The columns of a list and its page size follow the account to another machine. This device's storage is what a list is
 * drawn from at once; what the server has of a later time is taken over, and what is changed here is sent to it, again and
 * again until it got through. Nothing waits for either.
 */
export function useLayoutSync({ id, grid, stored }: Parts): void {
  const isTaken = useRef(false);
  const key = `layout:${id}`;
  const isKnown = stored !== undefined;

  useEffect(() => {
    const found = stored?.find((item) => item.key === key);
    if (!isKnown || isTaken.current) return;
    isTaken.current = true;
    // Only once: what this screen sends comes back in the same list.
    if (!found || found.updatedAt <= readPreference(`${key}.at`, '')) return;
    if (found.value !== layoutNow(id)) take(id, found.value, grid.current);
    remember(id, found.value, found.updatedAt);
  }, [stored, isKnown, key, id, grid]);

  useEffect(() => {
    if (!isKnown) return undefined;
    let isSending = false;
    const look = async (): Promise<void> => {
      const value = layoutNow(id);
      if (isSending || value === readPreference(`${key}.sent`, emptyLayout)) return;
      isSending = true;
      const session = getSession();
      try {
        const { data } = await call(preferences.calls.put, { body: { key, value } });
        // Its place in the storage is the account's that is signed in.
        if (getSession() === session) remember(id, value, data?.updatedAt ?? '');
      } catch {
        // The layout is kept here, and sent with the next look.
      } finally {
        isSending = false;
      }
    };
    const timer = setInterval(() => void look(), lookMs);
    return () => {
      clearInterval(timer);
      void look();
    };
  }, [isKnown, key, id]);
}

const prefix = (): string => preferencePrefix(getSession()?.user.id ?? 'nobody');

/** As this device has it, as text. */
function layoutNow(id: string): string {
  return JSON.stringify({ columns: columnMemory.read(prefix(), id), pageSize: readPreference(`${id}.page-size`, 0) });
}
const emptyLayout = JSON.stringify({ columns: null, pageSize: 0 });

function take(id: string, value: string, grid: GridHandle<Challan> | null): void {
  try {
    const { columns, pageSize } = JSON.parse(value) as { columns?: unknown; pageSize?: unknown };
    if (typeof pageSize === 'number') writePreference(`${id}.page-size`, pageSize);
    // What cannot be read is no layout: the memory of columns checks it when it reads.
    if (Array.isArray(columns)) {
      columnMemory.write(prefix(), id, columns as []);
      const read = columnMemory.read(prefix(), id);
      if (read) grid?.setColumns(read);
    } else columnMemory.write(prefix(), id, null);
  } catch {
    // As above.
  }
}

/** What the server has, and of when. */
function remember(id: string, value: string, at: string): void {
  writePreference(`layout:${id}.sent`, value);
  writePreference(`layout:${id}.at`, at);
}
