import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { financialYear } from '../../src/shared/calc/dates.ts';
import { add } from '../../src/shared/calc/money.ts';
import type { Caller } from '../../src/server/caller.ts';
import { payChallans, unpayChallan } from '../../src/server/services/payments.ts';
import { startApi, type Api, type Tenant } from './support/api.ts';
import { createOwner, createTag } from './support/builders.ts';
import {
  analyze,
  assertLedger,
  assertTotals,
  idsOf,
  insertChallans,
  totalOf,
  type TestChallan,
} from './support/ledger.ts';

let api: Api;
let tenant: Tenant;
let ownerId: string;
let otherOwnerId: string;
let tagId: string;

const make = (
  count: number,
  over: Parameters<typeof insertChallans>[3] & { ownerId?: string; tagId?: string | null } = {},
) =>
  api.inTenant(tenant, (db) =>
    insertChallans(
      db,
      { ownerId: over.ownerId ?? ownerId, tagId: over.tagId === undefined ? tagId : over.tagId },
      count,
      over,
    ),
  );

const pay = (challanIds: readonly string[], key?: string) =>
  api.call(
    contract.bankStatement.markPaid,
    { body: { challanIds: [...challanIds] } },
    { token: tenant.token, ...(key ? { key } : {}) },
  );

type FilterBody = Parameters<typeof api.call<typeof contract.bankStatement.markMatchingPaid>>[1]['body'];
const payMatching = (body: Omit<FilterBody, 'paymentStatus'>, key?: string) =>
  api.call(
    contract.bankStatement.markMatchingPaid,
    { body: { paymentStatus: true, ...body } },
    { token: tenant.token, ...(key ? { key } : {}) },
  );

const caller = (): Caller => ({
  accountId: tenant.id,
  role: 'subadmin',
  email: tenant.email,
  bannerName: tenant.bannerName,
  sessionId: '',
  screen: '',
  requestId: '',
});

/** Everything a payment may change, to compare before and after what must change nothing. */
const snapshot = () =>
  api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<{ state: string }>(
      `SELECT md5(coalesce((SELECT string_agg(concat_ws(' ', id, payment_status, paid_at, pay_cycle, updated_at, version), ';' ORDER BY id)
           FROM challans WHERE subadmin_id = $1), '')
         || coalesce((SELECT string_agg(concat_ws(' ', challan_id, pay_cycle, kind), ';' ORDER BY challan_id, pay_cycle, kind)
           FROM payment_lines WHERE subadmin_id = $1), '')
         || (SELECT count(*) FROM payment_batches WHERE subadmin_id = $1)
         || coalesce((SELECT string_agg(name || value, ';' ORDER BY name) FROM counters WHERE subadmin_id = $1), '')) AS state`,
      [db.tenantId],
    );
    return rows[0]?.state;
  });

const statusOf = (challans: readonly TestChallan[]) =>
  api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<{ payment_status: boolean }>(
      'SELECT payment_status FROM challans WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])',
      [db.tenantId, idsOf(challans)],
    );
    return rows.map((row) => row.payment_status);
  });

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  ownerId = (await createOwner(api, tenant, { name: 'Bijay Mohanta' })).id;
  otherOwnerId = (await createOwner(api, tenant, { name: 'abani Sahu' })).id;
  tagId = (await createTag(api, tenant)).id;
});
afterEach(async () => {
  await api.inTenant(tenant, assertLedger);
  await api.inTenant(tenant, assertTotals);
});
afterAll(() => api.close());

