import type pg from 'pg';
import type { BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Caller } from '../caller.ts';
import { withGlobal } from '../db/tenant.ts';
import { deleteLoginFailure } from '../features/session/logins.queries.ts';
import { hashPassword } from '../features/session/passwords.service.ts';
import { changePassword, checkCurrentPassword, getPasswordHash } from '../features/profile/profile.service.ts';
import { refuseWeakPassword } from '../features/session/weak-passwords.service.ts';
import { countTry, perAccount } from './throttle.ts';

/**
 * Changes the caller's password. Tries are rate limited like the login, so that a stolen session cannot be used to
 * guess the password. They are counted apart from the login, so that such guesses do not lock the owner out.
 *
 * This is not one transaction, because a wrong try must leave its count and hashing must not hold a connection.
 */
export async function changeOwnPassword(
  pool: pg.Pool,
  caller: Caller,
  input: BodyOf<typeof contract.profile.changePassword>,
): Promise<void> {
  refuseWeakPassword(input.newPassword, [caller.email, caller.bannerName], 'newPassword');
  const key = `password:${caller.accountId}`;
  let newHash: string | undefined;
  const tryOnce = async (): Promise<boolean> => {
    const checked = await withGlobal(pool, 'read', (db) => getPasswordHash(db, caller));
    await checkCurrentPassword(checked, input.currentPassword);
    newHash ??= await hashPassword(input.newPassword);
    const hashes = { checked, next: newHash };
    return withGlobal(pool, 'write', async (db) => {
      const isDone = await changePassword(db, caller, hashes);
      if (isDone) await deleteLoginFailure(db, key);
      return isDone;
    });
  };
  await withGlobal(pool, 'write', (db) => countTry(db, key, perAccount, 'attempts'));
  // Try again when the stored hash was replaced between the check and the lock.
  while (!(await tryOnce()));
}

/** Checks the caller's password again, in a field of this name, with the same limit on guesses as changing it. */
export async function confirmOwnPassword(
  pool: pg.Pool,
  caller: Caller,
  currentPassword: string,
  field = 'currentPassword',
): Promise<void> {
  const key = `password:${caller.accountId}`;
  await withGlobal(pool, 'write', (db) => countTry(db, key, perAccount, 'attempts'));
  await checkCurrentPassword(
    await withGlobal(pool, 'read', (db) => getPasswordHash(db, caller)),
    currentPassword,
    field,
  );
  await withGlobal(pool, 'write', (db) => deleteLoginFailure(db, key));
}
