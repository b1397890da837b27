import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payChallans } from '../../../src/server/features/payments/payments.service.ts';
import { addDays } from '../../../src/shared/calc/dates.ts';
import { compare, sum } from '../../../src/shared/calc/money.ts';
import { vehicleKey } from '../../../src/shared/calc/keys.ts';
import type { QueryInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { paymentSortKeys, type PaymentBatch, type PaymentOwner } from '../../../src/shared/contract/payment-batches.ts';
import { testSeed } from '../../calc/seed.ts';
import { callerOf, startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createTag } from '../support/builders.ts';
import { assertLedger } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

/** Payments found by what people have in hand, filtered and sorted, against plain code over all of them. */
const { bankStatement, challans, paymentBatches } = contract;
type Query = QueryInput<typeof paymentBatches.list>;

let api: Api;
let tenant: Tenant;
const as = () => ({ token: tenant.token });

interface Known {
  batch: PaymentBatch;
  owners: PaymentOwner[];
}
let known: Known[] = [];

const list = (query: Query) => api.call(paymentBatches.list, { query }, as());
const owners = (id: string, query: QueryInput<typeof paymentBatches.owners> = {}) =>
  api.call(paymentBatches.owners, { params: { id }, query }, as());

async function readAll(): Promise<Known[]> {
  const { body } = await list({ limit: 100 });
  return Promise.all(
    body.data.map(async (batch) => ({ batch, owners: (await owners(batch.id, { limit: 100 })).body.data })),
  );
}

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  const random = randomOf(testSeed('payments found'));
  const tagId = (await createTag(api, tenant)).id;
  const names = ['Bijay Mohanta', 'abani SAHU', '100% Trans_port', 'Sukanti Naik'];
  const ownerIds: string[] = [];
  for (const name of names) ownerIds.push((await createOwner(api, tenant, { name })).id);
  const made: string[] = [];
  for (let n = 0; n < 40; n += 1) {
    const { id } = await createChallan(
      api,
      tenant,
      { ownerId: random.pick(ownerIds), tagId },
      { tpNo: `KJR/${100 + n}_${random.below(3)}`, vehicleNo: `OD 0${random.below(4)} AB ${1000 + random.below(9)}` },
    );
    made.push(id);
  }
  for (let n = 0; n < 18; n += 1) {
    const act = random.below(4);
    if (act === 0) {
      await api.call(challans.update, { params: { id: random.pick(made) }, body: { paymentStatus: true } }, as());
    } else if (act === 1) {
      const filters = { ownerId: random.pick(ownerIds) };
      await api.call(bankStatement.markMatchingPaid, { body: { filters, paymentStatus: true } }, as());
    } else {
      const challanIds = random.some(made, 1 + random.below(6));
      const { body } = await api.call(bankStatement.markPaid, { body: { challanIds } }, as());
      const { batchId } = body.data;
      if (batchId !== null && random.chance(0.4)) {
        await api.call(paymentBatches.reverse, { params: { id: batchId }, body: { reason: 'Wrong' } }, as());
      } else if (random.chance(0.6)) {
        await api.call(challans.update, { params: { id: challanIds[0]! }, body: { paymentStatus: false } }, as());
      }
    }
  }
  // Whatever the random acts were, there is a payment of each state, and one to two owners.
  for (const state of ['paid', 'partly', 'undone']) {
    const two: string[] = [];
    for (const ownerId of ownerIds.slice(0, 2)) {
      two.push((await createChallan(api, tenant, { ownerId, tagId }, { tpNo: `KJR/2${state}${two.length}` })).id);
    }
    const { body } = await api.call(bankStatement.markPaid, { body: { challanIds: two } }, as());
    if (state === 'partly') {
      await api.call(challans.update, { params: { id: two[0]! }, body: { paymentStatus: false } }, as());
    } else if (state === 'undone') {
      await api.call(paymentBatches.reverse, { params: { id: body.data.batchId! }, body: { reason: 'Wrong' } }, as());
    }
  }
  // Recorded last, of days before: the newest payment is not the one of the newest day.
  for (const paidOn of ['2025-04-03', '2024-12-31', '2025-04-03', '2025-01-15', '2025-02-28']) {
    const { id } = await createChallan(api, tenant, { ownerId: ownerIds[0]!, tagId }, { tpNo: `KJR/3${paidOn}` });
    await api.inTenant(tenant, (db) => payChallans(db, callerOf(tenant), { kind: 'import', challanIds: [id], paidOn }));
  }
  known = await readAll();
  await api.inTenant(tenant, assertLedger);
});
afterAll(() => api.close());

