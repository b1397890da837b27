import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { hsdChangedNow } from '../../../src/shared/contract/hsd-verification.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createPump } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { addHsdChallans, csvOf, uploadFile } from '../support/hsd-desk.ts';

/**
 * A challan that changed after its upload was never compared (docs/specification.md §8.5): bulk verify does not set
 * hsdVerified over it.
 */
const { hsdVerification, challans } = contract;

let api: Api;
let tenant: Tenant;
let ids: string[];
const bill = csvOf([
  ['TP-A', '832.32'],
  ['TP-B', '100.00'],
  ['TP-C', '200.00'],
]);
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await api.addTenant();
  ids = await addHsdChallans(api, tenant, [
    { tpNo: 'TP-A', amount: '832.32' },
    { tpNo: 'TP-B', amount: '100.00' },
    { tpNo: 'TP-C', amount: '200.00' },
  ]);
});
afterAll(() => api.close());

const as = () => ({ token: tenant.token });
const verify = (challanIds: readonly string[], key?: string) =>
  api.call(hsdVerification.verify, { body: { challanIds: [...challanIds] } }, { ...as(), ...(key ? { key } : {}) });
const change = async (id: string, body: Parameters<typeof api.call<typeof challans.update>>[1]['body']) => {
  const answer = await api.call(challans.update, { params: { id }, body }, as());
  expect(answer.status, answer.text).toBe(200);
};
const uploadBill = async (content = bill) => {
  expect((await uploadFile(api, tenant, 'bill.csv', content)).status).toBe(200);
};
/** Of the three, in their order. */
const verified = async () => {
  const all = await Promise.all(ids.map((id) => api.call(challans.get, { params: { id } }, as())));
  return all.map(({ body }) => body.data.hsdVerified);
};
const changedOf = (answer: { body: unknown }) => hsdChangedNow.parse((answer.body as { data: unknown }).data).changed;

