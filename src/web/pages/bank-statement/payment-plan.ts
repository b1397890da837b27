import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { add, compare, subtract, sum } from '../../../shared/calc/money.ts';
import { isApiError } from '../../api/api-error.ts';
import { canMarkPaid, reasonOf } from '../../../shared/access.ts';
import {
  excludedIds,
  isSelected,
  nothingSelected,
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
  selectionNow,
  type NegativeOwner,
  type OwedChallan,
  type OwedOwner,
  type PaymentResult,
  type SelectionNow,
  type SelectionReview,
  type StatementFilters,
  type StatementSummary,
} from '../../../shared/contract/bank-statement.ts';

/** What of an owner may be paid: nothing where it is on hold, and no challan that is. */
export function payableOf({ holdReason, heldCount, challans }: OwedOwner): readonly OwedChallan[] {
  if (heldCount === 0) return challans;
  return holdReason === '' ? challans.filter((challan) => challan.holdReason === '') : [];
}

/** The owner with only the challans that may be paid, as the functions of a selection take it. */
export const payableOwner = (owner: OwedOwner) => ({ id: owner.id, challans: payableOf(owner) });

/**
 * Owners whose sum is negative are left out, unless `paysNegative` pays them all; what some of them owe may be carried into
 * their next payment, each with the amount that was shown.
 */
export type Request = PaymentRequest<StatementFilters> & {
  paysNegative?: true;
  carries?: readonly { ownerId: string; amount: string }[];
};

/** What the two steps are about, taken when they open: nothing in them changes under the reader's eyes. */
export interface PaymentPlan {
  request: Request;
  /** The filter on the screen, also where challans were chosen one by one. */
  filters: StatementFilters;
  count: number;
  amount: string;
  /** What matches the filter and is not paid. */
  leftOut: { count: number; amount: string };
  /** Made when the dialog opens, used again on retry (docs/specification.md §10.5). */
  key: string;
  /** What the server says the selection covers, where that is known already. */
  review?: SelectionReview;
  /** What had been shown before the challans changed. */
  before?: { count: number; amount: string };
}

interface Shown {
  filters: StatementFilters;
  matching: Matching;
  owners: readonly OwedOwner[];
}

/** Why this selection cannot be sent as it is, known before anything is pressed. */
export function limitReason(selection: Selection<StatementFilters>, shown: Shown): string | undefined {
  if (excludedIds(selection).length > maximumExclusions) {
    return `At most ${formatCount(maximumExclusions)} challans can be excluded at once.`;
  }
  if (selection.mode !== 'ids' || selection.ids.size <= maximumIds || isWhole(selection, shown)) return undefined;
  return `At most ${formatCount(maximumIds)} challans chosen one by one can be marked at once. Use Select All Matching and untick what is not to be paid, or mark in parts.`;
}

/**
 * Is every challan of the filter either chosen or on this page? Then the rest is known, and can be named as exclusions.
 */
function isWhole(selection: Selection<StatementFilters>, { matching, owners }: Shown): boolean {
  return pageCount(owners.map(payableOwner)) === matching.count || selectedCount(selection) === matching.count;
}

/** The call for this selection; more ids than one call takes go by the filter where that says the same. */
function requestFor(selection: Selection<StatementFilters>, shown: Shown): Request | null {
  const request = paymentRequest(selection);
  if (request?.by !== 'ids' || request.challanIds.length <= maximumIds) return request;
  return {
    by: 'filter',
    filters: shown.filters,
    // Also those on hold: a hold may end before the request arrives.
    excludeChallanIds: shown.owners
      .flatMap(({ challans }) => challans)
      .filter(({ challanId }) => !isSelected(selection, challanId))
      .map(({ challanId }) => challanId),
    // The server compares: should these not be the challans it would pay, it pays none (docs/specification.md §14.10).
    expected: { count: selectedCount(selection), totalAmount: selectedAmount(selection) },
  };
}

export function planFor(selection: Selection<StatementFilters>, shown: Shown): PaymentPlan | { refused: string } {
  const count = selectedCount(selection);
  const refused = reasonOf(canMarkPaid(count)) ?? limitReason(selection, shown);
  if (refused !== undefined) return { refused };
  const request = requestFor(selection, shown);
  if (request === null) return { refused: nothingSelected };
  const amount = selectedAmount(selection);
  const { matching, filters } = shown;
  return {
    request,
    filters,
    count,
    amount,
    leftOut: { count: Math.max(0, matching.count - count), amount: subtract(matching.amount, amount) },
    key: newIdempotencyKey(),
  };
}

