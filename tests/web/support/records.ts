import { dayOf } from '../../../src/shared/calc/dates.ts';
import { sum } from '../../../src/shared/calc/money.ts';
import { canDeleteOwner, canDeleteTag, reasonOf } from '../../../src/shared/access.ts';
import { understoodFilters, type OwnerAccount, type OwnerSummary } from '../../../src/shared/contract/accounting.ts';
import {
  alwaysListed,
  type Challan,
  type ListedChallan,
  type ChallanSummary,
} from '../../../src/shared/contract/challan.ts';
import type { QueryOf } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { CopyAllowance, Owner, OwnerCard } from '../../../src/shared/contract/owners.ts';
import type { PetrolPump } from '../../../src/shared/contract/petrol-pumps.ts';
import type { Tag } from '../../../src/shared/contract/tags.ts';
import type { Truck } from '../../../src/shared/contract/trucks.ts';
import type { ChallanFilter } from '../../../src/shared/filters/challan-filters.ts';
import { buildOwner, buildPump, buildTag, buildTruck, coal, idOf, otherOwner, owner, pump } from './builders.ts';
import { keepGroups } from './groups.ts';
import { keepHsd, someHsd, type HsdBooks } from './hsd.ts';
import { keepImports, noImports, type ImportBooks } from './imports.ts';
import { emptiest, emptyServer, refusal, type FakeServer } from './fake-server.ts';
import { add, byName, change, find, holds, nextId, paged, searched, take } from './kept.ts';
import { keepAccounts, noAccounts, type AccountBooks } from './account-records.ts';
import { someFigures, serveFigures, type Figures } from './dashboard-figures.ts';

/** What the fake server keeps: plain records, which a test gives it and looks at. */
export interface Books extends AccountBooks, Figures, HsdBooks, ImportBooks {
  challans: Challan[];
  owners: Owner[];
  trucks: Truck[];
  tags: Tag[];
  petrolPumps: PetrolPump[];
  /** Owners of other businesses. */
  cards: OwnerCard[];
  /** How many owners may still be copied today. */
  copying: CopyAllowance;
  /** No roll-up has the sums of any filter, so they are asked for after the rows. */
  isCountedLater: boolean;
  /** False: the admin has switched the directory of owners off. */
  isDirectoryOn: boolean;
  /** Challans per owner or tag, as its usage counts them. */
  uses: Map<string, number>;
  /** What owners are owed and were paid; of the others nothing. */
  accounts: Map<string, Partial<OwnerAccount>>;
  /** What the account has arranged, by key. */
  preferences: Map<string, string>;
}

export type Desk = FakeServer & { books: Books };

/** The fake server with these records. Without any it has what the challans of `buildChallan` name. */
export function fakeServer(over: Partial<Books> = {}): Desk {
  const books: Books = {
    challans: [],
    owners: [owner, otherOwner].map((named) => buildOwner(1, named)),
    trucks: [],
    tags: [buildTag(1, coal)],
    petrolPumps: [buildPump(1, pump)],
    cards: [],
    copying: { perDay: 100, left: 100 },
    isCountedLater: false,
    isDirectoryOn: true,
    uses: new Map(),
    accounts: new Map(),
    preferences: new Map(),
    ...someFigures(),
    ...someHsd(),
    ...noImports(),
    ...noAccounts(),
    ...over,
  };
  const desk = Object.assign(emptyServer(), { books });
  const kept = [keepChallans, keepOwnerChallans, keepOwners, keepTrucks, keepTags, keepPumps, keepPreferences];
  for (const keep of [...kept, answerPalette, keepAccounts, serveFigures, keepHsd, keepImports]) keep(desk);
  return desk;
}

