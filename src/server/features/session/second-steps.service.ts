import { hash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import { RECOVERY_CODES } from '../../../shared/contract/second-step.ts';
import type { Caller } from '../../caller.ts';
import type { GlobalDb } from '../../db/tenant.ts';
import { fieldRefusal, notFound, Refusal } from '../../refusal.ts';
import type { SecretBox } from '../../secret-box.ts';
import { insertAccountHistory } from '../history/history.queries.ts';
import {
  beginSecondStep,
  deleteRecoveryCode,
  deleteSecondStep,
  lockSecondStep,
  markSessions,
  replaceRecoveryCodes,
  selectSecondStep,
  updateDemand,
  updateLastStep,
} from './second-steps.queries.ts';
import { lockAccount } from './sessions.queries.ts';

/** The second step at sign-in: codes of an authenticator app by RFC 6238, and recovery codes (docs/specification.md §28.8). */

/** The values that every authenticator app knows: SHA-1, six digits, 30 seconds. */
const periodMs = 30_000;
const totpOf = (secret: Buffer, label = ''): TOTP =>
  new TOTP({ issuer: 'Challan Desk', label, secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) });

const groupsOfFour = (text: string, separator: string): string => (text.match(/.{1,4}/g) ?? []).join(separator);

/** The dark modules of a QR code, as the path of an SVG. */
function qrOf(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return { size, path };
}

/** Makes a secret, which is shown now and never again. It counts once a code has confirmed it. */
export async function beginOwn(db: GlobalDb, caller: Caller, secrets: SecretBox) {
  const secret = randomBytes(20);
  await lockAccount(db, caller.accountId);
  if (!(await beginSecondStep(db, caller.accountId, await secrets.seal(secret, caller.accountId)))) throw alreadyOn();
  const totp = totpOf(secret, caller.email);
  return { secret: groupsOfFour(totp.secret.base32, ' '), qr: qrOf(totp.toString()) };
}

const alreadyOn = (): Refusal =>
  new Refusal('SECOND_STEP_ON', 'You have a second step already. Turn it off before you set up another one.');

/** Base32 without letters that look alike would be another alphabet; this one has no 0, 1, 8 and 9. */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 80 random bits, so that the hash of a code cannot be turned back by trying. */
function newRecoveryCode(): string {
  return groupsOfFour([...randomBytes(16)].map((byte) => letters[byte % letters.length]).join(''), '-');
}
const plain = (code: string): string => code.replace(/[^a-z0-9]/gi, '').toUpperCase();
const hashOf = (code: string): Buffer => hash('sha256', plain(code), 'buffer');

async function giveRecoveryCodes(db: GlobalDb, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await replaceRecoveryCodes(db, accountId, codes.map(hashOf));
  return codes;
}

/** How a code was right. 'unreadable': the secret does not open, so that only recovery codes can be checked. */
export type CodeResult = 'app' | 'recovery' | 'wrong' | 'unreadable';

/**
 * Checks a code and uses it up, under a lock, so that it works once: a code of the app whose step, or a later one, was used is
 * wrong. One step of a clock that is off is allowed each way. `isOn`: of the second step as it is, or of one that is being set up,
 * which has no recovery codes yet.
 */
export async function useCode(
  db: GlobalDb,
  accountId: string,
  code: string,
  secrets: SecretBox,
  isOn = true,
): Promise<CodeResult> {
  const locked = await lockSecondStep(db, accountId);
  if (locked?.is_on !== isOn) return 'wrong';
  const token = plain(code);
  if (!/^\d{6}$/.test(token))
    return isOn && (await deleteRecoveryCode(db, accountId, hashOf(code))) ? 'recovery' : 'wrong';
  const secret = await secrets.open(locked.sealed_secret, accountId);
  if (secret === null) return 'unreadable';
  const delta = totpOf(secret).validate({ token, window: 1, timestamp: locked.now });
  const step = Math.floor(locked.now / periodMs) + (delta ?? 0);
  if (delta === null || step <= locked.last_step) return 'wrong';
  await updateLastStep(db, accountId, step);
  return 'app';
}

/** The refusal of a code that was not right. */
export const wrongCode = (result: CodeResult): Refusal =>
  fieldRefusal(
    'WRONG_CODE',
    'code',
    result === 'unreadable'
      ? 'Codes of the app cannot be checked on this server. Use a recovery code, or ask for a reset.'
      : 'This code is not right, or was used already',
  );

const noteOwn = (db: GlobalDb, caller: Caller, action: string): Promise<void> =>
  insertAccountHistory(db, caller, { accountId: caller.businessId, action });

const group = ({ role, businessId }: Caller): 'admins' | { businessId: string } =>
  role === 'admin' ? 'admins' : { businessId };

/** Turns the second step on, if the code is of the secret that was shown. Returns the recovery codes, or what is wrong. */
export async function turnOn(
  db: GlobalDb,
  caller: Caller,
  code: string,
  secrets: SecretBox,
): Promise<string[] | CodeResult> {
  await lockAccount(db, caller.accountId);
  if ((await selectSecondStep(db, caller.accountId)).isOn) throw alreadyOn();
  const result = await useCode(db, caller.accountId, code, secrets, false);
  if (result !== 'app') return result;
  const codes = await giveRecoveryCodes(db, caller.accountId);
  await markSessions(db, group(caller));
  await noteOwn(db, caller, 'turned the own second step on');
  return codes;
}

export async function renewRecoveryCodes(db: GlobalDb, caller: Caller): Promise<string[]> {
  await lockAccount(db, caller.accountId);
  if (!(await selectSecondStep(db, caller.accountId)).isOn) throw notFound('Second step');
  await noteOwn(db, caller, 'made new recovery codes');
  return giveRecoveryCodes(db, caller.accountId);
}

export async function turnOff(db: GlobalDb, caller: Caller): Promise<void> {
  await lockAccount(db, caller.accountId);
  if ((await selectSecondStep(db, caller.accountId)).isDemanded)
    throw new Refusal('FORBIDDEN', 'A second step is demanded of you, so it cannot be turned off.');
  if (await deleteSecondStep(db, caller.accountId)) await noteOwn(db, caller, 'turned the own second step off');
}

/** Takes the second step of somebody else away; sessions and password stay. `who` is the name in the history. */
export async function resetSecondStep(
  db: GlobalDb,
  caller: Caller,
  of: { accountId: string; businessId: string; who: string },
): Promise<void> {
  if (await deleteSecondStep(db, of.accountId))
    await insertAccountHistory(db, caller, {
      accountId: of.businessId,
      action: `reset the second step of ${of.who}`,
    });
}

/** Demands a second step of the seats of a business that pay, or no longer. It counts for open sessions at once. */
export async function demandOfSeats(db: GlobalDb, caller: Caller, isDemanded: boolean): Promise<void> {
  await lockAccount(db, caller.businessId);
  if ((await selectSecondStep(db, caller.businessId)).isDemanded === isDemanded) return;
  await updateDemand(db, caller, isDemanded);
  await markSessions(db, caller);
  await noteOwn(
    db,
    caller,
    isDemanded
      ? 'demanded a second step of owners and accountants'
      : 'no longer demanded a second step of owners and accountants',
  );
}

/** The same for the admins, by the setting of the server. */
export async function demandOfAdmins(db: GlobalDb, isDemanded: boolean): Promise<void> {
  await updateDemand(db, 'admins', isDemanded);
  await markSessions(db, 'admins');
}
