import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payChallans } from '../../../src/server/features/payments/payments.service.ts';
import { addDays } from '../../../src/shared/calc/dates.ts';
import { monthOf } from '../../../src/shared/calc/day-ranges.ts';
import { depositDue } from '../../../src/shared/calc/financial-year.ts';
import { add, compare, lesser, subtract, sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { shippedDepositRules } from '../../../src/shared/contract/tds-deposits.ts';
import { testSeed } from '../../calc/seed.ts';
import { callerOf, startApi, type Api, type Tenant } from '../support/api.ts';
import {
  buildTdsDeposit,
  buildTdsSettings,
  createChallan,
  createDeclaration,
  createOwner,
  createTag,
  createTdsDeposit,
} from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { addPerson } from '../support/people.ts';
import { randomOf } from '../support/random.ts';

/** Deposits of TDS and the working for the return (docs/specification.md §30). */
const { tds, tdsDeposits, challans, paymentBatches } = contract;
const year = '2025-26';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

interface Desk {
  tenant: Tenant;
  as: { token: string };
  refs: { ownerId: string; tagId: string };
}
async function openDesk(panNo = 'BNZPM0001Q'): Promise<Desk> {
  const tenant = await api.addTenant();
  const refs = {
    ownerId: (await createOwner(api, tenant, { panNo })).id,
    tagId: (await createTag(api, tenant)).id,
  };
  return { tenant, as: { token: tenant.token }, refs };
}

/** Challans of 249.00 TDS each, paid on these days. */
async function payOn({ tenant, refs }: Desk, ...days: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const paidOn of days) {
    const { id } = await createChallan(api, tenant, refs, {
      loadingDate: '2025-03-20',
      unloadingDate: '2025-03-21',
      depositedAt: '2025-03-21',
    });
    await api.inTenant(tenant, (db) => payChallans(db, callerOf(tenant), { kind: 'import', challanIds: [id], paidOn }));
    ids.push(id);
  }
  return ids;
}

