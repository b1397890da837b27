import { useCallback, useEffect, useRef, type RefObject } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Challan } from '../../../shared/contract/challan.ts';
import { challans } from '../../api/resources.ts';
import type { GridHandle } from '../../grid/grid-types.ts';
import { toListQuery, type ListPlace } from './list-state.ts';

interface StepBackOptions {
  grid: RefObject<GridHandle<Challan> | null>;
  rows: readonly Challan[] | undefined;
  place: ListPlace;
  setUrl: (change: { page: number }, options: { replace: boolean }) => void;
  openId: string;
  closeDetails: () => void;
}

/**
 * What follows a deletion: its details close, and with the last row of the last page gone the list shows the page before
 * (docs/specification.md §3.4), with the focus on the row that now comes last.
 */
export function useStepBack(options: StepBackOptions) {
  const client = useQueryClient();
  // The commands of the rows hold this function: a new one at each render would draw all their buttons anew.
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  return useCallback(
    async (row: Challan): Promise<void> => {
      const { grid, rows, place, setUrl, openId, closeDetails } = latest.current;
      if (openId === row.id) closeDetails();
      const page = place.page - 1;
      if (page < 1 || rows?.length !== 1) return;
      // Fetched before the page is turned: the table is never empty, so the focus stays in it. A failure is the list's
      // own.
      const before = await client
        .fetchQuery(challans.listOptions({ query: toListQuery({ ...place, page }) }))
        .catch(() => undefined);
      setUrl({ page }, { replace: true });
      const last = before?.data.at(-1);
      if (last) grid.current?.focusRow(last.id);
    },
    [client],
  );
}
