import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Origin } from '../ops/backups.ts';
import { findRunning } from '../ops/embedded-backup.ts';
import { layoutOf } from '../ops/embedded-cluster.ts';
import { EmbeddedError, startEmbedded } from '../ops/embedded.ts';
import { archivePlan, type Env } from '../server/env.ts';
import { say } from './run.ts';

/**
 * Runs `work` on the existing database: that of DATABASE_URL, or the embedded one of the running app. If no app is running,
 * it starts the embedded database for the work.
 */
export async function onDatabase<T>(
  { dataDir, databaseUrl, databaseAdminUrl, backups }: Env,
  work: (origin: Origin) => Promise<T>,
): Promise<T> {
  const own = resolve(dataDir);
  if (databaseUrl !== undefined) return work({ url: databaseAdminUrl ?? databaseUrl, dataDir: null, workDir: own });
  // Without this check startEmbedded would create an empty database.
  if (!existsSync(layoutOf(own).cluster)) throw new EmbeddedError(`There is no database in ${own}.`);
  const url = await findRunning(own);
  if (url !== null) return work({ url, dataDir: own, workDir: own });
  const database = await startEmbedded({ dataDir: own, log: say, archive: archivePlan(backups) });
  try {
    return await work({ url: database.url, dataDir: own, workDir: own });
  } finally {
    await database.stop();
  }
}
