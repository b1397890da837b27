import { read, utils } from '@e965/xlsx';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { financialYear } from '../../../src/shared/calc/dates.ts';
import { batchState } from '../../../src/shared/columns/batch-columns.ts';
import { mappedRows, recognise } from '../../../src/shared/sheet/headings.ts';
import { importFields, requiredFields } from '../../../src/shared/sheet/import-fields.ts';
import {
  type ImportChoice,
  type ImportKind,
  importKinds,
  type ImportRow,
} from '../../../src/shared/contract/imports.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { rowsOfCase } from '../../read-table.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildOwner, createChallan, createOwner, createPump, createTag, createTruck } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { holding, untilWaiting } from '../support/holding.ts';

/** Import of master data (docs/specification.md §22). */
let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await api.addTenant();
});
afterAll(() => api.close());

type Rows = readonly Record<string, string>[];
function bodyOf(kind: ImportKind, rows: Rows, sha256: string | null = null) {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const file = { name: `${kind}.csv`, sha256 };
  return { kind, file, fields, rows: rows.map((row) => fields.map((field) => row[field] ?? '')) };
}
const check = async (kind: ImportKind, rows: Rows, who = tenant, sha256: string | null = null) => {
  const answer = await api.call(contract.imports.check, { body: bodyOf(kind, rows, sha256) }, { token: who.token });
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const send = async (kind: ImportKind, rows: Rows, choices: ImportChoice[] = [], key?: string) => {
  const { fingerprint } = await check(kind, rows);
  return apply(kind, rows, choices, fingerprint, key);
};
const apply = (kind: ImportKind, rows: Rows, choices: ImportChoice[], fingerprint: string, key?: string) =>
  api.call(
    contract.imports.apply,
    { body: { ...bodyOf(kind, rows), choices, expected: { fingerprint } } },
    { token: tenant.token, ...(key && { key }) },
  );
const states = (rows: readonly ImportRow[]) => rows.map(({ state }) => state);
const ownerList = async (who = tenant) =>
  (await api.call(contract.owners.list, { query: { limit: 100 } }, { token: who.token })).body.data;
const truckList = async (who = tenant) =>
  (await api.call(contract.trucks.list, { query: { limit: 100 } }, { token: who.token })).body;
const tagList = async () => (await api.call(contract.tags.list, {}, { token: tenant.token })).body.data;
const everything = (who = tenant) =>
  api.inTenant(who, async (db) => {
    const tables = ['owners', 'trucks', 'tags', 'petrol_pumps', 'history', 'batches', 'batch_lines'];
    const found = await Promise.all(
      tables.map((table) => db.query(`SELECT t::text FROM ${table} t WHERE subadmin_id = $1 ORDER BY 1`, [who.id])),
    );
    return found.map(({ rows }) => rows);
  });
const pan = (n: number): string => `IMPRT${String(n).padStart(4, '0')}Z`;
/** An owner's row of texts that no other has. */
function ownerRow(n: number, over: Record<string, string> = {}): Record<string, string> {
  const { address = '', ifsc = '', ...owner } = buildOwner({ name: `Imported ${n}`, panNo: pan(n) });
  return { ...owner, address, ifsc, ...over };
}

describe('the fields that every row needs', () => {
  it.each(importKinds)('are those that the check of %s misses in a row without them', async (kind) => {
    const needed = requiredFields[kind].map(([first]) => first);
    const other = importFields[kind].find(({ name }) => !requiredFields[kind].some((names) => names.includes(name)));
    const { rows } = await check(kind, [{ [other?.name ?? '']: kind === 'challans' ? '5' : 'text' }]);
    const missed = (rows[0]?.errors ?? []).map(({ field }) => field).filter((field) => field !== other?.name);
    // The owner of a challan comes from its truck.
    const isFromTruck = (field: string): boolean => kind === 'challans' && field.startsWith('owner');
    expect(missed.filter((field) => !isFromTruck(field)).toSorted()).toEqual(needed.toSorted());
  });
});

describe('the check', () => {
  it('says of every row what it is, with the sentences of the form', async () => {
    const stored = await createOwner(api, tenant, { panNo: pan(1), accountNo: '00011', ifsc: 'SBIN0001234' });
    const { name, contactNumber, address, accountNo, ifsc, panNo, branchName } = stored;
    const same = { name, contactNumber, address, accountNo, ifsc, panNo: panNo.toLowerCase(), branchName };
    const before = await everything();
    const { rows, counts, imported } = await check('owners', [
      same,
      { ...same, address: '' },
      { ...same, branchName: 'Joda' },
      { ...same, panNo: pan(2) },
      ownerRow(3),
      ownerRow(3, {
        ...ownerRow(3),
        name: '',
        contactNumber: '98765',
        ifsc: 'SBIN',
        panNo: 'PAN',
        accountNo: '1.2345E+17',
      }),
    ]);
    expect(states(rows)).toEqual(['same', 'same', 'differs', 'differs', 'new', 'wrong']);
    expect(rows[2]).toEqual({
      state: 'differs',
      differences: [{ field: 'branchName', stored: 'Barbil', given: 'Joda' }],
      twin: { id: stored.id, row: null, name, by: 'PAN' },
      choices: ['merge', 'skip', 'new'],
      warnings: [{ field: 'accountNo', message: 'Account Number 00011 is not 9 to 18 digits: look it up' }],
    });
    expect(rows[3]).toMatchObject({
      differences: [{ field: 'panNo', stored: pan(1), given: pan(2) }],
      twin: { id: stored.id, by: 'account number and IFSC' },
    });
    expect(rows[5]?.errors).toEqual([
      { field: 'accountNo', message: 'Account Number 1.2345E+17 has lost digits: format the column as text' },
      { field: 'name', message: 'Please enter owner name' },
      { field: 'contactNumber', message: 'Please enter a valid 10-digit contact number' },
      { field: 'ifsc', message: 'IFSC code should be 11 characters' },
      { field: 'panNo', message: 'Please enter valid PAN number (e.g., ABCDE1234F)' },
    ]);
    expect(counts).toEqual({ new: 1, same: 2, differs: 2, wrong: 1 });
    expect(imported).toBeNull();
    expect(await everything()).toEqual(before);
  });

  it('finds a truck by its number and an owner by name or PAN', async () => {
    const [one, two] = [
      await createOwner(api, tenant, { name: 'Ram Das' }),
      await createOwner(api, tenant, { name: 'Ram  das' }),
    ];
    const only = await createOwner(api, tenant, { name: 'Sita Devi' });
    await createTruck(api, tenant, only.id, { truckNumber: 'OD 09 A 1', noOfWheels: 10, typeOfVehicle: '' });
    const { rows, unknown } = await check('trucks', [
      { truckNumber: 'od-09-a-1', ownerName: ' sita  DEVI ', noOfWheels: '10 wheeler' },
      { truckNumber: 'OD09A1', ownerName: 'Sita Devi', noOfWheels: '12' },
      { truckNumber: 'OD09A2', ownerName: 'Ram Das', noOfWheels: '10' },
      { truckNumber: 'OD09A2', ownerPan: two.panNo, noOfWheels: '10' },
      { truckNumber: 'OD09A2', ownerPan: one.panNo, noOfWheels: '10' },
      { truckNumber: 'OD09A3', ownerName: 'Nobody', noOfWheels: '' },
      { truckNumber: '', ownerPan: 'zzzzz9999z', noOfWheels: 'ten' },
      { truckNumber: 'OD09A4', noOfWheels: '10' },
      { truckNumber: 'OD09A5', ownerName: ' NOBODY', noOfWheels: '10' },
    ]);
    expect(unknown).toEqual([{ kind: 'owner', name: 'NOBODY', rows: 2 }]);
    expect(rows.pop()?.errors).toEqual([
      { field: 'ownerName', message: 'No owner is named "NOBODY": import the owner first' },
    ]);
    expect(states(rows)).toEqual(['same', 'wrong', 'wrong', 'new', 'wrong', 'wrong', 'wrong', 'wrong']);
    expect(rows.map(({ errors = [] }) => errors.map(({ message }) => message))).toEqual([
      [],
      ['Truck OD09A1 is also in row 1: leave it in the file once'],
      ['2 owners are named "Ram Das": give the PAN of the right one'],
      [],
      ['Truck OD09A2 is also in row 4: leave it in the file once'],
      ['Please enter number of wheels', 'No owner is named "Nobody": import the owner first'],
      [
        'Please enter truck number',
        'Please enter number of wheels',
        'No owner has the PAN ZZZZZ9999Z: import the owner first',
      ],
      ['Please select an owner'],
    ]);
  });

  it('says what is missing where several owners have one PAN', async () => {
    const panNo = pan(7);
    for (const name of ['Ram Das', 'Sita Devi', 'Gopal', 'gopal']) await createOwner(api, tenant, { name, panNo });
    const { rows } = await check('trucks', [
      { truckNumber: 'OD09B1', ownerPan: panNo, noOfWheels: '10' },
      { truckNumber: 'OD09B2', ownerPan: panNo, ownerName: 'Nobody', noOfWheels: '10' },
      { truckNumber: 'OD09B3', ownerPan: panNo, ownerName: 'Gopal', noOfWheels: '10' },
      { truckNumber: 'OD09B4', ownerPan: panNo, ownerName: 'sita devi', noOfWheels: '10' },
    ]);
    expect(rows.map(({ errors = [] }) => errors)).toEqual([
      [{ field: 'ownerName', message: `4 owners have the PAN ${panNo}: give the name of the right one` }],
      [{ field: 'ownerName', message: `None of the 4 owners with the PAN ${panNo} is named "Nobody"` }],
      [
        {
          field: 'ownerName',
          message: `2 owners with the PAN ${panNo} are named "Gopal": give them different names`,
        },
      ],
      [],
    ]);
  });

  it('finds tags and pumps by their names, and gives a tag its usual color', async () => {
    await createTag(api, tenant, { name: 'Joda', color: '#112233', description: 'Mines' });
    const pump = await createPump(api, tenant, { name: 'Om Fuels', address: 'Main road, Joda' });
    const tags = await check('tags', [
      { name: ' joda ' },
      { name: 'JODA', color: '#445566' },
      { name: 'X' },
      { name: 'New' },
    ]);
    expect(states(tags.rows)).toEqual(['differs', 'wrong', 'wrong', 'new']);
    const again = await check('tags', [{ name: 'Joda', color: '' }]);
    expect(states(again.rows)).toEqual(['same']);
    const pumps = await check('petrol-pumps', [
      { name: 'om fuels', contactNumber: pump.contactNumber, address: 'Barbil road' },
      { name: 'Om Fuels', contactNumber: pump.contactNumber, address: pump.address },
      { name: 'Jay', contactNumber: '1', address: 'x' },
    ]);
    expect(states(pumps.rows)).toEqual(['differs', 'same', 'wrong']);
    expect(pumps.rows[0]?.choices).toEqual(['merge', 'skip', 'new']);
  });

  it.each([
    ['a field of another kind', { fields: ['truckNumber'] }],
    ['a field twice', { fields: ['name', 'name'] }],
    ['no row', { rows: [] }],
    ['more rows than an import has', { rows: Array.from({ length: 5_001 }, () => ['x']) }],
  ])('refuses %s', async (_, over) => {
    const body = { ...bodyOf('tags', [{ name: 'Joda' }]), ...over };
    expectRefusal(await api.call(contract.imports.check, { body }, { token: tenant.token }), 400, 'VALIDATION_ERROR');
  });
});

describe('an import', () => {
  it('writes owners with their trucks, and nothing at the second time', async () => {
    const rows = [
      ownerRow(1, { language: 'हिंदी', trucks: 'OD09A1, OD09A2', noOfWheels: '12', typeOfVehicle: 'Tipper' }),
      { ...ownerRow(2), trucks: '' },
    ];
    // The same owner once more, with another truck.
    rows[2] = { ...rows[1], trucks: 'OD09A3', noOfWheels: '10' };
    expect(states((await check('owners', rows)).rows)).toEqual(['new', 'new', 'new']);
    const answer = await send('owners', rows, [], 'key-1');
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      created: 5,
      changed: 0,
      batch: { title: '2 owners and 3 trucks from owners.csv' },
    });
    const list = await ownerList();
    expect(list.map(({ owner, trucksCount }) => [owner.name, trucksCount])).toEqual([
      ['Imported 1', 2],
      ['Imported 2', 1],
    ]);
    expect(list.map(({ owner }) => owner.language)).toEqual(['Hindi', 'English']);
    expect(list[0]?.trucks[0]).toMatchObject({ truckNumber: 'OD09A1', noOfWheels: 12, typeOfVehicle: 'Tipper' });

    const before = await everything();
    const again = await check('owners', rows);
    expect(states(again.rows)).toEqual(['same', 'same', 'same']);
    expect(again.imported).toMatchObject({ number: answer.body.data.batch.number });
    expectRefusal(
      await send('owners', rows, []),
      400,
      'VALIDATION_ERROR',
      'There is nothing to import: every row is the same, skipped or wrong.',
    );
    expect(await everything()).toEqual(before);

    const undone = await api.call(
      contract.batches.undo,
      { params: { id: answer.body.data.batch.id } },
      { token: tenant.token },
    );
    expect(undone.body.data).toMatchObject({ undone: 5, left: [] });
    expect(await ownerList()).toEqual([]);
    expect((await check('owners', rows)).imported).toBeNull();
  });

  it('merges, skips or makes a second one, as each row says', async () => {
    const [a, b, c] = [
      await createOwner(api, tenant, { panNo: pan(1) }),
      await createOwner(api, tenant, { panNo: pan(2) }),
      await createOwner(api, tenant, { panNo: pan(3) }),
    ];
    const rows = [a, b, c].map(({ name, contactNumber, accountNo, panNo }) => ({
      name,
      contactNumber,
      accountNo,
      panNo,
      branchName: 'Koira',
    }));
    const answer = await send('owners', rows, ['merge', 'skip', 'new']);
    expect(answer.body.data).toMatchObject({ created: 1, changed: 1 });
    const branches = (await ownerList()).map(({ owner }) => [
      owner.panNo,
      owner.branchName,
      owner.address,
      owner.version,
    ]);
    expect(branches.toSorted()).toEqual([
      [pan(1), 'Koira', 'Barbil, Keonjhar', 2],
      [pan(2), 'Barbil', 'Barbil, Keonjhar', 1],
      [pan(3), 'Barbil', 'Barbil, Keonjhar', 1],
      [pan(3), 'Koira', '', 1],
    ]);
    const history = await api.call(contract.history.listOwner, { params: { id: a.id } }, { token: tenant.token });
    expect(history.body.data[0]).toMatchObject({ action: `Edited by ${answer.body.data.batch.number}` });
  });

  it('moves a truck to another owner only where a merge is chosen, and never makes a second one', async () => {
    const [one, two] = [await createOwner(api, tenant), await createOwner(api, tenant)];
    const truck = await createTruck(api, tenant, one.id, { truckNumber: 'OD09A1', noOfWheels: 10 });
    const rows = [{ truckNumber: 'OD09A1', ownerName: two.name, noOfWheels: '10' }];
    const checked = await check('trucks', rows);
    expect(checked.rows[0]).toMatchObject({
      differences: [{ field: 'ownerName', stored: one.name, given: two.name }],
      choices: ['merge', 'skip'],
    });
    expectRefusal(await send('trucks', rows, ['new']), 400, 'VALIDATION_ERROR');
    expect((await send('trucks', rows, ['merge'])).body.data).toMatchObject({ created: 0, changed: 1 });
    expect((await truckList()).data).toMatchObject([{ id: truck.id, ownerId: two.id, version: 2 }]);
  });

  it('refuses a truck of somebody else in an owner’s row', async () => {
    const stored = await createOwner(api, tenant);
    await createTruck(api, tenant, stored.id, { truckNumber: 'OD09A1' });
    const { rows } = await check('owners', [
      ownerRow(1, { trucks: 'OD-09-A-1', noOfWheels: '10' }),
      ownerRow(2, { trucks: 'OD09A2', noOfWheels: '10' }),
      ownerRow(3, { trucks: 'OD09A2', noOfWheels: '10' }),
      ownerRow(4, { trucks: 'OD09A4', noOfWheels: '' }),
    ]);
    expect(rows.map(({ errors = [] }) => errors.map(({ message }) => message))).toEqual([
      ['Truck OD-09-A-1 is already in your list'],
      [],
      ['Truck OD09A2 is also in row 2: leave it in the file once'],
      ['Please enter number of wheels'],
    ]);
  });

  it('is done once for its key, and leaves wrong rows out', async () => {
    const rows = [{ name: 'Joda' }, { name: 'X' }];
    const { fingerprint } = await check('tags', rows);
    const first = await apply('tags', rows, [], fingerprint, 'once');
    const again = await apply('tags', rows, [], fingerprint, 'once');
    expect(again.body.data).toEqual(first.body.data);
    expect(await tagList()).toMatchObject([{ name: 'Joda', color: '#3B82F6' }]);
    const batches = await api.call(contract.batches.list, {}, { token: tenant.token });
    expect(batches.body.data).toMatchObject([
      {
        kind: 'import',
        title: '1 tag from tags.csv',
        facts: { file: 'tags.csv', kind: 'tags', wrong: '1', created: '1' },
      },
    ]);
  });

  it('imports nothing when the records are no longer what the check saw', async () => {
    const owner = await createOwner(api, tenant);
    const rows = [
      { truckNumber: 'OD09A1', ownerName: owner.name, noOfWheels: '10' },
      { truckNumber: 'OD09A2', ownerName: owner.name, noOfWheels: '10' },
    ];
    const { fingerprint } = await check('trucks', rows);
    await createTruck(api, tenant, owner.id, { truckNumber: 'OD 09 A 2' });
    const before = await everything();
    expectRefusal(
      await apply('trucks', rows, [], fingerprint),
      409,
      'IMPORT_CHANGED',
      'The records have changed since the file was checked. Nothing was imported: check it again.',
    );
    expect(await everything()).toEqual(before);
  });

  it('creates an owner whose account or IFSC is in doubt only when the row is taken', async () => {
    const rows = [
      ownerRow(1, { accountNo: '12345' }),
      ownerRow(2, { ifsc: 'SBINO001234', trucks: 'OD09W2', noOfWheels: '10' }),
      ownerRow(3, { accountNo: '123456789' }),
    ];
    const checked = await check('owners', rows);
    expect(states(checked.rows)).toEqual(['new', 'new', 'new']);
    expect(checked.rows.map(({ choices }) => choices)).toEqual([['skip', 'new'], ['skip', 'new'], undefined]);
    const { body } = await send('owners', rows);
    expect(body).toMatchObject({ data: { created: 1 } });
    expect((await ownerList()).map(({ owner }) => owner.name)).toEqual(['Imported 3']);
    expect((await truckList()).data).toEqual([]);
    await send('owners', rows, ['new', 'new', 'skip']);
    expect((await ownerList()).map(({ owner }) => [owner.name, owner.accountNo])).toEqual(
      expect.arrayContaining([
        ['Imported 1', '12345'],
        ['Imported 3', '123456789'],
      ]),
    );
    expect((await truckList()).data.map(({ truckNumber }) => truckNumber)).toEqual(['OD09W2']);
  });

  it('of owners with odd accounts, trucks and names stores only what is a value', async () => {
    const table = await rowsOfCase('n1-owners-odd-accounts-trucks-names.csv');
    const rows = mappedRows(table, recognise(table, importFields.owners)).map(
      ({ values }) => values as Record<string, string>,
    );
    const checked = await check('owners', rows);
    const wrong = checked.rows.flatMap(({ state, errors = [] }, index) =>
      state === 'wrong' ? [`${rows[index]?.['name']}: ${errors.map(({ message }) => message).join('; ')}`] : [],
    );
    const noError = 'is an error of the spreadsheet and not a value';
    expect(wrong).toEqual([
      'Account case 3: Account Number 5.01001234567E13 has lost digits: format the column as text',
      'Account case 4: Account Number 50.1E+12 has lost digits: format the column as text',
      'Account case 6: XXXXXXXX6789 is masked: the whole number is needed',
      'Account case 7: Please enter account number',
      'Account case 8: ######## is shown by a column that is too narrow: copy the value itself',
      `Truck case 6: #VALUE! ${noError}`,
      `#N/A: #N/A ${noError}; #REF! ${noError}`,
      `Total: #REF! ${noError}; Please enter owner name`,
      `0: #REF! ${noError}; Please enter owner name`,
    ]);
    // These wait because of their IFSC with the letter O, and some because of their account.
    expect(checked.rows.flatMap(({ choices }, index) => (choices ? [rows[index]?.['name']] : []))).toEqual(
      [1, 2, 5, 9, 10, 11].map((number) => `Account case ${number}`),
    );
    const taken = checked.rows.map(({ choices }): ImportChoice => (choices ? 'new' : 'skip'));
    await send('owners', rows, taken);
    const accounts = (await ownerList()).map(({ owner }) => [owner.name, owner.accountNo]);
    expect(Object.fromEntries(accounts)).toEqual({
      'Account case 1': '50100123456789',
      'Account case 2': '50100123456789',
      'Account case 5': '0050100123456789',
      'Account case 9': '50100123456789',
      'Account case 10': '5O1OO123456789',
      'Account case 11': '50100123456',
      ...Object.fromEntries([0, 1, 2, 3, 4, 6].map((digit) => [`Truck case ${digit + 1}`, `601001100000${digit}`])),
    });
    expect((await truckList()).data.map(({ truckNumber }) => truckNumber).toSorted()).toEqual([
      'OD-09-ZZ-0015',
      'OD.09.ZZ.0013',
      'OD/09/ZZ/0014',
      'OD09ZZ0026',
      'OD09ZZ0027',
    ]);
  });

  it('lets the trucks of later rows wait with their owner, and loses none that is taken', async () => {
    const inDoubt = ownerRow(1, { accountNo: '12345', noOfWheels: '10' });
    const rows = [
      { ...inDoubt, trucks: 'OD09W1' },
      { ...inDoubt, trucks: 'OD09W2' },
      { ...inDoubt, trucks: 'OD09W3', accountNo: '123456789' },
      { ...inDoubt, trucks: 'OD09W4' },
    ];
    const checked = await check('owners', rows);
    expect(checked.rows.map(({ state, choices }) => [state, choices])).toEqual([
      ['new', ['skip', 'new']],
      ['new', ['skip', 'new']],
      ['differs', ['merge', 'skip', 'new']],
      ['new', ['skip', 'new']],
    ]);
    // Without the first row, the next one that is taken is the owner.
    await send('owners', rows, ['skip', 'new', 'merge', 'skip']);
    expect((await ownerList()).map(({ owner }) => owner.name)).toEqual(['Imported 1']);
    expect((await truckList()).data.map(({ truckNumber }) => truckNumber).toSorted()).toEqual(['OD09W2', 'OD09W3']);
  });

  it('imports nothing when an account number was changed that it would overwrite, with the same counts', async () => {
    const owner = await createOwner(api, tenant, { panNo: pan(1), accountNo: '00011' });
    const { name, contactNumber, panNo, branchName } = owner;
    const rows = [{ name, contactNumber, panNo, branchName, accountNo: '00022' }];
    const { counts, fingerprint } = await check('owners', rows);
    const changed = { params: { id: owner.id }, body: { ...buildOwner(), name, panNo, accountNo: '00033' } };
    expect((await api.call(contract.owners.update, changed, { token: tenant.token })).status).toBe(200);
    expect((await check('owners', rows)).counts).toEqual(counts);
    const before = await everything();
    expectRefusal(await apply('owners', rows, ['merge'], fingerprint), 409, 'IMPORT_CHANGED');
    expect(await everything()).toEqual(before);
  });

  it('writes only what differs, and no version for a value that is only written otherwise', async () => {
    const owner = await createOwner(api, tenant);
    const truck = await createTruck(api, tenant, owner.id, { truckNumber: 'OD 09 A 1', noOfWheels: 10 });
    const tag = await createTag(api, tenant, { name: 'Joda', color: '#aabbcc', description: 'Mines' });
    await send('trucks', [{ truckNumber: 'od-09-a-1', ownerName: owner.name, noOfWheels: '12' }], ['merge']);
    expect((await truckList()).data).toMatchObject([{ truckNumber: truck.truckNumber, noOfWheels: 12 }]);
    await send('tags', [{ name: 'Joda', color: '#AABBCC', description: 'Iron ore' }], ['merge']);
    expect(await tagList()).toMatchObject([{ color: '#aabbcc', description: 'Iron ore' }]);
    const history = await api.call(contract.history.listTag, { params: { id: tag.id } }, { token: tenant.token });
    expect(history.body.data[0]?.changes).toHaveLength(1);
  });

  it('and the delete of an owner that it names cannot both succeed', async () => {
    const owner = await createOwner(api, tenant);
    const rows = [{ truckNumber: 'OD09A1', ownerName: owner.name, noOfWheels: '10' }];
    const { fingerprint } = await check('trucks', rows);
    const [imported, removed] = await Promise.all([
      apply('trucks', rows, [], fingerprint),
      api.call(contract.owners.remove, { params: { id: owner.id } }, { token: tenant.token }),
    ]);
    expect(removed.status).toBe(200);
    const { data } = await truckList();
    // The delete takes the truck with the owner, or the import finds no owner.
    expect(data).toEqual([]);
    expect([201, 409]).toContain(imported.status);
  });

  it('sees nothing of another business', async () => {
    const other = await api.addTenant();
    const theirs = await createOwner(api, other, { panNo: pan(1) });
    await createTruck(api, other, theirs.id, { truckNumber: 'OD09A1' });
    const before = await everything(other);
    const { name, contactNumber, accountNo, panNo, branchName } = theirs;
    const rows = [{ name, contactNumber, accountNo, panNo, branchName, trucks: 'OD09A1', noOfWheels: '10' }];
    expect(states((await check('owners', rows)).rows)).toEqual(['new']);
    expect((await send('owners', rows)).status).toBe(201);
    expect(await everything(other)).toEqual(before);
  });

  it('takes back what another import changed and whose undo set back, as if it had not been changed', async () => {
    const undo = async (id: string) =>
      (await api.call(contract.batches.undo, { params: { id } }, { token: tenant.token })).body.data;
    const stored = async () =>
      (await ownerList()).map(({ owner: { version: _version, updatedAt: _at, ...owner }, trucks }) => [
        owner,
        trucks.map(({ truckNumber, noOfWheels }) => [truckNumber, noOfWheels]),
      ]);
    const twelve = Array.from({ length: 12 }, (_, n) => n + 1);
    const rowsOf = (over: Record<string, string>, more: (n: number) => Record<string, string> = () => ({})) =>
      twelve.map((n) => ownerRow(n, { ...over, ...more(n) }));
    const trucksOf = (n: number) => ({ trucks: `OD09A${n}`, noOfWheels: '10' });
    const merged = async (rows: readonly Record<string, string>[]) => {
      const answer = await send(
        'owners',
        rows,
        rows.map(() => 'merge' as const),
      );
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data.batch.id;
    };

    const before = await stored();
    const first = await merged(rowsOf({}, trucksOf));
    const made = await stored();
    const second = await merged(rowsOf({ branchName: 'Koira' }));
    const third = await merged(rowsOf({ branchName: 'Joda' }));
    expect(await undo(third)).toMatchObject({ undone: 12, left: [] });
    expect(await undo(second)).toMatchObject({ undone: 12, left: [] });
    expect(await stored()).toEqual(made);
    const ids = (await ownerList()).slice(0, 2).map(({ owner }) => owner.id);
    const asked = { ids, act: { kind: 'delete' as const } };
    const { fingerprint } = (await api.call(contract.owners.previewMany, { body: asked }, { token: tenant.token })).body
      .data;
    const deleted = await api.call(
      contract.owners.changeMany,
      { body: { ...asked, expected: { fingerprint } } },
      { token: tenant.token },
    );
    expect(deleted.status, deleted.text).toBe(200);
    expect(await undo(deleted.body.data.batch!.id)).toMatchObject({ left: [] });
    expect(await stored()).toEqual(made);
    expect(await undo(first)).toMatchObject({ undone: 24, left: [] });
    expect(await stored()).toEqual(before);
  });

  it('leaves what somebody changed between an import and the undo of a later one', async () => {
    const undo = async (id: string) =>
      (await api.call(contract.batches.undo, { params: { id } }, { token: tenant.token })).body.data;
    const first = (await send('owners', [ownerRow(1), ownerRow(2)])).body.data.batch.id;
    const [one] = await ownerList();
    const changed = { params: { id: one!.owner.id }, body: { address: 'Koira' } };
    expect((await api.call(contract.owners.update, changed, { token: tenant.token })).status).toBe(200);
    const rows = [ownerRow(1, { branchName: 'Joda' }), ownerRow(2, { branchName: 'Joda' })];
    const second = (await send('owners', rows, ['merge', 'merge'])).body.data.batch.id;
    expect(await undo(second)).toMatchObject({ undone: 2, left: [] });
    expect(await undo(first)).toMatchObject({
      undone: 1,
      left: [{ id: one!.owner.id, reason: 'It was changed since.' }],
    });
  });

  it('takes back only what nobody uses', async () => {
    const answer = await send('owners', [ownerRow(1), ownerRow(2)]);
    const [first] = await ownerList();
    const tag = await createTag(api, tenant);
    await createChallan(api, tenant, { ownerId: first!.owner.id, tagId: tag.id }, { ownerName: first!.owner.name });
    const undone = await api.call(
      contract.batches.undo,
      { params: { id: answer.body.data.batch.id } },
      { token: tenant.token },
    );
    expect(undone.body.data).toMatchObject({ undone: 1, left: [{ record: 'owner', name: 'Imported 1' }] });
  });
});

