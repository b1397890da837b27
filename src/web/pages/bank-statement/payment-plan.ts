import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { compare } from '../../../shared/calc/money.ts';
import { reasonOf, canMarkPaid } from '../../../shared/access.ts';
import {
  exclusionCount,
  isSelected,
  pageCount,
  paymentRequest,
  selectedAmount,
  selectedCount,
  type Matching,
  type PaymentRequest,
  type Selection,
} from '../../../shared/calc/selection.ts';
import {
  maximumExclusions,
  maximumIds,
  nothingSelected,
  type PaymentResult,
  type SelectionNow,
  type StatementFilters,
  type StatementOwner,
} from '../../../shared/contract/bank-statement.ts';

export type Request = PaymentRequest<StatementFilters>;

/** What the two steps are about, taken when they open: nothing in them changes under the reader's eyes. */
export interface PaymentPlan {
  request: Request;
  count: number;
  amount: string;
  /** null: not known without asking. */
  owners: number | null;
  /** Made when the dialog opens, used again on retry (ruling 37). */
  key: string;
  /** What had been confirmed before the matching challans changed. */
  before?: { count: number; amount: string };
}

interface Shown {
  filters: StatementFilters;
  matching: Matching;
  owners: readonly StatementOwner[];
  known: ReadonlyMap<string, number>;
}

const most = (count: number): string => count.toLocaleString('en-IN');

/** Why this selection cannot be sent as it is, known before anything is pressed. */
export function limitReason(selection: Selection<StatementFilters>, shown: Shown): string | undefined {
  if (exclusionCount(selection) > maximumExclusions) {
    return `At most ${most(maximumExclusions)} challans can be excluded at once.`;
  }
  if (selection.mode !== 'ids' || selection.ids.size <= maximumIds || isWhole(selection, shown)) return undefined;
  return `At most ${most(maximumIds)} challans chosen one by one can be marked at once. Use Select All Matching and untick what is not to be paid, or mark in parts.`;
}

/** Is every challan of the filter either chosen or on this page? Then the rest is known, and can be named as exclusions. */
function isWhole(selection: Selection<StatementFilters>, { matching, owners }: Shown): boolean {
  return pageCount(owners) === matching.count || selectedCount(selection) === matching.count;
}

/** The call for this selection; more ids than one call takes go by the filter where that says the same. */
function requestFor(selection: Selection<StatementFilters>, shown: Shown): Request | null {
  const request = paymentRequest(selection);
  if (request?.by !== 'ids' || request.challanIds.length <= maximumIds) return request;
  return {
    by: 'filter',
    filters: shown.filters,
    excludeChallanIds: shown.owners
      .flatMap((owner) => owner.challans)
      .filter(({ challanId }) => !isSelected(selection, challanId))
      .map(({ challanId }) => challanId),
    // The server compares: should these not be the challans it would pay, it pays none (ruling 37).
    expected: { count: selectedCount(selection), totalAmount: selectedAmount(selection) },
  };
}

export function planFor(
  selection: Selection<StatementFilters>,
  shown: Shown,
  totalOwners: number,
): PaymentPlan | { refused: string } {
  const count = selectedCount(selection);
  const refused = reasonOf(canMarkPaid(count)) ?? limitReason(selection, shown);
  if (refused !== undefined) return { refused };
  const request = requestFor(selection, shown);
  if (request === null) return { refused: nothingSelected };
  return {
    request,
    count,
    amount: selectedAmount(selection),
    owners: ownersOf(selection, shown.known, totalOwners),
    key: newIdempotencyKey(),
  };
}

/** Everything that matches, as it is shown now. */
export function matchingRequest({ filters, matching }: Pick<Shown, 'filters' | 'matching'>): Request {
  const expected = { count: matching.count, totalAmount: matching.amount };
  return { by: 'filter', filters, excludeChallanIds: [], expected };
}

/** The same payment over what matches now, to be confirmed anew: another body, so another key. */
export function planOver(plan: Pick<PaymentPlan, 'request' | 'count' | 'amount'>, now: SelectionNow): PaymentPlan {
  const { request, count, amount } = plan;
  return {
    request: request.by === 'filter' ? { ...request, expected: now } : request,
    count: now.count,
    amount: now.totalAmount,
    owners: null,
    key: newIdempotencyKey(),
    before: { count, amount },
  };
}

/**
 * What was paid in place of what was confirmed; undefined where it is the same. Challans chosen one by one carry no
 * `expected` (wire.md), so only the answer tells that one of them was changed or paid elsewhere after the plan was made.
 */
export function paidOtherwise({ count, amount }: PaymentPlan, paid: PaymentResult): PaymentResult | undefined {
  const isSame = paid.updatedCount === count && compare(paid.totalAmount, amount) === 0;
  // Nothing paid is said by itself, and there is nothing to undo.
  return isSame || paid.batchId === null ? undefined : paid;
}

/** How many owners a payment covers. An excluded challan was seen on its page, and so was its owner. */
function ownersOf(
  selection: Selection<StatementFilters>,
  known: ReadonlyMap<string, number>,
  totalOwners: number,
): number {
  if (selection.mode === 'ids') return new Set([...selection.ids.values()].map(({ ownerId }) => ownerId)).size;
  if (selection.mode === 'none') return 0;
  const excluded = new Map<string, number>();
  for (const { ownerId } of selection.exclusions.values()) excluded.set(ownerId, (excluded.get(ownerId) ?? 0) + 1);
  return totalOwners - [...excluded].filter(([ownerId, count]) => count >= (known.get(ownerId) ?? Infinity)).length;
}
