import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { shippedLedgers, type TallySettingsChange, type TallyWanted } from '../../../src/shared/contract/tally.ts';
import { tallyKey } from '../../../src/shared/reading/tally-masters.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { createTallyExport } from '../../../src/server/features/accounting/tally.service.ts';
import { callerOf } from '../support/api.ts';
import { createChallan, createOwner, createPump, createTag } from '../support/builders.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import { expectRefusal } from '../support/expect.ts';
import { idsOf } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';
import { readMasters, TallyBooks } from '../support/tally.ts';

/** Files for Tally (docs/specification.md §31), read back by a reader of our own. */
const { tally, challans, bankStatement, paymentBatches, owners, history } = contract;

let desk: BankDesk;
let tagId: string;
const today = dayOf(new Date());
const everything: TallyWanted = { kind: 'period', from: '2026-04-01', to: today };
const oddName = 'Ram & "Sons" <ରାମ> \'Transport\'';

beforeAll(async () => {
  desk = await openBankDesk();
  tagId = (await createTag(desk.api, desk.tenant)).id;
});
afterAll(() => desk.api.close());

const make = (what: TallyWanted, as = desk.as()) => desk.api.call(tally.create, { body: { what } }, as);
const contentOf = async (id: string) =>
  (await desk.api.callRaw('GET', `/api/accounting/tally/exports/${id}/content`, desk.as())).text;
async function fileOf(what: TallyWanted): Promise<string> {
  const made = await make(what);
  expect(made.status, made.text).toBe(201);
  return contentOf(made.body.data.id);
}
const changed = async (query = {}) =>
  (await desk.api.call(tally.listChanged, { query: { limit: 100, ...query } }, desk.as())).body.data;
const settings = async () => (await desk.api.call(tally.getSettings, {}, desk.as())).body.data;
async function save(over: Partial<TallySettingsChange>) {
  const { ledgers, accounts, grouping, version } = await settings();
  return desk.api.call(tally.updateSettings, { body: { ledgers, accounts, grouping, version, ...over } }, desk.as());
}
const paiseOf = (text: string) => BigInt(text.replace('.', ''));
const nonZero = (sums: Record<string, bigint>) =>
  Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));

/** What the books must say, from the challans and the ledger of payments. */
async function truth() {
  const journals: Record<string, bigint> = {};
  const add = (ledger: string, amount: string, sign = 1n) => {
    journals[ledger] = (journals[ledger] ?? 0n) + sign * paiseOf(amount);
  };
  await desk.api.inTenant(desk.tenant, async (db) => {
    const { rows } = await db.query<Record<string, string>>(
      `SELECT o.name AS owner, coalesce(p.name, '') AS pump, round(least(c.loading_weight, c.unloading_weight) * c.rate_per_mt, 2) AS freight,
         c.net_amount_payable AS net, c.tds_amount AS tds, c.hsd_amount AS hsd, c.advance_money AS advance, c.office_charges AS office,
         c.material_shortage_amount AS shortage
       FROM challans c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id LEFT JOIN petrol_pumps p ON p.subadmin_id = $1 AND p.id = c.petrol_pump_id
       WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL`,
      [db.tenantId],
    );
    for (const row of rows) {
      add(shippedLedgers.freight, row.freight!);
      add(row.owner!, row.net!, -1n);
      add(shippedLedgers.tds, row.tds!, -1n);
      if (row.pump !== '') add(row.pump!, row.hsd!, -1n);
      add(shippedLedgers.advance, row.advance!, -1n);
      add(shippedLedgers.officeCharges, row.office!, -1n);
      add(shippedLedgers.shortage, row.shortage!, -1n);
    }
  });
  const payments: Record<string, bigint> = {};
  await desk.api.inTenant(desk.tenant, async (db) => {
    const { rows } = await db.query<{ owner: string; amount: string }>(
      `SELECT o.name AS owner, round(sum(s.amount), 2) AS amount FROM payment_sums s
         JOIN owners o ON o.subadmin_id = $1 AND o.id = s.owner_id WHERE s.subadmin_id = $1 GROUP BY 1`,
      [db.tenantId],
    );
    for (const { owner, amount } of rows) payments[owner] = paiseOf(amount);
  });
  return { journals: nonZero(journals), payments: nonZero(payments) };
}

