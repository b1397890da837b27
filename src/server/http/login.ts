import type pg from 'pg';
import type { AccountRole, BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { SignIn } from '../../shared/contract/session.ts';
import { withGlobal, type GlobalDb } from '../db/tenant.ts';
import { insertAccountHistory } from '../features/history/history.queries.ts';
import { joinWithLink, selectPersonOfLink, type PersonOfLink } from '../features/people/people.queries.ts';
import {
  deleteLoginFailure,
  rememberNetwork,
  selectLoginAccount,
  updatePasswordHash,
  type LoginAccount,
} from '../features/session/logins.queries.ts';
import { endOldestSessions, insertSession, lockAccount } from '../features/session/sessions.queries.ts';
import { insertSignIn } from '../features/session/sign-ins.queries.ts';
import { Refusal } from '../refusal.ts';
import { hashPassword, isWeakHash, verifyDummy, verifyPassword } from '../features/session/passwords.service.ts';
import { networkOf } from './network.ts';
import { countTry, returnTry, perAccount, perAccountEverywhere, perNetwork, takeTry } from './throttle.ts';
import { refuseWeakPassword } from '../features/session/weak-passwords.service.ts';
import { hashToken, isToken, newToken } from './tokens.ts';

const refusalMessages = { admin: 'Invalid admin credentials', subadmin: 'Invalid subadmin credentials' } as const;
const triesName = 'sign-in attempts';

interface Client {
  address: string;
  userAgent: string;
}
interface Log {
  info: (details: object, message: string) => void;
}
/** Who has signed in. */
type SignedIn = Pick<LoginAccount, 'email' | 'banner_name' | 'seat' | 'person_name'>;

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
  client: Client,
  log: Log,
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
    // The epoch that was read with the password. When the account was deactivated in between, this session is invalid from the
    // start.
    await openSession(db, token, found.id, found.session_epoch, client);
  });
  return { token, account: found };
}

async function openSession(
  db: GlobalDb,
  token: string,
  accountId: string,
  epoch: number,
  client: Client,
): Promise<void> {
  await endOldestSessions(db, accountId);
  await insertSession(db, {
    tokenHash: hashToken(token),
    accountId,
    epoch,
    userAgent: client.userAgent,
    // A server that also listens on IPv6 reports IPv4 addresses in this form.
    address: client.address.replace(/^::ffff:/, ''),
  });
}

/** What the browser keeps of who has signed in (docs/specification.md §17.4, §28). */
export function userOf({ email, banner_name: bannerName, seat, person_name: name }: SignedIn) {
  const user = { id: email, email, bannerName, role: 'subadmin' as const };
  return seat === null ? user : { ...user, name, seat };
}

const linkGone = 'This link is not valid, or is not valid any more. Please ask the sender for a new one.';

/**
 * Returns whose link it is. Tries are limited by network, like sign-ins.
 * @throws Refusal NOT_FOUND when the link cannot be used
 */
export async function readLink(pool: pg.Pool, token: string, client: Client): Promise<PersonOfLink> {
  await withGlobal(pool, 'write', (db) => takeTry(db, `link:${networkOf(client.address)}`, perNetwork, 'attempts'));
  const person = isToken(token)
    ? await withGlobal(pool, 'read', (db) => selectPersonOfLink(db, hashToken(token)))
    : null;
  if (!person) throw new Refusal('NOT_FOUND', linkGone);
  return person;
}

/** Sets the name and the password of the person whose link it is, uses the link up, and opens a session. */
export async function joinAndSignIn(
  pool: pg.Pool,
  { token: link, name, password }: BodyOf<typeof contract.people.join>,
  client: Client,
  log: Log,
): Promise<{ token: string; account: SignedIn }> {
  const { banner_name: business, ...person } = await readLink(pool, link, client);
  refuseWeakPassword(password, [person.email, name, business], 'password');
  const passwordHash = await hashPassword(password);
  const token = newToken();
  const network = networkOf(client.address);
  const account = { ...person, banner_name: business, person_name: name };
  await withGlobal(pool, 'write', async (db) => {
    await lockAccount(db, person.business_id);
    // Read again under the lock, so that a link is used once.
    if (!(await selectPersonOfLink(db, hashToken(link)))) throw new Refusal('NOT_FOUND', linkGone);
    const epoch = await joinWithLink(db, account, { name, passwordHash });
    await rememberNetwork(db, person.id, network);
    await insertSignIn(db, { role: 'subadmin', accountId: person.id, network, result: 'signed-in' });
    await openSession(db, token, person.id, epoch, client);
    const action = person.is_new ? `${name} (${person.email}) joined` : `${name} (${person.email}) set a new password`;
    await insertAccountHistory(db, { accountId: person.id, screen: '' }, { accountId: person.business_id, action });
  });
  log.info({ actor: person.id, role: 'subadmin', network, result: 'joined' }, 'sign-in');
  return { token, account };
}

function resultOf(found: LoginAccount | null, matches: boolean): SignIn['result'] {
  if (!found) return 'unknown';
  if (!matches) return 'wrong-password';
  return found.is_active ? 'signed-in' : 'inactive';
}
