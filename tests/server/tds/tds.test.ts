import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import { payChallans } from '../../../src/server/features/payments/payments.service.ts';
import { addDays } from '../../../src/shared/calc/dates.ts';
import { quarters, taxPeriod, type Quarter } from '../../../src/shared/calc/financial-year.ts';
import { compare, sum } from '../../../src/shared/calc/money.ts';
import type { QueryInput } from '../../../src/shared/contract/define.ts';
import { shippedDeclarationRules } from '../../../src/shared/contract/declarations.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { shippedDepositRules } from '../../../src/shared/contract/tds-deposits.ts';
import type { TdsBasis } from '../../../src/shared/contract/tds.ts';
import { testSeed } from '../../calc/seed.ts';
import { callerOf, startApi, type Api, type Tenant } from '../support/api.ts';
import { buildTdsSettings, createChallan, createOwner, createTag } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { assertLedger } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

/** The TDS register against plain code over the challans and the ledger of a random history. */
const { tds, bankStatement, challans, owners, paymentBatches } = contract;
const year = '2025-26';
type List = QueryInput<typeof tds.list>;
type Deductions = QueryInput<typeof tds.listDeductions>;

let api: Api;
let tenant: Tenant;
const as = () => ({ token: tenant.token });
const list = async (query: List) => {
  const answer = await api.call(tds.list, { query: { year, limit: 100, ...query } }, as());
  expect(answer.status).toBe(200);
  return answer.body;
};
async function everyDeduction(query: Deductions) {
  const found = [];
  for (let page = 1; ; page += 1) {
    const { body } = await api.call(tds.listDeductions, { query: { year, limit: 30, page, ...query } }, as());
    found.push(...body.data);
    if (!body.pagination.hasNext) return { data: found, totals: body.totals };
  }
}

interface Known {
  id: string;
  number: string;
  tpNo: string;
  ownerName: string;
  /** null: none that anybody can have. */
  pan: string | null;
  percentage: string;
  gross: string;
  tds: string;
  depositedOn: string | null;
  paidOn: string | null;
  payment: string | null;
}
let known: Known[] = [];
let shared: { panNo: string; ids: string[] };
let withoutPan: string;
let changedPan: { ownerId: string; before: string };

