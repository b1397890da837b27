import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayOf, formatDate } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { ImportChoice, ImportRow } from '../../../src/shared/contract/imports.ts';
import { ownerTable } from '../../../src/server/features/master-data/owners.queries.ts';
import type { Owner } from '../../../src/shared/contract/owners.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { holding, untilWaiting } from '../support/holding.ts';

/** Import of opening balances (docs/specification.md §22.8). */
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
const today = dayOf(new Date());
const row = (ownerName: string, amount: string, over: Row = {}): Row => ({
  ownerName,
  asOf: '31/03/2026',
  amount,
  ...over,
});
function bodyOf(rows: readonly Row[]) {
  const fields = [...new Set(rows.flatMap((one) => Object.keys(one)))];
  const file = { name: 'old-book.xlsx', sha256: 'a'.repeat(64) };
  const kind = 'opening-balances' as const;
  return { kind, file, fields, rows: rows.map((one) => fields.map((field) => one[field] ?? '')) };
}
async function check(rows: readonly Row[], who = tenant) {
  const answer = await api.call(contract.imports.check, { body: bodyOf(rows) }, { token: who.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}
const apply = (rows: readonly Row[], fingerprint: string, choices: ImportChoice[] = []) =>
  api.call(
    contract.imports.apply,
    { body: { ...bodyOf(rows), choices, expected: { fingerprint } } },
    { token: tenant.token },
  );
async function imported(rows: readonly Row[], choices: ImportChoice[] = []) {
  const answer = await apply(rows, (await check(rows)).fingerprint, choices);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}
const undo = (id: string, who = tenant) => api.call(contract.batches.undo, { params: { id } }, { token: who.token });
const states = (rows: readonly ImportRow[]) => rows.map(({ state }) => state);
const named = (name: string, over: Partial<Owner> = {}) => createOwner(api, tenant, { name, ...over });
async function entriesOf({ id }: { id: string }) {
  const answer = await api.call(contract.ownerStatements.listOpenings, { params: { id } }, { token: tenant.token });
  return answer.body.data.map(({ asOf, amount, note }) => [asOf, amount, note]);
}
async function openingOf({ id }: { id: string }) {
  const query = { ownerId: id, endDate: today };
  const { lines } = (await api.call(contract.ownerStatements.current, { query }, { token: tenant.token })).body.data;
  return lines.map(({ kind, day, payable, note }) => [kind, day, payable, note]);
}
const enter = (ownerId: string, amount: string, note = '') =>
  api.call(
    contract.ownerStatements.setOpenings,
    { body: { entries: [{ ownerId, asOf: '2026-03-31', amount, note }] } },
    { token: tenant.token },
  );

describe('the check', () => {
  it('says of every row what it is, with the sentences of the typed ones, and changes nothing', async () => {
    const [same, other, zero] = [await named('Same Das'), await named('Other Das'), await named('Zero Das')];
    await enter(same.id, '1500.00', 'Old book');
    await enter(other.id, '-20.00', 'Old book');
    await enter(zero.id, '7.00');
    await enter(zero.id, '0.00');
    await named('New Das');
    await named('Nothing Das');
    await named('Twin Das', { panNo: 'TWINA1111Z' });
    const twin = await named('Twin  das', { panNo: 'TWINB2222Z' });
    const rows = [
      row('same das', '1,500', { note: 'Old book' }),
      row('Other Das', '20 Dr'),
      row('Other Das', '30 Dr'),
      row('Zero Das', '5'),
      row('New Das', '1,23,456.50', { note: 'By hand' }),
      row('New Das', '123456.5', { note: 'By hand' }),
      row('Nothing Das', '0'),
      row('Nobody', '5'),
      row('Twin Das', '5'),
      row('Twin Das', '5', { ownerPan: 'twinb2222z' }),
      row('', ''),
      row('New Das', '5 lakh', { asOf: formatDate(addDays(today, 1)), note: 'x'.repeat(201) }),
    ];
    const { rows: found, counts, unknown } = await check(rows);
    expect(states(found)).toEqual([
      'same',
      'same',
      'wrong',
      'new',
      'new',
      'same',
      'same',
      'wrong',
      'wrong',
      'new',
      'wrong',
      'wrong',
    ]);
    expect(counts).toEqual({ new: 3, same: 4, differs: 0, wrong: 5 });
    expect(found.map(({ errors = [] }) => errors.map(({ field, message }) => `${field}: ${message}`))).toEqual([
      [],
      [],
      ['ownerName: Owner Other Das is also in row 2: leave it in the file once'],
      [],
      [],
      [],
      [],
      ['ownerName: No owner is named "Nobody": import the owner first'],
      ['ownerName: 2 owners are named "Twin Das": give the PAN of the right one'],
      [],
      ['ownerName: Please select an owner', 'amount: The balance is missing'],
      [
        'amount: Enter a number such as 12345.50.',
        'asOf: The day is still to come',
        'note: The note has more than 200 characters',
      ],
    ]);
    expect(unknown).toEqual([{ kind: 'owner', name: 'Nobody', rows: 1 }]);
    expect(await entriesOf(same)).toHaveLength(1);
    expect(await entriesOf(twin)).toEqual([]);
  });

  it('shows what a row would change', async () => {
    const owner = await named('Ram Das');
    await enter(owner.id, '1500.00', 'Old book');
    const { rows } = await check([row('Ram Das', '250 Dr', { asOf: '1/4/2026', note: '' })]);
    expect(rows).toEqual([
      {
        state: 'differs',
        differences: [
          { field: 'asOf', stored: '31/03/2026', given: '01/04/2026' },
          { field: 'amount', stored: '₹1,500.00', given: '-₹250.00' },
        ],
        twin: { id: owner.id, row: null, name: 'Ram Das', by: 'owner' },
        choices: ['merge', 'skip'],
      },
    ]);
  });

  it('finds no owner of another business, and none that was deleted', async () => {
    const [stranger, gone] = [await api.addTenant(), await named('Gone Das')];
    await createOwner(api, stranger, { name: 'Their Das' });
    await api.call(contract.owners.remove, { params: { id: gone.id } }, { token: tenant.token });
    const { rows } = await check([row('Their Das', '5'), row('Gone Das', '5')]);
    expect(states(rows)).toEqual(['wrong', 'wrong']);
  });
});

describe('an import', () => {
  it('is one batch whose balances are in the statements, and nothing at the second time', async () => {
    const [first, second] = [await named('First Das'), await named('Second Das')];
    const rows = [row('First Das', '1,000', { note: 'Old book' }), row('Second Das', '250.50 Dr'), row('Nobody', '1')];
    const { batch, created, changed } = await imported(rows);
    expect([batch.title, created, changed]).toEqual(['2 opening balances from old-book.xlsx', 2, 0]);
    expect(await openingOf(first)).toEqual([['opening', '2026-03-31', '1000.00', 'Old book']]);
    expect(await openingOf(second)).toEqual([['opening', '2026-03-31', '-250.50', '']]);
    const listed = await api.call(contract.batches.get, { params: { id: batch.id } }, { token: tenant.token });
    expect(listed.body.data).toMatchObject({
      kind: 'import',
      amount: '749.50',
      facts: { kind: 'opening-balances', file: 'old-book.xlsx', sha256: 'a'.repeat(64), rows: '3', wrong: '1' },
      lines: [
        { record: 'opening-balance', id: first.id, name: 'First Das', isCreated: true },
        { record: 'opening-balance', id: second.id, name: 'Second Das', isCreated: true },
      ],
    });

    const again = await check(rows);
    expect(states(again.rows)).toEqual(['same', 'same', 'wrong']);
    expect(again.imported).toMatchObject({ number: batch.number });
    expectRefusal(
      await apply(rows, again.fingerprint),
      400,
      'VALIDATION_ERROR',
      'There is nothing to import: every row is the same, skipped or wrong.',
    );
    expect(await entriesOf(first)).toHaveLength(1);
  });

  it('corrects or takes away the balance of a row where a merge is chosen', async () => {
    const [merged, skipped, cleared] = [await named('Merged'), await named('Skipped'), await named('Cleared')];
    for (const { id } of [merged, skipped, cleared]) await enter(id, '10.00', 'Old book');
    const rows = [row('Merged', '20'), row('Skipped', '20'), row('Cleared', '0')];
    expect(await imported(rows, ['merge', 'skip', 'merge'])).toMatchObject({ created: 0, changed: 2 });
    expect(await openingOf(merged)).toEqual([['opening', '2026-03-31', '20.00', 'Old book']]);
    expect(await openingOf(skipped)).toEqual([['opening', '2026-03-31', '10.00', 'Old book']]);
    expect(await openingOf(cleared)).toEqual([]);
  });

  it('is refused when a balance was entered since the check, also while it begins', async () => {
    const owner = await named('Ram Das');
    const rows = [row('Ram Das', '20')];
    const { fingerprint } = await check(rows);
    await holding(
      api,
      `INSERT INTO owner_opening_balances (subadmin_id, owner_id, entry_no, as_of, amount, created_by)
       SELECT o.subadmin_id, o.id, 1, '2026-03-31', 33, o.subadmin_id FROM owners o WHERE o.id = $1 FOR UPDATE`,
      [owner.id],
      async (release) => {
        const waiting = apply(rows, fingerprint);
        await untilWaiting(api);
        await release();
        expectRefusal(await waiting, 409, 'IMPORT_CHANGED');
      },
    );
    expectRefusal(await apply(rows, fingerprint), 409, 'IMPORT_CHANGED');
    expect(await entriesOf(owner)).toEqual([['2026-03-31', '33.00', '']]);
    const batches = await api.call(contract.batches.list, {}, { token: tenant.token });
    expect(batches.body.data).toEqual([]);
  });

  it('takes a thousand rows in one act', async () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `Owner ${n}`);
    await api.inTenant(tenant, (db) =>
      ownerTable.insertMany(
        db,
        new Map(
          names.map((name) => [
            crypto.randomUUID(),
            { name, contactNumber: '9876543210', accountNo: '0001', panNo: 'ABCPE1234F', branchName: 'Barbil' },
          ]),
        ),
      ),
    );
    const { created, batch } = await imported(names.map((name, n) => row(name, `${n + 1}.25`)));
    expect([created, batch.title]).toEqual([1_000, '1,000 opening balances from old-book.xlsx']);
    expect((await undo(batch.id)).body.data).toMatchObject({ undone: 1_000, leftCount: 0 });
  });
});

