import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
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
import { expectRefusal, unknownId, withoutRequestId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { assertLedger } from '../support/ledger.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { challans } = contract;

interface Desk {
  tenant: Tenant;
  refs: { ownerId: string; tagId: string };
  pumpId: string;
  create: (over?: Partial<ChallanBody>) => ReturnType<typeof createChallan>;
  tryCreate: (over?: Record<string, unknown>, key?: string) => ReturnType<Api['callRaw']>;
  count: () => Promise<number>;
}

/** A business with an owner, a tag and a pump. */
async function openDesk(): Promise<Desk> {
  const tenant = await api.addTenant();
  const owner = await createOwner(api, tenant, { name: 'Bikash Mohanta', contactNumber: '9876543210' });
  const tag = await createTag(api, tenant, { name: 'JODA-PARADIP', color: '#10B981' });
  const pump = await createPump(api, tenant, { name: 'Patnaik Fuels Barbil' });
  const refs = { ownerId: owner.id, tagId: tag.id };
  return {
    tenant,
    refs,
    pumpId: pump.id,
    create: (over) => createChallan(api, tenant, refs, over),
    tryCreate: (over, key) =>
      api.callRaw('POST', '/api/challans', {
        token: tenant.token,
        ...(key === undefined ? {} : { key }),
        body: { ...buildChallan(refs), ...over },
      }),
    count: () =>
      api.inTenant(tenant, async (db) => {
        const { rows } = await db.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM challans WHERE subadmin_id = $1',
          [tenant.id],
        );
        return rows[0]?.n ?? -1;
      }),
  };
}

