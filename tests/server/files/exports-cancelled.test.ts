import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { fileExports, workbookExports, type Export, type ExportRefs } from '../support/exports.ts';
import { analyze, insertChallans } from '../support/ledger.ts';
import { asSchemaOwner } from '../support/tables.ts';
import { sheetXml } from '../support/workbooks.ts';

/** A reader that disconnects in the middle ends the work in the database, and the connection serves the next one. */
let api: Api;
let tenant: Tenant;
let refs: ExportRefs;
let url: string;
const rows = 30_000;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  const owner = await createOwner(api, tenant);
  // Far more than sockets and streams buffer, paid and unpaid, so that each file is still being written when its reader leaves.
  await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: owner.id }, rows));
  await analyze(api);
  const paid = await api.call(
    contract.bankStatement.markMatchingPaid,
    { body: { filters: { ownerId: owner.id }, paymentStatus: true } },
    { token: tenant.token },
  );
  expect(paid.body.data.updatedCount).toBe(rows);
  await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: owner.id }, rows));
  refs = { ownerId: owner.id, batchId: paid.body.data.batchId ?? '' };
  url = await api.app.listen({ port: 0, host: '127.0.0.1' });
}, 120_000);
afterAll(() => api.close());

async function open(one: Export): Promise<IncomingMessage> {
  const { method, url: address, body } = one.request(refs);
  const headers = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' };
  const request = httpRequest(`${url}${address}`, { method, headers, agent: false });
  request.on('error', () => undefined);
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await once(response, 'readable');
  return response;
}

const busyConnections = () => api.pools.stream.totalCount - api.pools.stream.idleCount;

/** What the database itself is doing for the streaming connections: a statement, or a transaction that holds one open. */
const working = () =>
  asSchemaOwner(api, async (client) => {
    const { rows: found } = await client.query<{ query: string }>(
      `SELECT left(query, 60) AS query FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
    );
    return found.map(({ query }) => query);
  });

describe.each([...fileExports, ...workbookExports].map((one) => [one.name, one] as const))(
  'a reader who leaves the file of %s',
  (_, one) => {
    it('ends the work in the database and gives the connection back, every time', async () => {
      // More readers than there are connections for files: one lost would leave the last of them waiting.
      for (let reader = 0; reader < 6; reader += 1) {
        const response = await open(one);
        expect(busyConnections()).toBeGreaterThan(0);
        response.destroy();
      }
      await vi.waitFor(() => expect(busyConnections()).toBe(0), { timeout: 20_000 });
      await vi.waitFor(async () => expect(await working()).toEqual([]), { timeout: 20_000 });
      expect(api.pools.stream.waitingCount).toBe(0);

      // A file of groups, or of what is unusual, is made from all challans and has few rows.
      const least = /groups/.test(one.name) ? 3 : /exceptions/.test(one.name) ? 2 : rows;
      const whole = await open(one);
      const chunks: Buffer[] = [];
      for await (const chunk of whole) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      if (workbookExports.includes(one)) {
        expect((await sheetXml(bytes)).split('<row ').length).toBeGreaterThan(least);
        return;
      }
      const text = bytes.toString();
      expect(text.split('\r\n').length).toBeGreaterThan(least);
      expect(text.endsWith('\r\n')).toBe(true);
    }, 300_000);
  },
);