describe('bulk verify of a challan that changed after its upload', () => {
  it('is refused with what was and what is; nothing is verified, the rest is with one more call', async () => {
    await uploadBill();
    const [a = '', b = '', c = ''] = ids;
    await change(a, { hsdInLiters: '2', hsdPricePerLiter: '2728.16' });
    const key = randomUUID();
    const answer = await verify(ids, key);
    expectRefusal(
      answer,
      409,
      'HSD_CHANGED',
      'Nothing was verified: C-TP-A has changed since it was compared with the file.',
    );
    expect(changedOf(answer)).toEqual([
      {
        challanId: a,
        challanNumber: 'C-TP-A',
        tpNo: 'TP-A',
        matchedAmount: '832.32',
        challanAmount: '5456.32',
        hasOtherTp: false,
        hasOtherPump: false,
      },
    ]);
    expect(await verified()).toEqual([false, false, false]);
    // A refusal keeps no key: the rest may come under the same one.
    expect((await verify([b, c], key)).body.data).toEqual({ verifiedCount: 2, skippedCount: 0 });
    expect(await verified()).toEqual([false, true, true]);
  });

  it('names another TP No and another pump as well; a pump that was taken away is no other refusal', async () => {
    await uploadBill();
    const [a = '', b = '', c = ''] = ids;
    const pump = await createPump(api, tenant);
    await change(a, { tpNo: 'TP-Z' });
    await change(b, { petrolPumpId: pump.id });
    await change(c, { petrolPumpId: null, hsdInLiters: '0', hsdPricePerLiter: '0' });
    const answer = await verify([c, b, a]);
    expectRefusal(answer, 409, 'HSD_CHANGED');
    expect(answer.error.message).toBe(
      'Nothing was verified: C-TP-C, C-TP-B, C-TP-A have changed since they were compared with the file.',
    );
    expect(changedOf(answer).map((one) => [one.tpNo, one.challanAmount, one.hasOtherTp, one.hasOtherPump])).toEqual([
      ['TP-C', '0.00', false, true],
      ['TP-B', '100.00', false, true],
      ['TP-Z', '832.32', true, false],
    ]);
    expect(await verified()).toEqual([false, false, false]);
  });

  it('goes by the newest upload that matched it', async () => {
    await uploadBill();
    const [a = ''] = ids;
    await change(a, { hsdPricePerLiter: '900' });
    // This one does not match it: the challan is still what no upload has compared.
    await uploadBill();
    expectRefusal(await verify([a]), 409, 'HSD_CHANGED');
    await uploadBill(csvOf([['tp-a', '900']]));
    expect((await verify([a])).body.data).toEqual({ verifiedCount: 1, skippedCount: 0 });
  });

  it('lets pass what was changed and changed back, and what is the same but for its writing', async () => {
    await uploadBill();
    const [a = '', b = ''] = ids;
    await change(a, { hsdPricePerLiter: '900' });
    await change(a, { hsdPricePerLiter: '832.32', remarks: 'As it was' });
    await change(b, { tpNo: 'tp-b', officeCharges: '5' });
    expect((await verify(ids)).body.data).toEqual({ verifiedCount: 3, skippedCount: 0 });
  });

  it('skips one that is verified already, whatever it was compared with', async () => {
    await uploadBill();
    const [a = '', ...rest] = ids;
    await change(a, { hsdPricePerLiter: '900' });
    // The single toggle compares with no file.
    const toggled = await api.call(challans.setHsdVerified, { params: { id: a }, body: { hsdVerified: true } }, as());
    expect(toggled.status).toBe(200);
    expect((await verify([a, ...rest])).body.data).toEqual({ verifiedCount: 2, skippedCount: 1 });
  });

  it('compares with nothing of another business', async () => {
    const other = await api.addTenant();
    const [theirs = ''] = await addHsdChallans(api, other, [{ tpNo: 'TP-A', amount: '832.32' }]);
    await uploadFile(api, other, 'bill.csv', bill);
    await change(ids[0] ?? '', { hsdPricePerLiter: '900' });
    expect((await verify(ids)).body.data).toEqual({ verifiedCount: 3, skippedCount: 0 });
    const answer = await api.call(hsdVerification.verify, { body: { challanIds: [theirs] } }, { token: other.token });
    expect(answer.body.data).toEqual({ verifiedCount: 1, skippedCount: 0 });
  });

  it('while it changes: verified as it was compared and cleared by the change, or refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      tenant = await api.addTenant();
      ids = await addHsdChallans(api, tenant, [
        { tpNo: 'TP-A', amount: '832.32' },
        { tpNo: 'TP-B', amount: '100.00' },
      ]);
      await uploadBill();
      const [a = ''] = ids;
      const [answer] = await Promise.all([verify(ids), change(a, { hsdPricePerLiter: '900' })]);
      const isRefused = answer.status === 409;
      expect(await verified()).toEqual([false, !isRefused]);
    }
  });

  it('names three of many in its sentence and all of them in its data', async () => {
    const many = Array.from({ length: 300 }, (_, n) => ({ tpNo: `M-${n}`, amount: `${n + 1}.00` }));
    ids = await addHsdChallans(api, tenant, many);
    await uploadBill(csvOf(many.map(({ tpNo, amount }): [string, string] => [tpNo, amount])));
    await api.inTenant(tenant, (db) =>
      db.query(
        `UPDATE challans SET hsd_price_per_liter = 5000, hsd_amount = 5000, net_amount_payable = net_amount_payable + hsd_amount - 5000
         WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])`,
        [tenant.id, ids.slice(10)],
      ),
    );
    const answer = await verify(ids);
    expect(answer.error.message).toBe(
      'Nothing was verified: C-M-10, C-M-11, C-M-12 and 287 more have changed since they were compared with the file.',
    );
    expect(changedOf(answer).map(({ challanId }) => challanId)).toEqual(ids.slice(10));
    expect((await verify(ids.slice(0, 10))).body.data.verifiedCount).toBe(10);
  });
});

describe('valid records', () => {
  it('are the rows that were compared: one whose challan has no pump, or has twins, is an error and not valid as well', async () => {
    await addHsdChallans(api, tenant, [
      { tpNo: 'DRY', amount: '0.00', hasNoPump: true },
      { tpNo: 'TWIN', amount: '5.00' },
      { tpNo: 'DONE', amount: '7.00', isVerified: true },
    ]);
    await api.inTenant(tenant, (db) =>
      db.query(`UPDATE challans SET tp_no = 'TWIN' WHERE subadmin_id = $1 AND tp_no = 'TP-C'`, [tenant.id]),
    );
    const { data } = await uploadFile(
      api,
      tenant,
      'mixed.csv',
      csvOf([
        ['TP-A', '832.32'],
        ['TP-B', '1'],
        ['DONE', '7'],
        ['NOWHERE', '1'],
        ['DRY', '1'],
        ['TWIN', '5'],
        ['', '1'],
      ]),
    );
    const { discrepancies, validMatches } = data.results;
    const shown =
      validMatches.length +
      discrepancies.amountMismatch.length +
      discrepancies.alreadyVerified.length +
      discrepancies.tpNotFound.length;
    expect([shown, data.processingErrors.length]).toEqual([4, 3]);
    expect([data.totalRecords, data.validRecords]).toEqual([7, 4]);
    const past = await api.call(hsdVerification.listUploads, {}, as());
    expect(past.body.data[0]).toMatchObject({
      totalRecords: 7,
      validRecords: 4,
      validMatches: 1,
      totalDiscrepancies: 3,
    });
  });
});
