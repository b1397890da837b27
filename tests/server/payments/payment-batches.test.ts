import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { sum } from '../../../src/shared/calc/money.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildChallan, createOwner, createTag } from '../support/builders.ts';
import {
  analyze,
  assertLedger,
  assertTotals,
  idsOf,
  insertChallans,
  totalOf,
  type TestChallan,
} from '../support/ledger.ts';

let api: Api;
let tenant: Tenant;
let ownerId: string;
let tagId: string;

const make = (count: number) => api.inTenant(tenant, (db) => insertChallans(db, { ownerId, tagId }, count));
const as = () => ({ token: tenant.token });

async function payAll(challans: readonly TestChallan[]) {
  const answer = await api.call(contract.bankStatement.markPaid, { body: { challanIds: idsOf(challans) } }, as());
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  return answer.body.data;
}

const get = (id: string, query: { page?: number; limit?: number } = {}) =>
  api.call(contract.paymentBatches.get, { params: { id }, query }, as());
const list = (query: { page?: number; limit?: number } = {}) => api.call(contract.paymentBatches.list, { query }, as());
const reverse = (id: string, reason = 'Wrong account') =>
  api.call(contract.paymentBatches.reverse, { params: { id }, body: { reason } }, as());
const unmark = (id: string, token = tenant.token) =>
  api.call(contract.challans.update, { params: { id }, body: { paymentStatus: false } }, { token });

/** Three challans paid together; the batch's id is there, since something was paid. */
async function paidBatch(count = 3) {
  const challans = await make(count);
  const payment = await payAll(challans);
  return { challans, payment, id: payment.batchId ?? '' };
}

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  ownerId = (await createOwner(api, tenant, { name: 'Bijay "B" Mohanta, & Sons' })).id;
  tagId = (await createTag(api, tenant)).id;
});
afterEach(async () => {
  await api.inTenant(tenant, assertLedger);
  await api.inTenant(tenant, assertTotals);
});
afterAll(() => api.close());

