import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayOf, formatDate } from '../../../src/shared/calc/dates.ts';
import { sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { ImportChoice, ImportRow } from '../../../src/shared/contract/imports.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import {
  buildImport,
  buildPastChallan,
  createBankAccount,
  createOwner,
  createPump,
  createTag,
  createTruck,
} from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { assertLedger } from '../support/ledger.ts';

/** Import of past challans (docs/specification.md §22.7). */
let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await api.addTenant();
});
afterAll(() => api.close());

type Row = Record<string, string>;
const row = buildPastChallan;
const bodyOf = (rows: readonly Row[]) => buildImport('challans', rows);
async function check(rows: readonly Row[], who = tenant) {
  const answer = await api.call(contract.imports.check, { body: bodyOf(rows) }, { token: who.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}
const apply = (rows: readonly Row[], fingerprint: string, choices: ImportChoice[] = [], who = tenant) =>
  api.call(
    contract.imports.apply,
    { body: { ...bodyOf(rows), choices, expected: { fingerprint } } },
    { token: who.token },
  );
async function send(rows: readonly Row[], choices: ImportChoice[] = []) {
  const answer = await apply(rows, (await check(rows)).fingerprint, choices);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}
const states = (rows: readonly ImportRow[]) => rows.map(({ state }) => state);
const messages = (rows: readonly ImportRow[]) => rows.map(({ errors = [] }) => errors.map(({ message }) => message));
const listed = async (who = tenant) =>
  (await api.call(contract.challans.list, { query: { limit: 100, sortOrder: 'asc' } }, { token: who.token })).body;
const undo = (id: string) => api.call(contract.batches.undo, { params: { id } }, { token: tenant.token });
const payments = async () =>
  (await api.call(contract.paymentBatches.list, { query: { limit: 50 } }, { token: tenant.token })).body.data;
const ledger = () => api.inTenant(tenant, assertLedger);

async function master(who = tenant) {
  const owner = await createOwner(api, who, { name: 'Ram Das' });
  const tag = await createTag(api, who, { name: 'Joda' });
  return { owner, tag };
}

describe('the check', () => {
  it('has the sentences of the entry sheet, and names what is not found once', async () => {
    const { owner } = await master();
    await createTruck(api, tenant, owner.id, { truckNumber: 'OD 09 A 1', noOfWheels: 12, typeOfVehicle: 'Hyva' });
    const tomorrow = formatDate(addDays(dayOf(new Date()), 1));
    const { rows, counts, unknown } = await check([
      row(1, { ownerName: '', ownerContactNumber: '', advanceMoney: '', officeCharges: '' }),
      row(2, { ownerName: 'Nobody', tag: 'Koira' }),
      row(3, { ownerName: 'nobody ' }),
      row(4, { ownerName: '' }),
      row(5, { tdsPercentage: '', depositedAt: '', loadingWeight: 'x' }),
      row(6, { paidOn: tomorrow }),
      row(7, { paid: 'Yes' }),
      row(8, { paid: 'No', paidOn: '01/05/2024' }),
      row(9, { paid: 'perhaps' }),
      row(10, { paymentReference: 'UTR1' }),
      row(11, { netAmountPayable: '19,550.00' }),
      row(12, { netAmountPayable: '₹19,551.00', paid: 'unpaid' }),
      row(13, { petrolPump: 'Om Fuels', hsdInLiters: '10', hsdPricePerLiter: '90' }),
    ]);
    expect(messages(rows)).toEqual([
      [],
      ['No tag is named "Koira": import the tag first', 'No owner is named "Nobody": import the owner first'],
      ['No owner is named "nobody": import the owner first'],
      ['Please enter owner name', 'No truck has the number OD 09 A 4: import the truck first, or name the owner'],
      ['Enter a number such as 12345.50.', 'Please enter TDS percentage', 'Please select the deposited date!'],
      ['The paid date cannot be in the future'],
      ['Please enter the date on which it was paid'],
      ['It has a paid date, but is not marked as paid'],
      ['"perhaps" is neither paid nor unpaid: write Yes or No'],
      ['A payment reference needs the date on which it was paid'],
      ['The row comes to ₹19,551.00, the file says ₹19,550.00'],
      [],
      ['No petrol pump is named "Om Fuels": import the petrol pump first'],
    ]);
    expect(counts).toEqual({ new: 2, same: 0, differs: 0, wrong: 11 });
    expect(unknown).toEqual([
      { kind: 'owner', name: 'nobody', rows: 2 },
      { kind: 'tag', name: 'Koira', rows: 1 },
      { kind: 'vehicle', name: 'OD 09 A 4', rows: 1 },
      { kind: 'petrolPump', name: 'Om Fuels', rows: 1 },
    ]);
    expect((await listed()).data).toEqual([]);
  });

  it('finds twins by TP No, or by vehicle, loading date and net amount: in the books and in the file', async () => {
    await master();
    await send([row(1)]);
    const { rows } = await check([
      row(1),
      row(1, { tpNo: 'tp - 1', advanceMoney: '4000' }),
      row(1, { tpNo: 'TP-9' }),
      row(1, { tpNo: 'TP-10', advanceMoney: '1' }),
      row(1, { paidOn: '01/05/2024' }),
      row(2),
      row(2),
      row(2, { advanceMoney: '1' }),
    ]);
    expect(states(rows)).toEqual(['same', 'differs', 'differs', 'new', 'differs', 'new', 'same', 'differs']);
    const [number] = (await listed()).data.map(({ challanNumber }) => challanNumber);
    expect(rows[1]).toMatchObject({
      twin: { name: number, by: 'TP No' },
      differences: [{ field: 'netAmountPayable', stored: '₹19,551.00', given: '₹20,551.00' }],
      choices: ['skip', 'new'],
    });
    expect(rows[2]).toMatchObject({ twin: { name: number, by: 'vehicle, loading date and net amount' } });
    expect(rows[4]?.differences).toEqual([{ field: 'paidOn', stored: '', given: '01/05/2024' }]);
    expect(rows[7]?.twin).toMatchObject({ row: 6, by: 'TP No' });
  });
});

describe('an import', () => {
  it('of paid and unpaid challans: totals, dashboard and ledger agree; the same file imports nothing; undone', async () => {
    await master();
    await createPump(api, tenant, { name: 'Om Fuels' });
    const rows = [
      row(1, { paidOn: '01/05/2024', paymentReference: 'UTR1', remarks: 'By night' }),
      row(2, { paidOn: '01/05/2024', paid: 'Yes', petrolPump: 'om fuels', hsdInLiters: '10', hsdPricePerLiter: '90' }),
      row(3, { paidOn: '15-04-2024' }),
      row(4),
      row(5, { paidOn: '99/99/2024' }),
    ];
    const done = await send(rows);
    expect(done).toMatchObject({ created: 4, changed: 0, batch: { title: '4 past challans (3 paid) from past.xlsx' } });
    const { data, summary } = await listed();
    expect(data.map(({ tpNo, paidAt, netAmountPayable }) => [tpNo, paidAt && dayOf(paidAt), netAmountPayable])).toEqual(
      [
        ['TP-1', '2024-05-01', '19551.00'],
        ['TP-2', '2024-05-01', '18651.00'],
        ['TP-3', '2024-04-15', '19551.00'],
        ['TP-4', null, '19551.00'],
      ],
    );
    expect(data[0]).toMatchObject({ remarks: 'By night\nPayment reference UTR1', version: 2 });
    expect(summary).toMatchObject({ paidCount: 3, paidAmount: '57753.00', unpaidCount: 1, unpaidAmount: '19551.00' });
    const found = await payments();
    expect(found.map(({ kind, updatedCount, totalAmount }) => [kind, updatedCount, totalAmount]).toSorted()).toEqual([
      ['import', 1, '19551.00'],
      ['import', 2, '38202.00'],
    ]);
    // Recorded now, paid then.
    expect(found.every(({ createdAt }) => dayOf(createdAt) === dayOf(new Date()))).toBe(true);
    const weeks = await api.call(
      contract.dashboard.listWeeks,
      { query: { startDate: '2024-04-01', endDate: '2024-04-30' } },
      { token: tenant.token },
    );
    const months = weeks.body.data.periods;
    expect(months.reduce((count, { paidCount }) => count + paidCount, 0)).toBe(3);
    expect(sum(months.map(({ paidAmount }) => paidAmount))).toBe('57753.00');
    await ledger();

    const again = await check(rows.slice(0, 4));
    expect(states(again.rows)).toEqual(['same', 'same', 'same', 'same']);
    expectRefusal(await apply(rows.slice(0, 4), again.fingerprint), 400, 'VALIDATION_ERROR');

    // One is touched: its remarks.
    const [first] = data;
    await api.call(
      contract.challans.update,
      { params: { id: first!.id }, body: { remarks: 'Seen' } },
      { token: tenant.token },
    );
    const undone = await undo(done.batch.id);
    expect(undone.body.data).toMatchObject({
      undone: 3,
      left: [{ record: 'challan', name: first!.challanNumber }],
    });
    expect((await listed()).summary).toMatchObject({ totalCount: 1, paidCount: 1, paidAmount: '19551.00' });
    await ledger();
  });

  it('records what was paid in the past to an owner that is on hold today', async () => {
    const { owner } = await master();
    const held = { params: { id: owner.id }, body: { reason: 'No papers' } };
    await api.call(contract.owners.setHold, held, { token: tenant.token });
    expect(await send([row(1, { paidOn: '01/05/2024' }), row(2)])).toMatchObject({ created: 2 });
    expect((await listed()).summary).toMatchObject({ paidCount: 1, paidAmount: '19551.00', unpaidCount: 1 });
    await ledger();
  });

  it('goes to the bank only when somebody says that it was not paid before; its undo leaves what was sent', async () => {
    await master();
    const second = await createOwner(api, tenant, { name: 'Mohan Jena', accountNo: '00123456789' });
    const done = await send([
      row(1, { paidOn: '05/05/2024' }),
      row(2, { paidOn: '05/05/2024', ownerName: 'Mohan Jena' }),
      row(3, { paidOn: '05/05/2024', ownerName: 'Mohan Jena' }),
      row(4),
    ]);
    const [payment] = await payments();
    const account = await createBankAccount(api, tenant);
    const batchIds = [payment!.id];
    const as = { token: tenant.token };
    const body = { batchIds, bankAccountId: account.id };
    const { lines } = (await api.call(contract.bankFiles.check, { body }, as)).body.data;
    expect(lines.map(({ name, isImported }) => [name, isImported])).toEqual([
      ['Mohan Jena', true],
      ['Ram Das', true],
    ]);
    const { ownerId, amount } = lines[0]!;
    const make = (isConfirmed?: true) =>
      api.call(
        contract.bankFiles.create,
        {
          body: {
            ...body,
            layoutId: 'B',
            valueOn: '2026-04-20',
            lines: [{ batchId: payment!.id, ownerId, amount, route: 'NEFT', ...(isConfirmed && { isConfirmed }) }],
          },
        },
        as,
      );
    expectRefusal(
      await make(),
      409,
      'SELECTION_CHANGED',
      'Mohan Jena, ₹39,102.00: Imported as paid. It is sent only if you say that it was not sent before. Check the lines again.',
    );
    const file = await make(true);
    expect(file.status, file.text).toBe(201);

    const undone = await undo(done.batch.id);
    const reason = `The line of Mohan Jena is in bank file ${file.body.data.number}. Withdraw the file, or record what the bank answered, first.`;
    expect(undone.status, undone.text).toBe(200);
    expect(undone.body.data).toMatchObject({ undone: 2, leftCount: 2 });
    expect(undone.body.data.left.map((one) => one.reason)).toEqual([reason, reason]);
    const left = (await listed()).data;
    expect(left.map(({ owner, paymentStatus }) => [owner.id, paymentStatus])).toEqual([
      [second.id, true],
      [second.id, true],
    ]);
    expect((await payments())[0]).toMatchObject({ paidCount: 2, paidAmount: amount });
    await ledger();
  });

  it('adds a second one where that is chosen, and skips it otherwise', async () => {
    await master();
    await send([row(1)]);
    const rows = [row(1, { advanceMoney: '1' }), row(1, { advanceMoney: '2' }), row(3)];
    expect(await send(rows, ['new', 'skip', 'skip'])).toMatchObject({ created: 2 });
    expect((await listed()).data.map(({ advanceMoney }) => advanceMoney)).toEqual(['5000.00', '1.00', '5000.00']);
  });

  it('imports nothing when a name is no longer there', async () => {
    const { owner } = await master();
    const rows = [row(1, { paidOn: '01/05/2024' })];
    const { fingerprint } = await check(rows);
    await api.call(contract.owners.remove, { params: { id: owner.id } }, { token: tenant.token });
    expectRefusal(await apply(rows, fingerprint), 409, 'IMPORT_CHANGED');
    expect((await listed()).data).toEqual([]);
    expect(await payments()).toEqual([]);
  });

  it('sees nothing of another business', async () => {
    const other = await api.addTenant();
    await master(other);
    await createOwner(api, tenant, { name: 'Ram Das' });
    const theirs = [row(1, { paidOn: '01/05/2024' })];
    const { fingerprint } = await check(theirs, other);
    expect((await apply(theirs, fingerprint, [], other)).status).toBe(201);
    expect(messages((await check([row(1)])).rows)).toEqual([['No tag is named "Joda": import the tag first']]);
    await createTag(api, tenant, { name: 'Joda' });
    const before = await listed(other);
    expect(states((await check([row(1)])).rows)).toEqual(['new']);
    await send([row(1, { paidOn: '02/05/2024' })]);
    expect(await listed(other)).toEqual(before);
  });
});

it('5,000 challans, paid on 250 days, with 200 wrong ones', async () => {
  await master();
  const rows = Array.from({ length: 5_000 }, (_, n) =>
    row(n, {
      ...(n < 200 && { tag: 'Nothing' }),
      ...(n % 2 === 0 && { paidOn: formatDate(addDays('2024-05-01', (n / 2) % 250)) }),
    }),
  );
  const started = performance.now();
  const { counts, fingerprint, unknown } = await check(rows);
  const checked = performance.now();
  expect(counts).toEqual({ new: 4_800, same: 0, differs: 0, wrong: 200 });
  expect(unknown).toEqual([{ kind: 'tag', name: 'Nothing', rows: 200 }]);
  const answer = await apply(rows, fingerprint);
  const applied = performance.now();
  expect(answer.status, answer.text).toBe(201);
  if (process.env.TEST_TIMES) process.stdout.write(`checked ${checked - started}, applied ${applied - checked}\n`);
  expect(applied - started).toBeLessThan(60_000);
  expect((await listed()).summary).toMatchObject({ totalCount: 4_800, paidCount: 2_400 });
  await ledger();
  const undone = await undo(answer.body.data.batch.id);
  expect(undone.body.data).toMatchObject({ undone: 4_800, left: [] });
  await ledger();
});

it('may take longer than other calls, since it is shown and can be cancelled', async () => {
  const hurried = await startApi({ limits: { answerMs: 300 } });
  try {
    const who = await hurried.addTenant();
    const body = bodyOf(Array.from({ length: 2_500 }, (_, n) => row(n)));
    const started = performance.now();
    const answer = await hurried.call(contract.imports.check, { body }, { token: who.token });
    expect(answer.status, answer.text).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(300);
  } finally {
    await hurried.close();
  }
});
