import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { chown, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lookAtProcess } from './embedded-alive.ts';
import type { Binaries } from './embedded-binaries.ts';
import { environmentOf, pathFor } from './embedded-cluster.ts';
import { EmbeddedError } from './embedded-owner.ts';
import type { RunAs } from './embedded-user.ts';

export interface ServerPlan {
  cluster: string;
  logFile: string;
  binaries: Binaries;
  user: RunAs | null;
  settings: Record<string, string>;
}

export interface Server {
  port: number;
  /** Resolves when the server and its guard are gone, whatever the reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * The guard between us and the server. It starts the server, tells its pid, and waits for the end of its own standard
 * input, which comes when we die in whatever way: then it asks for a fast shutdown (database.md, point 4). It ends with
 * the server. The subshell reads a copy of standard input because a shell gives background commands /dev/null.
 */
const guard = `
exec 3<&0
"$@" 3<&- </dev/null >&2 &
server=$!
echo "$server"
exec >&2
( while read -r _; do :; done <&3; kill -INT "$server" ) &
watcher=$!
exec 3<&- </dev/null
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`;

const readyWithin = 300_000;
const leaveWithin = 15_000;

/**
 * Starts the server on 127.0.0.1 and waits until it takes connections. Without a port it takes a free one. Waits for
 * what an earlier server left behind, and only then gives up.
 */
export async function startServer(plan: ServerPlan, port?: number): Promise<Server> {
  const giveUpAt = Date.now() + leaveWithin;
  for (;;) {
    const pidOfLock = await clearLock(plan);
    const chosen = port ?? (await findFreePort());
    const attempt = await startOnce(plan, chosen, pidOfLock);
    if ('server' in attempt) return attempt.server;
    // A backend of the killed server still holds the shared memory, or the port was taken in the meantime.
    const isPassing = /pre-existing shared memory block|Address already in use|could not create any TCP/.test(
      attempt.log,
    );
    if (!isPassing || Date.now() > giveUpAt) {
      const reason =
        /^.*(?:FATAL|PANIC):\s*(.+)$/m.exec(attempt.log)?.[1] ?? attempt.log.trim().split('\n').at(-1) ?? '';
      throw new EmbeddedError(
        `The database did not start: ${reason.trim() || 'no reason given'} (log: ${plan.logFile})`,
      );
    }
    await wait(200);
  }
}

async function startOnce(
  plan: ServerPlan,
  port: number,
  pidOfLock: number | null,
): Promise<{ server: Server } | { log: string }> {
  const log = openSync(plan.logFile, 'a', 0o600);
  const logStart = fstatSync(log).size;
  const flags = { ...plan.settings, listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' };
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      guard,
      'challan-desk-database',
      plan.binaries.postgres,
      '-D',
      pathFor(plan.cluster, plan.user),
      ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      cwd: plan.cluster,
      env: {
        ...environmentOf(plan.binaries),
        ...(pidOfLock === null ? {} : { PG_GRANDPARENT_PID: String(pidOfLock) }),
      },
      stdio: ['pipe', 'pipe', log],
      // Its own session: Ctrl-C in the terminal is for us alone, who first finish what is under way (point 7).
      detached: true,
      ...(plan.user === null ? {} : { uid: plan.user.uid, gid: plan.user.gid }),
    },
  );
  closeSync(log);
  const guardian = watch(child);
  const isReady = await waitUntilReady(plan, guardian, port);
  if (isReady) return { server: { port, ended: guardian.ended, stop: () => stop(guardian) } };
  await stop(guardian);
  return { log: readFrom(plan.logFile, logStart) };
}

interface Guardian {
  child: ChildProcess;
  /** The server's own pid, once the guard has told it. */
  pid: number | null;
  hasEnded: boolean;
  ended: Promise<void>;
}

function watch(child: ChildProcess): Guardian {
  const guardian: Guardian = { child, pid: null, hasEnded: false, ended: Promise.resolve() };
  guardian.ended = new Promise((resolve) => {
    const end = () => {
      guardian.hasEnded = true;
      resolve();
    };
    child.on('exit', end);
    child.on('error', end);
  });
  child.stdout?.on('data', (chunk: Buffer) => (guardian.pid ??= Number(chunk.toString().trim())));
  child.stdin?.on('error', () => undefined);
  // A program that has nothing left to do may end; the guard then ends the server.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) {
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
  return guardian;
}

