import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { subtract, sum } from '../../../src/shared/calc/money.ts';
import type { Challan } from '../../../src/shared/contract/challan.ts';
import type { RowsRefused } from '../../../src/shared/contract/challan-sheet.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { hundredths, oracle, type OracleInput } from '../../calc/oracle.ts';
import { testSeed } from '../../calc/seed.ts';
import { long } from '../../long.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import {
  buildChallan,
  createChallan,
  createOwner,
  createPump,
  createTag,
  createTruck,
  type ChallanBody,
} from '../support/builders.ts';
import { unknownId } from '../support/expect.ts';
import { assertLedger, assertTotals } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

/** The calls of the entry sheet (docs/specification.md §20.4). */
let api: Api;
let tenant: Tenant;
let refs: { ownerId: string; tagId: string };
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.addTenant();
  refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
});

const { challans, owners, tags, batches, history } = contract;
const as = (key?: string) => ({ token: tenant.token, ...(key ? { key } : {}) });
const row = (key: string, over: Partial<ChallanBody> = {}) => ({ key, ...buildChallan(refs, over) });
type Row = ReturnType<typeof row>;
const commit = (rows: readonly Row[], mode: 'all' | 'valid' = 'all', key?: string) =>
  api.call(challans.createMany, { body: { rows: [...rows], mode } }, as(key));
const get = async (id: string): Promise<Challan> => (await api.call(challans.get, { params: { id } }, as())).body.data;
const countOf = async (): Promise<number> => (await api.call(challans.list, {}, as())).body.summary.totalCount;
const refusedOf = (data: unknown): RowsRefused['refused'] => (data as RowsRefused).refused;

async function holdsTogether(): Promise<void> {
  await api.inTenant(tenant, assertLedger);
  await api.inTenant(tenant, assertTotals);
}

describe('a commit', () => {
  it('stores what single creates store, apart from ids, numbers and times', async () => {
    const pump = await createPump(api, tenant);
    const discounter = await createOwner(api, tenant);
    const bodies = [
      buildChallan(refs),
      buildChallan(refs, { petrolPumpId: pump.id, hsdPricePerLiter: '91.23', hsdInLiters: '33.30' }),
      buildChallan(refs, {
        discounterId: discounter.id,
        remarks: ' two\nlines ',
        vehicleNo: 'od 09 ab 77',
        vehicleWheel: 12,
      }),
      buildChallan(refs, { unloadingWeight: '24.00', discountWeight: '0.10', materialShortageAmount: '900.05' }),
      buildChallan(refs, { loadingDate: '2026-04-10T18:45:00.000Z', ownerContactNumber: '98765 43210' }),
      buildChallan(refs, { paymentStatus: true, vehicleType: 'Trailer', driverName: 'Ravi', tdsPercentage: '0.1' }),
    ];
    const { status, body } = await commit(bodies.map((challan, index) => ({ key: String(index), ...challan })));
    expect(status).toBe(201);
    expect(body.data.refused).toEqual([]);
    const many = await Promise.all(body.data.created.map(({ id }) => get(id)));
    const single = [];
    for (const challan of bodies) single.push((await api.call(challans.create, { body: challan }, as())).body.data);
    const alike = (challan: Challan) => ({
      ...challan,
      id: '',
      challanNumber: '',
      createdAt: '',
      updatedAt: '',
      paidAt: challan.paidAt !== null,
      payment: challan.payment !== null,
    });
    expect(many.map(alike)).toEqual(single.map(alike));
    expect(body.data.created.map(({ netAmountPayable }) => netAmountPayable)).toEqual(
      single.map(({ netAmountPayable }) => netAmountPayable),
    );
    await holdsTogether();
  });

  it('numbers the rows in their order, names them in the answer, and is one batch', async () => {
    const before = await createChallan(api, tenant, refs);
    const { body } = await commit([row('x'), row('y', { advanceMoney: '0.01' }), row('z')]);
    const { created, batch } = body.data;
    const counter = (number: string): number => Number(number.split('-').at(-1));
    const first = counter(before.challanNumber) + 1;
    expect(created.map(({ key, challanNumber }) => [key, counter(challanNumber)])).toEqual([
      ['x', first],
      ['y', first + 1],
      ['z', first + 2],
    ]);
    expect(batch).toMatchObject({
      kind: 'sheet',
      title: '3 challans',
      lineCount: 3,
      amount: sum(created.map(({ netAmountPayable }) => netAmountPayable)),
    });
    expect(batch.number).toMatch(/^Sheet \d{4}-000001$/);
    const list = await api.call(challans.list, {}, as());
    expect(list.body.data.map(({ id }) => id)).toEqual([...created.map(({ id }) => id).reverse(), before.id]);
    for (const { id } of created) {
      const lines = await api.call(history.listChallan, { params: { id } }, as());
      expect(lines.body.data.map(({ action }) => action)).toEqual([`Created by ${batch.number}`]);
    }
  });

  it('pays the paid rows as one payment', async () => {
    const { body } = await commit([row('a', { paymentStatus: true }), row('b'), row('c', { paymentStatus: true })]);
    const [a, b, c] = await Promise.all(body.data.created.map(({ id }) => get(id)));
    expect([a, b, c].map((challan) => challan?.paymentStatus)).toEqual([true, false, true]);
    const payments = await api.call(contract.paymentBatches.list, {}, as());
    expect(payments.body.data).toHaveLength(1);
    expect(payments.body.data[0]).toMatchObject({ updatedCount: 2, kind: 'selected' });
    await holdsTogether();
  });
});

