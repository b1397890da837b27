import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeftRecord } from '../../../src/shared/contract/batches.ts';
import type { Challan } from '../../../src/shared/contract/challan.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { NewBatch, WrittenRecord } from '../../../src/server/features/batches/batches.queries.ts';
import {
  lockChallans,
  updateChallans,
  type WrittenValues,
} from '../../../src/server/features/challans/challans-many.queries.ts';
import { recordBatch } from '../../../src/server/features/batches/batches.service.ts';
import { callerOf, startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createPump, createTag, createTruck } from '../support/builders.ts';
import { assertLedger, assertTotals } from '../support/ledger.ts';

/** Batches and their undo (docs/specification.md §20). */
let api: Api;
let tenant: Tenant;
let ownerId: string;
let tagId: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function open(): Promise<void> {
  tenant = await api.addTenant();
  ownerId = (await createOwner(api, tenant)).id;
  tagId = (await createTag(api, tenant)).id;
}
beforeAll(open);

const as = (key?: string) => ({ token: tenant.token, ...(key ? { key } : {}) });
const make = (over: Parameters<typeof createChallan>[3] = {}) => createChallan(api, tenant, { ownerId, tagId }, over);
const created = ({ id, version }: { id: string; version: number }, record: WrittenRecord['record'] = 'challan') => ({
  record,
  id,
  versionAfter: version,
  before: null,
});
const record = (lines: WrittenRecord[], over: Partial<NewBatch> = {}) =>
  api.inTenant(tenant, (db) =>
    recordBatch(db, callerOf(tenant), { kind: 'sheet', title: 'a batch', amount: '0', lines, ...over }),
  );
const undo = (id: string, key?: string) => api.call(contract.batches.undo, { params: { id } }, as(key));
const get = async (id: string): Promise<Challan> =>
  (await api.call(contract.challans.get, { params: { id } }, as())).body.data;
const isGone = async (id: string): Promise<boolean> =>
  (await api.call(contract.challans.get, { params: { id } }, as())).status === 404;
const reasons = (left: readonly LeftRecord[]) => left.map(({ name, reason }) => [name, reason]);

/** Changes challans as an act on many does, and records it. */
async function change(challans: readonly Challan[], values: Partial<WrittenValues>) {
  return api.inTenant(tenant, async (db) => {
    const before = await lockChallans(
      db,
      challans.map(({ id }) => id),
    );
    await updateChallans(db, new Map(before.map(({ id }) => [id, values])));
    return recordBatch(db, callerOf(tenant), {
      kind: 'change',
      title: 'changed',
      amount: '0',
      lines: before.map((one) => ({
        record: 'challan',
        id: one.id,
        versionAfter: one.version + 1,
        before: { ...one },
      })),
    });
  });
}

describe('a batch', () => {
  it('is numbered by kind without a gap, also when an act fails, and listed newest first', async () => {
    await open();
    const challan = await make();
    const first = await record([created(challan)], { title: '1 challan', amount: '19551.00' });
    await expect(record([created(challan)], { title: '' })).rejects.toThrow();
    const second = await record([created(await make())]);
    const other = await record([created(await make())], { kind: 'import', facts: { file: 'old.xlsx' } });
    expect(first.number).toMatch(/^Sheet \d{4}-000001$/);
    expect(second.number).toMatch(/^Sheet \d{4}-000002$/);
    expect(other.number).toMatch(/^Import \d{4}-000001$/);
    expect(first).toMatchObject({
      kind: 'sheet',
      title: '1 challan',
      amount: '19551.00',
      lineCount: 1,
      createdBy: tenant.email,
      undoneAt: null,
      undoneCount: 0,
    });

    const all = await api.call(contract.batches.list, {}, as());
    expect(all.body.data.map(({ id }) => id)).toEqual([other.id, second.id, first.id]);
    const sheets = await api.call(contract.batches.list, { query: { kind: 'sheet', limit: 1 } }, as());
    expect(sheets.body.data).toEqual([second]);
    expect(sheets.body.pagination).toMatchObject({ totalCount: 2, totalPages: 2 });
    const got = await api.call(contract.batches.get, { params: { id: other.id } }, as());
    expect(got.body.data.facts).toEqual({ file: 'old.xlsx' });
    expect(got.body.data.lines).toEqual([
      { record: 'challan', id: expect.any(String), name: expect.stringMatching(/^CH-/), isCreated: true },
    ]);
  });
});

