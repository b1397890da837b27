import type { Ref } from 'react';
import type { Area } from '../../shared/sheet/sheet.ts';
import type { KeyPress, KeyTable } from '../ui/key-table.ts';

/** The grid one types into, as pages see it: nothing here names AG Grid. */

export interface SheetGridColumn {
  key: string;
  label: string;
  width: number;
  isFigure: boolean;
  /** Worked out: it cannot be typed into. */
  isFixed: boolean;
  pin?: 'left' | 'right';
}

export interface Spot {
  row: number;
  column: number;
}
/** Rows and columns by their place, both ends included. */
export type GridArea = Area;

export interface SheetCellView {
  text: string;
  /** Nobody typed it: a remembered value, or what was looked up. */
  isFilled: boolean;
  tone?: 'error' | 'warning' | undefined;
  /** Beside the cell while it is in focus or pointed at. */
  note?: string | undefined;
}

/** A record that a cell may name. */
export interface SheetName {
  key: string;
  text: string;
  /** What tells it from its namesakes. */
  detail?: string;
  color?: string;
  /** What it puts into other columns. */
  also?: Readonly<Record<string, string>>;
}
export interface FoundNames {
  names: readonly SheetName[];
  /** All that match, of which `names` are the first. */
  total: number;
  /** The one that the text can only mean. */
  meant: SheetName | undefined;
}
export type FindNames = (text: string, signal: AbortSignal) => Promise<FoundNames>;

export interface SheetGridCommands {
  /** One cell was typed into. */
  write: (row: number, column: number, text: string) => void;
  /** A name was taken from the list. */
  take: (rowKey: string, column: number, name: SheetName) => void;
  fill: (area: GridArea, text: string) => void;
  clear: (area: GridArea) => void;
  fillDown: (area: GridArea) => void;
  fillRight: (area: GridArea) => void;
  deleteRows: (top: number, bottom: number) => void;
  /** The text for the clipboard. */
  copy: (area: GridArea) => string;
  /** Where it went, to be selected; undefined: nothing came. */
  paste: (area: GridArea, data: DataTransfer | null) => GridArea | undefined;
  /** false: there is nothing of this sheet to take back, and the key may mean something else. */
  undo: () => boolean;
  redo: () => boolean;
  /** The next cell with a mistake, after or before this one. */
  findError: (from: Spot, step: 1 | -1) => Spot | undefined;
}

export interface SheetGridHandle {
  /** Draws these rows again. */
  redraw: (keys: ReadonlySet<string>) => void;
  /** Puts the focus there. */
  go: (row: number, column: number) => void;
  select: (area: GridArea) => void;
  area: () => GridArea;
  goToError: (step: 1 | -1) => void;
  /** What is being typed goes into its cell. */
  settle: () => void;
}

export interface SheetGridProps {
  label: string;
  columns: readonly SheetGridColumn[];
  /** Another array only where rows came, went or moved. */
  rowKeys: readonly string[];
  view: (rowKey: string, column: number) => SheetCellView;
  /** What editing begins with. */
  textOf: (rowKey: string, column: number) => string;
  toneOf: (rowKey: string) => 'error' | 'warning' | 'ready' | undefined;
  /** The names that cells of a column may be given; undefined: it has none. */
  namesOf: (column: number) => FindNames | undefined;
  /** Tab goes on: the cell needs no typing. */
  isPassedOver: (rowKey: string, column: number) => boolean;
  commands: SheetGridCommands;
  ref?: Ref<SheetGridHandle>;
}

const isText = ({ key, ctrlKey, altKey, metaKey }: KeyPress): boolean =>
  [...key].length === 1 && key !== ' ' && !ctrlKey && !altKey && !metaKey;

