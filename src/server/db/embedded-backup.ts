import { constants } from 'node:fs';
import { chown, copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { reasonOf } from '../operator-error.ts';
import { layoutOf } from './embedded-cluster.ts';
import { EmbeddedError, hasLivingOwner, thisProcess } from './embedded-owner.ts';
import { readSeries } from './log-series.ts';
import { explainedBy, isDatabaseAway } from './pool.ts';

/** Directories whose content belongs to the running server, which creates it again at its start. */
const rebuilt = [
  'archived',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];

/** What a copy says of itself, where the log is archived: it can be replayed onto it from there on. */
export interface Copied {
  series: string;
  /** The first segment that it needs. */
  from: string;
  endedAt: string;
}

/**
 * Copies the running database to `target`, which then is a data directory itself: start the program on it, and it
 * recovers to the moment at which the copy ended. PostgreSQL's low-level backup, all in one session, because the
 * package has no pg_dump (docs/architecture.md §6.2).
 */
export async function backUp(dataDir: string, url: string, target: string): Promise<Copied | null> {
  if ((await namesIn(target)).length > 0) throw new EmbeddedError(`${target} is not empty.`);
  try {
    return await inWorkDirectory(target, async (directory) => {
      const copy = join(directory, 'copy');
      await mkdir(copy, { mode: 0o700 });
      const copied = await copyDatabase(dataDir, url, copy);
      await rename(copy, target);
      return copied;
    });
  } catch (error) {
    const isAway = error instanceof Error && isDatabaseAway(error);
    const reason = isAway ? `the database went away (${error.message})` : reasonOf(error);
    if (reason === undefined) throw error;
    throw new EmbeddedError(`No backup was made: ${reason}.`, { cause: error });
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new EmbeddedError(`The backup cannot be put at ${directory}: ${reasonOf(error) ?? error.message}.`);
  });
}

/** Work in a directory beside `target` that is gone afterwards; what a killed program left there goes with the next one. */
export async function inWorkDirectory<T>(target: string, work: (directory: string) => Promise<T>): Promise<T> {
  const directory = join(dirname(target), `${basename(target)}.new-${randomBytes(6).toString('hex')}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(directory, marker), thisProcess());
    await removeAbandoned(dirname(target));
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** In a directory that is worked in: whose it is. */
const marker = 'backup.pid';

/** What killed programs left. Only directories with our marker count. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (/\.new-[0-9a-f]{12}$/.test(name) && hasLivingOwner(join(path, marker)) === false) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

async function copyDatabase(dataDir: string, url: string, target: string): Promise<Copied | null> {
  const from = layoutOf(dataDir);
  const to = layoutOf(target);
  const client = new Client({ connectionString: url, application_name: 'challan-desk backup' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // The slot keeps the log while it is copied, and ends with the session.
    const slot = `backup_${randomBytes(6).toString('hex')}`;
    await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
    await client.query("SELECT pg_backup_start('challan-desk', fast => true)");
    const series = await readSeries(dataDir);
    await copyTree(from.cluster, to.cluster, new Set([...rebuilt, 'pg_wal']));
    const { rows } = await client.query<{ labelfile: string; spcmapfile: string; ended_at: Date }>(
      'SELECT labelfile, spcmapfile, clock_timestamp() AS ended_at FROM pg_backup_stop(wait_for_archive => false)',
    );
    const [stopped] = rows;
    if (!stopped) throw new EmbeddedError('The database did not end the backup.');
    await writeLike(from.cluster, join(to.cluster, 'backup_label'), stopped.labelfile);
    if (stopped.spcmapfile !== '')
      await writeLike(from.cluster, join(to.cluster, 'tablespace_map'), stopped.spcmapfile);
    await copyTree(join(from.cluster, 'pg_wal'), join(to.cluster, 'pg_wal'));
    const segment = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(stopped.labelfile)?.[1];
    const copied =
      series && segment ? { series: series.id, from: segment, endedAt: stopped.ended_at.toISOString() } : null;
    // The cluster may itself be a restored copy, and has the words of that one then.
    await rm(to.copied, { force: true });
    if (copied !== null) await writeLike(from.cluster, to.copied, JSON.stringify(copied));
    await copyOne(from.password, to.password);
    // If the server died in the meantime, the slot is gone, and after a restart so may be the log that was being copied.
    await client.query('SELECT 1');
    return copied;
  } finally {
    await client.end();
  }
}

/** How to reach the database that some program is running on this data directory; null while none is. */
export async function findRunning(dataDir: string): Promise<string | null> {
  const layout = layoutOf(dataDir);
  let url = '';
  try {
    // Its fourth line is the port.
    const port = (await readFile(join(layout.cluster, 'postmaster.pid'), 'utf8')).split('\n')[3];
    const password = (await readFile(layout.password, 'utf8')).trim();
    url = `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
    const client = new Client({ connectionString: url, application_name: 'challan-desk backup' });
    await client.connect();
    await client.end();
    return url;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    // No file, no such process, or another one: a killed server leaves its file behind.
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === '28P01') return null;
    throw url === '' ? error : explainedBy(url, error);
  }
}

/** Copies a backup of the embedded database, which is a data directory, to `target`. No program may be running on it. */
export async function copyBackup(source: string, target: string): Promise<void> {
  if ((await findRunning(source)) !== null) {
    throw new EmbeddedError(`A program is running on ${source}: stop it, or back it up instead.`);
  }
  const [from, to] = [layoutOf(source), layoutOf(target)];
  await copyTree(from.cluster, to.cluster);
  await copyOne(from.password, to.password);
}

/** Copies a directory; of those named in `emptied` only the directory itself. */
async function copyTree(from: string, to: string, emptied: ReadonlySet<string> = new Set()): Promise<void> {
  const { mode } = await stat(from);
  await mkdir(to, { recursive: true, mode: mode & 0o777 });
  await keepOwner(from, to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name.startsWith('pgsql_tmp') || entry.name.startsWith('postmaster.')) continue;
    if (entry.isDirectory()) {
      if (emptied.has(entry.name)) await makeEmpty(source, copy);
      else await copyTree(source, copy);
    } else if (entry.isFile()) {
      await copyOne(source, copy);
    }
  }
}

async function makeEmpty(like: string, directory: string): Promise<void> {
  await mkdir(directory, { mode: (await stat(like)).mode & 0o777 });
  await keepOwner(like, directory);
}

/** The server may remove a file at any time: what was still needed of it is in the log, which is copied last. */
async function copyOne(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await keepOwner(from, to);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  await sync(to);
}

async function writeLike(like: string, file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flush: true });
  await keepOwner(like, file);
}

/** The copy belongs to the user who runs the database; only root needs to set that. */
async function keepOwner(like: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(like);
  await chown(file, uid, gid);
}

async function sync(file: string): Promise<void> {
  const opened = await open(file, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