describe('POST bulk-payment', () => {
  it('pays the chosen challans in one batch and answers with its file', async () => {
    const first = await make(2);
    const second = await make(1, { ownerId: otherOwnerId, tagId: null });
    const answer = await pay(idsOf([...first, ...second]));
    expect(answer.status).toBe(200);
    const { data } = answer.body;
    // The file's order: by owner name, then as they were made.
    expect(data.challanIds).toEqual(idsOf([...second, ...first]));
    expect(data).toMatchObject({
      updatedCount: 3,
      skippedCount: 0,
      totalAmount: totalOf([...first, ...second]),
      paymentStatus: true,
      appliedFilters: null,
    });
    expect(data.csvUrl).toBeUndefined();
    expect(data.csv?.contentType).toBe('text/csv; charset=utf-8');
    const year = financialYear(data.timestamp);
    expect(data.csv?.filename).toMatch(new RegExp(`^payment_PAY-${year}-000001_\\d{4}-\\d\\d-\\d\\d\\.csv$`));
    const lines = parse(data.csv?.content ?? '', { bom: true }) as string[][];
    expect(lines.map((line) => [line[0], line[6], line[11], line[12], line[13]])).toEqual([
      ['Owner', 'Challan', 'Net', 'Tag', 'Status'],
      ['abani Sahu', second[0]?.number, second[0]?.net, '', 'Paid'],
      ['Subtotal abani Sahu', '1 challan', totalOf(second), '', ''],
      ...first.map((challan) => [
        'Bijay Mohanta',
        challan.number,
        challan.net,
        expect.stringMatching(/^TAG/) as string,
        'Paid',
      ]),
      ['Subtotal Bijay Mohanta', '2 challans', totalOf(first), '', ''],
      ['Grand total', '3 challans', totalOf([...first, ...second]), '', ''],
    ]);
    expect(await statusOf([...first, ...second])).toEqual([true, true, true]);
  });

  it('numbers batches without a gap, by financial year', async () => {
    const [a, b] = await make(2);
    const one = await pay([a?.id ?? '']);
    const two = await pay([b?.id ?? '']);
    const numberOf = (answer: typeof one) => Number(/-(\d+)_/.exec(answer.body.data.csv?.filename ?? '')?.[1]);
    expect(numberOf(two)).toBe(numberOf(one) + 1);
  });

  it('counts ids given twice once and skips what is paid already', async () => {
    const challans = await make(3);
    await pay([challans[0]?.id ?? '']);
    const ids = idsOf(challans);
    const answer = await pay([...ids, ...ids, (ids[1] ?? '').toUpperCase()]);
    expect(answer.body.data).toMatchObject({
      updatedCount: 2,
      skippedCount: 1,
      totalAmount: totalOf(challans.slice(1)),
      challanIds: ids.slice(1),
    });
  });

  it('makes no batch when everything was paid already', async () => {
    const challans = await make(2);
    await pay(idsOf(challans));
    const before = await snapshot();
    const answer = await pay(idsOf(challans));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      batchId: null,
      updatedCount: 0,
      skippedCount: 2,
      totalAmount: '0.00',
      challanIds: [],
    });
    expect(answer.body.data.csv).toBeUndefined();
    expect(await snapshot()).toBe(before);
  });

  it('pays a net below zero as it stands', async () => {
    const challans = await make(2, { advance: '900000' });
    const answer = await pay(idsOf(challans));
    expect(answer.body.data.totalAmount).toBe(totalOf(challans));
    expect(answer.body.data.totalAmount.startsWith('-')).toBe(true);
  });

  it('changes nothing when one id is unknown, deleted or of another business: the same 404 for each', async () => {
    const challans = await make(2);
    const deleted = await make(1);
    await api.inTenant(tenant, (db) =>
      db.query('UPDATE challans SET deleted_at = now() WHERE subadmin_id = $1 AND id = $2', [
        db.tenantId,
        deleted[0]?.id,
      ]),
    );
    const other = await api.addTenant();
    const foreignOwner = await createOwner(api, other);
    const foreign = await api.inTenant(other, (db) => insertChallans(db, { ownerId: foreignOwner.id }, 1));
    const before = await snapshot();
    const answers = [];
    for (const bad of [randomUUID(), deleted[0]?.id ?? '', foreign[0]?.id ?? '']) {
      const answer = await pay([...idsOf(challans), bad]);
      expect(answer.status).toBe(404);
      const { requestId: _, ...error } = answer.error;
      answers.push(error);
    }
    expect(answers[0]).toEqual({ success: false, code: 'NOT_FOUND', message: 'Challan not found' });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await snapshot()).toBe(before);
  });

  it('refuses what is no list of ids, and changes nothing', async () => {
    const challans = await make(1);
    const before = await snapshot();
    const id = challans[0]?.id ?? '';
    const bodies: [unknown, string, string?][] = [
      [{}, 'VALIDATION_ERROR', 'Please select at least one challan to mark as paid'],
      [{ challanIds: [] }, 'VALIDATION_ERROR', 'Please select at least one challan to mark as paid'],
      [{ challanIds: null }, 'VALIDATION_ERROR'],
      [{ challanIds: id }, 'VALIDATION_ERROR'],
      [{ challanIds: { 0: id } }, 'VALIDATION_ERROR'],
      [{ challanIds: [id, 'x'] }, 'VALIDATION_ERROR'],
      [{ challanIds: [id, null] }, 'VALIDATION_ERROR'],
      [{ challanIds: Array.from({ length: 5_001 }, () => id) }, 'VALIDATION_ERROR'],
      [{ challanIds: [id], paymentStatus: true }, 'UNKNOWN_FIELD'],
      [{ challanIds: [id], subadminId: randomUUID() }, 'UNKNOWN_FIELD'],
    ];
    for (const [body, code, message] of bodies) {
      const answer = await api.callRaw('POST', '/api/challans/bank-report/bulk-payment', { token: tenant.token, body });
      expect(answer.status).toBe(400);
      expect(answer.error.code).toBe(code);
      if (message) expect(answer.error.message).toBe(message);
    }
    expect(await snapshot()).toBe(before);
  });

  it('takes 5,000 at once and lists them all', async () => {
    const challans = await make(5_000);
    await analyze(api);
    const answer = await pay(idsOf(challans));
    expect(answer.body.data.updatedCount).toBe(5_000);
    expect(answer.body.data.challanIds).toHaveLength(5_000);
    expect(answer.body.data.totalAmount).toBe(totalOf(challans));
    // Heading, lines, one owner's subtotal, grand total.
    expect(answer.body.data.csv?.content.split('\r\n')).toHaveLength(5_000 + 4);
  });

  it('is refused without a session (401) and for an admin (403), and changes nothing', async () => {
    const challans = await make(1);
    const before = await snapshot();
    const body = { challanIds: idsOf(challans) };
    const url = '/api/challans/bank-report/bulk-payment';
    expect((await api.callRaw('POST', url, { body })).status).toBe(401);
    expect((await api.callRaw('POST', url, { body, token: api.adminToken })).status).toBe(403);
    expect(await snapshot()).toBe(before);
  });
});

