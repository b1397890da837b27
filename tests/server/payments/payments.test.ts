import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { financialYear } from '../../../src/shared/calc/dates.ts';
import { compare } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { createOwner } from '../support/builders.ts';
import { analyze, idsOf, insertChallans, totalOf } from '../support/ledger.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk();
});
afterEach(() => desk.assertMoney());
afterAll(() => desk.api.close());

describe('POST bulk-payment', () => {
  it('pays the chosen challans in one batch and answers with its file', async () => {
    const first = await desk.make(2);
    const second = await desk.make(1, { ownerId: desk.otherOwnerId, tagId: null });
    const answer = await desk.pay(idsOf([...first, ...second]));
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
    expect(await desk.statusOf([...first, ...second])).toEqual([true, true, true]);
  });

  it('numbers batches without a gap, by financial year', async () => {
    const [a, b] = await desk.make(2);
    const one = await desk.pay([a?.id ?? '']);
    const two = await desk.pay([b?.id ?? '']);
    const numberOf = (answer: typeof one) => Number(/-(\d+)_/.exec(answer.body.data.csv?.filename ?? '')?.[1]);
    expect(numberOf(two)).toBe(numberOf(one) + 1);
  });

  it('counts ids given twice once and skips what is paid already', async () => {
    const challans = await desk.make(3);
    await desk.pay([challans[0]?.id ?? '']);
    const ids = idsOf(challans);
    const answer = await desk.pay([...ids, ...ids, (ids[1] ?? '').toUpperCase()]);
    expect(answer.body.data).toMatchObject({
      updatedCount: 2,
      skippedCount: 1,
      totalAmount: totalOf(challans.slice(1)),
      challanIds: ids.slice(1),
    });
  });

  it('makes no batch when everything was paid already', async () => {
    const challans = await desk.make(2);
    await desk.pay(idsOf(challans));
    const before = await desk.snapshot();
    const answer = await desk.pay(idsOf(challans));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      batchId: null,
      updatedCount: 0,
      skippedCount: 2,
      totalAmount: '0.00',
      challanIds: [],
    });
    expect(answer.body.data.csv).toBeUndefined();
    expect(await desk.snapshot()).toBe(before);
  });

  it('leaves out an owner below zero, and pays it unchanged where that is asked for', async () => {
    const challans = await desk.make(2, { advance: '900000' });
    expect((await desk.pay(idsOf(challans))).body.data).toMatchObject({ batchId: null, negativeCount: 2 });
    const answer = await desk.api.call(
      contract.bankStatement.markPaid,
      { body: { challanIds: idsOf(challans), paysNegative: true } },
      { token: desk.tenant.token },
    );
    expect(answer.body.data.totalAmount).toBe(totalOf(challans));
    expect(answer.body.data.totalAmount.startsWith('-')).toBe(true);
  });

  it('leaves an owner out whose challans are below zero together, and pays one whose are not', async () => {
    const ownerIds = [];
    for (const name of ['Below Zero', 'Above Zero']) {
      ownerIds.push((await createOwner(desk.api, desk.tenant, { name })).id);
    }
    const [below, above] = ownerIds;
    const [small, large] = [{ advance: '0' }, { advance: '5000' }];
    const belowZero = [
      ...(await desk.make(1, { ownerId: below!, ...small })),
      ...(await desk.make(1, { ownerId: below!, ...large })),
    ];
    const aboveZero = [
      ...(await desk.make(12, { ownerId: above!, ...small })),
      ...(await desk.make(1, { ownerId: above!, ...large })),
    ];
    // Each has a challan above zero and one below.
    for (const made of [belowZero, aboveZero]) {
      expect(compare(made[0]!.net, '0')).toBe(1);
      expect(compare(made.at(-1)!.net, '0')).toBe(-1);
    }
    expect(compare(totalOf(aboveZero), '0')).toBe(1);
    const { data } = (await desk.pay(idsOf([...belowZero, ...aboveZero]))).body;
    expect(data).toMatchObject({ updatedCount: 13, negativeCount: 2, totalAmount: totalOf(aboveZero) });
    expect(await desk.statusOf(belowZero)).toEqual([false, false]);
  });

  it('changes nothing when one id is unknown, deleted or of another business: the same 404 for each', async () => {
    const challans = await desk.make(2);
    const deleted = await desk.make(1);
    await desk.api.inTenant(desk.tenant, (db) =>
      db.query('UPDATE challans SET deleted_at = now() WHERE subadmin_id = $1 AND id = $2', [
        db.tenantId,
        deleted[0]?.id,
      ]),
    );
    const other = await desk.api.addTenant();
    const foreignOwner = await createOwner(desk.api, other);
    const foreign = await desk.api.inTenant(other, (db) => insertChallans(db, { ownerId: foreignOwner.id }, 1));
    const before = await desk.snapshot();
    const answers = [];
    for (const bad of [randomUUID(), deleted[0]?.id ?? '', foreign[0]?.id ?? '']) {
      const answer = await desk.pay([...idsOf(challans), bad]);
      expect(answer.status).toBe(404);
      const { requestId: _, ...error } = answer.error;
      answers.push(error);
    }
    expect(answers[0]).toEqual({ success: false, code: 'NOT_FOUND', message: 'Challan not found' });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await desk.snapshot()).toBe(before);
  });

  it('refuses what is no list of ids, and changes nothing', async () => {
    const challans = await desk.make(1);
    const before = await desk.snapshot();
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
      const answer = await desk.api.callRaw('POST', '/api/challans/bank-report/bulk-payment', {
        token: desk.tenant.token,
        body,
      });
      expect(answer.status).toBe(400);
      expect(answer.error.code).toBe(code);
      if (message) expect(answer.error.message).toBe(message);
    }
    expect(await desk.snapshot()).toBe(before);
  });

  it('takes 5,000 at once and lists them all', async () => {
    const challans = await desk.make(5_000);
    await analyze(desk.api);
    const answer = await desk.pay(idsOf(challans));
    expect(answer.body.data.updatedCount).toBe(5_000);
    expect(answer.body.data.challanIds).toHaveLength(5_000);
    expect(answer.body.data.totalAmount).toBe(totalOf(challans));
    // Heading, lines, one owner's subtotal, grand total.
    expect(answer.body.data.csv?.content.split('\r\n')).toHaveLength(5_000 + 4);
  });

  it('is refused without a session (401) and for an admin (403), and changes nothing', async () => {
    const challans = await desk.make(1);
    const before = await desk.snapshot();
    const body = { challanIds: idsOf(challans) };
    const url = '/api/challans/bank-report/bulk-payment';
    expect((await desk.api.callRaw('POST', url, { body })).status).toBe(401);
    expect((await desk.api.callRaw('POST', url, { body, token: desk.api.adminToken })).status).toBe(403);
    expect(await desk.snapshot()).toBe(before);
  });
});
