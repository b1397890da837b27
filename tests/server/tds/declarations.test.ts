import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { taxPeriod, quarters } from '../../../src/shared/calc/financial-year.ts';
import { compare, sum } from '../../../src/shared/calc/money.ts';
import { shippedDeclarationRules } from '../../../src/shared/contract/declarations.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import {
  buildChallan,
  buildDeclaration,
  buildTdsSettings,
  createChallan,
  createDeclaration,
  createOwner,
  createTag,
  createTruck,
} from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { holding, untilWaiting } from '../support/holding.ts';
import { assertLedger, assertTotals } from '../support/ledger.ts';
import { pdfText } from '../support/pdf-text.ts';
import { randomOf } from '../support/random.ts';

/** Declarations of no deduction (docs/specification.md §27.7). */
const { challans, declarations, tds, batches, imports, owners, bankStatement } = contract;
const belowRange = 'TDS percentage must be greater than 0';
const panNo = 'BNZPM0001Q';

let api: Api;
let tenant: Tenant;
let refs: { ownerId: string; tagId: string };
const as = () => ({ token: tenant.token });

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.addTenant();
  refs = {
    ownerId: (await createOwner(api, tenant, { panNo })).id,
    tagId: (await createTag(api, tenant)).id,
  };
});

type Over = Partial<BodyInput<typeof challans.create>>;
const on = (day: string, tdsPercentage = '0'): Over => ({
  loadingDate: day,
  unloadingDate: day,
  depositedAt: day,
  tdsPercentage,
});
const create = (over: Over) => api.call(challans.create, { body: buildChallan(refs, over) }, as());
const read = async (id: string) => (await api.call(challans.get, { params: { id } }, as())).body.data;
const change = (id: string, body: BodyInput<typeof challans.update>) =>
  api.call(challans.update, { params: { id }, body }, as());
const withdraw = (id: string, withdrawnOn: string) =>
  api.call(declarations.update, { params: { id }, body: { withdrawnOn } }, as());