describe('PUT bulk-payment-status', () => {
  it('pays what the filter matches, less the exclusions, and nothing else', async () => {
    const wanted = await make(4, { depositedOn: '2026-06-10' });
    const otherDay = await make(2, { depositedOn: '2026-06-11' });
    const otherOwner = await make(2, { depositedOn: '2026-06-10', ownerId: otherOwnerId });
    const filters = { ownerId, depositedStartDate: '2026-06-10', depositedEndDate: '2026-06-10' };
    const [excluded, ...paid] = wanted;
    const answer = await payMatching({
      filters,
      // Exclusions that match nothing have no effect.
      excludeChallanIds: [excluded?.id ?? '', randomUUID(), otherDay[0]?.id ?? ''],
      expected: { count: 3, totalAmount: totalOf(paid) },
    });
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(answer.body.data).toMatchObject({
      updatedCount: 3,
      skippedCount: 0,
      totalAmount: totalOf(paid),
      challanIds: idsOf(paid),
      appliedFilters: filters,
    });
    expect(await statusOf([...(excluded ? [excluded] : []), ...otherDay, ...otherOwner])).toEqual(Array(5).fill(false));
    await payMatching({ filters: {} });
  });

  it('understands the same filters as the statement: name, tag, no tag', async () => {
    const tagged = await make(2, { ownerId: otherOwnerId });
    const untagged = await make(1, { ownerId: otherOwnerId, tagId: null });
    const byTag = await payMatching({ filters: { ownerName: 'ABANI', tagId } });
    expect(byTag.body.data.challanIds).toEqual(idsOf(tagged));
    const byNone = await payMatching({ filters: { ownerName: 'ni_', tagId: 'none' } });
    expect(byNone.error.code).toBe('NO_MATCHING_CHALLANS');
    const without = await payMatching({ filters: { ownerName: 'ani s', tagId: 'none' } });
    expect(without.body.data.challanIds).toEqual(idsOf(untagged));
    expect(without.body.data.appliedFilters).toEqual({ ownerName: 'ani s', tagId: 'none' });
  });

  it('refuses a selection that is not what the person saw, with the present one, and changes nothing', async () => {
    const challans = await make(3, { depositedOn: '2026-07-01' });
    const filters = { depositedStartDate: '2026-07-01' };
    const before = await snapshot();
    const total = totalOf(challans);
    for (const expected of [
      { count: 2, totalAmount: total },
      { count: 3, totalAmount: add(total, '0.01') },
    ]) {
      const answer = await payMatching({ filters, expected });
      expect(answer.status).toBe(409);
      expect(answer.error.code).toBe('SELECTION_CHANGED');
      expect(answer.error.data).toEqual({ count: 3, totalAmount: total });
    }
    expect(await snapshot()).toBe(before);
    expect((await payMatching({ filters, expected: { count: 3, totalAmount: total } })).status).toBe(200);
    const gone = await payMatching({ filters, expected: { count: 3, totalAmount: total } });
    expect(gone.error).toMatchObject({ code: 'SELECTION_CHANGED', data: { count: 0, totalAmount: '0.00' } });
  });

  it('says so when nothing matches', async () => {
    const before = await snapshot();
    const answer = await payMatching({ filters: { depositedStartDate: '2030-01-01' } });
    expect(answer.status).toBe(400);
    expect(answer.error.code).toBe('NO_MATCHING_CHALLANS');
    expect(answer.error.message).toBe('No unpaid challans found matching current filters');
    expect(await snapshot()).toBe(before);
  });

  it('leaves challanIds and csv out above 5,000 and names the file instead', async () => {
    const challans = await make(5_001, { depositedOn: '2026-08-01' });
    await analyze(api);
    const answer = await payMatching({ filters: { depositedStartDate: '2026-08-01', depositedEndDate: '2026-08-01' } });
    const { data } = answer.body;
    expect(data.updatedCount).toBe(5_001);
    expect(data.totalAmount).toBe(totalOf(challans));
    expect(data.challanIds).toBeUndefined();
    expect(data.csv).toBeUndefined();
    expect(data.csvUrl).toBe(`/api/payment-batches/${data.batchId ?? ''}/csv`);
    const file = await api.callRaw('GET', data.csvUrl ?? '', { token: tenant.token });
    expect(file.status).toBe(200);
    expect(file.text.split('\r\n')).toHaveLength(5_001 + 4);
  });

  it('never takes a missing filter for "all", nor anything but true for the status', async () => {
    await make(1);
    const before = await snapshot();
    const bodies: [unknown, string][] = [
      [{ paymentStatus: true }, 'VALIDATION_ERROR'],
      [{ filters: null, paymentStatus: true }, 'VALIDATION_ERROR'],
      [{ filters: {} }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: false }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: 'true' }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: 1 }, 'VALIDATION_ERROR'],
      [{ filters: { tagId: '' }, paymentStatus: true }, 'VALIDATION_ERROR'],
      [{ filters: { depositedStartDate: '2026-02-30' }, paymentStatus: true }, 'VALIDATION_ERROR'],
      [
        { filters: { depositedStartDate: '2026-02-03', depositedEndDate: '2026-02-02' }, paymentStatus: true },
        'VALIDATION_ERROR',
      ],
      [{ filters: { paymentStatus: false }, paymentStatus: true }, 'UNKNOWN_FIELD'],
      [{ filters: {}, paymentStatus: true, excludeChallanIds: 'x' }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: true, expected: { count: 1 } }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: true, expected: { count: 1, totalAmount: 1 } }, 'VALIDATION_ERROR'],
      [{ filters: {}, paymentStatus: true, challanIds: [] }, 'UNKNOWN_FIELD'],
    ];
    for (const [body, code] of bodies) {
      const answer = await api.callRaw('PUT', '/api/challans/bank-report/bulk-payment-status', {
        token: tenant.token,
        body,
      });
      expect([answer.status, answer.error.code], JSON.stringify(body)).toEqual([400, code]);
    }
    expect(await snapshot()).toBe(before);
  });

  it("never reaches another business's challans", async () => {
    const other = await api.addTenant();
    const theirs = await createOwner(api, other, { name: 'Abani Sahu' });
    await api.inTenant(other, (db) => insertChallans(db, { ownerId: theirs.id }, 2));
    await payMatching({ filters: {} });
    const before = await snapshot();
    for (const filters of [{}, { ownerId: theirs.id }, { ownerName: 'abani' }]) {
      expect((await payMatching({ filters })).error.code).toBe('NO_MATCHING_CHALLANS');
    }
    expect(await snapshot()).toBe(before);
    const unpaid = await api.inTenant(other, (db) =>
      db.query<{ n: number }>('SELECT count(*)::int AS n FROM challans WHERE NOT payment_status'),
    );
    expect(unpaid.rows[0]?.n).toBe(2);
  });
});

