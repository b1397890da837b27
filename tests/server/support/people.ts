import { contract } from '../../../src/shared/contract/index.ts';
import type { Seat } from '../../../src/shared/contract/seats.ts';
import type { Api, Tenant } from './api.ts';

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