/** Everything that matches, as it is shown now. */
export function matchingRequest({ filters, matching }: Pick<Shown, 'filters' | 'matching'>): Request {
  const expected = { count: matching.count, totalAmount: matching.amount };
  return { by: 'filter', filters, excludeChallanIds: [], expected };
}

/** The same payment over what matches now, to be confirmed again: another body, so another key. */
export function planOver(plan: Omit<PaymentPlan, 'key'>, now: SelectionNow): PaymentPlan {
  const { filters, count, amount, leftOut } = plan;
  // What was to be carried is no longer what was shown: it is chosen again.
  const { carries: _, ...request } = plan.request;
  return {
    request:
      request.by === 'filter' ? { ...request, expected: { count: now.count, totalAmount: now.totalAmount } } : request,
    filters,
    count: now.count,
    amount: now.totalAmount,
    leftOut,
    key: newIdempotencyKey(),
    before: { count, amount },
  };
}

/** What the server is asked before a payment: chosen challans, or the filter less the exclusions. */
export function questionOf({ request, filters }: PaymentPlan) {
  return request.by === 'ids'
    ? { filters, challanIds: request.challanIds }
    : { filters: request.filters, excludeChallanIds: request.excludeChallanIds };
}

/** The plan over what the server found; the same plan where nothing has changed. */
export function reviewed(plan: PaymentPlan, review: SelectionReview): PaymentPlan {
  const { paysNegative } = plan.request;
  const isAs = (count: number, amount: string): boolean => count === plan.count && compare(amount, plan.amount) === 0;
  // Over what the server has just refused, the negative owners are left out already.
  const due = dueOf(review, paysNegative ?? false);
  if (isAs(due.count, due.amount)) return { ...plan, review };
  if (isAs(review.count, review.totalAmount)) return settled({ ...plan, review }, review);
  const { request, leftOut } = plan;
  const left = review.challans.map(({ netAmountPayable }) => netAmountPayable);
  const next: PaymentPlan = {
    ...planOver(plan, { count: review.count, totalAmount: review.totalAmount }),
    request:
      request.by === 'ids'
        ? { by: 'ids', challanIds: review.challans.map(({ challanId }) => challanId) }
        : {
            // It goes on to exclude what cannot be paid now: an exclusion on hold is not paid if its hold ends.
            ...request,
            expected: { count: review.count, totalAmount: review.totalAmount },
          },
    leftOut: request.by === 'ids' ? leftOut : { count: left.length, amount: sum(left) },
    review,
  };
  return settled(next, review);
}

/** What is paid of what a selection covers: less what was carried, and without the negative owners. */
function dueOf(review: SelectionReview, paysNegative: boolean): Matching {
  const all = { count: review.count, amount: review.totalAmount };
  if (!paysNegative) return payableNow(all, review);
  return { ...all, amount: subtract(all.amount, add(review.deductedAmount, review.negativeCarriedAmount)) };
}

function settled(plan: PaymentPlan, review: SelectionReview): PaymentPlan {
  const due = dueOf(review, plan.request.paysNegative ?? false);
  const [count, challans] = plan.request.paysNegative
    ? [0, '0.00']
    : [-review.negativeChallanCount, subtract('0', review.negativeAmount)];
  return shifted(plan, { count, challans, amount: subtract(due.amount, plan.amount) });
}

/** More or fewer challans, what they come to, and what that changes of the total. */
interface Shift {
  count: number;
  challans: string;
  amount: string;
}

function shifted(plan: PaymentPlan, by: Shift): PaymentPlan {
  const { request, leftOut } = plan;
  const [count, amount] = [plan.count + by.count, add(plan.amount, by.amount)];
  return {
    ...plan,
    request: request.by === 'filter' ? { ...request, expected: { count, totalAmount: amount } } : request,
    count,
    amount,
    leftOut: { count: leftOut.count - by.count, amount: subtract(leftOut.amount, by.challans) },
  };
}

const opposite = ({ count, challans, amount }: Shift): Shift => ({
  count: -count,
  challans: subtract('0', challans),
  amount: subtract('0', amount),
});

