import type pg from 'pg';
import type { AccountRole } from '../../shared/contract/define.ts';
import { withGlobal } from '../db/tenant.ts';
import { countLoginTry, deleteLoginFailure, selectLoginAccount, type LoginAccount } from '../queries/logins.ts';
import { insertSession } from '../queries/sessions.ts';
import { Refusal } from '../refusal.ts';
import { verifyNothing, verifyPassword } from '../services/passwords.ts';
import { hashToken, newToken } from './tokens.ts';

/** Three free tries an account, then 8 s doubling to 15 min: at most ten checks in a quarter of an hour. */
const account = { free: 3, firstSeconds: 8 };
/** Thirty tries an address: a shared office connection, not a guesser. */
const address = { free: 30, firstSeconds: 2 };

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
    refuseWhenBlocked(await countLoginTry(db, keys.address, address.free, address.firstSeconds));
    refuseWhenBlocked(await countLoginTry(db, keys.account, account.free, account.firstSeconds));
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
    });
  });
  return { token, account: found };
}

function refuseWhenBlocked(seconds: number): void {
  if (seconds === 0) return;
  throw new Refusal('TOO_MANY_REQUESTS', `Too many sign-in attempts. Please try again in ${spoken(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}

function spoken(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
