import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { lookAtProcess } from '../../src/server/db/embedded-alive.ts';
import { kill, processTree, removeDirectories, temporaryDirectory } from './embedded-run.ts';

const root = join(import.meta.dirname, '../..');
/** A build may come first. */
const patient = { timeout: 90_000, interval: 50 };

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

/** What `npm start` runs, in a session of its own, as a terminal would. */
function start(env: Record<string, string>): Started {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/tasks/start.ts'], {
    cwd: root,
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
    await expect.poll(() => tree.filter((pid) => lookAtProcess(pid) !== null), patient).toEqual([]);

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
    await expect.poll(() => tree.filter((pid) => lookAtProcess(pid) !== null), patient).toEqual([]);
  });

  it('says in one line which variable is wrong', { timeout: 120_000 }, async () => {
    const started = start({ PORT: 'eighty' });
    expect(await started.ended).toBe(1);
    expect(started.output().split('\n').slice(-2)).toEqual(['PORT must be a whole number from 0 to 65535', '']);
  });
});
