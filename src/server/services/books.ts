import type { TenantDb } from '../db/tenant.ts';
import { checks, selectDifferences, type Found } from '../queries/checks.ts';
import { selectBrokenSeals } from '../queries/seals.ts';

export interface Checked extends Found {
  check: string;
}

/** What was written more recently is not sealed yet: longer than any transaction lasts. */
export const sealedAfterMinutes = 60;

/** For the statements of a check, which read every challan of a business. */
export const allowLong = (db: TenantDb) => db.query("SET LOCAL statement_timeout = '10min'");

/** All checks of one business; call it in a transaction that reads one snapshot. */
export async function checkBooks(db: TenantDb): Promise<Checked[]> {
  await allowLong(db);
  // Without fresh statistics the planner would join thousands of lines by nested loops.
  await db.query('SET LOCAL enable_nestloop = off');
  const done: Checked[] = [];
  for (const check of checks) done.push({ check: check.name, ...(await selectDifferences(db, check)) });
  done.push({ check: 'chain of what was written once', ...(await selectBrokenSeals(db)) });
  return done;
}

/** How a check or a backup went. */
export interface Outcome {
  isGood: boolean;
  /** One line. */
  summary: string;
}

/** Of the checks of many businesses. */
export function outcomeOf(found: readonly { name: string; checked: readonly Checked[] }[]): Outcome {
  const wrong = found.flatMap(({ name, checked }) =>
    checked
      .filter(({ differences }) => differences > 0)
      .map(({ check, differences }) => `${name}: ${check} (${differences})`),
  );
  const counted = `${found.length} ${found.length === 1 ? 'business' : 'businesses'}`;
  const isGood = wrong.length === 0;
  return { isGood, summary: `${counted}: ${isGood ? 'no difference' : wrong.join('; ')}` };
}
