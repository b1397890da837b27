import { formatCount } from './count-text.ts';
import { add, subtract, sum } from './money.ts';

/**
 * The bank statement's selection (docs/specification.md §10.2): which unpaid challans a payment would cover, with their
 * count and amount. It is either a set of ids chosen one by one, or every challan that matches a filter less the
 * exclusions. Selections are immutable: each function gives the next one. Owners have the form of the bank statement's
 * answer: all their unpaid challans under the filter, whether the owner is expanded or not.
 */

/** What the selection needs to know of a challan. */
export interface SelectableChallan {
  readonly challanId: string;
  readonly netAmountPayable: string;
}

export interface SelectableOwner {
  readonly id: string;
  readonly challans: readonly SelectableChallan[];
}

/** What is kept of a chosen or excluded challan, so that its amount is known while another page is shown. */
interface Remembered {
  readonly ownerId: string;
  readonly amount: string;
}

export type ChosenChallans = ReadonlyMap<string, Remembered>;

/** The totals of the whole filter, from the statement's summary (totalChallans, totalUnpaidAmount). */
export interface Matching {
  readonly count: number;
  readonly amount: string;
}

export type Selection<Filter = unknown> =
  | { readonly mode: 'none' }
  | { readonly mode: 'ids'; readonly ids: ChosenChallans }
  | {
      readonly mode: 'allMatching';
      readonly filter: Filter;
      readonly matching: Matching;
      readonly exclusions: ChosenChallans;
      /**
       * Excluded challans that cannot be paid at present, because they are on hold for example. They do not match, so they
       * are not counted as exclusions. If one of them can be paid again, it is an exclusion again.
       */
      readonly setAside: ReadonlySet<string>;
    };

export const noSelection: Selection<never> = { mode: 'none' };
/** Why an empty selection cannot be paid. */
export const nothingSelected = 'Please select at least one challan to mark as paid';

const none: ChosenChallans = new Map();
const noneSetAside: ReadonlySet<string> = new Set();

/** The challans that a selection names: those chosen, or those excluded from all that match. */
export function namedIn<Filter>(selection: Selection<Filter>): ChosenChallans {
  if (selection.mode === 'none') return none;
  return selection.mode === 'ids' ? selection.ids : selection.exclusions;
}

function byIds<Filter>(ids: ChosenChallans): Selection<Filter> {
  return ids.size === 0 ? { mode: 'none' } : { mode: 'ids', ids };
}

function including(map: ChosenChallans, ownerId: string, challans: readonly SelectableChallan[]): ChosenChallans {
  const next = new Map(map);
  for (const { challanId, netAmountPayable } of challans) next.set(challanId, { ownerId, amount: netAmountPayable });
  return next;
}

function without(map: ChosenChallans, challans: readonly SelectableChallan[]): ChosenChallans {
  const next = new Map(map);
  for (const { challanId } of challans) next.delete(challanId);
  return next;
}

export function isSelected<Filter>(selection: Selection<Filter>, challanId: string): boolean {
  if (selection.mode === 'none') return false;
  if (selection.mode === 'ids') return selection.ids.has(challanId);
  return !selection.exclusions.has(challanId) && !selection.setAside.has(challanId);
}

/** Selects or deselects challans of one owner. In 'allMatching' it removes them from the exclusions or adds them. */
export function setSelected<Filter>(
  selection: Selection<Filter>,
  ownerId: string,
  challans: readonly SelectableChallan[],
  selected: boolean,
): Selection<Filter> {
  if (selection.mode === 'allMatching') {
    const { exclusions, setAside } = selection;
    if (!selected) return { ...selection, exclusions: including(exclusions, ownerId, challans) };
    const left = new Set(setAside);
    for (const { challanId } of challans) left.delete(challanId);
    return { ...selection, exclusions: without(exclusions, challans), setAside: left };
  }
  const ids: ChosenChallans = selection.mode === 'ids' ? selection.ids : new Map();
  return byIds(selected ? including(ids, ownerId, challans) : without(ids, challans));
}

interface OwnerSelection {
  state: 'none' | 'some' | 'all';
  selected: number;
  total: number;
  /** The state in words for screen readers: 'mixed, 3 of 7'. */
  text: string;
}

export function ownerState<Filter>(selection: Selection<Filter>, owner: SelectableOwner): OwnerSelection {
  const total = owner.challans.length;
  const selected = owner.challans.filter(({ challanId }) => isSelected(selection, challanId)).length;
  if (selected === 0) return { state: 'none', selected, total, text: `none of ${total}` };
  if (selected === total) return { state: 'all', selected, total, text: `all ${total}` };
  return { state: 'some', selected, total, text: `mixed, ${selected} of ${total}` };
}

