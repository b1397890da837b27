import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readProcess, parentOf } from '../../../src/ops/embedded-alive.ts';
import { startEmbedded } from '../../../src/ops/embedded.ts';
import { testSeed } from '../../calc/seed.ts';
import {
  kill,
  postmasterOf,
  processTree,
  query,
  removeDirectories,
  run,
  temporaryDirectory,
  type Run,
} from '../embedded-run.ts';

const settings = { shared_buffers: '32MB', io_method: 'sync' };
const isAlive = (pid: number) => readProcess(pid) !== null;
const patient = { timeout: 20_000 };

const leftovers: (() => void)[] = [];
afterEach(() => {
  for (const end of leftovers.splice(0)) end();
});
afterAll(removeDirectories);

/** Whatever a failed expectation leaves running is ended after the test. */
function start(options: Parameters<typeof run>[0]): Run {
  const started = run(options);
  leftovers.push(() =>
    kill(processTree(started.child.pid ?? 0).filter((pid) => pid > 0 && started.child.exitCode === null)),
  );
  return started;
}

async function writeSome(dataDir: string, rows = 50): Promise<Run> {
  const writing = start({ dataDir, isWriting: true });
  await writing.url;
  const before = writing.messages.length;
  await expect.poll(() => writing.messages.length, patient).toBeGreaterThan(before + rows);
  return writing;
}

const acknowledged = ({ messages }: Run) => messages.flatMap((message) => message.acknowledged ?? []);

/** A running server without its app: everything above it is killed. */
async function orphan(dataDir: string): Promise<number> {
  const app = await writeSome(dataDir);
  const postmaster = postmasterOf(dataDir);
  const servers = processTree(postmaster);
  const above = processTree(app.child.pid ?? 0).filter((pid) => !servers.includes(pid));
  // Stopped first: the guard would otherwise see the app's end and stop the server in good order.
  kill(above, 'SIGSTOP');
  kill(above);
  await app.ended;
  expect(isAlive(postmaster)).toBe(true);
  return postmaster;
}

