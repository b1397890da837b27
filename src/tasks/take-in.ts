import { resolve } from 'node:path';
import { checkDatabase } from '../server/check-database.ts';
import { takeIn } from '../server/db/take-in.ts';
import { readEnv } from '../server/env.ts';
import { explain, OperatorError } from '../server/operator-error.ts';
import { onDatabase } from './database.ts';
import { say } from './run.ts';

/**
 * npm run take:in -- <archive.zip> <e-mail>: reads what a business took out under Profile into the account of this e-mail, which
 * the admin has made and which has nothing yet, and checks the books.
 */
try {
  const [file, email] = process.argv.slice(2);
  if (file === undefined || email === undefined) {
    throw new OperatorError('Usage: npm run take:in -- <archive.zip> <e-mail of an empty sub-admin>');
  }
  const { isGood, summary } = await onDatabase(readEnv(), async ({ url }) => {
    const { counts } = await takeIn(url, resolve(file), email);
    for (const [table, rows] of counts) if (rows > 0) say(`${table}: ${rows.toLocaleString('en-IN')} rows`);
    return checkDatabase(url);
  });
  say(`${summary}.`);
  if (!isGood) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
