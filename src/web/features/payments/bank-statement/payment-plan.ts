import { newIdempotencyKey } from '../../../kit/api/idempotency-key.ts';
import { formatCount } from '../../../../shared/calc/count-text.ts';
import { add, compare, subtract, sum } from '../../../../shared/calc/money.ts';
import { isApiError } from '../../../kit/api/api-error.ts';
import { canMarkPaid, reasonOf } from '../../../../shared/access.ts';
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
} from '../../../../shared/calc/selection.ts';
import {
  maximumExclusions,
  maximumIds,
  selectionNow,
  type OwedChallan,
  type OwedOwner,
  type PaymentResult,
  type SelectionNow,
  type SelectionReview,
  type StatementFilters,
  type StatementSummary,
} from '../../../../shared/contract/bank-statement.ts';
import { type NegativeOwner } from '../../../../shared/contract/negative-owners.ts';

/** The challans of an owner that may be paid: none if the owner is on hold, and none that is on hold itself. */
export function payableOf({ holdReason, heldCount, challans }: OwedOwner): readonly OwedChallan[] {
  if (heldCount === 0) return challans;
  return holdReason === '' ? challans.filter((challan) => challan.holdReason === '') : [];
}

/** The owner with only the challans that may be paid, as the functions of a selection take it. */
export const payableOwner = (owner: OwedOwner) => ({ id: owner.id, challans: payableOf(owner) });

/**
 * What a payment sends. Owners whose sum is negative are left out, unless `paysNegative` pays all of them. `carries` names
 * owners whose debt is carried into their next payment, each with the amount that was shown.
 */
export type PlanRequest = PaymentRequest<StatementFilters> & {
  paysNegative?: true;
  carries?: readonly { ownerId: string; amount: string }[];
};

/** What the two steps of the dialog show and pay. It is taken when they open and does not follow later changes. */
export interface PaymentPlan {
  request: PlanRequest;
  /** The filter on the screen, even if the challans were chosen one by one. */
  filters: StatementFilters;
  count: number;
  amount: string;
  /** What matches the filter and is not paid. */
  leftOut: { count: number; amount: string };
  /** Made when the dialog opens, used again on retry (docs/specification.md §10.5). */
  key: string;
  /** The server's review of the selection, once it has arrived. */
  review?: SelectionReview;
  /** The figures that were shown before the challans changed. */
  before?: { count: number; amount: string };
}

interface Shown {
  filters: StatementFilters;
  matching: Matching;
  owners: readonly OwedOwner[];
}

/** Why this selection is too large to be sent; undefined if it is not. */
export function limitReason(selection: Selection<StatementFilters>, shown: Shown): string | undefined {
  if (excludedIds(selection).length > maximumExclusions) {
    return `At most ${formatCount(maximumExclusions)} challans can be excluded at once.`;
  }
  if (selection.mode !== 'ids' || selection.ids.size <= maximumIds || isWhole(selection, shown)) return undefined;
  return `At most ${formatCount(maximumIds)} challans chosen one by one can be marked at once. Use Select All Matching and untick what is not to be paid, or mark in parts.`;
}

/**
 * Whether every challan of the filter is selected or on this page. Then all others are known and can be sent as exclusions.
 */
function isWhole(selection: Selection<StatementFilters>, { matching, owners }: Shown): boolean {
  return pageCount(owners.map(payableOwner)) === matching.count || selectedCount(selection) === matching.count;
}