/** What is wrong with a row: the same code, sentence and fields as POST /challans answers. */
describe('a wrong row', () => {
  const wrong: [string, Partial<Record<keyof ChallanBody, unknown>>][] = [
    ['no TP', { tpNo: '' }],
    ['no date', { loadingDate: undefined }],
    ['a date that is none', { loadingDate: '2026-02-30' }],
    ['days in the wrong order', { unloadingDate: '2026-04-01' }],
    ['a deposit before the unloading', { depositedAt: '2026-04-01' }],
    ['no tag', { tagId: '' }],
    ['a tag that is no id', { tagId: 'KOEL' }],
    ['an unknown tag', { tagId: unknownId }],
    ['an unknown owner', { ownerId: unknownId }],
    ['an unknown pump', { petrolPumpId: unknownId, hsdInLiters: '10' }],
    ['no owner', { ownerId: '' }],
    ["another owner's name", { ownerName: 'Somebody Else' }],
    ['letters for an amount', { ratePerMT: '1,000' }],
    ['a number for an amount', { ratePerMT: 1000 }],
    ['three decimals', { advanceMoney: '1.005' }],
    ['too heavy', { loadingWeight: '99999999999' }],
    ['an amount too large', { loadingWeight: '9999999999', unloadingWeight: '9999999999', ratePerMT: '999999999999' }],
    ['TDS above 100', { tdsPercentage: '101' }],
    ['wheels of seven', { vehicleWheel: 7 }],
    ['liters without a pump', { hsdInLiters: '10' }],
    ['a shortage without one', { unloadingWeight: '25.00', materialShortageAmount: '5.00' }],
    ['a net that is not its sum', { netAmountPayable: '1.00' }],
    ['a field that is not known', { colour: 'red' } as object],
    ['a control character', { remarks: '\u0007' }],
    ['too long a text', { material: 'x'.repeat(101) }],
    ['everything', { tpNo: '', vehicleNo: '', material: '', ratePerMT: '-1', tdsPercentage: '', depositedAt: '' }],
  ];

  it.each(wrong)('%s is refused as a single create is', async (_, over) => {
    // Wrong on purpose.
    const bad = row('bad', over as Partial<ChallanBody>);
    const { key: _key, ...body } = bad;
    const single = await api.callRaw('POST', '/api/challans', { ...as(), body });
    expect(single.status).toBe(400);
    const { status, error } = await commit([row('good'), bad]);
    expect([status, error.code, error.message]).toEqual([
      400,
      'ROWS_REFUSED',
      'Nothing was saved: 1 of 2 rows has errors.',
    ]);
    const { code, message, fields = {} } = single.error;
    expect(refusedOf(error.data)).toEqual([{ key: 'bad', code, message, fields }]);
    expect(await countOf()).toBe(0);
  });

  it('is left out with the mode "valid"; the right ones are numbered without a gap', async () => {
    const { status, body } = await commit(
      [row('a'), row('b', { tpNo: '' }), row('c'), row('d', { tagId: unknownId }), row('e')],
      'valid',
    );
    expect(status).toBe(201);
    expect(body.data.created.map(({ key }) => key)).toEqual(['a', 'c', 'e']);
    expect(body.data.refused.map(({ key, code }) => [key, code])).toEqual([
      ['b', 'VALIDATION_ERROR'],
      ['d', 'INVALID_REFERENCE'],
    ]);
    const numbers = body.data.created.map(({ challanNumber }) => Number(challanNumber.split('-').at(-1)));
    expect(numbers).toEqual([1, 2, 3]);
    expect(body.data.batch.lineCount).toBe(3);
  });

  it('that is paid to an owner on hold is refused by itself, with the reason', async () => {
    const held = await createOwner(api, tenant, { name: 'Held Owner' });
    const hold = { params: { id: held.id }, body: { reason: 'No papers' } };
    expect((await api.call(owners.setHold, hold, as())).status).toBe(200);
    const ofHeld = { ownerId: held.id, ownerName: 'Held Owner' };
    const rows = [
      row('paid', { paymentStatus: true }),
      row('held', { ...ofHeld, paymentStatus: true }),
      row('unpaid', ofHeld),
    ];
    const message = 'Held Owner is on hold: No papers. Take the owner off hold, or save the challan as not paid.';
    const refused = [{ key: 'held', code: 'ON_HOLD', message, fields: { paymentStatus: message } }];

    const all = await commit(rows, 'all');
    expect([all.status, all.error.code]).toEqual([400, 'ROWS_REFUSED']);
    expect(refusedOf(all.error.data)).toEqual(refused);
    expect(await countOf()).toBe(0);
    const { status, body } = await commit(rows, 'valid');
    expect(status).toBe(201);
    expect(body.data.refused).toEqual(refused);
    expect(body.data.created.map(({ key }) => key)).toEqual(['paid', 'unpaid']);
    // A single create says the same, and no number that nobody has.
    const { key: _, ...single } = rows[1]!;
    const one = await api.call(challans.create, { body: single }, as());
    expect([one.status, one.error.code, one.error.message]).toEqual([409, 'ON_HOLD', message]);
    expect(await countOf()).toBe(2);
    await holdsTogether();
  });

  it('alone: nothing is written with either mode, no number is taken, and the key can be used again', async () => {
    for (const mode of ['all', 'valid'] as const) {
      const refused = await commit([row('a', { tpNo: '' })], mode, `key-${mode}`);
      expect([refused.status, refused.error.message]).toEqual([400, 'Nothing was saved: 1 row has errors.']);
    }
    const done = await commit([row('a')], 'all', 'key-all');
    expect(done.body.data.created[0]?.challanNumber).toMatch(/-000001$/);
    expect(done.body.data.batch.number).toMatch(/-000001$/);
  });

  it('and a list that is none is a wrong request', async () => {
    const call = async (body: unknown) => (await api.callRaw('POST', '/api/challans/sheet', { ...as(), body })).error;
    expect((await call({ mode: 'all', rows: [] })).fields).toEqual({ rows: 'must be at least 1' });
    expect((await call({ mode: 'all', rows: [row('a'), row('a')] })).fields).toEqual({
      rows: 'must each have a key of their own',
    });
    const many = Array.from({ length: 1_001 }, (_, index) => ({ key: String(index) }));
    expect((await call({ mode: 'all', rows: many })).fields).toEqual({ rows: 'must be at most 1000 at once' });
    expect((await call({ mode: 'some', rows: [row('a')] })).code).toBe('VALIDATION_ERROR');
  });
});