it('has a template of each kind with the headings that it knows', async () => {
  for (const kind of importKinds) {
    const answer = await api.call(contract.imports.template, { query: { kind } }, { token: tenant.token });
    expect(answer.headers['content-disposition']).toContain(`${kind}-template.xlsx`);
    const book = read(answer.bytes);
    const rows = utils.sheet_to_json(book.Sheets[book.SheetNames[0] ?? ''] ?? {}, { header: 1 });
    expect(rows).toEqual([importFields[kind].map(({ label }) => label)]);
  }
});

describe('the sample', () => {
  it('is one batch of marked records, loaded once, and taken out in one act', async () => {
    const add = () => api.call(contract.imports.addSample, {}, { token: tenant.token });
    const before = await everything();
    const answer = await add();
    expect(answer.status).toBe(201);
    const list = await ownerList();
    expect(list.map(({ owner }) => owner.name.endsWith('(sample)'))).toEqual([true, true, true]);
    const challans = await api.call(contract.challans.list, { query: { limit: 100 } }, { token: tenant.token });
    expect(challans.body.data).toHaveLength(6);
    expectRefusal(
      await add(),
      400,
      'VALIDATION_ERROR',
      'The sample data is there already. Take it out before you load it again.',
    );
    const { id } = answer.body.data.batch;
    const undone = await api.call(contract.batches.undo, { params: { id } }, { token: tenant.token });
    expect(undone.body.data).toMatchObject({ undone: 16, left: [] });
    expect(await ownerList()).toEqual([]);
    expect((await truckList()).data).toEqual([]);
    expect(await tagList()).toEqual([]);
    expect(before.flat()).toEqual([]);
    expect((await add()).status).toBe(201);
  });

  it('whose records were all deleted by hand is undone, and can be loaded again', async () => {
    const as = { token: tenant.token };
    const add = () => api.call(contract.imports.addSample, {}, as);
    const { id } = (await add()).body.data.batch;
    const body = { selection: { by: 'filter' as const, filters: {} }, act: { kind: 'delete' as const } };
    await api.call(contract.challans.changeMany, { body }, as);
    const owners = (await ownerList()).map(({ owner }) => owner.id);
    const tags = (await tagList()).map((tag) => tag.id);
    const pumps = (await api.call(contract.petrolPumps.list, {}, as)).body.data.map((pump) => pump.id);
    const act = { kind: 'delete' as const };
    await api.call(contract.owners.changeMany, { body: { ids: owners, act } }, as);
    await api.call(contract.tags.changeMany, { body: { ids: tags, act } }, as);
    await api.call(contract.petrolPumps.changeMany, { body: { ids: pumps, act } }, as);

    const undone = (await api.call(contract.batches.undo, { params: { id } }, as)).body.data;
    expect(undone).toMatchObject({ undone: 0, leftCount: 0, undoneCount: 0, undoneBy: tenant.email });
    expect(batchState(undone)).toEqual({ label: 'Undone', tone: 'neutral' });
    expect((await add()).status).toBe(201);
  });
});

