import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayOf, formatDate } from '../../../src/shared/calc/dates.ts';
import { lockedSentence } from '../../../src/shared/calc/period-lock.ts';
import { challanFields } from '../../../src/shared/contract/challan-fields.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { lockedFieldNames } from '../../../src/shared/contract/locked-fields.ts';
import { lockPeriod as lockAt } from '../../../src/server/features/accounting/period-lock.service.ts';
import { testSeed } from '../../calc/seed.ts';
import { long } from '../../long.ts';
import { callerOf, startApi, type Api, type Tenant } from '../support/api.ts';
import {
  buildChallan,
  buildImport,
  buildPastChallan,
  createChallan,
  createDeclaration,
  createOwner,
  createPump,
  createTag,
  liftLock,
  lockPeriod,
} from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { holding, untilWaiting } from '../support/holding.ts';
import { assertLedger, assertTotals } from '../support/ledger.ts';
import { addPerson } from '../support/people.ts';
import { randomOf } from '../support/random.ts';
import { asSchemaOwner } from '../support/tables.ts';

/** The period lock (docs/specification.md §29). */
const { challans, batches, imports, bankStatement, paymentBatches, ownerStatements, periodLock } = contract;
const today = dayOf(new Date());
const upTo = '2026-04-30';
const sentence = 'Books are locked up to 30/04/2026; an owner of the business can lift the lock.';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

type Over = Partial<BodyInput<typeof challans.create>>;
const on = (day: string): Over => ({ loadingDate: day, unloadingDate: day, depositedAt: day });

/** A business with challans in April and in May, and acts of April that can be undone. */
async function openOffice() {
  const tenant = await api.addTenant();
  const as = { token: tenant.token };
  const owner = await createOwner(api, tenant, { name: 'Ram Das' });
  const other = await createOwner(api, tenant, { name: 'Sita Devi' });
  const declarer = await createOwner(api, tenant, { panNo: 'BNZPM0001Q' });
  const tag = await createTag(api, tenant, { name: 'Joda' });
  const pump = await createPump(api, tenant);
  const refs = { ownerId: owner.id, tagId: tag.id };
  const hsd = { petrolPumpId: pump.id, hsdPricePerLiter: '90.00', hsdInLiters: '10.00' };
  const create = (over: Over = {}) => createChallan(api, tenant, refs, over);
  const change = (id: string, body: BodyInput<typeof challans.update>) =>
    api.call(challans.update, { params: { id }, body }, as);
  const many = (act: BodyInput<typeof challans.changeMany>['act'], ...challanIds: string[]) =>
    api.call(challans.changeMany, { body: { selection: { by: 'ids', challanIds }, act } }, as);
  const undo = (id: string | undefined) => api.call(batches.undo, { params: { id: id ?? '' } }, as);
  const sheet = (mode: 'all' | 'valid', ...overs: Over[]) =>
    api.call(
      challans.createMany,
      { body: { mode, rows: overs.map((over, n) => ({ key: String(n), ...buildChallan(refs, over) })) } },
      as,
    );
  const opening = (asOf: string, amount = '500.00', ownerId = owner.id) =>
    api.call(ownerStatements.setOpenings, { body: { entries: [{ ownerId, asOf, amount }] } }, as);
  const openingsOf = (name: string, asOf: string) => ({
    kind: 'opening-balances' as const,
    file: { name: 'old.xlsx', sha256: null },
    fields: ['ownerName', 'asOf', 'amount'],
    rows: [[name, asOf, '700.00']],
  });
  const check = (table: BodyInput<typeof imports.check>) => api.call(imports.check, { body: table }, as);
  const apply = async (table: BodyInput<typeof imports.check>) => {
    const { fingerprint } = (await check(table)).body.data;
    const choices = table.rows.map(() => 'merge' as const);
    return api.call(imports.apply, { body: { ...table, choices, expected: { fingerprint } } }, as);
  };

  const old = await create(hsd);
  const paid = await create({ paymentStatus: true });
  const fresh = await create(on('2026-05-10'));
  const undeposited = await create();
  await api.inTenant(tenant, (db) =>
    db.query('UPDATE challans SET deposited_at = NULL WHERE subadmin_id = $1 AND id = $2', [tenant.id, undeposited.id]),
  );
  const declared = await createChallan(api, tenant, { ...refs, ownerId: declarer.id });
  await createDeclaration(api, tenant, declarer.id);
  const gone = await create();
  const dated = buildPastChallan(1, {
    loadingDate: '10/04/2026',
    unloadingDate: '11/04/2026',
    depositedAt: '12/04/2026',
  });
  const acts = {
    rate: (await many({ kind: 'set', values: { ratePerMT: '1100.00' } }, (await create()).id)).body.data.batch?.id,
    out: (await many({ kind: 'set', values: { depositedAt: '2026-05-05' } }, (await create()).id)).body.data.batch?.id,
    deleted: (await many({ kind: 'delete' }, gone.id)).body.data.batch?.id,
    tagged: (await many({ kind: 'set', values: { loadingPlace: 'Koira' } }, (await create()).id)).body.data.batch?.id,
    sheet: (await sheet('all', {}, {})).body.data.batch.id,
    past: (await apply(buildImport('challans', [dated]))).body.data.batch.id,
    openings: (await apply(openingsOf('Sita Devi', '31/03/2026'))).body.data.batch.id,
  };
  await opening('2026-04-10');
  /** Everything that the lock keeps. */
  const books = () =>
    api.inTenant(tenant, async (db) => [
      await db.texts(
        `SELECT id, owner_id, petrol_pump_id, loading_on, unloading_on, deposited_on, loading_weight, unloading_weight, rate_per_mt,
           tds_amount, hsd_amount, net_amount_payable, deleted_at FROM challans
         WHERE subadmin_id = $1 AND coalesce(deposited_on, loading_on) <= $2 ORDER BY id`,
        [tenant.id, upTo],
      ),
      await db.texts('SELECT * FROM owner_opening_balances WHERE subadmin_id = $1 ORDER BY owner_id, entry_no', [
        tenant.id,
      ]),
      await db.texts('SELECT id FROM payment_batches WHERE subadmin_id = $1 AND paid_on <= $2', [tenant.id, upTo]),
    ]);
  return {
    tenant,
    as,
    owner,
    other,
    declarer,
    tag,
    pump,
    refs,
    create,
    change,
    many,
    undo,
    sheet,
    opening,
    openingsOf,
    check,
    apply,
    old,
    paid,
    fresh,
    undeposited,
    declared,
    acts,
    dated,
    books,
  };
}
type Office = Awaited<ReturnType<typeof openOffice>>;
type Way = (office: Office) => Promise<{ text: string }>;

