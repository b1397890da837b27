import { resolve } from 'node:path';
import { readEnv } from '../server/env.ts';
import { OperatorError } from '../server/operator-error.ts';
import { upgradeDatabase } from '../ops/upgrade-database.ts';
import { runCommand, say } from './run.ts';

/**
 * npm run upgrade:database [-- <folder>]: upgrades an embedded database of an older major version of PostgreSQL to the
 * program's own version. The folder has the programs of the old version; it is needed where no package of the system has put
 * them in their usual place. After an interruption just run it again.
 */
await runCommand(async () => {
  const { dataDir, databaseUrl } = readEnv();
  if (databaseUrl !== undefined) {
    throw new OperatorError(
      'DATABASE_URL names a server of your own, which its own tools upgrade (pg_upgrade): this command is for the embedded database.',
    );
  }
  const [folder] = process.argv.slice(2);
  await upgradeDatabase({ dataDir, programs: folder === undefined ? undefined : resolve(folder), say });
  return true;
});
