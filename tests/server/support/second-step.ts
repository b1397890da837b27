import { createHmac } from 'node:crypto';
import { contract } from '../../../src/shared/contract/index.ts';
import { expectRefusal } from './expect.ts';
import type { Api } from './api.ts';
import { asSchemaOwner } from './tables.ts';

/** An authenticator app, written here a second time from RFC 4226 and RFC 6238: the code of a secret in base32, now or some steps away. */
export function codeOf(secret: string, stepsAhead = 0): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret.replaceAll(' ', '')]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead));
  const digest = createHmac('sha1', key).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

interface SecondStep {
  secret: string;
  recoveryCodes: string[];
}

/** Turns the second step of a session's account on. */
export async function turnOnSecondStep(api: Api, { token }: { token: string }): Promise<SecondStep> {
  const begun = await api.call(contract.secondStep.begin, {}, { token });
  if (begun.status !== 200) throw new Error(`A second step: ${begun.text}`);
  const { secret } = begun.body.data;
  const confirmed = await api.call(contract.secondStep.confirm, { body: { code: codeOf(secret) } }, { token });
  if (confirmed.status !== 200) throw new Error(`A second step: ${confirmed.text}`);
  return { secret, recoveryCodes: confirmed.body.data.recoveryCodes };
}

/** The code of now, also where it was used just before: the next step is half a minute away. */
export async function freshCode(api: Api, accountEmail: string, secret: string): Promise<string> {
  await asSchemaOwner(api, (client) =>
    client.query(
      'UPDATE second_steps SET last_step = 0 WHERE account_id = (SELECT id FROM accounts WHERE lower(email) = $1)',
      [accountEmail.toLowerCase()],
    ),
  );
  return codeOf(secret);
}

/** Gives the right password of who has a second step; returns the token that goes with the code. */
export async function waitForCode(
  api: Api,
  { email, password }: { email: string; password: string },
  headers: Record<string, string> = {},
  login: typeof contract.session.loginSubadmin | typeof contract.session.loginAdmin = contract.session.loginSubadmin,
): Promise<string> {
  const answer = await api.call(login, { body: { email, password } }, { headers });
  expectRefusal(answer, 401, 'SECOND_STEP_WANTED');
  return (answer.error.data as { token: string }).token;
}
