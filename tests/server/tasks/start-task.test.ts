import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readProcess } from '../../../src/ops/embedded-alive.ts';
import { ensureBuilt } from '../../../src/tasks/built.ts';
import { kill, processTree, removeDirectories, temporaryDirectory } from '../embedded-run.ts';

const root = join(import.meta.dirname, '../../..');
/** A build may come first. */
const patient = { timeout: 90_000, interval: 50 };

/** What `npm start` runs. */
const startTask: [string, ...string[]] = [process.execPath, 'src/tasks/run-task.js', 'start'];

interface Started {
  child: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
}

const leftovers: (() => void)[] = [];
afterEach(() => {
  for (const end of leftovers.splice(0)) end();
});
afterAll(removeDirectories);

/** In a session of its own, as a terminal would start it. */
function start(env: Record<string, string>, [program, ...args] = startTask, cwd = root): Started {
  const child = spawn(program, args, {
    cwd,
    detached: true,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'silent', PORT: '0', ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  leftovers.push(() => child.exitCode === null && kill(processTree(child.pid ?? 0)));
  return { child, output: () => output, ended };
}

async function addressOf(started: Started): Promise<string> {
  const find = () => /running at (http:\S+)/.exec(started.output())?.[1];
  await expect.poll(find, patient).toBeDefined();
  return find() ?? '';
}

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  it('serves until Ctrl-C, then leaves nothing behind', { timeout: 120_000 }, async () => {
    const dataDir = await temporaryDirectory();
    const started = start({ DATA_DIR: dataDir });
    const address = await addressOf(started);
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
    expect(await (await fetch(`${address}/login`)).text()).toContain('<div id="root">');
    expect(started.output()).toMatch(/^First start: admin admin@localhost, password \S+ /m);

    const second = start({ DATA_DIR: dataDir });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/(^|\n)Another Challan Desk \(process \d+\) already uses the data directory .*\n$/);

    const tree = processTree(started.child.pid ?? 0);
    process.kill(-(started.child.pid ?? 0), 'SIGINT');
    expect(await started.ended).toBe(0);
    await expect.poll(() => tree.filter((pid) => readProcess(pid) !== null), patient).toEqual([]);

    const again = start({ DATA_DIR: dataDir });
    await addressOf(again);
    expect(again.output()).not.toContain('First start');
    again.child.kill('SIGTERM');
    expect(await again.ended).toBe(0);
  });

  it('does not outlive its own kill -9', { timeout: 120_000 }, async () => {
    const started = start({ DATA_DIR: await temporaryDirectory() });
    await addressOf(started);
    const tree = processTree(started.child.pid ?? 0);
    expect(tree.length).toBeGreaterThan(5);
    started.child.kill('SIGKILL');
    await expect.poll(() => tree.filter((pid) => readProcess(pid) !== null), patient).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends when npm ends by %s, which npm does not pass on',
    { timeout: 120_000 },
    async (signal) => {
      const started = start({ DATA_DIR: await temporaryDirectory() }, ['npm', 'start']);
      await addressOf(started);
      const tree = processTree(started.child.pid ?? 0);
      started.child.kill(signal);
      await expect.poll(() => tree.filter((pid) => readProcess(pid) !== null), patient).toEqual([]);
      if (signal === 'SIGTERM') expect(started.output()).toContain('Stopping (SIGTERM)');
    },
  );

  it('says in one line which variable is wrong', { timeout: 120_000 }, async () => {
    const started = start({ PORT: 'eighty' });
    expect(await started.ended).toBe(1);
    expect(started.output().split('\n').slice(-2)).toEqual(['PORT must be a whole number from 0 to 65535', '']);
  });
});

/** The command that a service manager runs. */
describe.skipIf(process.platform !== 'linux')('node dist/server/main.js', () => {
  const service = (env: Record<string, string>) =>
    start(env, [process.execPath, join(root, 'dist/server/main.js')], tmpdir());
  beforeAll(async () => expect(await ensureBuilt()).toBe(true), 90_000);

  it('serves from any working directory, and a SIGTERM ends it in good order', { timeout: 60_000 }, async () => {
    const started = service({ DATA_DIR: await temporaryDirectory() });
    const address = await addressOf(started);
    expect(await (await fetch(`${address}/login`)).text()).toContain('<div id="root">');
    const tree = processTree(started.child.pid ?? 0);
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
    expect(started.output()).toContain('Stopping (SIGTERM)');
    await expect.poll(() => tree.filter((pid) => readProcess(pid) !== null), patient).toEqual([]);
  });

  it('has a small young generation after its start', { timeout: 60_000 }, async () => {
    const look = `
      import { getHeapSpaceStatistics } from 'node:v8';
      process.on('SIGURG', () => {
        const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
        process.stdout.write(\`young \${young.space_size}\\n\`);
      });`;
    const preload = `--import=data:text/javascript,${encodeURIComponent(look)}`;
    const started = service({ DATA_DIR: await temporaryDirectory(), NODE_OPTIONS: preload });
    await addressOf(started);
    started.child.kill('SIGURG');
    await expect.poll(started.output, patient).toMatch(/young \d+/);
    expect(Number(/young (\d+)/.exec(started.output())?.[1])).toBeLessThan(6e6);
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
  });

  it('ends in good order also when every process of it gets the signal at once', { timeout: 60_000 }, async () => {
    const dataDir = await temporaryDirectory();
    const started = service({ DATA_DIR: dataDir });
    await addressOf(started);
    const tree = processTree(started.child.pid ?? 0);
    kill(tree, 'SIGTERM');
    expect(await started.ended).toBe(0);
    await expect.poll(() => tree.filter((pid) => readProcess(pid) !== null), patient).toEqual([]);
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toMatch(/not properly shut down|PANIC/);
    const again = service({ DATA_DIR: dataDir });
    await addressOf(again);
    again.child.kill('SIGTERM');
    expect(await again.ended).toBe(0);
  });

  it.each([
    [
      'a data directory that is a file',
      { DATA_DIR: import.meta.filename },
      /^The data directory .* is a file: set DATA_DIR to a directory\.$/,
    ],
    [
      'a database server that is not there',
      { DATABASE_URL: 'postgres://app:secret@127.0.0.1:9/challans' },
      /^The database at 127\.0\.0\.1:9 cannot be used: connect ECONNREFUSED 127\.0\.0\.1:9$/,
    ],
  ])('says in one line what is wrong with %s', { timeout: 60_000 }, async (_, env, sentence) => {
    const started = service(env);
    expect(await started.ended).toBe(1);
    expect(started.output().trimEnd()).toMatch(sentence);
  });

  it.each([
    ['PORT', 'PORT or HOST'],
    ['METRICS_PORT', 'METRICS_PORT'],
  ])('says in one line that its %s is taken, and lets its database go', { timeout: 60_000 }, async (name, settings) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const dataDir = await temporaryDirectory();
    const started = service({ DATA_DIR: dataDir, [name]: String(port), ADMIN_PASSWORD: 'correct horse 42' });
    expect(await started.ended).toBe(1);
    expect(started.output().trimEnd().split('\n').at(-1)).toBe(
      `The app cannot listen (listen EADDRINUSE: address already in use 127.0.0.1:${port}). Set ${settings}, or stop the other program.`,
    );
    expect(existsSync(join(dataDir, 'app.pid'))).toBe(false);
    other.close();
  });
});
