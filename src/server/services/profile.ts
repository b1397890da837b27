import type { BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Profile } from '../../shared/contract/profile.ts';
import type { Caller } from '../caller.ts';
import type { GlobalDb } from '../db/tenant.ts';
import { changesBetween, insertAccountHistory } from '../queries/history.ts';
import { lockSubadmin, selectSubadmin, updateOwnPassword, updateSubadmin } from '../queries/subadmins.ts';
import { notFound, Refusal, versionConflict } from '../refusal.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

const fields = ['bannerName', 'gstNo', 'contactNumber', 'officeAddress'] as const;

/** The account is always the session's own; no call of these takes an id. */
export async function getProfile(db: GlobalDb, caller: Caller): Promise<Profile> {
  const subadmin = await selectSubadmin(db, caller.accountId);
  if (!subadmin) throw notFound('Profile');
  return subadmin;
}

export async function updateProfile(
  db: GlobalDb,
  caller: Caller,
  { version, ...input }: BodyOf<typeof contract.profile.update>,
): Promise<Profile> {
  const before = (await lockSubadmin(db, caller.accountId))?.subadmin;
  if (!before) throw notFound('Profile');
  if (version !== undefined && version !== before.version) throw versionConflict('profile', before);
  const after = { ...before, ...input };
  const changes = changesBetween(before, after, fields);
  if (Object.keys(changes).length === 0) return before;
  const saved = await updateSubadmin(db, before.id, { ...after, passwordHash: null, endsSessions: false });
  await insertAccountHistory(db, caller, { accountId: before.id, action: 'updated', changes });
  return saved;
}

/** Every other session of the account ends; the calling one goes on (wire.md). */
export async function changePassword(
  db: GlobalDb,
  caller: Caller,
  input: BodyOf<typeof contract.profile.changePassword>,
): Promise<void> {
  const account = await lockSubadmin(db, caller.accountId);
  if (!account) throw notFound('Profile');
  if (!(await verifyPassword(account.passwordHash, input.currentPassword))) {
    const message = 'Current password is incorrect';
    // 400, not 401: a wrong guess here must not sign anyone out (ruling 2).
    throw new Refusal('WRONG_PASSWORD', message, { fields: { currentPassword: message } });
  }
  const passwordHash = await hashPassword(input.newPassword);
  await updateOwnPassword(db, caller.accountId, passwordHash, caller.sessionId);
  await insertAccountHistory(db, caller, { accountId: caller.accountId, action: 'password changed' });
}
