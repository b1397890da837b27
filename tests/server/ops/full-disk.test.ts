import { execFileSync } from 'node:child_process';
import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { fillPath, type CallArguments, type Endpoint } from '../../../src/shared/contract/define.ts';
import { checkDatabase } from '../../../src/ops/check-database.ts';
import { startEmbedded } from '../../../src/ops/embedded.ts';
import { readEnv } from '../../../src/server/env.ts';
import { startServer, type RunningServer } from '../../../src/server/start.ts';
import { canMount, query, removeDirectories, temporaryDirectory } from '../embedded-run.ts';
import { buildOwner } from '../support/builders.ts';

/** The real server on a disk of its own, which is filled. */
const password = 'correct horse 42';
let disk: string;
let server: RunningServer;
const ballast = () => join(disk, 'ballast');

const start = async (): Promise<void> => {
  const env = readEnv({ DATA_DIR: join(disk, 'data'), PORT: '0', LOG_LEVEL: 'silent', ADMIN_PASSWORD: password });
  server = await startServer({ env, webRoot: '', say: () => undefined });
};

async function call<E extends Endpoint>(endpoint: E, args: CallArguments<E>, token?: string) {
  const { params, body } = args as { params?: Record<string, string>; body?: unknown };
  const response = await fetch(`${server.url}/api${fillPath(endpoint.path, params)}`, {
    method: endpoint.method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // Each call of this test answers with one of these.
  return {
    status: response.status,
    ...((await response.json()) as { token: string; message: string; data: { token: string } }),
  };
}
const ready = async () => (await fetch(`${server.url}/health/ready`)).status;
const freeBytes = async () => {
  const { bavail, bsize } = await statfs(disk);
  return bavail * bsize;
};
/** Fills the disk to the last byte. */
const fill = async () => {
  await writeFile(ballast(), Buffer.alloc(await freeBytes())).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error;
  });
};

const reason = canMount() ? '' : ' (left out: only root may mount a disk, on Linux)';
describe.skipIf(reason !== '')(`a full disk${reason}`, { timeout: 300_000 }, () => {
  let token: string;
  const stored: string[] = [];
  const addOwner = async () => {
    const body = buildOwner();
    const answer = await call(contract.owners.create, { body }, token);
    if (answer.status === 201) stored.push(body.name);
    return answer;
  };

  beforeAll(async () => {
    disk = await temporaryDirectory();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'none', disk]);
    await start();
    const admin = await call(contract.session.loginAdmin, { body: { email: 'admin@localhost', password } });
    const account = {
      email: 'desk@challan.test',
      password,
      bannerName: 'Full Disk Carriers',
      gstNo: '21ABCDE1234F1Z5',
      contactNumber: '9876543210',
      officeAddress: 'Barbil',
    };
    expect((await call(contract.subadmins.create, { body: account }, admin.data.token)).status).toBe(201);
    token = (await call(contract.session.loginSubadmin, { body: { email: account.email, password } })).token;
  });
  afterAll(async () => {
    try {
      await server.stop();
    } finally {
      execFileSync('umount', ['--lazy', disk]);
      await removeDirectories();
    }
  });

  it('is said to who saves, and the server is not ready; with room again everything goes on', async () => {
    expect((await addOwner()).status).toBe(201);
    expect(await ready()).toBe(200);
    await fill();
    // The pages that are there have some room left.
    let refused = await addOwner();
    for (let n = 0; n < 2_000 && refused.status === 201; n += 1) refused = await addOwner();
    expect(refused).toMatchObject({
      status: 503,
      message: 'The disk of the database is full, so nothing was saved. Please tell the people who run the server.',
    });
    await expect.poll(ready, { timeout: 10_000 }).toBe(503);
    expect((await call(contract.owners.list, {}, token)).status).toBe(200);
    await rm(ballast());
    await expect.poll(ready, { timeout: 20_000 }).toBe(200);
    expect((await addOwner()).status).toBe(201);
    await expectAllThere();
  });

  it('that has no room for the log of the database ends it, and it comes back by itself', async () => {
    await fill();
    // The next segments of the log that it has prepared are used up; then it cannot write one.
    await expect(
      (async () => {
        for (let n = 0; n < 100; n += 1) {
          await query(server.databaseUrl, 'SELECT pg_switch_wal(), txid_current()');
          await addOwner();
        }
      })(),
    ).rejects.toThrow();
    expect(await readFile(join(disk, 'data', 'postgres.log'), 'utf8')).toMatch(/PANIC: .*No space left on device/);
    const refused = await addOwner();
    expect([refused.status, refused.message.length > 20]).toEqual([503, true]);
    await expect.poll(ready, { timeout: 10_000 }).toBe(503);
    await rm(ballast());
    await expect.poll(ready, { timeout: 60_000 }).toBe(200);
    expect((await addOwner()).status).toBe(201);
    await expectAllThere();
  });

  it('that can only be read refuses the start in one line, and nothing is lost', async () => {
    await server.stop();
    // What has started the database keeps its log open for a moment more.
    await vi.waitFor(() => execFileSync('mount', ['-o', 'remount,ro', disk], { stdio: 'ignore' }), { timeout: 10_000 });
    await expect(startEmbedded({ dataDir: join(disk, 'data') })).rejects.toThrow(
      /^The data directory .* cannot be used: the disk is read-only\.$/,
    );
    execFileSync('mount', ['-o', 'remount,rw', disk]);
    await start();
    await expectAllThere();
  });

  /** Every owner that was acknowledged is there, and nothing else. */
  async function expectAllThere(): Promise<void> {
    const names = await query(server.databaseUrl, 'SELECT name FROM owners');
    expect(names.flat().sort()).toEqual([...stored].sort());
    expect((await checkDatabase(server.databaseUrl)).isGood).toBe(true);
  }
});
