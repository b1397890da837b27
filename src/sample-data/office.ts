import { createPool } from '../server/db/pool.ts';
import { withTenant } from '../server/db/tenant.ts';
import { copyOwners } from '../server/features/owners/owners-copy.service.ts';
import { callerOf } from './month-end.ts';
import { sendToBank } from './office-bank.ts';
import { checkPumpBill } from './office-diesel.ts';
import { payOwners } from './office-payments.ts';
import { joinOffice, type Work } from './office-people.ts';
import { enterTrips } from './office-trips.ts';
import type { Tenant } from './tenants.ts';

/**
 * Does in a loaded business what an office does from day to day, so that a newcomer sees no list of the first business empty.
 * The product itself does it, with its own clock and ids, like the end of the month (month-end.ts), which comes before it.
 */
export async function fillSampleOffice(
  adminUrl: string,
  appUrl: string,
  [first, second]: readonly Tenant[],
  now: Date,
): Promise<void> {
  if (!first || !second) throw new Error('Owners are copied between two businesses');
  const office = await joinOffice(adminUrl, first, now);
  const pool = createPool(appUrl, { max: 2, statementTimeoutMs: 120_000 });
  const workOf =
    ({ id }: Tenant): Work =>
    (work) =>
      withTenant(pool, id, 'write', work);
  const work = workOf(first);
  try {
    await enterTrips(work, office, now);
    await checkPumpBill(work, office, now);
    const paymentId = await payOwners(work, office, now);
    await sendToBank(work, office, paymentId, now);
    // Every sixteenth owner works for both businesses, but not these.
    const theirs = (of: Tenant) => of.owners.slice(1, 4).map(({ id }) => id);
    await work((db) => copyOwners(db, office.owner, theirs(second)));
    await workOf(second)((db) => copyOwners(db, callerOf(second), theirs(first)));
  } finally {
    await pool.end();
  }
}