describe('GET /payment-batches', () => {
  it('lists payments newest first, each with who, how, how many and how much', async () => {
    const first = await paidBatch(2);
    const filters = { ownerName: 'bijay', tagId };
    const more = await make(1);
    const byFilter = await api.call(
      contract.bankStatement.markMatchingPaid,
      { body: { filters, paymentStatus: true } },
      as(),
    );
    const answer = await list({ limit: 2 });
    expect(answer.body.data).toEqual([
      {
        id: byFilter.body.data.batchId,
        number: expect.stringMatching(/^PAY-\d{4}-\d{6}$/) as string,
        createdAt: byFilter.body.data.timestamp,
        paidOn: dayOf(byFilter.body.data.timestamp),
        createdBy: tenant.email,
        kind: 'filter',
        updatedCount: 1,
        totalAmount: totalOf(more),
        ownerCount: 1,
        paidCount: 1,
        paidAmount: totalOf(more),
        paidOwnerCount: 1,
        owner: { id: ownerId, name: 'Bijay "B" Mohanta, & Sons' },
        challan: { id: more[0]?.id, challanNumber: more[0]?.number },
        reversedAt: null,
        reversedReason: null,
        reversedBy: null,
        appliedFilters: filters,
      },
      expect.objectContaining({
        id: first.id,
        kind: 'selected',
        updatedCount: 2,
        totalAmount: totalOf(first.challans),
        appliedFilters: null,
      }) as object,
    ]);
    expect(answer.body.pagination).toMatchObject({ currentPage: 1, limit: 2, hasPrevious: false });
    const past = await list({ page: 99 });
    expect(past.body.data).toEqual([]);
    expect(past.body.pagination.totalCount).toBe(answer.body.pagination.totalCount);
  });

  it('shows nothing of another business', async () => {
    const { id } = await paidBatch(1);
    const other = await api.addTenant();
    const token = { token: other.token };
    expect((await api.call(contract.paymentBatches.list, { query: {} }, token)).body.data).toEqual([]);
    const unknown = randomUUID();
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/csv', undefined],
      ['POST', '/reverse', { reason: 'x' }],
    ] as const) {
      const [foreign, none] = await Promise.all(
        [id, unknown].map((target) =>
          api.callRaw(method, `/api/payment-batches/${target}${path}`, { ...token, ...(body ? { body } : {}) }),
        ),
      );
      expect(foreign?.status).toBe(404);
      const { requestId: _a, ...theirs } = foreign?.error ?? { requestId: '' };
      const { requestId: _b, ...nobodys } = none?.error ?? { requestId: '' };
      expect(theirs).toEqual(nobodys);
    }
    expect((await get(id)).body.data.reversedAt).toBeNull();
  });

  it('needs a sub-admin, a well-formed id and a reason', async () => {
    const { id } = await paidBatch(1);
    expect((await api.callRaw('GET', '/api/payment-batches')).status).toBe(401);
    expect((await api.callRaw('GET', '/api/payment-batches', { token: api.adminToken })).status).toBe(403);
    expect((await api.callRaw('GET', '/api/payment-batches/x', as())).error.code).toBe('INVALID_ID');
    for (const body of [{}, { reason: '' }, { reason: '   ' }, { reason: null }, { reason: 'x'.repeat(501) }]) {
      const answer = await api.callRaw('POST', `/api/payment-batches/${id}/reverse`, { ...as(), body });
      expect([answer.status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    const extra = await api.callRaw('POST', `/api/payment-batches/${id}/reverse`, {
      ...as(),
      body: { reason: 'x', challanIds: [] },
    });
    expect(extra.error.code).toBe('UNKNOWN_FIELD');
    expect((await get(id)).body.data.reversedAt).toBeNull();
  });
});

describe('GET /payment-batches/{id}', () => {
  it('pages through the lines in the order of the file', async () => {
    const { challans, id } = await paidBatch(25);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => get(id, { page, limit: 10 })));
    expect(pages.map((page) => page.body.data.lines.length)).toEqual([10, 10, 5, 0]);
    const lines = pages.flatMap((page) => page.body.data.lines);
    expect(lines.map((line) => line.challanId)).toEqual(idsOf(challans));
    expect(sum(lines.map((line) => line.amount))).toBe(totalOf(challans));
    expect(lines[0]).toEqual({
      challanId: challans[0]?.id,
      challanNumber: challans[0]?.number,
      tpNo: expect.stringMatching(/^TP\d+$/) as string,
      vehicleNo: 'OD09AB1234',
      ownerId,
      ownerName: 'Bijay "B" Mohanta, & Sons',
      amount: challans[0]?.net,
      reversedAt: null,
    });
    expect(pages[0]?.body.pagination).toMatchObject({ totalCount: 25, totalPages: 3 });
  });
});

describe('GET /payment-batches/{id}/csv', () => {
  it('gives the file of the payment, the same bytes whatever happens afterwards', async () => {
    const { challans, payment, id } = await paidBatch(3);
    const download = () => api.callRaw('GET', `/api/payment-batches/${id}/csv`, as());
    const first = await download();
    expect(first.text).toBe(payment.csv?.content);
    expect(first.headers['content-type']).toBe(payment.csv?.contentType);
    expect(first.headers['content-disposition']).toContain(`filename="${payment.csv?.filename ?? ''}"`);

    await unmark(challans[0]?.id ?? '');
    await reverse(id);
    await api.inTenant(tenant, async (db) => {
      await db.query(
        `UPDATE owners SET name = 'Renamed', account_no = '1', ifsc = '', branch_name = 'x', contact_number = '9000000000'
         WHERE subadmin_id = $1 AND id = $2`,
        [db.tenantId, ownerId],
      );
      await db.query('UPDATE tags SET name = $3 WHERE subadmin_id = $1 AND id = $2', [db.tenantId, tagId, 'Other']);
      await db.query(
        `UPDATE challans SET tp_no = 'changed', vehicle_no = 'X', deposited_at = NULL, loading_place = 'Elsewhere',
           office_charges = office_charges + 1, net_amount_payable = net_amount_payable - 1
         WHERE subadmin_id = $1 AND id = $2`,
        [db.tenantId, challans[1]?.id],
      );
    });
    const second = await download();
    expect(second.text).toBe(first.text);
    expect(second.headers['content-disposition']).toBe(first.headers['content-disposition']);
  });

  it('streams a long payment whole', async () => {
    const challans = await make(2_345);
    await analyze(api);
    const payment = await payAll(challans);
    const file = await api.callRaw('GET', `/api/payment-batches/${payment.batchId ?? ''}/csv`, as());
    const lines = parse(file.text, { bom: true }) as string[][];
    expect(lines.slice(1, 2_346).map((line) => line[6])).toEqual(challans.map(({ number }) => number));
    expect(lines.at(-1)?.[11]).toBe(totalOf(challans));
    expect(file.text).toBe(payment.csv?.content);
  });
});

