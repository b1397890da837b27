import type { ReactNode } from 'react';
import type { Column } from '../../../shared/columns/define.ts';
import { usePrinting } from '../ui/printing.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { cellText, kindLayouts } from './column-kinds.tsx';
import { rangeText } from './grid-footer.tsx';
import type { DataGridProps } from './grid-props.ts';
import { isHeading, isSpanned, withHeadings } from './member-headings.ts';
import { totalText } from './totals.ts';

interface PrintTableProps<Row> {
  grid: DataGridProps<Row>;
  /** Returns the keys of the visible columns in their order; undefined if the grid is not loaded yet. */
  visibleColumns: () => readonly string[] | undefined;
}

/**
 * The grid on paper (docs/specification.md §19.9): a plain table of the visible columns and all rows, with its headings on
 * every sheet. The grid itself cannot be printed: it scrolls, and AG Grid's print layout keeps columns that are wider than the
 * sheet, with headings on the first sheet only.
 */
export function PrintTable<Row>({ grid, visibleColumns }: PrintTableProps<Row>) {
  const isPrinting = usePrinting() !== undefined;
  const { rows, keyOf, pager, footer, totals } = grid;
  if (!isPrinting) return null;
  const problem = problemOf(grid);
  const note = problem !== undefined && <p className="cd-print-note">{problem}</p>;
  if (rows === undefined) return note && <div className="cd-print">{note}</div>;
  const shown = visibleColumns();
  const all = shown
    ? shown.flatMap((key) => grid.columns.find((column) => column.key === key) ?? [])
    : grid.columns.filter(({ isOffered }) => !isOffered);
  return (
    <div className="cd-print">
      {note}
      {stripsOf(all).map((columns) => (
        <table key={columns.at(-1)?.key}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.key} scope="col" data-align={kindLayouts[column.kind].align}>
                  {isSpanned(grid.tree, column.key) ? '' : column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {withHeadings(rows, grid.tree).map((row) =>
              isHeading(row) ? (
                <tr key={`headings ${keyOf(row)}`} data-headings>
                  {columns.map(({ key, kind }) => (
                    <th key={key} data-align={kindLayouts[kind].align}>
                      {grid.tree?.headings?.[key]}
                    </th>
                  ))}
                </tr>
              ) : (
                <tr key={keyOf(row)} data-group={grid.tree?.isGroup(row) || undefined}>
                  {cellsOf(grid, columns, row)}
                </tr>
              ),
            )}
            {totals !== undefined && rows.length > 0 && !isUncounted(grid) && (
              <tr data-total>
                {columns.map((column) => (
                  <td key={column.key} data-align={kindLayouts[column.kind].align}>
                    {totalOf(grid, column)}
                  </td>
                ))}
              </tr>
            )}
          </tbody>
        </table>
      ))}
      <div className="cd-print-foot">
        {pager && <span>{rangeText(pager)}</span>}
        {footer}
      </div>
    </div>
  );
}

/** So many columns fit beside each other on a sheet. */
const mostBeside = 15;

/** More columns are printed in strips below each other, each of which begins with the first column. */
function stripsOf<Row>(all: readonly Column<Row>[]): (readonly Column<Row>[])[] {
  if (all.length <= mostBeside) return [all];
  const [first, ...others] = all;
  const strips = Math.ceil(others.length / (mostBeside - 1));
  const size = Math.ceil(others.length / strips);
  return Array.from({ length: strips }, (_, at) => [first!, ...others.slice(at * size, (at + 1) * size)]);
}

/** Whether the grid will soon show other or more rows than now. */
export const isIncomplete = <Row,>({ rows, status, tree }: DataGridProps<Row>): boolean =>
  status.isLoading || status.isFetching || (rows?.some((row) => tree?.missing?.(row) === 'loading') ?? false);

const isUncounted = <Row,>({ pager }: DataGridProps<Row>): boolean =>
  pager !== undefined && pager.totalCount === undefined;

/** Why the rows on paper are not all or not the right ones. Paper shows no bars, and is not corrected later. */
function problemOf<Row>(grid: DataGridProps<Row>): string | undefined {
  const { rows, status, tree } = grid;
  const { error } = status;
  if (rows === undefined) {
    if (error) return `${error.text}. There are no rows to print.`;
    return status.isLoading ? 'The rows were still being loaded when this was printed. Please print again.' : undefined;
  }
  if (status.notCurrent) return 'Not current: these rows belong to an earlier filter.';
  const rowsThat = (state: 'loading' | 'failed', one: string, many: string): string | undefined => {
    const count = rows.filter((row) => tree?.missing?.(row) === state).length;
    if (count === 0) return undefined;
    return count === 1 ? `1 row ${one}` : `${formatCount(count)} rows ${many}`;
  };
  const loading = rowsThat('loading', 'was still being loaded', 'were still being loaded');
  if (loading !== undefined) return `Not complete: ${loading} when this was printed. Please print again.`;
  const failed = rowsThat('failed', 'could not be loaded', 'could not be loaded');
  if (failed !== undefined) return `Not complete: ${failed}.`;
  if (error) return `${error.text}. These rows were loaded earlier.`;
  if (isUncounted(grid)) return 'Not complete: the rows were not counted, so this is one page of them.';
  return status.isFetching ? 'Newer rows were being loaded when this was printed. Please print again.' : undefined;
}

const missingWords = { loading: 'Loading…', failed: 'Not loaded' };

function cellsOf<Row>(grid: DataGridProps<Row>, columns: readonly Column<Row>[], row: Row): ReactNode[] {
  const isGroup = grid.tree?.isGroup(row) ?? false;
  const missing = grid.tree?.missing?.(row);
  const isMissing = (column: Column<Row> | undefined): boolean =>
    missing !== undefined && column !== undefined && !isGroup && contentOf(grid, column, row) === '';
  const made: ReactNode[] = [];
  for (let at = 0; at < columns.length; at += 1) {
    const column = columns[at];
    if (!column) continue;
    if (missing !== undefined && isMissing(column)) {
      // One text over the cells beside each other, not one in each.
      let end = at + 1;
      while (isMissing(columns[end])) end += 1;
      made.push(
        <td key={column.key} colSpan={end - at} data-missing>
          {missingWords[missing]}
        </td>,
      );
      at = end - 1;
      continue;
    }
    const own = isGroup ? grid.tree?.cells[column.key] : undefined;
    const span = Math.min(own?.span ?? 1, columns.length - at);
    made.push(
      <td key={column.key} colSpan={span} data-align={kindLayouts[column.kind].align} data-kind={column.kind}>
        {isGroup ? own?.render(row) : contentOf(grid, column, row)}
      </td>,
    );
    at += span - 1;
  }
  return made;
}

function contentOf<Row>(grid: DataGridProps<Row>, column: Column<Row>, row: Row): ReactNode {
  const spec = grid.cells?.[column.key];
  if (spec && 'toggle' in spec) return spec.toggle.isOn(row) ? 'Yes' : 'No';
  if (spec) return spec.render(row);
  return cellText(column, row, grid.tree);
}

function totalOf<Row>(grid: DataGridProps<Row>, column: Column<Row>): ReactNode {
  const spec = grid.cells?.[column.key];
  return spec && 'render' in spec && spec.total ? spec.total() : totalText(column, grid);
}