function keepOwners({ serve, books }: Desk): void {
  const calls = contract.owners;
  serve(contract.declarations.ofOwner, () => ({ data: [], noticeDays: 30 }));
  serve(contract.preparedPayments.listAccounts, () => ({ data: [] }));
  serve(contract.preparedPayments.list, ({ query }) => paged([], query));
  const withTrucks = (item: Owner) => {
    const trucks = books.trucks.filter(({ ownerId }) => ownerId === item.id);
    return { ...item, trucks, trucksCount: trucks.length, declaration: null };
  };
  const whyKept = (item: Owner) => reasonOf(canDeleteOwner(item, books.uses.get(item.id) ?? 0));
  serve(calls.list, ({ query }) => {
    const { data, pagination } = paged(byName(books.owners, query.sortOrder), query);
    const rows = data.map((item) => ({ owner: item, ...withTrucks(item) }));
    return { data: rows, pagination, meta: { totalTrucks: books.trucks.length } };
  });
  serve(calls.search, ({ query }) => {
    const found = books.owners.filter((item) =>
      holds(item.name + item.contactNumber + item.panNo + item.accountNo, query.q),
    );
    return searched(found.map(withTrucks), query);
  });
  serve(calls.get, ({ params }) => ({ data: withTrucks(find('Owner', books.owners, params.id)) }));
  serve(calls.usage, ({ params }) => {
    const canDelete = whyKept(find('Owner', books.owners, params.id)) === undefined;
    return { data: { usage: { totalChallans: books.uses.get(params.id) ?? 0, canDelete } } };
  });
  serve(calls.create, ({ body }) => add(books.owners, buildOwner(0, { ...body, id: nextId(books.owners, 0) })));
  serve(calls.update, ({ params, body }) => change('Owner', find('Owner', books.owners, params.id), body));
  serve(calls.setHold, ({ params, body: { reason, version } }) => {
    const held = { holdReason: reason, version };
    return change('Owner', find('Owner', books.owners, params.id), held);
  });
  serve(calls.remove, ({ params }) => {
    const reason = whyKept(find('Owner', books.owners, params.id));
    if (reason) return refusal('OWNER_IN_USE', reason);
    books.trucks = books.trucks.filter(({ ownerId }) => ownerId !== params.id);
    return take('Owner', books.owners, params.id);
  });
  serve(calls.listAllSystem, ({ query }) => ({
    ...paged(
      books.cards.filter((card) => holds(card.name + card.currentSubAdmin.bannerName, query.search)),
      query,
    ),
    meta: { copying: books.copying, isDirectoryOn: books.isDirectoryOn },
  }));
  serve(calls.listCopied, ({ query }) => copiedPage(query, 'desk@balaji.test'));
  serve(calls.listAllCopied, ({ query }) => copiedPage(query, 'admin'));
  serve(calls.copy, ({ body }) => {
    const copied = books.cards.filter((card) => body.ownerIds.includes(card.id));
    const trucks = copied.reduce((count, card) => count + card.trucksCount, 0);
    return { meta: { totalOwnersCopied: copied.length, totalTrucksCopied: trucks, errors: [] } };
  });
  // In the order of their names, whatever is asked for: the server sorts.
  serve(contract.accounting.listOwners, ({ query }) => {
    const found = byName(books.owners).filter((item) => holds(item.name + item.contactNumber, query.search));
    const all = found.map((item) => buildAccount(item, books));
    const summary = {
      totalTrucks: all.reduce((count, row) => count + row.trucksCount, 0),
      unpaidCount: all.reduce((count, row) => count + row.unpaidCount, 0),
      unpaidAmount: sum(all.map((row) => row.unpaidAmount)),
      carriedAmount: sum(all.map((row) => row.carriedAmount)),
      openingBalance: sum(all.map((row) => row.openingBalance)),
      paidThisMonth: sum(all.map((row) => row.paidThisMonth)),
    };
    if (query.asOn === undefined) return { ...paged(all, query), summary };
    // As if nothing had been paid or recorded since.
    const onDay = all.map((row) => ({ ...row, balanceAsOn: row.unpaidAmount }));
    return { ...paged(onDay, query), summary: { ...summary, balanceAsOn: summary.unpaidAmount } };
  });
}

/** What one business copied of another, as the lists of both roles have it. */
const copiedPage = (query: { page: number; limit: number }, by: string) =>
  paged(
    [
      {
        id: idOf(3001),
        name: 'Asha Roadlines',
        from: 'Maa Tarini Transport',
        to: 'Shree Balaji Carriers',
        copiedAt: '2026-11-20T05:30:00.000Z',
        by,
      },
    ],
    query,
  );

const noMoney = {
  unpaidCount: 0,
  unpaidAmount: '0.00',
  carriedAmount: '0.00',
  openingBalance: '0.00',
  oldestDue: null,
  lastPaidOn: null,
  paidThisMonth: '0.00',
  payments: [],
};