const sql =
  (text: string, id: (office: Office) => string): Way =>
  (office) =>
    api
      .inTenant(office.tenant, (db) => db.query(text, [office.tenant.id, id(office)]))
      .then(
        () => ({ text: 'written' }),
        (error: { code?: string; detail?: string }) => ({
          text: error.code === 'PL001' ? lockedSentence(error.detail ?? '') : String(error),
        }),
      );
const edit =
  (body: BodyInput<typeof challans.update>, which: (office: Office) => { id: string } = ({ old }) => old): Way =>
  (office) =>
    office.change(which(office).id, body);

/** Ways to write into locked days. Each answers with the sentence, whether it refuses all or leaves a part. */
const refused: Record<string, Way> = {
  'form: loading weight': edit({ loadingWeight: '26.00' }),
  'form: unloading weight': edit({ unloadingWeight: '24.95' }),
  'form: discount weight': edit({ discountWeight: '0.05' }),
  'form: rate': edit({ ratePerMT: '1001.00' }),
  'form: TDS percentage': edit({ tdsPercentage: '2.0' }),
  'form: HSD price': edit({ hsdPricePerLiter: '91.00' }),
  'form: HSD liters': edit({ hsdInLiters: '11.00' }),
  'form: no petrol pump': edit({ petrolPumpId: null }),
  'form: advance': edit({ advanceMoney: '5001.00' }),
  'form: office charges': edit({ officeCharges: '101.00' }),
  'form: material shortage': edit({ materialShortageAmount: '1.00' }),
  'form: loading day': edit({ loadingDate: '2026-04-09' }),
  'form: unloading day': edit({ unloadingDate: '2026-04-12' }),
  'form: deposited day, within': edit({ depositedAt: '2026-04-13' }),
  'form: deposited day, out of the period': edit({ depositedAt: '2026-05-02' }),
  'form: deposited day, into the period': edit(on(upTo), ({ fresh }) => fresh),
  'form: deposited day of one that has none': edit({ depositedAt: '2026-05-02' }, ({ undeposited }) => undeposited),
  'form: money of a paid one': edit({ advanceMoney: '4000.00' }, ({ paid }) => paid),
  'form: a locked field beside one that is not': edit({ remarks: 'x', ratePerMT: '1002.00' }),
  'form: a new one': ({ refs, as }) => api.call(challans.create, { body: buildChallan(refs) }, as),
  'form: a new one on the last locked day': ({ refs, as }) =>
    api.call(challans.create, { body: buildChallan(refs, on(upTo)) }, as),
  'form: a new one in the last minute of the locked day': ({ refs, as }) =>
    api.call(
      challans.create,
      { body: buildChallan(refs, { ...on(upTo), depositedAt: '2026-04-30T18:29:59.999Z' }) },
      as,
    ),
  'form: a new one that is paid': ({ refs, as }) =>
    api.call(challans.create, { body: buildChallan(refs, { paymentStatus: true }) }, as),
  'sheet: all': ({ sheet }) => sheet('all', {}, on('2026-05-11')),
  'sheet: the valid rows': ({ sheet }) => sheet('valid', {}, on('2026-05-11')),
  'delete one': ({ old, as }) => api.call(challans.remove, { params: { id: old.id } }, as),
  'bulk: delete': ({ many, old, fresh }) => many({ kind: 'delete' }, old.id, fresh.id),
  'bulk: delete what matches': ({ as }) =>
    api.call(
      challans.changeMany,
      {
        body: {
          selection: { by: 'filter', filters: { depositedEndDate: upTo, paymentStatus: false } },
          act: { kind: 'delete' },
        },
      },
      as,
    ),
  'bulk: preview': ({ old, as }) =>
    api.call(
      challans.previewMany,
      { body: { selection: { by: 'ids', challanIds: [old.id] }, act: { kind: 'delete' } } },
      as,
    ),
  'bulk: rate': ({ many, old }) => many({ kind: 'set', values: { ratePerMT: '1003.00' } }, old.id),
  'bulk: office charges': ({ many, old }) => many({ kind: 'set', values: { officeCharges: '7.00' } }, old.id),
  'bulk: deposited day out of the period': ({ many, old }) =>
    many({ kind: 'set', values: { depositedAt: '2026-05-03' } }, old.id),
  'bulk: TDS 0 by declaration': ({ many, declared }) => many({ kind: 'declared' }, declared.id),
  'undo: a change of rate': ({ undo, acts }) => undo(acts.rate),
  'undo: a move out of the period': ({ undo, acts }) => undo(acts.out),
  'undo: a deletion': ({ undo, acts }) => undo(acts.deleted),
  'undo: a sheet': ({ undo, acts }) => undo(acts.sheet),
  'undo: an import of past challans': ({ undo, acts }) => undo(acts.past),
  'undo: an import of opening balances': ({ undo, acts }) => undo(acts.openings),
  'import: past challans': ({ check }) => check(buildImport('challans', [buildPastChallan(2)])),
  'import: a payment dated back': ({ check }) =>
    check(
      buildImport('challans', [
        buildPastChallan(3, {
          loadingDate: '05/05/2026',
          unloadingDate: '05/05/2026',
          depositedAt: '05/05/2026',
          paid: 'Yes',
          paidOn: '20/04/2026',
        }),
      ]),
    ),
  'import: an opening balance': ({ check, openingsOf, declarer }) => check(openingsOf(declarer.name, '30/04/2026')),
  'import: an opening balance instead of a locked one': ({ check, openingsOf }) =>
    check(openingsOf('Ram Das', '05/05/2026')),
  'an opening balance dated back': ({ opening, declarer }) => opening('2026-04-30', '1.00', declarer.id),
  'an opening balance of today instead of a locked one': ({ opening }) => opening('2026-05-05', '0.00'),
  'SQL: the owner': (office) =>
    sql(
      `UPDATE challans SET owner_id = '${office.other.id}' WHERE subadmin_id = $1 AND id = $2`,
      ({ old }) => old.id,
    )(office),
  'SQL: the net': sql(
    `UPDATE challans SET advance_money = advance_money + 1, net_amount_payable = net_amount_payable - 1
     WHERE subadmin_id = $1 AND id = $2`,
    ({ old }) => old.id,
  ),
  'SQL: a deletion': sql(
    'UPDATE challans SET deleted_at = now() WHERE subadmin_id = $1 AND id = $2',
    ({ old }) => old.id,
  ),
  'SQL: a payment dated back': sql(
    `INSERT INTO payment_batches (subadmin_id, number, kind, created_by, updated_count, total_amount, owner_count, paid_on)
     SELECT $1, 'X' || $2, 'import', $1, 1, 1, 1, '2026-04-30'`,
    ({ old }) => old.id,
  ),
};

