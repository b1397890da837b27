import { describe, expect, it } from 'vitest';
import * as selecting from '../../../src/shared/calc/selection.ts';
import type { SelectionReview, StatementFilters, StatementOwner } from '../../../src/shared/contract/bank-statement.ts';
import {
  afterFilterChange,
  afterLoad,
  nothingSelectedYet,
} from '../../../src/web/features/payments/bank-statement/use-statement.ts';
import {
  changeText,
  limitReason,
  planFor,
  planOver,
  reviewed,
  type PaymentPlan,
} from '../../../src/web/features/payments/bank-statement/payment-plan.ts';
import { clickChallan, clickOwner } from '../../calc/clicks.ts';
import { buildChallan, buildOwner } from '../support/statement.ts';

const none = selecting.clearSelection<StatementFilters>();
type Selection = selecting.Selection<StatementFilters>;

/** Owner m with `count` challans of ₹1.00 each, numbered from m × 100,000. */
const ownerOf = (m: number, count: number): StatementOwner => ({
  ...buildOwner(m, [], {
    challans: Array.from({ length: count }, (_, at) => buildChallan(m * 100_000 + at, { netAmountPayable: '1.00' })),
  }),
  id: `owner-${m}`,
});

const filters: StatementFilters = { tagId: 'none' };

function shownOf(owners: StatementOwner[], matchingCount = selecting.pageCount(owners)) {
  return {
    filters,
    owners,
    matching: { count: matchingCount, amount: `${matchingCount}.00` },
  };
}

function planned(plan: PaymentPlan | { refused: string }): PaymentPlan {
  if ('refused' in plan) throw new Error(plan.refused);
  return plan;
}

const review = ({ count = 2, totalAmount = '2.00', ...over }: Partial<SelectionReview> = {}): SelectionReview => ({
  count,
  totalAmount,
  payment: {
    count,
    amount: totalAmount,
    ownerCount: 1,
    deductedAmount: '0.00',
    carriedAmount: '0.00',
    leftOutCount: 0,
    leftOutOwnerCount: 0,
  },
  notPaid: { count: 0, amount: '0.00' },
  ownerCount: 1,
  negativeOwnerCount: 0,
  negativeOwners: [],
  negativeChallanCount: 0,
  negativeAmount: '0.00',
  negativeCarriedAmount: '0.00',
  deductedAmount: '0.00',
  heldCount: 0,
  heldMatchingCount: 0,
  largestPayment: null,
  needsRelease: null,
  changedAccounts: [],
  incompleteOwnerCount: 0,
  incompleteOwners: [],
  failedOwnerCount: 0,
  failedOwners: [],
  challans: [],
  paid: [],
  paidCount: 0,
  goneCount: 0,
  ...over,
});

