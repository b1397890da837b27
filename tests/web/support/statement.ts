import { dayOf } from '../../../src/shared/calc/dates.ts';
import { add, isNegative, subtract, sum } from '../../../src/shared/calc/money.ts';
import type { PaymentResult, StatementChallan, StatementOwner } from '../../../src/shared/contract/bank-statement.ts';
import type { AnswerOf } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans, buildOwner as buildRecord, buildPayment, coal, idOf } from './builders.ts';
import { refusal, type Call } from './fake-server.ts';
import { paged } from './kept.ts';
import { fakeServer, type Desk } from './records.ts';

/** The bank statement: owners with their unpaid challans, and what a payment makes of them. */

export const { list, listOwners, exportCsv, exportXlsx, review, markPaid, markMatchingPaid } = contract.bankStatement;
export const { reverse } = contract.paymentBatches;

export type StatementDesk = Desk & {
  /** Who is owed something now. A test changes it as another session would. */
  owners: StatementOwner[];
  /** What the next payments answer besides; by default the file comes with the answer. */
  result: Partial<PaymentResult>;
  /** The account's largest payment of the last weeks. */
  largestPayment: string | null;
  /** Why a second person has to release a payment. */
  needsRelease: string | null;
  /** The loads of the statement, of the challans of expanded owners, and of its files. */
  lists: () => Call[];
  details: () => Call[];
  files: () => Call[];
  payments: () => Call[];
  reversals: () => Call[];
};

/** Challan n of ₹(100 × n).50 */
export const buildChallan = (n: number, over: Partial<StatementChallan> = {}): StatementChallan => ({
  challanId: idOf(n),
  challanNumber: `CH-2627-${String(n).padStart(6, '0')}`,
  tpNo: `TP${String(n).padStart(5, '0')}`,
  vehicleNo: `OD09AB${1000 + n}`,
  material: 'Iron ore',
  loadingPlace: 'Joda',
  unloadingPlace: 'Paradip Port',
  loadingDate: '2026-11-14T18:30:00.000Z',
  unloadingDate: '2026-11-15T18:30:00.000Z',
  depositedAt: '2026-11-17T18:30:00.000Z',
  netAmountPayable: `${100 * n}.50`,
  tag: coal,
  holdReason: '',
  paymentStatus: false,
  ...over,
});

const sumOf = (challans: readonly StatementChallan[]): string =>
  sum(challans.map(({ netAmountPayable }) => netAmountPayable));
const challansOf = (owners: readonly StatementOwner[]): StatementChallan[] =>
  owners.flatMap(({ challans }) => challans);
const isFree = ({ holdReason }: Pick<StatementOwner, 'holdReason'>, challan: StatementChallan): boolean =>
  holdReason === '' && challan.holdReason === '';

/** Its figures follow from the challans. */
function figuresOf(owner: Pick<StatementOwner, 'holdReason'>, challans: readonly StatementChallan[]) {
  const held = challans.filter((challan) => !isFree(owner, challan));
  const figures = { unpaidCount: challans.length, unpaidAmount: sumOf(challans) };
  return { ...figures, heldCount: held.length, heldAmount: sumOf(held) };
}

/** Owner m with the challans of these numbers, or with those of `over`. */
export function buildOwner(m: number, numbers: readonly number[], over: Partial<StatementOwner> = {}): StatementOwner {
  const { challans = numbers.map((n) => buildChallan(n)), holdReason = '' } = over;
  return {
    id: ownerId(m),
    name: `Owner ${m}`,
    contactNumber: `98765432${10 + m}`,
    accountNo: `00012345${m}`,
    ifsc: 'SBIN0001234',
    branchName: 'Joda',
    failedTransfer: null,
    holdReason,
    carriedAmount: '0.00',
    oldestDeposit: '2026-11-18',
    challans,
    ...figuresOf({ holdReason }, challans),
    ...over,
  };
}
export const ownerId = (m: number): string => idOf(900 + m);

/** Ten challans: 1-7 of the first owner, 8 and 9 of the second, 10 of the third. All: 10 challans, ₹5,505.00. */
export const threeOwners = (): StatementOwner[] => [
  buildOwner(1, [1, 2, 3, 4, 5, 6, 7]),
  buildOwner(2, [8, 9]),
  buildOwner(3, [10]),
];
export const twelveOwners = (): StatementOwner[] => Array.from({ length: 12 }, (_, at) => buildOwner(1 + at, [1 + at]));

type Passes = (challan: StatementChallan, owner: StatementOwner) => boolean;
/** These owners with those of their challans that pass, as far as any does. */
export const only = (owners: readonly StatementOwner[], passes: Passes): StatementOwner[] =>
  owners
    .map((owner) => {
      const challans = owner.challans.filter((challan) => passes(challan, owner));
      return { ...owner, challans, ...figuresOf(owner, challans) };
    })
    .filter(({ challans }) => challans.length > 0);

