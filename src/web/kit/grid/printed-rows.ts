import { useEffect, useState } from 'react';
import { usePartList } from '../ui/print-key.ts';
import type { DataGridProps } from './grid-props.ts';

/** The grid as it is printed: with all rows of the list once Ctrl+P has loaded them, else with those of the screen. */
export function usePrintedGrid<Row>(grid: DataGridProps<Row>): DataGridProps<Row> {
  const { rows, keyOf, pager, loadPage, status } = grid;
  const [all, setAll] = useState<{ rows: readonly Row[]; shown: typeof rows }>();
  const isPart = rows !== undefined && status.notCurrent === undefined;
  const count = pager?.totalCount ?? 0;
  usePartList(
    isPart && pager && loadPage && count > pager.limit
      ? {
          count,
          loadPage,
          // Safe: these rows are those of `loadPage`.
          keyOf: keyOf as (row: unknown) => string,
          show: (loaded) => setAll({ rows: loaded as readonly Row[], shown: rows }),
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
  if (!pager || !all || all.shown !== rows) return grid;
  return { ...grid, rows: all.rows, pager: { ...pager, page: 1, limit: Math.max(1, count) } };
}
