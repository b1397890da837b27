import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { reasonOf } from '../server/operator-error.ts';
import { layoutOf } from './embedded-cluster.ts';
import { EmbeddedError, hasLivingOwner, thisProcess } from './embedded-owner.ts';
import { copyOwner } from './embedded-user.ts';
import { readSeries } from './log-series.ts';
import { toOperatorError, isDatabaseAway } from '../server/db/pool.ts';

/** Directories whose content belongs to the running server, which creates it at its start. */
const rebuiltDirectories = [
  'archived',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];

/** Metadata of a copy, written when the log is archived: from where on the log can be replayed onto the copy. */
export interface CopyMetadata {
  series: string;
  /** The first segment of the log that the copy needs. */
  from: string;
  endedAt: string;
}

/**
 * Copies the running database to `target`, which then is a data directory itself: start the program on it, and it
 * recovers to the moment at which the copy ended. This uses PostgreSQL's low-level backup in a single session, because
 * the package has no pg_dump (docs/architecture.md §6.2).
 */
export async function backUp(dataDir: string, url: string, target: string): Promise<CopyMetadata | null> {
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

/**
 * Runs `work` in a temporary directory next to `target` and removes it afterwards. It also removes the directories that
 * killed programs left there.
 */
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

/** The file in a temporary directory that says which process works in it. */
const marker = 'backup.pid';

/** Removes the directories that killed programs left. Only directories with our marker file count. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (/\.new-[0-9a-f]{12}$/.test(name) && hasLivingOwner(join(path, marker)) === false) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

async function copyDatabase(dataDir: string, url: string, target: string): Promise<CopyMetadata | null> {
  const from = layoutOf(dataDir);
  const to = layoutOf(target);
  const client = new Client({ connectionString: url, application_name: 'challan-desk backup' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // The replication slot keeps the log while it is copied, and ends with the session.
    const slot = `backup_${randomBytes(6).toString('hex')}`;
    await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
    await client.query("SELECT pg_backup_start('challan-desk', fast => true)");
    const series = await readSeries(dataDir);
    await copyTree(from.cluster, to.cluster, new Set([...rebuiltDirectories, 'pg_wal']));
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
    // The cluster may itself be a restored copy, and then contains the metadata of that copy.
    await rm(to.copied, { force: true });
    if (copied !== null) await writeLike(from.cluster, to.copied, JSON.stringify(copied));
    await copyOneFile(from.password, to.password);
    // If the server died in the meantime, the slot is gone, and after a restart the log that was being copied may be
    // gone too.
    await client.query('SELECT 1');
    return copied;
  } finally {
    await client.end();
  }
}

/** Returns the URL of the database that some program runs on this data directory; null when none runs. */
export async function findRunning(dataDir: string): Promise<string | null> {
  const layout = layoutOf(dataDir);
  let url = '';
  try {
    // The fourth line of the file is the port.
    const port = (await readFile(join(layout.cluster, 'postmaster.pid'), 'utf8')).split('\n')[3];
    const password = (await readFile(layout.password, 'utf8')).trim();
    url = `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
    const client = new Client({ connectionString: url, application_name: 'challan-desk backup' });
    await client.connect();
    await client.end();
    return url;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    // There is no file, no such process, or another server: a killed server leaves its file behind.
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === '28P01') return null;
    throw url === '' ? error : toOperatorError(url, error);
  }
}

/** Copies a backup of the embedded database, which is a data directory, to `target`. No program may be running on it. */
export async function copyBackup(source: string, target: string): Promise<void> {
  if ((await findRunning(source)) !== null) {
    throw new EmbeddedError(`A program is running on ${source}: stop it, or back it up instead.`);
  }
  const [from, to] = [layoutOf(source), layoutOf(target)];
  await copyTree(from.cluster, to.cluster);
  await copyOneFile(from.password, to.password);
}

/** Copies a directory. Of the directories named in `emptied`, only the empty directory is created. */
async function copyTree(from: string, to: string, emptied: ReadonlySet<string> = new Set()): Promise<void> {
  const { mode } = await stat(from);
  await mkdir(to, { recursive: true, mode: mode & 0o777 });
  await copyOwner(from, to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name.startsWith('pgsql_tmp') || entry.name.startsWith('postmaster.')) continue;
    if (entry.isDirectory()) {
      if (emptied.has(entry.name)) await createEmpty(source, copy);
      else await copyTree(source, copy);
    } else if (entry.isFile()) {
      await copyOneFile(source, copy);
    }
  }
}

async function createEmpty(like: string, directory: string): Promise<void> {
  await mkdir(directory, { mode: (await stat(like)).mode & 0o777 });
  await copyOwner(like, directory);
}

/**
 * Copies a file. The server may remove a file at any time; what is still needed of it is in the log, which is copied
 * last.
 */
async function copyOneFile(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await copyOwner(from, to);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  await sync(to);
}

async function writeLike(like: string, file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flush: true });
  await copyOwner(like, file);
}

async function sync(file: string): Promise<void> {
  const opened = await open(file, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