/** The request for this selection. More ids than a request may have are sent as the filter with exclusions. */
function requestFor(selection: Selection<StatementFilters>, shown: Shown): PlanRequest | null {
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
    // The server pays nothing if its own figures differ from these (docs/specification.md §14.10).
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

/** The request that pays everything that matches, with the figures that are shown. */
export function matchingRequest({ filters, matching }: Pick<Shown, 'filters' | 'matching'>): PlanRequest {
  const expected = { count: matching.count, totalAmount: matching.amount };
  return { by: 'filter', filters, excludeChallanIds: [], expected };
}

/** The plan with what the server found now, to be confirmed again. The body differs, so it has a new idempotency key. */
export function planOver(plan: Omit<PaymentPlan, 'key'>, now: SelectionNow): PaymentPlan {
  const { filters, count, amount, leftOut } = plan;
  // The amounts to carry may have changed, so the user has to choose them again.
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

/** The body of the review request: the chosen challans, or the filter with its exclusions. */
export function reviewRequestOf({ request, filters }: PaymentPlan) {
  return request.by === 'ids'
    ? { filters, challanIds: request.challanIds }
    : { filters: request.filters, excludeChallanIds: request.excludeChallanIds };
}

/** The plan after the server's review. If nothing has changed, its figures and its key stay. */
export function reviewed(plan: PaymentPlan, review: SelectionReview): PaymentPlan {
  const { paysNegative } = plan.request;
  const isPlanned = (count: number, amount: string): boolean =>
    count === plan.count && compare(amount, plan.amount) === 0;
  // After a refusal (SELECTION_CHANGED) the figures of the plan are already without the negative owners.
  const due = dueOf(review, paysNegative ?? false);
  if (isPlanned(due.count, due.amount)) return { ...plan, review };
  if (isPlanned(review.count, review.totalAmount)) return withoutUnpayable({ ...plan, review }, review);
  const { request, leftOut } = plan;
  const left = review.challans.map(({ netAmountPayable }) => netAmountPayable);
  const next: PaymentPlan = {
    ...planOver(plan, { count: review.count, totalAmount: review.totalAmount }),
    request:
      request.by === 'ids'
        ? { by: 'ids', challanIds: review.challans.map(({ challanId }) => challanId) }
        : {
            // The exclusions stay, also those on hold, which must not be paid if their hold ends.
            ...request,
            expected: { count: review.count, totalAmount: review.totalAmount },
          },
    leftOut: request.by === 'ids' ? leftOut : { count: left.length, amount: sum(left) },
    review,
  };
  return withoutUnpayable(next, review);
}

/** What is paid of a reviewed selection: less the carried amounts, and without the negative owners. */
function dueOf(review: SelectionReview, paysNegative: boolean): Matching {
  const all = { count: review.count, amount: review.totalAmount };
  if (!paysNegative) return payableNow(all, review);
  return { ...all, amount: subtract(all.amount, add(review.deductedAmount, review.negativeCarriedAmount)) };
}

/** Takes the negative owners and the deductions out of a plan that still covers the whole selection. */
function withoutUnpayable(plan: PaymentPlan, review: SelectionReview): PaymentPlan {
  const due = dueOf(review, plan.request.paysNegative ?? false);
  const [count, challans] = plan.request.paysNegative
    ? [0, '0.00']
    : [-review.negativeChallanCount, subtract('0', review.negativeAmount)];
  return shifted(plan, { count, challans, amount: subtract(due.amount, plan.amount) });
}

/** A change of a plan: how many challans are added, the sum of their amounts, and the change of the total to pay. */
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

/** The plan with or without the negative owners, with a new key because its body differs. Nothing is carried afterwards. */
export function payingNegative(plan: PaymentPlan, review: SelectionReview, paysNegative: boolean): PaymentPlan {
  if ((plan.request.paysNegative ?? false) === paysNegative) return plan;
  const { negativeChallanCount: count, negativeAmount: challans, negativeCarriedAmount } = review;
  const shift = { count, challans, amount: subtract(challans, negativeCarriedAmount) };
  const alone = review.negativeOwners.reduce((now, owner) => carrying(now, owner, false), plan);
  const next = shifted(alone, paysNegative ? shift : opposite(shift));
  const { paysNegative: _, ...request } = next.request;
  // Safe: only `paysNegative` was removed or added.
  return {
    ...next,
    request: (paysNegative ? { ...request, paysNegative } : request) as PlanRequest,
    key: newIdempotencyKey(),
  };
}

export const isCarried = ({ request }: PaymentPlan, { id }: NegativeOwner): boolean =>
  (request.carries ?? []).some(({ ownerId }) => ownerId === id);

/** Carries what this owner owes into its next payment, or stops carrying it. Its challans are added or removed; the total stays. */
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
 * What 'Mark All Matching as Paid' pays: the matching challans that are not on hold, without owners whose sum is negative,
 * less what earlier payments carried.
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
 * The payment, if it differs from what was confirmed; else undefined. A request with ids has no `expected`
 * (docs/specification.md §14.10), so only its answer shows that a challan was changed or paid elsewhere in the meantime.
 */
export function differingPayment({ count, amount }: PaymentPlan, paid: PaymentResult): PaymentResult | undefined {
  const isSame = paid.updatedCount === count && compare(paid.totalAmount, amount) === 0;
  // If nothing was paid, another message says so, and there is nothing to undo.
  return isSame || paid.batchId === null ? undefined : paid;
}

/** What the filter matches now, from the `data` of the error SELECTION_CHANGED. */
export function changedTo(error: unknown): SelectionNow | undefined {
  if (!isApiError(error, 'SELECTION_CHANGED')) return undefined;
  return selectionNow.safeParse(error.data).data;
}

/** What happened to selected challans: '3 of 71 were paid meanwhile'; undefined if nothing did. */
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
