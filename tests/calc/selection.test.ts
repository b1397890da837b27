import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterReview,
  clearSelection,
  exclusionCount,
  filterChanged,
  isSelected,
  keptOf,
  namedIn,
  noSelection,
  ownerState,
  pageCount,
  paymentRequest,
  reconcile,
  selectAllMatching,
  selectedAmount,
  selectedCount,
  selectionOf,
  selectPage,
  setSelected,
} from '../../src/shared/calc/selection.ts';
import type { Selection } from '../../src/shared/calc/selection.ts';
import { clickChallan, clickOwner } from './clicks.ts';
import { hundredths, toHundredths } from './oracle.ts';
import { testSeed } from './seed.ts';

const seed = testSeed('selection properties');

interface Filter {
  ownerId?: string;
  tagId?: string | null | undefined;
}

function owner(id: string, ...amounts: string[]) {
  return { id, challans: amounts.map((netAmountPayable, n) => ({ challanId: `${id}${n + 1}`, netAmountPayable })) };
}

const asha = owner('a', '100.00', '200.50', '-50.00');
const bina = owner('b', '1000.00', '0.05');
const [a1, a2] = [asha.challans[0]!, asha.challans[1]!]; // asha has three challans
const [b1] = [bina.challans[0]!]; // bina has two
const matching = { count: 5, amount: '1250.55' };
const start: Selection<Filter> = noSelection;

describe('ids chosen one by one', () => {
  it('counts and sums them, over pages', () => {
    const one = clickChallan(start, 'a', a2);
    const two = clickChallan(one, 'b', b1);
    expect([selectedCount(two), selectedAmount(two)]).toEqual([2, '1200.50']);
    expect(isSelected(two, 'a2') && isSelected(two, 'b1') && !isSelected(two, 'a1')).toBe(true);
    expect(selectedCount(one)).toBe(1);
  });

  it('goes back to none with the last one', () => {
    const one = clickChallan(start, 'a', a1);
    expect(clickChallan(one, 'a', a1)).toEqual({ mode: 'none' });
  });

  it('lets an amount below zero lessen the sum', () => {
    expect(selectedAmount(clickOwner(start, asha))).toBe('250.50');
  });

  it('selects the page in addition to what was chosen elsewhere', () => {
    const elsewhere = clickChallan(start, 'b', b1);
    const page = selectPage(elsewhere, [asha]);
    expect([selectedCount(page), selectedAmount(page)]).toEqual([4, '1250.50']);
    expect(pageCount([asha, bina])).toBe(5);
  });

  it('knows the owner of what a page selected, also when a reload no longer has it', () => {
    const page = selectPage(start, [asha, bina]);
    expect(namedIn(page).get('a2')).toEqual({ ownerId: 'a', amount: '200.50' });
    expect(reconcile(page, [{ id: 'a', challans: [] }], matching).dropped).toBe(3);
  });

  it('excludes nothing, and names nothing when nothing is chosen', () => {
    expect([exclusionCount(clickOwner(start, asha)), exclusionCount(start)]).toEqual([0, 0]);
    expect(namedIn(start).size).toBe(0);
  });

  it('asks for payment by ids', () => {
    expect(paymentRequest(clickOwner(start, bina))).toEqual({ by: 'ids', challanIds: ['b1', 'b2'] });
    expect(paymentRequest(start)).toBeNull();
  });
});

