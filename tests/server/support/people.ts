import { createHash, randomBytes } from 'node:crypto';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Seat } from '../../../src/shared/contract/seats.ts';
import type { Api, Tenant } from './api.ts';
import { asSchemaOwner } from './tables.ts';

export interface TestPerson {
  id: string;
  email: string;
  name: string;
  token: string;
}

let counter = 0;

/** Invites somebody; the token of the link has not been used. */
export async function invite(api: Api, { token }: Pick<Tenant, 'token'>, seat: Seat, endsOn?: string) {
  counter += 1;
  const email = `person${counter}.${seat}@transport.test`;
  const answer = await api.call(contract.people.invite, { body: { email, seat, endsOn } }, { token });
  if (answer.status !== 201) throw new Error(`An invitation: ${answer.text}`);
  return { person: answer.body.data, linkToken: answer.body.linkToken, email };
}

export const personPassword = 'bullock cart 77';

/** Somebody of the business with this seat, joined by a link and signed in. */
export async function addPerson(
  api: Api,
  business: Pick<Tenant, 'token'>,
  seat: Seat,
  endsOn?: string,
): Promise<TestPerson> {
  const { person, linkToken, email } = await invite(api, business, seat, endsOn);
  const name = `Ravi ${seat} ${counter}`;
  const joined = await api.call(contract.people.join, { body: { token: linkToken, name, password: personPassword } });
  if (joined.status !== 200) throw new Error(`A join: ${joined.text}`);
  return { id: person.id, email, name, token: joined.body.token };
}

/** The same without the sign-in, whose tries are limited: somebody who joined long ago, with the password of the business. */
export async function seatPerson(
  api: Api,
  business: Pick<Tenant, 'id'>,
  seat: 'owner' | 'accountant',
): Promise<TestPerson> {
  counter += 1;
  const [email, name] = [`person${counter}.${seat}@transport.test`, `Ravi ${seat} ${counter}`];
  const token = randomBytes(32).toString('base64url');
  const { rows } = await asSchemaOwner(api, (client) =>
    client.query<{ id: string }>(
      `WITH made AS (
         INSERT INTO accounts (role, email, password_hash, business_id, seat, person_name, joined_at)
         SELECT 'person', $2, b.password_hash, b.id, $3, $4, now() FROM accounts b WHERE b.id = $1 RETURNING id, session_epoch
       )
       INSERT INTO sessions (token_hash, account_id, session_epoch, expires_at)
       SELECT $5, id, session_epoch, now() + interval '8 hours' FROM made RETURNING account_id AS id`,
      [business.id, email, seat, name, createHash('sha256').update(token).digest()],
    ),
  );
  return { id: rows[0]!.id, email, name, token };
}
