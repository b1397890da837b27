import { useEffect, useState } from 'react';
import { usePartList } from '../ui/print-key.ts';
import type { DataGridProps } from './grid-props.ts';
import type { PageLoader } from './grid-types.ts';

/** The most rows that a call may ask for. */
const pageSize = 100;

/** Rows may be missing, or the totals on the screen are not those of the rows. */
export class ListChanged extends Error {
  override message = 'The list has changed meanwhile. Retry prints it as it is now.';
}

/** The grid as it is printed: with all rows of the list once Ctrl+P has loaded them, else with those of the screen. */
export function usePrintedGrid<Row>(grid: DataGridProps<Row>): DataGridProps<Row> {
  const { rows, keyOf, pager, loadPage, status } = grid;
  const [all, setAll] = useState<{ rows: readonly Row[]; shown: typeof rows }>();
  const isPart =
    rows !== undefined && pager !== undefined && status.notCurrent === undefined && pager.totalCount > pager.limit;
  usePartList(
    isPart && loadPage
      ? {
          count: pager.totalCount,
          load: async (signal, onLoaded) => {
            const loaded = await loadAll({ loadPage, keyOf, total: pager.totalCount }, signal, onLoaded);
            return () => setAll({ rows: loaded, shown: rows });
          },
        }
      : undefined,
  );
  const hasAll = all !== undefined;
  useEffect(() => {
    if (!hasAll) return undefined;
    const drop = (): void => setAll(undefined);
    window.addEventListener('afterprint', drop);
    return () => window.removeEventListener('afterprint', drop);
  }, [hasAll]);
  // Not after the list was loaded again: its rows may be others now.
  if (!pager || all?.shown !== rows || !all) return grid;
  return { ...grid, rows: all.rows, pager: { ...pager, page: 1, limit: Math.max(1, pager.totalCount) } };
}

interface List<Row> {
  loadPage: PageLoader<Row>;
  keyOf: (row: Row) => string;
  total: number;
}

async function loadAll<Row>(
  { loadPage, keyOf, total }: List<Row>,
  signal: AbortSignal,
  onLoaded: (count: number) => void,
): Promise<readonly Row[]> {
  const rows = new Map<string, Row>();
  let read = 0;
  for (let page = 1; (page - 1) * pageSize < total; page += 1) {
    const answer = await loadPage(page, pageSize, signal);
    read += answer.rows.length;
    for (const row of answer.rows) rows.set(keyOf(row), row);
    // A row that came twice has pushed another one off its page.
    if (!answer.isCurrent || answer.totalCount !== total || rows.size !== read) throw new ListChanged();
    onLoaded(Math.min(page * pageSize, total));
  }
  return [...rows.values()];
}
