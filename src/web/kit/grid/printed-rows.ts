import { useEffect, useState, type RefObject } from 'react';
import { useWholeList } from './whole-list.ts';
import type { DataGridProps } from './grid-props.ts';
import { pagesOfAll } from './grid-types.ts';
import { listTable } from './list-table.ts';

interface WholeGrid<Row> {
  /** The grid as it is printed: with all rows of the list once Ctrl+P has loaded them, else with those of the screen. */
  printed: DataGridProps<Row>;
  /** Saves all rows as an Excel file; undefined where the screen does it itself, or without rows. */
  save: (() => void) | undefined;
}

/** Has all rows of the list printed and saved, not only those of the page that is shown. */
export function useWholeGrid<Row>(
  grid: DataGridProps<Row>,
  shownColumns: () => readonly string[] | undefined,
  section: RefObject<HTMLElement | null>,
): WholeGrid<Row> {
  const { rows, keyOf, pager, loadPage, status } = grid;
  const [all, setAll] = useState<{ rows: readonly Row[]; shown: typeof rows }>();
  const count = pager ? pager.totalCount : rows?.length;
  const canLoad = rows !== undefined && status.notCurrent === undefined && (!pager || loadPage !== undefined);
  const save = useWholeList(
    canLoad && count
      ? {
          count,
          isPart: pager !== undefined && count > pager.limit,
          loadPage: (pager && loadPage) ?? pagesOfAll(rows),
          // Safe here and below: these rows are those of `loadPage`.
          keyOf: keyOf as (row: unknown) => string,
          show: (loaded) => setAll({ rows: loaded as readonly Row[], shown: rows }),
          tableOf:
            grid.ownFile === 'list' ? undefined : (loaded) => listTable(grid, loaded as readonly Row[], shownColumns()),
          hasKey: grid.ownFile === undefined,
          element: () => section.current,
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
  if (!pager || !all || all.shown !== rows) return { printed: grid, save };
  return {
    printed: { ...grid, rows: all.rows, pager: { ...pager, page: 1, limit: Math.max(1, count ?? 0) } },
    save,
  };
}
