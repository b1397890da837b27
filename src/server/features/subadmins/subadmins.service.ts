import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { Subadmin } from '../../../shared/contract/subadmins.ts';
import type { Caller } from '../../caller.ts';
import type { GlobalDb } from '../../db/tenant.ts';
import { changesBetween, insertAccountHistory, type Changes } from '../history/history.queries.ts';
import {
  endSessionsOfPeople,
  insertSubadmin,
  lockSubadmin,
  removeSubadmin as removeSubadminRow,
  updateSubadmin as updateSubadminRow,
} from './subadmins.queries.ts';
import { resetSecondStep } from '../session/second-steps.service.ts';
import { refuseWeakPassword } from '../session/weak-passwords.service.ts';
import { refuseWhenTaken } from '../../sql/conflicts.ts';
import { fieldRefusal, notFound, versionConflict } from '../../refusal.ts';

const fields = ['email', 'bannerName', 'gstNo', 'contactNumber', 'officeAddress', 'isActive', 'isInDirectory'] as const;

/**
 * Creates an account. `passwordHash` is computed before the transaction, because hashing is slow and an open
 * transaction holds a connection.
 */
export async function createSubadmin(
  db: GlobalDb,
  caller: Caller,
  input: Omit<BodyOf<typeof contract.subadmins.create>, 'password'>,
  passwordHash: string,
): Promise<Subadmin> {
  const subadmin = await refuseDuplicateEmail(insertSubadmin(db, { ...input, passwordHash }));
  await insertAccountHistory(db, caller, { accountId: subadmin.id, action: 'created' });
  return subadmin;
}

/**
 * Changes the given fields (docs/specification.md §5.2); `newPassword` null keeps the password. A new password and a
 * deactivation end the account's sessions (docs/specification.md §5.3).
 */
export async function updateSubadmin(
  db: GlobalDb,
  caller: Caller,
  id: string,
  { version, ...input }: Omit<BodyOf<typeof contract.subadmins.update>, 'password'>,
  newPassword: { text: string; hash: string } | null,
): Promise<Subadmin> {
  const before = await lockSubadmin(db, id);
  if (!before) throw notFound('Subadmin');
  if (version !== undefined && version !== before.version) throw versionConflict('subadmin', before);
  const after = { ...before, ...input };
  if (newPassword !== null) refuseWeakPassword(newPassword.text, [after.email, after.bannerName], 'password');
  const passwordHash = newPassword?.hash ?? null;
  // The history records only that a password was set, never the password.
  const hidden: Changes = passwordHash === null ? {} : { password: ['(hidden)', '(hidden)'] };
  const changes = { ...changesBetween(before, after, fields), ...hidden };
  if (Object.keys(changes).length === 0) return before;
  const endsSessions = passwordHash !== null || (before.isActive && !after.isActive);
  const saved = await refuseDuplicateEmail(updateSubadminRow(db, id, { ...after, passwordHash, endsSessions }));
  if (before.isActive && !after.isActive) await endSessionsOfPeople(db, id);
  await insertAccountHistory(db, caller, { accountId: id, action: 'updated', changes });
  return saved;
}

export async function setSubadminActive(
  db: GlobalDb,
  caller: Caller,
  id: string,
  isActive: boolean,
): Promise<Subadmin> {
  return updateSubadmin(db, caller, id, { isActive }, null);
}

/** For the login of a business whose phone is lost. Sessions and password stay. */
export async function resetSecondStepOf(db: GlobalDb, caller: Caller, id: string): Promise<void> {
  const subadmin = await lockSubadmin(db, id);
  if (!subadmin) throw notFound('Subadmin');
  await resetSecondStep(db, caller, { accountId: id, businessId: id, who: subadmin.email });
}

export async function removeSubadmin(db: GlobalDb, caller: Caller, id: string): Promise<void> {
  if (!(await lockSubadmin(db, id))) throw notFound('Subadmin');
  await removeSubadminRow(db, id);
  await endSessionsOfPeople(db, id);
  await insertAccountHistory(db, caller, { accountId: id, action: 'deleted' });
}

/**
 * Refuses a duplicate e-mail. An e-mail belongs to one account, regardless of case and role, even when that account was
 * deleted.
 */
export const refuseDuplicateEmail = <T>(saving: Promise<T>): Promise<T> =>
  refuseWhenTaken(saving, ['accounts_email'], () =>
    fieldRefusal('EMAIL_IN_USE', 'email', 'This email is already in use'),
  );