describe('a large import', () => {
  const trucks = (count: number, ownerName: string, wrong: number): Record<string, string>[] =>
    Array.from({ length: count }, (_, n) => ({
      truckNumber: `OD ${10 + (n % 80)} T ${n}`,
      ownerName,
      noOfWheels: n < wrong ? 'many' : '12',
      typeOfVehicle: 'Tipper',
    }));

  it('of 5,000 trucks leaves out the 200 that are wrong', async () => {
    const owner = await createOwner(api, tenant);
    const rows = trucks(5_000, owner.name, 200);
    const started = performance.now();
    const { counts, fingerprint } = await check('trucks', rows);
    const checked = performance.now();
    expect(counts).toEqual({ new: 4_800, same: 0, differs: 0, wrong: 200 });
    const answer = await apply('trucks', rows, [], fingerprint);
    const applied = performance.now();
    expect(answer.body.data).toMatchObject({ created: 4_800, changed: 0 });
    expect((await truckList()).pagination.totalCount).toBe(4_800);
    expect(applied - started).toBeLessThan(60_000);
    if (process.env.TEST_TIMES) process.stdout.write(`checked ${checked - started}, applied ${applied - checked}\n`);
    expect((await check('trucks', rows)).counts).toEqual({ new: 0, same: 4_800, differs: 0, wrong: 200 });
  });

  it('that is cancelled leaves nothing and frees its connection', async () => {
    const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const owner = await createOwner(api, tenant);
    const rows = trucks(2_000, owner.name, 0);
    const { fingerprint } = await check('trucks', rows);
    const before = await everything();
    const control = new AbortController();
    // It has written its trucks when it waits for the number of its batch.
    const year = financialYear(new Date());
    const counter = 'INSERT INTO counters (subadmin_id, name, value) VALUES ($1, $2, 0)';
    await holding(api, counter, [tenant.id, `import-${year}`], async () => {
      const sent = fetch(`${address}/api${contract.imports.apply.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...bodyOf('trucks', rows), choices: [], expected: { fingerprint } }),
        signal: control.signal,
      });
      const ended = sent.catch((error: Error) => error.name);
      await untilWaiting(api);
      control.abort();
      expect(await ended).toBe('AbortError');
    });
    expect(await everything()).toEqual(before);
    expect((await apply('trucks', rows, [], fingerprint)).status).toBe(201);
  });
});