/** From the tables, by nothing but their columns. */
async function readAll(): Promise<Known[]> {
  return api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<Known & { weights: [string, string]; rate: string }>(
      `SELECT c.id, c.challan_number AS number, c.tp_no AS "tpNo", o.name AS "ownerName",
         CASE WHEN o.pan_no = 'ABCDE1234F' THEN NULL ELSE o.pan_no END AS pan, c.tds_percentage AS percentage,
         c.net_amount_payable + c.tds_amount + c.hsd_amount + c.advance_money + c.office_charges
           + c.material_shortage_amount AS gross,
         c.tds_amount AS tds, c.deposited_on AS "depositedOn", live.paid_on AS "paidOn", live.number AS payment
       FROM challans c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
         LEFT JOIN (
           SELECT l.challan_id, b.paid_on, b.number FROM payment_lines l
             JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
           WHERE l.subadmin_id = $1 AND l.kind = 'pay' AND NOT EXISTS (SELECT FROM payment_lines r
             WHERE r.subadmin_id = $1 AND r.challan_id = l.challan_id AND r.pay_cycle = l.pay_cycle AND r.kind = 'reverse')
         ) AS live ON live.challan_id = c.id
       WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL`,
      [tenant.id],
    );
    return rows;
  });
}

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  const random = randomOf(testSeed('tds register'));
  const tagId = (await createTag(api, tenant)).id;
  const panNo = 'BNZPM7421Q';
  const pans = [panNo, panNo, 'ABCDE1234F', 'ABCDE1234F', 'CKLFS0001A', 'DEFCG8765H'];
  const ownerIds: string[] = [];
  for (const [at, pan] of pans.entries()) {
    ownerIds.push((await createOwner(api, tenant, { name: `Owner ${'ABCDEF'[at]}`, panNo: pan })).id);
  }
  shared = { panNo, ids: ownerIds.slice(0, 2) };
  withoutPan = ownerIds[2]!;
  const made: string[] = [];
  for (let n = 0; n < 90; n += 1) {
    const loadingDate = addDays('2025-03-20', random.below(390));
    const unloadingDate = addDays(loadingDate, random.below(3));
    const { id } = await createChallan(
      api,
      tenant,
      { ownerId: random.pick(ownerIds), tagId },
      {
        loadingDate,
        unloadingDate,
        depositedAt: addDays(unloadingDate, random.below(20)),
        unloadingWeight: `${20 + random.below(6)}.${10 + random.below(90)}`,
        ratePerMT: `${900 + random.below(900)}.${10 + random.below(90)}`,
        tdsPercentage: random.pick(['1.0', '2.0', '0.1', '20.0']),
        advanceMoney: `${random.below(400)}.37`,
      },
    );
    made.push(id);
  }
  // Imported ones may have no day of deposit.
  await api.inTenant(tenant, (db) =>
    db.query('UPDATE challans SET deposited_at = NULL WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])', [
      tenant.id,
      made.slice(0, 12),
    ]),
  );
  const batches: string[] = [];
  for (let n = 0; n < 16; n += 1) {
    const challanIds = random.some(made, 1 + random.below(12));
    const paidOn = addDays('2025-03-25', random.below(400));
    const { batchId } = await api.inTenant(tenant, (db) =>
      payChallans(db, callerOf(tenant), { kind: 'import', challanIds, paidOn }),
    );
    if (batchId !== null) batches.push(batchId);
    if (random.chance(0.3) && batches.length > 0) {
      const id = random.pick(batches);
      await api.call(paymentBatches.reverse, { params: { id }, body: { reason: 'Returned' } }, as());
    }
    if (random.chance(0.4)) {
      await api.call(challans.update, { params: { id: random.pick(made) }, body: { paymentStatus: false } }, as());
    }
    // From here on a part of the sums is kept, and a part still open.
    if (n === 9) await api.inTenant(tenant, (db) => foldTotals(db, tenant.id));
    // Its net is another one: it is paid again, today.
    if (random.chance(0.3)) {
      await api.call(challans.update, { params: { id: random.pick(made) }, body: { tdsPercentage: '1.5' } }, as());
    }
  }
  changedPan = { ownerId: ownerIds[5]!, before: 'DEFCG8765H' };
  await api.call(owners.update, { params: { id: changedPan.ownerId }, body: { panNo: 'DEFCG9999K' } }, as());
  await api.inTenant(tenant, assertLedger);
  known = await readAll();
});
afterAll(() => api.close());

async function setBasis(
  basis: TdsBasis,
  thresholds: { yearThreshold?: string | null; challanThreshold?: string | null } = {},
) {
  const { version } = (await api.call(tds.getSettings, {}, as())).body.data;
  const body = buildTdsSettings({ basis, version, ...thresholds });
  expect((await api.call(tds.updateSettings, { body }, as())).status).toBe(200);
}

const dayOf = (challan: Known, basis: TdsBasis) => (basis === 'paid' ? challan.paidOn : challan.depositedOn);
const within = (basis: TdsBasis, quarter?: Quarter) => {
  const { from, to } = taxPeriod('2025-06-01', year, quarter);
  return known.filter((challan) => {
    const day = dayOf(challan, basis);
    return day !== null && day >= from && day <= to;
  });
};
const holderOf = ({ pan, ownerName }: Known) => pan ?? ownerName;
const totalsOf = (some: readonly Known[]) => ({
  challanCount: some.length,
  gross: sum(['0.00', ...some.map(({ gross }) => gross)]),
  tdsAmount: sum(['0.00', ...some.map(({ tds: amount }) => amount)]),
});

const periods = (['paid', 'deposited'] as const).flatMap((basis) =>
  [undefined, ...quarters].map((quarter) => ({ basis, quarter })),
);