describe('the undo', () => {
  it('counts a balance that a later import corrected and whose undo set back as not entered since', async () => {
    const [fresh, entered] = [await named('Fresh'), await named('Entered')];
    const { batch: first } = await imported([row('Fresh', '1'), row('Entered', '1')]);
    const { batch: second } = await imported([row('Fresh', '2'), row('Entered', '2')], ['merge', 'merge']);
    expect((await undo(second.id)).body.data).toMatchObject({ undone: 2, left: [] });
    await enter(entered.id, '1.00');
    expect((await undo(first.id)).body.data).toMatchObject({ undone: 1, left: [{ id: entered.id }] });
    expect(await openingOf(fresh)).toEqual([]);
  });

  it('brings back what counted before, and leaves what was entered since', async () => {
    const [fresh, corrected, touched] = [await named('Fresh'), await named('Corrected'), await named('Touched')];
    await enter(corrected.id, '10.00', 'Old book');
    const { batch } = await imported(
      [row('Fresh', '1'), row('Corrected', '20', { note: 'New book' }), row('Touched', '3')],
      ['skip', 'merge', 'skip'],
    );
    await enter(touched.id, '4.00');

    const stranger = await api.addTenant();
    expectRefusal(await undo(batch.id, stranger), 404, 'NOT_FOUND');
    const undone = await undo(batch.id);
    expect(undone.body.data).toMatchObject({
      undone: 2,
      left: [
        {
          record: 'opening-balance',
          id: touched.id,
          name: 'Touched',
          reason: 'Its opening balance was entered again since.',
        },
      ],
    });
    expect(await openingOf(fresh)).toEqual([]);
    expect(await entriesOf(fresh)).toEqual([
      ['2026-03-31', '0.00', `${batch.number} was undone`],
      ['2026-03-31', '1.00', ''],
    ]);
    expect(await openingOf(corrected)).toEqual([['opening', '2026-03-31', '10.00', 'Old book']]);
    expect(await openingOf(touched)).toEqual([['opening', '2026-03-31', '4.00', '']]);
    expectRefusal(await undo(batch.id), 409, 'ALREADY_UNDONE');
    expect(states((await check([row('Fresh', '1')])).rows)).toEqual(['new']);
  });
});
