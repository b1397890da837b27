import { checkMigrated } from '../server/db/migrate.ts';
import { createPool, explainedBy } from '../server/db/pool.ts';
import { withGlobal, withTenant } from '../server/db/tenant.ts';
import { selectChainEnd } from '../server/queries/seals.ts';
import { endUpkeep, insertUpkeep, selectBusinesses } from '../server/queries/upkeep.ts';
import { checkBooks, summaryOf } from '../server/services/books.ts';

/** Checks the books of every business and says what was found, a line for each check. Connect as the owner of the schema. */
export async function checkDatabase(
  url: string,
  say: (line: string) => void,
  { isRecorded }: { isRecorded: boolean },
): Promise<boolean> {
  await checkMigrated(url);
  const pool = createPool(url, { max: 1 });
  const begun = performance.now();
  try {
    const record = isRecorded ? await withGlobal(pool, 'write', (db) => insertUpkeep(db, 'check')) : null;
    const found = [];
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
    const isGood = found.every(({ checked }) => checked.every(({ differences }) => differences === 0));
    const summary = summaryOf(found);
    if (record !== null) await withGlobal(pool, 'write', (db) => endUpkeep(db, record, isGood, summary));
    say(`${summary} (${((performance.now() - begun) / 1000).toFixed(1)} s).`);
    return isGood;
  } catch (error) {
    throw explainedBy(url, error);
  } finally {
    await pool.end();
  }
}
