import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBackup, makeScheduledBackup, megabytesOf, backupName } from '../ops/backups.ts';
import { createKeyFile } from '../ops/backup-cipher.ts';
import { readEnv, defaultBackups } from '../server/env.ts';
import { formatCount } from '../shared/calc/count-text.ts';
import { onDatabase } from './database.ts';
import { runCommand, say } from './run.ts';

/**
 * npm run backup [-- target]: makes a backup of the database, whether the app is running or not, and tests it by restoring
 * it. A copy of the embedded database is a data directory, so `DATA_DIR=<directory> npm start` serves it. With
 * BACKUP_KEY_FILE it is one encrypted file. `-- --new-key FILE` makes such a key.
 */
await runCommand(async () => {
  const { values, positionals } = parseArgs({ options: { 'new-key': { type: 'string' } }, allowPositionals: true });
  const newKey = values['new-key'];
  if (newKey === undefined) return backUp(positionals[0]);
  await createKeyFile(newKey);
  say(`Made ${newKey}. Keep a copy of it away from this machine: without it no backup opens.`);
  return true;
});

async function backUp(given: string | undefined): Promise<boolean> {
  const env = readEnv();
  const settings = env.backups ?? defaultBackups;
  const directory = resolve(settings.directory ?? 'backups');
  const { isGood, summary } = await onDatabase(env, async (origin) => {
    if (given === undefined && settings.directory !== undefined) {
      return makeScheduledBackup(origin, directory, settings);
    }
    const target = resolve(given ?? join(directory, backupName(origin, settings, new Date())));
    const outcome = await makeBackup(origin, target, settings);
    const size = `${formatCount(Math.ceil(await megabytesOf(target)))} MB`;
    say(`Backed up ${origin.dataDir ?? 'the database'} to ${target} (${size}).`);
    if (origin.dataDir !== null && settings.keyFile === undefined) {
      say(
        `It holds everything, account numbers too: keep it where only you can read. To use it: DATA_DIR=${target} npm start`,
      );
    }
    return outcome;
  });
  say(`${summary}.`);
  return isGood;
}
