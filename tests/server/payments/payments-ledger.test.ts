import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { financialYear } from '../../../src/shared/calc/dates.ts';
import { add } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { financialYearOf } from '../../../src/server/sql/counters.ts';
import { payChallans, unpayChallan } from '../../../src/server/features/payments/payments.service.ts';
import { createOwner } from '../support/builders.ts';
import { assertLedger, idsOf, insertChallans } from '../support/ledger.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk();
});
afterEach(() => desk.assertMoney());
afterAll(() => desk.api.close());

describe('Idempotency-Key', () => {
  it('answers a repeated call with the first answer, byte for byte, and pays once', async () => {
    const challans = await desk.make(3);
    const key = randomUUID();
    const first = await desk.pay(idsOf(challans), key);
    const before = await desk.snapshot();
    const again = await desk.pay(idsOf(challans), key);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(await desk.snapshot()).toBe(before);
  });

  it('makes one batch of the same call sent many times at once', async () => {
    const challans = await desk.make(20);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 12 }, () => desk.pay(idsOf(challans), key)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.data.updatedCount).toBe(20);
  });

  it('does so for a payment by filter as well', async () => {
    await desk.make(20, { depositedOn: '2026-09-01' });
    const key = randomUUID();
    const body = { filters: { depositedStartDate: '2026-09-01', depositedEndDate: '2026-09-01' } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => desk.payMatching(body, key)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.data.updatedCount).toBe(20);
  });

  it('refuses the key of another body (422), and pays nothing', async () => {
    const challans = await desk.make(2);
    const key = randomUUID();
    await desk.pay([challans[0]?.id ?? ''], key);
    const before = await desk.snapshot();
    const answer = await desk.pay(idsOf(challans), key);
    expect(answer.status).toBe(422);
    expect(answer.error.code).toBe('IDEMPOTENCY_MISMATCH');
    expect(await desk.snapshot()).toBe(before);
  });

  it('is free again after a refusal, and is each business its own', async () => {
    const challans = await desk.make(1);
    const key = randomUUID();
    expect((await desk.pay([...idsOf(challans), randomUUID()], key)).status).toBe(404);
    expect((await desk.pay(idsOf(challans), key)).status).toBe(200);
    const other = await desk.api.addTenant();
    const owner = await createOwner(desk.api, other);
    const theirs = await desk.api.inTenant(other, (db) => insertChallans(db, { ownerId: owner.id }, 1));
    const answer = await desk.api.call(
      contract.bankStatement.markPaid,
      { body: { challanIds: idsOf(theirs) } },
      { token: other.token, key },
    );
    expect(answer.body.data.updatedCount).toBe(1);
  });

  it('must have 1 to 255 characters', async () => {
    const challans = await desk.make(1);
    expect((await desk.pay(idsOf(challans), 'x'.repeat(256))).status).toBe(400);
    expect(await desk.statusOf(challans)).toEqual([false]);
  });
});

