import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp, findRunning } from '../server/db/embedded-backup.ts';
import { layoutOf } from '../server/db/embedded-cluster.ts';
import { EmbeddedError, startEmbedded } from '../server/db/embedded.ts';
import { EnvError, readEnv } from '../server/env.ts';
import { explain } from '../server/operator-error.ts';
import { say } from './run.ts';

/**
 * npm run backup [-- directory]: a copy of the embedded database, whether the app is running or not. The copy is a data
 * directory itself: `DATA_DIR=<directory> npm start` serves it.
 */
try {
  const { dataDir, databaseUrl } = readEnv();
  if (databaseUrl !== undefined) throw new EnvError('DATABASE_URL is set: back that server up with its own tools.');
  const stamp = new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-');
  const target = resolve(process.argv[2] ?? `backups/${stamp}`);
  const begun = performance.now();
  await copy(resolve(dataDir), target);
  say(`Backed up ${resolve(dataDir)} to ${target} in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
  say(
    `It holds everything, account numbers too: keep it where only you can read. To use it: DATA_DIR=${target} npm start`,
  );
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

async function copy(dataDir: string, target: string): Promise<void> {
  // Starting the database would create an empty one.
  if (!existsSync(layoutOf(dataDir).cluster)) throw new EmbeddedError(`There is no database in ${dataDir}.`);
  const url = await findRunning(dataDir);
  if (url !== null) {
    await backUp(dataDir, url, target);
    return;
  }
  const database = await startEmbedded({ dataDir, log: say });
  try {
    await database.backup(target);
  } finally {
    await database.stop();
  }
}