describe.each(periods)('the register by the day $basis, $quarter', ({ basis, quarter }) => {
  it('has a line for each PAN and percentage, and its sums are those of the challans', async () => {
    await setBasis(basis);
    const expected = new Map<string, Known[]>();
    for (const challan of within(basis, quarter)) {
      const key = `${holderOf(challan)} ${challan.percentage}`;
      expected.set(key, [...(expected.get(key) ?? []), challan]);
    }
    const { data, totals, pagination } = await list({ quarter });
    const found = Object.fromEntries(
      data.map(({ panNo, ownerNames, tdsPercentage, challanCount, gross, tdsAmount }) => [
        `${panNo ?? ownerNames[0]} ${tdsPercentage}`,
        { challanCount, gross, tdsAmount, ownerNames },
      ]),
    );
    expect(found).toEqual(
      Object.fromEntries(
        [...expected].map(([key, some]) => [
          key,
          { ...totalsOf(some), ownerNames: [...new Set(some.map(({ ownerName }) => ownerName))].toSorted() },
        ]),
      ),
    );
    expect(totals).toEqual(totalsOf(within(basis, quarter)));
    expect(pagination.totalCount).toBe(expected.size);
  });

  it('opens to exactly its challans, each with its payment', async () => {
    await setBasis(basis);
    const { data } = await list({ quarter });
    const all = await everyDeduction({ quarter });
    const shown = (row: (typeof all.data)[number]) => [
      row.challanNumber,
      row.gross,
      row.tdsAmount,
      row.payment?.number ?? null,
      row.day,
    ];
    const plain = (some: readonly Known[]) =>
      some.map((row) => [row.number, row.gross, row.tds, row.payment, dayOf(row, basis)]).toSorted();
    expect(all.data.map(shown).toSorted()).toEqual(plain(within(basis, quarter)));
    expect(all.totals).toEqual(totalsOf(within(basis, quarter)));
    for (const line of data.slice(0, 4)) {
      const behind = await everyDeduction({ quarter, line: line.id });
      const own = within(basis, quarter).filter(
        (row) => holderOf(row) === (line.panNo ?? line.ownerNames[0]) && row.percentage === line.tdsPercentage,
      );
      expect(behind.data.map(shown).toSorted()).toEqual(plain(own));
    }
  });

  it('says what a PAN has in the year so far, and the day it went above the threshold', async () => {
    const yearThreshold = '60000.00';
    await setBasis(basis, { yearThreshold });
    const { data, counted } = await list({ quarter });
    const upTo = known.filter((row) => {
      const day = dayOf(row, basis);
      return day !== null && day >= '2025-04-01' && day <= counted.to;
    });
    for (const line of data) {
      const own = upTo.filter((row) => holderOf(row) === (line.panNo ?? line.ownerNames[0]));
      const days = [...new Set(own.map((row) => dayOf(row, basis)!))].toSorted();
      const crossed = days.find(
        (day) =>
          compare(sum(own.filter((row) => dayOf(row, basis)! <= day).map(({ gross }) => gross)), yearThreshold) > 0,
      );
      expect({ gross: line.yearGross, crossedOn: line.crossedOn }).toEqual({
        gross: sum(own.map(({ gross }) => gross)),
        crossedOn: crossed ?? null,
      });
    }
  });
});

describe('filters of the register', () => {
  it('lists owners without a PAN by themselves, and the others as one of their PAN', async () => {
    await setBasis('deposited');
    const { data, totals } = await list({ pan: 'without' });
    expect(new Set(data.map(({ ownerNames }) => ownerNames.join()))).toEqual(new Set(['Owner C', 'Owner D']));
    expect(data.every(({ panNo }) => panNo === null)).toBe(true);
    expect(totals).toEqual(totalsOf(within('deposited').filter(({ pan }) => pan === null)));
    expect((await list({ pan: 'with' })).data.every(({ panNo }) => panNo !== null)).toBe(true);
    expect(withoutPan).not.toBe('');
  });

  it('shows a PAN whole when one of its owners is looked for', async () => {
    await setBasis('deposited');
    const { totals } = await list({ search: 'owner a' });
    expect(totals).toEqual(totalsOf(within('deposited').filter(({ pan }) => pan === shared.panNo)));
    expect((await list({ search: 'wner_a' })).data).toEqual([]);
  });

  it('counts challans above the threshold of one challan', async () => {
    await setBasis('deposited', { challanThreshold: '25000.00' });
    const { data } = await list({});
    const above = within('deposited').filter(({ gross }) => compare(gross, '25000.00') > 0);
    expect(data.reduce((count, { aboveCount }) => count + aboveCount, 0)).toBe(above.length);
    await setBasis('deposited', { challanThreshold: null, yearThreshold: null });
    expect((await list({})).data.some(({ aboveCount, crossedOn }) => aboveCount > 0 || crossedOn !== null)).toBe(false);
  });

  it('is of this financial year where none is named', async () => {
    const { counted } = (await api.call(tds.list, {}, as())).body;
    expect(counted).toMatchObject({
      from: expect.stringMatching(/-04-01$/) as string,
      to: expect.stringMatching(/-03-31$/) as string,
    });
  });

  it('refuses a quarter that there is not', async () => {
    const { status } = await api.callRaw('GET', '/api/accounting/tds?quarter=q5', as());
    expect(status).toBe(400);
  });
});

