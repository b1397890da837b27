import { checkDatabase, recordUpkeep } from '../ops/check-database.ts';
import { readEnv } from '../server/env.ts';
import { onDatabase } from './database.ts';
import { runCommand, say } from './run.ts';

/**
 * npm run verify: checks that the books of every business agree with themselves, and that no record that is written once was
 * changed later. It prints a line for each check and ends with exit code 1 when something differs. The app may be running.
 */
await runCommand(async () => {
  const { isGood, summary } = await onDatabase(readEnv(), ({ url }) =>
    recordUpkeep(url, 'check', () => checkDatabase(url, say)),
  );
  say(summary);
  return isGood;
});