describe('creating a challan', () => {
  it('computes what is derived, numbers it and answers it whole', async () => {
    const desk = await openDesk();
    const body = buildChallan(desk.refs, {
      petrolPumpId: desk.pumpId,
      vehicleNo: ' od 09 ab 1234 ',
      tpNo: '000123456',
      hsdPricePerLiter: '92.64',
      hsdInLiters: '10',
      discountWeight: '0.05',
      materialShortageAmount: '12.5',
      remarks: 'Wet load\nchecked twice',
      vehicleType: 'Hyva',
      vehicleWheel: 12,
      loadingDate: '2026-04-10T20:00:00Z',
    });
    const answer = await api.call(challans.create, { body }, { token: desk.tenant.token });
    expect(answer.status).toBe(201);
    const { id, createdAt, updatedAt, challanNumber, ...rest } = answer.body.data;
    // 24.90 × 1,000 = 24,900.00; TDS 249.00; HSD 926.40; shortage (0.10 − 0.05) × 1,000 = 50.00, not deducted;
    // 24,900.00 − 249.00 − 926.40 − 5,000.00 − 12.50 − 100.00 = 18,612.10.
    expect(rest).toEqual({
      tpNo: '000123456',
      vehicleNo: 'OD 09 AB 1234',
      owner: { id: desk.refs.ownerId, name: 'Bikash Mohanta', contactNumber: '9876543210', holdReason: '' },
      ownerName: 'Bikash Mohanta',
      ownerContactNumber: '9876543210',
      discounter: null,
      tag: { id: desk.refs.tagId, name: 'JODA-PARADIP', color: '#10B981' },
      petrolPump: { id: desk.pumpId, name: 'Patnaik Fuels Barbil' },
      material: 'Iron ore fines',
      loadingDate: '2026-04-10T20:00:00.000Z',
      unloadingDate: '2026-04-10T18:30:00.000Z',
      loadingPlace: 'Joda',
      unloadingPlace: 'Paradip Port',
      loadingWeight: '25.00',
      unloadingWeight: '24.90',
      differenceWeight: '0.10',
      discountWeight: '0.05',
      ratePerMT: '1000.00',
      tdsPercentage: '1.0',
      tdsDeclaration: null,
      tdsAmount: '249.00',
      hsdPricePerLiter: '92.64',
      hsdInLiters: '10.00',
      hsdAmount: '926.40',
      advanceMoney: '5000.00',
      officeCharges: '100.00',
      shortageAmount: '50.00',
      materialShortageAmount: '12.50',
      netAmountPayable: '18612.10',
      vehicleType: 'Hyva',
      vehicleWheel: 12,
      driverName: '',
      drivingLicenseNo: '',
      dataEntryBy: '',
      remarks: 'Wet load\nchecked twice',
      paymentStatus: false,
      paidAt: null,
      payment: null,
      holdReason: '',
      hsdVerified: false,
      hsdVerifiedAt: null,
      depositedAt: '2026-04-11T18:30:00.000Z',
      version: 1,
    });
    expect(challanNumber).toMatch(/^CH-\d{4}-000001$/);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(new Date(updatedAt).toISOString()).toBe(updatedAt);
    const got = await api.call(challans.get, { params: { id } }, { token: desk.tenant.token });
    expect(got.body.data).toEqual(answer.body.data);
    expect((await historyOf(api, desk.tenant, id)).map(({ action }) => action)).toEqual(['created']);
  });

  it('numbers each account for itself and never twice, also after a delete', async () => {
    const desk = await openDesk();
    const other = await openDesk();
    const first = await desk.create();
    await desk.create();
    await api.call(challans.remove, { params: { id: first.id } }, { token: desk.tenant.token });
    const third = await desk.create();
    expect(third.challanNumber.slice(-6)).toBe('000003');
    expect((await other.create()).challanNumber.slice(-6)).toBe('000001');
  });

  it('gives 60 challans made at once 60 numbers', async () => {
    const desk = await openDesk();
    const made = await Promise.all(Array.from({ length: 60 }, () => desk.create()));
    expect(new Set(made.map(({ challanNumber }) => challanNumber)).size).toBe(60);
  });

  it('asks for an owner before anything else is wrong', async () => {
    const desk = await openDesk();
    for (const ownerId of [undefined, '', null]) {
      const answer = await desk.tryCreate({ ownerId });
      expect(answer.status).toBe(400);
      expect(answer.error.fields?.ownerId).toBe('Please select an owner before submitting');
    }
    expect(await desk.count()).toBe(0);
  });

  it('refuses records that are foreign, unknown or deleted, all with one answer', async () => {
    const desk = await openDesk();
    const other = await openDesk();
    const pump = await createPump(api, desk.tenant);
    await api.call(contract.petrolPumps.remove, { params: { id: pump.id } }, { token: desk.tenant.token });
    const cases: [string, string[]][] = [
      ['ownerId', [unknownId, other.refs.ownerId]],
      ['discounterId', [unknownId, other.refs.ownerId]],
      ['tagId', [unknownId, other.refs.tagId]],
      ['petrolPumpId', [unknownId, other.pumpId, pump.id]],
    ];
    for (const [field, ids] of cases) {
      const answers = [];
      for (const id of ids) answers.push(withoutRequestId(await desk.tryCreate({ [field]: id, hsdInLiters: '0' })));
      expect(answers[0]).toMatchObject({ status: 400, body: { code: 'INVALID_REFERENCE' } });
      expect(answers[0]?.body).toHaveProperty(['fields', field]);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    }
    expect(await desk.count()).toBe(0);
  });

  it('refuses a sent figure that is more than 0.01 off, and names it', async () => {
    const desk = await openDesk();
    const right = { differenceWeight: '0.10', tdsAmount: '249.00', hsdAmount: '0', shortageAmount: '100.00' };
    const answer = await desk.tryCreate({ ...right, netAmountPayable: '19551.02' });
    expectRefusal(answer, 400, 'AMOUNT_MISMATCH');
    expect(Object.keys(answer.error.fields ?? {})).toEqual(['netAmountPayable']);
    expect(answer.error.message).toContain('19551.00');
    for (const [field, value] of Object.entries({
      differenceWeight: '-0.10',
      tdsAmount: '249.02',
      hsdAmount: '1.00',
    })) {
      const wrong = await desk.tryCreate({ ...right, [field]: value });
      expectRefusal(wrong, 400, 'AMOUNT_MISMATCH');
      expect(Object.keys(wrong.error.fields ?? {})).toEqual([field]);
    }
    expect(await desk.count()).toBe(0);
    const close = await desk.tryCreate({ ...right, netAmountPayable: '19551.01' });
    expect(close.status).toBe(201);
    expect(close.body.data).toMatchObject({ netAmountPayable: '19551.00' });
  });

  it('refuses figures too large to store with one clear sentence', async () => {
    const desk = await openDesk();
    const answer = await desk.tryCreate({
      loadingWeight: '9999999999.99',
      unloadingWeight: '9999999999.99',
      ratePerMT: '999999999999.99',
    });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.error.message).toContain('more than 12 digits');
    expect(Object.keys(answer.error.fields ?? {})).toContain('netAmountPayable');
    expect(await desk.count()).toBe(0);
  });

  it('refuses a material shortage where the weights leave none', async () => {
    const desk = await openDesk();
    const answer = await desk.tryCreate({ discountWeight: '0.10', materialShortageAmount: '1.00' });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.error.fields).toHaveProperty('materialShortageAmount');
  });

  it('keeps a negative net as it is', async () => {
    const desk = await openDesk();
    const made = await desk.create({ advanceMoney: '30000' });
    expect(made.netAmountPayable).toBe('-5449.00');
  });

  it('pays through the ledger when it is created as paid', async () => {
    const desk = await openDesk();
    const made = await desk.create({ paymentStatus: true });
    expect(made).toMatchObject({ paymentStatus: true, netAmountPayable: '19551.00' });
    expect(made.paidAt).not.toBeNull();
    const batches = await api.call(contract.paymentBatches.list, {}, { token: desk.tenant.token });
    expect(batches.body.data).toMatchObject([{ kind: 'single', updatedCount: 1, totalAmount: '19551.00' }]);
    await api.inTenant(desk.tenant, assertLedger);
  });

  it('makes one challan of the same key sent twice at once, and the same answer', async () => {
    const desk = await openDesk();
    const body = buildChallan(desk.refs, { paymentStatus: true });
    const send = () => api.call(challans.create, { body }, { token: desk.tenant.token, key: 'form-1' });
    const answers = await Promise.all([send(), send(), send()]);
    answers.push(await send());
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await desk.count()).toBe(1);
    const other = await api.call(
      challans.create,
      { body: { ...body, remarks: 'x' } },
      { token: desk.tenant.token, key: 'form-1' },
    );
    expectRefusal(other, 422, 'IDEMPOTENCY_MISMATCH');
    await api.inTenant(desk.tenant, assertLedger);
  });

  it('leaves no number, challan or history of a refused one behind', async () => {
    const desk = await openDesk();
    expectRefusal(await desk.tryCreate({ tagId: unknownId }), 400, 'INVALID_REFERENCE');
    expect((await desk.create()).challanNumber.slice(-6)).toBe('000001');
  });
});

