import type { ReactNode } from 'react';
import type { ColumnKind } from '../../../shared/columns/define.ts';
import type { SavedColumn } from './grid-settings.ts';

/** The grid's types for pages. Nothing here refers to AG Grid. */

export interface GridSort {
  /** The column's sortKey. */
  key: string;
  order: 'asc' | 'desc';
}

export interface GridPager {
  page: number;
  limit: number;
  /** undefined while the rows are being counted, or if they could not be. */
  totalCount: number | undefined;
  /** While the rows are not counted: whether there is a next page. */
  hasNext?: boolean;
  /** Given if counting failed: counts again. */
  onRecount?: (() => void) | undefined;
  onPage: (page: number) => void;
  /** Called with the chosen number of rows; 0 stands for "Fit to window". */
  onLimit: (limit: number) => void;
  /** "Fit to window" is chosen; absent if the list does not offer it. */
  isFit?: boolean;
  /** 'owners' in '1-10 of 87 owners'. */
  noun?: string;
  /** The keys that change the page need Shift, because Alt+PgUp and Alt+PgDn change the tabs of this screen. */
  withShift?: boolean;
}

/**
 * Loads a page of the list, with at most 100 rows. `totalCount` is that of the pager. Not `isCurrent`: the list has changed, so
 * the totals on the screen are not those of these rows.
 */
export type PageLoader<Row> = (
  page: number,
  limit: number,
  signal: AbortSignal,
) => Promise<{ rows: readonly Row[]; totalCount: number; isCurrent: boolean }>;

/** The pages of a list whose rows are all there. */
export const pagesOfAll =
  <Row>(rows: readonly Row[]): PageLoader<Row> =>
  (page, limit) =>
    Promise.resolve({ rows: rows.slice((page - 1) * limit, page * limit), totalCount: rows.length, isCurrent: true });

/** The same pages with other rows, such as a tree's. */
export const mapRows =
  <From, Row>(load: PageLoader<From>, rowsOf: (rows: readonly From[]) => readonly Row[]): PageLoader<Row> =>
  async (page, limit, signal) => {
    const { rows, ...rest } = await load(page, limit, signal);
    return { ...rest, rows: rowsOf(rows) };
  };

/** The state of the request; see `gridStatusOf` in feedback/grid-status.ts. */
export interface GridStatus {
  /** No rows yet. */
  isLoading: boolean;
  /** A request is running; rows may already be shown. */
  isFetching: boolean;
  /** The rows are those of the previous page or filter; the requested ones are being loaded. */
  isOutdated?: boolean;
  /** `shown` says what the rows are that are shown; without it, that they were loaded earlier. */
  error?: { text: string; requestId?: string | undefined; shown?: string } | undefined;
  onRetry: () => void;
  /** Says that rows and totals belong to the previous filter, because the fields contain one that cannot be applied. */
  notCurrent?: string | undefined;
}

/**
 * A checkbox that acts at once. Only Space and the mouse change it, never a key that edits or deletes
 * (docs/specification.md §8.1.1).
 */
export interface ToggleCell<Row> {
  isOn: (row: Row) => boolean;
  onToggle: (row: Row, on: boolean) => void;
  /** The accessible name: 'Paid, CH-2627-000123'. */
  label: (row: Row) => string;
  /** A switch turns something on or off, such as an account. A checkbox shows a state of the record, such as paid. */
  isSwitch?: true;
  /** Why the checkbox is disabled. Space shows and announces it. */
  disabledReason?: ((row: Row) => string | undefined) | undefined;
  /** The request is running; the checkbox cannot be pressed again until it ends. */
  isPending?: ((row: Row) => boolean) | undefined;
}

export interface CustomCell<Row> {
  render: (row: Row) => ReactNode;
  /** The text that Ctrl+C copies. */
  text?: (row: Row) => string;
  /** Shown in the totals row instead of the plain sum. It renders again when the sum of the column's `total` changes. */
  total?: () => ReactNode;
}

export type CellSpec<Row> = { toggle: ToggleCell<Row> } | CustomCell<Row>;