describe('while the books are locked', () => {
  let office: Office;
  let before: unknown;
  beforeAll(async () => {
    office = await openOffice();
    await lockPeriod(api, office.tenant, upTo);
    before = await office.books();
  });

  it('there are more than 40 ways to write', () => {
    expect(Object.keys(refused).length).toBeGreaterThan(40);
  });

  it.each(Object.entries(refused))('nothing gets through by %s', async (_, way) => {
    const { text } = await way(office);
    expect(text).toContain(sentence);
    expect(await office.books()).toEqual(before);
  });

  it('one refused call says so in one sentence and a code', async () => {
    const answer = await office.change(office.old.id, { ratePerMT: '9.00' });
    expectRefusal(
      answer,
      409,
      'PERIOD_LOCKED',
      'Books are locked up to 30/04/2026; an owner of the business can lift the lock.',
    );
  });

  it('a bulk change says how many it leaves, and changes the others', async () => {
    const { create, old, many } = office;
    const { id } = await create(on('2026-05-13'));
    const { data } = (await many({ kind: 'set', values: { officeCharges: '150.00' } }, old.id, id)).body;
    expect([data.changedCount, data.refused]).toEqual([
      1,
      [{ reason: sentence, count: 1, challanNumbers: [old.challanNumber] }],
    ]);
  });

  it('an import names the cell, and rows that are there already are still the same', async () => {
    const { rows } = (
      await office.check(
        buildImport('challans', [office.dated, buildPastChallan(9, { paid: 'Yes', paidOn: '01/05/2024' })]),
      )
    ).body.data;
    expect(rows[0]).toMatchObject({ state: 'same' });
    expect(rows[1]?.errors).toEqual([{ field: 'depositedAt', message: sentence }]);
  });

  it('a sheet refuses the row at its day', async () => {
    const { refused: rows, created } = (await office.sheet('valid', {}, on('2026-05-12'))).body.data;
    expect(rows).toEqual([{ key: '0', code: 'PERIOD_LOCKED', message: sentence, fields: { depositedAt: sentence } }]);
    expect(created).toHaveLength(1);
  });
});