describe("the owner's box", () => {
  it('is none, some or all, and says how many', () => {
    expect(ownerState(start, asha)).toMatchObject({ state: 'none', selected: 0, text: 'none of 3' });
    expect(ownerState(clickChallan(start, 'a', a1), asha)).toMatchObject({ state: 'some', text: 'mixed, 1 of 3' });
    expect(ownerState(clickOwner(start, asha), asha)).toMatchObject({ state: 'all', selected: 3, text: 'all 3' });
    expect(ownerState(start, owner('c'))).toMatchObject({ state: 'none', total: 0 });
  });

  it('completes a part, then empties', () => {
    const some = clickChallan(start, 'a', a1);
    const all = clickOwner(some, asha);
    expect(ownerState(all, asha).state).toBe('all');
    expect(clickOwner(all, asha)).toEqual({ mode: 'none' });
  });

  it('reads mixed, 3 of 7', () => {
    const seven = owner('s', '1.00', '1.00', '1.00', '1.00', '1.00', '1.00', '1.00');
    const three = setSelected(start, 's', seven.challans.slice(0, 3), true);
    expect(ownerState(three, seven).text).toBe('mixed, 3 of 7');
  });
});

describe('all matching', () => {
  const all = selectAllMatching<Filter>({ tagId: 't' }, matching);

  it('is the total less the exclusions', () => {
    expect([selectedCount(all), selectedAmount(all)]).toEqual([5, '1250.55']);
    const without = clickChallan(clickChallan(all, 'a', a2), 'b', b1);
    expect([selectedCount(without), selectedAmount(without), exclusionCount(without)]).toEqual([3, '50.05', 2]);
    const again = clickChallan(without, 'b', b1);
    expect([selectedCount(again), selectedAmount(again), exclusionCount(again)]).toEqual([4, '1050.05', 1]);
  });

  it('selects what no page has shown yet', () => {
    expect(isSelected(all, 'never-loaded')).toBe(true);
  });

  it('takes an owner out and puts the owner back', () => {
    const out = clickOwner(all, asha);
    expect([selectedCount(out), selectedAmount(out), ownerState(out, asha).state]).toEqual([2, '1000.05', 'none']);
    expect(ownerState(clickChallan(out, 'a', a1), asha).text).toBe('mixed, 1 of 3');
    expect(selectPage(out, [asha, bina])).toEqual(all);
  });

  it('stays the mode when everything is taken out by hand', () => {
    const nothing = clickOwner(clickOwner(all, asha), bina);
    expect([nothing.mode, selectedCount(nothing), selectedAmount(nothing)]).toEqual(['allMatching', 0, '0.00']);
    expect(paymentRequest(nothing)).toBeNull();
  });

  it('is no selection when nothing matches', () => {
    expect(selectAllMatching({}, { count: 0, amount: '0.00' })).toEqual({ mode: 'none' });
  });

  it('asks for payment by filter, with what it expects', () => {
    expect(paymentRequest(clickChallan(all, 'a', a2))).toEqual({
      by: 'filter',
      filters: { tagId: 't' },
      excludeChallanIds: ['a2'],
      expected: { count: 4, totalAmount: '1050.05' },
    });
  });

  it('never counts below zero when the totals are older than the exclusions', () => {
    const shrunk = { ...clickOwner(all, asha), matching: { count: 2, amount: '1.00' } };
    expect(selectedCount(shrunk)).toBe(0);
  });
});

describe('another filter', () => {
  const one = clickChallan(start, 'a', a1);
  it('clears the selection and says so', () => {
    expect(filterChanged(one, {}, { tagId: 't' })).toEqual({
      selection: { mode: 'none' },
      message: 'Selection cleared because the filter changed (1 challan was selected).',
    });
    const all = selectAllMatching<Filter>({ tagId: 't' }, matching);
    expect(filterChanged(all, { tagId: 't' }, {}).message).toBe(
      'Selection cleared because the filter changed (5 challans were selected).',
    );
    const many = selectAllMatching<Filter>({ tagId: 't' }, { count: 217_802, amount: '1.00' });
    expect(filterChanged(many, { tagId: 't' }, {}).message).toBe(
      'Selection cleared because the filter changed (2,17,802 challans were selected).',
    );
  });

  it('is not one that means the same, and does not speak when nothing was selected', () => {
    expect(filterChanged(one, {}, { tagId: '' })).toEqual({ selection: one, message: null });
    expect(filterChanged(one, { ownerId: 'a', tagId: null }, { ownerId: 'a' }).selection).toBe(one);
    expect(filterChanged(one, { tagId: undefined }, {}).message).toBeNull();
    expect(filterChanged(one, { tagId: 't', ownerId: 'a' }, { ownerId: 'a', tagId: 't' }).selection).toBe(one);
    expect(filterChanged(start, {}, { tagId: 't' }).message).toBeNull();
    expect(clearSelection()).toEqual(noSelection);
  });
});

