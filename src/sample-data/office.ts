import { prepareAppRole } from '../server/db/app-role.ts';
import { withClient } from '../server/db/client.ts';
import { createPool } from '../server/db/pool.ts';
import { withTenant, type TenantDb } from '../server/db/tenant.ts';
import { copyOwners } from '../server/features/owners/owners-copy.service.ts';
import { hashPassword } from '../server/features/session/passwords.service.ts';
import { callerOf } from './month-end.ts';
import { sendToBank } from './office-bank.ts';
import { checkPumpBill } from './office-diesel.ts';
import { payOwners, type PaidOffice } from './office-payments.ts';
import { enterTrips } from './office-trips.ts';
import type { Tenant } from './tenants.ts';

export type Caller = ReturnType<typeof callerOf>;

/** Who works in the office beside the owner, whose login is that of the business. */
export interface Office {
  owner: Caller;
  accountant: Caller;
  clerk: Caller;
}

/** Runs a part of the office's work as one transaction of the business. */
export type Work = <T>(work: (db: TenantDb) => Promise<T>) => Promise<T>;

export interface Colleague {
  seat: 'accountant' | 'clerk';
  name: string;
  email: string;
  password: string;
}

/** They joined before today: somebody who was let in today may not release what the other has prepared. */
export const colleagues: readonly Colleague[] = [
  { seat: 'accountant', name: 'Sasmita Nayak', email: 'accounts@demo.example', password: 'demo-accounts-login' },
  { seat: 'clerk', name: 'Ranjit Behera', email: 'clerk@demo.example', password: 'demo-clerk-login' },
];

/**
 * Does in a loaded business what an office does from day to day, so that a newcomer sees no list of the first business empty.
 * The product itself does it, with its own clock and ids, like the end of the month (month-end.ts), which comes before it.
 */
export async function fillSampleOffice(
  adminUrl: string,
  appUrl: string,
  [first, second]: readonly Tenant[],
  now: Date,
): Promise<PaidOffice> {
  if (!first || !second) throw new Error('Owners are copied between two businesses');
  await prepareAppRole(adminUrl, appUrl);
  const office = await join(adminUrl, first, now);
  const pool = createPool(appUrl, { max: 2, statementTimeoutMs: 120_000 });
  const workOf =
    ({ id }: Tenant): Work =>
    (work) =>
      withTenant(pool, id, 'write', work);
  const work = workOf(first);
  try {
    await enterTrips(work, office, now);
    await checkPumpBill(work, office, now);
    const paid = await payOwners(work, office, now);
    await sendToBank(work, office, paid, now);
    // Every sixteenth owner works for both businesses, but not these.
    const theirs = (of: Tenant) => of.owners.slice(1, 4).map(({ id }) => id);
    await work((db) => copyOwners(db, office.owner, theirs(second)));
    await workOf(second)((db) => copyOwners(db, callerOf(second), theirs(first)));
    return paid;
  } finally {
    await pool.end();
  }
}

async function join(adminUrl: string, business: Tenant, now: Date): Promise<Office> {
  const owner = callerOf(business);
  const joined = new Date(now.getTime() - 90 * 86_400_000);
  const hashes = await Promise.all(colleagues.map(({ password }) => hashPassword(password)));
  return withClient(adminUrl, 'seed', async (client) => {
    const callers = new Map<string, Caller>();
    for (const [index, { seat, name, email }] of colleagues.entries()) {
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO accounts (role, email, password_hash, business_id, seat, person_name, added_by, joined_at, created_at)
         VALUES ('person', $1, $2, $3, $4, $5, $3, $6, $6) RETURNING id`,
        [email, hashes[index], business.id, seat, name, joined],
      );
      // The insert returns the one row it made.
      callers.set(seat, { ...owner, accountId: rows[0]!.id, seat, email, personName: name });
    }
    // Safe: both are in the table above.
    return { owner, accountant: callers.get('accountant')!, clerk: callers.get('clerk')! };
  });
}
