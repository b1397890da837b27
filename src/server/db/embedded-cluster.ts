import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './embedded-binaries.ts';
import { EmbeddedError } from './embedded-owner.ts';
import { canReach, giveTo, type DatabaseUser, type RunAs } from './embedded-user.ts';

/** Where things stand in the data directory. */
export function layoutOf(dataDir: string) {
  return {
    cluster: join(dataDir, 'postgres'),
    password: join(dataDir, 'postgres.password'),
    log: join(dataDir, 'postgres.log'),
  };
}

export type Layout = ReturnType<typeof layoutOf>;

/**
 * The cluster's path as its user can use it. A directory that lets only root through (a checkout under /root) is passed
 * as the working directory that the process was born with: that one needs no way through its parents.
 */
export function pathFor(clusterDir: string, user: RunAs | null): string {
  if (user === null || canReach(clusterDir, user)) return clusterDir;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new EmbeddedError(
    `The user who runs the database cannot reach ${clusterDir}: set DATA_DIR to a directory that others may pass through.`,
  );
}

/** The environment of the database's programs: nothing of ours, PGDATA or PGPORT least of all. */
export function environmentOf(binaries: Binaries): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', ...binaries.env };
}

/** Makes the cluster unless there is one, and returns the password of its superuser `postgres`. */
export async function ensureCluster(
  dataDir: string,
  binaries: Binaries,
  user: DatabaseUser | null,
  isDurable: boolean,
): Promise<string> {
  const layout = layoutOf(dataDir);
  await removeLeftovers(dataDir);
  const found = await stat(layout.cluster).catch(() => null);
  if (found === null) return create(dataDir, layout, binaries, user, isDurable);
  // Copied or restored by root: PostgreSQL wants to own what it opens.
  if (user !== null && found.uid !== user.server.uid) await giveTo(layout.cluster, user.server);
  return readPassword(layout);
}

async function readPassword({ password, cluster }: Layout): Promise<string> {
  try {
    return (await readFile(password, 'utf8')).trim();
  } catch (error) {
    throw new EmbeddedError(`The password of the database in ${cluster} cannot be read from ${password}.`, {
      cause: error,
    });
  }
}

/** Half-made clusters of starts that were interrupted. The owner file keeps everyone else out. */
async function removeLeftovers(dataDir: string): Promise<void> {
  const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'));
  for (const name of leftovers) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 });
}

/** Under a temporary name first: a cluster that exists is a whole one (database.md, point 8). */
async function create(
  dataDir: string,
  layout: Layout,
  binaries: Binaries,
  user: DatabaseUser | null,
  isDurable: boolean,
): Promise<string> {
  const temporary = join(dataDir, `postgres.new-${randomBytes(6).toString('hex')}`);
  const cluster = join(temporary, 'data');
  const passwordFile = join(temporary, 'password');
  const password = randomBytes(32).toString('base64url');
  await mkdir(temporary, { mode: 0o700 });
  await mkdir(cluster, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flush: true });
  if (user !== null) await giveTo(temporary, user.initdb);
  try {
    await runInitdb(cluster, binaries, user?.initdb ?? null, isDurable);
    if (user !== null && user.initdb.uid !== user.server.uid) await giveTo(cluster, user.server);
    if (user !== null)
      await chown(passwordFile, user.isOwner ? user.server.uid : 0, user.isOwner ? user.server.gid : 0);
    await rename(passwordFile, layout.password);
    await rename(cluster, layout.cluster);
    await syncDirectory(dataDir);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return password;
}

async function runInitdb(cluster: string, binaries: Binaries, user: RunAs | null, isDurable: boolean): Promise<void> {
  const path = pathFor(cluster, user);
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${path}`,
      `--pwfile=${path}/../password`,
      '--username=postgres',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--auth=scram-sha-256',
      '--no-instructions',
      ...(isDurable ? [] : ['--no-sync']),
    ],
    {
      cwd: cluster,
      env: environmentOf(binaries),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return;
  const reason = output.split('\n').find((line) => /error|fatal|cannot|could not/i.test(line)) ?? output.trim();
  throw new EmbeddedError(`The database could not be made: ${reason.trim() || `initdb ended with ${code}`}`);
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
