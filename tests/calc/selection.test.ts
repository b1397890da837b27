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

  it('sets an exclusion aside while it cannot be paid, and leaves it out again after that', () => {
    const all = clickChallan(selectAllMatching<Filter>({}, matching), 'a', a2);
    const held = reconcile(all, [{ id: 'a', challans: [a1, asha.challans[2]!] }, bina], {
      count: 4,
      amount: '1050.05',
    });
    expect([selectedCount(held.selection), selectedAmount(held.selection)]).toEqual([4, '1050.05']);
    expect([exclusionCount(held.selection), isSelected(held.selection, 'a2')]).toEqual([0, false]);
    // The hold may end before the request arrives.
    expect(paymentRequest(held.selection)).toMatchObject({ excludeChallanIds: ['a2'], expected: { count: 4 } });
    // Also where the owner is on another page meanwhile.
    const elsewhere = reconcile(held.selection, [bina], { count: 4, amount: '1050.05' }).selection;
    const released = reconcile(elsewhere, [asha, bina], matching).selection;
    expect([selectedCount(released), selectedAmount(released), exclusionCount(released)]).toEqual([4, '1050.05', 1]);
    expect(isSelected(released, 'a2')).toBe(false);
    expect(selectedCount(selectPage(released, [asha]))).toBe(5);
    expect(selectedCount(selectPage(held.selection, [asha]))).toBe(4);
    expect(isSelected(selectPage(held.selection, [asha]), 'a2')).toBe(true);
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
 * The naive model: what the user wants paid, written out one by one. What is on hold is not paid. A challan that was chosen
 * one by one has to be chosen again after its hold; of all that match it is paid unless the user has excluded it.
 */
describe('any sequence of acts', () => {
  const world = fc
    .array(fc.array(fc.bigInt(-5_000n, 10_000_000n), { minLength: 0, maxLength: 6 }), { minLength: 1, maxLength: 6 })
    .map((owners) => owners.map((amounts, n) => owner(`o${n}-`, ...amounts.map(hundredths))));
  const act = (...kinds: string[]) =>
    fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(1_000), which: fc.nat(1_000) });
  const many = ['challan', 'challan', 'challan', 'owner', 'page', 'all', 'clear', 'filter', 'sameFilter', 'hold'];
  const sequences = [
    { name: 'acts', acts: fc.array(act(...many), { maxLength: 30 }) },
    {
      name: 'exclusions and holds',
      acts: fc
        .array(act('challan', 'challan', 'owner', 'hold', 'hold'), { maxLength: 15, size: 'max' })
        .map((acts) => [{ kind: 'all', at: 0, which: 0 }, ...acts]),
    },
  ];

  it.each(sequences)('counts, sums and shows what the model does, after $name', ({ name, acts: anyActs }) => {
    let [steps, keptOut] = [0, 0];
    fc.assert(
      fc.property(world, anyActs, (everyOwner, acts) => {
        const everyone = everyOwner.flatMap(({ challans }) => challans);
        const amounts = new Map(everyone.map((c) => [c.challanId, toHundredths(c.netAmountPayable)]));
        const total = (ids: string[]): bigint => ids.reduce((sum, id) => sum + (amounts.get(id) ?? 0n), 0n);
        const held = new Set<string>();
        const payable = (): typeof everyOwner =>
          everyOwner.map(({ id, challans }) => ({ id, challans: challans.filter((c) => !held.has(c.challanId)) }));
        const totals = () => {
          const ids = [...amounts.keys()].filter((id) => !held.has(id));
          return { count: ids.length, amount: hundredths(total(ids)) };
        };
        let selection: Selection<Filter> = noSelection;
        let model = new Set<string>();

        for (const { kind, at, which } of acts) {
          const owners = payable();
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
            selection = selectAllMatching({}, totals());
            model = new Set(totals().count === 0 ? [] : amounts.keys());
          } else if (kind === 'clear') {
            selection = clearSelection();
            model = new Set();
          } else if (kind === 'filter') {
            selection = filterChanged(selection, {}, { tagId: 't' }).selection;
            model = new Set();
          } else if (kind === 'sameFilter') {
            selection = filterChanged(selection, {}, { tagId: '' }).selection;
          } else if (kind === 'hold' && everyone.length > 0) {
            // Few different ones, so that holds end too.
            const { challanId } = everyone[which % Math.min(3, everyone.length)]!; // in range
            if (held.delete(challanId)) keptOut += Number(selection.mode === 'allMatching' && !model.has(challanId));
            else {
              held.add(challanId);
              if (selection.mode === 'ids') model.delete(challanId);
            }
          }
          if (kind === 'sameFilter' || kind === 'hold') {
            selection = reconcile(selection, payable(), totals()).selection;
            if (selection.mode === 'none') model = new Set();
          }
          steps += 1;
          expect(previous).toEqual(before);
          const selected = [...model].filter((id) => !held.has(id));
          expect(selectedCount(selection)).toBe(selected.length);
          expect(toHundredths(selectedAmount(selection))).toBe(total(selected));
          for (const each of payable()) {
            const own = each.challans.filter(({ challanId }) => model.has(challanId));
            for (const { challanId } of each.challans) {
              expect(isSelected(selection, challanId)).toBe(model.has(challanId));
            }
            expect(ownerState(selection, each)).toMatchObject({ selected: own.length, total: each.challans.length });
          }
        }
      }),
      { seed, numRuns: 400 },
    );
    expect(steps).toBeGreaterThan(1_000);
    if (name === 'exclusions and holds') expect(keptOut).toBeGreaterThan(10);
  });
});

describe('a selection that is kept and looked at again', () => {
  const filter: Filter = { ownerId: 'a' };
  const byIds = clickChallan(clickChallan(start, 'a', a2), 'b', b1);
  const all = clickChallan(selectAllMatching(filter, matching), 'a', a1);

  it('comes back as it was, over its filter', () => {
    const held = reconcile(all, [{ id: 'a', challans: [] }], { count: 2, amount: '1000.05' }).selection;
    expect(held).toMatchObject({ setAside: new Set(['a1']) });
    for (const selection of [byIds, all, held]) {
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
    // The exclusion that is not named is set aside: it may be on hold.
    expect([isSelected(rest, 'a1'), exclusionCount(rest)]).toEqual([false, 1]);
    expect(paymentRequest(rest)).toMatchObject({ excludeChallanIds: ['a2', 'a1'], expected: { count: 3 } });
  });
});