async function monthsOf({ as }: Pick<Desk, 'as'>) {
  const answer = await api.call(tds.listMonths, { query: { year } }, as);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

const april = { depositedOn: '2025-05-06', deductedFrom: '2025-04-01', deductedTo: '2025-04-30' };

describe('a deposit', () => {
  it('covers what is open of its days; what is deducted later stays open for another one', async () => {
    const desk = await openDesk();
    await payOn(desk, '2025-04-03', '2025-04-30', '2025-05-01');
    const first = await createTdsDeposit(api, desk.tenant, { ...april, amount: '500.00' });
    expect(first).toMatchObject({ covered: '498.00', challanCount: 2, year, quarter: 'q1' });
    await payOn(desk, '2025-04-10');
    expect(await monthsOf(desk)).toEqual([
      {
        from: '2025-04-01',
        to: '2025-04-30',
        challanCount: 3,
        tdsAmount: '747.00',
        covered: '498.00',
        open: '249.00',
        dueOn: '2025-05-07',
        isLate: true,
      },
      {
        from: '2025-05-01',
        to: '2025-05-31',
        challanCount: 1,
        tdsAmount: '249.00',
        covered: '0.00',
        open: '249.00',
        dueOn: '2025-06-07',
        isLate: true,
      },
    ]);
    expect(await createTdsDeposit(api, desk.tenant, { ...april, amount: '249.00' })).toMatchObject({
      covered: '249.00',
      challanCount: 1,
    });
    const list = await api.call(tdsDeposits.list, { query: { year, quarter: 'q1' } }, desk.as);
    expect(list.body.totals).toEqual({ amount: '749.00', covered: '747.00' });
    expect((await api.call(tdsDeposits.list, { query: { year, quarter: 'q2' } }, desk.as)).body.data).toEqual([]);
  });

  it('does not cover more than was deposited, and nothing is stored of it', async () => {
    const desk = await openDesk();
    await payOn(desk, '2025-04-03', '2025-04-30');
    const body = buildTdsDeposit({ ...april, amount: '497.99' });
    const refused = await api.call(tdsDeposits.create, { body }, desk.as);
    expectRefusal(
      refused,
      400,
      'VALIDATION_ERROR',
      'From 01/04/2025 to 30/04/2025 ₹498.00 is not deposited yet, more than ₹497.99. Choose fewer days, or correct the amount.',
    );
    expect((await api.call(tdsDeposits.list, { query: { year } }, desk.as)).body.data).toEqual([]);
    const { id } = await createTdsDeposit(api, desk.tenant, { ...april, amount: '498.00' });
    const lower = await api.call(tdsDeposits.update, { params: { id }, body: { amount: '300.00' } }, desk.as);
    expectRefusal(lower, 400, 'VALIDATION_ERROR');
    expect((await monthsOf(desk))[0]).toMatchObject({ covered: '498.00', open: '0.00', isLate: false });
    const days = { amount: '300.00', deductedTo: '2025-04-29' };
    const changed = await api.call(tdsDeposits.update, { params: { id }, body: days }, desk.as);
    expect(changed.body.data).toMatchObject({ covered: '249.00', challanCount: 1, version: 2 });
  });

  it('keeps what it covers while only its note is changed, and gives it back when it is deleted', async () => {
    const desk = await openDesk();
    await payOn(desk, '2025-04-03');
    const { id } = await createTdsDeposit(api, desk.tenant, { ...april, amount: '249.00' });
    await payOn(desk, '2025-04-04');
    const noted = await api.call(tdsDeposits.update, { params: { id }, body: { note: 'By net banking' } }, desk.as);
    expect(noted.body.data).toMatchObject({ covered: '249.00', challanCount: 1 });
    const stale = await api.call(tdsDeposits.update, { params: { id }, body: { note: '', version: 1 } }, desk.as);
    expectRefusal(
      stale,
      409,
      'VERSION_CONFLICT',
      'This TDS deposit was changed by someone else meanwhile. Review the current values and save again.',
    );
    const removed = await api.call(tdsDeposits.remove, { params: { id } }, desk.as);
    expect(removed.body.message).toBe('Deposit deleted successfully!');
    expect((await monthsOf(desk))[0]).toMatchObject({ covered: '0.00', open: '498.00' });
    const { data } = (await api.call(contract.history.listTdsDeposit, { params: { id } }, desk.as)).body;
    expect(data.map(({ action }) => action)).toEqual(['Deleted', 'Edited', 'Created']);
  });

  it.each([
    [{ deductedFrom: '2025-04-30', deductedTo: '2025-04-01' }, 'The last day cannot be before the first'],
    [{ deductedFrom: '2025-06-30', deductedTo: '2025-07-01' }, 'Both days are in the same quarter'],
    [{ depositedOn: '2099-01-01' }, 'The day of the deposit is still to come'],
    [{ bsrCode: '51030' }, 'A BSR code has 7 digits'],
    [{ serialNo: '123456' }, 'A serial number has 5 digits'],
    [{ amount: '0.00' }, 'The amount is more than 0'],
  ])('is refused: %o', async (over, message) => {
    const { as } = await openDesk();
    const refused = await api.call(tdsDeposits.create, { body: buildTdsDeposit({ ...april, ...over }) }, as);
    expectRefusal(refused, 400, 'VALIDATION_ERROR');
    expect(Object.values((refused.body as unknown as { fields: object }).fields)).toEqual([message]);
  });

  it('is entered once', async () => {
    const { as, tenant } = await openDesk();
    await createTdsDeposit(api, tenant, { ...april, serialNo: '00017' });
    const again = await api.call(tdsDeposits.create, { body: buildTdsDeposit({ ...april, serialNo: '00017' }) }, as);
    expectRefusal(
      again,
      409,
      'DEPOSIT_EXISTS',
      'A deposit with this BSR code, day and serial number is entered already',
    );
  });

  it('covers each deduction once when ten are entered at the same time', async () => {
    const desk = await openDesk();
    await payOn(desk, '2025-04-03', '2025-04-04', '2025-04-05');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        api.call(
          tdsDeposits.create,
          // Half of them would cover more than they are.
          { body: buildTdsDeposit({ ...april, amount: n % 2 === 0 ? '747.00' : '100.00' }) },
          desk.as,
        ),
      ),
    );
    expect(answers.every(({ status }) => status === 201 || status === 400)).toBe(true);
    const made = answers.flatMap(({ status, body }) => (status === 201 ? [body.data] : []));
    expect(sum(made.map(({ covered }) => covered))).toBe('747.00');
    expect(made.every(({ covered, amount }) => compare(covered, amount) <= 0)).toBe(true);
    expect((await monthsOf(desk))[0]).toMatchObject({ covered: '747.00', open: '0.00' });
  });

  it('is of one business: another one neither sees it nor is covered by it', async () => {
    const mine = await openDesk();
    const other = await openDesk();
    await payOn(mine, '2025-04-03');
    await payOn(other, '2025-04-03');
    await createTdsDeposit(api, mine.tenant, { ...april, amount: '249.00' });
    expect((await monthsOf(other))[0]).toMatchObject({ covered: '0.00', open: '249.00' });
    expect((await api.call(tdsDeposits.list, { query: { year } }, other.as)).body.data).toEqual([]);
  });
});