/**
 * 'Select Page': adds all unpaid challans of the owners on this page, also of collapsed owners
 * (docs/specification.md §10.2).
 */
export function selectPage<Filter>(
  selection: Selection<Filter>,
  owners: readonly SelectableOwner[],
): Selection<Filter> {
  const challans = owners.flatMap((owner) => owner.challans);
  if (selection.mode === 'allMatching') return setSelected(selection, '', challans, true);
  // The map is copied once for the whole page: a page of large owners holds tens of thousands of challans.
  const ids = new Map(selection.mode === 'ids' ? selection.ids : []);
  for (const { id, challans: own } of owners) {
    for (const { challanId, netAmountPayable } of own) ids.set(challanId, { ownerId: id, amount: netAmountPayable });
  }
  return byIds(ids);
}

/** The n of 'Select Page (n)'. */
export function pageCount(owners: readonly SelectableOwner[]): number {
  return owners.reduce((total, owner) => total + owner.challans.length, 0);
}

/**
 * 'Select All Matching': it includes what was chosen before, and nothing is excluded. When nothing matches, there is no
 * selection.
 */
export function selectAllMatching<Filter>(filter: Filter, matching: Matching): Selection<Filter> {
  if (matching.count === 0) return { mode: 'none' };
  return { mode: 'allMatching', filter, matching, exclusions: none, setAside: noneSetAside };
}

/** 'Clear Selection', which also happens after a successful payment. */
export function clearSelection<Filter>(): Selection<Filter> {
  return { mode: 'none' };
}

/** The count in "5 selected". It is never below 0, although stale totals could be smaller than the exclusions. */
export function selectedCount<Filter>(selection: Selection<Filter>): number {
  if (selection.mode === 'none') return 0;
  if (selection.mode === 'ids') return selection.ids.size;
  return Math.max(0, selection.matching.count - selection.exclusions.size);
}

function amountOf(challans: ChosenChallans): string {
  return sum([...challans.values()].map(({ amount }) => amount));
}

/** The amount selected; in 'allMatching' the total unpaid less the excluded challans' amounts. */
export function selectedAmount<Filter>(selection: Selection<Filter>): string {
  if (selection.mode === 'none') return '0.00';
  if (selection.mode === 'ids') return amountOf(selection.ids);
  return subtract(selection.matching.amount, amountOf(selection.exclusions));
}

/** How many of the matching challans are excluded. */
export function exclusionCount<Filter>(selection: Selection<Filter>): number {
  return selection.mode === 'allMatching' ? selection.exclusions.size : 0;
}

/** The ids that a request excludes: also those set aside, which may be payable again when the request arrives. */
export function excludedIds<Filter>(selection: Selection<Filter>): string[] {
  return selection.mode === 'allMatching' ? [...selection.exclusions.keys(), ...selection.setAside] : [];
}

