import { useEffect, useRef, useState } from 'react';
import { gridStatusOf } from '../feedback/grid-status.ts';
import type { GridHandle } from '../grid/grid-types.ts';
import { pageOf } from './record-rows.ts';

/** The page of a list in a dialog, which is in no URL. */
export const useDialogPage = () => useState({ page: 1, limit: 20 });

/**
 * The list of a dialog that opens with the focus on `list`: the focus goes to its first row as soon as there is one. `grid` has
 * what the table needs of it.
 */
export function useDialogList<Row>(
  answer: Parameters<typeof pageOf<Row>>[0],
  [place, setPlace]: ReturnType<typeof useDialogPage>,
  failed: string,
  noun: string,
) {
  const { query, rows, pagination, loadPage } = pageOf(answer);
  const handle = useRef<GridHandle<Row>>(null);
  const list = useRef<HTMLDivElement>(null);
  const isLoaded = rows !== undefined;
  useEffect(() => {
    if (isLoaded && document.activeElement === list.current) handle.current?.focusFirstRow();
  }, [isLoaded]);
  const pager = {
    ...place,
    totalCount: pagination?.totalCount ?? 0,
    noun,
    onPage: (page: number) => setPlace({ ...place, page }),
    onLimit: (limit: number) => setPlace({ page: 1, limit }),
  };
  return { list, handle, grid: { ref: handle, rows, status: gridStatusOf(query, failed), loadPage, pager } };
}