/** What goes on in a locked period. */
const passing: Record<string, (office: Office) => Promise<{ status: number; text: string }>> = {
  'the checkbox pays an old challan': ({ change, old }) => change(old.id, { paymentStatus: true }),
  'and takes it back today': async ({ change, old }) => change(old.id, { paymentStatus: false }),
  'a payment of the bank statement, and its reversal': async ({ as, undeposited }) => {
    const body = { challanIds: [undeposited.id] };
    const { batchId } = (await api.call(bankStatement.markPaid, { body }, as)).body.data;
    const reversal = { params: { id: batchId ?? '' }, body: { reason: 'The wrong owner' } };
    return api.call(paymentBatches.reverse, reversal, as);
  },
  'bulk: paid': ({ many, old }) => many({ kind: 'paid', value: true }, old.id),
  'bulk: unpaid': ({ many, old }) => many({ kind: 'paid', value: false }, old.id),
  'a hold': ({ as, old }) => api.call(challans.setHold, { params: { id: old.id }, body: { reason: 'No papers' } }, as),
  'remarks, driver, vehicle, places, TP No': ({ change, old }) =>
    change(old.id, {
      remarks: 'Tarpaulin torn',
      driverName: 'Gopal',
      drivingLicenseNo: 'OD 1',
      vehicleNo: 'OD 09 Z 1',
      loadingPlace: 'Koira',
      tpNo: 'TP-NEW',
      material: 'Coal',
      dataEntryBy: 'R',
      vehicleWheel: 12,
      ownerContactNumber: '9876500000',
    }),
  'another tag': async ({ change, old, tenant }) => change(old.id, { tagId: (await createTag(api, tenant)).id }),
  'another discounter': ({ change, old, other }) => change(old.id, { discounterId: other.id }),
  'the same money again': ({ change, old }) => change(old.id, { ratePerMT: '1000.00', advanceMoney: '5000' }),
  'the HSD is verified': ({ as, old }) =>
    api.call(challans.setHsdVerified, { params: { id: old.id }, body: { hsdVerified: true } }, as),
  'bulk: a place': ({ many, old }) => many({ kind: 'set', values: { unloadingPlace: 'Dhamra' } }, old.id),
  'undo of what is not locked': ({ undo, acts }) => undo(acts.tagged),
  'another name of the owner': ({ as, owner }) =>
    api.call(contract.owners.update, { params: { id: owner.id }, body: { name: 'Ram Chandra Das' } }, as),
  'a new challan of the next day': ({ refs, as }) =>
    api.call(
      challans.create,
      { body: buildChallan({ ...refs }, { ...on('2026-05-01'), ownerName: 'Ram Chandra Das' }) },
      as,
    ),
  'one of the first minute after the lock': ({ refs, as }) =>
    api.call(
      challans.create,
      {
        body: buildChallan(refs, {
          ...on('2026-05-01'),
          ownerName: 'Ram Chandra Das',
          depositedAt: '2026-04-30T18:30:00Z',
        }),
      },
      as,
    ),
  'money of a later challan': ({ change, fresh }) => change(fresh.id, { advanceMoney: '1.00' }),
};

