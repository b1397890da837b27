import { useEffect, useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import { formatINR, sum } from '../../../shared/calc/money.ts';
import type { HsdMatchRow } from '../../../shared/columns/hsd-verification-columns.ts';
import { useKeeping } from '../../challans/keeping.ts';
import { notify } from '../../feedback/toast.ts';
import type { GridSelection, SelectionState } from '../../grid/grid-types.ts';
import { useRowSelection } from '../../grid/row-selection.ts';
import { tabDrafts } from '../../session/account-storage.ts';

export const keyOfMatch = (row: HsdMatchRow): string => row.challanId;
const labelOf = (row: HsdMatchRow): string => `Select ${row.challanNumber}`;
const isOpen = (row: HsdMatchRow): boolean => !row.isVerified && !row.isChanged;
function disabledReason(row: HsdMatchRow): string | undefined {
  if (row.isChanged) return `${row.challanNumber} has changed since it was compared: upload the file again`;
  return row.isVerified ? `${row.challanNumber} is verified already` : undefined;
}

const place = 'selection:hsd';
const keptIds = z.array(z.string()).min(1);
const keep = (chosen: readonly HsdMatchRow[]): unknown =>
  chosen.length === 0 ? undefined : chosen.map(({ challanId }) => challanId);
function restoredText(before: number, again: readonly HsdMatchRow[]): string {
  if (again.length === 0) return `Nothing of your selection of ${matchesText(before)} can be verified.`;
  const amount = formatINR(sum(again.map(({ challanAmount }) => challanAmount)));
  const was = again.length === before ? '' : ` It was ${matchesText(before)}.`;
  return `${matchesText(again.length)} selected again, ${amount}.${was}`;
}
const matchesText = (count: number): string => `${count.toLocaleString('en-IN')} ${count === 1 ? 'match' : 'matches'}`;

/** The chosen valid matches. Paging and the tabs keep them; Ctrl+A takes all matches (docs/keyboard.md §9). */
export function useMatchSelection(matches: readonly HsdMatchRow[] | undefined, shown: readonly HsdMatchRow[]) {
  const {
    ids,
    selection: whole,
    clear,
    setRows,
    add,
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
  // After a reload there are no results: the selection waits for the file to be uploaded again.
  const [kept, setKept] = useState(() => tabDrafts.read(place, (value) => keptIds.safeParse(value).data)?.value);
  const isBack = kept !== undefined && matches !== undefined && matches.length > 0;
  const latest = useRef({ kept, matches });
  useEffect(() => {
    latest.current = { kept, matches };
  });
  useEffect(() => {
    const { kept: before, matches: rows } = latest.current;
    if (!isBack || !before || !rows) return;
    const again = rows.filter((row) => isOpen(row) && before.includes(row.challanId));
    setKept(undefined);
    add(again.map(keyOfMatch));
    notify.info(restoredText(before.length, again));
  }, [isBack, add]);
  useKeeping({ place, source: chosen, keep, isWaiting: kept !== undefined && chosen.length === 0 });

  return { selection, chosen, chosenAmount, clear, selectAll: whole.onSelectAll };
}
