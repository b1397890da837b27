import type { GlobalDb, TenantDb } from '../../db/tenant.ts';
import { checks, selectDifferences, type Found } from './checks.queries.ts';
import { selectBrokenSeals } from './seals.queries.ts';

export interface CheckResult extends Found {
  check: string;
}

/** Records younger than this are not sealed yet. It is longer than any transaction lasts. */
export const sealAfterMinutes = 60;

/** Raises the statement timeout for background work: a check reads every challan of a business. */
export const allowLongStatements = (db: GlobalDb | TenantDb) => db.query("SET LOCAL statement_timeout = '10min'");

interface BookCheck {
  check: string;
  find: (db: TenantDb) => Promise<Found>;
}

/** The checks of one business. */
export const bookChecks: readonly BookCheck[] = [
  ...checks.map((check) => ({ check: check.name, find: (db: TenantDb) => selectDifferences(db, check) })),
  { check: 'chain of what was written once', find: selectBrokenSeals },
];

/** Runs one check. Call it in a transaction that reads one snapshot. */
export async function runCheck(db: TenantDb, { check, find }: BookCheck): Promise<CheckResult> {
  await allowLongStatements(db);
  // Without fresh statistics the planner would join thousands of lines with nested loops.
  await db.query('SET LOCAL enable_nestloop = off');
  return { check, ...(await find(db)) };
}

/** Runs all checks of one business. */
export async function checkBooks(db: TenantDb): Promise<CheckResult[]> {
  const done: CheckResult[] = [];
  for (const check of bookChecks) done.push(await runCheck(db, check));
  return done;
}

/** The checks of the books that find a difference, each as one text. */
export const differencesOf = async (db: TenantDb): Promise<string[]> =>
  (await checkBooks(db)).flatMap(({ check, differences }) => (differences > 0 ? [`${check}: ${differences}`] : []));

/** The outcome of a check or a backup. */
export interface Outcome {
  isGood: boolean;
  /** The outcome in one line. */
  summary: string;
}

/** Summarizes the checks of many businesses. */
export function summarizeChecks(found: readonly { name: string; checked: readonly CheckResult[] }[]): Outcome {
  const wrong = found.flatMap(({ name, checked }) =>
    checked
      .filter(({ differences }) => differences > 0)
      .map(({ check, differences }) => `${name}: ${check} (${differences})`),
  );
  const counted = `${found.length} ${found.length === 1 ? 'business' : 'businesses'}`;
  const isGood = wrong.length === 0;
  return { isGood, summary: `${counted}: ${isGood ? 'no difference' : wrong.join('; ')}` };
}
