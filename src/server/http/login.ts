import type pg from 'pg';
import type { AccountRole, BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { NewDevices, SignIn } from '../../shared/contract/session.ts';
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
import { noteDevice } from '../features/session/devices.queries.ts';
import {
  deleteCodeWait,
  insertCodeWait,
  selectCodeWait,
  selectSecondStep,
} from '../features/session/second-steps.queries.ts';
import { useCode, wrongCode } from '../features/session/second-steps.service.ts';
import { describeUserAgent } from '../features/session/sessions.service.ts';
import { endOldestSessions, insertSession, lockAccount } from '../features/session/sessions.queries.ts';
import { insertSignIn } from '../features/session/sign-ins.queries.ts';
import { Refusal } from '../refusal.ts';
import { hashPassword, isWeakHash, verifyDummy, verifyPassword } from '../features/session/passwords.service.ts';
import type { SecretBox } from '../secret-box.ts';
import { networkOf } from './network.ts';
import type { Client } from './parse.ts';
import { countTry, returnTry, perAccount, perAccountEverywhere, perNetwork, takeTry } from './throttle.ts';
import { refuseWeakPassword } from '../features/session/weak-passwords.service.ts';
import { hashToken, isToken, newToken } from './tokens.ts';

const refusalMessages = { admin: 'Invalid admin credentials', subadmin: 'Invalid subadmin credentials' } as const;
const triesName = 'sign-in attempts';

interface Log {
  info: (details: object, message: string) => void;
}
type Account = Pick<LoginAccount, 'email' | 'banner_name' | 'seat' | 'person_name'>;
/** Who has signed in, with the token of the session. */
export interface SignedIn {
  token: string;
  account: Account;
  newDevices: NewDevices;
}

/**
 * Checks a password and opens a session. An unknown e-mail, a wrong password and a deactivated account get the same
 * answer in the same time.
 *
 * The try is counted before the password is checked, so that parallel tries cannot slip past the throttle. A right
 * password resets the account's count in this network, but gives back only its own try in the shared limits. Otherwise
 * the owner of one account could earn tries at all others.
 *
 * This is not one transaction, because a wrong password must leave its count and hashing must not hold a connection.
 * @throws Refusal SECOND_STEP_WANTED with the token for `signInWithCode`, when the password is right and a code is wanted
 */
export async function login(
  pool: pg.Pool,
  role: AccountRole,
  credentials: { email: string; password: string },
  client: Client,
  log: Log,
): Promise<SignedIn> {
  const email = credentials.email.toLowerCase();
  const network = networkOf(client.address);
  const keys = keysOf(`account:${role}:${email}`, network);
  /** Logs the result of a sign-in. The admin sees the results as well (docs/specification.md §5.4). */
  const logSignIn = (accountId: string | null, result: SignIn['result'] | 'refused'): void =>
    log.info({ actor: accountId ?? undefined, role, network, result }, 'sign-in');
  const { found, isTaken } = await withGlobal(pool, 'write', async (db) => {
    const account = await selectLoginAccount(db, role, email, network);
    return { found: account, isTaken: await takeTries(db, keys, account?.is_known_here === true) };
  }).catch((error: unknown) => {
    if (error instanceof Refusal) logSignIn(null, 'refused');
    throw error;
  });
  const matches = found
    ? await verifyPassword(found.password_hash, credentials.password)
    : await verifyDummy(credentials.password).then(() => false);
  const checked = resultOf(found, matches);
  const result = checked === 'signed-in' && found?.has_second_step ? 'code-wanted' : checked;
  const accountId = found?.id ?? null;
  logSignIn(accountId, result);
  if (!found || checked !== 'signed-in') {
    // All three kinds of refusal do the same work, so that they take the same time.
    await withGlobal(pool, 'write', (db) => insertSignIn(db, { role, accountId, network, result }));
    throw new Refusal('INVALID_CREDENTIALS', refusalMessages[role]);
  }

  const stronger = isWeakHash(found.password_hash) ? await hashPassword(credentials.password) : null;
  const token = newToken();
  const newDevices = await withGlobal(pool, 'write', async (db) => {
    await giveTriesBack(db, keys, isTaken);
    if (stronger !== null) await updatePasswordHash(db, found.id, found.password_hash, stronger);
    await insertSignIn(db, { role, accountId, network, result });
    // The epoch that was read with the password. When the account was deactivated in between, this session is invalid from the
    // start.
    const { id, session_epoch: epoch } = found;
    if (result === 'code-wanted') return insertCodeWait(db, { tokenHash: hashToken(token), accountId: id, epoch });
    await rememberNetwork(db, id, network);
    return openSession(db, token, id, epoch, client);
  });
  if (result === 'code-wanted') throw codeWanted(token);
  return { token, account: found, newDevices: newDevices ?? undefined };
}

const codeWanted = (token: string): Refusal =>
  new Refusal('SECOND_STEP_WANTED', 'Please enter the code of your authenticator app, or a recovery code', {
    data: { token },
  });

const tooLate = (): Refusal =>
  new Refusal('INVALID_CREDENTIALS', 'Your sign-in took too long. Please enter your password again.');

/**
 * Finishes the sign-in of who has a second step, with the token that a right password got and a code. Codes are counted like
 * passwords, and apart from them. The token works for one sign-in.
 */
export async function signInWithCode(
  pool: pg.Pool,
  role: AccountRole,
  { token: waiting, code }: BodyOf<typeof contract.secondStep.signInSubadmin>,
  { client, log, secrets }: { client: Client; log: Log; secrets: SecretBox },
): Promise<SignedIn> {
  const network = networkOf(client.address);
  const tokenHash = hashToken(waiting);
  const wait = isToken(waiting) ? await withGlobal(pool, 'read', (db) => selectCodeWait(db, tokenHash)) : null;
  const found = wait && (await withGlobal(pool, 'read', (db) => selectLoginAccount(db, role, wait.email, network)));
  if (!found || found.id !== wait.account_id || !found.is_active) throw tooLate();
  const keys = keysOf(`code:${role}:${found.email}`, network);
  const isTaken = await withGlobal(pool, 'write', (db) => takeTries(db, keys, found.is_known_here));
  const token = newToken();
  const { result, newDevices } = await withGlobal(pool, 'write', async (db) => {
    await lockAccount(db, found.id);
    const used = await useCode(db, found.id, code, secrets);
    const isRight = used === 'app' || used === 'recovery';
    await insertSignIn(db, { role, accountId: found.id, network, result: isRight ? 'signed-in' : 'wrong-code' });
    if (!isRight) return { result: used };
    // Everything is undone when another call has used the token.
    if (!(await deleteCodeWait(db, tokenHash))) throw tooLate();
    await rememberNetwork(db, found.id, network);
    if (used === 'recovery') {
      const { codesLeft } = await selectSecondStep(db, found.id);
      const action = `signed in with a recovery code, ${codesLeft} left`;
      await insertAccountHistory(db, { accountId: found.id, screen: '' }, { accountId: found.business_id, action });
    }
    return { result: used, newDevices: await openSession(db, token, found.id, found.session_epoch, client) };
  });
  const isIn = result === 'app' || result === 'recovery';
  log.info({ actor: found.id, role, network, result: isIn ? 'signed-in' : 'wrong-code' }, 'sign-in');
  if (!isIn) throw wrongCode(result);
  // Not above, where the account is locked: a sign-in by password locks these keys before it.
  await withGlobal(pool, 'write', (db) => giveTriesBack(db, keys, isTaken));
  return { token, account: found, newDevices };
}

/** The keys under which tries at one secret of an account are counted: in this network, by the network, and everywhere. */
const keysOf = (secret: string, network: string) => ({
  here: `${secret}@${network}`,
  network: `address:${network}`,
  everywhere: secret,
});
type Keys = ReturnType<typeof keysOf>;

/** Counts a try. The keys are locked in this order everywhere, below too. Otherwise two tries could deadlock. */
async function takeTries(db: GlobalDb, keys: Keys, isKnownHere: boolean): Promise<boolean> {
  await countTry(db, keys.here, perAccount, triesName);
  await takeTry(db, keys.network, perNetwork, triesName);
  return takeTry(db, keys.everywhere, perAccountEverywhere, triesName, !isKnownHere);
}

async function giveTriesBack(db: GlobalDb, keys: Keys, isTaken: boolean): Promise<void> {
  await deleteLoginFailure(db, keys.here);
  await returnTry(db, keys.network, perNetwork);
  if (isTaken) await returnTry(db, keys.everywhere, perAccountEverywhere);
}

/** Opens a session. Returns the devices that are new to the account since this one was last used. */
async function openSession(
  db: GlobalDb,
  token: string,
  accountId: string,
  epoch: number,
  client: Client,
): Promise<NewDevices> {
  await endOldestSessions(db, accountId);
  await insertSession(db, {
    tokenHash: hashToken(token),
    accountId,
    epoch,
    userAgent: client.userAgent,
    // A server that also listens on IPv6 reports IPv4 addresses in this form.
    address: client.address.replace(/^::ffff:/, ''),
  });
  const name = describeUserAgent(client.userAgent);
  const device = client.device === '' ? name : client.device;
  const newDevices = await noteDevice(db, { accountId, device, name, network: networkOf(client.address) });
  return newDevices.length === 0 ? undefined : newDevices;
}

/** What the browser keeps of who has signed in (docs/specification.md §2.4, §28). */
export function userOf({ email, banner_name: bannerName, seat, person_name: name }: Account) {
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
): Promise<SignedIn> {
  const { banner_name: business, ...person } = await readLink(pool, link, client);
  refuseWeakPassword(password, [person.email, name, business], 'password');
  const passwordHash = await hashPassword(password);
  const token = newToken();
  const network = networkOf(client.address);
  const account = { ...person, banner_name: business, person_name: name };
  const newDevices = await withGlobal(pool, 'write', async (db) => {
    await lockAccount(db, person.business_id);
    // Read again under the lock, so that a link is used once.
    if (!(await selectPersonOfLink(db, hashToken(link)))) throw new Refusal('NOT_FOUND', linkGone);
    const epoch = await joinWithLink(db, account, { name, passwordHash });
    const action = person.is_new ? `${name} (${person.email}) joined` : `${name} (${person.email}) set a new password`;
    await insertAccountHistory(db, { accountId: person.id, screen: '' }, { accountId: person.business_id, action });
    // A link is in place of the password, and not of the second step.
    const { isOn } = await selectSecondStep(db, person.id);
    const result = isOn ? 'code-wanted' : 'signed-in';
    await insertSignIn(db, { role: 'subadmin', accountId: person.id, network, result });
    if (isOn) {
      await insertCodeWait(db, { tokenHash: hashToken(token), accountId: person.id, epoch });
      return 'code-wanted';
    }
    await rememberNetwork(db, person.id, network);
    return openSession(db, token, person.id, epoch, client);
  });
  log.info({ actor: person.id, role: 'subadmin', network, result: 'joined' }, 'sign-in');
  if (newDevices === 'code-wanted') throw codeWanted(token);
  return { token, account, newDevices };
}

function resultOf(found: LoginAccount | undefined, matches: boolean): SignIn['result'] {
  if (!found) return 'unknown';
  if (!matches) return 'wrong-password';
  return found.is_active ? 'signed-in' : 'inactive';
}