describe('Idempotency-Key', () => {
  it('answers a repeated call with the first answer, byte for byte, and pays once', async () => {
    const challans = await make(3);
    const key = randomUUID();
    const first = await pay(idsOf(challans), key);
    const before = await snapshot();
    const again = await pay(idsOf(challans), key);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(await snapshot()).toBe(before);
  });

  it('makes one batch of the same call sent many times at once', async () => {
    const challans = await make(20);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 12 }, () => pay(idsOf(challans), key)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.data.updatedCount).toBe(20);
  });

  it('does so for a payment by filter as well', async () => {
    await make(20, { depositedOn: '2026-09-01' });
    const key = randomUUID();
    const body = { filters: { depositedStartDate: '2026-09-01', depositedEndDate: '2026-09-01' } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => payMatching(body, key)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.data.updatedCount).toBe(20);
  });

  it('refuses the key of another body (422), and pays nothing', async () => {
    const challans = await make(2);
    const key = randomUUID();
    await pay([challans[0]?.id ?? ''], key);
    const before = await snapshot();
    const answer = await pay(idsOf(challans), key);
    expect(answer.status).toBe(422);
    expect(answer.error.code).toBe('IDEMPOTENCY_MISMATCH');
    expect(await snapshot()).toBe(before);
  });

  it('is free again after a refusal, and is each business its own', async () => {
    const challans = await make(1);
    const key = randomUUID();
    expect((await pay([...idsOf(challans), randomUUID()], key)).status).toBe(404);
    expect((await pay(idsOf(challans), key)).status).toBe(200);
    const other = await api.addTenant();
    const owner = await createOwner(api, other);
    const theirs = await api.inTenant(other, (db) => insertChallans(db, { ownerId: owner.id }, 1));
    const answer = await api.call(
      contract.bankStatement.markPaid,
      { body: { challanIds: idsOf(theirs) } },
      { token: other.token, key },
    );
    expect(answer.body.data.updatedCount).toBe(1);
  });

  it('must have 1 to 255 characters', async () => {
    const challans = await make(1);
    expect((await pay(idsOf(challans), 'x'.repeat(256))).status).toBe(400);
    expect(await statusOf(challans)).toEqual([false]);
  });
});

