import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { createChallan, createOwner, createPump, createTag, createTruck } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { openPaymentDesk, type PaymentDesk } from '../support/payment-desk.ts';

/** One call of the palette says what the lists and searches of each resource say (docs/specification.md §19.1). */
let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk();
  const { api, tenant, tagId } = desk;
  const sunita = await createOwner(api, tenant, { name: 'Sunita Jindal', contactNumber: '9437011111' });
  for (let n = 0; n < 7; n += 1) {
    await createOwner(api, tenant, { name: `Jindal ${n}` });
    await createChallan(
      api,
      tenant,
      { ownerId: sunita.id, tagId },
      { tpNo: `JIN/${n}`, vehicleNo: `OD 14 JX 100${n % 2}` },
    );
  }
  await createTruck(api, tenant, sunita.id, { truckNumber: 'OD14JX1000' });
  await createTag(api, tenant, { name: 'JINDAL' });
  await createPump(api, tenant, { name: 'Jindal Fuels', contactNumber: '9437011111' });
});
afterAll(() => desk.api.close());

const as = () => ({ token: desk.tenant.token });
const find = async (search: string) =>
  (await desk.api.call(contract.palette.search, { query: { search } }, as())).body.data;
const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id);
const challansOf = async (query: object) => {
  const { body } = await desk.api.call(contract.challans.list, { query: { page: 1, limit: 5, ...query } }, as());
  return [body.data.map(({ id }) => id), body.pagination.totalCount];
};

