import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Limits } from '../../../src/server/http/limits.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { fileExports, type Export, type ExportRefs } from '../support/exports.ts';
import { analyze, insertChallans } from '../support/ledger.ts';
import { asSchemaOwner } from '../support/tables.ts';

/**
 * A client that opens a file and does not read it loses its connection and blocks no other account
 * (docs/security.md §4.3).
 */
const rows = 30_000;
const apis: Api[] = [];
interface Desk {
  api: Api;
  url: string;
  tenant: Tenant;
  refs: ExportRefs;
}

async function openDesk(limits: Partial<Limits>): Promise<Desk> {
  const api = await startApi({ limits });
  apis.push(api);
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  return { api, url, ...(await fill(api)) };
}

/** Far more than sockets and streams buffer, paid and unpaid. */
async function fill(api: Api): Promise<{ tenant: Tenant; refs: ExportRefs }> {
  const tenant = await api.addTenant();
  const owner = await createOwner(api, tenant);
  await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: owner.id }, rows));
  await analyze(api);
  const paid = await api.call(
    contract.bankStatement.markMatchingPaid,
    { body: { filters: { ownerId: owner.id }, paymentStatus: true } },
    { token: tenant.token },
  );
  await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: owner.id }, rows));
  return { tenant, refs: { ownerId: owner.id, batchId: paid.body.data.batchId ?? '' } };
}

/** Asks for a file and reads nothing of it. */
async function open(desk: Desk, tenant: Tenant, one: Export): Promise<IncomingMessage> {
  const { method, url: address, body } = one.request(desk.refs);
  const headers = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' };
  const request = httpRequest(`${desk.url}${address}`, { method, headers, agent: false });
  request.on('error', () => undefined);
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

const busyConnections = ({ api }: { api: Api }): number => api.pools.stream.totalCount - api.pools.stream.idleCount;
const working = ({ api }: { api: Api }): Promise<number> =>
  asSchemaOwner(api, async (client) => {
    const { rows: found } = await client.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
    );
    return found.length;
  });
const isCutOff = (response: IncomingMessage): Promise<unknown> =>
  Promise.race([once(response, 'aborted'), once(response, 'close')]);
const patient = { timeout: 20_000 };
const [challanList] = fileExports as [Export, ...Export[]];

afterAll(() => Promise.all(apis.map((api) => api.close())));

describe('readers who stop reading', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ stallMs: 600, fileMs: 60_000, fileWaitMs: 100 });
  }, 120_000);

  // The lines of the TDS return are so short, and the groups so few, that the sockets take the whole file.
  const short: readonly unknown[] = [
    contract.tds.exportReturnCsv,
    contract.challanGroups.exportCsv,
    contract.exceptions.exportCsv,
  ];
  const long = fileExports.filter(({ endpoint }) => !short.includes(endpoint));
  it.each(long.map((one) => [one.name, one] as const))(
    'of the file of %s lose their connections, in the database too',
    async (_, one) => {
      // Counted as they are taken: on a slow machine the first reader is cut off before the second has begun.
      const taken = vi.fn();
      desk.api.pools.stream.on('acquire', taken);
      const readers = await Promise.all([open(desk, desk.tenant, one), open(desk, desk.tenant, one)]);
      desk.api.pools.stream.off('acquire', taken);
      expect(taken).toHaveBeenCalledTimes(2);
      // Not cut off by their own reading on: what is in the line comes before the end of it.
      await vi.waitFor(() => expect(busyConnections(desk)).toBe(0), patient);
      await vi.waitFor(async () => expect(await working(desk)).toBe(0), patient);
      const ends = readers.map(isCutOff);
      for (const reader of readers) reader.resume();
      await Promise.all(ends);
      expect(readers.map(({ complete }) => complete)).toEqual([false, false]);
    },
    60_000,
  );
});

describe('more files than an account may load at once', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ fileWaitMs: 100 });
  }, 120_000);

  it('the third is asked to come again, and another account is served', async () => {
    const readers = [await open(desk, desk.tenant, challanList), await open(desk, desk.tenant, challanList)];
    const third = await desk.api.call(
      contract.challans.exportCsv,
      { body: { filters: {} } },
      { token: desk.tenant.token },
    );
    expect([third.status, third.error.code, third.headers['retry-after']]).toEqual([429, 'TOO_MANY_REQUESTS', '5']);
    expect(third.headers['content-type']).toContain('application/json');

    const other = await desk.api.addTenant();
    const others = await desk.api.call(contract.challans.exportCsv, { body: { filters: {} } }, { token: other.token });
    expect(others.status).toBe(200);

    for (const reader of readers) reader.destroy();
    // The places are free again as soon as the readers are gone.
    await vi.waitFor(() => expect(busyConnections(desk)).toBe(0), patient);
    const again = await desk.api.call(
      contract.challans.exportCsv,
      { body: { filters: {} } },
      { token: desk.tenant.token },
    );
    expect([again.status, again.text.split('\r\n').length > rows]).toEqual([200, true]);
  }, 60_000);
});

describe('a file that takes longer than a file may', () => {
  it('is ended although its reader goes on, little by little', async () => {
    // Long enough that the file has begun on a slow machine, and far from enough for all of it.
    const desk = await openDesk({ stallMs: 60_000, fileMs: 8_000 });
    const reader = await open(desk, desk.tenant, challanList);
    const end = isCutOff(reader);
    const sip = setInterval(() => reader.read(1_024), 20);
    await vi.waitFor(() => expect(busyConnections(desk)).toBe(0), patient);
    clearInterval(sip);
    reader.resume();
    await end;
    expect(reader.complete).toBe(false);
    await vi.waitFor(async () => expect(await working(desk)).toBe(0), patient);
  }, 120_000);

  it('is answered as an error where nothing of it was sent yet', async () => {
    const api = await startApi({ limits: { fileMs: 300, stallMs: 60_000 } });
    apis.push(api);
    const { token } = await api.addTenant();
    const release = await holdChallans(api);
    const answer = await api.call(contract.challans.exportCsv, { body: { filters: {} } }, { token });
    expect([answer.status, answer.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    // Only the one who holds the table is left.
    await vi.waitFor(async () => expect(await working({ api })).toBe(1), patient);
    expect(busyConnections({ api })).toBe(0);
    await release();
  }, 120_000);
});

/** Keeps every reader of the table waiting, as a long query would. */
async function holdChallans(api: Api): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let isHeld = (): void => undefined;
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  const done = asSchemaOwner(api, async (client) => {
    await client.query('BEGIN; LOCK TABLE challans IN ACCESS EXCLUSIVE MODE');
    isHeld();
    await released;
    await client.query('ROLLBACK');
  });
  await held;
  return async () => {
    release();
    await done;
  };
}
