import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentResult } from '../../../src/shared/contract/bank-statement.ts';
import { prepareAppRole } from '../../../src/server/db/app-role.ts';
import { startEmbedded, type EmbeddedDatabase } from '../../../src/ops/embedded.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { kill, postmasterOf, removeDirectories, temporaryDirectory } from '../embedded-run.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { assertLedger, assertTotals, idsOf, insertChallans } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

const rounds = long(2, 50);
const random = randomOf(testSeed('kill -9 of PostgreSQL during payments'));

let dataDir: string;
let database: EmbeddedDatabase;
let api: Api;
let tenant: Tenant;
let ownerId: string;
const said: string[] = [];

/** Sent again while the database is away, as the web app does with the same key. */
async function pay(challanIds: string[], key: string, isPatient: boolean) {
  for (;;) {
    const answer = await api.callRaw('POST', '/api/challans/bank-report/bulk-payment', {
      token: tenant.token,
      key,
      body: { challanIds },
    });
    if (!isPatient || answer.status < 500) return answer;
  }
}

describe.skipIf(process.platform !== 'linux')('PostgreSQL', () => {
  beforeAll(async () => {
    dataDir = await temporaryDirectory();
    const settings = { shared_buffers: '32MB', io_method: 'sync' };
    database = await startEmbedded({ dataDir, settings, log: (message) => said.push(message) });
    await migrate(database.url);
    await prepareAppRole(database.url, database.appUrl);
    const { url, appUrl } = database;
    api = await startApi({ database: { url, appUrl, drop: () => Promise.resolve() } });
    tenant = await api.addTenant();
    ownerId = (await createOwner(api, tenant)).id;
  });
  afterAll(async () => {
    await api?.close();
    await database?.stop();
    await removeDirectories();
  });

  it(
    `killed in the middle of payments, ${rounds} times, under an app that goes on: nothing lost, nothing twice`,
    async () => {
      let answered = 0;
      let unanswered = 0;
      const killed = new Set<number>();
      for (let round = 0; round < rounds; round += 1) {
        const ids = await api.inTenant(tenant, async (db) => idsOf(await insertChallans(db, { ownerId }, 60)));
        const calls = Array.from({ length: 6 }, () => ({ key: randomUUID(), challanIds: random.some(ids, 30) }));
        const killAfter = random.below(calls.length);
        let count = 0;
        let enough = (): void => undefined;
        const reached = new Promise<void>((resolve) => {
          enough = resolve;
          if (killAfter === 0) resolve();
        });
        const sending = calls.map(async ({ challanIds, key }) => {
          const answer = await pay(challanIds, key, false);
          count += 1;
          if (count === killAfter) enough();
          return answer;
        });
        await reached;
        const postmaster = postmasterOf(dataDir);
        kill([postmaster]);
        killed.add(postmaster);
        const first = await Promise.all(sending);
        const isBack = () => said.filter((message) => message === 'The database is back.').length;
        await expect.poll(isBack, { timeout: 60_000 }).toBe(round + 1);

        const payments = new Set<string>();
        for (const [index, { challanIds, key }] of calls.entries()) {
          const before = first[index];
          const after = await pay(challanIds, key, true);
          if (before?.status === 200) {
            answered += 1;
            expect(after.text).toBe(before.text);
          } else unanswered += 1;
          if (after.status === 200) {
            const { batchId } = after.body.data as PaymentResult;
            if (batchId !== null) payments.add(batchId);
          } else expect(after.error.code).toBe('NO_MATCHING_CHALLANS');
        }
        const wanted = new Set(calls.flatMap(({ challanIds }) => challanIds));
        await api.inTenant(tenant, async (db) => {
          const { rows } = await db.query<{ id: string; paid: boolean; batch: string | null }>(
            `SELECT c.id, c.payment_status AS paid, p.batch_id AS batch
             FROM challans c LEFT JOIN payment_lines p ON p.subadmin_id = $1 AND p.challan_id = c.id
             WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[])`,
            [db.tenantId, ids],
          );
          // One line each: paid once, by a payment that was answered; the rest is as it was.
          expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
          const wrong = rows.filter(({ id, paid, batch }) =>
            wanted.has(id) ? !paid || batch === null || !payments.has(batch) : paid || batch !== null,
          );
          expect(wrong).toEqual([]);
          await assertLedger(db);
        });
      }
      await api.inTenant(tenant, assertTotals);
      process.stdout.write(
        `${killed.size} kills of PostgreSQL: ${answered} payments were answered before, ${unanswered} were not\n`,
      );
      // Each round killed a postmaster that was started after the one before.
      expect(killed.size).toBe(rounds);
      expect(unanswered).toBeGreaterThan(0);
    },
    longLimit(180_000, 1_800_000),
  );
});
