import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import type { Endpoint } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { loadSampleData } from '../../../src/sample-data/load.ts';
import { closeSampleMonth } from '../../../src/sample-data/month-end.ts';
import { fillSampleOffice } from '../../../src/sample-data/office.ts';
import { SampleData } from '../../../src/sample-data/sample-data.ts';
import { freshDatabase } from '../database.ts';
import { startApi, type Api, type CallOptions } from '../support/api.ts';
import { assertLedger, assertTotals } from '../support/ledger.ts';

/** What `npm run demo` makes, of the smaller size. */
const now = new Date();
const today = dayOf(now);
const sample = { size: 'S', seed: 1, asOf: today } as const;
const { tenants } = new SampleData(sample);

let api: Api;
let as: CallOptions;
let other: CallOptions;
/** What the calls of some lists name. */
let named: { bankAccountId: string; ownerId: string; personId: string };

beforeAll(async () => {
  const database = await freshDatabase();
  api = await startApi({ database });
  const [business] = tenants;
  if (!business) throw new Error('There are businesses');
  await loadSampleData(database.url, sample);
  await closeSampleMonth(database.url, database.appUrl, business, now);
  await fillSampleOffice(database.url, database.appUrl, tenants, now);
  const [first, second] = await Promise.all(
    tenants.map(({ email, password }) => api.call(contract.session.loginSubadmin, { body: { email, password } })),
  );
  [as, other] = [{ token: first?.body.token ?? '' }, { token: second?.body.token ?? '' }];
  const [accounts, reports] = await Promise.all([
    api.call(contract.bankAccounts.list, { query: {} }, as),
    api.call(contract.sharedReports.list, { query: {} }, as),
  ]);
  named = {
    bankAccountId: accounts.body.data.find(({ layout }) => layout === 'B')?.id ?? '',
    ownerId: reports.body.data[0]?.ownerId ?? '',
    personId: business.id,
  };
}, 120_000);

afterAll(() => api?.close());

/** What the calls of these lists say beside the page. */
const queries: Readonly<Record<string, () => Record<string, string>>> = {
  'challans.findByNumber': () => ({ q: '0001' }),
  'challanGroups.list': () => ({ groupBy: 'owner' }),
  'paymentBatches.findByNumber': () => ({ q: '0001' }),
  'bankAnswers.proposals': () => ({ bankAccountId: named.bankAccountId }),
  'bankAnswers.listStatementLines': () => ({ bankAccountId: named.bankAccountId }),
  'accounting.listOwnerPayments': () => ({ ownerId: named.ownerId }),
  'accounting.listOwnerChallans': () => ({ ownerId: named.ownerId }),
  'ownerStatements.list': () => ({ ownerId: named.ownerId }),
  'monthPacks.checks': () => ({ month: addDays(today, -31).slice(0, 7) }),
  'activity.listEntries': () => ({ personId: named.personId, day: today }),
};
/** What a person has arranged is no record. */
const without = ['preferences.list'];

const lists = Object.entries<Record<string, Endpoint>>(contract).flatMap(([resource, endpoints]) =>
  Object.entries(endpoints).flatMap(([name, endpoint]) => {
    const { answer, method, path } = endpoint;
    const isList = answer instanceof z.ZodObject && answer.shape.data instanceof z.ZodArray;
    const list = `${resource}.${name}`;
    return method === 'GET' && isList && !path.includes('{') && !without.includes(list) ? [{ list, endpoint }] : [];
  }),
);

describe('the demo', () => {
  it.each(lists)('has a record in $list', async ({ list, endpoint: { path, when } }) => {
    const search = new URLSearchParams({ ...queries[list]?.(), ...when });
    const isOfAdmin = path.startsWith('/admin/') || path === contract.subadmins.list.path;
    const caller = isOfAdmin ? { token: api.adminToken } : as;
    const { status, text, body } = await api.callRaw('GET', `/api${path}?${search.toString()}`, caller);
    expect(status, text.slice(0, 300)).toBe(200);
    expect(body.data).not.toEqual([]);
  });

  it('has each state of a payment on its way', async () => {
    const [file] = (await api.call(contract.bankFiles.list, { query: {} }, as)).body.data;
    expect(file).toMatchObject({ inFileCount: 4, executedCount: 4, failedCount: 1, returnedCount: 1 });
    const states = async (show: 'open' | 'done') =>
      (await api.call(contract.preparedPayments.list, { query: { show } }, as)).body.data.map(
        ({ state, cannotRelease }) => [state, cannotRelease === null],
      );
    expect(await states('open')).toEqual([['prepared', true]]);
    expect(await states('done')).toEqual([['sent-back', false]]);
    const query = { bankAccountId: named.bankAccountId };
    const { counts } = (await api.call(contract.bankAnswers.proposals, { query }, as)).body;
    expect(counts).toMatchObject({ sure: 1, others: 2 });
  });

  it('says something in each line of today', async () => {
    const since = addDays(today, -2);
    const { data } = (await api.call(contract.today.get, { query: { since: `${since}T00:00:00Z` } }, as)).body;
    expect(data.yesterday?.usual?.count).toBeGreaterThan(0);
    expect(data.waiting).toEqual({ releases: 1, prepared: 1, owners: 1, bankAccounts: 1 });
    expect(data.bank).toMatchObject({ noAnswer: { count: 4 }, failed: { count: 1 }, returned: { count: 1 } });
    expect(data.hsd.bills.count).toBeGreaterThan(0);
    expect(data.notDeposited.count).toBeGreaterThan(0);
    expect(data.changes?.challans.people).toContain('Ranjit Behera');
    expect(data.changes?.payments.people).toEqual(['Sasmita Nayak']);
  });

  it('has a pump’s bill with what agrees, what is verified and what differs', async () => {
    // The rows of the bill are of two months, and each month is a line.
    const lines = (await api.call(contract.hsdVerification.listLedger, { query: {} }, as)).body.data;
    for (const name of ['verifiedAmount', 'openAmount', 'disputedAmount'] as const)
      expect(lines.map((line) => line[name])).not.toEqual(lines.map(() => '0.00'));
  });

  it('has owners on hold, carried, with an opening balance, and copied in both directions', async () => {
    const query = { limit: 100 };
    const owners = (await api.call(contract.accounting.listOwners, { query }, as)).body.data;
    expect(owners.filter(({ holdReason }) => holdReason !== '')).toHaveLength(1);
    expect(owners.filter(({ carriedAmount }) => carriedAmount !== '0.00')).toHaveLength(1);
    expect(owners.filter(({ openingBalance }) => openingBalance !== '0.00')).toHaveLength(3);
    for (const caller of [as, other]) {
      const { data } = (await api.call(contract.owners.getCopiedByOthers, {}, caller)).body;
      expect(data.count).toBe(3);
    }
  });

  it('keeps the invariants of the ledger', async () => {
    for (const { id, email, password, bannerName } of tenants) {
      const tenant = { id, email, password, bannerName, token: '' };
      await api.inTenant(tenant, assertLedger);
      await api.inTenant(tenant, assertTotals);
    }
  });
});