async function expectInStep(books: TallyBooks) {
  const { journals, payments } = await truth();
  expect(nonZero(books.balances('Journal'))).toEqual(journals);
  const moved = nonZero(books.balances('Payment', 'Receipt'));
  const ofOwners = Object.fromEntries(Object.entries(moved).filter(([ledger]) => ledger in payments));
  expect(ofOwners).toEqual(payments);
  const banks = Object.entries(moved).filter(([ledger]) => !(ledger in payments));
  expect(-banks.reduce((sum, [, amount]) => sum + amount, 0n)).toBe(
    Object.values(payments).reduce((sum, amount) => sum + amount, 0n),
  );
}

describe('a file for Tally', () => {
  it(
    'follows a random history to the paisa, by whatever files it is told',
    { timeout: longLimit(120_000) },
    async () => {
      const random = randomOf(testSeed('tally'));
      const books = new TallyBooks();
      const ownerIds: string[] = [];
      for (const name of [oddName, 'Sita Roadways', 'Mohan & Co.'])
        ownerIds.push((await createOwner(desk.api, desk.tenant, { name })).id);
      const pumpIds = [
        (await createPump(desk.api, desk.tenant, { name: 'Pump <A&B>' })).id,
        (await createPump(desk.api, desk.tenant)).id,
      ];
      const days = ['2026-04-12', '2026-04-13', '2026-05-01'];
      const amount = (most: number) => `${random.below(most)}.${10 + random.below(90)}`;
      const listed = async () => (await desk.api.call(challans.list, { query: { limit: 100 } }, desk.as())).body.data;
      const create = () => {
        const hasHsd = random.chance(0.5);
        return createChallan(
          desk.api,
          desk.tenant,
          { ownerId: random.pick(ownerIds), tagId },
          {
            depositedAt: random.pick(days),
            advanceMoney: amount(random.chance(0.3) ? 60_000 : 9_000),
            officeCharges: amount(300),
            unloadingWeight: `2${random.below(5)}.${10 + random.below(90)}`,
            materialShortageAmount: random.chance(0.5) ? amount(800) : '0.00',
            ...(hasHsd && { petrolPumpId: random.pick(pumpIds), hsdPricePerLiter: '91.37', hsdInLiters: amount(90) }),
          },
        );
      };
      const acts: (() => Promise<unknown>)[] = [
        create,
        create,
        async () => {
          const found = await listed();
          const one = random.pick(found);
          const body = random.pick([
            { advanceMoney: amount(9_000) },
            { depositedAt: random.pick(days) },
            { ownerId: random.pick(ownerIds) },
          ]);
          return desk.api.callRaw('PUT', `/api/challans/${one.id}`, { ...desk.as(), body });
        },
        async () => desk.api.call(challans.remove, { params: { id: random.pick(await listed()).id } }, desk.as()),
        async () => {
          const unpaid = (await listed()).filter(({ paymentStatus }) => !paymentStatus).map(({ id }) => id);
          if (unpaid.length === 0) return;
          const paid = await desk.api.call(
            bankStatement.markPaid,
            {
              body: {
                challanIds: random.some(unpaid, 1 + random.below(Math.min(4, unpaid.length))),
                paysNegative: random.chance(0.5),
              },
            },
            desk.as(),
          );
          const id = paid.body.data?.batchId;
          if (id && random.chance(0.3)) await desk.send([id]).catch(() => undefined);
        },
        // Half a transfer comes back: one of its challans.
        async () => {
          const paid = (await listed()).filter(({ paymentStatus }) => paymentStatus);
          if (paid.length > 0)
            await desk.api.callRaw('PUT', `/api/challans/${random.pick(paid).id}`, {
              ...desk.as(),
              body: { paymentStatus: false },
            });
        },
        async () => {
          const batches = (await desk.api.call(paymentBatches.list, {}, desk.as())).body.data;
          if (batches.length > 0)
            await desk.api.call(
              paymentBatches.reverse,
              { params: { id: random.pick(batches).id }, body: { reason: 'Wrong' } },
              desk.as(),
            );
        },
      ];
      for (let at = 0; at < 6; at += 1) await create();
      books.import(await fileOf(everything));
      await expectInStep(books);
      for (let round = 0; round < long(25); round += 1) {
        for (let at = 0; at < 4; at += 1) await random.pick(acts)();
        if (random.chance(0.15)) await save({ grouping: random.pick(['day', 'challan'] as const) });
        const isEverything = random.chance(0.4);
        const made = await make(isEverything ? everything : { kind: 'changed' });
        if (made.status !== 201) {
          expect(made.error.message).toBe('Nothing has changed since it was exported.');
        } else books.import(await contentOf(made.body.data.id));
        expect(await changed()).toEqual([]);
        await expectInStep(books);
      }
      expect(Object.keys(books.balances('Journal'))).toContain(oddName);
      // Everything takes back what an earlier grouping left. Once more: the same bytes, and nothing changes.
      books.import(await fileOf(everything));
      const [first, again] = [await fileOf(everything), await fileOf(everything)];
      books.import(first);
      const before = new Map(books.vouchers);
      expect(again).toBe(first);
      books.import(again);
      expect(books.vouchers).toEqual(before);
      await save({ grouping: 'day' });
      await desk.assertMoney();
    },
  );

  it('is the same bytes for ever, also when everything behind it has changed', async () => {
    const owner = await createOwner(desk.api, desk.tenant, { name: 'Kept Same' });
    const one = await createChallan(desk.api, desk.tenant, { ownerId: owner.id, tagId }, { depositedAt: '2026-06-02' });
    const made = await make({ kind: 'period', from: '2026-06-02', to: '2026-06-02' });
    const before = await contentOf(made.body.data.id);
    expect(made.body.data).toMatchObject({
      kind: 'period',
      challanCount: 1,
      transferCount: 0,
      voucherCount: 1,
      amount: '24900.00',
    });
    await desk.api.callRaw('PUT', `/api/challans/${one.id}`, { ...desk.as(), body: { advanceMoney: '1.00' } });
    expect(await contentOf(made.body.data.id)).toBe(before);
    expect(await changed({ search: 'Kept Same' })).toMatchObject([
      {
        record: 'challan',
        recordId: one.id,
        change: 'changed',
        amountExported: '19551.00',
        amountNow: '24550.00',
        exportNumber: made.body.data.number,
      },
    ]);
    await desk.api.call(challans.remove, { params: { id: one.id } }, desk.as());
    expect(await changed({ change: 'deleted', search: 'Kept Same' })).toMatchObject([
      { recordId: one.id, amountNow: null },
    ]);
    const books = new TallyBooks();
    books.import(before);
    const { deleted } = books.import(await fileOf({ kind: 'changed', change: 'deleted', search: 'Kept Same' }));
    expect(deleted).toHaveLength(1);
    expect(books.vouchers.size).toBe(0);
    expect(await changed({ search: 'Kept Same' })).toEqual([]);
  });

  it('says the UTR of a transfer once the bank has named it, and takes a reversal as a receipt', async () => {
    const { challans: made, lines } = await desk.sent(1);
    const [line] = lines;
    const books = new TallyBooks();
    books.import(await fileOf({ kind: 'period', from: today, to: today }));
    const ofLine = () => [...books.vouchers.values()].filter(({ narration }) => narration.includes(line!.reference));
    expect(ofLine()).toMatchObject([
      {
        type: 'Payment',
        reference: line!.reference,
        entries: [
          ['Payee A', paiseOf(line!.amount)],
          ['Current account', -paiseOf(line!.amount)],
        ],
      },
    ]);
    await desk.accept([{ fileId: line!.fileId, lineNo: line!.lineNo, outcome: 'executed', utr: 'N097262000000777' }]);
    expect(await changed({ search: 'Payee A', record: 'payment' })).toMatchObject([
      { change: 'changed', amountNow: line!.amount },
    ]);
    books.import(await fileOf({ kind: 'changed' }));
    expect(ofLine()).toMatchObject([{ reference: 'N097262000000777' }]);
    await desk.accept([{ fileId: line!.fileId, lineNo: line!.lineNo, outcome: 'returned' }]);
    expect(await changed({ change: 'reversed' })).toMatchObject([
      { ownerName: 'Payee A', amountExported: null, amountNow: `-${line!.amount}` },
    ]);
    books.import(await fileOf({ kind: 'changed', change: 'reversed' }));
    expect(books.balances('Payment', 'Receipt')['Payee A']).toBe(0n);
    expect(await desk.statusOf(made.flat())).toEqual([false, false]);
    expect(idsOf(made.flat())).toHaveLength(2);
  });

  it('names a challan that was recorded after its day went out', async () => {
    const owner = await createOwner(desk.api, desk.tenant, { name: 'Late Entry' });
    const record = () =>
      createChallan(desk.api, desk.tenant, { ownerId: owner.id, tagId }, { depositedAt: '2026-06-10' });
    await record();
    const books = new TallyBooks();
    books.import(await fileOf({ kind: 'period', from: '2026-06-10', to: '2026-06-12' }));
    const late = await record();
    expect(await changed({ search: late.challanNumber })).toMatchObject([
      { change: 'added', recordId: late.id, exportedAt: null },
    ]);
    // The voucher of the day goes out whole.
    books.import(await fileOf({ kind: 'changed', search: late.challanNumber }));
    expect(books.balances('Journal')).toMatchObject({ 'Late Entry': -3_910_200n });
    expect(await changed({ search: 'Late Entry' })).toEqual([]);
  });
});