/** The same payment with or without the negative owners: another body, so another key. Then nothing is carried. */
export function payingNegative(plan: PaymentPlan, review: SelectionReview, paysNegative: boolean): PaymentPlan {
  if ((plan.request.paysNegative ?? false) === paysNegative) return plan;
  const { negativeChallanCount: count, negativeAmount: challans, negativeCarriedAmount } = review;
  const shift = { count, challans, amount: subtract(challans, negativeCarriedAmount) };
  const alone = review.negativeOwners.reduce((now, owner) => carrying(now, owner, false), plan);
  const next = shifted(alone, paysNegative ? shift : opposite(shift));
  const { paysNegative: _, ...request } = next.request;
  // The request it was, with or without the word.
  return {
    ...next,
    request: (paysNegative ? { ...request, paysNegative } : request) as Request,
    key: newIdempotencyKey(),
  };
}

export const isCarried = ({ request }: PaymentPlan, { id }: NegativeOwner): boolean =>
  (request.carries ?? []).some(({ ownerId }) => ownerId === id);

/** With or without what this owner owes carried into its next payment: its challans come in, the total stays. */
export function carrying(plan: PaymentPlan, owner: NegativeOwner, on: boolean): PaymentPlan {
  if (isCarried(plan, owner) === on) return plan;
  const shift = { count: owner.challanCount, challans: add(owner.amount, owner.carriedAmount), amount: '0.00' };
  const next = shifted(plan, on ? shift : opposite(shift));
  const { carries = [], ...request } = next.request;
  const others = carries.filter(({ ownerId }) => ownerId !== owner.id);
  const now = on ? [...others, { ownerId: owner.id, amount: subtract('0', owner.amount) }] : others;
  return {
    ...next,
    request: now.length === 0 ? request : { ...request, carries: now },
    key: newIdempotencyKey(),
  };
}

/**
 * What 'Mark All Matching as Paid' covers: what matches and is not on hold, less what was carried, without the owners whose
 * sum is negative.
 */
export function payableNow(
  matching: Matching,
  summary: Pick<StatementSummary, 'negativeChallanCount' | 'negativeAmount' | 'deductedAmount'> | undefined,
): Matching {
  if (!summary) return matching;
  return {
    count: matching.count - summary.negativeChallanCount,
    amount: subtract(matching.amount, add(summary.negativeAmount, summary.deductedAmount)),
  };
}

/**
 * What was paid in place of what was confirmed; undefined where it is the same. Challans chosen one by one carry no
 * `expected` (docs/specification.md §14.10), so only the answer tells that one of them was changed or paid elsewhere
 * after the plan was made.
 */
export function paidOtherwise({ count, amount }: PaymentPlan, paid: PaymentResult): PaymentResult | undefined {
  const isSame = paid.updatedCount === count && compare(paid.totalAmount, amount) === 0;
  // Nothing paid is said by itself, and there is nothing to undo.
  return isSame || paid.batchId === null ? undefined : paid;
}

/** `data` of SELECTION_CHANGED: what the filter matches now. */
export function changedTo(error: unknown): SelectionNow | undefined {
  if (!isApiError(error, 'SELECTION_CHANGED')) return undefined;
  return selectionNow.safeParse(error.data).data;
}

/** What became of challans that were selected: '3 of 71 were paid meanwhile'; undefined: nothing. */
export function changeText(selected: number, { paidCount, goneCount, heldCount }: SelectionReview): string | undefined {
  const what = [
    ...(paidCount > 0
      ? [`${formatCount(paidCount)} of ${formatCount(selected)} ${wasOrWere(paidCount)} paid meanwhile`]
      : []),
    ...(heldCount > 0
      ? [`${formatCount(heldCount)} of ${formatCount(selected)} ${wasOrWere(heldCount)} put on hold`]
      : []),
    ...(goneCount > 0
      ? [
          `${formatCount(goneCount)} of ${formatCount(selected)} ${wasOrWere(goneCount)} deleted or no longer ${goneCount === 1 ? 'matches' : 'match'} the filter`,
        ]
      : []),
  ];
  return what.length === 0 ? undefined : what.join('; ');
}

const wasOrWere = (count: number): string => (count === 1 ? 'was' : 'were');