/** The keys of the sheet outside a cell that is being edited (docs/keyboard.md §6). */
export const sheetKeys = {
  move: { keys: ['↑', '↓', '←', '→'], label: 'Move from cell to cell' },
  edge: { keys: ['Ctrl+↑', 'Ctrl+↓', 'Ctrl+←', 'Ctrl+→'], label: 'To the edge of what is typed' },
  extend: { keys: ['Shift+↑', 'Shift+↓', 'Shift+←', 'Shift+→'], label: 'Extend or shrink the selected cells' },
  extendEdge: {
    keys: ['Ctrl+Shift+↑', 'Ctrl+Shift+↓', 'Ctrl+Shift+←', 'Ctrl+Shift+→'],
    label: 'Extend to the edge of what is typed',
  },
  next: { keys: ['Tab', 'Shift+Tab'], label: 'Next and previous cell that needs typing' },
  down: { keys: ['Enter', 'Shift+Enter'], label: 'Down, after Tab below the first cell typed into; with Shift up' },
  rowEdge: { keys: ['Home', 'End'], label: 'First and last column' },
  sheetEdge: { keys: ['Ctrl+Home', 'Ctrl+End'], label: 'First cell, and last row with something in it' },
  page: { keys: ['PgUp', 'PgDn'], label: 'A screen up or down' },
  edit: { keys: 'F2', label: 'Edit the cell' },
  list: { keys: ['F4', 'Alt+↓'], label: 'List the names for a vehicle, owner, tag or pump' },
  type: { keys: 'Any character', label: 'Typing replaces what is in the cell', also: isText },
  clear: { keys: ['Delete', 'Backspace'], label: 'Clear the selected cells' },
  copy: { keys: 'Ctrl+C', label: 'Copy the selected cells', by: 'browser' },
  cut: { keys: 'Ctrl+X', label: 'Copy and clear them', by: 'browser' },
  paste: { keys: 'Ctrl+V', label: 'Paste cells, or a table with headings', by: 'browser' },
  fillDown: { keys: 'Ctrl+D', label: 'Fill down: the first selected row into the others, or the row above' },
  fillRight: { keys: 'Ctrl+R', label: 'Fill right: the first selected column into the others, or the one before' },
  fillAll: { keys: 'Ctrl+Enter', label: 'Put the cell, or what is being typed, into all selected cells' },
  column: { keys: 'Ctrl+Space', label: 'Select the column' },
  row: { keys: 'Shift+Space', label: 'Select the row' },
  all: { keys: 'Ctrl+A', label: 'Select all' },
  deleteRows: { keys: 'Ctrl+-', label: 'Delete the selected rows' },
  undo: { keys: 'Ctrl+Z', label: 'Take the last edit back' },
  redo: { keys: ['Ctrl+Y', 'Ctrl+Shift+Z'], label: 'Do it again' },
  errors: { keys: ['F8', 'Shift+F8'], label: 'Next and previous cell with a mistake' },
  leave: { keys: 'Esc', label: 'One cell only; then Tab leaves the table' },
} as const satisfies KeyTable;

/** While names are listed below a cell that is being edited. */
export const nameKeys = {
  move: { keys: ['↓', '↑'], label: 'Next and previous name' },
  take: { keys: ['Enter', 'Tab'], label: 'Take the marked name and go on; none is marked: keep what was typed' },
  close: { keys: 'Esc', label: 'Close the list' },
} as const satisfies KeyTable;

/** While a cell is being edited. */
export const editKeys = {
  accept: { keys: ['Enter', 'Shift+Enter', 'Tab', 'Shift+Tab'], label: 'Keep what was typed and go on' },
  fillAll: { keys: 'Ctrl+Enter', label: 'Put it into all selected cells' },
  errors: { keys: ['F8', 'Shift+F8'], label: 'Keep it and go to the next or previous mistake' },
  cancel: { keys: 'Esc', label: 'Leave the cell as it was' },
  walk: { keys: ['↑', '↓', '←', '→'], label: 'Keep it and go there; after F2 they move in the text' },
  list: { keys: ['F4', 'Alt+↓'], label: 'List the names' },
  inText: { keys: 'F2', label: 'The arrows move in the text; again: from cell to cell' },
} as const satisfies KeyTable;
