import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, type Stats } from 'node:fs';
import { chown, mkdir, open, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './embedded-binaries.ts';
import { EmbeddedError } from './embedded-owner.ts';
import { canReach, changeOwner, type DatabaseUser, type RunAs } from './embedded-user.ts';
import { findInterrupted } from './upgrade-place.ts';

/** Returns the paths inside a data directory. */
export function layoutOf(dataDir: string) {
  return {
    cluster: join(dataDir, 'postgres'),
    password: join(dataDir, 'postgres.password'),
    /** The password of a cluster that is being put in place. */
    nextPassword: join(dataDir, 'postgres.password.new'),
    log: join(dataDir, 'postgres.log'),
    /** The series of the archived log to which this cluster writes (log-series.ts). */
    series: join(dataDir, 'log-series.json'),
    /** Only in a copy of the cluster: when the copy ended, and the series whose log continues from there. */
    copied: join(dataDir, 'postgres', 'copied.json'),
  };
}

export type Layout = ReturnType<typeof layoutOf>;

/**
 * Returns the cluster's path as its user can use it. A directory that only root can reach (a checkout under /root) is
 * passed as the working directory of the new process, because a process can use its working directory without access to
 * the parents.
 */
export function pathFor(clusterDir: string, user: RunAs | null): string {
  if (user === null || canReach(clusterDir, user)) return clusterDir;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new EmbeddedError(
    `The user who runs the database cannot reach ${clusterDir}: set DATA_DIR to a directory that others may pass through.`,
  );
}

/**
 * Returns the environment of the database's programs. It contains none of our variables, above all not PGDATA or
 * PGPORT.
 */
export function environmentOf(binaries: Binaries): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', ...binaries.env };
}

/** Creates the cluster if there is none. Returns the password of its superuser `postgres`. */
export async function ensureCluster(
  dataDir: string,
  binaries: Binaries,
  user: DatabaseUser | null,
  isDurable: boolean,
): Promise<string> {
  const layout = layoutOf(dataDir);
  const found = await statIfThere(layout.cluster);
  if (found === null) await refuseMissing(layout);
  else refuseNoCluster(layout);
  await removeLeftovers(dataDir);
  if (found === null) return createCluster(dataDir, layout, binaries, user, isDurable);
  if (!existsSync(layout.password) && existsSync(layout.nextPassword)) {
    await rename(layout.nextPassword, layout.password);
  }
  // Root may have copied or restored the cluster, but PostgreSQL must own the files it opens.
  if (user !== null && found.uid !== user.server.uid) await changeOwner(layout.cluster, user.server);
  return readPassword(layout);
}

export async function statIfThere(path: string): Promise<Stats | null> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Refuses to replace a missing database by an empty one, because that would overwrite its password. */
async function refuseMissing({ cluster, password }: Layout): Promise<void> {
  if (findInterrupted(cluster) !== undefined) {
    throw new EmbeddedError('An upgrade of the database was interrupted: complete it with npm run upgrade:database');
  }
  const link = await readlink(cluster).catch(() => null);
  const isGone =
    link === null
      ? `The database ${cluster} is missing`
      : `The database ${cluster} is a link to ${link}, which is not there`;
  if (link === null && !existsSync(password)) return;
  throw new EmbeddedError(
    `${isGone}. Mount its disk or put the directory back. To begin with an empty database instead, move ${link === null ? password : cluster} away.`,
  );
}

/** Refuses a directory without a database. An unmounted disk looks like an empty directory. */
function refuseNoCluster({ cluster, password }: Layout): void {
  if (existsSync(join(cluster, 'PG_VERSION'))) return;
  throw new EmbeddedError(
    `The directory ${cluster} holds no database (PG_VERSION is missing). Mount its disk or put its files back. To begin with an empty database instead, move it and ${password} away.`,
  );
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

/** Removes the unfinished clusters of interrupted starts. The owner file keeps other starts out. */
async function removeLeftovers(dataDir: string): Promise<void> {
  const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'));
  for (const name of leftovers) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Puts a restored cluster into a data directory that has none. An interruption leaves either an empty directory or a
 * complete cluster, as when a cluster is created.
 */
export async function installCluster(
  dataDir: string,
  restoreInto: (temporary: string) => Promise<void>,
): Promise<void> {
  const layout = layoutOf(dataDir);
  await removeLeftovers(dataDir);
  const temporary = join(dataDir, `postgres.new-${randomBytes(6).toString('hex')}`);
  await mkdir(temporary, { mode: 0o700 });
  try {
    await restoreInto(temporary);
    const from = layoutOf(temporary);
    refuseNoCluster(from);
    await readPassword(from);
    await putInPlace(from.password, from.cluster, layout);
    await syncDirectory(dataDir);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * With this order of renames, an interruption leaves neither a password without a cluster nor a cluster without a
 * password.
 */
async function putInPlace(password: string, cluster: string, layout: Layout): Promise<void> {
  await rename(password, layout.nextPassword);
  await rename(cluster, layout.cluster);
  await rename(layout.nextPassword, layout.password);
}

/**
 * Creates the cluster under a temporary name first, so that an existing cluster is always complete
 * (docs/architecture.md §6.2).
 */
async function createCluster(
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
  if (user !== null) await changeOwner(temporary, user.initdb);
  try {
    await runInitdb(cluster, binaries, user?.initdb ?? null, isDurable);
    if (user !== null && user.initdb.uid !== user.server.uid) await changeOwner(cluster, user.server);
    if (user !== null)
      await chown(passwordFile, user.isOwner ? user.server.uid : 0, user.isOwner ? user.server.gid : 0);
    await putInPlace(passwordFile, cluster, layout);
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
  // The path in the message is the one that the database's user sees, which would not help a person.
  const inWords = reason.trim().replaceAll(path, cluster);
  throw new EmbeddedError(`The database could not be made: ${inWords || `initdb ended with ${code}`}`);
}

export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
