import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { checkDatabase, recorded, secondsSince } from './check-database.ts';
import { readKey } from './db/backup-cipher.ts';
import { dumpServer, packCopy } from './db/backup-programs.ts';
import { backUp, inWorkDirectory, type Copied } from './db/embedded-backup.ts';
import { startEmbedded } from './db/embedded.ts';
import { readSeries, removeLogBefore, setBase } from './db/log-series.ts';
import { migrate } from './db/migrate.ts';
import { restoreEmbedded, restoreIntoServer } from './db/restore.ts';
import type { BackupSettings } from './env.ts';
import { OperatorError } from './operator-error.ts';
import type { Outcome } from './services/books.ts';

export interface Origin {
  /** The running database, as the owner of the schema. */
  url: string;
  /** Where the embedded one is; null: a server's. */
  dataDir: string | null;
}

/** '2026-11-23-02-30-00': the names sort as the backups were made. */
const stampOf = (at: Date): string => at.toISOString().slice(0, 19).replace(/[T:]/g, '-');

/** What a backup is called: a copy of the embedded database is a directory, and a file when it is encrypted. */
export function nameOf({ dataDir }: Origin, { keyFile }: BackupSettings, at: Date): string {
  const encrypted = keyFile === undefined ? '' : '.encrypted';
  return `${stampOf(at)}${dataDir === null ? `.dump${encrypted}` : encrypted}`;
}

/**
 * Makes a backup, restores it beside itself into a database that is thrown away, and checks the books there; records the
 * outcome in the database it was made of, and then runs the operator's command.
 */
export function makeBackup(
  origin: Origin,
  target: string,
  settings: BackupSettings,
  claimed?: string,
): Promise<Outcome> {
  const work = async (): Promise<Outcome> => {
    const key = settings.keyFile === undefined ? null : await readKey(settings.keyFile);
    const begun = performance.now();
    const copied = await copy(origin, target, key);
    const made = secondsSince(begun);
    const again = performance.now();
    const tried = await tryOut(origin, target, key);
    if (tried.isGood) await noteBase(origin, target, settings, copied);
    if (settings.command !== undefined) await runAfter(settings.command, target);
    return {
      isGood: tried.isGood,
      summary: `${basename(target)} in ${made}; restored and checked in ${secondsSince(again)}: ${tried.summary}`,
    };
  };
  return recorded(origin.url, 'backup', work, claimed);
}

/** The log is kept for the backups of the settings' folder alone: only one there counts as the beginning of it. */
async function noteBase(
  { dataDir }: Origin,
  target: string,
  { directory }: BackupSettings,
  copied: Copied | null,
): Promise<void> {
  if (dataDir === null || copied === null || directory === undefined) return;
  if (resolve(directory) === dirname(resolve(target))) await setBase(dataDir, copied.series, copied.from);
}

async function copy({ url, dataDir }: Origin, target: string, key: Buffer | null): Promise<Copied | null> {
  if (dataDir !== null && key === null) return backUp(dataDir, url, target);
  if (existsSync(target)) throw new OperatorError(`${target} is there already.`);
  return inWorkDirectory(target, async (directory) => {
    const file = join(directory, 'file');
    let copied: Copied | null = null;
    if (dataDir === null) await dumpServer(url, file, key);
    else {
      copied = await backUp(dataDir, url, join(directory, 'copy'));
      await packCopy(join(directory, 'copy'), file, key);
    }
    await rename(file, target);
    return copied;
  });
}

/** A backup that nobody has restored is none. It is started as the program would, on its own port. */
async function tryOut({ dataDir }: Origin, source: string, key: Buffer | null): Promise<Outcome> {
  return inWorkDirectory(source, async (directory) => {
    const trial = join(directory, 'data');
    if (dataDir !== null) await restoreEmbedded(source, trial, key);
    const database = await startEmbedded({ dataDir: trial, isDurable: false, settings: { shared_buffers: '64MB' } });
    try {
      if (dataDir === null) await restoreIntoServer(source, database.url, key);
      await migrate(database.url);
      return await checkDatabase(database.url);
    } finally {
      await database.stop();
    }
  });
}

async function runAfter(command: string, target: string): Promise<void> {
  const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'backup', target], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  if (code !== 0) throw new OperatorError(`${basename(target)} is made; BACKUP_COMMAND ended with ${code}.`);
}

/** Into the directory of the settings, where too old ones are then removed. */
export async function makeScheduledBackup(
  origin: Origin,
  directory: string,
  settings: BackupSettings,
  claimed?: string,
): Promise<Outcome> {
  const target = join(directory, nameOf(origin, settings, new Date()));
  const outcome = await makeBackup(origin, target, { ...settings, directory }, claimed);
  // Only a good one lets older ones go.
  if (outcome.isGood) {
    await removeOld(directory, settings);
    await removeOldLog(origin, directory, settings);
  }
  return outcome;
}

/** The log of before the oldest backup that is kept. An hour more, for a clock that was set in the meantime. */
async function removeOldLog({ dataDir }: Origin, directory: string, { walDirectory }: BackupSettings): Promise<void> {
  const [oldest] = (await readdir(directory)).filter((name) => scheduled.test(name)).sort();
  if (dataDir === null || walDirectory === undefined || oldest === undefined || !existsSync(walDirectory)) return;
  const [year, month, day, hour, minute, second] = oldest.split(/[-.]/);
  const began = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  await removeLogBefore(walDirectory, new Date(began - 3_600_000), (await readSeries(dataDir))?.id);
}

const scheduled = /^\d{4}-\d{2}-\d{2}-\d{2}-\d{2}-\d{2}(\.dump)?(\.encrypted)?$/;

async function removeOld(directory: string, settings: BackupSettings): Promise<void> {
  const names = await readdir(directory);
  for (const name of tooOld(names, settings)) await rm(join(directory, name), { recursive: true, force: true });
}

/** Of these names, the backups that no day and no week keeps: the newest of each is kept. Other files are left alone. */
export function tooOld(names: readonly string[], { daily, weekly }: BackupSettings): string[] {
  const backups = names
    .filter((name) => scheduled.test(name))
    .sort()
    .toReversed();
  const kept = new Set<string>();
  const keepNewest = (periodOf: (name: string) => string | number, periods: number): void => {
    const seen = new Set<string | number>();
    for (const name of backups) {
      const period = periodOf(name);
      if (seen.has(period) || seen.size === periods) continue;
      seen.add(period);
      kept.add(name);
    }
  };
  keepNewest((name) => name.slice(0, 10), daily);
  // 1970-01-05 was a Monday.
  keepNewest((name) => Math.floor((Date.parse(name.slice(0, 10)) / 86_400_000 - 4) / 7), weekly);
  return backups.filter((name) => !kept.has(name));
}

/** How much a backup is, for the operator. */
export async function megabytesOf(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.size / 1e6;
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}
