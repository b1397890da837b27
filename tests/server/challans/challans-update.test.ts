import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createPump, createTag, type ChallanBody } from '../support/builders.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { assertLedger, assertTotals } from '../support/ledger.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { challans } = contract;
type Change = BodyInput<typeof challans.update>;

interface Desk {
  tenant: Tenant;
  pumpId: string;
  tagId: string;
  create: (over?: Partial<ChallanBody>) => ReturnType<typeof createChallan>;
  change: (id: string, body: Change) => ReturnType<typeof call>;
  get: (id: string) => Promise<Awaited<ReturnType<typeof createChallan>>>;
  raw: (id: string, body: unknown) => ReturnType<Api['callRaw']>;
}

const call = (tenant: Tenant, id: string, body: Change) =>
  api.call(challans.update, { params: { id }, body }, { token: tenant.token });

async function openDesk(): Promise<Desk> {
  const tenant = await api.addTenant();
  const owner = await createOwner(api, tenant);
  const tag = await createTag(api, tenant);
  const pump = await createPump(api, tenant);
  const { token } = tenant;
  return {
    tenant,
    pumpId: pump.id,
    tagId: tag.id,
    create: (over) => createChallan(api, tenant, { ownerId: owner.id, tagId: tag.id }, over),
    change: (id, body) => call(tenant, id, body),
    get: async (id) => (await api.call(challans.get, { params: { id } }, { token })).body.data,
    raw: (id, body) => api.callRaw('PUT', `/api/challans/${id}`, { token, body }),
  };
}

/** The row as the database has it, every column, without what each save changes. */
async function stored(desk: Desk, id: string): Promise<Record<string, unknown>> {
  return api.inTenant(desk.tenant, async (db) => {
    const { rows } = await db.query<Record<string, unknown>>(
      'SELECT * FROM challans WHERE subadmin_id = $1 AND id = $2',
      [desk.tenant.id, id],
    );
    const { updated_at: _at, version: _version, ...rest } = rows[0] ?? {};
    return rest;
  });
}

const withPump = (desk: Desk): Partial<ChallanBody> => ({
  petrolPumpId: desk.pumpId,
  hsdPricePerLiter: '92.64',
  hsdInLiters: '10.00',
  materialShortageAmount: '12.50',
});

