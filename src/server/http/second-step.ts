import type pg from 'pg';
import { isAskedAgain } from '../../shared/access.ts';
import type { BodyOf, Endpoint } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Caller } from '../caller.ts';
import { withGlobal, type GlobalDb } from '../db/tenant.ts';
import { deleteLoginFailure } from '../features/session/logins.queries.ts';
import { confirmSession, selectConfirmation, selectSecondStep } from '../features/session/second-steps.queries.ts';
import { turnOn, useCode, wrongCode } from '../features/session/second-steps.service.ts';
import { fieldRefusal, Refusal } from '../refusal.ts';
import type { SecretBox } from '../secret-box.ts';
import { confirmOwnPassword } from './own-password.ts';
import { countTry, perAccount } from './throttle.ts';

/**
 * Turns the caller's second step on. Codes are counted like passwords, because a wrong one must leave its count: so this is not
 * one transaction.
 */
export async function confirmSetUp(pool: pg.Pool, caller: Caller, code: string, secrets: SecretBox): Promise<string[]> {
  const result = await countedCode(pool, caller, (db) => turnOn(db, caller, code, secrets));
  if (typeof result === 'string') throw wrongCode(result);
  return result;
}

async function countedCode<T>(pool: pg.Pool, { accountId }: Caller, use: (db: GlobalDb) => Promise<T>): Promise<T> {
  const key = `code:${accountId}`;
  await withGlobal(pool, 'write', (db) => countTry(db, key, perAccount, 'attempts'));
  return withGlobal(pool, 'write', async (db) => {
    const result = await use(db);
    if (result !== 'wrong') await deleteLoginFailure(db, key);
    return result;
  });
}

/**
 * Refuses a call that asks again who the caller is, until the caller has said so within 10 minutes. A sign-in counts.
 * @throws Refusal CONFIRMATION_WANTED
 */
export async function requireConfirmation(
  pool: pg.Pool,
  caller: Caller,
  { asksAgain }: Pick<Endpoint, 'asksAgain'>,
): Promise<void> {
  if (asksAgain === undefined) return;
  const session = await withGlobal(pool, 'read', (db) => selectConfirmation(db, caller.sessionId));
  const isAsked = isAskedAgain(asksAgain, {
    isFresh: session.is_fresh,
    hasPeople: session.has_people,
    hasSecondStep: session.has_second_step,
  });
  if (isAsked) throw new Refusal('CONFIRMATION_WANTED', 'Please confirm first that it is you.');
}

/** Confirms who the caller is for the next 10 minutes: by a code for who has a second step, else by the password. */
export async function confirmAgain(
  pool: pg.Pool,
  caller: Caller,
  { password, code }: BodyOf<typeof contract.secondStep.confirmAgain>,
  secrets: SecretBox,
): Promise<void> {
  const { isOn } = await withGlobal(pool, 'read', (db) => selectSecondStep(db, caller.accountId));
  if (isOn) {
    if (code === undefined) throw fieldRefusal('VALIDATION_ERROR', 'code', 'Please enter the code');
    const result = await countedCode(pool, caller, (db) => useCode(db, caller.accountId, code, secrets));
    if (result === 'wrong' || result === 'unreadable') throw wrongCode(result);
  } else {
    if (password === undefined) throw fieldRefusal('VALIDATION_ERROR', 'password', 'Please enter your password');
    await confirmOwnPassword(pool, caller, password, 'password');
  }
  await withGlobal(pool, 'write', (db) => confirmSession(db, caller.sessionId));
}
