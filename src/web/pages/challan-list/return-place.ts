import { useEffect, useState, type RefObject } from 'react';
import type { Challan } from '../../../shared/contract/challan.ts';
import { getSession } from '../../api/session-store.ts';
import { isFocusElsewhere } from '../../ui/dialog-stack.ts';
import type { GridHandle } from '../../grid/grid-types.ts';

/**
 * Where the user was when leaving this list for a form: coming back to /challans straight from there finds the same
 * filters, page and row (docs/keyboard.md §5: after an edit the focus returns to the same row).
 */
interface LeftAt {
  account: string | undefined;
  /** The router's number of the history entry that was left. */
  entry: number;
  search: string;
  rowId: string | undefined;
}

let left: LeftAt | undefined;

function currentEntry(): number {
  const state: unknown = window.history.state;
  const isNumbered = typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number';
  return isNumbered ? (state as { idx: number }).idx : -1;
}

function withoutDialog(search: string): string {
  const values = new URLSearchParams(search);
  values.delete('open');
  const text = values.toString();
  return text === '' ? '' : `?${text}`;
}

export function rememberPlace(rowId?: string): void {
  left = {
    account: getSession()?.user.id,
    entry: currentEntry(),
    search: withoutDialog(window.location.search),
    rowId,
  };
}

/** The place left for the form this screen was reached from: by Back, or by the form's own way to /challans. */
export function placeLeft(): LeftAt | undefined {
  if (!left || left.account !== getSession()?.user.id) return undefined;
  const steps = currentEntry() - left.entry;
  return steps === 0 || steps === 2 ? left : undefined;
}

export function forgetPlace(): void {
  left = undefined;
}

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
      if (!isFocusElsewhere(null) && !grid.current?.focusRow(rowId, 'challanNumber') && tries < 40) return;
      clearInterval(timer);
      setDone(true);
    }, 50);
    return () => clearInterval(timer);
  }, [grid, rowId, areRowsThere, done]);
}