describe('one challan', () => {
  it('is paid and unpaid through the ledger, cycle by cycle', async () => {
    const [challan] = await desk.make(1);
    const id = challan?.id ?? '';
    for (let cycle = 0; cycle < 3; cycle += 1) {
      const paid = await desk.api.inTenant(desk.tenant, (db) =>
        payChallans(db, desk.caller, { kind: 'single', challanIds: [id] }),
      );
      expect(paid).toMatchObject({ updatedCount: 1, skippedCount: 0, totalAmount: challan?.net, challanIds: [id] });
      await desk.api.inTenant(desk.tenant, assertLedger);
      const unpaid = await desk.api.inTenant(desk.tenant, (db) => unpayChallan(db, desk.caller, id, `reason ${cycle}`));
      expect(unpaid).toEqual({ batchId: paid.batchId, reversedCount: 1, reversedAmount: challan?.net });
      await desk.api.inTenant(desk.tenant, assertLedger);
    }
    const { rows } = await desk.api.inTenant(desk.tenant, (db) =>
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
    const [challan] = await desk.make(1);
    const before = await desk.snapshot();
    const result = await desk.api.inTenant(desk.tenant, (db) => unpayChallan(db, desk.caller, challan?.id ?? '', 'x'));
    expect(result).toBeNull();
    await expect(
      desk.api.inTenant(desk.tenant, (db) => unpayChallan(db, desk.caller, randomUUID(), 'x')),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await desk.snapshot()).toBe(before);
  });

  it('is taken back on the batch that had paid it, and can be changed and paid again', async () => {
    const challans = await desk.make(3);
    const batch = await desk.pay(idsOf(challans));
    const id = challans[1]?.id ?? '';
    const back = await desk.api.inTenant(desk.tenant, (db) => unpayChallan(db, desk.caller, id, 'Wrong account'));
    expect(back?.batchId).toBe(batch.body.data.batchId);
    await desk.api.inTenant(desk.tenant, (db) =>
      db.query(
        `UPDATE challans SET office_charges = 5, net_amount_payable = net_amount_payable - 5
         WHERE subadmin_id = $1 AND id = $2`,
        [db.tenantId, id],
      ),
    );
    const again = await desk.pay(idsOf(challans));
    expect(again.body.data).toMatchObject({
      updatedCount: 1,
      skippedCount: 2,
      totalAmount: add(challans[1]?.net ?? '', '-5'),
    });
  });
});

describe('the ledger itself', () => {
  it('cannot be changed by the app, nor by the owner of the tables', async () => {
    const challans = await desk.make(1);
    await desk.pay(idsOf(challans));
    for (const table of ['payment_batches', 'payment_batch_owners', 'payment_lines', 'payment_reversals']) {
      for (const statement of [
        `DELETE FROM ${table}`,
        `UPDATE ${table} SET batch_id = batch_id`,
        `TRUNCATE ${table}`,
      ]) {
        const text = table === 'payment_batches' ? statement.replaceAll('batch_id', 'id') : statement;
        await expect(desk.api.inTenant(desk.tenant, (db) => db.query(text))).rejects.toMatchObject({ code: '42501' });
      }
    }
  });

  it('writes nothing on a challan but its payment, and no index names what it writes', async () => {
    const challans = await desk.make(50, { depositedOn: '2026-10-01' });
    const columns = () =>
      desk.api.inTenant(desk.tenant, async (db) => {
        const { rows } = await db.query<{ row: Record<string, unknown> }>(
          `SELECT to_jsonb(c) - '{payment_status,paid_at,paid_on,pay_cycle,updated_at,version}'::text[] AS row FROM challans c
           WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`,
          [db.tenantId, idsOf(challans)],
        );
        return rows;
      });
    const before = await columns();
    await desk.pay(idsOf(challans));
    expect(await columns()).toEqual(before);
    const { rows } = await desk.api.inTenant(desk.tenant, (db) =>
      db.query<{ indexed: string }>(
        `SELECT i.indexrelid::regclass::text AS indexed FROM pg_index i
         WHERE i.indrelid = 'challans'::regclass AND pg_get_indexdef(i.indexrelid)
           ~ '\\m(payment_status|paid_at|paid_on|pay_cycle|updated_at|version)\\M'`,
      ),
    );
    expect(rows).toEqual([]);
  });

  it('leaves new challans on their pages, so that no index is written', async () => {
    const challans = await desk.make(400, { depositedOn: '2026-10-02' });
    const pages = () =>
      desk.api.inTenant(desk.tenant, async (db) => {
        const { rows } = await db.query<{ page: number }>(
          'SELECT (ctid::text::point)[0] AS page FROM challans WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id',
          [db.tenantId, idsOf(challans)],
        );
        return rows.map(({ page }) => page);
      });
    const before = await pages();
    await desk.pay(idsOf(challans));
    const after = await pages();
    // The first ones may be on a page that was nearly full.
    expect(after.filter((page, index) => page === before[index]).length).toBeGreaterThan(360);
  });

  it("counts the financial year like shared/calc, at the year's edge in India", async () => {
    const instants = [
      '2026-03-31T18:29:59Z',
      '2026-03-31T18:30:00Z',
      '2026-12-31T20:00:00Z',
      '2024-02-29T10:00:00Z',
      '2099-05-31T00:00:00Z',
    ];
    const { rows } = await desk.api.inTenant(desk.tenant, (db) =>
      db.query<{ years: string }>(
        `SELECT ${financialYearOf('t')} AS years
         FROM unnest($1::timestamptz[]) AS t`,
        [instants],
      ),
    );
    expect(rows.map(({ years }) => years)).toEqual(instants.map((at) => financialYear(at)));
  });
});