describe('after a reload', () => {
  const chosen = clickOwner(clickOwner(start, asha), bina);

  it('drops what its owner no longer has, and takes new amounts', () => {
    const ashaNow = { id: 'a', challans: [{ challanId: 'a1', netAmountPayable: '120.00' }] };
    const { selection, dropped } = reconcile(chosen, [ashaNow], { count: 3, amount: '1120.05' });
    expect(dropped).toBe(2);
    expect([selectedCount(selection), selectedAmount(selection)]).toEqual([3, '1120.05']);
  });

  it('keeps what is on other pages', () => {
    expect(reconcile(chosen, [], matching)).toEqual({ selection: chosen, dropped: 0 });
  });

  it('brings new totals to all matching and forgets exclusions that are gone', () => {
    const all = clickOwner(selectAllMatching<Filter>({}, matching), asha);
    const ashaNow = { id: 'a', challans: [a1] };
    const { selection } = reconcile(all, [ashaNow, bina], { count: 3, amount: '1100.05' });
    expect([selectedCount(selection), selectedAmount(selection)]).toEqual([2, '1000.05']);
  });

  it('is none when nothing is unpaid any more', () => {
    expect(reconcile(chosen, [], { count: 0, amount: '0.00' })).toEqual({
      selection: { mode: 'none' },
      dropped: 5,
    });
    expect(reconcile(start, [asha], matching)).toEqual({ selection: { mode: 'none' }, dropped: 0 });
  });
});

/*
 * The naive model: the set of all unpaid challans of the filter with what is selected of them written out one by one.
 */
describe('any sequence of acts', () => {
  const world = fc
    .array(fc.array(fc.bigInt(-5_000n, 10_000_000n), { minLength: 0, maxLength: 6 }), { minLength: 1, maxLength: 6 })
    .map((owners) => owners.map((amounts, n) => owner(`o${n}-`, ...amounts.map(hundredths))));
  const act = fc.record({
    kind: fc.constantFrom('challan', 'challan', 'challan', 'owner', 'page', 'all', 'clear', 'filter', 'sameFilter'),
    at: fc.nat(1_000),
    which: fc.nat(1_000),
  });

  it('counts, sums and shows what the model does', () => {
    let steps = 0;
    fc.assert(
      fc.property(world, fc.array(act, { maxLength: 30 }), (owners, acts) => {
        const everyone = owners.flatMap(({ challans }) => challans);
        const amounts = new Map(everyone.map((c) => [c.challanId, toHundredths(c.netAmountPayable)]));
        const totals = {
          count: everyone.length,
          amount: hundredths([...amounts.values()].reduce((a, b) => a + b, 0n)),
        };
        let selection: Selection<Filter> = noSelection;
        let model = new Set<string>();

        for (const { kind, at, which } of acts) {
          const at1 = owners[at % owners.length]!; // at least one owner
          const before = structuredClone(selection);
          const previous = selection;
          const ids = at1.challans.map(({ challanId }) => challanId);
          if (kind === 'challan' && ids.length > 0) {
            const challan = at1.challans[which % ids.length]!; // in range
            selection = clickChallan(selection, at1.id, challan);
            if (!model.delete(challan.challanId)) model.add(challan.challanId);
          } else if (kind === 'owner') {
            selection = clickOwner(selection, at1);
            const isAll = ids.every((id) => model.has(id));
            for (const id of ids) {
              if (isAll) model.delete(id);
              else model.add(id);
            }
          } else if (kind === 'page') {
            const page = owners.slice(at % owners.length, (at % owners.length) + 1 + (which % 3));
            selection = selectPage(selection, page);
            for (const { challanId } of page.flatMap(({ challans }) => challans)) model.add(challanId);
          } else if (kind === 'all') {
            selection = selectAllMatching({}, totals);
            model = new Set(amounts.keys());
          } else if (kind === 'clear') {
            selection = clearSelection();
            model = new Set();
          } else if (kind === 'filter') {
            selection = filterChanged(selection, {}, { tagId: 't' }).selection;
            model = new Set();
          } else if (kind === 'sameFilter') {
            selection = filterChanged(selection, {}, { tagId: '' }).selection;
            selection = reconcile(selection, owners, totals).selection;
          }
          steps += 1;
          expect(previous).toEqual(before);
          expect(selectedCount(selection)).toBe(model.size);
          expect(toHundredths(selectedAmount(selection))).toBe(
            [...model].reduce((total, id) => total + (amounts.get(id) ?? 0n), 0n),
          );
          for (const { challanId } of everyone) expect(isSelected(selection, challanId)).toBe(model.has(challanId));
          for (const each of owners) {
            const selected = each.challans.filter(({ challanId }) => model.has(challanId)).length;
            expect(ownerState(selection, each)).toMatchObject({ selected, total: each.challans.length });
          }
        }
      }),
      { seed, numRuns: 500 },
    );
    expect(steps).toBeGreaterThan(1_000);
  });
});