describe('a challan of an owner with a declaration', () => {
  it('has 0 and nothing else from the day it was received until 31 March', async () => {
    const { id, validUntil } = await createDeclaration(api, tenant, refs.ownerId);
    expect(validUntil).toBe('2027-03-31');
    for (const day of ['2026-04-04', '2027-03-31']) {
      const { status, body } = await create(on(day));
      expect([status, body.data.tdsPercentage, body.data.tdsAmount, body.data.tdsDeclaration]).toEqual([
        201,
        '0.0',
        '0.00',
        { id, name: '2026-04-04' },
      ]);
      expectRefusal(
        await create(on(day, '1.0')),
        400,
        'VALIDATION_ERROR',
        'TDS percentage is 0 while a declaration of the owner is valid',
      );
    }
    for (const day of ['2026-04-03', '2027-04-01']) {
      const refused = await create(on(day));
      expectRefusal(refused, 400, 'VALIDATION_ERROR', belowRange);
      expect(refused.error.fields).toEqual({ tdsPercentage: belowRange });
      expect((await create(on(day, '1.0'))).body.data.tdsDeclaration).toBeNull();
    }
  });

  it('counts by the deposited day, and one without by its loading day', async () => {
    await createDeclaration(api, tenant, refs.ownerId, { receivedOn: '2026-05-10' });
    const late = { ...on('2026-05-09'), depositedAt: '2026-05-10' };
    const { data: challan } = (await create(late)).body;
    expect(challan.tdsPercentage).toBe('0.0');
    await api.inTenant(tenant, (db) =>
      db.query('UPDATE challans SET deposited_at = NULL WHERE subadmin_id = $1', [tenant.id]),
    );
    expectRefusal(await change(challan.id, { loadingDate: '2026-05-08' }), 400, 'VALIDATION_ERROR', belowRange);
    expect((await change(challan.id, { unloadingDate: '2026-05-11', loadingDate: '2026-05-11' })).status).toBe(200);
  });

  it('is refused for everybody else in the specified words, also for an owner of another business', async () => {
    await createDeclaration(api, tenant, refs.ownerId);
    const other = await createOwner(api, tenant);
    expectRefusal(
      await create({ ...on('2026-06-01'), ownerId: other.id, ownerName: other.name }),
      400,
      'VALIDATION_ERROR',
      belowRange,
    );
    expectRefusal(await create(on('2026-06-01', '0.05')), 400, 'VALIDATION_ERROR', belowRange);
  });

  it('moves under a declaration with its day, to the paisa, and not out of it without a percentage', async () => {
    const { id: declared } = await createDeclaration(api, tenant, refs.ownerId, { receivedOn: '2026-05-10' });
    const before = await createChallan(api, tenant, refs, on('2026-05-01', '1.0'));
    const moved = (await change(before.id, { depositedAt: '2026-05-12' })).body.data;
    expect([moved.tdsPercentage, moved.tdsAmount, moved.tdsDeclaration?.id]).toEqual(['0.0', '0.00', declared]);
    // 1 % of 24.90 MT at 1,000.00.
    expect(compare(moved.netAmountPayable, sum([before.netAmountPayable, '249.00']))).toBe(0);
    expectRefusal(await change(before.id, { depositedAt: '2026-05-02' }), 400, 'VALIDATION_ERROR', belowRange);
    const back = (await change(before.id, { depositedAt: '2026-05-02', tdsPercentage: '2.0' })).body.data;
    expect([back.tdsPercentage, back.tdsDeclaration]).toEqual(['2.0', null]);
  });

  it('keeps its figures when the declaration is withdrawn, entered later, or when it is paid', async () => {
    const { id } = await createDeclaration(api, tenant, refs.ownerId, { receivedOn: '2026-05-10' });
    const nil = await createChallan(api, tenant, refs, on('2026-06-01'));
    const paid = await createChallan(api, tenant, refs, on('2026-05-01', '1.0'));
    await change(paid.id, { paymentStatus: true });
    expect((await withdraw(id, '2026-05-20')).status).toBe(200);
    expect((await change(nil.id, { remarks: 'Kept' })).body.data).toMatchObject({
      tdsPercentage: '0.0',
      netAmountPayable: nil.netAmountPayable,
    });
    expectRefusal(await create(on('2026-05-20')), 400, 'VALIDATION_ERROR', belowRange);
    expect((await create(on('2026-05-19'))).status).toBe(201);
    const kept = (await change(paid.id, { depositedAt: '2026-05-15' })).body.data;
    expect([kept.tdsPercentage, kept.netAmountPayable]).toEqual(['1.0', paid.netAmountPayable]);
  });

  it('is refused by the database itself without a declaration, or with that of another owner', async () => {
    const { id } = await createDeclaration(api, tenant, refs.ownerId);
    const other = await createOwner(api, tenant);
    const theirs = await createChallan(api, tenant, { ...refs, ownerId: other.id }, on('2026-06-01', '1.0'));
    const zero = (declaration: string | null) =>
      api.inTenant(tenant, (db) =>
        db.query(
          `UPDATE challans SET tds_percentage = 0, tds_declaration_id = $3, net_amount_payable = net_amount_payable + tds_amount,
             tds_amount = 0 WHERE subadmin_id = $1 AND id = $2`,
          [tenant.id, theirs.id, declaration],
        ),
      );
    await expect(zero(null)).rejects.toThrow(/challan_tds_declared/);
    await expect(zero(id)).rejects.toThrow(/foreign key/);
  });
});

