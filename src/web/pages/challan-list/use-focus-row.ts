import { useEffect, useState, type RefObject } from 'react';
import type { Challan } from '../../../shared/contract/challan.ts';
import type { GridHandle } from '../../grid/grid-types.ts';

/** Puts the focus back on the row that was left for a form, once the table has it. */
export function useFocusRow(
  grid: RefObject<GridHandle<Challan> | null>,
  rowId: string | undefined,
  areRowsThere: boolean,
): void {
  const [done, setDone] = useState(rowId === undefined);
  useEffect(() => {
    if (done || rowId === undefined || !areRowsThere) return undefined;
    // The table is its own chunk: it may come after its rows.
    let tries = 0;
    const timer = setInterval(() => {
      tries += 1;
      if (!grid.current?.focusRow(rowId, 'challanNumber') && tries < 40) return;
      clearInterval(timer);
      setDone(true);
    }, 50);
    return () => clearInterval(timer);
  }, [grid, rowId, areRowsThere, done]);
}