const stateOf = ({ paidCount, updatedCount }: PaymentBatch) =>
  paidCount === 0 ? 'undone' : paidCount < updatedCount ? 'partly' : 'paid';

function isMeant({ batch, owners: of }: Known, term: string): boolean {
  const has = (text: string) => text.toLowerCase().includes(term.toLowerCase());
  const key = vehicleKey(term);
  return (
    has(batch.number) ||
    of.some(({ name }) => has(name)) ||
    of.some(({ challans: lines }) =>
      lines.some(
        ({ challanNumber, tpNo, vehicleNo }) =>
          challanNumber.toLowerCase() === term.toLowerCase() ||
          (/^\d+$/.test(term) && Number(challanNumber.slice(-6)) === Number(term)) ||
          (term.length >= 3 && has(tpNo)) ||
          (key.length >= 3 && vehicleKey(vehicleNo).includes(key)),
      ),
    )
  );
}

function matching(query: Query): Known[] {
  const { search, ownerId, state, kind, amountFrom, amountTo, startDate, endDate } = query;
  return known.filter(
    (one) =>
      (!search || isMeant(one, search.trim())) &&
      (!ownerId || one.owners.some((owner) => owner.ownerId === ownerId)) &&
      (!state || stateOf(one.batch) === state) &&
      (!kind || one.batch.kind === kind) &&
      (!amountFrom || compare(one.batch.totalAmount, String(amountFrom)) >= 0) &&
      (!amountTo || compare(one.batch.totalAmount, String(amountTo)) <= 0) &&
      (!startDate || one.batch.paidOn >= startDate) &&
      (!endDate || one.batch.paidOn <= endDate),
  );
}

async function expectAsModel(query: Query): Promise<number> {
  const { status, body } = await list({ limit: 100, ...query });
  const about = JSON.stringify(query);
  expect(status, about).toBe(200);
  const found = matching(query).map(({ batch }) => batch);
  expect(body.data.map(({ id }) => id).toSorted(), about).toEqual(found.map(({ id }) => id).toSorted());
  expect(body.pagination.totalCount, about).toBe(found.length);
  const count = (of: (batch: PaymentBatch) => number) => found.reduce((total, batch) => total + of(batch), 0);
  expect(body.summary, about).toEqual({
    updatedCount: count(({ updatedCount }) => updatedCount),
    totalAmount: sum(found.map(({ totalAmount }) => totalAmount)),
    paidCount: count(({ paidCount }) => paidCount),
    paidAmount: sum(found.map(({ paidAmount }) => paidAmount)),
  });
  return found.length;
}