function buildAccount({ id, name, contactNumber, address, holdReason, createdAt }: Owner, books: Books) {
  const trucksCount = books.trucks.filter(({ ownerId }) => ownerId === id).length;
  const own = books.accounts.get(id) ?? {};
  return { id, name, contactNumber, address, holdReason, createdAt, trucksCount, ...noMoney, ...own };
}

const plate = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

function keepTrucks({ serve, books }: Desk): void {
  const calls = contract.trucks;
  serve(calls.list, ({ query }) => paged(books.trucks, query));
  serve(calls.search, ({ query }) =>
    searched(
      books.trucks.filter((item) => holds(item.truckNumber + item.owner.name, query.q)),
      query,
    ),
  );
  serve(calls.lookUp, ({ params }) => {
    const truck = books.trucks.find(({ truckNumber }) => plate(truckNumber) === plate(params.vehicleNumber));
    if (!truck) return refusal('NOT_FOUND', 'Vehicle not found');
    const { id, name, contactNumber } = find('Owner', books.owners, truck.ownerId);
    const { truckNumber, typeOfVehicle, noOfWheels } = truck;
    return { data: { owner: { id, name, contactNumber }, vehicle: { truckNumber, typeOfVehicle, noOfWheels } } };
  });
  serve(calls.create, ({ body: { typeOfVehicle = '', ...input } }) => {
    const named = books.owners.find(({ id }) => id === input.ownerId);
    if (!named) return refusal('INVALID_REFERENCE', 'Please select an owner');
    return add(books.trucks, buildTruck(0, named, { ...input, typeOfVehicle, id: nextId(books.trucks, 100) }));
  });
  serve(calls.update, ({ params, body }) => change('Truck', find('Truck', books.trucks, params.id), body));
  serve(calls.remove, ({ params }) => take('Truck', books.trucks, params.id));
}

function keepTags({ serve, books }: Desk): void {
  const calls = contract.tags;
  const whyKept = (item: Tag) => reasonOf(canDeleteTag(item, books.uses.get(item.id) ?? 0));
  serve(calls.list, ({ query }) =>
    paged(
      byName(
        books.tags.filter(({ name }) => holds(name, query.search)),
        query.sortOrder,
      ),
      query,
    ),
  );
  serve(calls.get, ({ params }) => ({ data: find('Tag', books.tags, params.id) }));
  serve(calls.usage, ({ params }) => {
    const canDelete = whyKept(find('Tag', books.tags, params.id)) === undefined;
    const totalChallans = books.uses.get(params.id) ?? 0;
    return { data: { usage: { totalChallans, paidChallans: totalChallans, unpaidChallans: 0, canDelete } } };
  });
  serve(calls.create, ({ body: { description = '', ...input } }) =>
    add(books.tags, buildTag(0, { ...input, description, id: nextId(books.tags, 200) })),
  );
  serve(calls.update, ({ params, body }) => change('Tag', find('Tag', books.tags, params.id), body));
  serve(calls.remove, ({ params }) => {
    const reason = whyKept(find('Tag', books.tags, params.id));
    return reason ? refusal('TAG_IN_USE', reason) : take('Tag', books.tags, params.id);
  });
}

function keepPumps({ serve, books }: Desk): void {
  const calls = contract.petrolPumps;
  serve(calls.list, ({ query }) =>
    paged(
      books.petrolPumps.filter(({ name }) => holds(name, query.search)),
      query,
    ),
  );
  serve(calls.get, ({ params }) => ({ data: find('Petrol pump', books.petrolPumps, params.id) }));
  serve(calls.create, ({ body }) =>
    add(books.petrolPumps, buildPump(0, { ...body, id: nextId(books.petrolPumps, 300) })),
  );
  serve(calls.update, ({ params, body }) =>
    change('Petrol pump', find('Petrol pump', books.petrolPumps, params.id), body),
  );
  serve(calls.remove, ({ params }) => take('Petrol pump', books.petrolPumps, params.id));
}

