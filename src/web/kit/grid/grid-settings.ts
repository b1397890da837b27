import { createContext, useEffect, useState } from 'react';
import type { Column } from '../../../shared/columns/define.ts';
import { storedPreference, writePreference } from '../api/account-storage.ts';

/** Called when a grid whose view (columns and density) is remembered is shown. */
export const OnGridContext = createContext(() => {});

export interface SavedColumn {
  colId: string;
  width?: number;
  flex?: number | null;
  hide?: boolean;
  pinned?: 'left' | 'right' | null;
}

/** A phone has no room beside pinned columns, and a finger does not aim: it opens a row wherever it taps. */
export const isPhone = (): boolean => matchMedia('(width < 640px)').matches;

/** The default state of a column: a pinned one keeps its width, the others share the remaining width. */
export const initialColumn = <Row>({ key, width, pin, isOffered }: Column<Row>): Required<SavedColumn> => ({
  colId: key,
  width,
  flex: pin === undefined ? width : null,
  hide: isOffered ?? false,
  pinned: (!isPhone() && pin) || null,
});

export type Density = 'comfortable' | 'compact';

const isSaved = (value: unknown): value is SavedColumn =>
  typeof value === 'object' && value !== null && 'colId' in value && typeof value.colId === 'string';

function createSignal<T>() {
  const listeners = new Set<(value: T) => void>();
  return {
    emit: (value: T): void => {
      for (const listener of listeners) listener(value);
    },
    subscribe: (listener: (value: T) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Emitted when the columns of a grid were chosen, also where the browser refuses to store them. */
const columnsChosen = createSignal<{ key: string; columns: SavedColumn[] | null }>();

/** Column order, width and visibility, per account and grid (docs/specification.md §19.6). */
export const columnMemory = {
  read: (key: string): SavedColumn[] | null => {
    const stored = storedPreference(`grid:${key}`);
    return Array.isArray(stored) && stored.every(isSaved) && stored.length > 0 ? stored : null;
  },
  write: (key: string, columns: SavedColumn[] | null): void => {
    writePreference(`grid:${key}`, columns ?? undefined);
    columnsChosen.emit({ key, columns });
  },
};

/** The keys of the columns that a remembered grid shows, known before the grid itself is loaded. */
export function useShownColumns<Row>(key: string, columns: readonly Column<Row>[]): readonly string[] {
  const [saved, setSaved] = useState(() => columnMemory.read(key));
  useEffect(() => columnsChosen.subscribe((chosen) => chosen.key === key && setSaved(chosen.columns)), [key]);
  return columns
    .map((column) => ({ ...initialColumn(column), ...saved?.find(({ colId }) => colId === column.key) }))
    .flatMap(({ colId, hide }) => (hide ? [] : [colId]));
}

/** The fields of a new challan at which Enter stops, as a preference: their names, with commas. It is synced with the views. */
export const stopsKey = 'challan-form.stops';

/**
 * Emitted after a newer view from the server was stored, so that the screen applies it. The value is the key of the grid or the
 * setting, or undefined for the density.
 */
export const viewRestored = createSignal<string | undefined>();

/** Emitted after the user's choice of a density was stored. */
export const densityChosen = createSignal<Density>();

/** One density for every grid of the account. */
export const densityMemory = {
  read: (): Density => (storedPreference('grid-density') === 'compact' ? 'compact' : 'comfortable'),
  write: (density: Density): void => writePreference('grid-density', density),
};

export const rowHeights: Readonly<Record<Density, number>> = { comfortable: 36, compact: 27 };
