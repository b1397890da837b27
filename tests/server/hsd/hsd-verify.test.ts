import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { expectRefusal, unknownId, withoutRequestId } from '../support/expect.ts';
import { historyOf } from '../support/history.ts';
import { addHsdChallans, csvOf, uploadFile } from '../support/hsd-desk.ts';
import { randomOf } from '../support/random.ts';
import { testSeed } from '../../calc/seed.ts';

const { hsdVerification, challans, bankStatement } = contract;

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const verify = (challanIds: readonly string[], options: { key?: string; token?: string } = {}) =>
  api.call(hsdVerification.verify, { body: { challanIds: [...challanIds] } }, { token: tenant.token, ...options });

interface State {
  id: string;
  hsd_verified: boolean;
  version: number;
  lines: number;
}
/** Of each challan: verified, version, and how often its history says that it was verified. */
const statesOf = (who: Tenant = tenant) =>
  api.inTenant(who, async (db) => {
    const { rows } = await db.query<State>(
      `SELECT c.id, c.hsd_verified, c.version, (SELECT count(*)::int FROM history h
         WHERE h.subadmin_id = $1 AND h.entity = 'challan' AND h.entity_id = c.id AND h.changes @> '{"hsdVerified": [false, true]}') AS lines
       FROM challans c WHERE c.subadmin_id = $1 ORDER BY c.id`,
      [who.id],
    );
    return rows;
  });
const some = (count: number, prefix = 'TP') =>
  addHsdChallans(
    api,
    tenant,
    Array.from({ length: count }, (_, n) => ({ tpNo: `${prefix}-${n}`, amount: `${n + 1}.00` })),
  );

describe('bulk verify', () => {
  it('verifies, skips the verified ones, counts both, and leaves a line of history for each change', async () => {
    const [open = '', , other = ''] = await addHsdChallans(api, tenant, [
      { tpNo: 'A', amount: '1.00' },
      { tpNo: 'B', amount: '2.00' },
      { tpNo: 'C', amount: '3.00', isVerified: true },
    ]);
    const answer = await verify([open, other, open.toUpperCase()]);
    expect(answer.body.data).toEqual({ verifiedCount: 1, skippedCount: 1 });
    const { body } = await api.call(challans.get, { params: { id: open } }, { token: tenant.token });
    expect(body.data).toMatchObject({ hsdVerified: true, hsdVerifiedAt: expect.any(String), version: 2 });
    expect(await historyOf(api, tenant, open)).toEqual([
      {
        entity: 'challan',
        action: 'updated',
        actor_id: tenant.id,
        screen: '',
        changes: { hsdVerified: [false, true] },
      },
    ]);
    expect(await historyOf(api, tenant, other)).toEqual([]);
    const untouched = (await statesOf()).filter(({ id }) => id !== open);
    expect(untouched.map(({ version }) => version)).toEqual([1, 1]);
  });

  it('changes nothing when one of the ids is unknown, foreign or deleted: the same answer for each', async () => {
    const ids = await some(3);
    const foreign = (await addHsdChallans(api, await api.addTenant(), [{ tpNo: 'F', amount: '1.00' }]))[0] ?? '';
    const deleted = ids.pop() ?? '';
    await api.call(challans.remove, { params: { id: deleted } }, { token: tenant.token });
    const before = await statesOf();
    const answers: Awaited<ReturnType<typeof verify>>[] = [];
    for (const id of [unknownId, foreign, deleted]) answers.push(await verify([...ids, id]));
    expectRefusal(answers[0]!, 404, 'NOT_FOUND', 'Challan not found');
    expect(answers.map(withoutRequestId)).toEqual(answers.map(() => withoutRequestId(answers[0]!)));
    expect(await statesOf()).toEqual(before);
  });

  it('changes nothing when one has no petrol pump', async () => {
    const ids = await addHsdChallans(api, tenant, [
      { tpNo: 'A', amount: '1.00' },
      { tpNo: 'DRY', amount: '0.00', hasNoPump: true },
    ]);
    const before = await statesOf();
    const answer = await verify(ids);
    expectRefusal(answer, 409, 'NO_PETROL_PUMP');
    expect(answer.error.message).toBe('C-DRY: This challan has no petrol pump. Choose one before verifying its HSD.');
    expect(await statesOf()).toEqual(before);
  });

  it.each([
    ['an empty list', { challanIds: [] }, 'No valid matches to verify'],
    ['no list', {}, 'No valid matches to verify'],
    ['null', { challanIds: null }, 'No valid matches to verify'],
    ['one text', { challanIds: 'x' }, 'No valid matches to verify'],
    ['no id', { challanIds: ['x'] }, 'challanIds.0 must be an id'],
    ['20,001 ids', { challanIds: Array(20_001).fill(unknownId) }, 'challanIds must be at most 20000 at once'],
  ])('refuses %s', async (_, body, message) => {
    const url = `/api${hsdVerification.verify.path}`;
    const answer = await api.callRaw('POST', url, { token: tenant.token, body });
    expectRefusal(answer, 400, 'VALIDATION_ERROR', message);
  });

  it('answers a repeated key with the first answer, and another body under it with 422', async () => {
    const ids = await some(3);
    const key = randomUUID();
    const first = await verify(ids, { key });
    const again = await verify(ids, { key });
    expect(first.body.data).toEqual({ verifiedCount: 3, skippedCount: 0 });
    expect(again.text).toBe(first.text);
    expectRefusal(await verify(ids.slice(1), { key }), 422, 'IDEMPOTENCY_MISMATCH');
    expect((await verify(ids)).body.data).toEqual({ verifiedCount: 0, skippedCount: 3 });
  });

  it('verifies 20,000 at once', async () => {
    const ids = await some(20_000);
    expect((await verify(ids)).body.data).toEqual({ verifiedCount: 20_000, skippedCount: 0 });
    const states = await statesOf();
    expect(
      states.filter(({ hsd_verified, version, lines }) => hsd_verified && version === 2 && lines === 1),
    ).toHaveLength(20_000);
  });
});

