import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { forgetOldIdempotencyKeys } from '../../../src/server/features/system/maintenance.queries.ts';
import { withGlobal } from '../../../src/server/db/tenant.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildChallan, createOwner, createTag } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { asSchemaOwner } from '../support/tables.ts';

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
const stored = (key: string, owner = tenant) =>
  asSchemaOwner(api, async (client) => {
    const { rows } = await client.query<{ row: string; answer: Buffer; status: number }>(
      'SELECT k::text AS row, answer, status FROM idempotency_keys k WHERE subadmin_id = $1 AND key_hash = $2',
      [owner.id, hashOf(key)],
    );
    return rows;
  });

describe('what is kept of a write that may be repeated', () => {
  const create = (scene: { ownerId: string; tagId: string }, remarks: string, key: string, as = tenant) => {
    const body = buildChallan(scene, { tpNo: '240900000777', vehicleNo: 'OD09AB0077', remarks });
    return api.call(contract.challans.create, { body }, { token: as.token, key });
  };
  const openScene = async () => ({
    ownerId: (await createOwner(api, tenant)).id,
    tagId: (await createTag(api, tenant, { name: randomUUID().slice(0, 20) })).id,
  });

  it('gives the first answer again, byte for byte, and holds neither the answer nor the key in clear', async () => {
    const scene = await openScene();
    const first = await create(scene, 'Account 34567890123', 'opening-1');
    expect(first.status).toBe(201);
    expect(first.text).toContain('34567890123');
    const [kept] = await stored('opening-1');
    expect(kept?.status).toBe(201);
    for (const secret of ['34567890123', 'opening-1', scene.ownerId]) {
      expect(kept!.row).not.toContain(secret);
      expect(kept!.answer.includes(secret)).toBe(false);
    }
    const again = await create(scene, 'Account 34567890123', 'opening-1');
    expect(again.text).toBe(first.text);
    expect(again.status).toBe(201);
    expectRefusal(await create(scene, 'Another account', 'opening-1'), 422, 'IDEMPOTENCY_MISMATCH');
    // The same key of another business is another key.
    const other = await api.addTenant();
    expectRefusal(await create(scene, 'Account 34567890123', 'opening-1', other), 400, 'INVALID_REFERENCE');
  });

  it('refuses to repeat what was done before answers were encrypted', async () => {
    const scene = await openScene();
    await asSchemaOwner(api, (client) =>
      client.query('INSERT INTO idempotency_keys (subadmin_id, key_hash, status) VALUES ($1, $2, 201)', [
        tenant.id,
        hashOf('of-before'),
      ]),
    );
    expectRefusal(await create(scene, '', 'of-before'), 422, 'IDEMPOTENCY_MISMATCH');
  });

  it('is at most 100,000 answers of an account, the newest ones', async () => {
    const many = await api.addTenant();
    const few = await api.addTenant();
    await asSchemaOwner(api, (client) =>
      client.query(
        `INSERT INTO idempotency_keys (subadmin_id, key_hash, status, created_at)
         SELECT tenant, convert_to(n::text, 'UTF8'), 201, now() - n * interval '1 ms'
         FROM (VALUES ($1::uuid, 100003), ($2::uuid, 3)) AS t (tenant, count), generate_series(1, count) AS n`,
        [many.id, few.id],
      ),
    );
    await withGlobal(api.pools.main, 'write', forgetOldIdempotencyKeys);
    const left = await asSchemaOwner(api, async (client) => {
      const { rows } = await client.query<{ id: string; count: number; oldest: number }>(
        `SELECT subadmin_id AS id, count(*)::int AS count, max(convert_from(key_hash, 'UTF8')::int) AS oldest
         FROM idempotency_keys WHERE subadmin_id = ANY ($1) GROUP BY 1`,
        [[many.id, few.id]],
      );
      return Object.fromEntries(rows.map(({ id, count, oldest }) => [id, [count, oldest]]));
    });
    expect(left).toEqual({ [many.id]: [100_000, 100_000], [few.id]: [3, 3] });
  });
});
