import type pg from 'pg';
import type { AccountRole } from '../../shared/contract/define.ts';
import type { SignIn } from '../../shared/contract/session.ts';
import { withGlobal } from '../db/tenant.ts';
import {
  deleteLoginFailure,
  rememberNetwork,
  selectLoginAccount,
  updatePasswordHash,
  type LoginAccount,
} from '../features/session/logins.queries.ts';
import { endOldestSessions, insertSession } from '../features/session/sessions.queries.ts';
import { insertSignIn } from '../features/session/sign-ins.queries.ts';
import { Refusal } from '../refusal.ts';
import { hashPassword, isWeakHash, verifyDummy, verifyPassword } from '../features/session/passwords.service.ts';
import { networkOf } from './network.ts';
import { countTry, returnTry, perAccount, perAccountEverywhere, perNetwork, takeTry } from './throttle.ts';
import { hashToken, newToken } from './tokens.ts';

const refusalMessages = { admin: 'Invalid admin credentials', subadmin: 'Invalid subadmin credentials' } as const;
const triesName = 'sign-in attempts';

/**
 * Checks a password and opens a session. An unknown e-mail, a wrong password and a deactivated account get the same
 * answer in the same time.
 *
 * The try is counted before the password is checked, so that parallel tries cannot slip past the throttle. A right
 * password resets the account's count in this network, but gives back only its own try in the shared limits. Otherwise
 * the owner of one account could earn tries at all others.
 *
 * This is not one transaction, because a wrong password must leave its count and hashing must not hold a connection.
 */
export async function login(
  pool: pg.Pool,
  role: AccountRole,
  credentials: { email: string; password: string },
  client: { address: string; userAgent: string },
  log: { info: (details: object, message: string) => void },
): Promise<{ token: string; account: LoginAccount }> {
  const email = credentials.email.toLowerCase();
  const network = networkOf(client.address);
  const keys = {
    here: `account:${role}:${email}@${network}`,
    network: `address:${network}`,
    everywhere: `account:${role}:${email}`,
  };
  /** Logs the result of a sign-in. The admin sees the results as well (docs/specification.md §5.4). */
  const logSignIn = (accountId: string | null, result: SignIn['result'] | 'refused'): void =>
    log.info({ actor: accountId ?? undefined, role, network, result }, 'sign-in');
  const { found, isTaken } = await withGlobal(pool, 'write', async (db) => {
    const account = await selectLoginAccount(db, role, email, network);
    // The keys are locked in this order everywhere, below too. Otherwise two tries could deadlock.
    await countTry(db, keys.here, perAccount, triesName);
    await takeTry(db, keys.network, perNetwork, triesName);
    const isEnforced = account?.is_known_here !== true;
    return { found: account, isTaken: await takeTry(db, keys.everywhere, perAccountEverywhere, triesName, isEnforced) };
  }).catch((error: unknown) => {
    if (error instanceof Refusal) logSignIn(null, 'refused');
    throw error;
  });
  const matches = found
    ? await verifyPassword(found.password_hash, credentials.password)
    : await verifyDummy(credentials.password).then(() => false);
  const result = resultOf(found, matches);
  const accountId = found?.id ?? null;
  logSignIn(accountId, result);
  if (!found || result !== 'signed-in') {
    // All three kinds of refusal do the same work, so that they take the same time.
    await withGlobal(pool, 'write', (db) => insertSignIn(db, { role, accountId, network, result }));
    throw new Refusal('INVALID_CREDENTIALS', refusalMessages[role]);
  }

  const stronger = isWeakHash(found.password_hash) ? await hashPassword(credentials.password) : null;
  const token = newToken();
  await withGlobal(pool, 'write', async (db) => {
    await deleteLoginFailure(db, keys.here);
    await returnTry(db, keys.network, perNetwork);
    if (isTaken) await returnTry(db, keys.everywhere, perAccountEverywhere);
    await rememberNetwork(db, found.id, network);
    if (stronger !== null) await updatePasswordHash(db, found.id, found.password_hash, stronger);
    await insertSignIn(db, { role, accountId, network, result });
    await endOldestSessions(db, found.id);
    await insertSession(db, {
      tokenHash: hashToken(token),
      accountId: found.id,
      // The epoch that was read with the password. When the account was deactivated in between, this session is invalid
      // from the start.
      epoch: found.session_epoch,
      userAgent: client.userAgent,
      // A server that also listens on IPv6 reports IPv4 addresses in this form.
      address: client.address.replace(/^::ffff:/, ''),
    });
  });
  return { token, account: found };
}

function resultOf(found: LoginAccount | null, matches: boolean): SignIn['result'] {
  if (!found) return 'unknown';
  if (!matches) return 'wrong-password';
  return found.is_active ? 'signed-in' : 'inactive';
}