/** Those that a filter names, as far as the tests use it. */
export function matching(challans: readonly Challan[], filter: ChallanFilter): Challan[] {
  const { tpNo, paymentStatus, tagId, ownerId, vehicleNo, netFrom, netTo } = filter;
  const within = (at: string | null, from: string | undefined, to: string | undefined): boolean =>
    (!from && !to) || (at !== null && (!from || dayOf(at) >= from) && (!to || dayOf(at) <= to));
  return challans.filter(
    (row) =>
      holds(row.tpNo, tpNo) &&
      (paymentStatus === undefined || row.paymentStatus === paymentStatus) &&
      (!tagId || (row.tag?.id ?? 'none') === tagId) &&
      (!ownerId || row.owner.id === ownerId) &&
      holds(row.vehicleNo, vehicleNo) &&
      (!netFrom || Number(row.netAmountPayable) >= Number(netFrom)) &&
      (!netTo || Number(row.netAmountPayable) <= Number(netTo)) &&
      within(row.paidAt, filter.paidStartDate, filter.paidEndDate) &&
      within(row.depositedAt, filter.depositedStartDate, filter.depositedEndDate),
  );
}

function summaryOf(rows: readonly Challan[]): ChallanSummary {
  const total = (list: readonly Challan[]): string => sum(list.map((row) => row.netAmountPayable));
  const paid = rows.filter((row) => row.paymentStatus);
  const unpaid = rows.filter((row) => !row.paymentStatus);
  return {
    totalCount: rows.length,
    totalAmount: total(rows),
    paidCount: paid.length,
    paidAmount: total(paid),
    unpaidCount: unpaid.length,
    unpaidAmount: total(unpaid),
  };
}

/** A page of challans, the newest first. */
function challanPage(challans: readonly Challan[], query: QueryOf<typeof contract.challans.list>) {
  const rows = matching(challans, query);
  return { ...paged(query.sortOrder === 'asc' ? rows.toReversed() : rows, query), summary: summaryOf(rows) };
}

/** A challan of a list that was asked for with these fields. */
const listedAs = (challan: Challan, named: readonly string[]): ListedChallan =>
  // Safe: every list has the other fields.
  Object.fromEntries(
    Object.entries(challan).filter(([name]) => named.includes(name) || alwaysListed.some((one) => one === name)),
  ) as ListedChallan;

function keepChallans(desk: Desk): void {
  const { serve, books } = desk;
  keepGroups(desk, (query) => matching(books.challans, query));
  const calls = contract.challans;
  const row = (id: string): Challan => find('Challan', books.challans, id);
  serve(calls.list, ({ query }) => challanPage(books.challans, query));
  serve(calls.listFields, ({ query }) => challanPage(books.challans, query));
  serve(calls.listRows, ({ query }) => {
    const { data, pagination, summary } = challanPage(books.challans, query);
    const { hasNext } = pagination;
    const isLater = books.isCountedLater && hasNext;
    const named = query.fields;
    const rows = named ? data.map((challan) => listedAs(challan, named)) : data;
    return { data: rows, hasNext, pagination: isLater ? null : pagination, summary: isLater ? null : summary };
  });
  serve(calls.getSums, ({ query }) => ({ data: summaryOf(matching(books.challans, query)) }));
  serve(calls.get, ({ params }) => ({ data: row(params.id) }));
  serve(calls.findByNumber, ({ query }) => ({
    data: books.challans.filter(({ challanNumber }) => challanNumber === query.q.toUpperCase()),
  }));
  serve(calls.findDuplicates, () => ({ data: { sameTp: [], sameTrip: [] } }));
  serve(calls.findLastRate, () => ({ data: null }));
  serve(calls.exportCsv, () => ({ name: 'challans_2026-11-20.csv', text: '\uFEFFNo\r\nCH-1\r\n' }));
  serve(calls.exportXlsx, () => ({ name: 'challans_2026-11-20.xlsx', text: 'PK' }));
  serve(contract.tables.write, () => ({ name: 'list_2026-11-20.xlsx', text: 'PK' }));
  serve(calls.setHsdVerified, ({ params, body }) => ({ data: Object.assign(row(params.id), body) }));
  serve(calls.update, ({ params, body: { paymentStatus = false } }) => ({
    data: Object.assign(row(params.id), { paymentStatus }),
    warnings: [],
  }));
  serve(calls.remove, ({ params }) => ({
    ...take('Challan', books.challans, params.id),
    data: { batch: { id: idOf(700), number: 'BATCH-2627-000001' } },
  }));
}

