import { resetSecondStepOfAdmin } from '../ops/reset-second-step.ts';
import { readEnv } from '../server/env.ts';
import { OperatorError } from '../server/operator-error.ts';
import { onDatabase } from './database.ts';
import { runCommand, say } from './run.ts';

/**
 * npm run reset:admin -- <e-mail>: takes the second step at sign-in away from an admin whose phone and recovery codes are
 * lost. The password stays. The app may be running.
 */
await runCommand(async () => {
  const [email] = process.argv.slice(2);
  if (email === undefined) throw new OperatorError('Usage: npm run reset:admin -- <e-mail of an admin>');
  await onDatabase(readEnv(), ({ url }) => resetSecondStepOfAdmin(url, email));
  say(`${email} signs in with the password alone from now on.`);
  return true;
});