describe('a commit that comes twice, or meets another', () => {
  it('with the same key: the first answer again, once in the books', async () => {
    const key = randomUUID();
    const rows = [row('a'), row('b')];
    const [first, second] = await Promise.all([commit(rows, 'all', key), commit(rows, 'all', key)]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect((await commit(rows, 'all', key)).text).toBe(first.text);
    expect((await commit(rows, 'valid', key)).error.code).toBe('IDEMPOTENCY_MISMATCH');
    expect(await countOf()).toBe(2);
  });

  it('two at once: both are whole, and no number is used twice or left out', async () => {
    const sheet = (name: string) => Array.from({ length: 40 }, (_, index) => row(`${name}${index}`));
    const answers = await Promise.all([commit(sheet('a')), commit(sheet('b')), commit(sheet('c'))]);
    const numbers = answers.flatMap(({ body }) => body.data.created.map(({ challanNumber }) => challanNumber));
    const counters = numbers.map((number) => Number(number.split('-').at(-1))).toSorted((a, b) => a - b);
    expect(counters).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    for (const { body } of answers) {
      const own = body.data.created.map(({ challanNumber }) => Number(challanNumber.split('-').at(-1)));
      expect(own).toEqual(own.map((_, index) => own[0]! + index));
    }
    expect(new Set(answers.map(({ body }) => body.data.batch.number)).size).toBe(3);
    await holdsTogether();
  });

  it('while its owner or tag is deleted: one of the two is refused, and no challan names a deleted record', async () => {
    for (let round = 0; round < 15; round += 1) {
      const doomed = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
      const rows = [row('a'), { key: 'b', ...buildChallan(doomed) }, row('c')];
      const [made, ownerGone, tagGone] = await Promise.all([
        commit(rows, 'valid'),
        api.call(owners.remove, { params: { id: doomed.ownerId } }, as()),
        api.call(tags.remove, { params: { id: doomed.tagId } }, as()),
      ]);
      expect(made.status).toBe(201);
      const keys = made.body.data.created.map(({ key }) => key);
      if (keys.includes('b')) expect([ownerGone.status, tagGone.status]).toEqual([409, 409]);
      else {
        expect(keys).toEqual(['a', 'c']);
        expect(made.body.data.refused.map(({ code }) => code)).toEqual(['INVALID_REFERENCE']);
        expect([ownerGone.status, tagGone.status]).toContain(200);
      }
    }
    await holdsTogether();
  });
});

describe('a commit of random rows', () => {
  it('leaves the rows in the table that single creates leave, in every column', async () => {
    const random = randomOf(testSeed('rows of a sheet'));
    const pump = await createPump(api, tenant);
    const others = await Promise.all([createOwner(api, tenant), createOwner(api, tenant)]);
    const hundredthsBelow = (most: number): string => hundredths(BigInt(random.below(most)));
    const bodies = Array.from({ length: 300 }, (_, index) => {
      const unloading = random.below(3_000);
      const owner = random.pick(others);
      return buildChallan(
        { ...refs, ownerId: owner.id },
        {
          tpNo: `ROW ${String(index).padStart(4, '0')}`,
          vehicleNo: random.pick(['od 09-ab 1', 'OD09AB1234', ' br 01 x 9 ']),
          ownerName: random.pick([owner.name, owner.name.toUpperCase(), `  ${owner.name}`]),
          loadingWeight: hundredths(BigInt(unloading + random.below(50))),
          unloadingWeight: hundredths(BigInt(unloading)),
          ratePerMT: hundredthsBelow(300_000),
          tdsPercentage: random.pick(['0.1', '1', '2.0', '20']),
          advanceMoney: hundredthsBelow(2_000_000),
          discountWeight: random.chance(0.3) ? hundredthsBelow(20) : undefined,
          discounterId: random.chance(0.3) ? random.pick(others).id : null,
          ...(random.chance(0.5) && {
            petrolPumpId: pump.id,
            hsdPricePerLiter: hundredthsBelow(12_000),
            hsdInLiters: hundredthsBelow(30_000),
          }),
          loadingDate: random.pick(['2026-04-10', '2026-04-10T18:29:59.999Z', '2026-04-09T20:00:00Z']),
          vehicleWheel: random.pick([undefined, null, 10, 12]),
          paymentStatus: random.chance(0.1),
          remarks: random.pick([undefined, '', 'a\nb']),
        },
      );
    });
    const rowsInTable = () =>
      api.inTenant(tenant, async (db) => {
        const { rows } = await db.query<{ row: unknown }>(
          `SELECT to_jsonb(c) - 'id' - 'challan_number' - 'created_at' - 'updated_at'
             || jsonb_build_object('paid_at', paid_at IS NOT NULL) AS row
           FROM challans c WHERE subadmin_id = $1 AND deleted_at IS NULL ORDER BY tp_no`,
          [tenant.id],
        );
        return rows;
      });
    const { body } = await commit(bodies.map((challan, index) => ({ key: String(index), ...challan })));
    expect(body.data.created).toHaveLength(300);
    const many = await rowsInTable();
    await api.inTenant(tenant, (db) =>
      db.query('UPDATE challans SET deleted_at = now() WHERE subadmin_id = $1', [tenant.id]),
    );
    for (const challan of bodies) await api.call(challans.create, { body: challan }, as());
    expect(many).toEqual(await rowsInTable());
  }, 60_000);
});

describe('the undo of a sheet', () => {
  it('raced with a payment of its challans: each is taken back unpaid, or stays and is paid', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { body } = await commit(Array.from({ length: 30 }, (_, index) => row(String(index))));
      const ids = body.data.created.map(({ id }) => id);
      const [undone, paid] = await Promise.all([
        api.call(batches.undo, { params: { id: body.data.batch.id } }, as()),
        api.call(contract.bankStatement.markPaid, { body: { challanIds: ids } }, as()),
      ]);
      expect(undone.status).toBe(200);
      if (paid.status === 200) expect([undone.body.data.undone, undone.body.data.leftCount]).toEqual([0, 30]);
      else expect([paid.status, undone.body.data.undone]).toEqual([404, 30]);
    }
    await holdsTogether();
  });

  it('leaves the edited and the paid row, and takes the others out of every sum', async () => {
    const { body } = await commit([row('a'), row('b'), row('c', { paymentStatus: true }), row('d')]);
    const { batch, created } = body.data;
    const [a, b, c, d] = created;
    await api.call(challans.update, { params: { id: b!.id }, body: { remarks: 'seen' } }, as());
    await api.call(challans.update, { params: { id: d!.id }, body: { paymentStatus: true } }, as());
    const undone = await api.call(batches.undo, { params: { id: batch.id } }, as());
    expect(undone.body.data.undone).toBe(1);
    expect(undone.body.data.left.map(({ id }) => id)).toEqual([b!.id, c!.id, d!.id]);
    expect((await api.call(challans.get, { params: { id: a!.id } }, as())).status).toBe(404);
    const { summary } = (await api.call(challans.list, {}, as())).body;
    expect(summary).toMatchObject({
      totalCount: 3,
      totalAmount: sum([b!, c!, d!].map(({ netAmountPayable }) => netAmountPayable)),
    });
    await holdsTogether();
  });
});