/** The sums of an owner's challans. */
function ownerSummaryOf(rows: readonly Challan[]): OwnerSummary {
  const { totalCount, totalAmount, paidCount, paidAmount, unpaidCount, unpaidAmount } = summaryOf(rows);
  return {
    totalCount,
    totalPayableAmount: totalAmount,
    totalPaidAmount: paidAmount,
    totalUnpaidAmount: unpaidAmount,
    totalTds: sum(rows.map((row) => row.tdsAmount)),
    paidCount,
    unpaidCount,
  };
}

export const waLink = 'https://wa.me/919876543210?text=Total%20%E2%82%B91%2C00%2C000.00';

function keepOwnerChallans({ serve, books }: Desk): void {
  const calls = contract.accounting;
  serve(calls.listOwnerChallans, ({ query }) => {
    find('Owner', books.owners, query.ownerId);
    const rows = matching(books.challans, query);
    const { page: _page, limit: _limit, ...asked } = query;
    // Every filter is there, null where it was not given.
    const filters = { ...emptiest(understoodFilters), ...asked };
    return {
      ...paged(query.sortOrder === 'asc' ? rows.toReversed() : rows, query),
      meta: { summary: ownerSummaryOf(rows), filters },
    };
  });
  serve(calls.listOwnerPayments, ({ query }) => {
    const { id, name, contactNumber, holdReason } = find('Owner', books.owners, query.ownerId);
    const summary = { challanCount: 0, amount: '0.00', paidCount: 0, paidAmount: '0.00' };
    return { ...paged([], query), meta: { owner: { id, name, contactNumber, holdReason } }, summary };
  });
  const paid = { updatedCount: 0, totalAmount: '0.00', paidCount: 0, paidAmount: '0.00' };
  serve(contract.paymentBatches.list, ({ query }) => ({ ...paged([], query), summary: paid }));
  serve(contract.sharedReports.list, ({ query }) => paged([], query));
  serve(calls.exportCsv, () => ({ name: 'owner_challans_Ravi_Kumar_2026-11-20.csv', text: '\uFEFFNo\r\nCH-1\r\n' }));
  serve(calls.shareOnWhatsapp, ({ body }) => {
    const { name } = find('Owner', books.owners, body.ownerId);
    return { data: { whatsappUrl: waLink, ownerName: name, recordCount: books.challans.length } };
  });
}

function keepPreferences({ serve, books: { preferences } }: Desk): void {
  const all = () => [...preferences].map(([key, value]) => ({ key, value, updatedAt: '2026-11-20T10:00:00.000Z' }));
  serve(contract.preferences.list, () => ({ data: all() }));
  serve(contract.preferences.put, ({ body: { key, value } }) => {
    if (value === null) preferences.delete(key);
    else preferences.set(key, value);
    return { data: all().find((one) => one.key === key) ?? null };
  });
}

/** The palette finds what the lists of each resource would. */
function answerPalette({ serve, books }: Desk): void {
  const first = <T>(rows: readonly T[]) => ({ data: rows.slice(0, 5), totalCount: rows.length });
  serve(contract.palette.search, ({ query: { search } }) => {
    const amount = Number(search).toFixed(2);
    const challans = (filter: ChallanFilter) => first(matching(books.challans, filter));
    const isPlate = /[a-z]/i.test(search) && /\d/.test(search);
    const named = <T extends { name: string }>(rows: readonly T[]) =>
      first(rows.filter(({ name }) => holds(name, search)));
    return {
      data: {
        challans: books.challans.filter(({ challanNumber }) => challanNumber === search.toUpperCase()),
        payments: [],
        byTp: { ...challans({ tpNo: search }), isMore: false },
        byAmount: /^\d+(\.\d\d?)?$/.test(search) ? { ...challans({ netFrom: amount, netTo: amount }), amount } : null,
        byVehicle: isPlate ? { ...challans({ vehicleNo: search }), isMore: false } : null,
        trucks: first(books.trucks.filter(({ truckNumber }) => holds(truckNumber, search))),
        owners: named(books.owners),
        tags: named(books.tags),
        petrolPumps: named(books.petrolPumps),
      },
    };
  });
}