describe('one challan', () => {
  it('is paid and unpaid through the ledger, cycle by cycle', async () => {
    const [challan] = await make(1);
    const id = challan?.id ?? '';
    for (let cycle = 0; cycle < 3; cycle += 1) {
      const paid = await api.inTenant(tenant, (db) => payChallans(db, caller(), { kind: 'single', challanIds: [id] }));
      expect(paid).toMatchObject({ updatedCount: 1, skippedCount: 0, totalAmount: challan?.net, challanIds: [id] });
      await api.inTenant(tenant, assertLedger);
      const unpaid = await api.inTenant(tenant, (db) => unpayChallan(db, caller(), id, `reason ${cycle}`));
      expect(unpaid).toEqual({ batchId: paid.batchId, reversedCount: 1, reversedAmount: challan?.net });
      await api.inTenant(tenant, assertLedger);
    }
    const { rows } = await api.inTenant(tenant, (db) =>
      db.query<{ line: string }>(
        `SELECT concat_ws(' ', kind, pay_cycle, reason) AS line FROM payment_lines
         WHERE subadmin_id = $1 AND challan_id = $2 ORDER BY pay_cycle, kind`,
        [db.tenantId, id],
      ),
    );
    expect(rows.map(({ line }) => line)).toEqual(
      [0, 1, 2].flatMap((cycle) => [`pay ${cycle} `, `reverse ${cycle} reason ${cycle}`]),
    );
  });

  it('that is unpaid has nothing to take back; one that is not there is a 404', async () => {
    const [challan] = await make(1);
    const before = await snapshot();
    const result = await api.inTenant(tenant, (db) => unpayChallan(db, caller(), challan?.id ?? '', 'x'));
    expect(result).toBeNull();
    await expect(api.inTenant(tenant, (db) => unpayChallan(db, caller(), randomUUID(), 'x'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await snapshot()).toBe(before);
  });

  it('is taken back on the batch that had paid it, and can be changed and paid again', async () => {
    const challans = await make(3);
    const batch = await pay(idsOf(challans));
    const id = challans[1]?.id ?? '';
    const back = await api.inTenant(tenant, (db) => unpayChallan(db, caller(), id, 'Wrong account'));
    expect(back?.batchId).toBe(batch.body.data.batchId);
    await api.inTenant(tenant, (db) =>
      db.query(
        `UPDATE challans SET office_charges = 5, net_amount_payable = net_amount_payable - 5
         WHERE subadmin_id = $1 AND id = $2`,
        [db.tenantId, id],
      ),
    );
    const again = await pay(idsOf(challans));
    expect(again.body.data).toMatchObject({
      updatedCount: 1,
      skippedCount: 2,
      totalAmount: add(challans[1]?.net ?? '', '-5'),
    });
  });
});

describe('the ledger itself', () => {
  it('cannot be changed by the app, nor by the owner of the tables', async () => {
    const challans = await make(1);
    await pay(idsOf(challans));
    for (const table of ['payment_batches', 'payment_batch_owners', 'payment_lines', 'payment_reversals']) {
      for (const statement of [
        `DELETE FROM ${table}`,
        `UPDATE ${table} SET batch_id = batch_id`,
        `TRUNCATE ${table}`,
      ]) {
        const text = table === 'payment_batches' ? statement.replaceAll('batch_id', 'id') : statement;
        await expect(api.inTenant(tenant, (db) => db.query(text))).rejects.toMatchObject({ code: '42501' });
      }
    }
  });

  it('writes nothing on a challan but its payment, and keeps every update on its page', async () => {
    const challans = await make(50, { depositedOn: '2026-10-01' });
    const columns = () =>
      api.inTenant(tenant, async (db) => {
        const { rows } = await db.query<{ row: Record<string, unknown> }>(
          `SELECT to_jsonb(c) - '{payment_status,paid_at,pay_cycle,updated_at,version}'::text[] AS row FROM challans c
           WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`,
          [db.tenantId, idsOf(challans)],
        );
        return rows;
      });
    const before = await columns();
    await pay(idsOf(challans));
    expect(await columns()).toEqual(before);
    const { rows } = await api.inTenant(tenant, (db) =>
      db.query<{ indexed: string }>(
        `SELECT i.indexrelid::regclass::text AS indexed FROM pg_index i
         WHERE i.indrelid = 'challans'::regclass AND pg_get_indexdef(i.indexrelid)
           ~ '\\m(payment_status|paid_at|pay_cycle|updated_at|version)\\M'`,
      ),
    );
    expect(rows).toEqual([]);
  });

  it("counts the financial year like shared/calc, at the year's edge in India", async () => {
    const instants = [
      '2026-03-31T18:29:59Z',
      '2026-03-31T18:30:00Z',
      '2026-12-31T20:00:00Z',
      '2024-02-29T10:00:00Z',
      '2099-05-31T00:00:00Z',
    ];
    const { rows } = await api.inTenant(tenant, (db) =>
      db.query<{ years: string }>(
        `SELECT to_char(t AT TIME ZONE 'Asia/Kolkata' - interval '3 months', 'YY')
           || to_char(t AT TIME ZONE 'Asia/Kolkata' + interval '9 months', 'YY') AS years
         FROM unnest($1::timestamptz[]) AS t`,
        [instants],
      ),
    );
    expect(rows.map(({ years }) => years)).toEqual(instants.map((at) => financialYear(at)));
  });
});
