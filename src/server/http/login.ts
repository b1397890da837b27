import type pg from 'pg';
import type { AccountRole } from '../../shared/contract/define.ts';
import { withGlobal } from '../db/tenant.ts';
import { deleteLoginFailure, selectLoginAccount, type LoginAccount } from '../queries/logins.ts';
import { insertSession } from '../queries/sessions.ts';
import { Refusal } from '../refusal.ts';
import { verifyNothing, verifyPassword } from '../services/passwords.ts';
import { countTry, perAccount, perAddress } from './throttle.ts';
import { hashToken, newToken } from './tokens.ts';

const refused = { admin: 'Invalid admin credentials', subadmin: 'Invalid subadmin credentials' } as const;

/**
 * Checks a password and opens a session. Unknown e-mail, wrong password and deactivated account are one answer in the
 * same time. The try is counted before the password is checked, so that parallel tries cannot slip past the throttle; a
 * right password takes the account's count back. Steps outside one transaction, because a refused login must leave its count.
 */
export async function login(
  pool: pg.Pool,
  role: AccountRole,
  credentials: { email: string; password: string },
  client: { address: string; userAgent: string },
): Promise<{ token: string; account: LoginAccount }> {
  const email = credentials.email.toLowerCase();
  const keys = { account: `account:${role}:${email}`, address: `address:${client.address}` };
  const found = await withGlobal(pool, 'write', async (db) => {
    await countTry(db, keys.address, perAddress, 'sign-in attempts');
    await countTry(db, keys.account, perAccount, 'sign-in attempts');
    return selectLoginAccount(db, role, email);
  });
  const matches = found
    ? await verifyPassword(found.password_hash, credentials.password)
    : await verifyNothing(credentials.password).then(() => false);
  if (!found || !matches || !found.is_active) throw new Refusal('INVALID_CREDENTIALS', refused[role]);

  const token = newToken();
  await withGlobal(pool, 'write', async (db) => {
    await deleteLoginFailure(db, keys.account);
    await deleteLoginFailure(db, keys.address);
    await insertSession(db, {
      tokenHash: hashToken(token),
      accountId: found.id,
      // The epoch that was read with the password: a deactivation in between leaves this session dead from the start.
      epoch: found.session_epoch,
      userAgent: client.userAgent,
      // A server that listens on IPv6 too writes IPv4 addresses this way.
      address: client.address.replace(/^::ffff:/, ''),
    });
  });
  return { token, account: found };
}
