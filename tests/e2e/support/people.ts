import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Business, Desk } from './desk.ts';

/** Another person of the business, who joined long ago, signed in through the API. Without a link: two whom one links count as one. */
export async function addPerson(desk: Desk, business: Business, seat: 'owner' | 'accountant'): Promise<Business> {
  const email = `${randomUUID()}@challan.test`;
  const client = new Client({ connectionString: desk.databaseUrl });
  await client.connect();
  await client.query(
    `INSERT INTO accounts (role, email, password_hash, business_id, seat, person_name, joined_at)
     SELECT 'person', $1, password_hash, id, $3, 'Ravi Kumar', now() FROM accounts WHERE id = $2`,
    [email, business.id, seat],
  );
  await client.end();
  const { password, bannerName } = business;
  const { token } = await desk.call(business, contract.session.loginSubadmin, { body: { email, password } });
  return { id: business.id, email, password, bannerName, token };
}
