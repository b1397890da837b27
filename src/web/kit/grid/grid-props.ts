import type { ReactNode, Ref } from 'react';
import type { Column } from '../../../shared/columns/define.ts';
import type {
  CellSpec,
  GridEditing,
  GridHandle,
  GridPager,
  GridSelection,
  GridSort,
  GridStatus,
  GridTree,
  PageLoader,
  RowAction,
} from './grid-types.ts';

export interface DataGridProps<Row> {
  /** The accessible name. */
  label: string;
  /** The key under which this grid's columns are remembered. Without it they are not remembered. */
  memoryKey?: string;
  /** The columns from shared/columns. The array must be a constant outside the component. */
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  status: GridStatus;
  /** The empty state: why there are no rows, and what to do next. */
  empty: ReactNode;
  sort?: GridSort | undefined;
  onSort?: ((sort: GridSort) => void) | undefined;
  /** Use it instead of `sort` for several sort columns: Shift adds a column. */
  sorts?: readonly GridSort[] | undefined;
  /** `change` gets the current sort columns, which may not be rendered yet. */
  onSorts?: ((change: (now: readonly GridSort[]) => readonly GridSort[]) => void) | undefined;
  pager?: GridPager | undefined;
  /** Loads the other pages, so that all rows can be printed. A list with a pager has it. */
  loadPage?: PageLoader<Row> | undefined;
  /**
   * What else Ctrl+Shift+E saves here: a file that the screen has of the list, which needs no button for the rows as they are
   * shown; or one of a row, where only the button saves the list.
   */
  ownFile?: 'list' | 'row' | undefined;
  /** The server's sums over the whole filter. A column shows the sum that its `total` names (docs/specification.md §3.4). */
  totals?: Readonly<Record<string, unknown>> | undefined;
  totalsLabel?: string;
  /** Toggles and custom cells, by the key of their column. */
  cells?: Readonly<Record<string, CellSpec<Row>>> | undefined;
  /** The cells on paper, where they depend on all rows of the list and not only on those of the page. */
  printedCells?: ((all: readonly Row[]) => DataGridProps<Row>['cells']) | undefined;
  editing?: GridEditing<Row> | undefined;
  rowActions?: readonly RowAction<Row>[] | undefined;
  /** Called on Enter, on a double click, and on a click on the record's number. */
  onOpen?: ((row: Row) => void) | undefined;
  /** What Enter does on a row, for the help. The default is opening it. */
  openLabel?: string | undefined;
  selection?: GridSelection<Row> | undefined;
  tree?: GridTree<Row> | undefined;
  /** The key of the row that this one is a part of, where a flat list has both. A range does not add both. */
  wholeOf?: ((row: Row) => string | undefined) | undefined;
  /**
   * The user's change made the row leave the filter. It stays, muted, until the next load (docs/specification.md §8.1.1).
   */
  isMuted?: ((row: Row) => boolean) | undefined;
  /**
   * Makes the grid as high as its rows, at least as high as this number of rows, and at most as high as the window; more rows
   * scroll. Without it the grid fills its container.
   */
  leastRows?: number | undefined;
  /** Shown at the left of the footer, before the pager. */
  footer?: ReactNode;
  ref?: Ref<GridHandle<Row>> | undefined;
}
