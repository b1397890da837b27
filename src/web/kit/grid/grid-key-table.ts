import type { KeyPress, KeyTable } from '../ui/key-table.ts';
import type { DataGridProps } from './grid-props.ts';

/** Matches Home and End also with Shift, where AG Grid would jump to another row. */
const isEdge = ({ key }: KeyPress): boolean => key === 'Home' || key === 'End';

/**
 * The grid's keys as data (docs/keyboard.md §3). `grid-keys.ts` and the help read these tables. The handlers are in another
 * file, because they load with AG Grid in a chunk of its own.
 */
export const rowKeys = {
  stop: { keys: ['Tab', 'Shift+Tab'], label: 'Go into or out of the table, which is one Tab stop', by: 'library' },
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
    label: 'Open the row, follow the link in the cell, or expand an owner; on Actions: go to the buttons',
  },
  edit: { keys: 'F2', label: 'Edit the cell, where its heading has a pencil' },
  toggle: {
    keys: 'Space',
    label: 'Toggle the checkbox of the cell, or show why it is disabled; in other cells: select the row',
  },
  selectTo: { keys: 'Shift+Space', label: 'Select from the first row of the range to this row' },
  range: { keys: ['Shift+↓', 'Shift+↑'], label: 'Extend or shrink the range' },
  selectAll: {
    keys: 'Ctrl+A',
    label: 'Select the page; press again to select everything that matches, where the screen allows it',
  },
  cells: {
    keys: ['Alt+Shift+↑', 'Alt+Shift+↓', 'Alt+Shift+←', 'Alt+Shift+→'],
    label: 'Select cells; the footer has their sum',
  },
  cellsEdge: {
    keys: ['Ctrl+Shift+↑', 'Ctrl+Shift+↓', 'Ctrl+Shift+←', 'Ctrl+Shift+→'],
    label: 'Select cells to the edge of the filled ones',
  },
  clear: { keys: 'Esc', label: 'Clear the selection' },
  copy: { keys: 'Ctrl+C', label: 'Copy the cell or cells, or the selected rows with a heading, separated by tabs' },
  print: { keys: 'Ctrl+P', label: 'Print all rows of the list', by: 'browser' },
  save: { keys: 'Ctrl+Shift+E', label: 'Download all rows of the list as an Excel file', by: 'browser' },
  sort: {
    keys: 'Shift+S',
    label: 'Also sort by the column of the cell; press again to reverse the order',
  },
  expand: { keys: '→', label: 'Expand the owner' },
  collapse: { keys: '←', label: 'Collapse the owner, or go from a challan to its owner' },
  expandAll: { keys: '*', label: 'Expand all' },
} as const satisfies KeyTable;

/** The keys of the checkbox heading. */
export const headerKeys = {
  toggleAll: { keys: ['Space', 'Enter'], label: 'On the checkbox heading: select or clear the page' },
} as const satisfies KeyTable;

/** The keys of buttons and links inside a cell. */
export const cellKeys = {
  walk: { keys: ['←', '→'], label: 'Go to the previous or next button of the cell' },
  back: { keys: 'Esc', label: 'Go from a button back to its cell' },
  row: { keys: ['↑', '↓'], label: 'Go from a button to the row above or below' },
  press: { keys: ['Enter', 'Space'], label: 'Press the button', by: 'browser' },
} as const satisfies KeyTable;

const paging = (keys: readonly [up: string, down: string]) =>
  ({
    previous: { keys: keys[0], label: 'Previous page' },
    next: { keys: keys[1], label: 'Next page' },
  }) as const satisfies KeyTable;

/** The keys that change the page. They need Shift on a screen where Alt+PgUp and Alt+PgDn change its tabs. */
export const pageKeys = {
  plain: paging(['Alt+PgUp', 'Alt+PgDn']),
  shifted: paging(['Alt+Shift+PgUp', 'Alt+Shift+PgDn']),
};

/** The feature of the grid that a key needs. Keys that are not listed here always work. */
const needs: Partial<Record<keyof typeof rowKeys, (grid: DataGridProps<never>) => boolean>> = {
  toggle: ({ selection, cells = {} }) =>
    selection !== undefined || Object.values(cells).some((cell) => 'toggle' in cell),
  edit: ({ editing }) => editing !== undefined,
  selectTo: ({ selection }) => selection !== undefined,
  range: ({ selection }) => selection !== undefined,
  selectAll: ({ selection }) => selection?.onSelectAll !== undefined,
  print: ({ loadPage }) => loadPage !== undefined,
  save: ({ ownFile }) => ownFile === undefined,
  sort: ({ onSorts }) => onSorts !== undefined,
  expand: ({ tree }) => tree !== undefined,
  collapse: ({ tree }) => tree !== undefined,
  expandAll: ({ tree }) => tree !== undefined,
};

/** The keys that work in this grid, for the help. */
export function shownGridKeys<Row>(grid: DataGridProps<Row>): KeyTable {
  const { openLabel, selection, rowActions = [] } = grid;
  const own = Object.entries<(grid: DataGridProps<never>) => boolean>(needs);
  // Safe: these checks never look at a row.
  const unused = own.filter(([, isNeeded]) => !isNeeded(grid as unknown as DataGridProps<never>)).map(([name]) => name);
  return {
    ...Object.fromEntries(Object.entries(rowKeys).filter(([name]) => !unused.includes(name))),
    ...(openLabel === undefined ? {} : { open: { ...rowKeys.open, label: openLabel } }),
    ...(selection?.header ? headerKeys : {}),
    ...(rowActions.length > 0 ? cellKeys : {}),
  };
}