/** By the status line of its own lock file, as pg_ctl does: the pid in it must be the one that our guard started. */
async function waitUntilReady(plan: ServerPlan, guardian: Guardian, port: number): Promise<boolean> {
  const giveUpAt = Date.now() + readyWithin;
  while (!guardian.hasEnded && Date.now() < giveUpAt) {
    const lock = readLock(plan.cluster);
    if (lock && lock.pid === guardian.pid && lock.port === port && lock.status === 'ready') return true;
    await wait(10);
  }
  return false;
}

async function stop(guardian: Guardian): Promise<void> {
  guardian.child.ref();
  guardian.child.stdin?.end();
  const end = guardian.ended.then(() => true);
  if (await Promise.race([end, wait(30_000, false, { ref: false })])) return;
  // Immediate shutdown: as safe as a power cut, and recovered from in the same way.
  signal(guardian.pid, 'SIGQUIT');
  if (await Promise.race([end, wait(5_000, false, { ref: false })])) return;
  signal(guardian.pid, 'SIGKILL');
  await guardian.ended;
}

function signal(pid: number | null, name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
  if (pid === null) return;
  try {
    process.kill(pid, name);
  } catch {
    // Gone by itself in the meantime.
  }
}

interface Lock {
  lines: string[];
  pid: number;
  startedSeconds: number;
  port: number;
  status: string;
}

function readLock(cluster: string): Lock | null {
  let text: string;
  try {
    text = readFileSync(join(cluster, 'postmaster.pid'), 'utf8');
  } catch {
    return null;
  }
  const lines = text.split('\n');
  const [pid, , started, port, , , , status = ''] = lines;
  return { lines, pid: Number(pid), startedSeconds: Number(started), port: Number(port), status: status.trim() };
}

/**
 * Sees to the lock file of an earlier server. One that still runs although its app is gone is asked to stop. A file
 * whose server is dead, a zombie, or a number that another program has by now, is not deleted, for it also leads
 * PostgreSQL to the shared memory that a last backend may hold: it gets our own pid, which PostgreSQL is told to be its
 * grandparent's and therefore takes for stale (database.md, point 5). Returns that pid, if one was put in.
 */
async function clearLock(plan: ServerPlan): Promise<number | null> {
  const lock = readLock(plan.cluster);
  if (lock === null) return null;
  if (isServer(lock)) {
    signal(lock.pid, 'SIGINT');
    for (let waited = 0; isServer(lock); waited += 50) {
      if (waited > leaveWithin) {
        throw new EmbeddedError(`An earlier database server (process ${lock.pid}) in ${plan.cluster} does not stop.`);
      }
      await wait(50);
    }
    return clearLock(plan);
  }
  const file = join(plan.cluster, 'postmaster.pid');
  const { uid, gid, mode } = await stat(file);
  await writeFile(`${file}.new`, [String(process.pid), ...lock.lines.slice(1)].join('\n'), { mode: mode & 0o777 });
  if (process.getuid?.() === 0) await chown(`${file}.new`, uid, gid);
  await rename(`${file}.new`, file);
  return process.pid;
}

/** Whether the process of a lock file is a server, and the one that wrote the file. */
function isServer({ pid, startedSeconds }: Lock): boolean {
  const look = lookAtProcess(pid);
  if (look === null || !look.command.startsWith('postgres')) return false;
  return look.startedSeconds === null || Math.abs(look.startedSeconds - startedSeconds) < 10;
}

/** The database's own choice would be a fixed port, which two installations would fight for. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new EmbeddedError('The system gave no free port'));
      });
    });
  });
}

function readFrom(file: string, start: number): string {
  const opened = openSync(file, 'r');
  try {
    const rest = Buffer.alloc(Math.max(0, fstatSync(opened).size - start));
    readSync(opened, rest, 0, rest.length, start);
    return rest.toString();
  } finally {
    closeSync(opened);
  }
}
