import { checkMigrated } from '../server/db/migrate.ts';
import { createPool, toOperatorError } from '../server/db/pool.ts';
import { withGlobal, withTenant } from '../server/db/tenant.ts';
import { selectChainEnd } from '../server/features/system/seals.queries.ts';
import {
  endUpkeep,
  insertUpkeep,
  selectBusinesses,
  type UpkeepKind,
} from '../server/features/system/upkeep.queries.ts';
import {
  checkBooks,
  summarizeChecks,
  type CheckResult,
  type Outcome,
} from '../server/features/system/books.service.ts';

/**
 * Checks the books of every business and prints one line for each check. `url` must connect as the owner of the schema.
 */
export async function checkDatabase(url: string, say: (line: string) => void = () => undefined): Promise<Outcome> {
  await checkMigrated(url);
  const pool = createPool(url, { max: 1 });
  const begun = performance.now();
  try {
    const found: { name: string; checked: CheckResult[] }[] = [];
    for (const { id, name } of await withGlobal(pool, 'read', selectBusinesses)) {
      const { checked, end } = await withTenant(pool, id, 'read', async (db) => ({
        checked: await checkBooks(db),
        end: await selectChainEnd(db),
      }));
      found.push({ name, checked });
      for (const { check, differences, examples } of checked) {
        say(
          differences === 0
            ? `ok    ${name}: ${check}`
            : `WRONG ${name}: ${check}: ${differences}, such as ${examples.join('; ')}`,
        );
      }
      say(`      ${name}: ${end.seals} seals${end.hash && `, the last ${end.hash}`}`);
    }
    const { isGood, summary } = summarizeChecks(found);
    return { isGood, summary: `${summary} (${secondsSince(begun)})` };
  } catch (error) {
    throw toOperatorError(url, error);
  } finally {
    await pool.end();
  }
}

export const secondsSince = (begun: number): string => `${((performance.now() - begun) / 1000).toFixed(1)} s`;

/**
 * Records maintenance work on the database and its outcome, which the admin sees (docs/specification.md §18.4).
 * `claimed` is the id of a record that exists already; without it a new one is made.
 */
export async function recordUpkeep(
  url: string,
  kind: UpkeepKind,
  work: () => Promise<Outcome>,
  claimed?: string,
): Promise<Outcome> {
  const begun = claimed === undefined ? runOnDatabase(url, (db) => insertUpkeep(db, kind)) : Promise.resolve(claimed);
  const record = await begun.catch((error: unknown) => {
    // The table is missing: the database is older than migration 014, or the program was never started on it.
    if (error instanceof Error && 'code' in error && error.code === '42P01') return null;
    throw error;
  });
  const end = async (outcome: Outcome): Promise<void> => {
    if (record !== null) await runOnDatabase(url, (db) => endUpkeep(db, record, outcome.isGood, outcome.summary));
  };
  try {
    const outcome = await work();
    await end(outcome);
    return outcome;
  } catch (error) {
    const summary = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    await end({ isGood: false, summary }).catch(() => undefined);
    throw error;
  }
}

async function runOnDatabase<T>(url: string, work: Parameters<typeof withGlobal<T>>[2]): Promise<T> {
  const pool = createPool(url, { max: 1 });
  try {
    return await withGlobal(pool, 'write', work);
  } finally {
    await pool.end();
  }
}
