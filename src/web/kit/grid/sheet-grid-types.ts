import type { ReactNode, Ref } from 'react';
import type { Area } from '../../../shared/sheet/sheet.ts';
import type { KeyPress, KeyTable } from '../ui/key-table.ts';

/** The types of the entry sheet's grid for pages. Nothing here refers to AG Grid. */

export interface SheetGridColumn {
  key: string;
  label: string;
  /** The heading where it differs from the label, such as a shorter one. */
  heading?: string;
  width: number;
  isFigure: boolean;
  /** The column is calculated and cannot be edited. */
  isFixed: boolean;
  pin?: 'left' | 'right';
}

/** A cell, by the places of its row and of its column among those in sight. */
export interface CellPosition {
  row: number;
  column: number;
}
/** A rectangle of cells by row and column indexes, both ends included. */
export type GridArea = Area;

export interface SheetCellView {
  text: string;
  /** The value was filled in and not typed: a remembered value, or the result of a lookup. */
  isFilled: boolean;
  tone?: 'error' | 'warning' | undefined;
  /** Shown beside the cell while it is focused or hovered. */
  note?: string | undefined;
}

/** A record that a cell can refer to by name. */
export interface SheetName {
  key: string;
  text: string;
  /** Distinguishes records with the same name. */
  detail?: string;
  color?: string;
  /** Values that it fills into other columns. */
  also?: Readonly<Record<string, string>>;
}
export interface FoundNames {
  names: readonly SheetName[];
  /** The number of all matches; `names` holds the first of them. */
  total: number;
  /** The record that the text identifies, if there is exactly one. */
  meant: SheetName | undefined;
}
export type FindNames = (text: string, signal: AbortSignal) => Promise<FoundNames>;

export interface SheetGridCommands {
  /** Writes typed text into one cell. */
  write: (row: number, column: string, text: string) => void;
  /** Writes a name that was chosen from the list. */
  take: (rowKey: string, column: string, name: SheetName) => void;
  fill: (area: GridArea, text: string) => void;
  clear: (area: GridArea) => void;
  fillDown: (area: GridArea) => void;
  fillRight: (area: GridArea) => void;
  deleteRows: (top: number, bottom: number) => void;
  /** Returns the text for the clipboard. */
  copy: (area: GridArea) => string;
  /** Returns the area that was pasted, to select it; undefined if nothing was pasted. */
  paste: (area: GridArea, data: DataTransfer | null) => GridArea | undefined;
  /** Returns false if this sheet has nothing to undo, so that the key can mean something else. */
  undo: () => boolean;
  redo: () => boolean;
  /** Finds the next cell with an error after (1) or before (-1) the given one. */
  findError: (from: CellPosition, step: 1 | -1) => CellPosition | undefined;
}

export interface SheetGridHandle {
  /** Renders these rows again. */
  redraw: (keys: ReadonlySet<string>) => void;
  /** Focuses a cell. */
  go: (row: number, column: number) => void;
  /** Shows columns that are hidden. */
  show: (columns: readonly string[]) => void;
  select: (area: GridArea) => void;
  area: () => GridArea;
  goToError: (step: 1 | -1) => void;
  /** Writes the text being typed into its cell. */
  saveTyped: () => void;
}

export interface SheetGridProps {
  label: string;
  /** All columns, in the order in which they are at first. */
  columns: readonly SheetGridColumn[];
  /** Under this name the chosen columns are remembered (columnMemory). */
  memoryKey: string;
  /** Called with the columns in sight, in their order, when they change. All indexes of columns refer to it. */
  onColumns: (columns: readonly string[]) => void;
  /** A new array only if rows were added, removed or moved. */
  rowKeys: readonly string[];
  view: (rowKey: string, column: string) => SheetCellView;
  /** The text in the editor when it opens. */
  textOf: (rowKey: string, column: string) => string;
  toneOf: (rowKey: string) => 'error' | 'warning' | 'ready' | undefined;
  /** The search for names of a column; undefined if its cells hold no names. */
  namesOf: (column: string) => FindNames | undefined;
  /** Tab skips the cell, because it needs no typing. */
  isPassedOver: (rowKey: string, column: string) => boolean;
  commands: SheetGridCommands;
  /** Stands below the rows, beside the button for the columns. */
  footer: ReactNode;
  ref?: Ref<SheetGridHandle>;
}