describe('POST /payment-batches/{id}/reverse', () => {
  it('makes its challans unpaid again, in one go, and says who, when and why', async () => {
    const { challans, id } = await paidBatch(3);
    const answer = await reverse(id, 'Paid to the wrong account');
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data).toMatchObject({
      id,
      reversedCount: 3,
      reversedAmount: totalOf(challans),
      updatedCount: 3,
      totalAmount: totalOf(challans),
      reversedReason: 'Paid to the wrong account',
      reversedBy: tenant.email,
    });
    const detail = (await get(id)).body.data;
    expect(detail.reversedAt).toBe(answer.body.data.reversedAt);
    expect(detail.lines.map((line) => line.reversedAt)).toEqual(Array(3).fill(detail.reversedAt));
    // Unpaid challans can be paid again, by another payment.
    const again = await payAll(challans);
    expect(again.updatedCount).toBe(3);
    expect(again.batchId).not.toBe(id);
  });

  it('is refused a second time (409), and changes nothing then', async () => {
    const { challans, id } = await paidBatch(2);
    await reverse(id);
    await payAll(challans);
    const answer = await reverse(id, 'Again');
    expect([answer.status, answer.error.code]).toEqual([409, 'ALREADY_REVERSED']);
    expect((await get(id)).body.data.reversedReason).toBe('Wrong account');
  });

  it('leaves challans that this payment no longer pays', async () => {
    const { challans, id } = await paidBatch(3);
    await unmark(challans[0]?.id ?? '');
    await unmark(challans[1]?.id ?? '');
    const other = await payAll(challans.slice(1, 2));
    const answer = await reverse(id);
    expect(answer.body.data).toMatchObject({ reversedCount: 1, reversedAmount: totalOf(challans.slice(2)) });
    const still = (await get(other.batchId ?? '')).body.data;
    expect(still.reversedAt).toBeNull();
    expect(still.lines[0]?.reversedAt).toBeNull();
  });

  it('of challans that an earlier payment had paid takes back its own lines alone', async () => {
    const { challans, id } = await paidBatch(3);
    await reverse(id);
    const again = await payAll(challans);
    const answer = await reverse(again.batchId ?? '');
    expect(answer.body.data).toMatchObject({ reversedCount: 3, reversedAmount: totalOf(challans) });
    expect((await get(id)).body.data.paidAmount).toBe('0.00');
  });

  it('is seen by who had a challan open: paying and taking back each make its version a new one', async () => {
    const [challan] = await make(1);
    const save = (version: number) =>
      api.call(
        contract.challans.update,
        { params: { id: challan?.id ?? '' }, body: { remarks: `Seen ${version}`, version } },
        as(),
      );
    const { batchId } = await payAll(challan ? [challan] : []);
    expect((await save(1)).status).toBe(409);
    await reverse(batchId ?? '');
    expect((await save(2)).status).toBe(409);
    expect((await save(3)).status).toBe(200);
  });

  it('a payment whose challans were all unmarked one by one counts as reversed', async () => {
    const { challans, id } = await paidBatch(2);
    await unmark(challans[0]?.id ?? '');
    expect((await get(id)).body.data).toMatchObject({ reversedAt: null, reversedReason: null });
    await unmark(challans[1]?.id ?? '');
    const { data } = (await get(id)).body;
    expect(data.reversedAt).toBe(data.lines[1]?.reversedAt);
    expect(data.reversedBy).toBe(tenant.email);
    expect((await list({ limit: 1 })).body.data[0]).toMatchObject({ id, reversedAt: data.reversedAt });
    expect((await reverse(id)).error.code).toBe('ALREADY_REVERSED');
  });

  it('takes back a large payment at once', async () => {
    const challans = await make(6_000);
    await analyze(api);
    const answer = await api.call(
      contract.bankStatement.markMatchingPaid,
      { body: { filters: {}, paymentStatus: true } },
      as(),
    );
    const undone = await reverse(answer.body.data.batchId ?? '');
    expect(undone.body.data).toMatchObject({
      reversedCount: answer.body.data.updatedCount,
      reversedAmount: answer.body.data.totalAmount,
    });
    expect(undone.body.data.reversedCount).toBeGreaterThanOrEqual(challans.length);
  });
});

