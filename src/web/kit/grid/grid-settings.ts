import { createContext, useContext, useEffect, useState } from 'react';
import type { Column } from '../../../shared/columns/define.ts';

interface GridSettings {
  storagePrefix: string;
  /** Called when a grid whose view is remembered is shown. */
  onGrid?: () => void;
}

/** Where the grids store their views (columns and density). The shell sets the prefix of the account. */
export const GridSettingsContext = createContext<GridSettings>({ storagePrefix: 'challan-desk-view:' });

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

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or refused: the view is just not remembered.
  }
}

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
  read: (prefix: string, key: string): SavedColumn[] | null => {
    const stored = read(`${prefix}grid:${key}`);
    return Array.isArray(stored) && stored.every(isSaved) && stored.length > 0 ? stored : null;
  },
  write: (prefix: string, key: string, columns: SavedColumn[] | null): void => {
    write(`${prefix}grid:${key}`, columns);
    columnsChosen.emit({ key, columns });
  },
};

/** The keys of the columns that a remembered grid shows, known before the grid itself is loaded. */
export function useShownColumns<Row>(key: string, columns: readonly Column<Row>[]): readonly string[] {
  const { storagePrefix } = useContext(GridSettingsContext);
  const [saved, setSaved] = useState(() => columnMemory.read(storagePrefix, key));
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
  read: (prefix: string): Density => (read(`${prefix}grid-density`) === 'compact' ? 'compact' : 'comfortable'),
  write: (prefix: string, density: Density): void => write(`${prefix}grid-density`, density),
};

export const rowHeights: Readonly<Record<Density, number>> = { comfortable: 36, compact: 27 };