describe('the review of a selection', () => {
  it('says what is open, verified and changed; what is deleted or of another business is in none', async () => {
    const ids = await some(5);
    const rows = ids.map((_, n): [string, string] => [`TP-${n}`, `${n + 1}`]);
    await uploadFile(api, tenant, 'bill.csv', csvOf(rows));
    const [open = '', verified = '', changed = '', deleted = '', other = ''] = ids;
    await verify([verified]);
    await api.inTenant(tenant, (db) =>
      db.query("UPDATE challans SET tp_no = 'TP-X' WHERE subadmin_id = $1 AND id = $2", [tenant.id, changed]),
    );
    await api.call(challans.remove, { params: { id: deleted } }, { token: tenant.token });
    const foreign = (await addHsdChallans(api, await api.addTenant(), [{ tpNo: 'F', amount: '1.00' }]))[0] ?? '';
    const before = await statesOf();
    const { body } = await api.call(
      hsdVerification.review,
      { body: { challanIds: [open, verified, changed, deleted, foreign, other] } },
      { token: tenant.token },
    );
    expect(body.data).toEqual({
      openIds: [open, other].toSorted(),
      verifiedIds: [verified],
      changed: [expect.objectContaining({ challanId: changed, hasOtherTp: true })],
    });
    expect(await statesOf()).toEqual(before);
  });
});

describe('verified by an upload', () => {
  const uploads = async () => (await api.call(hsdVerification.listUploads, {}, { token: tenant.token })).body.data;

  it('is counted with the newest upload that matched all of it', async () => {
    const ids = await some(4);
    const rows = ids.map((_, n): [string, string] => [`TP-${n}`, `${n + 1}`]);
    await uploadFile(api, tenant, 'all.csv', csvOf(rows));
    await uploadFile(api, tenant, 'half.csv', csvOf(rows.slice(0, 2)));
    await verify(ids.slice(0, 1));
    await verify(ids.slice(1));
    const [half, all] = await uploads();
    expect([half, all].map((one) => [one?.fileName, one?.verifiedCount])).toEqual([
      ['half.csv', 1],
      ['all.csv', 3],
    ]);
  });

  it('belongs to no upload when other challans are among it', async () => {
    const ids = await some(2);
    await uploadFile(api, tenant, 'one.csv', csvOf([['TP-0', '1']]));
    await verify(ids);
    expect((await uploads())[0]?.verifiedCount).toBe(null);
  });
});

describe('at once', () => {
  it('each challan is verified once, however many ask: verified and skipped add up', async () => {
    const seed = testSeed('verifications at once');
    const random = randomOf(seed);
    for (let round = 0; round < 10; round += 1) {
      tenant = await api.addTenant();
      const ids = await some(60, `R${round}`);
      const choices = Array.from({ length: 8 }, () => random.some(ids, 40));
      const answers = await Promise.all(choices.map((choice) => verify(choice)));
      expect(answers.map(({ status }) => status)).toEqual(choices.map(() => 200));
      const touched = new Set(choices.flat());
      const sumOf = (key: 'verifiedCount' | 'skippedCount') =>
        answers.reduce((sum, { body }) => sum + body.data[key], 0);
      expect(sumOf('verifiedCount')).toBe(touched.size);
      expect(sumOf('skippedCount')).toBe(8 * 40 - touched.size);
      for (const { id, hsd_verified, version, lines } of await statesOf()) {
        const once = touched.has(id) ? 1 : 0;
        expect({ hsd_verified, version, lines }).toEqual({ hsd_verified: once === 1, version: 1 + once, lines: once });
      }
    }
  });

  it('the same key sent five times at once is one verification', async () => {
    const ids = await some(20);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => verify(ids, { key })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.data).toEqual({ verifiedCount: 20, skippedCount: 0 });
  });

  it('payments, toggles and deletes go on beside it, and nothing is refused for being in the way', async () => {
    for (let round = 0; round < 10; round += 1) {
      tenant = await api.addTenant();
      const ids = await some(30, `P${round}`);
      const auth = { token: tenant.token };
      const [toggled = ''] = ids;
      const answers = await Promise.all([
        verify(ids),
        api.call(bankStatement.markPaid, { body: { challanIds: [...ids].reverse() } }, auth),
        api.call(challans.setHsdVerified, { params: { id: toggled }, body: { hsdVerified: true } }, auth),
        verify([...ids].reverse()),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await statesOf()).map(({ hsd_verified, lines, version }) => [hsd_verified, lines, version])).toEqual(
        ids.map(() => [true, 1, 3]),
      );
    }
  });

  it('a challan that is deleted meanwhile is verified before or not at all', async () => {
    for (let round = 0; round < 10; round += 1) {
      tenant = await api.addTenant();
      const ids = await some(5, `D${round}`);
      const [done, gone] = await Promise.all([
        verify(ids),
        api.call(challans.remove, { params: { id: ids[2] ?? '' } }, { token: tenant.token }),
      ]);
      expect(gone.status).toBe(200);
      const verified = (await statesOf()).filter(({ hsd_verified }) => hsd_verified).length;
      expect([done.status, verified]).toEqual(done.status === 200 ? [200, 5] : [404, 0]);
    }
  });
});
