import { newIdempotencyKey } from '../../../kit/api/idempotency-key.ts';
import { formatCount } from '../../../../shared/calc/count-text.ts';
import { compare } from '../../../../shared/calc/money.ts';
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

/**
 * What the two steps of the dialog show and pay. It is taken when they open and does not follow later changes. Its figures are those
 * of the selection until the server has reviewed it, and then those that the server gives.
 */
export interface PaymentPlan {
  request: PlanRequest;
  /** The filter on the screen, even if the challans were chosen one by one. */
  filters: StatementFilters;
  count: number;
  amount: string;
  /** What the user has seen of the selection. If the server finds something else, this is said. */
  selected: Matching;
  /** Made when the dialog opens, used again on retry (docs/specification.md §10.5). */
  key: string;
  /** The server's last review. After a choice of the user it is that of before, until the next one arrives. */
  review?: SelectionReview;
  isReviewed: boolean;
  /** The figures that were shown before the challans changed. */
  before?: Matching;
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
  return planOf(request, shown.filters, { count, amount: selectedAmount(selection) });
}

const planOf = (request: PlanRequest, filters: StatementFilters, selected: Matching): PaymentPlan => ({
  request,
  filters,
  ...selected,
  selected,
  key: newIdempotencyKey(),
  isReviewed: false,
});

/** The request that pays everything that matches, with the figures that are shown. */
export const matchingRequest = (filters: StatementFilters, { count, amount }: Matching): PlanRequest => ({
  by: 'filter',
  filters,
  excludeChallanIds: [],
  expected: { count, totalAmount: amount },
});

/** The server pays nothing if its figures differ from these (docs/specification.md §14.10). A request with ids has none. */
const expecting = (request: PlanRequest, { count, amount }: Matching): PlanRequest =>
  request.by === 'filter' ? { ...request, expected: { count, totalAmount: amount } } : request;

/** The plan with what the server found now, to be confirmed again. The body differs, so it has a new idempotency key. */
export function planOver(
  { request, filters, count, amount }: Pick<PaymentPlan, 'request' | 'filters' | 'count' | 'amount'>,
  now: SelectionNow,
): PaymentPlan {
  // The amounts to carry may have changed, so the user has to choose them again.
  const { carries: _, ...others } = request;
  const found = { count: now.count, amount: now.totalAmount };
  return { ...planOf(expecting(others, found), filters, found), before: { count, amount } };
}

/** The body of the review request: the chosen challans, or the filter with its exclusions, and what is chosen below zero. */
export function reviewRequestOf({ request, filters }: Pick<PaymentPlan, 'request' | 'filters'>) {
  const chosen =
    request.by === 'ids'
      ? { filters, challanIds: request.challanIds }
      : { filters: request.filters, excludeChallanIds: request.excludeChallanIds };
  return { ...chosen, ...belowZeroOf(request) };
}

/** The payment as the calls take it: the one that makes it, and the one that prepares it for a second person. */
export const actOf = (request: PlanRequest) =>
  request.by === 'ids'
    ? { pay: { challanIds: request.challanIds, ...belowZeroOf(request) } }
    : {
        payMatching: {
          filters: request.filters,
          excludeChallanIds: request.excludeChallanIds,
          expected: request.expected,
          paymentStatus: true as const,
          ...belowZeroOf(request),
        },
      };

/** What is chosen for owners below zero, as the calls take it. */
const belowZeroOf = ({ paysNegative, carries }: PlanRequest) => ({
  ...(paysNegative && { paysNegative }),
  ...(carries && { carries: [...carries] }),
});

const isSame = (one: Matching, other: Matching): boolean =>
  one.count === other.count && compare(one.amount, other.amount) === 0;

/** The plan with the figures of the server's review. If the challans have not changed, its key stays. */
export function reviewed(plan: PaymentPlan, review: SelectionReview): PaymentPlan {
  const { count, amount } = review.payment;
  const selected = { count: review.count, amount: review.totalAmount };
  const next = { ...plan, request: expecting(plan.request, review.payment), count, amount, selected, review };
  // After a refusal (SELECTION_CHANGED) the user has seen the figures of the payment.
  if (isSame(selected, plan.selected) || isSame(review.payment, plan.selected)) return { ...next, isReviewed: true };
  const { carries, ...request } = next.request;
  return {
    ...next,
    // The exclusions stay, also those on hold, which must not be paid if their hold ends.
    request:
      request.by === 'ids' ? { ...request, challanIds: review.challans.map(({ challanId }) => challanId) } : request,
    key: newIdempotencyKey(),
    // What an owner owes may have changed, so the user has to choose again.
    isReviewed: carries === undefined,
    before: { count: plan.count, amount: plan.amount },
  };
}

/** The plan with another choice for owners below zero. Its body differs, so it has a new key and is reviewed again. */
const choosing = (
  { request, ...plan }: PaymentPlan,
  choice: Pick<PlanRequest, 'paysNegative' | 'carries'>,
): PaymentPlan => {
  const { paysNegative: _, carries: __, ...challans } = request;
  return { ...plan, request: { ...challans, ...choice }, key: newIdempotencyKey(), isReviewed: false };
};

/** Pays the owners below zero too, or leaves them out. Nothing is carried afterwards. */
export const payingNegative = (plan: PaymentPlan, on: boolean): PaymentPlan =>
  choosing(plan, on ? { paysNegative: true } : {});

export const isCarried = ({ request }: PaymentPlan, { id }: NegativeOwner): boolean =>
  (request.carries ?? []).some(({ ownerId }) => ownerId === id);

/** Carries what this owner owes into its next payment, or stops carrying it. */
export function carrying(plan: PaymentPlan, { id, owes }: NegativeOwner, on: boolean): PaymentPlan {
  const others = (plan.request.carries ?? []).filter(({ ownerId }) => ownerId !== id);
  const carries = on ? [...others, { ownerId: id, amount: owes }] : others;
  return choosing(plan, carries.length === 0 ? {} : { carries });
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
