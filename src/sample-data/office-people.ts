import { withClient } from '../server/db/client.ts';
import type { TenantDb } from '../server/db/tenant.ts';
import { hashPassword } from '../server/features/session/passwords.service.ts';
import { callerOf } from './month-end.ts';
import type { Tenant } from './tenants.ts';

type Caller = ReturnType<typeof callerOf>;

/** Who works in the office beside the owner, whose login is that of the business. */
export interface Office {
  owner: Caller;
  accountant: Caller;
  clerk: Caller;
}

/** Runs a part of the office's work as one transaction of the business. */
export type Work = <T>(work: (db: TenantDb) => Promise<T>) => Promise<T>;

interface Colleague {
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

/** Adds the colleagues to the people of the business, by the owner of the schema: a service would let them in now, by a link. */
export async function joinOffice(adminUrl: string, business: Tenant, now: Date): Promise<Office> {
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