describe('one call', () => {
  it('answers each kind as its own list does, the first five and how many there are', async () => {
    const found = await find('jin');
    const first = { page: 1, limit: 5 };
    const owners = await desk.api.call(contract.owners.search, { query: { q: 'jin', ...first } }, as());
    const tags = await desk.api.call(contract.tags.list, { query: { search: 'jin', ...first } }, as());
    const pumps = await desk.api.call(contract.petrolPumps.list, { query: { search: 'jin', ...first } }, as());
    expect([idsOf(found.owners), found.owners.totalCount]).toEqual([
      owners.body.results.map(({ id }) => id),
      owners.body.count,
    ]);
    expect([idsOf(found.tags), idsOf(found.petrolPumps)]).toEqual([idsOf(tags.body), idsOf(pumps.body)]);
    expect([idsOf(found.byTp), found.byTp.totalCount]).toEqual(await challansOf({ tpNo: 'jin' }));
    expect(found.byTp.totalCount).toBe(7);
    expect([found.byAmount, found.byVehicle, found.challans, found.payments]).toEqual([null, null, [], []]);
  });

  it.each(['9437011111', '+91 94370 11111', '094370-11111', '919437011111'])(
    'finds owners and petrol pumps by their phone as %s',
    async (phone) => {
      const found = await find(phone);
      expect(found.owners.data.map(({ name }) => name)).toEqual(['Sunita Jindal']);
      expect(found.petrolPumps.data.map(({ name }) => name)).toEqual(['Jindal Fuels']);
      const pumps = await desk.api.call(contract.petrolPumps.list, { query: { search: phone } }, as());
      expect(idsOf(pumps.body)).toEqual(idsOf(found.petrolPumps));
    },
  );

  it('finds trucks and challans by a part of the plate in any writing', async () => {
    const found = await find('od-14 jx');
    expect([idsOf(found.byVehicle!), found.byVehicle!.totalCount]).toEqual(await challansOf({ vehicleNo: 'od14jx' }));
    expect(found.trucks.data.map(({ truckNumber }) => truckNumber)).toEqual(['OD14JX1000']);
    expect(found.byVehicle!.isMore).toBe(false);
  });

  it('finds a challan by the plate that it has now, also in the list and under its payment', async () => {
    const { api, tenant } = desk;
    const [challan] = await desk.make(1);
    const before = (await api.call(contract.challans.get, { params: { id: challan!.id } }, as())).body.data;
    const body = { vehicleNo: 'KA 25-Z 4711', version: before.version };
    await api.call(contract.challans.update, { params: { id: challan!.id }, body }, as());
    expect(idsOf((await find('a25z4')).byVehicle!)).toEqual([challan!.id]);
    expect(await challansOf({ vehicleNo: 'ka25z47' })).toEqual([[challan!.id], 1]);
    const paid = await desk.pay([challan!.id]);
    const payments = await api.call(contract.paymentBatches.list, { query: { search: '25z47' } }, as());
    expect(idsOf(payments.body)).toEqual([paid.body.data.batchId]);
    // Taken off again: the plate is still known, and has no challan.
    const [after] = (await api.call(contract.challans.list, { query: { vehicleNo: '25z47' } }, as())).body.data;
    await api.inTenant(tenant, (db) =>
      db.query(`UPDATE challans SET vehicle_no = 'OD 09 AB 1234' WHERE subadmin_id = $1 AND id = $2`, [
        db.tenantId,
        after!.id,
      ]),
    );
    expect((await find('a25z4')).byVehicle).toMatchObject({ data: [], totalCount: 0 });
    expect(await challansOf({ vehicleNo: 'ka25z47' })).toEqual([[], 0]);
  });

  it('finds challans by amount and own number, and payments by number', async () => {
    const [challan] = await desk.make(1);
    const net = challan!.net;
    const ofAmount = (await find(net)).byAmount;
    expect(ofAmount).toMatchObject({ amount: net, totalCount: 1 });
    expect(idsOf(ofAmount!)).toEqual([challan!.id]);
    const paid = await desk.pay([challan!.id]);
    expect((await find(paid.body.data.number ?? '')).payments.map(({ id }) => id)).toEqual([paid.body.data.batchId]);
    const made = await desk.api.call(contract.challans.list, { query: { page: 1, limit: 1, tpNo: 'JIN/3' } }, as());
    const [one] = made.body.data;
    expect((await find(one!.challanNumber)).challans.map(({ id }) => id)).toEqual([one!.id]);
  });

  it('counts a thousand challans of a vehicle and no more, and still has the newest of all', async () => {
    await desk.make(1004, { minutesApart: 1 });
    const { byVehicle } = await find('OD09AB');
    const [newest, count] = await challansOf({ vehicleNo: 'OD09AB' });
    expect(count).toBeGreaterThan(1000);
    expect(byVehicle).toMatchObject({ totalCount: 1000, isMore: true });
    expect(idsOf(byVehicle!)).toEqual(newest);
  });

  it('counts a thousand challans of a TP number and no more, newest or older, and has the newest of them', async () => {
    const { api, tenant } = desk;
    const named = await desk.make(1004, { minutesApart: 1 });
    await api.inTenant(tenant, (db) =>
      db.query(`UPDATE challans SET tp_no = 'Q%Q' || tp_no WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])`, [
        db.tenantId,
        named.map(({ id }) => id),
      ]),
    );
    const expectMany = async () => {
      const { byTp } = await find('q%qt');
      expect(byTp).toMatchObject({ totalCount: 1000, isMore: true });
      expect([idsOf(byTp), 1004]).toEqual(await challansOf({ tpNo: 'q%qt' }));
    };
    await expectMany();
    await desk.make(600);
    await expectMany();
    // So many newer ones that they are not gone through.
    await desk.make(1000);
    await expectMany();
    const few = (await find('q%qtp11')).byTp;
    expect([idsOf(few), few.totalCount, few.isMore]).toEqual([...(await challansOf({ tpNo: 'q%qtp11' })), false]);
    expect(few.totalCount).toBeGreaterThan(0);
  });

  it('looks for no TP below three letters, and for nothing below two', async () => {
    expect((await find('ji')).byTp).toEqual({ data: [], totalCount: 0, isMore: false });
    const short = await desk.api.call(contract.palette.search, { query: { search: 'j' } }, as());
    expectRefusal(short, 400, 'VALIDATION_ERROR');
  });

  it('takes % and _ literally, and finds nothing of another business', async () => {
    expect((await find('J%L')).owners.data).toEqual([]);
    const other = await desk.api.addTenant();
    const { body } = await desk.api.call(contract.palette.search, { query: { search: 'jin' } }, { token: other.token });
    const kinds: (readonly object[] | { data: readonly object[] } | null)[] = Object.values(body.data);
    expect(kinds.flatMap((kind) => (kind === null ? [] : 'data' in kind ? kind.data : kind))).toEqual([]);
  });
});