describe('GET /payment-batches', () => {
  it('finds by number, owner, challan, TP and vehicle, in any case, and takes % and _ as they are', async () => {
    const some = known.find(({ owners: of }) => of.length > 1) ?? known[0]!;
    const line = some.owners[0]!.challans[0]!;
    const terms = [
      some.batch.number,
      some.batch.number.slice(-3),
      line.challanNumber,
      line.challanNumber.toLowerCase(),
      line.tpNo,
      line.tpNo.slice(2, 7),
      line.vehicleNo,
      'od00ab',
      'OD 02 AB 1003',
      'abani',
      'MOHANTA',
      '100%',
      's_p',
      '%%%',
      '___',
      'jr',
      '0_',
      'nobody at all',
    ];
    const found: number[] = [];
    for (const search of terms) found.push(await expectAsModel({ search }));
    for (const index of [0, 2, 4, 6, 9]) expect(found[index], terms[index]).toBeGreaterThan(0);
    for (const term of ['%%%', 'nobody at all']) expect(found[terms.indexOf(term)], term).toBe(0);
  });

  it('filters by owner, days, state, kind and amount, alone and together, with the sums of all that match', async () => {
    const ownerId = known[0]!.owners[0]!.ownerId;
    const amount = known[Math.floor(known.length / 2)]!.batch.totalAmount;
    const day = known[0]!.batch.paidOn;
    const parts: Query[] = [
      {},
      { ownerId },
      { state: 'paid' },
      { state: 'partly' },
      { state: 'undone' },
      { kind: 'single' },
      { kind: 'selected' },
      { kind: 'filter' },
      { kind: 'import' },
      { amountFrom: amount },
      { amountTo: amount },
      { startDate: day, endDate: day },
      { startDate: '2001-01-01', endDate: '2001-01-02' },
      { search: 'KJR/1' },
    ];
    for (const [index, part] of parts.entries()) {
      for (const other of parts.slice(index)) await expectAsModel({ ...part, ...other });
    }
    // The histories must hold payments of each state, or the filters are proved on nothing.
    expect(new Set(known.map(({ batch }) => stateOf(batch))).size).toBe(3);
  });

  it.each(paymentSortKeys)('sorts by %s, and pages in this order without a gap', async (sortBy) => {
    for (const sortOrder of ['asc', 'desc'] as const) {
      const pages = [];
      for (let page = 1; page <= Math.ceil(known.length / 4); page += 1) {
        pages.push(...(await list({ sortBy, sortOrder, page, limit: 4 })).body.data);
      }
      expect(pages.map(({ id }) => id).toSorted()).toEqual(known.map(({ batch }) => batch.id).toSorted());
      const values = pages.map((batch) => batch[sortBy]);
      const inOrder = (a: string | number, b: string | number): boolean =>
        sortBy.endsWith('Amount') ? compare(String(a), String(b)) <= 0 : a <= b;
      for (const [index, value] of values.slice(1).entries()) {
        const before = values[index]!;
        expect(sortOrder === 'asc' ? inOrder(before, value) : inOrder(value, before)).toBe(true);
      }
    }
  });

  it('lists by day, whenever the payments were recorded, on each page of each size', async () => {
    const other = await api.addTenant();
    const random = randomOf(testSeed('payments by day'));
    // Recorded over ten days, some at the first and the last instant of a day in India, each of that day or one before.
    const instants = ['00:00:00', '11:00:00', '23:59:59'];
    const made = Array.from({ length: 60 }, (_, n) => {
      // The last day has one at each instant.
      const isLast = n < instants.length;
      const day = isLast ? '2025-04-20' : addDays('2025-03-25', random.below(10));
      return {
        number: `PAY-${String(n).padStart(3, '0')}`,
        created_at: `${day}T${isLast ? instants[n]! : random.pick(instants)}+05:30`,
        paid_on: isLast || random.chance(0.6) ? day : addDays(day, -random.below(12)),
      };
    });
    const { rows } = await api.inTenant(other, (db) =>
      db.query<{ id: string; number: string; created_at: Date; paid_on: string }>(
        `INSERT INTO payment_batches
           (subadmin_id, number, kind, created_at, paid_on, created_by, updated_count, total_amount, owner_count)
         SELECT $1, number, 'import', created_at, paid_on, $1, 1, '100.10', 2
         FROM jsonb_to_recordset($2::jsonb) AS r (number text, created_at timestamptz, paid_on date)
         RETURNING id, number, created_at, paid_on`,
        [other.id, JSON.stringify(made)],
      ),
    );
    const keyOf = (row: (typeof rows)[number]) => `${row.paid_on} ${row.created_at.toISOString()} ${row.id}`;
    const oldestFirst = rows.toSorted((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1)).map(({ number }) => number);
    for (const [sortOrder, expected] of [
      ['desc', oldestFirst.toReversed()],
      ['asc', oldestFirst],
    ] as const) {
      for (const limit of [1, 3, 10, 59, 60, 61]) {
        const pages = Math.ceil(60 / limit);
        for (const page of new Set([1, 2, 3, pages, pages + 1, 1_000_000])) {
          const query = { sortBy: 'paidOn', sortOrder, page, limit } as const;
          const { body } = await api.call(paymentBatches.list, { query }, { token: other.token });
          const shown = expected.slice((page - 1) * limit, page * limit);
          expect(
            body.data.map(({ number }) => number),
            JSON.stringify(query),
          ).toEqual(shown);
          expect([body.pagination.totalCount, body.summary.totalAmount]).toEqual([60, '6006.00']);
        }
      }
    }
  });

  it('names the owner of a payment to one owner and the challan of a payment of one', () => {
    for (const { batch, owners: of } of known) {
      const [first] = of;
      expect(batch.owner).toEqual(of.length === 1 ? { id: first?.ownerId, name: first?.name } : null);
      const line = first?.challans[0];
      expect(batch.challan).toEqual(
        batch.updatedCount === 1 ? { id: line?.challanId, challanNumber: line?.challanNumber } : null,
      );
    }
  });

  it('refuses words that are no choice and ranges that end before they begin', async () => {
    for (const query of [
      'state=gone',
      'kind=x',
      'sortBy=id',
      'amountFrom=5&amountTo=1',
      'startDate=2026-02-02&endDate=2026-02-01',
    ]) {
      const answer = await api.callRaw('GET', `/api/payment-batches?${query}`, as());
      expect([answer.status, answer.error.code], query).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it('finds nothing of another business', async () => {
    const other = await api.addTenant();
    for (const query of [{}, ...['PAY', 'KJR', 'OD0', 'Mohanta'].map((search) => ({ search }))]) {
      const answer = await api.call(paymentBatches.list, { query }, { token: other.token });
      expect(answer.body.data).toEqual([]);
      expect(answer.body.summary.totalAmount).toBe('0.00');
    }
  });
});

describe('GET /payment-batches/{id}/owners', () => {
  it('has a row for each owner with all its challans, whose sums are those of the payment', async () => {
    for (const { batch, owners: of } of known) {
      expect(of).toHaveLength(batch.ownerCount);
      expect(sum(of.map(({ amount }) => amount))).toBe(batch.totalAmount);
      expect(sum(of.map(({ paidAmount }) => paidAmount))).toBe(batch.paidAmount);
      expect(of.filter(({ paidCount }) => paidCount > 0)).toHaveLength(batch.paidOwnerCount);
      for (const owner of of) {
        const live = owner.challans.filter(({ reversedAt }) => reversedAt === null);
        expect([owner.challanCount, owner.paidCount]).toEqual([owner.challans.length, live.length]);
        expect(sum(owner.challans.map(({ amount }) => amount))).toBe(owner.amount);
        expect(sum(live.map(({ amount }) => amount))).toBe(owner.paidAmount);
      }
    }
  });

  it('is searched by name, phone and account number, and paged', async () => {
    const { batch, owners: of } = known.find(({ owners: some }) => some.length > 1)!;
    const [first, second] = of;
    const found = async (search: string) =>
      (await owners(batch.id, { search })).body.data.map(({ ownerId }) => ownerId);
    expect(await found(second!.name.toUpperCase())).toEqual([second!.ownerId]);
    expect(await found(second!.accountNo)).toEqual([second!.ownerId]);
    expect(await found(first!.contactNumber)).toContain(first!.ownerId);
    expect(await found('nobody at all')).toEqual([]);
    const page = await owners(batch.id, { page: 2, limit: 1 });
    expect(page.body.data.map(({ ownerId }) => ownerId)).toEqual([second!.ownerId]);
    const past = await owners(batch.id, { page: 99, limit: 1 });
    expect([past.body.data, past.body.pagination.totalCount]).toEqual([[], of.length]);
  });
});
