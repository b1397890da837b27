import { compare, formatINR } from '../../../shared/calc/money.ts';
import {
  filterChanged,
  noSelection,
  reconcile,
  selectedAmount,
  selectedCount,
  type Matching,
  type Selection,
} from '../../../shared/calc/selection.ts';
import type { StatementFilters, StatementOwner } from '../../../shared/contract/bank-statement.ts';

interface StatementData {
  owners: readonly StatementOwner[];
}

/** The selection on the screen with what it was made over. */
export interface ScreenSelection {
  selection: Selection<StatementFilters>;
  filters: StatementFilters;
  /** The filter as text. */
  key: string;
  /** The answer it was last compared with. */
  seen: StatementData | undefined;
  /** A change that was not the user's own, in words; a new object each time. */
  notice: { text: string } | null;
}

export function nothingSelectedYet(filters: StatementFilters, key: string): ScreenSelection {
  return { selection: noSelection, filters, key, seen: undefined, notice: null };
}

export function afterFilterChange(before: ScreenSelection, filters: StatementFilters, key: string): ScreenSelection {
  const { selection, message } = filterChanged(before.selection, before.filters, filters);
  return { ...nothingSelectedYet(filters, key), selection, notice: message === null ? null : { text: message } };
}

/** After a page or a reload under the same filter: what is no longer unpaid leaves the selection, amounts are those of now. */
export function afterLoad(before: ScreenSelection, data: StatementData, matching: Matching): ScreenSelection {
  const { selection, dropped } = reconcile(before.selection, data.owners, matching);
  const text = changeText(before.selection, selection, dropped);
  return { ...before, selection, seen: data, notice: text === undefined ? null : { text } };
}

function changeText(
  before: Selection<StatementFilters>,
  now: Selection<StatementFilters>,
  dropped: number,
): string | undefined {
  if (before.mode === 'ids' && dropped > 0) {
    const what = dropped === 1 ? '1 selected challan is' : `${dropped.toLocaleString('en-IN')} selected challans are`;
    return `${what} no longer unpaid and left the selection.`;
  }
  if (before.mode !== 'allMatching') return undefined;
  const count = selectedCount(now);
  const amount = selectedAmount(now);
  if (count === selectedCount(before) && compare(amount, selectedAmount(before)) === 0) return undefined;
  return `The matching challans have changed: ${count.toLocaleString('en-IN')} selected now, ${formatINR(amount)}.`;
}