describe('a PAN that was changed', () => {
  it('is the present one, beside the one of the day of the payment', async () => {
    await setBasis('paid');
    const { data } = await everyDeduction({ search: 'Owner F' });
    const mine = known.filter(({ ownerName }) => ownerName === 'Owner F');
    expect(data).toHaveLength(within('paid').filter(({ ownerName }) => ownerName === 'Owner F').length);
    expect(mine.length).toBeGreaterThan(0);
    for (const row of data) expect([row.panNo, row.panWhenPaid]).toEqual(['DEFCG9999K', changedPan.before]);
  });
});

describe('the search of deductions', () => {
  it('finds by a part of the number, of the TP number, of an owner or of a PAN, and all of this PAN', async () => {
    await setBasis('deposited');
    const all = within('deposited');
    const [one] = all;
    const searches = [
      one!.number,
      one!.number.slice(-4),
      one!.number.slice(0, 5).toLowerCase(),
      one!.tpNo,
      one!.tpNo.slice(-5),
      one!.tpNo.slice(0, 3),
      'wner c',
      'er',
      'npzm',
      shared.panNo.slice(1, 6).toLowerCase(),
      '24090%',
    ];
    for (const search of searches) {
      const has = (text: string | null) => text?.toLowerCase().includes(search.toLowerCase()) === true;
      const holders = new Set(known.filter(({ ownerName, pan }) => has(ownerName) || has(pan)).map(holderOf));
      const expected = all.filter((row) => has(row.number) || has(row.tpNo) || holders.has(holderOf(row)));
      const { data, totals } = await everyDeduction({ search });
      expect(data.map(({ id }) => id).toSorted(), search).toEqual(expected.map(({ id }) => id).toSorted());
      expect(totals, search).toEqual(totalsOf(expected));
    }
  });
});

describe('the file', () => {
  const file = (format: 'csv' | 'xlsx', query = '') =>
    api.callRaw('GET', `/api/accounting/tds/${format}?year=${year}${query}`, as());

  it.each(periods)(
    'has one line for each deduction and their sums, by the day $basis, $quarter',
    async ({ basis, quarter }) => {
      await setBasis(basis);
      const { status, text, headers } = await file('csv', quarter && `&quarter=${quarter}`);
      expect(status).toBe(200);
      expect(headers['content-disposition']).toContain(`tds_${year}_${quarter ? `${quarter}_` : ''}`);
      const [heading, ...lines] = parse(text, { bom: true }) as string[][];
      const sums = lines.pop()!;
      const cell = (line: readonly string[], label: string) => line[heading!.indexOf(label)];
      const own = within(basis, quarter);
      expect(lines.map((line) => ['Challan No', 'Gross', 'TDS'].map((label) => cell(line, label))).toSorted()).toEqual(
        own.map((row) => [row.number, row.gross, row.tds]).toSorted(),
      );
      expect(
        lines.every((line) => cell(line, 'Section') === '194C' && cell(line, 'Counted By') === `Day ${basis}`),
      ).toBe(true);
      const { gross, tdsAmount } = totalsOf(own);
      expect([cell(sums, 'Gross'), cell(sums, 'TDS')]).toEqual([gross, tdsAmount]);
    },
  );

  it('comes as a workbook too', async () => {
    const { status, headers } = await file('xlsx', '&pan=without');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('spreadsheetml');
  });
});