describe('what a payment is asked for', () => {
  it('nothing selected: the reason, and no request', () => {
    const plan = planFor(selecting.noSelection, shownOf([ownerOf(1, 2)]));
    expect(plan).toEqual({ refused: 'Please select at least one challan to mark as paid' });
  });

  it('up to 5,000 challans go by their ids', () => {
    const shown = shownOf([ownerOf(1, 5_000), ownerOf(2, 1)]);
    const selection: Selection = clickOwner(selecting.clearSelection(), ownerOf(1, 5_000));
    const { request, count, amount } = planned(planFor(selection, shown));
    expect([request.by, count, amount]).toEqual(['ids', 5_000, '5000.00']);
  });

  it('more, with the whole filter on the page: by the filter, the rest named, with what was seen', () => {
    const shown = shownOf([ownerOf(1, 5_001), ownerOf(2, 3)]);
    const first = shown.owners[1]?.challans[0];
    if (!first) throw new Error('Owner 2 has challans');
    let selection: Selection = clickOwner(selecting.clearSelection(), ownerOf(1, 5_001));
    selection = clickChallan(selection, 'owner-2', first);
    expect(limitReason(selection, shown)).toBeUndefined();
    const { request, count } = planned(planFor(selection, shown));
    expect(count).toBe(5_002);
    expect(request).toEqual({
      by: 'filter',
      filters,
      excludeChallanIds: shown.owners[1]?.challans.slice(1).map(({ challanId }) => challanId),
      expected: { count: 5_002, totalAmount: '5002.00' },
    });
  });

  it('more, all that matches, over several pages: by the filter without exclusions', () => {
    const other = ownerOf(2, 3_000);
    const selection = selecting.selectPage(
      selecting.selectPage<StatementFilters>(selecting.clearSelection(), [other]),
      [ownerOf(1, 3_000)],
    );
    const { request } = planned(planFor(selection, shownOf([ownerOf(1, 3_000)], 6_000)));
    expect(request).toMatchObject({ by: 'filter', excludeChallanIds: [], expected: { count: 6_000 } });
  });

  it('more, and what is not chosen stands on pages not seen: told before anything is pressed', () => {
    const selection = selecting.selectPage<StatementFilters>(selecting.clearSelection(), [ownerOf(1, 5_001)]);
    const shown = shownOf([ownerOf(1, 5_001)], 9_000);
    expect(limitReason(selection, shown)).toMatch(/^At most 5,000 challans chosen one by one/);
    expect(planFor(selection, shown)).toEqual({ refused: limitReason(selection, shown) });
  });

  it('what matches and is not selected is left out, with its amount', () => {
    const owners = [ownerOf(1, 2), ownerOf(2, 2), ownerOf(3, 1)];
    const shown = shownOf(owners);
    let selection: Selection = selecting.selectAllMatching(filters, shown.matching);
    for (const owner of owners.slice(0, 2)) {
      const left = owner.id === 'owner-1' ? owner.challans : owner.challans.slice(1);
      selection = selecting.setSelected(selection, owner.id, left, false);
    }
    const notPaid = { count: 3, amount: '3.00' };
    const plan = reviewed(planned(planFor(selection, shown)), review({ notPaid }));
    expect(plan).toMatchObject({ count: 2, review: { notPaid } });
  });

  it('over what matches now: new figures, a new key, the old figures beside them', () => {
    const shown = shownOf([ownerOf(1, 2)]);
    const before = planned(planFor(selecting.selectAllMatching(filters, shown.matching), shown));
    const after = planOver(before, { count: 3, totalAmount: '3.00' });
    expect(after).toMatchObject({ count: 3, amount: '3.00', before: { count: 2, amount: '2.00' } });
    expect(after.request).toMatchObject({ expected: { count: 3, totalAmount: '3.00' } });
    expect(after.key).not.toBe(before.key);
  });
});

describe('what the server finds before a payment', () => {
  it('the same as was shown: the plan stays, with what is known of it', () => {
    const shown = shownOf([ownerOf(1, 2)]);
    const plan = planned(planFor(selecting.selectAllMatching(filters, shown.matching), shown));
    expect(reviewed(plan, review())).toEqual({ ...plan, review: review(), isReviewed: true });
  });

  it('chosen challans that are gone leave the request, which has a new key', () => {
    const owner = ownerOf(1, 3);
    const plan = planned(planFor(clickOwner(none, owner), shownOf([owner])));
    const left = owner.challans
      .slice(1)
      .map(({ challanId, netAmountPayable }) => ({ challanId, ownerId: owner.id, netAmountPayable }));
    const after = reviewed(plan, review({ challans: left, paidCount: 1 }));
    expect(after.request).toEqual({ by: 'ids', challanIds: left.map(({ challanId }) => challanId) });
    expect(after).toMatchObject({ count: 2, amount: '2.00', before: { count: 3, amount: '3.00' } });
    expect(after.key).not.toBe(plan.key);
    expect(changeText(3, review({ paidCount: 1 }))).toBe('1 of 3 was paid meanwhile');
    expect(changeText(71, review({ paidCount: 3, goneCount: 2 }))).toBe(
      '3 of 71 were paid meanwhile; 2 of 71 were deleted or no longer match the filter',
    );
  });

  it('of all that match, an exclusion that is on hold now stays excluded', () => {
    const owner = ownerOf(1, 4);
    const [one, other] = owner.challans;
    if (!one || !other) throw new Error('The owner has four challans');
    const all = selecting.selectAllMatching(filters, shownOf([owner]).matching);
    const plan = planned(planFor(clickChallan(clickChallan(all, owner.id, one), owner.id, other), shownOf([owner])));
    const after = reviewed(
      plan,
      review({
        count: 1,
        totalAmount: '1.00',
        notPaid: { count: 1, amount: '1.00' },
        challans: [{ ...other, ownerId: owner.id }],
      }),
    );
    expect(after.request).toMatchObject({
      excludeChallanIds: [one.challanId, other.challanId],
      expected: { count: 1, totalAmount: '1.00' },
    });
    expect(after.review?.notPaid).toEqual({ count: 1, amount: '1.00' });
  });
});