describe('challans that differ from the declarations', () => {
  const act = { kind: 'declared' as const };
  const selection = { by: 'filter' as const, filters: { tdsDeclared: true } };
  const numbersOf = async (tdsDeclared: 'over' | 'under') =>
    (await api.call(challans.list, { query: { tdsDeclared, limit: 100 } }, as())).body.data.map(({ id }) => id).sort();

  it('are one list in both directions; one act corrects what is unpaid, says the net, and is undone', async () => {
    const early = await createChallan(api, tenant, refs, on('2026-04-03', '1.0'));
    const unpaid = await createChallan(api, tenant, refs, on('2026-06-01', '1.0'));
    const paid = await createChallan(api, tenant, refs, on('2026-06-02', '1.0'));
    await change(paid.id, { paymentStatus: true });
    const { id } = await createDeclaration(api, tenant, refs.ownerId);
    expect(await numbersOf('over')).toEqual([unpaid.id, paid.id].sort());
    const { data: preview } = (await api.call(challans.previewMany, { body: { selection, act } }, as())).body;
    expect(preview).toMatchObject({
      count: 2,
      changedCount: 1,
      netChange: '249.00',
      refused: [
        {
          reason: 'It is paid, and its TDS stays as it was deducted',
          count: 1,
          challanNumbers: [paid.challanNumber],
        },
      ],
    });
    const { count, totalAmount, fingerprint } = preview;
    const done = await api.call(
      challans.changeMany,
      { body: { selection, act, expected: { count, totalAmount, fingerprint } } },
      as(),
    );
    expect(done.body.data).toMatchObject({ changedCount: 1, netChange: '249.00', refused: [{ count: 1 }] });
    expect(await read(unpaid.id)).toMatchObject({ tdsPercentage: '0.0', tdsAmount: '0.00', tdsDeclaration: { id } });
    expect([await read(paid.id), await read(early.id)]).toMatchObject([
      { tdsPercentage: '1.0' },
      { tdsPercentage: '1.0' },
    ]);
    // One that no declaration covers is named and left.
    const others = { by: 'ids' as const, challanIds: [early.id, unpaid.id] };
    const { data: left } = (await api.call(challans.previewMany, { body: { selection: others, act } }, as())).body;
    expect(left).toMatchObject({ changedCount: 0, sameCount: 1, refused: [{ count: 1 }] });

    await withdraw(id, '2026-05-01');
    expect([await numbersOf('over'), await numbersOf('under')]).toEqual([[], [unpaid.id]]);
    const undone = await api.call(batches.undo, { params: { id: done.body.data.batch?.id ?? '' } }, as());
    expect(undone.body.data.undone).toBe(1);
    expect(await read(unpaid.id)).toMatchObject({
      tdsPercentage: '1.0',
      tdsAmount: '249.00',
      tdsDeclaration: null,
      netAmountPayable: unpaid.netAmountPayable,
    });
    await api.inTenant(tenant, async (db) => {
      await assertLedger(db);
      await assertTotals(db);
    });
  });

  it('are not made by a change of many: a new deposited day brings the 0, or the challan is named and left', async () => {
    await createDeclaration(api, tenant, refs.ownerId, { receivedOn: '2026-05-10' });
    const before = await createChallan(api, tenant, refs, on('2026-05-01', '1.0'));
    const nil = await createChallan(api, tenant, refs, { ...on('2026-05-01'), depositedAt: '2026-05-11' });
    const set = (depositedAt: string) =>
      api.call(
        challans.changeMany,
        {
          body: {
            selection: { by: 'ids', challanIds: [before.id, nil.id] },
            act: { kind: 'set', values: { depositedAt } },
          },
        },
        as(),
      );
    expect((await set('2026-05-12')).body.data).toMatchObject({ changedCount: 2, netChange: '249.00' });
    expect((await read(before.id)).tdsPercentage).toBe('0.0');
    expect((await set('2026-05-02')).body.data.refused).toMatchObject([{ reason: belowRange, count: 2 }]);
  });
});

