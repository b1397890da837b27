import type { KeyPress, KeyTable } from '../ui/key-table.ts';
import type { DataGridProps } from './grid-props.ts';

/** With Shift too: AG Grid would jump to another row. */
const isEdge = ({ key }: KeyPress): boolean => key === 'Home' || key === 'End';

/**
 * The grid's keys as data (docs/keyboard.md §3): `grid-keys.ts` dispatches from these tables, and the help lists them. Apart
 * from their functions, which come with AG Grid in a chunk of its own.
 */
export const rowKeys = {
  stop: { keys: ['Tab', 'Shift+Tab'], label: 'Into and out of the table, one stop each way', by: 'library' },
  move: { keys: ['↑', '↓', '←', '→'], label: 'Move from cell to cell, without wrapping', by: 'library' },
  rowEdge: {
    keys: ['Home', 'End'],
    label: 'First and last column of the row',
    also: (event: KeyPress) => isEdge(event) && !event.ctrlKey && !event.metaKey,
  },
  pageEdge: {
    keys: ['Ctrl+Home', 'Ctrl+End'],
    label: 'First and last row of the page',
    also: (event: KeyPress) => isEdge(event) && (event.ctrlKey || event.metaKey),
  },
  open: {
    keys: 'Enter',
    label: 'Open the row, follow the link of a figure, or expand an owner; on Actions: its buttons',
  },
  edit: { keys: 'F2', label: 'Edit the cell, where its heading has a pencil' },
  toggle: {
    keys: 'Space',
    label: 'Tick the checkbox of the cell; if it is disabled, say why; in other cells select the row',
  },
  selectTo: { keys: 'Shift+Space', label: 'Select from the row where the range began to this one' },
  range: { keys: ['Shift+↓', 'Shift+↑'], label: 'Extend or shrink the range' },
  selectAll: {
    keys: 'Ctrl+A',
    label: 'Select the page; where the screen can act on them, again: everything that matches',
  },
  clear: { keys: 'Esc', label: 'Clear the selection' },
  copy: { keys: 'Ctrl+C', label: 'Copy the cell, or the selected rows with a heading, separated by tabs' },
  sort: {
    keys: 'Shift+S',
    label: 'Sort by the column of the cell, behind those that are sorted by; again: the other way',
  },
  expand: { keys: '→', label: 'Expand the owner' },
  collapse: { keys: '←', label: 'Collapse the owner, or go from a challan to its owner' },
  expandAll: { keys: '*', label: 'Expand all' },
} as const satisfies KeyTable;

/** On the heading of the checkboxes. */
export const headerKeys = {
  toggleAll: { keys: ['Space', 'Enter'], label: 'On the heading of the checkboxes: select the page, or none of it' },
} as const satisfies KeyTable;

/** On the buttons and links inside a cell. */
export const cellKeys = {
  walk: { keys: ['←', '→'], label: 'From button to button of the cell' },
  back: { keys: 'Esc', label: 'From a button back to its cell' },
  row: { keys: ['↑', '↓'], label: 'From a button to the row above or below' },
  press: { keys: ['Enter', 'Space'], label: 'Press the button', by: 'browser' },
} as const satisfies KeyTable;

const paging = (keys: readonly [up: string, down: string]) =>
  ({
    previous: { keys: keys[0], label: 'Previous page' },
    next: { keys: keys[1], label: 'Next page' },
  }) as const satisfies KeyTable;

/** Of the footer; with Shift where the keys without it change the tabs of the screen. */
export const pageKeys = {
  plain: paging(['Alt+PgUp', 'Alt+PgDn']),
  shifted: paging(['Alt+Shift+PgUp', 'Alt+Shift+PgDn']),
};

/** What an entry needs of the grid to mean anything; entries that are not named here always count. */
const needs: Partial<Record<keyof typeof rowKeys, (grid: DataGridProps<never>) => boolean>> = {
  toggle: ({ selection, cells = {} }) =>
    selection !== undefined || Object.values(cells).some((cell) => 'toggle' in cell),
  edit: ({ editing }) => editing !== undefined,
  selectTo: ({ selection }) => selection !== undefined,
  range: ({ selection }) => selection !== undefined,
  selectAll: ({ selection }) => selection?.onSelectAll !== undefined,
  clear: ({ selection }) => selection?.onClear !== undefined,
  sort: ({ onSorts }) => onSorts !== undefined,
  expand: ({ tree }) => tree !== undefined,
  collapse: ({ tree }) => tree !== undefined,
  expandAll: ({ tree }) => tree !== undefined,
};

/** The keys that do something in this grid, for the help. */
export function shownGridKeys<Row>(grid: DataGridProps<Row>): KeyTable {
  const { openLabel, selection, rowActions = [] } = grid;
  const own = Object.entries<(grid: DataGridProps<never>) => boolean>(needs);
  // What an entry needs never depends on what a row is.
  const unused = own.filter(([, isNeeded]) => !isNeeded(grid as unknown as DataGridProps<never>)).map(([name]) => name);
  return {
    ...Object.fromEntries(Object.entries(rowKeys).filter(([name]) => !unused.includes(name))),
    ...(openLabel === undefined ? {} : { open: { ...rowKeys.open, label: openLabel } }),
    ...(selection?.header ? headerKeys : {}),
    ...(rowActions.length > 0 ? cellKeys : {}),
  };
}
