import type pg from 'pg';
import type { BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Caller } from '../caller.ts';
import { withGlobal } from '../db/tenant.ts';
import { deleteLoginFailure } from '../queries/logins.ts';
import { changePassword } from '../services/profile.ts';
import { countTry, perAccount } from './throttle.ts';

/**
 * Changes the caller's password, throttled as the login is, so that whoever found an open session cannot guess the password
 * with it. Counted apart from the login: such a guesser must not lock the owner out of signing in. In steps outside one
 * transaction, because a refused try must leave its count.
 */
export async function changeOwnPassword(
  pool: pg.Pool,
  caller: Caller,
  input: BodyOf<typeof contract.profile.changePassword>,
): Promise<void> {
  const key = `password:${caller.accountId}`;
  await withGlobal(pool, 'write', (db) => countTry(db, key, perAccount, 'attempts'));
  await withGlobal(pool, 'write', async (db) => {
    await changePassword(db, caller, input);
    await deleteLoginFailure(db, key);
  });
}