describe('the due day', () => {
  it.each([
    ['2026-04-01', '2026-05-07'],
    ['2026-12-01', '2027-01-07'],
    ['2027-03-01', '2027-04-30'],
  ])('of what was deducted in the month of %s is %s by the shipped settings', (from, due) => {
    expect(depositDue(from, shippedDepositRules)).toBe(due);
  });

  it('is one of the month, and follows the settings', async () => {
    expect(depositDue('2027-01-01', { dueDay: 31, marchDueDay: 30 })).toBe('2027-02-28');
    const desk = await openDesk();
    await payOn(desk, '2026-03-05');
    const deposits = { dueDay: 10, marchDueDay: 15, holdsFrom: '2025-04-01', source: 'Our accountant' };
    const body = buildTdsSettings({ basis: 'paid', deposits });
    const saved = await api.call(tds.updateSettings, { body }, desk.as);
    expect(saved.body.data.deposits).toEqual({ ...deposits, isShipped: false });
    expect((await monthsOf(desk))[0]).toMatchObject({ dueOn: '2026-04-15' });
    // Without them they stay.
    await api.call(tds.updateSettings, { body: buildTdsSettings({ basis: 'paid', version: 1 }) }, desk.as);
    expect((await api.call(tds.getSettings, {}, desk.as)).body.data.deposits.dueDay).toBe(10);
  });
});

describe('the working for the return', () => {
  it('has one line for each deduction with its deposit, doubtful PANs first, and rows without deduction', async () => {
    const desk = await openDesk();
    const doubtful = await createOwner(api, desk.tenant, { name: 'Zulu', panNo: 'ABCDE1234F' });
    await payOn(desk, '2025-04-03', '2025-05-03');
    await createTdsDeposit(api, desk.tenant, { ...april, amount: '249.00', serialNo: '00042' });
    await payOn({ ...desk, refs: { ...desk.refs, ownerId: doubtful.id } }, '2025-06-01');
    const declared = await createOwner(api, desk.tenant, { name: 'Declared', panNo: 'CKLFP0001A' });
    await createDeclaration(api, desk.tenant, declared.id, { receivedOn: '2025-04-02', panNo: 'CKLFP0001A' });
    const nil = await createChallan(
      api,
      desk.tenant,
      { ...desk.refs, ownerId: declared.id },
      {
        loadingDate: '2025-04-05',
        unloadingDate: '2025-04-05',
        depositedAt: '2025-04-05',
        tdsPercentage: '0',
      },
    );
    await api.inTenant(desk.tenant, (db) =>
      payChallans(db, callerOf(desk.tenant), { kind: 'import', challanIds: [nil.id], paidOn: '2025-06-02' }),
    );
    const file = await api.call(tds.exportReturnCsv, { query: { year, quarter: 'q1' } }, desk.as);
    expect(file.status).toBe(200);
    expect(file.headers['content-disposition']).toContain('tds_return_working_2025-26_q1_');
    const lines = parse<Record<string, string>>(file.text, { columns: true, bom: true, relax_column_count: true });
    expect(
      lines.map((line) => [
        line['PAN'],
        line['Check'],
        line['TDS'],
        line['Reason'],
        line['Challan Serial No'],
        line['Not Deposited'],
      ]),
    ).toEqual([
      ['ABCDE1234F', 'Not a possible PAN', '249.00', '', '', '249.00'],
      ['BNZPM0001Q', '', '249.00', '', '00042', '0.00'],
      ['BNZPM0001Q', '', '249.00', '', '', '249.00'],
      ['CKLFP0001A', '', '0.00', 'Declared 02/04/2025', '', '0.00'],
      ['Total of 4 challans', '', '747.00', '', '', ''],
      [expect.stringContaining('nobody has certified it'), '', '', '', '', ''],
    ]);
    expect(lines[1]).toMatchObject({
      'BSR Code': '0510308',
      'Deposited On': '06/05/2025',
      'Deducted On': '03/04/2025',
    });
    const workbook = await api.call(tds.exportReturnXlsx, { query: { year } }, desk.as);
    expect(workbook.status).toBe(200);
  });

  it('is not for a clerk', async () => {
    const desk = await openDesk();
    const clerk = await addPerson(api, desk.tenant, 'clerk');
    const asClerk = { token: clerk.token };
    expectRefusal(await api.call(tds.exportReturnCsv, { query: {} }, asClerk), 403, 'FORBIDDEN');
    expectRefusal(await api.call(tdsDeposits.list, { query: {} }, asClerk), 403, 'FORBIDDEN');
  });
});