export interface RowAction<Row> {
  id: string;
  label: string;
  icon: ReactNode;
  run: (row: Row) => void;
  disabledReason?: (row: Row) => string | undefined;
  /** In a list with two kinds of rows: whether this row has the button. */
  isOf?: (row: Row) => boolean;
  /** The key that does the same on the focused row, for the tooltip. */
  keys?: string;
  /** Shows the label beside the icon, for the main action of the list. */
  showLabel?: boolean;
}

export type SelectionState = 'none' | 'some' | 'all';

/**
 * The page owns the selection. The grid shows it and turns clicks and keys into calls. It must be a new object after each
 * change.
 */
export interface GridSelection<Row> {
  stateOf: (row: Row) => SelectionState;
  /** 'Select CH-2627-000123'. */
  labelOf: (row: Row) => string;
  /** The mixed state in words: 'mixed, 3 of 7'. */
  textOf?: (row: Row) => string | undefined;
  /** Selects or deselects one row, or a Shift range. */
  setRows: (rows: readonly Row[], on: boolean) => void;
  header?: { state: SelectionState; label: string; onToggle: (on: boolean) => void };
  /** Called on Ctrl+A. The page tells the first press from the second. */
  onSelectAll?: () => void;
  /** Called on Escape. Returns true if something was cleared, so that the key is used up. */
  onClear?: () => boolean;
  disabledReason?: (row: Row) => string | undefined;
}

/** Two kinds of rows in one flat list: groups that expand, and their members (docs/specification.md §10.1). */
export interface GridTree<Row> {
  isGroup: (row: Row) => boolean;
  /** Groups are records themselves: Enter and a double click open one, → and the chevron before its name expand it. */
  opensGroups?: true;
  isExpanded: (row: Row) => boolean;
  onToggle: (row: Row, expanded: boolean) => void;
  /** Called on `*`. */
  onExpandAll: () => void;
  /** The group of a member, for ← on its row. */
  groupIdOf: (row: Row) => string | undefined;
  /** Why cells of a member have no value: it is being loaded, shown as a bar, or could not be loaded. */
  missing?: (row: Row) => 'loading' | 'failed' | undefined;
  /**
   * The cells of a group row, by column key; other columns are empty. `span` lets the cell span the next columns. `kind` is that of
   * `text`, without it plain text.
   */
  cells: Record<string, CustomCell<Row> & { span?: number; kind?: ColumnKind }>;
  /**
   * The headings of members, by column key, shown above them: the columns' own headings are then those of groups. Absent if
   * both have the same.
   */
  headings?: Readonly<Record<string, string>>;
}

/** Inline editing of cells: the page renders the cell editor over the grid. */
export interface GridEditing<Row> {
  /** The keys of the editable columns. The array must be a constant outside the component. */
  columns: readonly string[];
  onEdit: (row: Row, column: string) => void;
  /** Why the text typed into a cell is not saved. The text is kept, and the editor shows it again. */
  problemOf: (id: string, column: string) => string | undefined;
}

export interface GridHandle<Row> {
  /**
   * Focuses a row, in the column that the user was in. Returns false if the row is not on this page; it is then focused when
   * it is loaded.
   */
  focusRow: (id: string, columnKey?: string) => boolean;
  /** Focuses the row that was left last, or the first row. `column` is used if no column was left. */
  focusFirstRow: (column?: string) => void;
  focusedRow: () => Row | undefined;
  /** The focused row while the focus is in the grid; undefined otherwise. Keys of the screen act on it. */
  activeRow: () => Row | undefined;
  /** The focused cell, and its position in the window. */
  focusedCell: () => { row: Row; column: string; frame: DOMRect } | undefined;
  /** Scrolls to a cell and returns its element; undefined while it is not rendered. */
  showCell: (id: string, column: string) => Element | undefined;
  /** The keys of the visible columns, in their order. */
  shownColumns: () => readonly string[];
  /** The state of the columns. */
  savedColumns: () => SavedColumn[];
  /** Applies a state of the columns. */
  setColumns: (columns: readonly SavedColumn[]) => void;
  /** The id of the row below, or otherwise above, which gets the focus after this row is deleted. */
  neighbourId: (id: string) => string | undefined;
}
