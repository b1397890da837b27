import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildApp } from '../../../src/server/app.ts';
import { prepareAppRole } from '../../../src/server/db/app-role.ts';
import { findNative, prepareBinaries } from '../../../src/ops/embedded-binaries.ts';
import { startServer, type Server } from '../../../src/ops/embedded-process.ts';
import { chooseUser } from '../../../src/ops/embedded-user.ts';
import { startEmbedded, type EmbeddedDatabase } from '../../../src/ops/embedded.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { createPool } from '../../../src/server/db/pool.ts';
import { ReplicaLag, watchReplica } from '../../../src/server/db/read-replica.ts';
import { removeDirectories, temporaryDirectory } from '../embedded-run.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { insertChallans } from '../support/ledger.ts';

describe('how far a replica is behind', () => {
  it('is the time since the primary was no further, also while nothing is written', () => {
    const lag = new ReplicaLag();
    lag.recordPrimary(100n, 0);
    expect(lag.recordReplica(50n, 10)).toBeUndefined();
    expect(lag.recordReplica(100n, 20)).toBe(20);
    lag.recordPrimary(100n, 1_000);
    lag.recordPrimary(200n, 2_000);
    expect(lag.recordReplica(150n, 2_010)).toBe(1_010);
    expect(lag.recordReplica(200n, 2_020)).toBe(20);
  });
});

describe.skipIf(process.platform !== 'linux')('a streaming replica', { timeout: 180_000 }, () => {
  let primary: EmbeddedDatabase;
  let standby: Server;
  let api: Api;
  let tenant: Tenant;
  let replica: ReturnType<typeof watchReplica>;
  let app: Awaited<ReturnType<typeof buildApp>>;
  const said: [boolean, string][] = [];
  /** How often a connection of the replica was taken, by a look too. */
  let asked = 0;
  const settings = { shared_buffers: '32MB', io_method: 'sync' };

  beforeAll(async () => {
    const [dataDir, copy] = [await temporaryDirectory(), await temporaryDirectory()];
    primary = await startEmbedded({ dataDir, settings });
    await migrate(primary.url);
    await prepareAppRole(primary.url, primary.appUrl);
    const { url, appUrl } = primary;
    api = await startApi({ database: { url, appUrl, drop: () => Promise.resolve() } });
    tenant = await api.addTenant();
    await primary.backup(copy);
    const cluster = join(copy, 'postgres');
    await writeFile(join(cluster, 'standby.signal'), '');
    await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${url}'\n`);
    const user = chooseUser(cluster);
    const binaries = await prepareBinaries(findNative(), user === null ? [] : [user.server, user.initdb], copy);
    standby = await startServer({
      cluster,
      logFile: join(copy, 'postgres.log'),
      binaries,
      user: user?.server ?? null,
      settings: { ...settings, hot_standby: 'on' },
    });
    const readUrl = new URL(appUrl);
    readUrl.port = String(standby.port);
    const pools = {
      main: createPool(readUrl.href, { max: 4 }),
      stream: createPool(readUrl.href, { max: 2, pipeline: false }),
    };
    for (const pool of Object.values(pools)) pool.on('acquire', () => (asked += 1));
    replica = watchReplica(api.pools.main, pools, (isUsable, reason) => said.push([isUsable, reason]));
    app = await buildApp({ pools: { ...api.pools, replica }, logLevel: 'silent' });
    await app.ready();
  });
  afterAll(async () => {
    replica?.stop();
    await app?.close();
    await Promise.all([replica?.main.end(), replica?.stream.end()]);
    await standby?.stop();
    await api?.close();
    await primary?.stop();
    await removeDirectories();
  });

  const get = async (path: string, method: 'GET' | 'POST' = 'GET', payload?: object) => {
    const headers = { authorization: `Bearer ${tenant.token}` };
    const answer = await app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) });
    expect([path, answer.statusCode, answer.payload.slice(0, 200)]).toEqual([path, 200, expect.any(String)]);
    return answer.payload;
  };
  const { dashboard, accounting, challans, owners } = contract;

  it('answers what may be a moment old, with the same proof of the tenant, and nothing else', async () => {
    const owner = await createOwner(api, tenant);
    await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: owner.id }, 5));
    await expect.poll(() => replica.isUsable(), { timeout: 60_000 }).toBe(true);
    expect(said).toContainEqual([true, 'can be used']);
    await expect.poll(() => replica.lagSeconds() ?? Infinity, { timeout: 60_000 }).toBeLessThan(10);
    // It may be a moment old: until it has all of it.
    const file = () => get(challans.exportCsv.path, 'POST', { filters: {} });
    await expect.poll(async () => (await file()).trim().split('\n').length, { timeout: 60_000 }).toBe(6);
    const days = '?startDate=2026-01-01&endDate=2026-12-31';
    const paths = [
      `${dashboard.listWeeks.path}${days}`,
      dashboard.listOwnerAgeing.path,
      `${accounting.getTagAnalytics.path}${days}`,
      owners.listAllSystem.path,
    ];
    for (const path of paths) {
      await replica.check();
      const [taken, passed] = [asked, replica.bypassCount()];
      const answer = await get(path);
      expect(asked - taken + replica.bypassCount() - passed).toBeGreaterThan(0);
      const { text } = await api.callRaw('GET', `/api${path}`, { token: tenant.token });
      const withoutClock = (body: string) => body.replace(/"generatedAt":"[^"]+"/g, '');
      expect(withoutClock(answer)).toBe(withoutClock(text));
    }
    // A business sees nothing of another there either.
    const other = await api.addTenant();
    const headers = { authorization: `Bearer ${other.token}` };
    const itsAgeing = await app.inject({ url: `/api${dashboard.listOwnerAgeing.path}`, headers });
    expect(itsAgeing.json()).toMatchObject({ data: [] });
    // Nothing can be written there.
    await expect(replica.main.query("SELECT set_config('app.tenant', '', false); CREATE TABLE x ()")).rejects.toThrow();
  });

  it('that does not answer is passed by: the primary answers, and the metrics can say so', async () => {
    await expect.poll(() => replica.isUsable(), { timeout: 60_000 }).toBe(true);
    await standby.stop('immediate');
    const before = replica.bypassCount();
    await get(dashboard.listOwnerAgeing.path);
    expect(replica.isUsable()).toBe(false);
    expect(replica.bypassCount()).toBeGreaterThan(before);
    expect(said).toContainEqual([false, 'does not answer']);
    // From then on without trying it first.
    await get(challans.exportCsv.path, 'POST', { filters: {} });
  });

  it('that is none, or takes no proofs, is not asked', async () => {
    const looked = async (url: string): Promise<string | undefined> => {
      const pools = { main: createPool(url, { max: 1 }), stream: createPool(url, { max: 1, pipeline: false }) };
      const reasons: string[] = [];
      const watched = watchReplica(api.pools.main, pools, (isUsable, reason) => reasons.push(`${isUsable} ${reason}`));
      await watched.check();
      watched.stop();
      expect(watched.isUsable()).toBe(false);
      await Promise.all([pools.main.end(), pools.stream.end()]);
      return reasons.at(-1);
    };
    // Not usable from the start, so that nothing changed.
    expect(await looked(primary.appUrl)).toBeUndefined();
  });
});
