import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { chown, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readProcess } from './embedded-alive.ts';
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
  readyWithinMs?: number;
}

export interface Server {
  port: number;
  /** Returns the first fatal error in the server's log since its start. */
  firstFatalError(): string | undefined;
  /** Resolves when the server and its guard are gone, whatever the reason. */
  ended: Promise<void>;
  /** 'fast' is a clean shutdown. 'immediate' is as safe as a power cut, for a server that has no clients. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
}

/**
 * A shell script that runs between this process and the server. It starts the server, prints its pid, and waits for the
 * end of its own standard input, which comes when this process ends in any way. Then it asks for a fast shutdown, and
 * after 30 s for an immediate one (docs/architecture.md §6.2). It ends with the server and not by a signal that a
 * service manager sends to all our processes. The subshell reads a copy of standard input, because a shell gives
 * background commands /dev/null.
 */
const guard = `
trap '' TERM HUP
exec 3<&0
"$@" 3<&- </dev/null >&2 &
server=$!
echo "$server"
exec >&2
( while read -r _; do :; done <&3
  kill -INT "$server"
  waited=0; while [ "$waited" -lt 30 ]; do sleep 1; waited=$((waited + 1)); done
  kill -QUIT "$server" ) &
watcher=$!
exec 3<&- </dev/null
wait "$server"
code=$?
kill -KILL "$watcher" 2>/dev/null
exit "$code"
`;

const defaultReadyWithinMs = 300_000;
const stopWithinMs = 15_000;

/**
 * Starts the server on 127.0.0.1 and waits until it accepts connections. Without `port` it takes a free one. It waits a
 * while for the remains of an earlier server before it fails.
 */
export async function startServer(plan: ServerPlan, port?: number): Promise<Server> {
  const giveUpAt = Date.now() + stopWithinMs;
  for (;;) {
    const pidOfLock = await clearLock(plan);
    const chosen = port ?? (await findFreePort());
    const attempt = await startOnce(plan, chosen, pidOfLock);
    if ('server' in attempt) return attempt.server;
    // A backend of the killed server still holds the shared memory, or another program took the port in the meantime.
    const isTransient = /pre-existing shared memory block|Address already in use|could not create any TCP/.test(
      attempt.log,
    );
    if (!isTransient || Date.now() > giveUpAt) {
      throw new EmbeddedError(`The database did not start: ${reasonIn(attempt.log, plan)} (log: ${plan.logFile})`);
    }
    await wait(200);
  }
}

/** Returns why a server ended: its first fatal error, else the last line, which may be the end of a longer sentence. */
function reasonIn(log: string, plan: ServerPlan): string {
  const last = log.trim().split('\n').at(-1) ?? '';
  return fatalErrorIn(log, plan) ?? (withRealPath(last.replace(/^\s*but /, ''), plan) || 'no reason given');
}

function fatalErrorIn(log: string, plan: ServerPlan): string | undefined {
  const fatal = /^.*(?:FATAL|PANIC):\s*(.+)$/m.exec(log)?.[1]?.trim();
  return fatal === undefined ? undefined : withRealPath(fatal, plan);
}

/** Replaces the path that the server's user sees with the cluster's real path. */
function withRealPath(text: string, { cluster, user }: ServerPlan): string {
  return text.replaceAll(pathFor(cluster, user), cluster);
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
      // The guard gets its own session, so that Ctrl-C in the terminal reaches only this process, which finishes
      // running calls first.
      detached: true,
      ...(plan.user === null ? {} : { uid: plan.user.uid, gid: plan.user.gid }),
    },
  );
  closeSync(log);
  const guardProcess = watchGuard(child);
  const isReady = await waitUntilReady(plan, guardProcess, port);
  if (isReady) {
    // The archiver process, which closes segments of the log in time, went to sleep before the recovery ended, for up
    // to five minutes. SIGHUP wakes it.
    if (plan.settings.archive_mode === 'on') sendSignal(guardProcess.pid, 'SIGHUP');
    const firstFatalError = () => fatalErrorIn(readFrom(plan.logFile, logStart), plan);
    return {
      server: { port, firstFatalError, ended: guardProcess.ended, stop: (how) => stop(guardProcess, how) },
    };
  }
  await stop(guardProcess);
  return { log: readFrom(plan.logFile, logStart) };
}