describe('finding challans that may be the same trip', () => {
  it('matches the TP without spaces and case, the vehicle without hyphens on the same loading day in India', async () => {
    const desk = await openDesk();
    const twin = await desk.create({
      tpNo: 'kjr/24-25/0123456',
      vehicleNo: 'OD-09-AB-1234',
      loadingDate: '2026-04-09',
    });
    const other = await desk.create({ tpNo: 'Y1', vehicleNo: 'OD09AB1234', loadingDate: '2026-04-08' });
    const find = async (query: Record<string, string>) =>
      (await api.call(challans.findDuplicates, { query }, { token: desk.tenant.token })).body.data;

    expect(await find({ tpNo: 'KJR / 24-25/0123456' })).toEqual({
      sameTp: [
        {
          id: twin.id,
          challanNumber: twin.challanNumber,
          tpNo: 'kjr/24-25/0123456',
          vehicleNo: 'OD-09-AB-1234',
          loadingDate: '2026-04-08T18:30:00.000Z',
        },
      ],
      sameTrip: [],
    });
    // 20:00 in London is the next day in India.
    const trips = await find({ vehicleNo: 'od 09 ab 1234', loadingDate: '2026-04-08T20:00:00Z' });
    expect(trips.sameTrip.map(({ id }) => id)).toEqual([twin.id]);
    expect((await find({ vehicleNo: 'OD09AB1234', loadingDate: '2026-04-08' })).sameTrip.map(({ id }) => id)).toEqual([
      other.id,
    ]);
    expect(await find({ tpNo: 'kjr/24-25/0123456', excludeId: twin.id })).toEqual({ sameTp: [], sameTrip: [] });
    expect(await find({ vehicleNo: 'OD09AB1234' })).toEqual({ sameTp: [], sameTrip: [] });
  });
});

