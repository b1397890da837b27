import { resolve } from 'node:path';
import { findRunning } from '../server/db/embedded-backup.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { readEnv } from '../server/env.ts';
import { explain } from '../server/operator-error.ts';
import { say } from './run.ts';
import { checkDatabase } from './verified.ts';

/**
 * npm run verify: whether the books of every business agree with themselves and nothing that was written once has been
 * changed since; a line for each check, and exit code 1 when something differs. The app may be running meanwhile.
 */
try {
  const { dataDir, databaseUrl } = readEnv();
  const running = databaseUrl ?? (await findRunning(resolve(dataDir)));
  const started = running === null ? await startEmbedded({ dataDir, log: say }) : undefined;
  try {
    const isGood = await checkDatabase(running ?? started?.url ?? '', say, { isRecorded: true });
    if (!isGood) process.exitCode = 1;
  } finally {
    await started?.stop();
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