interface GuardProcess {
  child: ChildProcess;
  /** The server's own pid; null until the guard has printed it. */
  pid: number | null;
  hasEnded: boolean;
  ended: Promise<void>;
}

function watchGuard(child: ChildProcess): GuardProcess {
  const guardian: GuardProcess = { child, pid: null, hasEnded: false, ended: Promise.resolve() };
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
  // These handles must not keep this process alive; the guard stops the server when this process ends.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) {
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
  return guardian;
}

/**
 * Waits for the status line of the server's own lock file, as pg_ctl does. The pid in the file must be the one that our
 * guard started.
 */
async function waitUntilReady(plan: ServerPlan, guardian: GuardProcess, port: number): Promise<boolean> {
  const giveUpAt = Date.now() + (plan.readyWithinMs ?? defaultReadyWithinMs);
  while (!guardian.hasEnded && Date.now() < giveUpAt) {
    const lock = readLock(plan.cluster);
    if (lock && lock.pid === guardian.pid && lock.port === port && lock.status === 'ready') return true;
    await wait(10);
  }
  return false;
}

async function stop(guardian: GuardProcess, how: 'fast' | 'immediate' = 'fast'): Promise<void> {
  guardian.child.ref();
  const end = guardian.ended.then(() => true);
  if (how === 'fast') {
    guardian.child.stdin?.end();
    if (await Promise.race([end, wait(30_000, false, { ref: false })])) return;
  }
  sendSignal(guardian.pid, 'SIGQUIT');
  if (await Promise.race([end, wait(5_000, false, { ref: false })])) return;
  sendSignal(guardian.pid, 'SIGKILL');
  await guardian.ended;
}

function sendSignal(pid: number | null, name: 'SIGHUP' | 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
  if (pid === null) return;
  try {
    process.kill(pid, name);
  } catch {
    // The process ended in the meantime.
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
 * Handles the lock file of an earlier server. A server that still runs although its app is gone is asked to stop.
 *
 * The file of a dead server is not deleted, because PostgreSQL also uses it to find shared memory that a last backend
 * may hold. Instead this process writes its own pid into the file and passes the same pid to PostgreSQL as the pid of
 * its grandparent, so PostgreSQL treats the file as stale (docs/architecture.md §6.2). Returns that pid, or null when
 * there was no file.
 */
async function clearLock(plan: ServerPlan): Promise<number | null> {
  await endEarlierServer(plan.cluster);
  const lock = readLock(plan.cluster);
  if (lock === null) return null;
  const file = join(plan.cluster, 'postmaster.pid');
  const { uid, gid, mode } = await stat(file);
  await writeFile(`${file}.new`, [String(process.pid), ...lock.lines.slice(1)].join('\n'), { mode: mode & 0o777 });
  if (process.getuid?.() === 0) await chown(`${file}.new`, uid, gid);
  await rename(`${file}.new`, file);
  return process.pid;
}

/** Stops a server that still runs although its app is gone. */
export async function endEarlierServer(cluster: string): Promise<void> {
  const lock = readLock(cluster);
  if (lock === null || !isServer(lock)) return;
  for (const [name, patience] of [
    ['SIGINT', stopWithinMs],
    ['SIGQUIT', 10_000],
  ] as const) {
    sendSignal(lock.pid, name);
    for (let waited = 0; isServer(lock) && waited < patience; waited += 50) await wait(50);
  }
  if (isServer(lock)) {
    throw new EmbeddedError(`An earlier database server (process ${lock.pid}) in ${cluster} does not stop.`);
  }
}

/** Whether the process of a lock file is a database server, and the one that wrote the file. */
function isServer({ pid, startedSeconds }: Lock): boolean {
  const look = readProcess(pid);
  if (look === null || !look.command.startsWith('postgres')) return false;
  return look.startedSeconds === null || Math.abs(look.startedSeconds - startedSeconds) < 10;
}

/** Returns a free port. With PostgreSQL's fixed default port, two installations would collide. */
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