describe('a selection that is kept and looked at again', () => {
  const filter: Filter = { ownerId: 'a' };
  const byIds = clickChallan(clickChallan(start, 'a', a2), 'b', b1);
  const all = clickChallan(selectAllMatching(filter, matching), 'a', a1);

  it('comes back as it was, over its filter', () => {
    for (const selection of [byIds, all]) {
      const kept = keptOf(selection);
      expect(kept && selectionOf(JSON.parse(JSON.stringify(kept)) as typeof kept, filter)).toEqual(selection);
    }
    expect(keptOf(byIds)).toEqual({ mode: 'ids', challans: { a: [['a2', '200.50']], b: [['b1', '1000.00']] } });
    expect(keptOf(all)).toEqual({ mode: 'allMatching', challans: { a: [['a1', '100.00']] }, matching });
    expect(keptOf(start)).toBeUndefined();
    expect(selectionOf({ mode: 'ids', challans: {} }, filter)).toEqual({ mode: 'none' });
    const { matching: withoutFigures } = selectionOf({ mode: 'allMatching', challans: {} }, filter) as typeof all & {
      mode: 'allMatching';
    };
    expect(withoutFigures).toEqual({ count: 0, amount: '0.00' });
  });

  it('has after a review what is still there, with the amounts of now', () => {
    const named = [{ challanId: 'a2', ownerId: 'a', netAmountPayable: '300.00' }];
    expect(afterReview(start, { count: 1, totalAmount: '300.00', challans: named })).toEqual({ mode: 'none' });
    expect(afterReview(byIds, { count: 0, totalAmount: '0.00', challans: [] })).toEqual({ mode: 'none' });
    expect(afterReview(all, { count: 0, totalAmount: '0.00', challans: named })).toEqual({ mode: 'none' });
    const less = afterReview(byIds, { count: 1, totalAmount: '300.00', challans: named });
    expect([selectedCount(less), selectedAmount(less)]).toEqual([1, '300.00']);
    expect(isSelected(less, 'a2') && !isSelected(less, 'b1')).toBe(true);
    // Of all that match the review names what is left out, and counts the rest.
    const rest = afterReview(all, { count: 3, totalAmount: '900.00', challans: named });
    expect([selectedCount(rest), selectedAmount(rest)]).toEqual([3, '900.00']);
    expect(rest).toMatchObject({ mode: 'allMatching', filter, matching: { count: 4, amount: '1200.00' } });
    expect(isSelected(rest, 'a2')).toBe(false);
  });
});
