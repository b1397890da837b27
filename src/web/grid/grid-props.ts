import type { ReactNode, Ref } from 'react';
import type { Column } from '../../shared/columns/define.ts';
import type {
  CellSpec,
  GridEditing,
  GridHandle,
  GridPager,
  GridSelection,
  GridSort,
  GridStatus,
  GridTree,
  RowAction,
} from './grid-types.ts';

export interface DataGridProps<Row> {
  /** Its accessible name. */
  label: string;
  /** Under which name this grid's columns are remembered; leave it out and nothing is. */
  memoryKey?: string;
  /** Of shared/columns; a constant outside the component. */
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  status: GridStatus;
  /** Why there is nothing, and what to do next. */
  empty: ReactNode;
  sort?: GridSort | undefined;
  onSort?: ((sort: GridSort) => void) | undefined;
  /** Instead of `sort` where rows are sorted by several columns: Shift adds one to those before. */
  sorts?: readonly GridSort[] | undefined;
  /** Given what is sorted by at that moment, which may not be drawn yet. */
  onSorts?: ((change: (now: readonly GridSort[]) => readonly GridSort[]) => void) | undefined;
  pager?: GridPager | undefined;
  /** The server's sums over the whole filter: each column takes the one its `total` names (docs/specification.md §3.4). */
  totals?: Readonly<Record<string, unknown>> | undefined;
  totalsLabel?: string;
  /** Columns that are more than text, by key. */
  cells?: Readonly<Record<string, CellSpec<Row>>> | undefined;
  editing?: GridEditing<Row> | undefined;
  rowActions?: readonly RowAction<Row>[] | undefined;
  /** Enter, double click, and a click on the record's own number. */
  onOpen?: ((row: Row) => void) | undefined;
  /** What Enter does on a row, for the help, where that is more than opening it. */
  openLabel?: string | undefined;
  selection?: GridSelection<Row> | undefined;
  tree?: GridTree<Row> | undefined;
  /** Left the filter by an act of the user and stays until the next load (docs/specification.md §8.1.1). */
  isMuted?: ((row: Row) => boolean) | undefined;
  /**
   * As high as its rows at the user's density, but no fewer than this, and never higher than the window: past that its
   * rows scroll under the headings. Without it the grid fills its place.
   */
  leastRows?: number | undefined;
  /** Left of the page figures in the footer. */
  footer?: ReactNode;
  ref?: Ref<GridHandle<Row>> | undefined;
}