describe('the register of declarations', () => {
  it('says what does not fit, refuses a second one of a year and a wrong day, and shows the owner’s state', async () => {
    const twin = await createOwner(api, tenant, { panNo });
    for (const ownerId of [refs.ownerId, twin.id, twin.id]) await createTruck(api, tenant, ownerId);
    const made = await createDeclaration(api, tenant, refs.ownerId, { carriages: 2, panNo: 'ABCPD1234E' });
    expect(made).toMatchObject({ truckCount: 1, owner: { panNo }, mostCarriages: 10 });
    const { data: same } = (await api.call(declarations.update, { params: { id: made.id }, body: { panNo } }, as()))
      .body;
    expect(same.truckCount).toBe(3);
    const again = await api.call(
      declarations.create,
      { body: buildDeclaration(refs.ownerId, { receivedOn: '2026-09-01' }) },
      as(),
    );
    expectRefusal(again, 409, 'DECLARATION_EXISTS');
    const wrong = { receivedOn: '2026-09-01', validUntil: '2026-08-31' };
    expectRefusal(
      await api.call(declarations.create, { body: buildDeclaration(twin.id, wrong) }, as()),
      400,
      'VALIDATION_ERROR',
      'It cannot end before the day it was received',
    );
    expectRefusal(await withdraw(made.id, '2026-04-03'), 400, 'VALIDATION_ERROR');
    // In March for the year that begins in April: it is valid from then on.
    const next = await createDeclaration(api, tenant, refs.ownerId, {
      receivedOn: '2027-03-20',
      validUntil: '2028-03-31',
    });
    expect([next.validFrom, next.validTo]).toEqual(['2027-04-01', '2028-03-31']);
    await withdraw(made.id, '2026-09-01');
    expect((await createDeclaration(api, tenant, refs.ownerId, { receivedOn: '2026-09-01' })).validFrom).toBe(
      '2026-09-01',
    );
    const today = dayOf(new Date());
    await createDeclaration(api, tenant, twin.id, { receivedOn: addDays(today, -9), validUntil: addDays(today, 5) });
    const rows = (await api.call(owners.list, { query: { limit: 10 } }, as())).body.data;
    expect(rows.find(({ owner }) => owner.id === twin.id)?.declaration?.state).toBe('lapsing');
  });

  it('deletes only what no challan rests on', async () => {
    const { id } = await createDeclaration(api, tenant, refs.ownerId);
    const { id: challanId } = await createChallan(api, tenant, refs, on('2026-06-01'));
    const remove = () => api.call(declarations.remove, { params: { id } }, as());
    expectRefusal(await remove(), 409, 'DECLARATION_IN_USE');
    await api.call(challans.remove, { params: { id: challanId } }, as());
    expect((await remove()).status).toBe(200);
    expectRefusal(await create(on('2026-06-01')), 400, 'VALIDATION_ERROR', belowRange);
  });

  it('prints the wording of the business; what the numbers rest on is a setting with day and source', async () => {
    const settings = async () => (await api.call(tds.getSettings, {}, as())).body.data;
    expect((await settings()).declarations).toEqual({ ...shippedDeclarationRules, isShipped: true });
    const form = async () =>
      pdfText(
        await api.callRaw('GET', '/api/declarations/form', { token: tenant.token }).then(({ bytes }) => bytes),
      ).join(' ');
    expect(await form()).toMatch(/goods carriages, and at no time in this year more than 10\./);
    const rules = { ...shippedDeclarationRules, mostCarriages: 7, wording: 'Mine for {year}, at most {carriages}.' };
    const body = buildTdsSettings({ declarations: rules });
    expect((await api.call(tds.updateSettings, { body }, as())).status).toBe(200);
    expect((await settings()).declarations).toEqual({ ...rules, isShipped: false });
    // A caller that does not know them leaves them as they are.
    await api.call(tds.updateSettings, { body: buildTdsSettings({ version: 1 }) }, as());
    expect((await settings()).declarations).toEqual({ ...rules, isShipped: false });
    expect(await form()).toMatch(/Mine for 20\d\d-\d\d, at most 7\./);
    expect((await createDeclaration(api, tenant, refs.ownerId)).mostCarriages).toBe(7);
  });

  it('is imported: the same file twice changes nothing, and the undo leaves what challans rest on', async () => {
    const other = await createOwner(api, tenant, { panNo: 'ABCPD1234E' });
    const fields = ['ownerPan', 'receivedOn', 'carriages', 'withdrawnOn'];
    const table = (rows: string[][]) => ({
      kind: 'declarations' as const,
      file: { name: 'declared.xlsx', sha256: null },
      fields,
      rows,
    });
    const check = async (rows: string[][]) => (await api.call(imports.check, { body: table(rows) }, as())).body.data;
    const apply = async (rows: string[][], choice: 'merge' | 'skip' = 'skip') => {
      const expected = { fingerprint: (await check(rows)).fingerprint };
      return api.call(imports.apply, { body: { ...table(rows), choices: rows.map(() => choice), expected } }, as());
    };
    const rows = [
      [panNo, '04/04/2026', '4', ''],
      ['ABCPD1234E', '5-4-26', '2', ''],
      [panNo, '04/04/2026', 'many', ''],
      [panNo, '01/05/2026', '5', ''],
    ];
    const checked = (await check(rows)).rows;
    expect(checked.map(({ state }) => state)).toEqual(['new', 'new', 'wrong', 'wrong']);
    const done = await apply(rows);
    expect([done.status, done.body.data.created]).toEqual([201, 2]);
    expect((await check(rows.slice(0, 2))).rows.map(({ state }) => state)).toEqual(['same', 'same']);
    const differing = [[panNo, '04/04/2026', '4', '01/09/2026']];
    expect((await check(differing)).rows[0]).toMatchObject({ state: 'differs', choices: ['merge', 'skip'] });
    const merged = await apply(differing, 'merge');
    expect([merged.status, merged.body.data.changed]).toEqual([201, 1]);
    expectRefusal(await create(on('2026-09-01')), 400, 'VALIDATION_ERROR', belowRange);
    await api.call(batches.undo, { params: { id: merged.body.data.batch.id } }, as());
    expect((await create(on('2026-09-01'))).status).toBe(201);
    const undone = (await api.call(batches.undo, { params: { id: done.body.data.batch.id } }, as())).body.data;
    expect([undone.undone, undone.left]).toMatchObject([
      1,
      [{ record: 'declaration', reason: '1 challan of the owner rests on it. Withdraw the declaration instead.' }],
    ]);
    expect((await api.call(declarations.ofOwner, { params: { id: other.id } }, as())).body.data).toEqual([]);
  });

  it('keeps its PAN where an imported row has none, and takes that of the owner where it is new', async () => {
    const other = await createOwner(api, tenant, { panNo: 'ABCPD1234E' });
    const table = {
      kind: 'declarations' as const,
      file: { name: 'declared.xlsx', sha256: null },
      fields: ['ownerPan', 'receivedOn', 'carriages', 'panNo'],
      rows: [['ABCPD1234E', '05/04/2026', '2', '']],
    };
    const check = async () => (await api.call(imports.check, { body: table }, as())).body.data;
    const expected = { fingerprint: (await check()).fingerprint };
    await api.call(imports.apply, { body: { ...table, choices: ['skip'], expected } }, as());
    const [made] = (await api.call(declarations.ofOwner, { params: { id: other.id } }, as())).body.data;
    const params = { id: made?.id ?? '' };
    expect((await api.call(declarations.get, { params }, as())).body.data.panNo).toBe('ABCPD1234E');
    await api.call(declarations.update, { params, body: { panNo: 'ABCPD9999E' } }, as());
    expect((await check()).rows).toEqual([expect.objectContaining({ state: 'same' })]);
  });

  it('fills in an imported past challan whose percentage is empty', async () => {
    await createDeclaration(api, tenant, refs.ownerId);
    const name = (await api.call(owners.get, { params: { id: refs.ownerId } }, as())).body.data.name;
    const tag = (await api.call(contract.tags.get, { params: { id: refs.tagId } }, as())).body.data.name;
    const texts = {
      tpNo: 'PAST-1',
      loadingDate: '02/05/2026',
      unloadingDate: '02/05/2026',
      depositedAt: '02/05/2026',
      vehicleNo: 'OD09ZZ0001',
      material: 'Coal',
      ownerName: name,
      ownerContactNumber: '9876543210',
      tag,
      loadingPlace: 'Joda',
      unloadingPlace: 'Paradip',
      loadingWeight: '20',
      unloadingWeight: '20',
      ratePerMT: '100',
      tdsPercentage: '',
    };
    const table = (tdsPercentage: string) => ({
      kind: 'challans' as const,
      file: { name: 'past.xlsx', sha256: null },
      fields: Object.keys(texts),
      rows: [Object.values({ ...texts, tdsPercentage })],
    });
    const check = async (percentage: string) =>
      (await api.call(imports.check, { body: table(percentage) }, as())).body.data;
    expect((await check('1')).rows[0]?.errors).toEqual([
      { field: 'tdsPercentage', message: 'TDS percentage is 0 while a declaration of the owner is valid' },
    ]);
    const { fingerprint, rows } = await check('');
    expect(rows[0]?.state).toBe('new');
    const body = { ...table(''), choices: ['skip' as const], expected: { fingerprint } };
    expect((await api.call(imports.apply, { body }, as())).status).toBe(201);
    const [challan] = (await api.call(challans.list, { query: { tpNo: 'PAST-1' } }, as())).body.data;
    expect([challan?.tdsPercentage, challan?.tdsDeclaration?.name]).toEqual(['0.0', '2026-04-04']);
  });
});