// The launcher works elsewhere too; these tests need /proc to see who is whose child.
describe.skipIf(process.platform !== 'linux')('the launcher', () => {
  it('leaves no server behind when its process is killed', async () => {
    const dataDir = await temporaryDirectory();
    const app = await writeSome(dataDir);
    const tree = processTree(app.child.pid ?? 0);
    expect(tree).toContain(postmasterOf(dataDir));
    expect(tree.length).toBeGreaterThan(5);
    app.child.kill('SIGKILL');
    await expect.poll(() => tree.filter(isAlive), patient).toEqual([]);
    // Asked to stop, not killed: it took its lock file along.
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  it('starts after everything was killed at once, with every acknowledged row', { timeout: 120_000 }, async () => {
    const dataDir = await temporaryDirectory();
    const seed = testSeed('rows before the kill');
    const seen = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      const app = await writeSome(dataDir, 1 + ((seed >> (round * 5)) & 0xff));
      kill(processTree(app.child.pid ?? 0));
      await app.ended;
      for (const id of acknowledged(app)) seen.add(id);
      expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true);
    }
    const database = await startEmbedded({ dataDir, settings });
    const ids = new Set((await query(database.url, 'SELECT id FROM row')).flat());
    await database.stop();
    expect([...seen].filter((id) => !ids.has(id))).toEqual([]);
    expect(seen.size).toBeGreaterThan(5);
  });

  it("starts when the dead server's pid is a zombie's", async () => {
    const dataDir = await temporaryDirectory();
    const app = await writeSome(dataDir);
    const owner = process.getuid?.() === 0 ? await ownerOf(postmasterOf(dataDir)) : {};
    kill(processTree(app.child.pid ?? 0));
    await app.ended;
    // A parent that never collects its child; of the database's user, for PostgreSQL passes over others' processes.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 600'], { cwd: '/', ...owner });
    leftovers.push(() => parent.kill('SIGKILL'));
    const zombie = Number(
      await new Promise((resolve) => parent.stdout.once('data', (chunk) => resolve(String(chunk)))),
    );
    await expect.poll(() => stateOf(zombie), patient).toBe('Z');
    await replacePid(dataDir, zombie);
    const database = await startEmbedded({ dataDir, settings });
    expect(Number((await query(database.url, 'SELECT count(*) FROM row'))[0]?.[0])).toBeGreaterThan(0);
    await database.stop();
  });

  it("starts when the dead server's pid is another program's by now", async () => {
    const dataDir = await temporaryDirectory();
    const app = await writeSome(dataDir);
    const owner = process.getuid?.() === 0 ? await ownerOf(postmasterOf(dataDir)) : {};
    kill(processTree(app.child.pid ?? 0));
    await app.ended;
    const other = spawn('/bin/sh', ['-c', 'exec sleep 600'], { cwd: '/', ...owner });
    leftovers.push(() => other.kill('SIGKILL'));
    await replacePid(dataDir, other.pid ?? 0);
    await writeFile(join(dataDir, 'app.pid'), `${other.pid} long ago\n`);
    const database = await startEmbedded({ dataDir, settings });
    expect(isAlive(other.pid ?? 0)).toBe(true);
    await database.stop();
  });

  it('stops a server that was left without its app, and takes over', async () => {
    const dataDir = await temporaryDirectory();
    const postmaster = await orphan(dataDir);
    const database = await startEmbedded({ dataDir, settings });
    expect(isAlive(postmaster)).toBe(false);
    expect(postmasterOf(dataDir)).not.toBe(postmaster);
    await database.stop();
  });

  it('waits for a last backend of a killed server', async () => {
    const dataDir = await temporaryDirectory();
    const app = await writeSome(dataDir);
    const url = await app.url;
    const busy = query(url, 'SELECT count(*) FROM generate_series(1, 20000000)').catch(() => 'gone');
    const backends = async () =>
      (await query(url, "SELECT pid FROM pg_stat_activity WHERE query LIKE '%generate_series(1, 2%'")).flat();
    await expect.poll(async () => (await backends()).length, patient).toBe(2);
    const tree = processTree(app.child.pid ?? 0);
    const backend = Number(
      (await query(url, "SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT count(*) FROM gen%'"))[0]?.[0],
    );
    // Held, so that it does not notice the death of its server before the next start.
    kill([backend], 'SIGSTOP');
    kill(tree.filter((pid) => pid !== backend));
    await app.ended;
    const starting = startEmbedded({ dataDir, settings });
    await expect
      .poll(
        async () => (await readFile(join(dataDir, 'postgres.log'), 'utf8')).includes('pre-existing shared memory'),
        patient,
      )
      .toBe(true);
    kill([backend], 'SIGCONT');
    kill([backend]);
    const database = await starting;
    expect(await query(database.url, 'SELECT 1')).toEqual([[1]]);
    await database.stop();
    await busy;
  });

  it('refuses a second app on the same directory in one line that names the first', async () => {
    const dataDir = await temporaryDirectory();
    const app = await writeSome(dataDir);
    const refusal = `Another Challan Desk (process ${app.child.pid}) already uses the data directory ${dataDir}. Stop it first, or set DATA_DIR to another directory.`;
    await expect(start({ dataDir }).url).rejects.toThrow(refusal);
    await expect(startEmbedded({ dataDir, settings })).rejects.toThrow(refusal);
    const before = app.messages.length;
    await expect.poll(() => app.messages.length, patient).toBeGreaterThan(before);
  });

  it('lets exactly one of many starters have the directory, also over a dead owner', { timeout: 120_000 }, async () => {
    const dataDir = await temporaryDirectory();
    for (let round = 0; round < 3; round += 1) {
      const starters = Array.from({ length: 4 }, () => start({ dataDir }));
      const outcomes = await Promise.allSettled(starters.map(({ url }) => url));
      const said = outcomes.map((outcome) =>
        outcome.status === 'fulfilled'
          ? 'started'
          : String(outcome.reason).replace(/^.*(already uses the data directory).*$/, '$1'),
      );
      expect(said.sort()).toEqual([...Array<string>(3).fill('already uses the data directory'), 'started']);
      // Killed, so that the next round finds the file of a dead owner.
      for (const { child } of starters) kill(processTree(child.pid ?? 0));
      await Promise.all(starters.map(({ ended }) => ended));
    }
  });

  it('lets Ctrl-C finish what is under way before the database goes', async () => {
    const dataDir = await temporaryDirectory();
    const app = await writeSome(dataDir);
    const tree = processTree(app.child.pid ?? 0);
    // As a terminal does: the signal goes to every process of the foreground group.
    process.kill(-(app.child.pid ?? 0), 'SIGINT');
    expect(await app.ended).toEqual({ code: 0, signal: null });
    expect(app.messages.at(-1)).toEqual({ finished: acknowledged(app).length });
    await expect.poll(() => tree.filter(isAlive), patient).toEqual([]);
    const database = await startEmbedded({ dataDir, settings });
    expect(await query(database.url, 'SELECT count(*)::int FROM row')).toEqual([[acknowledged(app).length]]);
    await database.stop();
  });

  it.each(['the server', 'the server and its guard', 'the guard alone'])(
    'starts the database again when %s is killed',
    async (who) => {
      const dataDir = await temporaryDirectory();
      const said: string[] = [];
      const database = await startEmbedded({ dataDir, settings, log: (message) => said.push(message) });
      await query(database.url, 'CREATE TABLE kept AS SELECT 1 AS one');
      const postmaster = postmasterOf(dataDir);
      const guard = parentOf(postmaster) ?? 0;
      kill([...(who === 'the server' ? [] : [guard]), ...(who === 'the guard alone' ? [] : [postmaster])]);
      await expect.poll(() => said.at(-1), patient).toBe('The database is back.');
      expect(said[0]).toBe('The database ended unexpectedly; starting it again.');
      expect(await query(database.url, 'SELECT one FROM kept')).toEqual([[1]]);
      expect(postmasterOf(dataDir)).not.toBe(postmaster);
      await database.stop();
      expect(isAlive(postmaster)).toBe(false);
    },
  );
});

function stateOf(pid: number): string | undefined {
  return readProcess(pid) === null && existsSync(`/proc/${pid}`) ? 'Z' : 'alive';
}

async function ownerOf(pid: number): Promise<{ uid: number; gid: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const id = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { uid: id('Uid'), gid: id('Gid') };
}

async function replacePid(dataDir: string, pid: number): Promise<void> {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, [String(pid), ...rest].join('\n'));
}
