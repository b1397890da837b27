import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Client } from 'pg';
import type { ArchivePlan } from '../../src/ops/log-archive.ts';
import { parentOf } from '../../src/ops/embedded-alive.ts';
import type { ChildMessage } from './embedded-child.ts';

export interface RunOptions {
  dataDir: string;
  native?: string;
  copyInto?: string[];
  isWriting?: boolean;
  archive?: ArchivePlan;
  user?: { uid: number; gid: number };
}

export interface Run {
  child: ChildProcess;
  /** Where the database is, once the app has started; rejects with its own message when it does not come to that. */
  url: Promise<string>;
  messages: ChildMessage[];
  ended: Promise<{ code: number | null; signal: string | null }>;
}

/** Starts the app of embedded-child.ts in a session of its own, as a terminal would. */
export function run({ user, ...options }: RunOptions): Run {
  const child = fork(join(inject('programs'), 'embedded-child.js'), [JSON.stringify(options)], {
    execArgv: [],
    detached: true,
    cwd: join(import.meta.dirname, '../..'),
    ...user,
  });
  const messages: ChildMessage[] = [];
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  const url = new Promise<string>((resolve, reject) => {
    // fork passes on what the child sends; the child sends nothing else.
    child.on('message', (message: ChildMessage) => {
      messages.push(message);
      if (message.url !== undefined) resolve(message.url);
      if (message.error !== undefined) reject(new Error(message.error));
    });
    void ended.then(({ code, signal }) => reject(new Error(`The app ended with ${code ?? signal}`)));
  });
  url.catch(() => undefined);
  return { child, url, messages, ended };
}

/** A process and all below it, parents first. Only where there is /proc. */
export function processTree(root: number): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const tree = [root];
  for (const above of tree) for (const [pid, parent] of parents) if (parent === above) tree.push(pid);
  return tree;
}

/** The postmaster of a data directory, from its lock file. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

export function kill(pids: number[], signal: NodeJS.Signals = 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone already: the one before it took it along.
    }
  }
}

export async function query(url: string, text: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

const made: string[] = [];

/** A directory that everyone may pass through, removed by removeDirectories. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'challan-desk-launcher-'));
  await chmod(directory, 0o755);
  made.push(directory);
  return directory;
}

export async function removeDirectories(): Promise<void> {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** Whether a test may mount a disk of its own. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
