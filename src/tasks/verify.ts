import { checkDatabase, recorded } from '../server/check-database.ts';
import { readEnv } from '../server/env.ts';
import { explain } from '../server/operator-error.ts';
import { onDatabase } from './database.ts';
import { say } from './run.ts';

/**
 * npm run verify: whether the books of every business agree with themselves and nothing that was written once has been
 * changed since; a line for each check, and exit code 1 when something differs. The app may be running meanwhile.
 */
try {
  const { isGood, summary } = await onDatabase(readEnv(), ({ url }) =>
    recorded(url, 'check', () => checkDatabase(url, say)),
  );
  say(summary);
  if (!isGood) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