const isText = ({ key, ctrlKey, altKey, metaKey }: KeyPress): boolean =>
  // A key of an Indian layout may type several characters, such as श्र. The names of keys are in ASCII.
  ([...key].length === 1 || /^\P{ASCII}+$/u.test(key)) && key !== ' ' && !ctrlKey && !altKey && !metaKey;

/** The keys of the sheet outside a cell that is being edited (docs/keyboard.md §6). */
export const sheetKeys = {
  move: { keys: ['↑', '↓', '←', '→'], label: 'Move from cell to cell' },
  edge: { keys: ['Ctrl+↑', 'Ctrl+↓', 'Ctrl+←', 'Ctrl+→'], label: 'Go to the edge of the filled cells' },
  extend: { keys: ['Shift+↑', 'Shift+↓', 'Shift+←', 'Shift+→'], label: 'Extend or shrink the selected cells' },
  extendEdge: {
    keys: ['Ctrl+Shift+↑', 'Ctrl+Shift+↓', 'Ctrl+Shift+←', 'Ctrl+Shift+→'],
    label: 'Extend the selection to the edge of the filled cells',
  },
  next: { keys: ['Tab', 'Shift+Tab'], label: 'Next and previous cell that needs typing' },
  down: { keys: ['Enter', 'Shift+Enter'], label: 'Go down, after Tab to the column where Tab began; with Shift up' },
  rowEdge: { keys: ['Home', 'End'], label: 'First and last column' },
  sheetEdge: { keys: ['Ctrl+Home', 'Ctrl+End'], label: 'First cell, and last row that is not empty' },
  page: { keys: ['PgUp', 'PgDn'], label: 'A screen up or down' },
  edit: { keys: 'F2', label: 'Edit the cell' },
  list: { keys: ['F4', 'Alt+↓'], label: 'List the names for a vehicle, owner, tag or pump' },
  type: { keys: 'Any character', label: 'Typing replaces what is in the cell', also: isText },
  clear: { keys: ['Delete', 'Backspace'], label: 'Clear the selected cells' },
  copy: { keys: 'Ctrl+C', label: 'Copy the selected cells', by: 'browser' },
  cut: { keys: 'Ctrl+X', label: 'Cut the selected cells', by: 'browser' },
  paste: { keys: 'Ctrl+V', label: 'Paste cells, or a table with headings', by: 'browser' },
  fillDown: { keys: 'Ctrl+D', label: 'Fill down: the first selected row into the others, or the row above' },
  fillRight: { keys: 'Ctrl+R', label: 'Fill right: the first selected column into the others, or the one before' },
  fillAll: { keys: 'Ctrl+Enter', label: 'Put the cell, or what is being typed, into all selected cells' },
  column: { keys: 'Ctrl+Space', label: 'Select the column' },
  row: { keys: 'Shift+Space', label: 'Select the row' },
  all: { keys: 'Ctrl+A', label: 'Select all' },
  deleteRows: { keys: 'Ctrl+-', label: 'Delete the selected rows' },
  undo: { keys: 'Ctrl+Z', label: 'Undo the last edit' },
  redo: { keys: ['Ctrl+Y', 'Ctrl+Shift+Z'], label: 'Redo' },
  errors: { keys: ['F8', 'Shift+F8'], label: 'Next and previous cell with an error' },
  leave: { keys: 'Esc', label: 'Select one cell only; after that Tab leaves the table' },
} as const satisfies KeyTable;

/** The keys of the name list below the cell editor. */
export const nameKeys = {
  move: { keys: ['↓', '↑'], label: 'Next and previous name' },
  take: { keys: ['Enter', 'Tab'], label: 'Use the highlighted name, or else the typed text, and go on' },
  close: { keys: 'Esc', label: 'Close the list' },
} as const satisfies KeyTable;

/** The keys of the cell editor. */
export const editKeys = {
  accept: { keys: ['Enter', 'Shift+Enter', 'Tab', 'Shift+Tab'], label: 'Save the text and go on' },
  fillAll: { keys: 'Ctrl+Enter', label: 'Put the text into all selected cells' },
  errors: { keys: ['F8', 'Shift+F8'], label: 'Save the text and go to the next or previous error' },
  cancel: { keys: 'Esc', label: 'Close without changing the cell' },
  walk: { keys: ['↑', '↓', '←', '→'], label: 'Save the text and go to the next cell; after F2: move in the text' },
  list: { keys: ['F4', 'Alt+↓'], label: 'List the names' },
  inText: { keys: 'F2', label: 'Let the arrows move in the text; press again: from cell to cell' },
} as const satisfies KeyTable;