/** A filter as text to compare by. Absent, null and empty parts are the same, and the order of keys does not count. */
function filterKey(filter: unknown): string {
  const parts = Object.entries(filter ?? {}).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface FilterChange<Filter> {
  selection: Selection<Filter>;
  /** The sentence to show when a selection was cleared, else null. */
  message: string | null;
}

/**
 * Paging, sorting and expanding keep the selection; another filter clears it and says so (docs/specification.md §10.2).
 * Ids that were chosen one by one are cleared too, so that a payment never covers challans that the filter does not show.
 */
export function filterChanged<Filter>(
  selection: Selection<Filter>,
  before: NoInfer<Filter>,
  after: NoInfer<Filter>,
): FilterChange<Filter> {
  if (selection.mode === 'none' || filterKey(before) === filterKey(after)) return { selection, message: null };
  const count = selectedCount(selection);
  const what = count === 1 ? '1 challan was selected' : `${formatCount(count)} challans were selected`;
  return { selection: { mode: 'none' }, message: `Selection cleared because the filter changed (${what}).` };
}

interface Reconciled<Filter> {
  selection: Selection<Filter>;
  /** Challans that can no longer be paid: paid, deleted, moved or put on hold by someone else. */
  dropped: number;
}

/**
 * Brings a selection up to date after a reload under the same filter. `owners` are those on the page with the challans that
 * can be paid. A remembered challan is dropped when its owner is on this page and no longer has it; an exclusion is set
 * aside instead. Amounts are updated, and 'allMatching' gets the new totals. Owners on other pages are not known here; the
 * server compares count and amount before it pays (SELECTION_CHANGED).
 */
export function reconcile<Filter>(
  selection: Selection<Filter>,
  owners: readonly SelectableOwner[],
  matching: Matching,
): Reconciled<Filter> {
  if (selection.mode === 'none') return { selection, dropped: 0 };
  if (matching.count === 0) return { selection: { mode: 'none' }, dropped: selectedCount(selection) };
  const remembered = namedIn(selection);
  const onPage = new Set(owners.map(({ id }) => id));
  const current = new Map(
    owners.flatMap(({ id, challans }) =>
      challans.map(
        ({ challanId, netAmountPayable }) => [challanId, { ownerId: id, amount: netAmountPayable }] as const,
      ),
    ),
  );
  const kept = new Map<string, Remembered>();
  const gone = new Set<string>();
  for (const challanId of selection.mode === 'ids' ? remembered.keys() : excludedIds(selection)) {
    const memory = remembered.get(challanId);
    const now = current.get(challanId) ?? (memory && onPage.has(memory.ownerId) ? undefined : memory);
    if (now) kept.set(challanId, now);
    else gone.add(challanId);
  }
  if (selection.mode === 'ids') return { selection: byIds(kept), dropped: gone.size };
  return { selection: { ...selection, matching, exclusions: kept, setAside: gone }, dropped: gone.size };
}

/** The body of the payment call (docs/specification.md §14.10). */
export type PaymentRequest<Filter> =
  | { by: 'ids'; challanIds: string[] }
  | { by: 'filter'; filters: Filter; excludeChallanIds: string[]; expected: { count: number; totalAmount: string } };

/** null: nothing is selected. */
export const paymentRequest = <Filter>(selection: Selection<Filter>): PaymentRequest<Filter> | null =>
  selectedCount(selection) === 0 ? null : requestOf(selection);

/** The same, also where every challan is taken out by hand. */
export function requestOf<Filter>(selection: Selection<Filter>): PaymentRequest<Filter> {
  if (selection.mode !== 'allMatching') return { by: 'ids', challanIds: [...namedIn(selection).keys()] };
  return {
    by: 'filter',
    filters: selection.filter,
    excludeChallanIds: excludedIds(selection),
    expected: { count: selectedCount(selection), totalAmount: selectedAmount(selection) },
  };
}

/** The server's answer about a selection: what it covers now, and the challans that it names as they are now. */
export interface ReviewedSelection {
  readonly count: number;
  readonly totalAmount: string;
  readonly challans: readonly (SelectableChallan & { readonly ownerId: string })[];
}

/**
 * The selection after the server has reviewed it. Challans that can no longer be paid are dropped, exclusions are set aside
 * instead, and amounts are up to date.
 */
export function afterReview<Filter>(selection: Selection<Filter>, review: ReviewedSelection): Selection<Filter> {
  if (selection.mode === 'none' || review.count === 0) return { mode: 'none' };
  const named = new Map(
    review.challans.map(({ challanId, ownerId, netAmountPayable }) => [
      challanId,
      { ownerId, amount: netAmountPayable },
    ]),
  );
  if (selection.mode === 'ids') return byIds(named);
  const matching = {
    count: review.count + named.size,
    amount: add(review.totalAmount, amountOf(named)),
  };
  const setAside = new Set(excludedIds(selection).filter((challanId) => !named.has(challanId)));
  return { ...selection, matching, exclusions: named, setAside };
}

/** A selection as the browser stores it: ids and amounts by owner, and no names. */
export interface KeptSelection {
  mode: 'ids' | 'allMatching';
  challans: Record<string, [challanId: string, amount: string][]>;
  matching?: Matching;
  setAside?: string[];
}

/** The selection in the form that is stored. undefined: nothing is selected. */
export function keptOf<Filter>(selection: Selection<Filter>): KeptSelection | undefined {
  if (selection.mode === 'none') return undefined;
  const challans: KeptSelection['challans'] = {};
  for (const [challanId, { ownerId, amount }] of namedIn(selection))
    (challans[ownerId] ??= []).push([challanId, amount]);
  if (selection.mode === 'ids') return { mode: 'ids', challans };
  const { matching, setAside } = selection;
  return { mode: 'allMatching', challans, matching, ...(setAside.size > 0 && { setAside: [...setAside] }) };
}

/** A stored selection as a selection again, with the filter that it was made under. */
export function selectionOf<Filter>(kept: KeptSelection, filter: Filter): Selection<Filter> {
  const named = new Map(
    Object.entries(kept.challans).flatMap(([ownerId, own]) =>
      own.map(([challanId, amount]) => [challanId, { ownerId, amount }] as const),
    ),
  );
  if (kept.mode === 'ids') return byIds(named);
  const { matching = { count: 0, amount: '0.00' }, setAside = [] } = kept;
  return { mode: 'allMatching', filter, matching, exclusions: named, setAside: new Set(setAside) };
}