describe('deleting a challan', () => {
  it('is soft, takes it out of every list and leaves its history', async () => {
    const desk = await openDesk();
    const made = await desk.create();
    const remove = () => api.call(challans.remove, { params: { id: made.id } }, { token: desk.tenant.token });
    const answer = await remove();
    expect(answer.body).toMatchObject({ success: true, message: 'Challan deleted successfully' });
    expectRefusal(await remove(), 404, 'NOT_FOUND', 'Challan not found');
    const list = await api.call(challans.list, {}, { token: desk.tenant.token });
    expect(list.body).toMatchObject({ data: [], summary: { totalCount: 0, totalAmount: '0.00' } });
    expect((await historyOf(api, desk.tenant, made.id)).map(({ action }) => action)).toEqual(['created', 'deleted']);
    expect(await desk.count()).toBe(1);
  });

  it('is refused for a paid one, and goes once the payment is unmarked', async () => {
    const desk = await openDesk();
    const made = await desk.create({ paymentStatus: true });
    const remove = () => api.call(challans.remove, { params: { id: made.id } }, { token: desk.tenant.token });
    expectRefusal(
      await remove(),
      409,
      'CHALLAN_PAID',
      'This challan is marked as paid. Unmark the payment before deleting it.',
    );
    await api.call(
      challans.update,
      { params: { id: made.id }, body: { paymentStatus: false } },
      { token: desk.tenant.token },
    );
    expect((await remove()).status).toBe(200);
    await api.inTenant(desk.tenant, assertLedger);
  });

  it('answers another account as if the challan did not exist', async () => {
    const desk = await openDesk();
    const other = await openDesk();
    const made = await desk.create();
    const token = other.tenant.token;
    const of = (id: string) => [
      api.call(challans.get, { params: { id } }, { token }),
      api.call(challans.update, { params: { id }, body: { remarks: 'x' } }, { token }),
      api.call(challans.remove, { params: { id } }, { token }),
      api.call(challans.setHsdVerified, { params: { id }, body: { hsdVerified: true } }, { token }),
    ];
    const foreign = (await Promise.all(of(made.id))).map(withoutRequestId);
    const unknown = (await Promise.all(of(unknownId))).map(withoutRequestId);
    expect(foreign).toEqual(unknown);
    for (const answer of foreign) expect(answer.status).toBe(404);
    expect((await historyOf(api, desk.tenant, made.id)).length).toBe(1);
  });
});

describe('the vehicle of a challan', () => {
  it('is free text: a truck of another owner does not matter', async () => {
    const desk = await openDesk();
    const owner = await createOwner(api, desk.tenant);
    const truck = await createTruck(api, desk.tenant, owner.id);
    expect((await desk.create({ vehicleNo: truck.truckNumber })).vehicleNo).toBe(truck.truckNumber);
  });
});

describe('the owner name of a challan', () => {
  const another = 'Owner Name is not the name of the chosen owner; choose the owner again.';

  it('is the one of the chosen owner, as it is stored, in whatever case and spacing it was sent', async () => {
    const desk = await openDesk();
    for (const ownerName of ['Bikash Mohanta', '  bikash   MOHANTA ', 'Bikash\u00a0mohanta']) {
      expect((await desk.create({ ownerName })).ownerName, ownerName).toBe('Bikash Mohanta');
    }
  });

  it("is not another's: nothing is stored, and the field says why", async () => {
    const desk = await openDesk();
    const other = await createOwner(api, desk.tenant, { name: 'Sanjukta Naik' });
    const theirs = await createOwner(api, await api.addTenant(), { name: 'Fleet' });
    for (const ownerName of [other.name, theirs.name, 'Bikash', 'Bikash Mohanta & Sons', 'BikashMohanta']) {
      const answer = await desk.tryCreate({ ownerName });
      expectRefusal(answer, 400, 'VALIDATION_ERROR', another);
      expect(answer.error.fields).toEqual({
        ownerName: 'Owner Name is not the name of the chosen owner; choose the owner again.',
      });
    }
    expect(await desk.count()).toBe(0);
    expectRefusal(await desk.tryCreate({ ownerName: other.name, ownerId: unknownId }), 400, 'INVALID_REFERENCE');
  });

  it('may be kept on a change, or become the present one of its owner, after the owner was renamed', async () => {
    const desk = await openDesk();
    const { id } = await desk.create();
    const { token } = desk.tenant;
    const rename = { params: { id: desk.refs.ownerId }, body: { name: 'Mohanta Roadways' } };
    expect((await api.call(contract.owners.update, rename, { token })).status).toBe(200);
    const save = (ownerName: string) => api.call(challans.update, { params: { id }, body: { ownerName } }, { token });
    const saved = async (ownerName: string) => (await save(ownerName)).body.data.ownerName;

    expect(await saved('Bikash Mohanta')).toBe('Bikash Mohanta');
    expect(await saved('bikash mohanta')).toBe('Bikash Mohanta');
    const refused = await save('Sanjukta Naik');
    expectRefusal(refused, 400, 'VALIDATION_ERROR', another);
    expect(refused.error.fields).toEqual({ ownerName: another });
    expect(await saved('mohanta roadways')).toBe('Mohanta Roadways');
    // The earlier name is no longer on the challan.
    expectRefusal(await save('Bikash Mohanta'), 400, 'VALIDATION_ERROR', another);
    expectRefusal(await desk.tryCreate({ ownerName: 'Bikash Mohanta' }), 400, 'VALIDATION_ERROR', another);
    expect((await desk.create({ ownerName: 'Mohanta Roadways' })).ownerName).toBe('Mohanta Roadways');
  });
});
