import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { countText } from '../shared/calc/count-text.ts';
import { checkDatabase, recordUpkeep, secondsSince } from './check-database.ts';
import { readKey } from './backup-cipher.ts';
import { dumpServer, packCopy } from './backup-programs.ts';
import { backUp, inWorkDirectory, type CopyMetadata } from './embedded-backup.ts';
import { startEmbedded } from './embedded.ts';
import { readSeries, removeLogBefore, setBase } from './log-series.ts';
import { migrate } from '../server/db/migrate.ts';
import { restoreEmbedded, restoreIntoServer } from './restore.ts';
import type { BackupSettings } from '../server/env.ts';
import { OperatorError } from '../server/operator-error.ts';
import type { Outcome } from '../server/features/system/books.service.ts';

export interface Origin {
  /** The URL of the running database, as the owner of the schema. */
  url: string;
  /** The data directory of the embedded database; null when the database is on a server. */
  dataDir: string | null;
  /** Where copies that are not encrypted may lie for a while: the data directory, also with a server. */
  workDir: string;
}

/** Formats a time as '2026-11-23-02-30-00', so that the names of backups sort by time. */
const timestampOf = (at: Date): string => at.toISOString().slice(0, 19).replace(/[T:]/g, '-');

/**
 * Returns the name of a backup. An unencrypted copy of the embedded database is a directory; every other backup is a
 * file.
 */
export function backupName({ dataDir }: Origin, { keyFile }: BackupSettings, at: Date): string {
  const encrypted = keyFile === undefined ? '' : '.encrypted';
  return `${timestampOf(at)}${dataDir === null ? `.dump${encrypted}` : encrypted}`;
}

/**
 * Makes a backup, restores it next to itself into a temporary database, and checks the books there. Records the outcome
 * in the database that was backed up, and runs the operator's command after the backup.
 *
 * `claimed` is the id of an upkeep record that exists already; without it a new one is made.
 */
export function makeBackup(
  origin: Origin,
  target: string,
  settings: BackupSettings,
  claimed?: string,
): Promise<Outcome> {
  const work = async (): Promise<Outcome> => {
    const key = settings.keyFile === undefined ? null : await readKey(settings.keyFile);
    const copyStart = performance.now();
    const copied = await copyDatabase(origin, target, key);
    const copyTime = secondsSince(copyStart);
    const testStart = performance.now();
    const tested = await testRestore(origin, target, key);
    if (tested.isGood) await recordBase(origin, target, settings, copied);
    if (settings.command !== undefined) await runBackupCommand(settings.command, target);
    return {
      isGood: tested.isGood,
      summary: `${basename(target)} in ${copyTime}; restored and checked in ${secondsSince(testStart)}: ${tested.summary}`,
    };
  };
  return recordUpkeep(origin.url, 'backup', work, claimed);
}

/**
 * Records a backup as the base of the archived log. Only a backup in the folder of the settings counts, because the log
 * is kept for the backups of that folder.
 */
async function recordBase(
  { dataDir }: Origin,
  target: string,
  { directory }: BackupSettings,
  copied: CopyMetadata | null,
): Promise<void> {
  if (dataDir === null || copied === null || directory === undefined) return;
  if (resolve(directory) === dirname(resolve(target))) await setBase(dataDir, copied.series, copied.from);
}

async function copyDatabase(
  { url, dataDir, workDir }: Origin,
  target: string,
  key: Buffer | null,
): Promise<CopyMetadata | null> {
  if (dataDir !== null && key === null) return backUp(dataDir, url, target);
  if (existsSync(target)) throw new OperatorError(`${target} is there already.`);
  // Beside the target there is only what is encrypted. The copy that is packed lies in the data directory.
  return inWorkDirectory(target, async (directory) => {
    const file = join(directory, 'file');
    let copied: CopyMetadata | null = null;
    if (dataDir === null) await dumpServer(url, file, key);
    else {
      await inWorkDirectory(join(workDir, 'backup'), async (plain) => {
        copied = await backUp(dataDir, url, join(plain, 'copy'));
        await packCopy(join(plain, 'copy'), file, key);
      });
    }
    await rename(file, target);
    return copied;
  });
}

