import { resolve } from 'node:path';
import { checkDatabase } from '../ops/check-database.ts';
import { notTaken } from '../server/features/profile/take-out.queries.ts';
import { differencesOf } from '../server/features/system/books.service.ts';
import { importTakeOut } from '../ops/take-in.ts';
import { readEnv } from '../server/env.ts';
import { OperatorError } from '../server/operator-error.ts';
import { formatCount } from '../shared/calc/count-text.ts';
import { onDatabase } from './database.ts';
import { runCommand, say } from './run.ts';

/**
 * npm run take:in -- <archive.zip> <e-mail>: reads the archive that a business took out under Profile into the account with
 * this e-mail, and checks the books. The admin has made the account before, and it has no records yet.
 */
await runCommand(async () => {
  const [file, email] = process.argv.slice(2);
  if (file === undefined || email === undefined) {
    throw new OperatorError('Usage: npm run take:in -- <archive.zip> <e-mail of an empty sub-admin>');
  }
  const { isGood, summary } = await onDatabase(readEnv(), async ({ url }) => {
    const { counts } = await importTakeOut(url, resolve(file), email, { notTaken, differencesOf });
    for (const [table, rows] of counts) if (rows > 0) say(`${table}: ${formatCount(rows)} rows`);
    return checkDatabase(url);
  });
  say(`${summary}.`);
  return isGood;
});