describe('a declaration that is withdrawn while challans are saved', () => {
  it('waits for whoever is saving, and whoever saves waits for it and sees it', async () => {
    const { id } = await createDeclaration(api, tenant, refs.ownerId);
    const saver = 'SELECT FROM owners WHERE subadmin_id = $1 AND id = $2 FOR KEY SHARE';
    await holding(api, saver, [tenant.id, refs.ownerId], async (release) => {
      const withdrawing = withdraw(id, '2026-09-01');
      await untilWaiting(api);
      await release();
      expect((await withdrawing).status).toBe(200);
    });
    const withdrawer = `WITH held AS MATERIALIZED (
        SELECT id FROM owners WHERE subadmin_id = $1 AND id = $2 FOR UPDATE)
      UPDATE declarations SET withdrawn_on = '2026-05-01' WHERE subadmin_id = $1 AND owner_id IN (SELECT id FROM held)`;
    await holding(api, withdrawer, [tenant.id, refs.ownerId], async (release) => {
      const saving = create(on('2026-06-01'));
      await untilWaiting(api);
      await release();
      expectRefusal(await saving, 400, 'VALIDATION_ERROR', belowRange);
    });
  });

  it('either covers all rows of a sheet or none, whoever is first', async () => {
    const row = (key: string) => ({ key, ...buildChallan(refs, { ...on('2026-06-01'), tpNo: `RACE-${key}` }) });
    for (let round = 0; round < long(20); round += 1) {
      const { id } = await createDeclaration(api, tenant, refs.ownerId);
      const rows = Array.from({ length: 30 }, (_, n) => row(`${round}-${n}`));
      const saving = api.call(challans.createMany, { body: { rows, mode: 'valid' } }, as());
      if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, round % 10));
      const [saved, withdrawn] = await Promise.all([saving, withdraw(id, '2026-04-10')]);
      expect(withdrawn.status).toBe(200);
      const made = saved.status === 201 ? saved.body.data.created.length : 0;
      expect([0, 30]).toContain(made);
      if (made === 0) expectRefusal(saved, 400, 'ROWS_REFUSED');
      // Whoever saves afterwards is refused.
      expectRefusal(await create(on('2026-06-01')), 400, 'VALIDATION_ERROR', belowRange);
      const { rows: resting } = await api.inTenant(tenant, (db) =>
        db.query<{ n: string }>(
          `SELECT count(*)::text AS n FROM challans WHERE subadmin_id = $1 AND tds_declaration_id = $2`,
          [tenant.id, id],
        ),
      );
      expect(resting[0]?.n).toBe(String(made));
    }
  });
});

