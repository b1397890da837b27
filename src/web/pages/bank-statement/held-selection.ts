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

/** The selection with what it was made over. */
export interface Held {
  selection: Selection<StatementFilters>;
  filters: StatementFilters;
  /** The filter as text. */
  key: string;
  /** The answer it was last held against. */
  seen: StatementData | undefined;
  known: ReadonlyMap<string, number>;
  /** What the user must be told of a change that was not their own; a new object each time. */
  notice: { text: string } | null;
}

export function nothingHeld(filters: StatementFilters, key: string): Held {
  return { selection: noSelection, filters, key, seen: undefined, known: new Map(), notice: null };
}

export function afterFilterChange(held: Held, filters: StatementFilters, key: string): Held {
  const { selection, message } = filterChanged(held.selection, held.filters, filters);
  return { ...nothingHeld(filters, key), selection, notice: message === null ? null : { text: message } };
}

/** A page or a reload under the same filter: what is no longer unpaid leaves the selection, amounts are taken anew. */
export function afterLoad(held: Held, data: StatementData, matching: Matching): Held {
  const { selection, dropped } = reconcile(held.selection, data.owners, matching);
  const known = new Map(held.known);
  for (const { id, challans } of data.owners) known.set(id, challans.length);
  const text = changeText(held.selection, selection, dropped);
  return { ...held, selection, known, seen: data, notice: text === undefined ? null : { text } };
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