describe('the names of ledgers', () => {
  it('are those of Tally where its masters have them, and a file makes the others', async () => {
    const { version } = await settings();
    const masters = ['SITA ROADWAYS', 'mohan and co', 'Mohan & Co', 'Freight  Charges', 'Ram Sons <ରାମ> Transport'];
    const saved = await save({ masters, version });
    expect(saved.body.data).toMatchObject({ masterCount: 5, version: version + 1 });
    // What an earlier test left to be taken back is in this file; the next one is the books as they are.
    await fileOf(everything);
    const books = new TallyBooks();
    books.import(await fileOf(everything));
    const ledgers = Object.keys(books.balances('Journal'));
    expect(ledgers).toEqual(expect.arrayContaining(['SITA ROADWAYS', 'Mohan & Co', 'Ram Sons <ରାମ> Transport']));
    expect(ledgers).not.toContain('Sita Roadways');
    const { text } = await desk.api.callRaw('GET', '/api/accounting/tally/masters', desk.as());
    const made = readMasters(text);
    expect(made[0]).toEqual(['GROUP', 'Truck Owners', 'Sundry Creditors']);
    expect(made).toContainEqual(['LEDGER', 'TDS Payable', 'Duties & Taxes']);
    expect(made).toContainEqual(['LEDGER', 'Pump <A&B>', 'Sundry Creditors']);
    expect(made).toContainEqual(['LEDGER', 'Current account', 'Bank Accounts']);
    expect(made.map(([, name]) => tallyKey(name))).not.toContain(tallyKey('Sita Roadways'));
  });

  it('are compared in the database as in the form', async () => {
    const names = ['Ram & "Sons" (Joda)', ' A.B. Roadways_2 ', "O'Neil / Co, Ltd-", 'ରାମ ଟ୍ରାନ୍ସପୋର୍ଟ', 'ÄÖ\u00a0x', '&'];
    const { rows } = await desk.api.inTenant(desk.tenant, (db) =>
      db.query<{ keys: string[] }>(
        'SELECT array_agg(tally_key(name) ORDER BY at) AS keys FROM unnest($1::text[]) WITH ORDINALITY AS n (name, at)',
        [names],
      ),
    );
    expect(rows[0]?.keys).toEqual(names.map(tallyKey));
  });

  it('keep two owners of one name apart', async () => {
    const [first, second] = [
      await createOwner(desk.api, desk.tenant, { name: 'Twin' }),
      await createOwner(desk.api, desk.tenant, { name: 'TWIN' }),
    ];
    for (const { id } of [first, second])
      await createChallan(desk.api, desk.tenant, { ownerId: id, tagId }, { depositedAt: '2026-07-01' });
    const books = new TallyBooks();
    books.import(await fileOf({ kind: 'period', from: '2026-07-01', to: '2026-07-01' }));
    expect(books.balances('Journal')).toMatchObject({
      Twin: -1_955_100n,
      [`TWIN ${second.contactNumber}`]: -1_955_100n,
    });
  });

  it('are saved with a version, and with their history', async () => {
    const { ledgers, version } = await settings();
    const saved = await save({
      ledgers: { ...ledgers, pumps: 'Diesel' },
      accounts: [{ id: desk.account.id, ledger: 'SBI 1234' }],
    });
    expect(saved.body.data).toMatchObject({
      version: version + 1,
      accounts: [{ id: desk.account.id, ledger: 'SBI 1234' }],
    });
    expectRefusal(
      await save({ version }),
      409,
      'VERSION_CONFLICT',
      'This page of Tally settings was changed by someone else meanwhile. Review the current values and save again.',
    );
    expectRefusal(await save({ accounts: [{ id: desk.ownerId, ledger: 'X' }] }), 400, 'INVALID_REFERENCE');
    expectRefusal(await save({ ledgers: { ...ledgers, tds: ' ' } }), 400, 'VALIDATION_ERROR');
    const ofBusiness = { params: { id: desk.tenant.id } };
    const { data } = (await desk.api.call(history.listSubadmin, ofBusiness, { token: desk.api.adminToken })).body;
    expect(data.find(({ action }) => action === 'Tally settings changed')?.changes).toContainEqual(
      expect.objectContaining({ label: 'Bank Ledgers in Tally', before: null, after: 'SBI 1234' }),
    );
  });
});