/**
 * Restores the backup and checks the books, because an untested backup cannot be relied on. The restored database is
 * started like the real one, on its own port.
 */
async function testRestore({ dataDir, workDir }: Origin, source: string, key: Buffer | null): Promise<Outcome> {
  return inWorkDirectory(key === null ? source : join(workDir, 'restore'), async (directory) => {
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

/** How long BACKUP_COMMAND may take, in milliseconds. The nightly work waits for it. */
export const commandLimit = { ms: 6 * 3_600_000 };

async function runBackupCommand(command: string, target: string): Promise<void> {
  // A group of its own, so that what the shell has started ends with it.
  const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'backup', target], {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  let isLate = false;
  const clock = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, commandLimit.ms);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  }).finally(() => clearTimeout(clock));
  if (code === 0) return;
  const how = isLate ? `was ended after ${Math.round(commandLimit.ms / 1000)} s` : `ended with ${code}`;
  throw new OperatorError(`${basename(target)} is made; BACKUP_COMMAND ${how}.`);
}

/**
 * Checks the settings of backups before the server starts, so that the first one at night does not fail or lie open.
 * @throws OperatorError when the key file cannot be used
 */
export async function checkBackupSettings(
  { directory, keyFile }: BackupSettings,
  say: (line: string) => void,
): Promise<void> {
  if (keyFile === undefined) return;
  await readKey(keyFile);
  if (((await stat(keyFile)).mode & 0o077) !== 0)
    say(
      `Others can read the key file ${keyFile} (BACKUP_KEY_FILE): chmod 600 it, or whoever reads it opens every backup.`,
    );
  if (directory === undefined || !existsSync(directory)) return;
  const plain = (await readdir(directory)).filter((name) => scheduledName.test(name) && !name.endsWith('.encrypted'));
  if (plain.length > 0)
    say(
      `${countText(plain.length, 'backup')} in ${directory} (BACKUP_DIR) from before the key ${plain.length === 1 ? 'is' : 'are'} not encrypted: remove what you do not need.`,
    );
}

/** Makes a backup in the directory of the settings and then removes expired ones. */
export async function makeScheduledBackup(
  origin: Origin,
  directory: string,
  settings: BackupSettings,
  claimed?: string,
): Promise<Outcome> {
  const target = join(directory, backupName(origin, settings, new Date()));
  const outcome = await makeBackup(origin, target, { ...settings, directory }, claimed);
  // Old backups are removed only after a good one.
  if (outcome.isGood) {
    await removeExpiredBackups(directory, settings);
    await removeExpiredLog(origin, directory, settings);
  }
  return outcome;
}

/**
 * Removes the archived log from before the oldest backup that is kept. One hour more is kept, in case the clock was
 * changed in the meantime.
 */
async function removeExpiredLog(
  { dataDir }: Origin,
  directory: string,
  { walDirectory }: BackupSettings,
): Promise<void> {
  const [oldest] = (await readdir(directory)).filter((name) => scheduledName.test(name)).sort();
  if (dataDir === null || walDirectory === undefined || oldest === undefined || !existsSync(walDirectory)) return;
  const [year, month, day, hour, minute, second] = oldest.split(/[-.]/);
  const began = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  await removeLogBefore(walDirectory, new Date(began - 3_600_000), (await readSeries(dataDir))?.id);
}

const scheduledName = /^\d{4}-\d{2}-\d{2}-\d{2}-\d{2}-\d{2}(\.dump)?(\.encrypted)?$/;

async function removeExpiredBackups(directory: string, settings: BackupSettings): Promise<void> {
  const names = await readdir(directory);
  for (const name of expiredBackups(names, settings)) await rm(join(directory, name), { recursive: true, force: true });
}

/**
 * Returns the names of the backups that are neither the newest of one of the last `daily` days nor the newest of one of
 * the last `weekly` weeks (days and weeks that have a backup). Other files are never returned.
 */
export function expiredBackups(names: readonly string[], { daily, weekly }: BackupSettings): string[] {
  const backups = names
    .filter((name) => scheduledName.test(name))
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

/** Returns the size of a file or of a directory with everything in it, in megabytes (10^6 bytes). */
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
