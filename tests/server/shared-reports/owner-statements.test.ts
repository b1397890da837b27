import { utils, read } from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { add, subtract, sum } from '../../../src/shared/calc/money.ts';
import type { QueryInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Statement } from '../../../src/shared/contract/owner-statements.ts';
import { payChallans, unpayChallans } from '../../../src/server/features/payments/payments.service.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { createChallan, createOwner } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { idsOf, totalOf } from '../support/ledger.ts';
import { pdfText } from '../support/pdf-text.ts';
import { randomOf } from '../support/random.ts';

/** What an owner is owed and why (docs/specification.md §26). */
const { ownerStatements, owners, challans, paymentBatches } = contract;

let desk: BankDesk;
beforeAll(async () => {
  desk = await openBankDesk();
});
afterAll(() => desk.api.close());

const as = (key?: string) => desk.as(key);
const today = dayOf(new Date());
type Period = Partial<Omit<QueryInput<typeof ownerStatements.current>, 'ownerId'>>;
const asked = async (ownerId: string, period: Period = {}) =>
  desk.api.call(ownerStatements.current, { query: { ownerId, endDate: today, ...period } }, as());
const statement = async (ownerId: string, period: Period = {}): Promise<Statement> => {
  const answer = await asked(ownerId, period);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const newOwner = async (name: string) => (await createOwner(desk.api, desk.tenant, { name })).id;
const print = (ownerId: string, startDate: string | null = null, key?: string) =>
  desk.api.call(ownerStatements.print, { body: { ownerId, startDate, endDate: today } }, as(key));
const setOpenings = (...entries: { ownerId: string; asOf: string; amount: string; note?: string }[]) =>
  desk.api.call(ownerStatements.setOpenings, { body: { entries } }, as());
const download = async (id: string, kind: 'pdf' | 'xlsx') => {
  const answer = await desk.api.callRaw('GET', `/api/owner-statements/${id}/${kind}`, as());
  expect(answer.status).toBe(200);
  return answer;
};
const shortOf = ({ lines }: Statement) =>
  lines.map(({ kind, day, number, payable, paid, balance }) => [kind, day, number, payable, paid, balance]);

describe('a statement', () => {
  it('has challans with each deduction, payments with number and UTR, reversals, holds and the opening balance', async () => {
    const ownerId = await newOwner('Of Everything');
    const refs = { ownerId, tagId: desk.tagId };
    const first = await createChallan(desk.api, desk.tenant, refs, { ownerName: 'Of Everything' });
    const second = await createChallan(desk.api, desk.tenant, refs, {
      ownerName: 'Of Everything',
      depositedAt: '2026-05-03',
      advanceMoney: '90000.55',
    });
    await setOpenings({ ownerId, asOf: '2026-03-31', amount: '1234.56', note: 'Old book' });
    await desk.api.call(challans.setHold, { params: { id: first.id }, body: { reason: 'Our secret' } }, as());
    await desk.api.call(challans.setHold, { params: { id: first.id }, body: { reason: '' } }, as());
    const paid = await desk.pay([first.id]);
    const [line] = await desk.send([paid.body.data.batchId ?? '']);
    await desk.accept([{ fileId: line!.fileId, lineNo: 1, outcome: 'executed', utr: 'N097262000000077' }]);
    const { lines, ...figures } = await statement(ownerId);
    expect(figures).toMatchObject({ owner: { name: 'Of Everything' }, opening: '0.00', closing: '-64214.99' });
    expect(shortOf({ ...figures, lines })).toEqual([
      ['opening', '2026-03-31', '', '1234.56', null, '1234.56'],
      ['challan', '2026-04-12', first.challanNumber, '19551.00', null, '20785.56'],
      ['challan', '2026-05-03', second.challanNumber, '-65449.55', null, '-44663.99'],
      ['hold', today, first.challanNumber, null, null, '-44663.99'],
      ['release', today, first.challanNumber, null, null, '-44663.99'],
      ['payment', today, paid.body.data.number, null, '19551.00', '-64214.99'],
    ]);
    expect(lines[1]).toMatchObject({
      freight: '24900.00',
      tds: '249.00',
      hsd: '0.00',
      advance: '5000.00',
      office: '100.00',
      shortage: '0.00',
      recordId: first.id,
    });
    expect(lines[3]).toMatchObject({ note: 'Our secret' });
    expect(lines[5]).toMatchObject({ utr: 'N097262000000077', challanCount: 1, recordId: paid.body.data.batchId });
    // The bank returns it: the payment stays, with what took it back.
    await desk.accept([{ fileId: line!.fileId, lineNo: 1, outcome: 'returned', reason: 'ACCOUNT CLOSED' }]);
    const after = await statement(ownerId);
    expect(shortOf(after).slice(5)).toEqual([
      ['payment', today, paid.body.data.number, null, '19551.00', '-64214.99'],
      ['reversal', today, paid.body.data.number, null, '-19551.00', '-44663.99'],
    ]);
    expect(after.totals).toMatchObject({
      freight: '49800.00',
      advance: '95000.55',
      paid: '0.00',
      payable: '-44663.99',
    });
  });

  it('of a period opens with the balance of the day before', async () => {
    const ownerId = await newOwner('Of a Period');
    const [early] = await desk.make(1, { ownerId, depositedOn: '2026-04-30' });
    const [late] = await desk.make(1, { ownerId, depositedOn: '2026-05-01' });
    await setOpenings({ ownerId, asOf: '2026-04-30', amount: '-0.05' });
    const may = await statement(ownerId, { startDate: '2026-05-01', endDate: '2026-05-31' });
    expect(may.opening).toBe(subtract(early!.net, '0.05'));
    expect(shortOf(may).map(([, , number]) => number)).toEqual([late!.number]);
    expect((await statement(ownerId, { endDate: '2026-04-30' })).closing).toBe(may.opening);
    const empty = await statement(ownerId, { startDate: '2026-06-01', endDate: '2026-06-30' });
    expect([empty.lines, empty.opening, empty.closing]).toEqual([[], may.closing, may.closing]);
  });

  it('counts a challan without a deposited date on the day it was created', async () => {
    const ownerId = await newOwner('Not Deposited');
    await desk.make(1, { ownerId, depositedOn: null });
    expect((await statement(ownerId)).lines.map(({ day }) => day)).toEqual([today]);
  });

  it('ends today at the latest, begins before it ends, and is of an owner of this account', async () => {
    const ownerId = await newOwner('Refused');
    expectRefusal(await asked(ownerId, { endDate: addDays(today, 2) }), 400, 'VALIDATION_ERROR');
    expectRefusal(await asked(ownerId, { startDate: '2026-05-02', endDate: '2026-05-01' }), 400, 'VALIDATION_ERROR');
    const other = await desk.api.addTenant('Another');
    const query = { ownerId, endDate: today };
    const foreign = { token: other.token };
    expectRefusal(
      await desk.api.call(ownerStatements.current, { query }, foreign),
      404,
      'NOT_FOUND',
      'Owner not found',
    );
  });
});

describe('opening balances', () => {
  it('are corrected by a new entry, and every entry stays', async () => {
    const ownerId = await newOwner('Corrected');
    await setOpenings({ ownerId, asOf: '2026-03-31', amount: '500.00', note: 'First' });
    await setOpenings({ ownerId, asOf: '2026-03-31', amount: '450.00', note: 'Second' });
    expect((await statement(ownerId)).closing).toBe('450.00');
    await setOpenings({ ownerId, asOf: '2026-03-31', amount: '0' });
    expect(await statement(ownerId)).toMatchObject({ closing: '0.00', lines: [] });
    const kept = await desk.api.call(ownerStatements.listOpenings, { params: { id: ownerId } }, as());
    expect(kept.body.data.map(({ entryNo, amount, note }) => [entryNo, amount, note])).toEqual([
      [3, '0.00', ''],
      [2, '450.00', 'Second'],
      [1, '500.00', 'First'],
    ]);
  });

  it('of many owners are entered together or not at all', async () => {
    const [one, two] = [await newOwner('One of Many'), await newOwner('Two of Many')];
    const entry = (ownerId: string) => ({ ownerId, asOf: '2026-03-31', amount: '7.00' });
    expectRefusal(await setOpenings(entry(one), entry(one)), 400, 'VALIDATION_ERROR');
    const later = { ...entry(one), asOf: addDays(today, 1) };
    expectRefusal(await setOpenings(entry(two), later), 400, 'VALIDATION_ERROR', 'The day is still to come');
    const foreign = await createOwner(desk.api, await desk.api.addTenant('Elsewhere'));
    expectRefusal(await setOpenings(entry(one), entry(foreign.id)), 404, 'NOT_FOUND', 'Owner not found');
    expect((await statement(one)).closing).toBe('0.00');
    expect((await setOpenings(entry(one), entry(two))).body.data.count).toBe(2);
    expect([(await statement(one)).closing, (await statement(two)).closing]).toEqual(['7.00', '7.00']);
  });

  it('of two who correct it at once are one after the other', async () => {
    const ownerId = await newOwner('At Once');
    const amounts = ['1.00', '2.00', '3.00', '4.00'];
    const answers = await Promise.all(amounts.map((amount) => setOpenings({ ownerId, asOf: '2026-03-31', amount })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const kept = await desk.api.call(ownerStatements.listOpenings, { params: { id: ownerId } }, as());
    expect(kept.body.data.map(({ entryNo }) => entryNo)).toEqual([4, 3, 2, 1]);
    expect((await statement(ownerId)).closing).toBe(kept.body.data[0]?.amount);
  });
});

describe('a printed statement', () => {
  it('is the same for ever, whatever changes behind it', async () => {
    const ownerId = await newOwner('रमेश ମୋହନ');
    const made = await desk.make(4, { ownerId });
    await setOpenings({ ownerId, asOf: '2026-03-31', amount: '10.00' });
    const paid = await desk.pay(idsOf(made.slice(0, 2)));
    const answer = await print(ownerId);
    expect(answer.status, answer.text).toBe(201);
    const { id, number, closing, lineCount } = answer.body.data;
    expect(number).toMatch(/^ST-\d{4}-\d{6}$/);
    expect([closing, lineCount]).toEqual([add('10.00', totalOf(made.slice(2))), 6]);
    const get = async () => (await desk.api.call(ownerStatements.get, { params: { id } }, as())).body.data;
    const [seen, pdf, xlsx] = [await get(), await download(id, 'pdf'), await download(id, 'xlsx')];
    expect(seen.statement).toEqual(await statement(ownerId));

    await desk.api.call(
      paymentBatches.reverse,
      { params: { id: paid.body.data.batchId ?? '' }, body: { reason: 'x' } },
      as(),
    );
    await desk.api.call(challans.update, { params: { id: made[2]!.id }, body: { tpNo: 'OTHER' } }, as());
    await desk.api.call(challans.remove, { params: { id: made[3]!.id } }, as());
    await desk.api.call(challans.remove, { params: { id: made[0]!.id } }, as());
    await desk.api.call(challans.setHold, { params: { id: made[2]!.id }, body: { reason: 'x' } }, as());
    await setOpenings({ ownerId, asOf: '2026-03-31', amount: '99.00' });
    await desk.api.call(owners.update, { params: { id: ownerId }, body: { name: 'Renamed' } }, as());
    const profile = { bannerName: 'New Banner', gstNo: '21ABCDE1234F1Z5' };
    await desk.api.call(contract.profile.update, { body: profile }, as());

    expect((await statement(ownerId)).closing).not.toBe(closing);
    expect(await get()).toEqual(seen);
    expect((await download(id, 'pdf')).bytes.equals(pdf.bytes)).toBe(true);
    expect((await download(id, 'xlsx')).bytes.equals(xlsx.bytes)).toBe(true);
    const list = await desk.api.call(ownerStatements.list, { query: { ownerId } }, as());
    expect(list.body.data).toEqual([answer.body.data]);
    expect((await print(ownerId)).body.data.closing).not.toBe(closing);
    await desk.assertMoney();
  });

  it('is made once when the request is repeated, and numbers have no gap', async () => {
    const ownerId = await newOwner('Printed Once');
    const [first, again] = [await print(ownerId, null, 'st-1'), await print(ownerId, null, 'st-1')];
    expect(again.body.data).toEqual(first.body.data);
    const next = await print(ownerId, '2026-05-01', 'st-2');
    expect(Number(next.body.data.number.slice(-6)) - Number(first.body.data.number.slice(-6))).toBe(1);
    expectRefusal(await print(ownerId, '2026-05-01', 'st-1'), 422, 'IDEMPOTENCY_MISMATCH');
    const list = await desk.api.call(ownerStatements.list, { query: { ownerId, limit: 1 } }, as());
    expect(list.body.data.map(({ number }) => number)).toEqual([next.body.data.number]);
    expect(list.body.pagination.totalCount).toBe(2);
  });

  it('is used again until something changes, also by two at once', async () => {
    const ownerId = await newOwner('Printed Again');
    const count = async () =>
      (await desk.api.call(ownerStatements.list, { query: { ownerId } }, as())).body.pagination.totalCount;
    await desk.make(1, { ownerId });
    const both = await Promise.all([print(ownerId), print(ownerId)]);
    expect(both[0].body.data).toEqual(both[1].body.data);
    const first = both[0].body.data;
    const { bytes } = await download(first.id, 'pdf');
    const later = (await print(ownerId, '2026-04-01')).body.data;
    expect(later.number).not.toBe(first.number);
    expect((await print(ownerId)).body.data).toEqual(first);
    expect((await download(first.id, 'pdf')).bytes.equals(bytes)).toBe(true);
    expect(await count()).toBe(2);
    await desk.api.call(owners.update, { params: { id: ownerId }, body: { name: 'Printed Anew' } }, as());
    expect((await print(ownerId)).body.data.number).not.toBe(first.number);
    // The figures of before again, after others were printed: the paper that counts is the last one.
    await desk.api.call(owners.update, { params: { id: ownerId }, body: { name: 'Printed Again' } }, as());
    expect((await print(ownerId)).body.data.number).not.toBe(first.number);
    expect(await count()).toBe(4);
  });

  it('is not made without end', async () => {
    const other = await desk.api.addTenant('Prints All Day');
    const owner = await createOwner(desk.api, other);
    const body = { ownerId: owner.id, startDate: null, endDate: today };
    const answers = [];
    for (let n = 0; n < 21; n += 1)
      answers.push(await desk.api.call(ownerStatements.print, { body }, { token: other.token }));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
    expect(answers[20]?.error.message).toMatch(
      /^Many statements were printed just now\. Please try again in \d+ seconds?\.$/,
    );
    expect(new Set(answers.slice(0, 20).map(({ body: { data } }) => data.number)).size).toBe(1);
  });

  it('cannot be changed in the database', async () => {
    const { id } = (await print(await newOwner('Unchangeable'))).body.data;
    for (const change of ["UPDATE owner_statements SET content = '{}'", 'DELETE FROM owner_opening_balances']) {
      await expect(desk.api.inTenant(desk.tenant, (db) => db.query(change))).rejects.toThrow();
    }
    expect((await download(id, 'pdf')).status).toBe(200);
  });

  it('says on paper who, when and what, in Hindi and Odia too, without what we wrote for ourselves', async () => {
    const ownerId = await newOwner('रमेश कुमार ମୋହନ ଦାସ');
    const made = await desk.make(250, { ownerId });
    await desk.api.call(challans.setHold, { params: { id: made[0]!.id }, body: { reason: 'Our secret' } }, as());
    await setOpenings({ ownerId, asOf: '2026-03-31', amount: '12.34', note: 'Another secret' });
    const paid = await desk.pay(idsOf(made.slice(1, 3)));
    const { id, number, closing } = (await print(ownerId, '2026-04-01')).body.data;
    const { bytes, headers } = await download(id, 'pdf');
    expect(headers['content-type']).toBe('application/pdf');
    expect(headers['content-disposition']).toContain(`statement_${number}`);
    const pages = pdfText(bytes);
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.every((text) => text.includes('Freight'))).toBe(true);
    const text = pages.join('\n');
    for (const words of [
      'रमेश कुमार ମୋହନ ଦାସ',
      `${number} · 01/04/2026 to`,
      'Opening balance',
      '12.34',
      `Payment ${paid.body.data.number}`,
      '2 challans',
      'Put on hold',
      'Closing balance',
      'Owed to the owner ₹',
      'Rupees',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('secret');
    for (const { number: challan } of made) expect(text).toContain(challan);
    const sheet = await sheetOf(id);
    expect(JSON.stringify(sheet)).not.toContain('secret');
    expect(sheet.at(-1)?.[1]).toBe('Closing balance');
    expect(sheet.at(-1)?.at(-1)).toBe(closing);
  });

  it('has in its workbook every figure to the paisa', async () => {
    const ownerId = await newOwner('Sheet');
    await desk.make(20, { ownerId, advance: '999999.99' });
    const made = await desk.make(5, { ownerId });
    await desk.pay(idsOf(made));
    const { id, number } = (await print(ownerId)).body.data;
    const { totals, closing, lines } = await statement(ownerId);
    const [intro, heading, opening, ...rows] = await sheetOf(id);
    expect(intro?.[0]).toContain(`Owner statement ${number} of Sheet, until`);
    expect(heading?.slice(9)).toEqual(['Shortage', 'Payable', 'Paid', 'Balance']);
    expect(opening?.slice(1, 2)).toEqual(['Opening balance']);
    expect(rows.slice(0, -1).map((row) => row.slice(10))).toEqual(
      lines.map(({ payable, paid, balance }) => [payable ?? '', paid ?? '', balance]),
    );
    expect(rows.at(-1)?.slice(10)).toEqual([totals.payable, totals.paid, closing]);
  });

  const sheetOf = async (id: string): Promise<string[][]> => {
    const { bytes } = await download(id, 'xlsx');
    const book = read(bytes, { cellNF: true });
    const sheet = book.Sheets[book.SheetNames[0]!]!;
    const rows = utils.sheet_to_json<(string | number)[]>(sheet, { header: 1, defval: '' });
    return rows.map((row, at) =>
      row.map((cell, column) => (typeof cell === 'number' && column > 0 && at > 1 ? cell.toFixed(2) : String(cell))),
    );
  };
});

describe('in random histories', () => {
  it.each([1, 2, 3])('every balance is the plain recount of the ledger (%i)', async (seed) => {
    const random = randomOf(seed);
    const ownerId = await newOwner(`Random ${seed}`);
    const day = () => addDays('2026-04-11', random.below(60));
    const unpaid = [];
    for (let n = 0; n < 12; n += 1) {
      const over = { ownerId, depositedOn: day(), advance: random.chance(0.3) ? '5000.05' : '0' };
      unpaid.push(...(await desk.make(1 + random.below(4), over)));
    }
    if (random.chance(0.7))
      await setOpenings({ ownerId, asOf: day(), amount: `-${random.below(9000)}.${10 + random.below(90)}` });
    await setOpenings({ ownerId, asOf: day(), amount: `${random.below(9000)}.${10 + random.below(90)}` });
    for (let n = 0; n < 15; n += 1) {
      const some = idsOf(random.some(unpaid, 1 + random.below(5)));
      const paidOn = day();
      await desk.api.inTenant(desk.tenant, async (db) => {
        const isPast = random.chance(0.7);
        const choice = isPast
          ? { kind: 'import' as const, challanIds: some, paidOn }
          : { kind: 'selected' as const, challanIds: some };
        if (random.chance(0.7)) await payChallans(db, desk.caller, choice);
        else await unpayChallans(db, desk.caller, some, 'Random');
      });
    }
    const left = random.pick(unpaid);
    await desk.api.call(challans.update, { params: { id: left.id }, body: { paymentStatus: false } }, as());
    await desk.api.call(challans.remove, { params: { id: left.id } }, as());
    await desk.assertMoney();

    const plain = await recount(ownerId);
    const until = (end: string): string =>
      sum(['0.00', ...plain.filter(({ on }) => on <= end).map(({ amount }) => amount)]);
    const ends = ['2026-03-31', ...Array.from({ length: 6 }, day).sort(), today];
    for (const [at, end] of ends.slice(1).entries()) {
      const before = ends[at]!;
      if (before === end) continue;
      const part = await statement(ownerId, { startDate: addDays(before, 1), endDate: end });
      expect([before, part.opening]).toEqual([before, until(before)]);
      expect([end, part.closing]).toEqual([end, until(end)]);
      expect(part.lines.map(({ balance }) => balance)).toEqual(running(part));
    }
    // What is unpaid and the opening balance is all that is owed in the end.
    const whole = await statement(ownerId);
    const openings = plain.filter(({ isOpening }) => isOpening).map(({ amount }) => amount);
    expect(whole.closing).toBe(sum(['0.00', ...openings, ...(await unpaidNets(ownerId))]));
  });

  const running = ({ opening, lines }: Statement): string[] => {
    let balance = opening;
    return lines.map(({ payable, paid }) => (balance = subtract(add(balance, payable ?? '0.00'), paid ?? '0.00')));
  };

  const unpaidNets = (ownerId: string): Promise<string[]> =>
    desk.api.inTenant(desk.tenant, async (db) => {
      const { rows } = await db.query<{ net: string }>(
        `SELECT net_amount_payable AS net FROM challans
         WHERE subadmin_id = $1 AND owner_id = $2 AND deleted_at IS NULL AND NOT payment_status`,
        [db.tenantId, ownerId],
      );
      return rows.map(({ net }) => net);
    });

  /** Row by row from the tables, without a sum of the database. */
  const recount = (ownerId: string): Promise<{ on: string; amount: string; isOpening: boolean }[]> =>
    desk.api.inTenant(desk.tenant, async (db) => {
      const { rows: made } = await db.query<{ deposited_at: Date; net: string }>(
        `SELECT deposited_at, net_amount_payable AS net FROM challans
         WHERE subadmin_id = $1 AND owner_id = $2 AND deleted_at IS NULL`,
        [db.tenantId, ownerId],
      );
      const { rows: lines } = await db.query<{ kind: string; paid_on: string; created_at: Date; amount: string }>(
        `SELECT l.kind, b.paid_on, l.created_at, l.amount FROM payment_lines l
           JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
         WHERE l.subadmin_id = $1 AND l.owner_id = $2`,
        [db.tenantId, ownerId],
      );
      const { rows: openings } = await db.query<{ as_of: string; amount: string }>(
        `SELECT as_of, amount FROM owner_opening_balances WHERE subadmin_id = $1 AND owner_id = $2 ORDER BY entry_no`,
        [db.tenantId, ownerId],
      );
      return [
        ...made.map(({ deposited_at, net }) => ({ on: dayOf(deposited_at), amount: net, isOpening: false })),
        ...lines.map(({ kind, paid_on, created_at, amount }) =>
          kind === 'pay'
            ? { on: paid_on, amount: subtract('0.00', amount), isOpening: false }
            : { on: dayOf(created_at), amount, isOpening: false },
        ),
        ...openings.slice(-1).map(({ as_of, amount }) => ({ on: as_of, amount, isOpening: true })),
      ];
    });
});