describe('random histories', () => {
  it(
    'deduct from no challan wrongly, and the register has every nil row',
    { timeout: longLimit(120_000) },
    async () => {
      const random = randomOf(testSeed('declarations'));
      const people = [refs.ownerId];
      for (let n = 0; n < 3; n += 1) people.push((await createOwner(api, tenant)).id);
      /** What plain code knows of the declarations. */
      const known: { id: string; ownerId: string; from: string; until: string; withdrawnOn: string | null }[] = [];
      const isValid = (ownerId: string, day: string): boolean =>
        known.some(
          (one) =>
            one.ownerId === ownerId &&
            one.from <= day &&
            day <= one.until &&
            (one.withdrawnOn === null || day < one.withdrawnOn),
        );
      const anyDay = (): string => addDays('2026-03-20', random.below(390));
      const made: { id: string; ownerId: string; day: string; isNil: boolean; isPaid: boolean }[] = [];
      let wrong = 0;
      for (let step = 0; step < long(250); step += 1) {
        const ownerId = random.pick(people);
        const what = random.below(10);
        if (what === 0) {
          const receivedOn = anyDay();
          const last = `${Number(receivedOn.slice(0, 4)) + (receivedOn.slice(5) < '04-01' ? 0 : 1)}-03-31`;
          const validUntil = random.chance(0.3) ? addDays(receivedOn, random.below(60)) : last;
          const body = buildDeclaration(ownerId, { receivedOn, validUntil });
          const { status, body: answer } = await api.call(declarations.create, { body }, as());
          const year = (day: string) => Number(day.slice(0, 4)) - (day.slice(5) < '04-01' ? 1 : 0);
          if (status === 201) {
            const from = receivedOn < `${year(validUntil)}-04-01` ? `${year(validUntil)}-04-01` : receivedOn;
            known.push({ id: answer.data.id, ownerId, from, until: validUntil, withdrawnOn: null });
          } else expect(status).toBe(409);
        } else if (what === 1) {
          const open = known.filter((one) => one.withdrawnOn === null);
          if (open.length === 0) continue;
          const one = random.pick(open);
          const withdrawnOn = addDays(one.from, random.below(120));
          expect((await withdraw(one.id, withdrawnOn)).status).toBe(200);
          one.withdrawnOn = withdrawnOn;
        } else if (what < 8 || made.length === 0) {
          const day = anyDay();
          const wanted = isValid(ownerId, day);
          const other = await create({
            ...on(day, wanted ? '1.0' : '0'),
            ownerId,
            ownerName: await nameOf(ownerId),
          });
          expectRefusal(
            other,
            400,
            'VALIDATION_ERROR',
            wanted ? 'TDS percentage is 0 while a declaration of the owner is valid' : belowRange,
          );
          const { status, body } = await create({
            ...on(day, wanted ? '0' : '1.0'),
            ownerId,
            ownerName: await nameOf(ownerId),
          });
          expect(status).toBe(201);
          if ((body.data.tdsAmount === '0.00') !== wanted) wrong += 1;
          made.push({ id: body.data.id, ownerId, day, isNil: wanted, isPaid: false });
        } else if (what === 8) {
          const one = random.pick(made);
          if (one.isPaid) continue;
          const day = anyDay();
          const wanted = isValid(one.ownerId, day);
          const answer = await change(one.id, {
            loadingDate: day,
            unloadingDate: day,
            depositedAt: day,
            ...(one.isNil && !wanted && { tdsPercentage: '1.0' }),
          });
          expect(answer.status, answer.text).toBe(200);
          if (day !== one.day && (answer.body.data.tdsAmount === '0.00') !== wanted) wrong += 1;
          if (day !== one.day) Object.assign(one, { day, isNil: wanted });
        } else {
          const some = made.filter(({ isPaid }) => !isPaid).slice(0, 5);
          if (some.length === 0) continue;
          const body = { challanIds: some.map(({ id }) => id) };
          expect((await api.call(bankStatement.markPaid, { body }, { ...as(), key: `pay ${step}` })).status).toBe(200);
          for (const one of some) one.isPaid = true;
        }
      }
      expect(wrong).toBe(0);

      // What differs is exactly what the declarations of now say of the challans of then.
      const found = async (tdsDeclared: 'over' | 'under') =>
        (await api.call(challans.getSums, { query: { tdsDeclared } }, as())).body.data.totalCount;
      expect([await found('over'), await found('under')]).toEqual([
        made.filter((one) => !one.isNil && isValid(one.ownerId, one.day)).length,
        made.filter((one) => one.isNil && !isValid(one.ownerId, one.day)).length,
      ]);

      // The register by the day deposited: each quarter has its nil rows with their reason, and its sums are those of the challans.
      await api.call(tds.updateSettings, { body: buildTdsSettings() }, as());
      for (const year of ['2025-26', '2026-27', '2027-28']) {
        for (const quarter of quarters) {
          const { from, to } = taxPeriod('2026-11-28', year, quarter);
          const mine = made.filter(({ day }) => from <= day && day <= to);
          const query = { year, quarter, limit: 100 };
          const { data, totals } = (await api.call(tds.listDeductions, { query }, as())).body;
          expect(totals.challanCount).toBe(mine.length);
          const nil = data.filter(({ declaredOn }) => declaredOn !== null);
          if (mine.length <= 100) expect(nil.length).toBe(mine.filter(({ isNil }) => isNil).length);
          for (const row of data) expect(row.declaredOn === null).toBe(row.tdsAmount !== '0.00');
          const lines = (await api.call(tds.list, { query }, as())).body;
          for (const line of lines.data) expect(line.declaredOn.length > 0).toBe(line.tdsPercentage === '0.0');
          expect(sum(lines.data.map(({ tdsAmount }) => tdsAmount))).toBe(totals.tdsAmount);
          const csv = await api.callRaw('GET', `/api/accounting/tds/csv?year=${year}&quarter=${quarter}`, as());
          const [head = [], ...rows] = parse(csv.text, { bom: true, relaxColumnCount: true }) as string[][];
          const reasons = rows.map((cells) => cells[head.indexOf('Reason')] ?? '').filter((text) => text !== '');
          expect(reasons.length).toBe(mine.filter(({ isNil }) => isNil).length);
          expect(reasons.every((text) => /^Declared \d\d\/\d\d\/\d{4}$/.test(text))).toBe(true);
        }
      }
      await api.inTenant(tenant, async (db) => {
        await assertLedger(db);
        await assertTotals(db);
      });
    },
  );
});

const names = new Map<string, string>();
async function nameOf(ownerId: string): Promise<string> {
  const known = names.get(ownerId);
  if (known !== undefined) return known;
  const { name } = (await api.call(owners.get, { params: { id: ownerId } }, as())).body.data;
  names.set(ownerId, name);
  return name;
}
