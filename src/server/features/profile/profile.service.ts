import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { Profile } from '../../../shared/contract/profile.ts';
import type { Subadmin } from '../../../shared/contract/subadmins.ts';
import type { Caller } from '../../caller.ts';
import type { GlobalDb } from '../../db/tenant.ts';
import { changesBetween, insertAccountHistory } from '../history/history.queries.ts';
import { lockOwnSession } from '../session/sessions.queries.ts';
import {
  lockSubadmin,
  selectPasswordHash,
  selectSubadmin,
  updateOwnPassword,
  updateSubadmin,
} from '../subadmins/subadmins.queries.ts';
import { fieldRefusal, noSession, versionConflict } from '../../refusal.ts';
import { verifyPassword } from '../session/passwords.service.ts';

const fields = ['bannerName', 'gstNo', 'contactNumber', 'officeAddress'] as const;

/** Returns the profile of the business. It is always the session's own: no function of this file takes an id. */
export async function getProfile(db: GlobalDb, caller: Caller): Promise<Profile> {
  const subadmin = await selectSubadmin(db, caller.businessId);
  if (!subadmin) throw noSession();
  return subadmin;
}

export async function updateProfile(
  db: GlobalDb,
  caller: Caller,
  { version, ...input }: BodyOf<typeof contract.profile.update>,
): Promise<Profile> {
  const before = await lockOwnAccount(db, caller);
  if (version !== undefined && version !== before.version) throw versionConflict('profile', before);
  const after = { ...before, ...input };
  const changes = changesBetween(before, after, fields);
  if (Object.keys(changes).length === 0) return before;
  const saved = await updateSubadmin(db, before.id, { ...after, passwordHash: null, endsSessions: false });
  await insertAccountHistory(db, caller, { accountId: before.id, action: 'updated', changes });
  return saved;
}

/** Returns the hash of the caller's password, which is checked outside the transaction. */
export async function getPasswordHash(db: GlobalDb, caller: Caller): Promise<string> {
  const hash = await selectPasswordHash(db, caller.accountId);
  if (hash === null) throw noSession();
  return hash;
}

export async function checkCurrentPassword(
  hash: string,
  currentPassword: string,
  field = 'currentPassword',
): Promise<void> {
  if (await verifyPassword(hash, currentPassword)) return;
  // The status is 400 and not 401: a wrong guess here must not sign anybody out (docs/specification.md §2.4).
  throw fieldRefusal('WRONG_PASSWORD', field, 'Current password is incorrect');
}

/**
 * Stores the new password and ends every other session of the account; the calling one continues (docs/specification.md
 * §12.3). Returns false and changes nothing when the stored hash is no longer the one that was checked.
 */
export async function changePassword(
  db: GlobalDb,
  caller: Caller,
  hashes: { checked: string; next: string },
): Promise<boolean> {
  if (!(await lockOwnSession(db, caller.accountId, caller.sessionId))) throw noSession();
  if ((await getPasswordHash(db, caller)) !== hashes.checked) return false;
  await updateOwnPassword(db, caller.accountId, hashes.next, caller.sessionId);
  await insertAccountHistory(db, caller, { accountId: caller.businessId, action: 'password changed' });
  return true;
}

/**
 * Locks the account, and checks that this session has not been ended since the call arrived. Nothing that this call
 * does may survive a deactivation that came first (docs/security.md §2.1).
 */
async function lockOwnAccount(db: GlobalDb, caller: Caller): Promise<Subadmin> {
  if (!(await lockOwnSession(db, caller.accountId, caller.sessionId))) throw noSession();
  const account = await lockSubadmin(db, caller.businessId);
  if (!account) throw noSession();
  return account;
}
