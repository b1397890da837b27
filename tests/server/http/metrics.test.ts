import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { withGlobal } from '../../../src/server/db/tenant.ts';
import { endUpkeep, insertUpkeep, type UpkeepKind } from '../../../src/server/features/system/upkeep.queries.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../../src/server/app.ts';
import { serveMetrics } from '../../../src/server/metrics.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

it('counts requests by route pattern and code, connections and gates, and names nobody', async () => {
  const metrics = new Registry();
  const app = await buildApp({ pools: api.pools, logLevel: 'silent', metrics });
  const server = await serveMetrics(metrics, 0);
  try {
    const authorization = `Bearer ${tenant.token}`;
    for (let n = 0; n < 3; n += 1) await app.inject({ url: '/api/tags?page=1', headers: { authorization } });
    await app.inject({ url: '/api/tags/0b57a8c8-0000-4000-8000-000000000000', headers: { authorization } });
    await app.inject({ url: '/api/made-up-address' });
    await app.inject({ method: 'POST', url: '/api/tables/read' });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('It listens on a port');
    expect(address.address).toBe('127.0.0.1');
    const answer = await fetch(`http://127.0.0.1:${address.port}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await answer.text();
    expect(text).toContain('challan_requests_total{route="/api/tags",method="GET",status="200"} 3');
    expect(text).toContain('challan_requests_total{route="/api/tags/:id",method="GET",status="404"} 1');
    expect(text).toContain('challan_requests_total{route="unknown",method="GET",status="404"} 1');
    // Of a scope of its own.
    expect(text).toContain('challan_requests_total{route="/api/tables/read",method="POST",status="401"} 1');
    expect(text).toContain('challan_request_seconds_count{route="/api/tags",method="GET"} 3');
    expect(text).toMatch(/challan_database_connections\{pool="main",state="idle"\} \d+/);
    expect(text).toContain('challan_gate{gate="parser",state="waiting"} 0');
    expect(text).toContain('challan_account_gate{gate="calls",role="subadmin",state="running"} 0');
    // Neither has been done yet.
    expect(text).not.toContain('challan_upkeep_good{');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).not.toMatch(new RegExp([tenant.id, tenant.email, tenant.token, 'made-up'].join('|')));
    expect((await fetch(`http://127.0.0.1:${address.port}/`)).status).toBe(404);
  } finally {
    server.close();
    await app.close();
  }
});

it('says whether the last check and backup were good, and how long ago one was', async () => {
  const metrics = new Registry();
  const app = await buildApp({ pools: api.pools, logLevel: 'silent', metrics });
  const end = (kind: UpkeepKind, isGood: boolean) =>
    withGlobal(api.pools.main, 'write', async (db) => endUpkeep(db, await insertUpkeep(db, kind), isGood, ''));
  const figure = async (line: string) => new RegExp(`^${line} (\\S+)$`, 'm').exec(await metrics.metrics())?.[1];
  try {
    await end('check', true);
    await end('check', false);
    expect(await figure('challan_upkeep_good{kind="check"}')).toBe('0');
    expect(Number(await figure('challan_upkeep_good_age_seconds{kind="check"}'))).toBeLessThan(600);
    expect(await figure('challan_upkeep_good{kind="backup"}')).toBeUndefined();
    await end('backup', true);
    expect(await figure('challan_upkeep_good{kind="backup"}')).toBe('1');
  } finally {
    await app.close();
  }
});

it('says whether the log is archived, how much waits for how long, and what room the disks have', async () => {
  const metrics = new Registry();
  const waitingSince = new Date(Date.now() - 120_000).toISOString();
  const logArchive = () => ({ trouble: 'the disk is full', archivedAt: null, waitingSince, waitingBytes: 16_777_216 });
  const directories = { data: tmpdir(), backups: join(tmpdir(), 'not there') };
  const app = await buildApp({ pools: api.pools, logLevel: 'silent', metrics, logArchive, directories });
  try {
    const text = await metrics.metrics();
    expect(text).toContain('challan_log_archive_good 0');
    expect(text).toContain('challan_log_archive_waiting_bytes 16777216');
    expect(Number(/^challan_log_archive_waiting_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(120);
    // A reason has the operator's paths in it: it is for the admin, not for the figures.
    expect(text).not.toContain('the disk is full');
    const answer = await app.inject({
      url: '/api/admin/health',
      headers: { authorization: `Bearer ${api.adminToken}` },
    });
    expect(answer.json()).toMatchObject({
      data: {
        log: logArchive(),
        disks: [{ name: 'data' }],
        database: { version: expect.stringMatching(/^\d+\.\d+$/) },
      },
    });
    const { version, warning } = (answer.json() as { data: { database: { version: string; warning: string | null } } })
      .data.database;
    expect(text).toContain(`challan_database_old{version="${version}"} ${warning === null ? 0 : 1}\n`);
    expect(Number(/^challan_disk_free_bytes\{directory="data"\} (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
  } finally {
    await app.close();
  }
});

it('counts what waits at the gates by the role of the account', async () => {
  const metrics = new Registry();
  const app = await buildApp({ pools: api.pools, logLevel: 'silent', metrics });
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => (end = resolve));
  try {
    const held = [1, 2].map((n) => app.gates.calls.run(`subadmin ${n}`, undefined, () => work));
    const text = await metrics.metrics();
    expect(text).toContain('challan_account_gate{gate="calls",role="subadmin",state="running"} 2');
    expect(text).toContain('challan_account_gate{gate="calls",role="admin",state="running"} 0');
    end();
    await Promise.all(held);
  } finally {
    await app.close();
  }
});
