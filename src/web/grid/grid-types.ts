import type { ReactNode } from 'react';
import type { SavedColumn } from './grid-settings.ts';

/** The grid as pages see it: nothing here or behind it names AG Grid. */

export interface GridSort {
  /** The column's sortKey. */
  key: string;
  order: 'asc' | 'desc';
}

export interface GridPager {
  page: number;
  limit: number;
  totalCount: number;
  onPage: (page: number) => void;
  /** 0: as many rows as fit into the window. */
  onLimit: (limit: number) => void;
  /** The rows follow the window now; absent: this list has no such choice. */
  isFit?: boolean;
  /** 'owners' in '1-10 of 87 owners'. */
  noun?: string;
  /** Alt+Page Up and Down turn something else of this screen (its tabs); the pages turn with Shift besides. */
  withShift?: boolean;
}

/** The state of the request; see `gridStatusOf` in the shell. */
export interface GridStatus {
  /** No rows yet. */
  isLoading: boolean;
  /** Rows are there and newer ones are on their way. */
  isFetching: boolean;
  error?: { text: string; requestId?: string | undefined } | undefined;
  onRetry: () => void;
  /** The rows and totals are of an earlier filter, because the fields hold one that cannot be applied: this says so. */
  notCurrent?: string | undefined;
}

/**
 * A checkbox that acts at once. Only Space and the mouse change it: no key that edits or deletes ever does
 * (docs/specification.md §8.1.1).
 */
export interface ToggleCell<Row> {
  isOn: (row: Row) => boolean;
  onToggle: (row: Row, on: boolean) => void;
  /** Its accessible name: 'Paid, CH-2627-000123'. */
  label: (row: Row) => string;
  /** A switch turns something on at once (an account); a box says what a record is (paid). */
  isSwitch?: true;
  /** Why it cannot be toggled now: shown and read out when Space is pressed. */
  disabledReason?: ((row: Row) => string | undefined) | undefined;
  /** Its call is under way; it cannot be pressed again until it ends. */
  isPending?: ((row: Row) => boolean) | undefined;
}

export interface CustomCell<Row> {
  render: (row: Row) => ReactNode;
  /** What Ctrl+C copies. */
  text?: (row: Row) => string;
  /** What the totals row shows in place of the plain sum; the column's `total` still says when it changed. */
  total?: () => ReactNode;
}

export type CellSpec<Row> = { toggle: ToggleCell<Row> } | CustomCell<Row>;

export interface RowAction<Row> {
  id: string;
  label: string;
  icon: ReactNode;
  run: (row: Row) => void;
  disabledReason?: (row: Row) => string | undefined;
  /** Of a list with rows of two kinds: only these rows have its button. */
  isOf?: (row: Row) => boolean;
  /** The key that does the same on the focused row, for the tooltip. */
  keys?: string;
  /** Its label is shown beside its icon: for the main action of the list. */
  showLabel?: boolean;
}

export type SelectionState = 'none' | 'some' | 'all';

/**
 * The selection is the page's; the grid shows it and turns clicks and keys into calls. A new object whenever it
 * changed.
 */
export interface GridSelection<Row> {
  stateOf: (row: Row) => SelectionState;
  /** 'Select CH-2627-000123'. */
  labelOf: (row: Row) => string;
  /** The third state in words: 'mixed, 3 of 7'. */
  textOf?: (row: Row) => string | undefined;
  /** One row, or the range of Shift. */
  setRows: (rows: readonly Row[], on: boolean) => void;
  header?: { state: SelectionState; label: string; onToggle: (on: boolean) => void };
  /** Ctrl+A; the page knows the first press from the second. */
  onSelectAll?: () => void;
  /** Escape. true: something was cleared, so the key is used up. */
  onClear?: () => boolean;
  disabledReason?: (row: Row) => string | undefined;
}

/** Rows of two kinds in one flat list: groups that expand, and what belongs to them (docs/specification.md §10.1). */
export interface GridTree<Row> {
  isGroup: (row: Row) => boolean;
  /** A group is a record of its own: Enter and a double click open it, → and the sign before its name expand it. */
  opensGroups?: true;
  isExpanded: (row: Row) => boolean;
  onToggle: (row: Row, expanded: boolean) => void;
  /** `*` on any row. */
  onExpandAll: () => void;
  /** The group of a row, for Left on one of its members. */
  groupIdOf: (row: Row) => string | undefined;
  /**
   * What a group row shows per column key; columns not named are empty. `heading` names it before the column's own heading;
   * `span` reaches over the next columns.
   */
  cells: Record<string, CustomCell<Row> & { heading?: string; span?: number }>;
}

/** Cells that are changed in their place: the page draws the editor over them. */
export interface GridEditing<Row> {
  /** The keys of the columns that have such cells; a constant outside the component. */
  columns: readonly string[];
  onEdit: (row: Row, column: string) => void;
  /** Why what was typed into a cell is not saved: it is kept, and comes back with its editor. */
  problemOf: (id: string, column: string) => string | undefined;
}

export interface GridHandle<Row> {
  /** Puts the focus on a row (and keeps the column the user was in), also after a reload. false: not on this page. */
  focusRow: (id: string, columnKey?: string) => boolean;
  /** Into the table: to the row that was left, else the first; in this column where none was left. */
  focusFirstRow: (column?: string) => void;
  focusedRow: () => Row | undefined;
  /** The row that keys of the screen act on; none while the focus is elsewhere: nobody looks at that row then. */
  rowInHand: () => Row | undefined;
  /** The cell that has the focus, and where it is in the window. */
  focusedCell: () => { row: Row; column: string; frame: DOMRect } | undefined;
  /** Where a cell is, scrolled into sight; undefined while it is not drawn. */
  showCell: (id: string, column: string) => Element | undefined;
  /** The keys of the columns on the screen, in their order. */
  shownColumns: () => readonly string[];
  /** How the columns are arranged, and the same again. */
  savedColumns: () => SavedColumn[];
  setColumns: (columns: readonly SavedColumn[]) => void;
  /** The row below, else above: where the focus belongs after this one is deleted. */
  neighbourId: (id: string) => string | undefined;
}