describe('what has to go on', () => {
  let office: Office;
  beforeAll(async () => {
    office = await openOffice();
    await lockPeriod(api, office.tenant, upTo);
  });

  it.each(Object.entries(passing))('%s', async (_, act) => {
    const { status, text } = await act(office);
    expect(status, text).toBeLessThan(300);
    expect(text).not.toContain(sentence);
    expect(text).not.toMatch(/"changedCount":0|"undone":0/);
    await api.inTenant(office.tenant, assertLedger);
    await api.inTenant(office.tenant, assertTotals);
  });

  it('a payment of today passes although today is locked', async () => {
    await lockPeriod(api, office.tenant, today);
    expect((await office.change(office.undeposited.id, { paymentStatus: true })).status).toBe(200);
  });
});

describe('the lock', () => {
  let tenant: Tenant;
  const read = async (token = tenant.token) => (await api.call(periodLock.get, {}, { token })).body.data;
  const lock = (day: string, token = tenant.token) => api.call(periodLock.lock, { body: { upTo: day } }, { token });
  const lift = (hours: number, reason = 'A wrong rate', token = tenant.token) =>
    api.call(periodLock.lift, { body: { hours, reason } }, { token });
  beforeEach(async () => {
    tenant = await api.addTenant();
  });

  it('is none at first, moves forward only, and is not in the future', async () => {
    expect(await read()).toEqual({
      upTo: null,
      lockedBy: '',
      lockedAt: null,
      openUntil: null,
      liftedBy: '',
      reason: '',
      version: 0,
    });
    expectRefusal(await lift(1), 400, 'VALIDATION_ERROR', 'The books are not locked');
    expect((await lock('2026-03-31')).body.data).toMatchObject({
      upTo: '2026-03-31',
      lockedBy: tenant.email,
      version: 1,
    });
    // The same day again is no act.
    expect((await lock('2026-03-31')).body.data.version).toBe(1);
    expectRefusal(
      await lock('2026-03-30'),
      400,
      'VALIDATION_ERROR',
      'The lock only moves forward. Lift it to change earlier days.',
    );
    expectRefusal(await lock(addDays(today, 1)), 400, 'VALIDATION_ERROR', 'The day is still to come');
    expect((await lock(today)).status).toBe(200);
  });

  it('changes its day at midnight in India', async () => {
    const at = (instant: string) =>
      api.inTenant(tenant, (db) => lockAt(db, callerOf(tenant), { upTo: '2026-04-10' }, new Date(instant)));
    await expect(at('2026-04-09T18:29:59.999Z')).rejects.toThrow('The day is still to come');
    expect((await at('2026-04-09T18:30:00.000Z')).upTo).toBe('2026-04-10');
  });

  it('is set and lifted by owners only, and seen by everybody', async () => {
    await lock('2026-03-31');
    for (const seat of ['accountant', 'clerk', 'auditor'] as const) {
      const { token } = await addPerson(api, tenant, seat);
      expect((await lock('2026-04-01', token)).status).toBe(403);
      expect((await lift(1, 'x', token)).status).toBe(403);
      expect((await read(token)).upTo).toBe('2026-03-31');
    }
    const { token, name } = await addPerson(api, tenant, 'owner');
    expect((await lift(1, 'x', token)).body.data).toMatchObject({ liftedBy: name, reason: 'x' });
  });

  it('is lifted with a reason for 1 to 72 hours', async () => {
    await lock('2026-03-31');
    for (const hours of [0, 73, 1.5]) expect((await lift(hours)).status).toBe(400);
    expectRefusal(await lift(1, ' '), 400, 'VALIDATION_ERROR', 'Please enter a reason');
    const { openUntil } = (await lift(72)).body.data;
    const left = Date.parse(openUntil ?? '') - Date.now();
    expect(left).toBeGreaterThan(71 * 3_600_000);
    expect(left).toBeLessThanOrEqual(72 * 3_600_000);
  });

  it('refuses an act of somebody who has not seen the last one', async () => {
    await lock('2026-03-31');
    const stale = await api.call(periodLock.lock, { body: { upTo: today, version: 0 } }, { token: tenant.token });
    expectRefusal(stale, 409, 'VERSION_CONFLICT');
    expect(stale.error.data).toMatchObject({ upTo: '2026-03-31', version: 1 });
  });

  it('is of one business alone', async () => {
    await lock(today);
    const other = await api.addTenant();
    expect((await read(other.token)).upTo).toBeNull();
    const refs = { ownerId: (await createOwner(api, other)).id, tagId: (await createTag(api, other)).id };
    expect((await createChallan(api, other, refs)).id).toBeTruthy();
    for (const list of [periodLock.listActs, periodLock.listChanges])
      expect((await api.call(list, {}, { token: other.token })).body.data).toEqual([]);
  });

  it('cannot be changed or taken away in the database, nor can anybody note a change that was none', async () => {
    await lock(today);
    for (const statement of [
      'DELETE FROM period_lock_acts WHERE subadmin_id = $1',
      "UPDATE period_lock_acts SET up_to = '2001-01-01' WHERE subadmin_id = $1",
      "INSERT INTO period_lock_changes SELECT $1, 1, 'challan', gen_random_uuid(), '2001-01-01'",
    ])
      await expect(api.inTenant(tenant, (db) => db.query(statement, [tenant.id]))).rejects.toThrow(/permission|append/);
  });

  it('is asked by the triggers alone: a request may call none of their functions', async () => {
    for (const signature of [
      'period_lift_for(uuid, date)',
      'challans_made_in_period()',
      'challan_changed_in_period()',
      'opening_made_in_period()',
      'payment_dated_back()',
    ]) {
      const mayCall = await api.inTenant(tenant, (db) =>
        db.texts(`SELECT has_function_privilege($1, 'EXECUTE')`, [signature]),
      );
      expect([signature, mayCall]).toEqual([signature, [['f']]]);
    }
  });

  it('keeps the columns of the fields that the table says are locked, and no others', async () => {
    const [[columns] = [], [condition] = []] = await asSchemaOwner(api, async (client) => {
      const { rows } = await client.query<{ columns: string[]; condition: string }>(
        `SELECT ARRAY(SELECT a.attname::text FROM pg_attribute a
           WHERE a.attrelid = t.tgrelid AND a.attnum = ANY (t.tgattr::int2[])) AS columns, pg_get_triggerdef(t.oid) AS condition
         FROM pg_trigger t WHERE t.tgname = 'challan_changed_in_period'`,
      );
      return [rows.map((row) => row.columns), rows.map((row) => row.condition)];
    });
    const wanted = [...lockedFieldNames.map((name) => challanFields[name].column), 'owner_id', 'deleted_at'];
    expect(columns?.toSorted()).toEqual(wanted.toSorted());
    for (const side of ['old', 'new'])
      expect(
        [...(condition ?? '').matchAll(new RegExp(`\\b${side}\\.(\\w+)`, 'g'))].map(([, name]) => name).toSorted(),
      ).toEqual(wanted.toSorted());
  });
});