interface Filter {
  ownerId?: string | undefined;
  tagId?: string | undefined;
  depositedStartDate?: string | undefined;
  depositedEndDate?: string | undefined;
}
const matching = (owners: readonly StatementOwner[], filter: Filter): StatementOwner[] =>
  only(owners, (row, owner) => {
    const { tagId, depositedStartDate: from, depositedEndDate: to } = filter;
    const day = row.depositedAt === null ? '' : dayOf(row.depositedAt);
    const isTagged = !tagId || (row.tag?.id ?? 'none') === tagId;
    const isOwn = !filter.ownerId || owner.id === filter.ownerId;
    return isOwn && isTagged && (!from || day >= from) && (!to || (day !== '' && day <= to));
  });

const isNegativeOwner = ({ unpaidAmount, carriedAmount }: StatementOwner): boolean =>
  isNegative(subtract(unpaidAmount, carriedAmount));

function negativeOwnersOf(owners: readonly StatementOwner[]) {
  const negative = owners.filter(isNegativeOwner);
  const carriedOf = (some: readonly StatementOwner[]): string => sum(some.map(({ carriedAmount }) => carriedAmount));
  return {
    negativeOwnerCount: negative.length,
    negativeOwners: negative.map(({ id, name, unpaidCount, unpaidAmount, carriedAmount }) => ({
      id,
      name,
      challanCount: unpaidCount,
      amount: subtract(unpaidAmount, carriedAmount),
      owes: subtract(carriedAmount, unpaidAmount),
      carriedAmount,
    })),
    negativeChallanCount: challansOf(negative).length,
    negativeAmount: sumOf(challansOf(negative)),
    negativeCarriedAmount: carriedOf(negative),
    deductedAmount: carriedOf(owners.filter((owner) => !isNegativeOwner(owner))),
  };
}

/** The page of these owners that is asked for, with everything that is shown of the challans. */
export function statementPage(
  owners: readonly StatementOwner[],
  query: Filter & { page: number; limit: number } = list.query.parse({}),
): AnswerOf<typeof list> {
  const found = matching(owners, query);
  const { data, pagination } = paged(found, query);
  const open = only(found, (challan, owner) => isFree(owner, challan));
  const paid = payable(found, { paysNegative: false, carries: [] });
  const summary = {
    matching: { count: challansOf(open).length, amount: sumOf(challansOf(open)) },
    payment: { count: paid.ids.length, amount: paid.totalAmount },
    totalOwners: found.length,
    totalChallans: challansOf(found).length,
    totalUnpaidAmount: sumOf(challansOf(found)),
    heldCount: found.reduce((count, { heldCount }) => count + heldCount, 0),
    heldAmount: sum(found.map(({ heldAmount }) => heldAmount)),
    ...negativeOwnersOf(found),
  };
  return { data: { owners: data, summary }, pagination };
}

/** The payment that every payment of a test is. */
export const batch = buildPayment(12);
export const csvOfPayment = {
  content: '\uFEFFOwner\r\nOwner 1\r\n',
  filename: 'payment_PAY-1.csv',
  contentType: 'text/csv',
};

interface Choice {
  paysNegative: boolean;
  carries: { ownerId: string; amount: string }[];
}
/**
 * What a payment of these owners covers: nothing on hold, and no owner whose sum is negative unless it is asked for. Its sum
 * is less what was carried; what is carried on brings an owner to nothing.
 */
function payable(owners: readonly StatementOwner[], { paysNegative, carries }: Choice) {
  const paid = only(
    owners.filter(
      (owner) => paysNegative || !isNegativeOwner(owner) || carries.some(({ ownerId: id }) => id === owner.id),
    ),
    (challan, owner) => isFree(owner, challan),
  );
  const carried = sum(carries.map(({ amount }) => amount));
  const deducted = sum(paid.map(({ carriedAmount }) => carriedAmount));
  const ids = challansOf(paid).map(({ challanId }) => challanId);
  return { ids, totalAmount: subtract(add(sumOf(challansOf(paid)), carried), deducted) };
}