describe('a number that was typed', () => {
  const findPayment = (q: string, token = tenant.token) =>
    api.call(contract.paymentBatches.findByNumber, { query: { q } }, { token });
  const findChallan = (q: string, token = tenant.token) =>
    api.call(contract.challans.findByNumber, { query: { q } }, { token });

  /** Through the API, which gives it its number. */
  const created = async () => {
    const { name } = (await api.call(contract.owners.get, { params: { id: ownerId } }, as())).body.data;
    const body = buildChallan({ ownerId, tagId }, { ownerName: name });
    return (await api.call(contract.challans.create, { body }, as())).body.data;
  };

  it('finds the payment and the challan that have it, whole or without its beginning', async () => {
    const { payment, id } = await paidBatch(1);
    const { number } = (await get(id)).body.data;
    for (const text of [
      number,
      number.toLowerCase(),
      number.slice(number.indexOf('-') + 1),
      String(Number(number.slice(9))).padStart(3, '0'),
    ]) {
      expect((await findPayment(text)).body.data, text).toContainEqual(
        expect.objectContaining({ id, number, updatedCount: 1, totalAmount: payment.totalAmount }),
      );
    }
    const { id: challanId, challanNumber } = await created();
    for (const text of [challanNumber, challanNumber.toLowerCase().replaceAll('-', ' ')]) {
      expect((await findChallan(text)).body.data, text).toEqual([
        expect.objectContaining({ id: challanId, challanNumber }),
      ]);
    }
    expect((await findChallan(number)).body.data).toEqual([]);
    expect((await findPayment('not a number')).body.data).toEqual([]);
  });

  it('finds nothing of another account', async () => {
    const { number } = (await get((await paidBatch(1)).id)).body.data;
    const { challanNumber } = await created();
    const other = await api.addTenant();
    expect((await findPayment(number, other.token)).body.data).toEqual([]);
    expect((await findChallan(challanNumber, other.token)).body.data).toEqual([]);
  });

  it('is looked up in the index of numbers', async () => {
    const plan = (table: string, column: string) =>
      api.inTenant(tenant, async (db) => {
        await db.query('SET LOCAL enable_seqscan = off');
        const { rows } = await db.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN SELECT id FROM ${table} WHERE subadmin_id = $1 AND ${column} = ANY ($2)`,
          [db.tenantId, ['CH-2627-000001', 'CH-2526-000001']],
        );
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
    expect(await plan('challans', 'challan_number')).toContain('challans_subadmin_id_challan_number_key');
    expect(await plan('payment_batches', 'number')).toContain('payment_batches_subadmin_id_number_key');
  });
});