describe('a lift', () => {
  it('closes by itself, and lists what was changed in locked days by whom and why', async () => {
    const office = await openOffice();
    const { tenant, as, old, fresh, change, many, opening, refs, apply } = office;
    const printed = await api.call(
      ownerStatements.print,
      { body: { ownerId: refs.ownerId, startDate: null, endDate: upTo } },
      as,
    );
    const printedBefore = async () =>
      (await api.call(ownerStatements.list, { query: { ownerId: refs.ownerId } }, as)).body.data[0]?.changedAt;
    await lockPeriod(api, tenant, upTo);
    const accountant = await addPerson(api, tenant, 'accountant');
    await liftLock(api, tenant, 'Rates of April agreed late', 2);
    expect(await printedBefore()).toBeNull();
    const asAccountant = { token: accountant.token };
    const rate = { params: { id: old.id }, body: { ratePerMT: '1010.00' } };
    expect((await api.call(challans.update, rate, asAccountant)).status).toBe(200);
    expect((await many({ kind: 'delete' }, office.undeposited.id)).body.data.changedCount).toBe(1);
    const late = await createChallan(api, tenant, refs);
    expect((await opening('2026-04-20', '900.00')).status).toBe(201);
    const dated = { loadingDate: '05/05/2026', unloadingDate: '05/05/2026', depositedAt: '05/05/2026' };
    const back = buildPastChallan(7, { ...dated, paid: 'Yes', paidOn: '20/04/2026' });
    expect((await apply(buildImport('challans', [back]))).status).toBe(201);
    // None of these is a change of a locked day.
    await change(fresh.id, { ratePerMT: '1020.00' });
    await change(old.id, { remarks: 'seen', paymentStatus: true });
    const list = async () => (await api.call(periodLock.listChanges, { query: { limit: 50 } }, as)).body.data;
    const lines = await list();
    expect(
      lines.map(({ record, name, action, actor, day, reason }) => [record, name, action, actor, day, reason]),
    ).toEqual(
      [
        ['payment', expect.stringMatching(/^PAY-/), 'Paid', tenant.email, '2026-04-20'],
        ['opening-balance', '', 'Entered', tenant.email, '2026-04-10'],
        ['challan', late.challanNumber, 'Created', tenant.email, '2026-04-12'],
        [
          'challan',
          office.undeposited.challanNumber,
          expect.stringMatching(/^Deleted by Change/),
          tenant.email,
          '2026-04-10',
        ],
        ['challan', old.challanNumber, 'Edited', accountant.name, '2026-04-12'],
      ].map((line) => [...line, 'Rates of April agreed late']),
    );
    expect(lines[4]?.changes).toContainEqual(
      expect.objectContaining({ label: 'Rate per MT', before: '1000.00', after: '1010.00' }),
    );
    expect(lines[1]?.changes.map(({ label, before, after }) => [label, before, after])).toEqual([
      ['Opening Balance', '500.00', '900.00'],
      ['As Of', '2026-04-10', '2026-04-20'],
    ]);
    expect(await printedBefore()).toMatch(/^\d{4}-/);
    expect(printed.body.data.changedAt).toBeNull();

    // Its end passes: nobody does anything.
    await asSchemaOwner(api, async (client) => {
      await client.query("SET session_replication_role = 'replica'");
      await client.query(
        `UPDATE period_lock_acts SET open_until = clock_timestamp() WHERE subadmin_id = $1 AND kind = 'lift'`,
        [tenant.id],
      );
    });
    expectRefusal(await change(fresh.id, on(upTo)), 409, 'PERIOD_LOCKED', sentence);
    expect((await api.call(periodLock.get, {}, as)).body.data).toMatchObject({ upTo, openUntil: null, reason: '' });
    const [lifted, locked] = (await api.call(periodLock.listActs, {}, as)).body.data;
    expect([lifted?.kind, lifted?.changedCount, typeof lifted?.endedAt]).toEqual(['lift', 5, 'string']);
    expect([locked?.kind, locked?.endedAt]).toEqual(['lock', null]);
    expect(await list()).toHaveLength(5);
  });

  it('is ended by locking again', async () => {
    const { tenant, old, change } = await openOffice();
    await lockPeriod(api, tenant, upTo);
    await liftLock(api, tenant);
    expect((await change(old.id, { ratePerMT: '1010.00' })).status).toBe(200);
    expect(await lockPeriod(api, tenant, upTo)).toMatchObject({ openUntil: null, version: 3 });
    expectRefusal(await change(old.id, { ratePerMT: '1000.00' }), 409, 'PERIOD_LOCKED', sentence);
  });
});

