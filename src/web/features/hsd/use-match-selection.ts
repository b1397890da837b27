import { useMemo } from 'react';
import { z } from 'zod';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatINR, sum } from '../../../shared/calc/money.ts';
import type { HsdMatchRow } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdReview } from '../../../shared/contract/hsd-verification.ts';
import { call } from '../../kit/api/client.ts';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import { useKeptSelection } from '../../kit/records/kept-selection.ts';
import type { GridSelection, SelectionState } from '../../kit/grid/grid-types.ts';
import { useRowSelection } from '../../kit/grid/row-selection.ts';

export const keyOfMatch = (row: HsdMatchRow): string => row.challanId;
const labelOf = (row: HsdMatchRow): string => `Select ${row.challanNumber}`;
const isOpen = (row: HsdMatchRow): boolean => !row.isVerified && !row.isChanged;
function disabledReason(row: HsdMatchRow): string | undefined {
  if (row.isChanged) return `${row.challanNumber} has changed since it was compared. Upload the file again.`;
  return row.isVerified ? `${row.challanNumber} is already verified` : undefined;
}

const keptIds = z.array(z.string()).min(1);
const keep = (chosen: readonly HsdMatchRow[]): unknown =>
  chosen.length === 0 ? undefined : chosen.map(({ challanId }) => challanId);

/** '68 matches selected again, ₹…. 3 of 71 were verified meanwhile.' */
function restoredText(before: number, again: readonly HsdMatchRow[], { verifiedIds, changed }: HsdReview): string {
  const of = (count: number, what: string): string[] =>
    count === 0 ? [] : [`${formatCount(count)} of ${formatCount(before)} ${count === 1 ? 'was' : 'were'} ${what}`];
  const gone = before - again.length - verifiedIds.length - changed.length;
  const others = [
    ...of(verifiedIds.length, 'verified meanwhile'),
    ...of(changed.length, 'changed since the file was compared'),
    ...of(gone, 'deleted, or not in this file'),
  ].join('; ');
  if (again.length === 0) return `None of your ${matchesText(before)} can be verified${others && `: ${others}`}.`;
  const amount = formatINR(sum(again.map(({ challanAmount }) => challanAmount)));
  return `${matchesText(again.length)} selected again, ${amount}.${others && ` ${others}.`}`;
}
const matchesText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'match' : 'matches'}`;

/**
 * The selection of valid matches. Paging and changing tabs keep it. Ctrl+A selects all matches (docs/keyboard.md §9).
 */
export function useMatchSelection(
  matches: readonly HsdMatchRow[],
  shown: readonly HsdMatchRow[],
  onReviewed: (review: HsdReview) => void,
) {
  const {
    ids,
    selection: rowSelection,
    clear,
    setRows,
    add,
  } = useRowSelection(matches, { keyOf: keyOfMatch, labelOf, disabledReason });

  const selection = useMemo<GridSelection<HsdMatchRow>>(() => {
    const choosable = shown.filter(isOpen);
    const count = choosable.filter(({ challanId }) => ids.has(challanId)).length;
    const state: SelectionState = count === 0 ? 'none' : count === choosable.length ? 'all' : 'some';
    return {
      ...rowSelection,
      header: { state, label: 'Select all rows on this page', onToggle: (isOn) => setRows(choosable, isOn) },
    };
  }, [shown, ids, rowSelection, setRows]);

  // In the order of the file, which is also the order of the request. Matches that are verified or changed by now are
  // no longer selected.
  const chosen = useMemo(() => matches.filter((row) => isOpen(row) && ids.has(row.challanId)), [matches, ids]);
  const chosenAmount = useMemo(() => sum(chosen.map(({ challanAmount }) => challanAmount)), [chosen]);
  // After a reload there are no results, so the stored selection waits until the file is uploaded again.
  useKeptSelection({
    place: 'selection:hsd',
    shape: keptIds,
    read: (kept) => kept,
    source: chosen,
    keep,
    isNothing: chosen.length === 0,
    isHere: () => matches.length > 0,
    ask: async (challanIds, signal) =>
      (await call(hsdVerification.calls.review, { body: { challanIds } }, { signal })).data,
    restore: (before, review) => {
      const open = new Set(review.openIds);
      const again = matches.filter((row) => isOpen(row) && open.has(row.challanId));
      onReviewed(review);
      add(again.map(keyOfMatch));
      return restoredText(before.length, again, review);
    },
    failed: (kept) => `Your earlier selection (${matchesText(kept.length)}) could not be checked.`,
  });

  return { selection, chosen, chosenAmount, clear, selectAll: rowSelection.onSelectAll };
}