describe('after a random history', () => {
  it('the register is what deposits cover and what is open, to the paisa', async () => {
    const random = randomOf(testSeed('tds deposits'));
    const desk = await openDesk();
    const { tenant, as } = desk;
    const made: string[] = [];
    /** By challan what deposits cover, by deposit. */
    const covers = new Map<string, Map<string, string>>();
    const coveredOf = (id: string) => sum(['0.00', ...(covers.get(id)?.values() ?? [])]);
    const readAll = () =>
      api.inTenant(tenant, async (db) => {
        const { rows } = await db.query<{ id: string; tds: string; paidOn: string }>(
          `SELECT id, tds_amount AS tds, paid_on AS "paidOn" FROM challans
           WHERE subadmin_id = $1 AND deleted_at IS NULL AND payment_status AND tds_amount > 0`,
          [tenant.id],
        );
        return rows;
      });
    const deposits: { id: string; amount: string }[] = [];
    for (let step = 0; step < 60; step += 1) {
      const act = random.below(6);
      if (act <= 1 || made.length === 0) {
        const { id } = await createChallan(api, tenant, desk.refs, {
          loadingDate: '2025-03-20',
          unloadingDate: '2025-03-21',
          depositedAt: '2025-03-21',
          ratePerMT: `${900 + random.below(900)}.${10 + random.below(90)}`,
          tdsPercentage: random.pick(['1.0', '2.0', '0.1']),
        });
        made.push(id);
        const paidOn = addDays('2025-04-01', random.below(91));
        await api.inTenant(tenant, (db) =>
          payChallans(db, callerOf(tenant), { kind: 'import', challanIds: [id], paidOn }),
        );
      } else if (act === 2) {
        const body = { tdsPercentage: random.pick(['0.5', '1.5', '3.0']) };
        await api.call(challans.update, { params: { id: random.pick(made) }, body }, as);
      } else if (act === 3) {
        const { data } = (await api.call(paymentBatches.list, { query: { limit: 100 } }, as)).body;
        const { id } = random.pick(data);
        await api.call(paymentBatches.reverse, { params: { id }, body: { reason: 'Returned' } }, as);
      } else if (act === 4 || deposits.length === 0) {
        const deductedFrom = addDays('2025-04-01', random.below(80));
        const deductedTo = lesserDay(addDays(deductedFrom, random.below(40)), '2025-06-30');
        const amount = random.pick(['400.00', '1000.00', '90000.00']);
        const body = buildTdsDeposit({ ...april, amount, deductedFrom, deductedTo });
        const answer = await api.call(tdsDeposits.create, { body }, as);
        const open = (await readAll()).flatMap(({ id, tds: due, paidOn }) => {
          const rest = subtract(due, coveredOf(id));
          const isWithin = paidOn >= deductedFrom && paidOn <= deductedTo;
          return isWithin && compare(rest, '0.00') > 0 ? [[id, rest] as const] : [];
        });
        const all = sum(['0.00', ...open.map(([, rest]) => rest)]);
        expect(answer.status).toBe(compare(all, amount) > 0 ? 400 : 201);
        if (answer.status === 201) {
          const { id } = answer.body.data;
          expect(answer.body.data).toMatchObject({ covered: all, challanCount: open.length });
          deposits.push({ id, amount });
          for (const [challan, rest] of open)
            covers.set(challan, new Map([...(covers.get(challan) ?? []), [id, rest]]));
        }
      } else {
        const { id } = random.pick(deposits);
        deposits.splice(
          deposits.findIndex((one) => one.id === id),
          1,
        );
        await api.call(tdsDeposits.remove, { params: { id } }, as);
        for (const of of covers.values()) of.delete(id);
      }
      const expected = new Map<string, { tdsAmount: string; covered: string; open: string }>();
      for (const { id, tds: due, paidOn } of await readAll()) {
        const from = `${paidOn.slice(0, 8)}01`;
        if (from < '2025-04-01' || from > '2026-03-31') continue;
        const so = expected.get(from) ?? { tdsAmount: '0.00', covered: '0.00', open: '0.00' };
        const covered = lesser(coveredOf(id), due);
        expected.set(from, {
          tdsAmount: add(so.tdsAmount, due),
          covered: add(so.covered, covered),
          open: add(so.open, subtract(due, covered)),
        });
      }
      const months = await monthsOf(desk);
      expect(
        Object.fromEntries(months.map(({ from, tdsAmount, covered, open }) => [from, { tdsAmount, covered, open }])),
      ).toEqual(Object.fromEntries(expected));
      expect(months.every(({ from, to }) => to === monthOf(from).to)).toBe(true);
      const register = await api.call(tds.list, { query: { year } }, as);
      expect(register.body.totals.tdsAmount).toBe(
        sum(['0.00', ...months.flatMap(({ covered, open }) => [covered, open])]),
      );
    }
  });
});

const lesserDay = (a: string, b: string): string => (a < b ? a : b);