/** The server with these owners' unpaid challans. */
export function statementDesk(owners: StatementOwner[] = threeOwners()): StatementDesk {
  const server = fakeServer({
    // Some other challan, which was paid long ago.
    challans: buildChallans(1),
    owners: owners.map(({ id, name, contactNumber }) => buildRecord(1, { id, name, contactNumber })),
  });
  const desk: StatementDesk = Object.assign(server, {
    owners,
    result: {},
    largestPayment: null,
    needsRelease: null,
    lists: () => server.calls(listOwners),
    details: () => server.calls(list),
    files: () => server.calls(exportCsv, exportXlsx),
    payments: () => server.calls(markPaid, markMatchingPaid),
    reversals: () => server.calls(reverse),
  });
  const pay = ({ ids, totalAmount }: ReturnType<typeof payable>, skippedCount: number): { data: PaymentResult } => {
    desk.owners = only(desk.owners, ({ challanId }) => !ids.includes(challanId));
    const data: PaymentResult = {
      batchId: ids.length === 0 ? null : batch.id,
      number: ids.length === 0 ? null : batch.number,
      updatedCount: ids.length,
      skippedCount,
      negativeCount: 0,
      totalAmount,
      paymentStatus: true,
      challanIds: ids,
      timestamp: batch.createdAt,
      appliedFilters: null,
      csv: csvOfPayment,
      ...desk.result,
    };
    return { data };
  };
  const { serve } = desk;
  serve(listOwners, ({ query }) => statementPage(desk.owners, query));
  serve(list, ({ query }) => statementPage(desk.owners, query));
  serve(exportCsv, () => ({ name: 'bank_statement_2026-11-20.csv', text: '\uFEFFOwner\r\nOwner 1\r\n' }));
  serve(exportXlsx, () => ({ name: 'bank_statement_2026-11-20.xlsx', text: 'PK' }));
  serve(review, ({ body: { filters, challanIds, excludeChallanIds, ...choice } }) => {
    const ids = challanIds ?? excludeChallanIds;
    const isNamed = ({ challanId }: StatementChallan): boolean => ids.includes(challanId);
    const found = matching(desk.owners, filters);
    const covered = only(found, (row, owner) => isNamed(row) === (challanIds !== undefined) && isFree(owner, row));
    const named = found.flatMap(({ id, challans }) =>
      challans.filter(isNamed).map(({ challanId, netAmountPayable }) => ({ challanId, ownerId: id, netAmountPayable })),
    );
    const failedOwners = covered.flatMap(({ id, name, failedTransfer }) =>
      failedTransfer === null ? [] : [{ id, name, failedTransfer }],
    );
    const paid = payable(covered, choice);
    const isPaid = ({ challanId }: StatementChallan): boolean => paid.ids.includes(challanId);
    const left = only(covered, (row) => !isPaid(row));
    const notPaid = challansOf(found).filter((row) => !isPaid(row) && row.holdReason === '');
    const paidOwners = only(covered, isPaid);
    const data = {
      payment: {
        count: paid.ids.length,
        amount: paid.totalAmount,
        ownerCount: paidOwners.length,
        deductedAmount: sum(paidOwners.map(({ carriedAmount }) => carriedAmount)),
        carriedAmount: sum(choice.carries.map(({ amount }) => amount)),
        leftOutCount: challansOf(left).length,
        leftOutOwnerCount: left.length,
      },
      notPaid: { count: notPaid.length, amount: sumOf(notPaid) },
      count: challansOf(covered).length,
      totalAmount: sumOf(challansOf(covered)),
      ownerCount: covered.length,
      ...negativeOwnersOf(covered),
      challans: named,
      paid: [],
      // What left the desk has been paid.
      paidCount: ids.length - named.length,
      goneCount: 0,
      heldCount: 0,
      heldMatchingCount: found.reduce((count, { heldCount }) => count + heldCount, 0),
      largestPayment: desk.largestPayment,
      needsRelease: desk.needsRelease,
      changedAccounts: [],
      incompleteOwnerCount: 0,
      incompleteOwners: [],
      failedOwnerCount: failedOwners.length,
      failedOwners,
    };
    return { data };
  });
  serve(markPaid, ({ body }) => {
    const chosen = only(desk.owners, ({ challanId }) => body.challanIds.includes(challanId));
    return pay(payable(chosen, body), body.challanIds.length - challansOf(chosen).length);
  });
  serve(markMatchingPaid, ({ body }) => {
    const chosen = only(matching(desk.owners, body.filters), (row) => !body.excludeChallanIds.includes(row.challanId));
    const found = payable(chosen, body);
    const now = { count: found.ids.length, totalAmount: found.totalAmount };
    const { expected = now } = body;
    return expected.count === now.count && expected.totalAmount === now.totalAmount
      ? pay(found, 0)
      : refusal('SELECTION_CHANGED', 'The matching challans have changed', { data: now });
  });
  serve(reverse, () => {
    const reversedCount = challansOf(owners).length - challansOf(desk.owners).length;
    desk.owners = owners;
    return { data: { ...batch, reversedCount, reversedAmount: '0.00' } };
  });
  serve(contract.paymentBatches.exportCsv, () => ({ name: 'payment_large.csv', text: '\uFEFFOwner\r\n' }));
  return desk;
}
