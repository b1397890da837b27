import { useMemo } from 'react';
import { sum } from '../../../shared/calc/money.ts';
import type { HsdMatchRow } from '../../../shared/columns/hsd-verification-columns.ts';
import type { GridSelection, SelectionState } from '../../grid/grid-types.ts';
import { useRowSelection } from '../../grid/row-selection.ts';

export const keyOfMatch = (row: HsdMatchRow): string => row.challanId;
const labelOf = (row: HsdMatchRow): string => `Select ${row.challanNumber}`;
const isOpen = (row: HsdMatchRow): boolean => !row.isVerified && !row.isChanged;
function disabledReason(row: HsdMatchRow): string | undefined {
  if (row.isChanged) return `${row.challanNumber} has changed since it was compared: upload the file again`;
  return row.isVerified ? `${row.challanNumber} is verified already` : undefined;
}

/** The chosen valid matches. Paging and the tabs keep them; Ctrl+A takes all matches (docs/keyboard.md §9). */
export function useMatchSelection(matches: readonly HsdMatchRow[] | undefined, shown: readonly HsdMatchRow[]) {
  const {
    ids,
    selection: whole,
    clear,
    setRows,
  } = useRowSelection(matches, { keyOf: keyOfMatch, labelOf, disabledReason });

  const selection = useMemo<GridSelection<HsdMatchRow>>(() => {
    const choosable = shown.filter(isOpen);
    const count = choosable.filter(({ challanId }) => ids.has(challanId)).length;
    const state: SelectionState = count === 0 ? 'none' : count === choosable.length ? 'all' : 'some';
    return {
      ...whole,
      header: { state, label: 'Select all rows on this page', onToggle: (isOn) => setRows(choosable, isOn) },
    };
  }, [shown, ids, whole, setRows]);

  // In the file's order, as it is sent; what is verified or has changed by now can no longer be chosen.
  const chosen = useMemo(() => (matches ?? []).filter((row) => isOpen(row) && ids.has(row.challanId)), [matches, ids]);
  const chosenAmount = useMemo(() => sum(chosen.map(({ challanAmount }) => challanAmount)), [chosen]);
  return { selection, chosen, chosenAmount, clear, selectAll: whole.onSelectAll };
}