describe('the undo of what was created', () => {
  it('deletes what nobody touched, names the rest with its reason, and the totals agree', async () => {
    await open();
    const [plain, edited, paid, deleted] = await Promise.all([make(), make(), make(), make()]);
    const batch = await record([plain, edited, paid, deleted].map((challan) => created(challan)));
    await api.call(contract.challans.update, { params: { id: edited.id }, body: { remarks: 'seen' } }, as());
    await api.call(contract.challans.update, { params: { id: paid.id }, body: { paymentStatus: true } }, as());
    await api.call(contract.challans.remove, { params: { id: deleted.id } }, as());

    const { status, body } = await undo(batch.id);
    expect([status, body.data.undone, body.data.leftCount, body.data.undoneCount]).toEqual([200, 1, 2, 1]);
    expect(reasons(body.data.left)).toEqual([
      [edited.challanNumber, 'It was changed since.'],
      [paid.challanNumber, 'This challan is marked as paid. Unmark the payment before deleting it.'],
    ]);
    expect([await isGone(plain.id), await isGone(edited.id), await isGone(paid.id)]).toEqual([true, false, false]);
    await api.inTenant(tenant, assertTotals);
    await api.inTenant(tenant, assertLedger);
    const list = await api.call(contract.challans.list, {}, as());
    expect(list.body.summary.totalCount).toBe(2);

    const history = await api.call(contract.history.listChallan, { params: { id: plain.id } }, as());
    expect(history.body.data[0]?.action).toBe(`Deleted by undoing ${batch.number}`);
  });

  it('is done once: a second one is refused, and the same key gives the first answer again', async () => {
    await open();
    const batch = await record([created(await make())]);
    const key = 'undo-once';
    const first = await undo(batch.id, key);
    expect(first.status).toBe(200);
    expect((await undo(batch.id, key)).text).toBe(first.text);
    const again = await undo(batch.id);
    expect([again.status, again.error.code, again.error.message]).toEqual([
      409,
      'ALREADY_UNDONE',
      `${batch.number} was already undone.`,
    ]);
  });

  it('of two at once is done by one', async () => {
    await open();
    const batch = await record([created(await make()), created(await make())]);
    const answers = await Promise.all([undo(batch.id), undo(batch.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await api.inTenant(tenant, assertTotals);
  });

  it('can be tried again when it had to leave everything', async () => {
    await open();
    const challan = await make({ paymentStatus: true });
    const batch = await record([created(challan)]);
    const left = await undo(batch.id);
    expect([left.body.data.undone, left.body.data.leftCount, left.body.data.undoneAt]).toEqual([0, 1, null]);
  });
});

describe('the undo of a change', () => {
  it('sets every stored value back, figures too, and records it', async () => {
    await open();
    const pump = await createPump(api, tenant);
    const pumped = { petrolPumpId: pump.id, hsdPricePerLiter: '90.00', hsdInLiters: '10.00' };
    const challan = await make(pumped);
    await api.call(contract.challans.setHsdVerified, { params: { id: challan.id }, body: { hsdVerified: true } }, as());
    const before = await get(challan.id);
    const other = await createTag(api, tenant);
    const batch = await change([before], {
      tagId: other.id,
      remarks: 'changed',
      officeCharges: '200.00',
      netAmountPayable: '18551.00',
      hsdVerified: false,
      hsdVerifiedAt: null,
    });
    const changed = await get(challan.id);
    expect([changed.tag?.id, changed.netAmountPayable, changed.hsdVerified]).toEqual([other.id, '18551.00', false]);

    expect((await undo(batch.id)).body.data).toMatchObject({ undone: 1, leftCount: 0 });
    const after = await get(challan.id);
    expect({ ...after, version: 0, updatedAt: '' }).toEqual({ ...before, version: 0, updatedAt: '' });
    await api.inTenant(tenant, assertTotals);
    const history = await api.call(contract.history.listChallan, { params: { id: challan.id } }, as());
    const [line] = history.body.data;
    expect(line?.action).toBe(`Set back by undoing ${batch.number}`);
    expect(line?.changes.find(({ field }) => field === 'netAmountPayable')).toMatchObject({
      before: '18551.00',
      after: before.netAmountPayable,
    });
  });

  it('writes to each challan only what is given for it, of every kind of value, and sets it back', async () => {
    await open();
    const discounter = await createOwner(api, tenant);
    const over = { discounterId: discounter.id, vehicleWheel: 12, driverName: 'Ravi', remarks: 'first' };
    const [one, two] = [await make(over), await make(over)];
    const given = new Map<string, Partial<WrittenValues>>([
      [one.id, { discounterId: null, vehicleWheel: 14, remarks: 'it\'s "new"', depositedAt: null }],
      [two.id, { vehicleWheel: null, driverName: '', officeCharges: '200.00', netAmountPayable: '19451.00' }],
    ]);
    const batch = await api.inTenant(tenant, async (db) => {
      const before = await lockChallans(db, [...given.keys()]);
      await updateChallans(db, given);
      const lines = before.map((challan) => ({
        record: 'challan' as const,
        id: challan.id,
        versionAfter: challan.version + 1,
        before: { ...challan },
      }));
      return recordBatch(db, callerOf(tenant), { kind: 'change', title: 'changed', amount: '0', lines });
    });
    const after = { ...one, discounter: null, vehicleWheel: 14, remarks: `it's "new"`, depositedAt: null };
    expect(await get(one.id)).toEqual({ ...after, version: 2, updatedAt: expect.any(String) });
    const other = { ...two, vehicleWheel: null, driverName: '', officeCharges: '200.00', netAmountPayable: '19451.00' };
    expect(await get(two.id)).toEqual({ ...other, version: 2, updatedAt: expect.any(String) });
    expect((await undo(batch.id)).body.data).toMatchObject({ undone: 2, left: [] });
    for (const challan of [one, two]) {
      expect(await get(challan.id)).toEqual({ ...challan, version: 3, updatedAt: expect.any(String) });
    }
    await api.inTenant(tenant, assertTotals);
  });

  it('leaves a challan whose tag of before is gone, one whose paid net would change, and a later change', async () => {
    await open();
    const lonely = await createTag(api, tenant);
    const [dead, paid, paidSame, edited, deleted] = [
      await make({ tagId: lonely.id }),
      await make(),
      await make(),
      await make(),
      await make(),
    ];
    const order = [dead, paid, paidSame, edited, deleted].map(({ id }) => id);
    const money = { officeCharges: '200.00', netAmountPayable: '19451.00' };
    const batch = await api.inTenant(tenant, async (db) => {
      const locked = await lockChallans(db, order);
      await updateChallans(
        db,
        new Map(locked.map(({ id }) => [id, id === paidSame.id ? { remarks: 'x' } : { ...money, tagId }])),
      );
      await db.query(
        `UPDATE challans SET payment_status = true, paid_at = now() WHERE subadmin_id = $1 AND id = ANY ($2)`,
        [tenant.id, [paid.id, paidSame.id]],
      );
      return recordBatch(db, callerOf(tenant), {
        kind: 'change',
        title: 'changed',
        amount: '0',
        lines: locked
          .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
          .map((one) => ({ record: 'challan', id: one.id, versionAfter: one.version + 1, before: { ...one } })),
      });
    });
    await api.call(contract.tags.remove, { params: { id: lonely.id } }, as());
    await api.call(contract.challans.update, { params: { id: edited.id }, body: { remarks: 'mine' } }, as());
    await api.call(contract.challans.remove, { params: { id: deleted.id } }, as());

    const { body } = await undo(batch.id);
    expect(body.data.undone).toBe(1);
    expect(reasons(body.data.left).toSorted()).toEqual(
      [
        [dead.challanNumber, 'Its tag of before was deleted since.'],
        [
          paid.challanNumber,
          'It is marked as paid, and its net amount payable would change. Unmark the payment before undoing the change.',
        ],
        [edited.challanNumber, 'It was changed since.'],
        [deleted.challanNumber, 'It was deleted since.'],
      ].toSorted(),
    );
    expect([(await get(paidSame.id)).remarks, (await get(edited.id)).remarks]).toEqual(['', 'mine']);
  });
});

describe('the undo of master data', () => {
  it('deletes trucks before their owners, and leaves what is in use', async () => {
    await open();
    const [free, withTruck, withChallan] = await Promise.all([
      createOwner(api, tenant),
      createOwner(api, tenant),
      createOwner(api, tenant),
    ]);
    const own = await createTruck(api, tenant, free.id);
    const [freeTag, usedTag, pump] = [
      await createTag(api, tenant),
      await createTag(api, tenant),
      await createPump(api, tenant),
    ];
    const batch = await record(
      [
        ...[free, withTruck, withChallan].map((owner) => created(owner, 'owner')),
        created(own, 'truck'),
        created(freeTag, 'tag'),
        created(usedTag, 'tag'),
        created(pump, 'petrol-pump'),
      ],
      { kind: 'import' },
    );
    await createTruck(api, tenant, withTruck.id);
    await make({ tagId: usedTag.id, discounterId: withChallan.id });

    const { body } = await undo(batch.id);
    expect(body.data.undone).toBe(4);
    expect(reasons(body.data.left)).toEqual([
      [withTruck.name, `Cannot delete owner "${withTruck.name}". It has 1 truck(s).`],
      [withChallan.name, `Cannot delete owner "${withChallan.name}". It has 1 challan(s).`],
      [usedTag.name, `Cannot delete tag "${usedTag.name}". It is currently assigned to 1 challan(s).`],
    ]);
    const trucks = await api.call(contract.trucks.list, {}, as());
    expect(trucks.body.data.map(({ ownerId: id }) => id)).toEqual([withTruck.id]);
    expect((await api.call(contract.owners.get, { params: { id: free.id } }, as())).status).toBe(404);
  });

  it('sets back what was changed, unless another record took its place', async () => {
    await open();
    const [tag, taken] = [await createTag(api, tenant), await createTag(api, tenant)];
    const first = await createOwner(api, tenant);
    const second = await createOwner(api, tenant);
    const truck = await createTruck(api, tenant, first.id);
    const [colored, renamed, moved] = [
      await api.call(contract.tags.update, { params: { id: tag.id }, body: { color: '#000000' } }, as()),
      await api.call(contract.tags.update, { params: { id: taken.id }, body: { name: 'Another' } }, as()),
      await api.call(contract.trucks.update, { params: { id: truck.id }, body: { ownerId: second.id } }, as()),
    ].map(({ body }) => body.data);
    const batch = await record(
      [
        { record: 'tag', id: tag.id, versionAfter: colored!.version, before: { color: tag.color } },
        { record: 'tag', id: taken.id, versionAfter: renamed!.version, before: { name: taken.name } },
        { record: 'truck', id: truck.id, versionAfter: moved!.version, before: { ownerId: first.id } },
      ],
      { kind: 'change' },
    );
    await createTag(api, tenant, { name: taken.name });
    await api.call(contract.owners.remove, { params: { id: first.id } }, as());

    const { body } = await undo(batch.id);
    expect(body.data.undone).toBe(1);
    expect(reasons(body.data.left)).toEqual([
      [truck.truckNumber, 'Its owner of before was deleted since.'],
      ['Another', 'Another tag has its name of before.'],
    ]);
    const back = await api.call(contract.tags.get, { params: { id: tag.id } }, as());
    expect(back.body.data.color).toBe(tag.color);
  });
});
