import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPool } from '../../../src/server/db/pool.ts';
import { withTenant } from '../../../src/server/db/tenant.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { freshDatabase } from '../database.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildChallan, createOwner, createTag } from '../support/builders.ts';
import { assertLedger, assertTotals, insertChallans } from '../support/ledger.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { asSchemaOwner } from '../support/tables.ts';

/** The app behind PgBouncer in transaction mode: its transactions share fewer connections than it has itself. */
const serverConnections = 4;

describe.skipIf(process.platform !== 'linux')('through PgBouncer in transaction mode', () => {
  let api: Api;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  let tenants: Tenant[];

  beforeAll(async () => {
    const database = await freshDatabase();
    bouncer = await startPgBouncer(database.appUrl, serverConnections);
    api = await startApi({ database: { ...database, appUrl: bouncer.url } });
    tenants = [await api.addTenant(), await api.addTenant()];
  });
  afterAll(async () => {
    await api?.close();
    await bouncer?.stop();
  });

  const as = ({ token }: Tenant, key?: string) => ({ token, ...(key ? { key } : {}) });

  it('creates, pays and reads at once, each business for itself, and the books agree', async () => {
    const refs = await Promise.all(
      tenants.map(async (tenant) => ({
        ownerId: (await createOwner(api, tenant)).id,
        tagId: (await createTag(api, tenant)).id,
      })),
    );
    const each = 40;
    const made = await Promise.all(
      tenants.flatMap((tenant, at) =>
        Array.from({ length: each }, async (_, n) => {
          const body = buildChallan(refs[at]!);
          const answer = await api.call(contract.challans.create, { body }, as(tenant, `create-${at}-${n}`));
          expect(answer.status, answer.text).toBe(201);
          const { id } = answer.body.data;
          const again = await api.call(contract.challans.create, { body }, as(tenant, `create-${at}-${n}`));
          expect(again.body.data.id).toBe(id);
          const paid = await api.call(contract.bankStatement.markPaid, { body: { challanIds: [id] } }, as(tenant));
          expect(paid.body.data.updatedCount).toBe(1);
          return { tenant: tenant.id, id };
        }),
      ),
    );
    for (const tenant of tenants) {
      const listed = await api.call(contract.challans.list, { query: { limit: 100 } }, as(tenant));
      expect(new Set(listed.body.data.map(({ id }) => id))).toEqual(
        new Set(made.filter((one) => one.tenant === tenant.id).map(({ id }) => id)),
      );
      await api.inTenant(tenant, async (db) => {
        await assertLedger(db);
        await assertTotals(db);
      });
    }
  });

  it('has the limits of time that connections of its own have, in every transaction', async () => {
    // The pool that the app makes: that of the other tests waits longer for a lock.
    const pool = createPool(bouncer.url, { max: 1 });
    onTestFinished(() => pool.end());
    const { rows } = await withTenant(pool, tenants[0]!.id, 'read', (db) =>
      db.query<{ all: string }>(
        `SELECT concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
           current_setting('idle_in_transaction_session_timeout'), current_setting('jit')) AS all`,
      ),
    );
    expect(rows).toEqual([{ all: '20s 5s 30s off' }]);
  });

  it('ends the work of a reader who leaves a file, and gives the connection to the next one', async () => {
    const [tenant] = tenants as [Tenant];
    const { id: ownerId } = await createOwner(api, tenant);
    await api.inTenant(tenant, (db) => insertChallans(db, { ownerId }, 30_000));
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const open = async (): Promise<IncomingMessage> => {
      const headers = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' };
      const asked = httpRequest(`${url}/api/challans/export-filtered-csv`, { method: 'POST', headers, agent: false });
      asked.on('error', () => undefined);
      asked.end(JSON.stringify({ filters: {} }));
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      await once(response, 'readable');
      expect(response.statusCode === 200 ? '' : String(response.read())).toBe('');
      return response;
    };
    for (let reader = 0; reader < 6; reader += 1) (await open()).destroy();
    await vi.waitFor(
      async () =>
        expect(
          await asSchemaOwner(api, async (client) => {
            const { rows } = await client.query<{ count: string }>(
              `SELECT count(*)::text AS count FROM pg_stat_activity
               WHERE datname = current_database() AND usename = 'challan_app' AND state <> 'idle'`,
            );
            return rows[0]?.count;
          }),
        ).toBe('0'),
      { timeout: 20_000 },
    );
    let bytes = 0;
    for await (const chunk of await open()) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(30_000 * 50);
  });
});
