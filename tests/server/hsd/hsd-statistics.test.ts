import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TenantDb } from '../../../src/server/db/tenant.ts';
import { selectByTpKeys } from '../../../src/server/features/hsd/hsd-verification.queries.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner, createTag } from '../support/builders.ts';
import { insertChallans } from '../support/ledger.ts';
import { asSchemaOwner } from '../support/tables.ts';

/** Matching a file must not depend on what the planner knows of the table: here it was loaded and never analysed. */
let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  await asSchemaOwner(api, (client) => client.query('ALTER TABLE challans SET (autovacuum_enabled = off)'));
  tenant = await api.addTenant();
  const owner = await createOwner(api, tenant);
  const tag = await createTag(api, tenant);
  await api.inTenant(tenant, async (db) => {
    for (let n = 0; n < 6; n += 1) await insertChallans(db, { ownerId: owner.id, tagId: tag.id }, 10_000);
  });
}, 240_000);
afterAll(() => api.close());

/** Rows of the table that this transaction has read so far, through an index or without. */
async function rowsTouched(db: TenantDb): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS count
     FROM pg_stat_xact_user_tables WHERE relname = 'challans'`,
  );
  return rows[0]?.count ?? 0;
}

it('takes 20,000 keys in one pass over a table without statistics', async () => {
  const { rows } = await asSchemaOwner(api, (client) =>
    client.query<{ analysed: string }>(
      `SELECT count(*) AS analysed FROM pg_stats WHERE schemaname = 'public' AND tablename = 'challans'`,
    ),
  );
  expect(rows).toEqual([{ analysed: '0' }]);
  const found = await api.inTenant(tenant, async (db) => {
    const { rows: made } = await db.query<{ key: string }>(
      'SELECT DISTINCT tp_key AS key FROM challans WHERE subadmin_id = $1 ORDER BY 1 LIMIT 10000',
      [tenant.id],
    );
    const keys = [...made.map(({ key }) => key), ...Array.from({ length: 10_000 }, (_, n) => `UNKNOWN-${n}`)];
    const before = await rowsTouched(db);
    const matches = await selectByTpKeys(db, keys);
    return { wanted: made.length, matches, touched: (await rowsTouched(db)) - before };
  });
  // Each challan of the table once at most, not once for every key.
  expect(found.touched).toBeLessThanOrEqual(60_000);
  expect(new Set(found.matches.map(({ tpKey }) => tpKey)).size).toBe(found.wanted);
});
