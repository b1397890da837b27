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
} from '../queries/logins.ts';
import { endOldestSessions, insertSession } from '../queries/sessions.ts';
import { insertSignIn } from '../queries/sign-ins.ts';
import { Refusal } from '../refusal.ts';
import { hashPassword, isWeakHash, verifyNothing, verifyPassword } from '../services/passwords.ts';
import { networkOf } from './network.ts';
import { countTry, giveTryBack, perAccount, perAccountEverywhere, perNetwork, takeTry } from './throttle.ts';
import { hashToken, newToken } from './tokens.ts';

const refused = { admin: 'Invalid admin credentials', subadmin: 'Invalid subadmin credentials' } as const;
const what = 'sign-in attempts';

/**
 * Checks a password and opens a session. Unknown e-mail, wrong password and deactivated account get the same answer in
 * the same time. The try is counted before the password is checked, so that parallel tries cannot slip past the
 * throttle. A right password resets the account's count in this network and gives back only its own try in the shared
 * limits: otherwise the owner of one account could earn tries at all others. Not one transaction, because a wrong
 * password must leave its count, and hashing must not hold a connection.
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
  /** In the log, and for the admin (docs/specification.md §5.4). */
  const note = (accountId: string | null, result: SignIn['result'] | 'refused'): void =>
    log.info({ actor: accountId ?? undefined, role, network, result }, 'sign-in');
  const { found, isTaken } = await withGlobal(pool, 'write', async (db) => {
    const account = await selectLoginAccount(db, role, email, network);
    // Always in this order, below too: otherwise two tries could deadlock.
    await countTry(db, keys.here, perAccount, what);
    await takeTry(db, keys.network, perNetwork, what);
    const isEnforced = account?.is_known_here !== true;
    return { found: account, isTaken: await takeTry(db, keys.everywhere, perAccountEverywhere, what, isEnforced) };
  }).catch((error: unknown) => {
    if (error instanceof Refusal) note(null, 'refused');
    throw error;
  });
  const matches = found
    ? await verifyPassword(found.password_hash, credentials.password)
    : await verifyNothing(credentials.password).then(() => false);
  const result = resultOf(found, matches);
  const accountId = found?.id ?? null;
  note(accountId, result);
  if (!found || result !== 'signed-in') {
    // The same work for each of them.
    await withGlobal(pool, 'write', (db) => insertSignIn(db, { role, accountId, network, result }));
    throw new Refusal('INVALID_CREDENTIALS', refused[role]);
  }

  const stronger = isWeakHash(found.password_hash) ? await hashPassword(credentials.password) : null;
  const token = newToken();
  await withGlobal(pool, 'write', async (db) => {
    await deleteLoginFailure(db, keys.here);
    await giveTryBack(db, keys.network, perNetwork);
    if (isTaken) await giveTryBack(db, keys.everywhere, perAccountEverywhere);
    await rememberNetwork(db, found.id, network);
    if (stronger !== null) await updatePasswordHash(db, found.id, found.password_hash, stronger);
    await insertSignIn(db, { role, accountId, network, result });
    await endOldestSessions(db, found.id);
    await insertSession(db, {
      tokenHash: hashToken(token),
      accountId: found.id,
      // The epoch that was read with the password: after a deactivation in between this session is invalid from the start.
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