describe('random sheets', () => {
  const upTo = (most: bigint) => fc.bigInt(0n, most);
  const amounts: fc.Arbitrary<OracleInput> = fc.record({
    loading: upTo(6_000n),
    unloading: upTo(6_000n),
    rate: upTo(300_000n),
    tdsPercent: fc.bigInt(1n, 1000n).map((tenths) => tenths * 10n),
    hsdPrice: upTo(12_000n),
    liters: upTo(40_000n),
    advance: upTo(1_500_000n),
    office: upTo(20_000n),
    discount: upTo(20n),
    materialRate: upTo(300_000n),
  });

  it('agree with the oracle to the paisa, row by row, in the batch and in the totals', async () => {
    const pump = await createPump(api, tenant);
    await fc.assert(
      fc.asyncProperty(fc.array(amounts, { minLength: 1, maxLength: 60 }), async (sheet) => {
        const text = (value: bigint | null): string => hundredths(value ?? 0n);
        const expected = sheet.map(oracle);
        const rows = sheet.map((one, index) =>
          row(String(index), {
            petrolPumpId: pump.id,
            loadingWeight: text(one.loading),
            unloadingWeight: text(one.unloading),
            ratePerMT: text(one.rate),
            tdsPercentage: text(one.tdsPercent),
            hsdPricePerLiter: text(one.hsdPrice),
            hsdInLiters: text(one.liters),
            advanceMoney: text(one.advance),
            officeCharges: text(one.office),
            discountWeight: text(one.discount),
            materialShortageAmount: text(expected[index]!.materialShortage),
          }),
        );
        const before = (await api.call(challans.list, {}, as())).body.summary;
        const { body } = await commit(rows);
        const nets = expected.map(({ net }) => hundredths(net!));
        expect(body.data.created.map(({ netAmountPayable }) => netAmountPayable)).toEqual(nets);
        expect(body.data.batch.amount).toBe(sum(nets));
        const after = (await api.call(challans.list, {}, as())).body.summary;
        expect(subtract(after.totalAmount, before.totalAmount)).toBe(sum(nets));
        const [first] = expected;
        const stored = await get(body.data.created[0]!.id);
        expect([stored.tdsAmount, stored.hsdAmount, stored.shortageAmount, stored.differenceWeight]).toEqual(
          [first!.tds, first!.hsd, first!.shortage, first!.difference!].map(hundredths),
        );
      }),
      { numRuns: long(12), seed: testSeed('random sheets') },
    );
    await holdsTogether();
  });
});