describe('changing a challan', () => {
  it('changes what was sent and nothing else, to the byte', async () => {
    const desk = await openDesk();
    const made = await desk.create({ ...withPump(desk), loadingDate: '2026-04-10T05:17:00Z' });
    const before = await stored(desk, made.id);
    const answer = await desk.change(made.id, { remarks: 'Slip attached', version: made.version });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      ...made,
      remarks: 'Slip attached',
      version: 2,
      updatedAt: answer.body.data.updatedAt,
    });
    expect(await stored(desk, made.id)).toEqual({ ...before, remarks: 'Slip attached' });
    const history = await historyOf(api, desk.tenant, made.id);
    expect(history.at(-1)).toMatchObject({ action: 'updated', changes: { remarks: ['', 'Slip attached'] } });
  });

  it('keeps every figure and the time of day when the whole form comes back with one remark changed', async () => {
    const desk = await openDesk();
    const made = await desk.create({ ...withPump(desk), loadingDate: '2026-04-10T05:17:00Z' });
    const before = await stored(desk, made.id);
    const sent = Object.keys(challans.update.body.shape);
    const form = Object.fromEntries(Object.entries(made).filter(([field]) => sent.includes(field)));
    const answer = await desk.raw(made.id, {
      ...form,
      discounterId: null,
      tagId: desk.tagId,
      petrolPumpId: desk.pumpId,
      loadingDate: '2026-04-10',
      unloadingDate: '2026-04-11',
      depositedAt: '2026-04-12',
      paymentStatus: false,
      remarks: 'only this',
      version: 1,
    });
    expect(answer.status).toBe(200);
    expect(await stored(desk, made.id)).toEqual({ ...before, remarks: 'only this' });
  });

  it('works the sums out again from what changed, and keeps the stored material shortage', async () => {
    const desk = await openDesk();
    const made = await desk.create(withPump(desk));
    const answer = await desk.change(made.id, { ratePerMT: '1100' });
    // 24.90 × 1,100 = 27,390.00; TDS 273.90; HSD 926.40; 27,390 − 273.90 − 926.40 − 5,000 − 12.50 − 100 = 21,077.20.
    expect(answer.body.data).toMatchObject({
      tdsAmount: '273.90',
      hsdAmount: '926.40',
      shortageAmount: '110.00',
      materialShortageAmount: '12.50',
      netAmountPayable: '21077.20',
    });
    const lighter = await desk.change(made.id, { unloadingWeight: '25.00' });
    // Nothing is missing any more: no shortage is left to charge, whatever its rate was.
    expect(lighter.body.data).toMatchObject({
      differenceWeight: '0.00',
      shortageAmount: '0.00',
      materialShortageAmount: '0.00',
      // 27,500.00 − 275.00 − 926.40 − 5,000 − 100
      netAmountPayable: '21198.60',
    });
    await api.inTenant(desk.tenant, assertTotals);
  });

  it('keeps a challan without its TDS percentage to the paisa, and uses the computed-back one for a new rate', async () => {
    const desk = await openDesk();
    const made = await desk.create({ tdsPercentage: '2.0' });
    await api.inTenant(desk.tenant, (db) =>
      db.query('UPDATE challans SET tds_percentage = NULL WHERE subadmin_id = $1', [desk.tenant.id]),
    );
    const remarked = await desk.change(made.id, { remarks: 'x' });
    expect(remarked.body.data).toMatchObject({
      tdsPercentage: null,
      tdsAmount: '498.00',
      netAmountPayable: '19302.00',
    });
    const rated = await desk.change(made.id, { ratePerMT: '2000' });
    expect(rated.body.data).toMatchObject({ tdsAmount: '996.00' });
  });

  it('refuses a figure that does not follow from the challan as it would be', async () => {
    const desk = await openDesk();
    const made = await desk.create();
    const answer = await desk.change(made.id, { ratePerMT: '1100', netAmountPayable: '19551.00' });
    expectRefusal(answer, 400, 'AMOUNT_MISMATCH');
    expect(Object.keys(answer.error.fields ?? {})).toEqual(['netAmountPayable']);
    expect(await desk.get(made.id)).toEqual(made);
  });

  it('checks the dates against those that are stored', async () => {
    const desk = await openDesk();
    const made = await desk.create();
    const late = await desk.change(made.id, { loadingDate: '2026-04-12' });
    expectRefusal(late, 400, 'VALIDATION_ERROR', 'Loading date cannot be after unloading date');
    const early = await desk.change(made.id, { depositedAt: '2026-04-10' });
    expectRefusal(early, 400, 'VALIDATION_ERROR', 'Deposited date cannot be before unloading date');
    expect(await desk.get(made.id)).toEqual(made);
  });

  it('refuses the owner, an unknown field and a JSON number for money, and changes nothing', async () => {
    const desk = await openDesk();
    const made = await desk.create();
    const bodies = [
      'ownerId',
      'id',
      'subadminId',
      'challanNumber',
      'hsdVerified',
      'deletedAt',
      'createdAt',
      'paidAt',
    ].map((field) => ({ remarks: 'x', [field]: made.owner.id }));
    for (const body of bodies) expectRefusal(await desk.raw(made.id, body), 400, 'UNKNOWN_FIELD');
    for (const body of [
      { advanceMoney: 5 },
      { paymentStatus: null },
      { paymentStatus: 'true' },
      { paymentStatus: 1 },
    ]) {
      expectRefusal(await desk.raw(made.id, { remarks: 'x', ...body }), 400, 'VALIDATION_ERROR');
    }
    expect(await desk.get(made.id)).toEqual(made);
  });

  it('does nothing, not even a new version, when nothing differs', async () => {
    const desk = await openDesk();
    const made = await desk.create();
    const answer = await desk.change(made.id, { material: made.material, advanceMoney: '5000', paymentStatus: false });
    expect(answer.body.data).toEqual(made);
    expect(await historyOf(api, desk.tenant, made.id)).toHaveLength(1);
  });

  it('lets the second of two editors know, with the record as it is now', async () => {
    const desk = await openDesk();
    const made = await desk.create();
    const both = await Promise.all([
      desk.change(made.id, { remarks: 'first', version: 1 }),
      desk.change(made.id, { remarks: 'second', version: 1 }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const stale = both.find(({ status }) => status === 409);
    const won = both.find(({ status }) => status === 200);
    expect(stale?.error.code).toBe('VERSION_CONFLICT');
    expect(stale?.error.data).toEqual(won?.body.data);
    expect(await desk.get(made.id)).toEqual(won?.body.data);
  });

  it('refuses foreign and deleted records, and lets a challan keep a pump that was hidden since', async () => {
    const desk = await openDesk();
    const other = await openDesk();
    const made = await desk.create(withPump(desk));
    for (const change of [
      { tagId: unknownId },
      { tagId: other.tagId },
      { petrolPumpId: other.pumpId },
      { discounterId: unknownId },
    ]) {
      const answer = await desk.change(made.id, { remarks: 'x', ...change });
      expectRefusal(answer, 400, 'INVALID_REFERENCE');
      expect(Object.keys(answer.error.fields ?? {})).toEqual([Object.keys(change)[0]]);
    }
    await api.call(contract.petrolPumps.remove, { params: { id: desk.pumpId } }, { token: desk.tenant.token });
    const kept = await desk.change(made.id, { petrolPumpId: desk.pumpId, remarks: 'kept' });
    expect(kept.body.data.petrolPump?.id).toBe(desk.pumpId);
    const cleared = await desk.change(made.id, { petrolPumpId: null });
    expect(cleared.status).toBe(200);
    expectRefusal(await desk.change(made.id, { petrolPumpId: desk.pumpId }), 400, 'INVALID_REFERENCE');
  });
});

describe('the petrol pump and its verification', () => {
  const verify = (desk: Desk, id: string, hsdVerified = true) =>
    api.call(challans.setHsdVerified, { params: { id }, body: { hsdVerified } }, { token: desk.tenant.token });

  it('is verified and unverified, each once in the history', async () => {
    const desk = await openDesk();
    const made = await desk.create(withPump(desk));
    const verified = await verify(desk, made.id);
    expect(verified.body.data).toMatchObject({ hsdVerified: true, version: 2 });
    expect(verified.body.data.hsdVerifiedAt).not.toBeNull();
    expect((await verify(desk, made.id)).body.data).toEqual(verified.body.data);
    expect((await verify(desk, made.id, false)).body.data).toMatchObject({ hsdVerified: false, hsdVerifiedAt: null });
    expect((await historyOf(api, desk.tenant, made.id)).map(({ changes }) => changes)).toEqual([
      {},
      { hsdVerified: [false, true] },
      { hsdVerified: [true, false] },
    ]);
  });

  it('is refused without a pump', async () => {
    const desk = await openDesk();
    const made = await desk.create();
    expectRefusal(await verify(desk, made.id), 409, 'NO_PETROL_PUMP');
    expect(await desk.get(made.id)).toEqual(made);
  });

  it('is taken back by a new TP number, pump or HSD figure, with the reason, and by nothing else', async () => {
    const desk = await openDesk();
    const secondPump = await createPump(api, desk.tenant);
    const changes: [Change, string[]][] = [
      [{ tpNo: 'Y0123457' }, ['TP No']],
      [{ petrolPumpId: secondPump.id }, ['Petrol Pump']],
      [{ hsdPricePerLiter: '93.00' }, ['HSD Price per Liter', 'HSD Amount']],
      [{ hsdInLiters: '11' }, ['HSD in Liters', 'HSD Amount']],
      [{ petrolPumpId: null }, ['Petrol Pump', 'HSD in Liters', 'HSD Amount']],
    ];
    for (const [change, reasons] of changes) {
      const made = await desk.create(withPump(desk));
      await verify(desk, made.id);
      const answer = await desk.change(made.id, change);
      expect(answer.body.data).toMatchObject({ hsdVerified: false, hsdVerifiedAt: null });
      const last = (await historyOf(api, desk.tenant, made.id)).at(-1);
      expect(last?.changes.hsdVerified).toEqual([true, false]);
      expect(last?.changes.hsdVerifiedReason).toEqual(['', `Cleared by a change of ${reasons.join(', ')}`]);
    }
    const made = await desk.create(withPump(desk));
    await verify(desk, made.id);
    const kept = await desk.change(made.id, { ratePerMT: '900', vehicleNo: 'OD01A1', tpNo: made.tpNo });
    expect(kept.body.data.hsdVerified).toBe(true);
  });

  it('sets litres and amount to 0 when the pump is cleared, and refuses litres without one', async () => {
    const desk = await openDesk();
    const made = await desk.create(withPump(desk));
    const cleared = await desk.change(made.id, { petrolPumpId: null });
    expect(cleared.body.data).toMatchObject({
      petrolPump: null,
      hsdInLiters: '0.00',
      hsdAmount: '0.00',
      hsdPricePerLiter: '92.64',
      netAmountPayable: '19538.50',
    });
    const litres = await desk.change(made.id, { hsdInLiters: '5' });
    expectRefusal(litres, 400, 'VALIDATION_ERROR', 'Petrol pump selection is required to enter HSD in liters');
  });
});

describe('the payment of a challan', () => {
  const batches = async (desk: Desk) =>
    (await api.call(contract.paymentBatches.list, {}, { token: desk.tenant.token })).body.data;

  it('is toggled through the ledger, and asking for what is so already does nothing', async () => {
    const desk = await openDesk();
    const made = await desk.create();
    const paid = await desk.change(made.id, { paymentStatus: true });
    expect(paid.body.data).toMatchObject({ paymentStatus: true, version: 2 });
    expect((await desk.change(made.id, { paymentStatus: true })).body.data).toEqual(paid.body.data);
    expect(await batches(desk)).toHaveLength(1);
    const unpaid = await desk.change(made.id, { paymentStatus: false });
    expect(unpaid.body.data).toMatchObject({ paymentStatus: false, paidAt: null });
    await desk.change(made.id, { paymentStatus: true });
    expect(await batches(desk)).toHaveLength(2);
    await api.inTenant(desk.tenant, assertLedger);
    await api.inTenant(desk.tenant, assertTotals);
  });

  it('keeps its ledger line equal to the net when the money of a paid challan changes', async () => {
    const desk = await openDesk();
    const made = await desk.create({ paymentStatus: true });
    const changed = await desk.change(made.id, { advanceMoney: '4000' });
    expect(changed.body.data).toMatchObject({ paymentStatus: true, netAmountPayable: '20551.00' });
    expect((await batches(desk)).map(({ totalAmount, kind }) => [kind, totalAmount])).toEqual([
      ['single', '20551.00'],
      ['single', '19551.00'],
    ]);
    const { rows } = await api.inTenant(desk.tenant, (db) =>
      db.query<{ kind: string; amount: string; reason: string }>(
        'SELECT kind, amount, reason FROM payment_lines WHERE subadmin_id = $1 ORDER BY pay_cycle, kind',
        [desk.tenant.id],
      ),
    );
    expect(rows).toEqual([
      { kind: 'pay', amount: '19551.00', reason: '' },
      { kind: 'reverse', amount: '19551.00', reason: 'Net amount payable changed from ₹19,551.00 to ₹20,551.00' },
      { kind: 'pay', amount: '20551.00', reason: '' },
    ]);
    await api.inTenant(desk.tenant, assertLedger);
    await api.inTenant(desk.tenant, assertTotals);
  });

  it('stays with the batch that paid it when anything but the net changes', async () => {
    const desk = await openDesk();
    const made = await desk.create({ paymentStatus: true });
    const changed = await desk.change(made.id, { remarks: 'x', material: 'Coal', depositedAt: '2026-05-01' });
    expect(changed.body.data).toMatchObject({ paymentStatus: true, paidAt: made.paidAt });
    expect(await batches(desk)).toHaveLength(1);
    await api.inTenant(desk.tenant, assertLedger);
  });

  it('can be unmarked and the money changed in one save, and the other way round', async () => {
    const desk = await openDesk();
    const made = await desk.create({ paymentStatus: true });
    const unmarked = await desk.change(made.id, { advanceMoney: '4000', paymentStatus: false });
    expect(unmarked.body.data).toMatchObject({ paymentStatus: false, netAmountPayable: '20551.00' });
    const marked = await desk.change(made.id, { advanceMoney: '3000', paymentStatus: true });
    expect(marked.body.data).toMatchObject({ paymentStatus: true, netAmountPayable: '21551.00' });
    expect((await batches(desk)).map(({ totalAmount }) => totalAmount)).toEqual(['21551.00', '19551.00']);
    await api.inTenant(desk.tenant, assertLedger);
  });

  it('is never undone by a stale save: with its version 409, without mention untouched', async () => {
    const desk = await openDesk();
    const made = await desk.create();
    await api.call(
      contract.bankStatement.markPaid,
      { body: { challanIds: [made.id] } },
      { token: desk.tenant.token, key: made.id },
    );
    expectRefusal(
      await desk.change(made.id, { remarks: 'stale', paymentStatus: false, version: made.version }),
      409,
      'VERSION_CONFLICT',
    );
    const saved = await desk.change(made.id, { remarks: 'later' });
    expect(saved.body.data).toMatchObject({ remarks: 'later', paymentStatus: true });
    await api.inTenant(desk.tenant, assertLedger);
  });

  it('ends as the last of 40 toggles at once says, with a ledger that agrees', async () => {
    const desk = await openDesk();
    const made = await desk.create();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => desk.change(made.id, { paymentStatus: index % 2 === 0 })),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    const newest = answers.map(({ body }) => body.data).sort((a, b) => b.version - a.version)[0];
    expect((await desk.get(made.id)).paymentStatus).toBe(newest?.paymentStatus);
    await api.inTenant(desk.tenant, assertLedger);
    await api.inTenant(desk.tenant, assertTotals);
  });
});
