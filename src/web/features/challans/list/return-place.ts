import { useEffect, useState, type RefObject } from 'react';
import { getSession } from '../../../kit/api/session-store.ts';
import { addressOf, queryOf } from '../../../kit/filters/url-state.ts';
import { isFocusElsewhere } from '../../../kit/ui/dialog-stack.ts';
import type { GridHandle } from '../../../kit/grid/grid-types.ts';

/**
 * The place of the list when the user opened a form from it. Returning to /challans straight from the form restores the
 * filters, the page and the focused row (docs/keyboard.md §5).
 */
interface LeftPlace {
  account: string | undefined;
  /** The number that the router gave to the history entry of the list. */
  entry: number;
  /** Its values, as they are in the address behind the path. */
  values: string;
  rowId: string | undefined;
}

let left: LeftPlace | undefined;

function currentEntry(): number {
  const state: unknown = window.history.state;
  const isNumbered = typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number';
  return isNumbered ? (state as { idx: number }).idx : -1;
}

function withoutDialog(place: Location): string {
  const values = queryOf(place);
  values.delete('open');
  return addressOf('', values);
}

export function rememberPlace(rowId?: string): void {
  left = {
    account: getSession()?.user.id,
    entry: currentEntry(),
    values: withoutDialog(window.location),
    rowId,
  };
}

/**
 * The place of the list, if the user comes straight from the form: with Back the history entry is the same, and when the
 * form opens /challans it is two further.
 */
export function readPlace(): LeftPlace | undefined {
  if (!left || left.account !== getSession()?.user.id) return undefined;
  const steps = currentEntry() - left.entry;
  return steps === 0 || steps === 2 ? left : undefined;
}

export function forgetPlace(): void {
  left = undefined;
}

/** Moves the focus back to the row from which a form or a group's list was opened, once the table shows it. If it left: to the first. */
export function useFocusRow(
  grid: RefObject<Pick<GridHandle<never>, 'focusRow' | 'focusFirstRow'> | null>,
  rowId: string | undefined,
  areRowsThere: boolean,
  column = 'challanNumber',
): void {
  const [done, setDone] = useState(rowId === undefined);
  useEffect(() => {
    if (done || rowId === undefined || !areRowsThere) return undefined;
    // The table's code is loaded separately, so it may arrive after the rows.
    let tries = 0;
    const timer = setInterval(() => {
      tries += 1;
      const isOver = isFocusElsewhere(null) || grid.current?.focusRow(rowId, column);
      if (!isOver && tries < 40) return;
      if (!isOver) grid.current?.focusFirstRow();
      clearInterval(timer);
      setDone(true);
    }, 50);
    return () => clearInterval(timer);
  }, [grid, rowId, areRowsThere, column, done]);
}
