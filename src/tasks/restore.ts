import { resolve } from 'node:path';
import { checkDatabase, secondsSince } from '../server/check-database.ts';
import { readKey } from '../server/db/backup-cipher.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { restoreEmbedded, restoreIntoServer } from '../server/db/restore.ts';
import { readEnv, type Env } from '../server/env.ts';
import { explain, OperatorError } from '../server/operator-error.ts';
import { say } from './run.ts';

/**
 * npm run restore -- <backup>: into an empty DATA_DIR, or the empty database of DATABASE_URL, and checks it there. An
 * interrupted restore is simply begun again.
 */
try {
  const [source] = process.argv.slice(2);
  if (source === undefined) throw new OperatorError('Usage: npm run restore -- <backup>, with an empty DATA_DIR.');
  process.exitCode = await restore(resolve(source), readEnv());
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

async function restore(source: string, { dataDir, backups, ...env }: Env): Promise<number> {
  const begun = performance.now();
  const key = backups?.keyFile === undefined ? null : await readKey(backups.keyFile);
  const own = resolve(dataDir);
  const databaseUrl = env.databaseAdminUrl ?? env.databaseUrl;
  if (databaseUrl === undefined) await restoreEmbedded(source, own, key);
  else await restoreIntoServer(source, databaseUrl, key);
  const started = databaseUrl === undefined ? await startEmbedded({ dataDir: own, log: say }) : undefined;
  try {
    const url = databaseUrl ?? started?.url ?? '';
    await migrate(url);
    say(`Restored ${source} to ${databaseUrl === undefined ? own : 'the database'} in ${secondsSince(begun)}.`);
    const { isGood, summary } = await checkDatabase(url, say);
    say(`${summary}.`);
    return isGood ? 0 : 1;
  } finally {
    await started?.stop();
  }
}