describe('a lock and a write at once', () => {
  it('the lock waits for a write under way, and a write that comes while it waits is refused', async () => {
    const { tenant, as, old, change } = await openOffice();
    const statement = 'UPDATE challans SET deleted_at = now() WHERE subadmin_id = $1 AND id = $2';
    await holding(api, statement, [tenant.id, (await openChallan(tenant)).id], async (release) => {
      const locking = api.call(periodLock.lock, { body: { upTo } }, as);
      await untilWaiting(api);
      const writing = change(old.id, { ratePerMT: '1010.00' });
      await untilWaiting(api, 2);
      await release();
      expect((await locking).status).toBe(200);
      expectRefusal(await writing, 409, 'PERIOD_LOCKED', sentence);
    });

    async function openChallan(of: Tenant) {
      const refs = { ownerId: (await createOwner(api, of)).id, tagId: (await createTag(api, of)).id };
      return createChallan(api, of, refs);
    }
  });

  it('nothing is written into locked days after the lock, whatever comes when', { timeout: 120_000 }, async () => {
    const random = randomOf(testSeed('a lock among writes'));
    for (let round = 0; round < long(10); round += 1) {
      const { tenant, as, refs, old, fresh, undeposited, change, many, sheet, undo, acts } = await openOffice();
      const writes = random.shuffled<() => Promise<unknown>>([
        () => change(old.id, { ratePerMT: `10${random.below(90) + 10}.00` }),
        () => change(fresh.id, on(random.pick([upTo, '2026-05-01']))),
        () => many({ kind: 'delete' }, undeposited.id),
        () => sheet('valid', {}, on('2026-05-03')),
        () => undo(acts.rate),
        () => undo(acts.deleted),
        ...Array.from({ length: 4 }, () => () => api.call(challans.create, { body: buildChallan(refs) }, as)),
      ]);
      const at = random.below(writes.length);
      await Promise.all(
        writes.map(async (write, n) => {
          if (n === at) await lockPeriod(api, tenant, upTo);
          else await write();
        }),
      );
      const lateLines = await api.inTenant(tenant, (db) =>
        db.texts(
          `SELECT h.action, h.changes FROM history h
             JOIN challans c ON c.subadmin_id = $1 AND c.id = h.entity_id
             JOIN period_lock_acts l ON l.subadmin_id = $1 AND h.at > l.created_at
           WHERE h.subadmin_id = $1 AND h.entity = 'challan' AND coalesce(c.deposited_on, c.loading_on) <= l.up_to`,
          [tenant.id],
        ),
      );
      expect(lateLines).toEqual([]);
      await api.inTenant(tenant, assertTotals);
    }
  });
});

it('says the sentence of the specification', () => {
  expect(lockedSentence(upTo)).toBe(sentence);
  expect(formatDate(upTo)).toBe('30/04/2026');
});