describe('a thousand rows', () => {
  it('are committed, checked and undone at once', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => row(String(index), { advanceMoney: `${index}.37` }));
    const { status, body } = await commit(rows);
    expect([status, body.data.created.length, body.data.batch.title]).toEqual([201, 1_000, '1,000 challans']);
    const check = await api.call(
      challans.checkSheet,
      {
        body: {
          rows: rows.map(({ key, tpNo, vehicleNo, ownerName, loadingDate }) => ({
            key,
            tpNo,
            vehicleNo,
            ownerName,
            loadingDate,
          })),
        },
      },
      as(),
    );
    expect(check.body.data.twins).toHaveLength(1_000);
    const undone = await api.call(batches.undo, { params: { id: body.data.batch.id } }, as());
    expect([undone.body.data.undone, undone.body.data.leftCount]).toEqual([1_000, 0]);
    expect(await countOf()).toBe(0);
    await holdsTogether();
  });
});

describe('the check of a sheet', () => {
  const check = async (rows: Parameters<typeof api.call<typeof challans.checkSheet>>[1]['body']['rows']) =>
    (await api.call(challans.checkSheet, { body: { rows } }, as())).body.data;

  it('says the TDS percentage of the last challan of each owner that is found', async () => {
    const tag = await createTag(api, tenant);
    const [named, driven, none] = [
      await createOwner(api, tenant, { name: 'Named Owner' }),
      await createOwner(api, tenant, { name: 'Driven Owner' }),
      await createOwner(api, tenant, { name: 'None Yet' }),
    ];
    await createTruck(api, tenant, driven.id, { truckNumber: 'OD 11 AA 0001' });
    for (const [owner, tdsPercentage] of [
      [named, '1.0'],
      [named, '2.0'],
      [driven, '0.5'],
    ] as const) {
      await createChallan(api, tenant, { ownerId: owner.id, tagId: tag.id }, { tdsPercentage });
    }
    const found = await check([
      { key: '1', vehicleNo: 'OD11AA0001', ownerName: 'named owner' },
      { key: '2', ownerName: none.name },
    ]);
    expect(new Map(found.lastTds.map(({ ownerId, tdsPercentage }) => [ownerId, tdsPercentage]))).toEqual(
      new Map([
        [named.id, '2.0'],
        [driven.id, '0.5'],
      ]),
    );
  });

  it('answers each text once, letter for letter, also what is not found', async () => {
    const owner = await createOwner(api, tenant, { name: 'Bijay  Kumar', panNo: 'ABCDE1234F' });
    const truck = await createTruck(api, tenant, owner.id, { truckNumber: 'OD 09 AB 9999' });
    const tag = await createTag(api, tenant, { name: 'KOEL' });
    const found = await check([
      { key: '1', vehicleNo: 'od-09ab9999', ownerName: 'bijay kumar', tagName: 'koel', petrolPumpName: 'Nobody' },
      { key: '2', vehicleNo: 'od-09ab9999', ownerName: ' BIJAY KUMAR ', discounterName: 'bijay kumar', tagName: 'x' },
      { key: '3', vehicleNo: 'OD00', ownerName: '', tagName: '\u0000', tpNo: '\ud83d', loadingDate: 'soon' },
    ]);
    const vehicle = {
      truckNumber: truck.truckNumber,
      typeOfVehicle: truck.typeOfVehicle,
      noOfWheels: truck.noOfWheels,
    };
    expect(found.vehicles).toEqual([
      {
        asked: 'od-09ab9999',
        found: { owner: { id: owner.id, name: owner.name, contactNumber: owner.contactNumber }, vehicle },
      },
      { asked: 'OD00', found: null },
    ]);
    const candidate = {
      id: owner.id,
      name: owner.name,
      contactNumber: owner.contactNumber,
      address: owner.address,
      branchName: owner.branchName,
      panEnding: '234F',
    };
    expect(found.owners).toEqual([
      { asked: 'bijay kumar', found: [candidate] },
      { asked: ' BIJAY KUMAR ', found: [candidate] },
    ]);
    expect(found.tags).toEqual([
      { asked: 'koel', found: [{ id: tag.id, name: 'KOEL', color: tag.color }] },
      { asked: 'x', found: [] },
    ]);
    expect(found.petrolPumps).toEqual([{ asked: 'Nobody', found: [] }]);
    expect(found.twins).toEqual([]);
  });

  it('finds all of one name, none that is deleted and none of another business', async () => {
    const [first, second, gone] = [
      await createOwner(api, tenant, { name: 'Twin' }),
      await createOwner(api, tenant, { name: 'TWIN' }),
      await createOwner(api, tenant, { name: 'twin' }),
    ];
    await api.call(owners.remove, { params: { id: gone.id } }, as());
    const other = await api.addTenant();
    await createOwner(api, other, { name: 'Twin' });
    const pumps = [await createPump(api, tenant, { name: 'Pump' }), await createPump(api, tenant, { name: 'Pump' })];
    const found = await check([{ key: '1', ownerName: 'twin', petrolPumpName: 'pump' }]);
    expect(found.owners[0]?.found.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
    expect(found.petrolPumps[0]?.found.map(({ id }) => id).toSorted()).toEqual(pumps.map(({ id }) => id).toSorted());
  });

  it('names the stored twins of each row, at most three, never a deleted one', async () => {
    const trip = { vehicleNo: 'OD 09 ZZ 1', loadingDate: '2026-04-10' };
    const sameTp = [];
    for (let n = 0; n < 4; n += 1) sameTp.push(await createChallan(api, tenant, refs, { tpNo: '240 90 77' }));
    const sameTrip = await createChallan(api, tenant, refs, trip);
    const deleted = await createChallan(api, tenant, refs, trip);
    await api.call(challans.remove, { params: { id: deleted.id } }, as());
    await createChallan(api, tenant, refs, { ...trip, loadingDate: '2026-04-09' });
    const { twins } = await check([
      { key: 'tp', tpNo: '2409077.0' },
      { key: 'trip', vehicleNo: 'od09zz1', loadingDate: '2026-04-09T19:00:00.000Z' },
      { key: 'none', tpNo: 'another', vehicleNo: 'OD09ZZ1', loadingDate: '2026-04-11' },
      { key: 'day', vehicleNo: 'OD09ZZ2', loadingDate: '2026-04-10' },
    ]);
    expect(
      twins.map(({ key, sameTp: tp, sameTrip: same }) => [key, tp.map(({ id }) => id), same.map(({ id }) => id)]),
    ).toEqual([
      [
        'tp',
        sameTp
          .slice(1)
          .map(({ id }) => id)
          .reverse(),
        [],
      ],
      ['trip', [], [sameTrip.id]],
    ]);
    expect(twins[1]?.sameTrip[0]).toEqual({
      id: sameTrip.id,
      challanNumber: sameTrip.challanNumber,
      tpNo: sameTrip.tpNo,
      vehicleNo: sameTrip.vehicleNo,
      loadingDate: sameTrip.loadingDate,
    });
  });
});