describe('a business', () => {
  it('makes, lists and reads only its own files', async () => {
    const other = await desk.api.addTenant();
    const auth = { token: other.token };
    const { data } = (await desk.api.call(tally.list, {}, desk.as())).body;
    expect(data.length).toBeGreaterThan(0);
    expect((await desk.api.call(tally.list, {}, auth)).body.data).toEqual([]);
    expect((await desk.api.call(tally.listChanged, {}, auth)).body.data).toEqual([]);
    expect((await desk.api.callRaw('GET', `/api/accounting/tally/exports/${data[0]!.id}/content`, auth)).status).toBe(
      404,
    );
    expectRefusal(
      await make(everything, auth),
      400,
      'INVALID_REQUEST',
      'There are no challans and no payments in these days.',
    );
    expectRefusal(
      await make({ kind: 'changed' }, auth),
      400,
      'INVALID_REQUEST',
      'Nothing has changed since it was exported.',
    );
    expect((await desk.api.call(owners.list, {}, auth)).body.pagination.totalCount).toBe(0);
  });

  it('refuses more challans than a file can have, by a period and by what changed, and remembers nothing of it', async () => {
    const tenant = await desk.api.addTenant();
    const auth = { token: tenant.token };
    const refs = { ownerId: (await createOwner(desk.api, tenant)).id, tagId: (await createTag(desk.api, tenant)).id };
    const two = [await createChallan(desk.api, tenant, refs), await createChallan(desk.api, tenant, refs)];
    const makeAtMost = (most: number, what: TallyWanted) =>
      desk.api.inTenant(tenant, (db) => createTallyExport(db, callerOf(tenant), what, most));
    const tooMany = 'A file takes at most 1 challans, and these are 2. Make files of shorter periods.';
    await expect(makeAtMost(1, everything)).rejects.toThrow(
      'A file takes at most 1 challans, and these are 2. Make files of shorter periods.',
    );
    expect(await makeAtMost(2, everything)).toMatchObject({ number: 'TLY-2627-000001', challanCount: 2 });
    for (const { id } of two)
      await desk.api.call(challans.update, { params: { id }, body: { ratePerMT: '1300.00' } }, auth);
    await expect(makeAtMost(1, { kind: 'changed' })).rejects.toThrow(tooMany);
    expect(await makeAtMost(2, { kind: 'changed' })).toMatchObject({ number: 'TLY-2627-000002', challanCount: 2 });
  });
});