describe('settings', () => {
  it('begin without section and thresholds, by the day paid', async () => {
    const fresh = await api.addTenant();
    const { data } = (await api.call(tds.getSettings, {}, { token: fresh.token })).body;
    expect(data).toEqual({
      declarations: { ...shippedDeclarationRules, isShipped: true },
      deposits: { ...shippedDepositRules, isShipped: true },
      basis: 'paid',
      section: '',
      yearThreshold: null,
      challanThreshold: null,
      updatedAt: null,
      version: 0,
    });
  });

  it('are saved for one business, and not over what somebody else saved meanwhile', async () => {
    const [one, other] = [await api.addTenant(), await api.addTenant()];
    const save = (over: Partial<ReturnType<typeof buildTdsSettings>>) =>
      api.call(tds.updateSettings, { body: buildTdsSettings(over) }, { token: one.token });
    expectRefusal(await save({ version: 55 }), 409, 'VERSION_CONFLICT');
    const saved = await save({});
    expect(saved.body.data).toMatchObject({ section: '194C', yearThreshold: '100000.00', version: 1 });
    expectRefusal(await save({ section: '194H' }), 409, 'VERSION_CONFLICT');
    expect((await save({ section: '194H', version: 1 })).body.data).toMatchObject({ section: '194H', version: 2 });
    expect((await api.call(tds.getSettings, {}, { token: other.token })).body.data.version).toBe(0);
  });

  it('are in the history of the business: who, when, from where, from and to; what is not changed is not', async () => {
    const [one, other] = [await api.addTenant(), await api.addTenant()];
    const save = (over: Partial<ReturnType<typeof buildTdsSettings>>) =>
      api.call(tds.updateSettings, { body: buildTdsSettings(over) }, { token: one.token });
    const historyOf = async ({ id }: Tenant) =>
      (await api.call(contract.history.listSubadmin, { params: { id } }, { token: api.adminToken })).body.data;
    const before = (await historyOf(one)).length;
    await save({});
    await save({ version: 1 });
    await save({ version: 2, section: '', challanThreshold: null, basis: 'paid' });
    expectRefusal(await save({ section: '194H' }), 409, 'VERSION_CONFLICT');
    const entries = await historyOf(one);
    expect(entries).toHaveLength(before + 2);
    expect((await api.call(contract.history.listProfile, {}, { token: one.token })).body.data).toEqual(entries);
    const { yearThreshold, challanThreshold } = buildTdsSettings();
    const change = (field: string, label: string, kind: string, from: string | null, to: string | null) => ({
      field,
      label,
      kind,
      before: from,
      after: to,
    });
    expect(entries.slice(0, 2)).toMatchObject([
      {
        action: 'TDS settings changed',
        actor: one.email,
        changes: [
          change('tdsBasis', 'TDS Counted By', 'text', 'Day deposited', 'Day paid'),
          change('tdsSection', 'TDS Section', 'text', '194C', null),
          change('tdsChallanThreshold', 'TDS Threshold of a Challan', 'money', challanThreshold, null),
        ],
      },
      {
        changes: [
          change('tdsBasis', 'TDS Counted By', 'text', 'Day paid', 'Day deposited'),
          change('tdsSection', 'TDS Section', 'text', null, '194C'),
          change('tdsYearThreshold', 'TDS Threshold of a Year', 'money', null, yearThreshold),
          change('tdsChallanThreshold', 'TDS Threshold of a Challan', 'money', null, challanThreshold),
        ],
      },
    ]);
    expect((await historyOf(other)).map(({ action }) => action)).not.toContain('TDS settings changed');
  });

  it('of two first saves at once take one', async () => {
    const fresh = await api.addTenant();
    const answers = await Promise.all(
      ['194C', '194H'].map((section) =>
        api.call(tds.updateSettings, { body: buildTdsSettings({ section }) }, { token: fresh.token }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it.each([
    { yearThreshold: '0.00' },
    { challanThreshold: '12.345' },
    { section: 'x'.repeat(21) },
    { basis: 'created' },
  ])('refuse %o and change nothing', async (over) => {
    const before = (await api.call(tds.getSettings, {}, as())).body.data;
    const { status } = await api.callRaw('PUT', '/api/accounting/tds/settings', {
      ...as(),
      body: { ...buildTdsSettings({ version: before.version }), ...over },
    });
    expect(status).toBe(400);
    expect((await api.call(tds.getSettings, {}, as())).body.data).toEqual(before);
  });
});

it('a payment that is undone takes its deductions out of the register', async () => {
  await setBasis('paid');
  const unpaid = known.find(({ paidOn }) => paidOn === null)!;
  const { body } = await api.call(bankStatement.markPaid, { body: { challanIds: [unpaid.id] } }, as());
  const now = async () => (await api.call(tds.list, { query: {} }, as())).body.totals.challanCount;
  const paid = await now();
  const id = body.data.batchId ?? '';
  await api.call(paymentBatches.reverse, { params: { id }, body: { reason: 'Returned' } }, as());
  expect(await now()).toBe(paid - 1);
});
