import { createContext } from 'react';
import type { Column } from '../../shared/columns/define.ts';

interface GridSettings {
  storagePrefix: string;
  /** A grid whose look is remembered has come onto the screen. */
  onGrid?: () => void;
}

/** Where the grids keep their looks; the shell sets the account's own place. */
export const GridSettingsContext = createContext<GridSettings>({ storagePrefix: 'challan-desk-view:' });

export interface SavedColumn {
  colId: string;
  width?: number;
  flex?: number | null;
  hide?: boolean;
  pinned?: 'left' | 'right' | null;
}

/** How a column is arranged until somebody changes it: a pinned one keeps its width, the others share what there is. */
export const initialColumn = <Row>({ key, width, pin, isOffered }: Column<Row>): Required<SavedColumn> => ({
  colId: key,
  width,
  flex: pin === undefined ? width : null,
  hide: isOffered ?? false,
  pinned: pin ?? null,
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
    // Full or refused: the look is only not remembered.
  }
}

const isSaved = (value: unknown): value is SavedColumn =>
  typeof value === 'object' && value !== null && 'colId' in value && typeof value.colId === 'string';

/** Column order, width and visibility, per account and grid (docs/specification.md §19.6). */
export const columnMemory = {
  read: (prefix: string, key: string): SavedColumn[] | null => {
    const stored = read(`${prefix}grid:${key}`);
    return Array.isArray(stored) && stored.every(isSaved) && stored.length > 0 ? stored : null;
  },
  write: (prefix: string, key: string, columns: SavedColumn[] | null): void => write(`${prefix}grid:${key}`, columns),
};

function signal<T>() {
  const takers = new Set<(value: T) => void>();
  return {
    tell: (value: T): void => {
      for (const taker of takers) taker(value);
    },
    subscribe: (taker: (value: T) => void): (() => void) => {
      takers.add(taker);
      return () => void takers.delete(taker);
    },
  };
}

/** Looks were put into the memory that grids on the screen do not show yet: of one grid, or without a key the density. */
export const looksTaken = signal<string | undefined>();

/** The user chose a density, which the memory has by then. */
export const densityChosen = signal<Density>();

/** One density for every grid of the account. */
export const densityMemory = {
  read: (prefix: string): Density => (read(`${prefix}grid-density`) === 'compact' ? 'compact' : 'comfortable'),
  write: (prefix: string, density: Density): void => write(`${prefix}grid-density`, density),
};

export const rowHeights: Readonly<Record<Density, number>> = { comfortable: 36, compact: 27 };