describe('a selection that is kept', () => {
  it('comes back as it was, chosen one by one or all matching', () => {
    const owners = [ownerOf(1, 2), ownerOf(2, 2)];
    const one = clickOwner<StatementFilters>(selecting.clearSelection(), ownerOf(1, 2));
    const all = selecting.setSelected<StatementFilters>(
      selecting.selectAllMatching(filters, { count: 4, amount: '4.00' }),
      'owner-2',
      owners[1]?.challans.slice(0, 1) ?? [],
      false,
    );
    for (const selection of [one, all]) {
      const kept = JSON.parse(JSON.stringify(selecting.keptOf(selection))) as selecting.KeptSelection;
      expect(selecting.selectionOf(kept, filters)).toEqual(selection);
      // Ids and amounts alone.
      expect(JSON.stringify(kept)).not.toContain('Owner 1');
    }
    expect(selecting.keptOf(selecting.noSelection)).toBeUndefined();
  });

  it('after the review it is what is left, with the amounts of now', () => {
    const before = clickOwner<StatementFilters>(selecting.clearSelection(), ownerOf(1, 3));
    const challans = [{ challanId: 'x', ownerId: 'owner-1', netAmountPayable: '7.00' }];
    const now = selecting.afterReview(before, { count: 1, totalAmount: '7.00', challans });
    expect([selecting.selectedCount(now), selecting.selectedAmount(now)]).toEqual([1, '7.00']);
    const all = selecting.selectAllMatching(filters, { count: 4, amount: '4.00' });
    const reviewedAll = selecting.afterReview(all, { count: 5, totalAmount: '5.00', challans });
    expect([selecting.selectedCount(reviewedAll), selecting.selectedAmount(reviewedAll)]).toEqual([5, '5.00']);
    expect(selecting.exclusionCount(reviewedAll)).toBe(1);
    expect(selecting.afterReview(all, { count: 0, totalAmount: '0.00', challans: [] })).toEqual({ mode: 'none' });
  });
});

describe('the selection over what is loaded', () => {
  const key = JSON.stringify(filters);
  const page = (owners: StatementOwner[]) => ({ owners });
  const matchingOf = (count: number) => ({ count, amount: `${count}.00` });

  it('keeps what other pages hold and says nothing while nothing changed', () => {
    const start = afterLoad(nothingSelectedYet(filters, key), page([ownerOf(1, 2)]), matchingOf(3));
    const chosen = { ...start, selection: clickOwner(start.selection, ownerOf(1, 2)) };
    const next = afterLoad(chosen, page([ownerOf(2, 1)]), matchingOf(3));
    expect(selecting.selectedCount(next.selection)).toBe(2);
    expect(next.notice).toBeNull();
  });

  it('tells of all-matching figures that have changed', () => {
    const start = afterLoad(nothingSelectedYet(filters, key), page([ownerOf(1, 2)]), matchingOf(2));
    const all = { ...start, selection: selecting.selectAllMatching(filters, matchingOf(2)) };
    const next = afterLoad(all, page([ownerOf(1, 3)]), matchingOf(3));
    expect(next.notice?.text).toBe('The matching challans have changed: 3 selected now, ₹3.00.');
    expect(afterLoad(next, page([ownerOf(1, 3)]), matchingOf(3)).notice).toBeNull();
  });

  it('ends with the filter, whoever changed it', () => {
    const start = afterLoad(nothingSelectedYet(filters, key), page([ownerOf(1, 2)]), matchingOf(2));
    const chosen = { ...start, selection: clickOwner(start.selection, ownerOf(1, 2)) };
    const next = afterFilterChange(chosen, {}, '{}');
    expect(next).toMatchObject({ selection: { mode: 'none' }, seen: undefined, key: '{}' });
    expect(next.notice?.text).toBe('Selection cleared because the filter changed (2 challans were selected).');
  });
});
