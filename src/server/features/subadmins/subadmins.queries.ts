import type { Subadmin } from '../../../shared/contract/subadmins.ts';
import type { GlobalDb } from '../../db/tenant.ts';
import { selectPage, type Page, type Paging } from '../../sql/paging.ts';

export interface SubadminValues {
  email: string;
  bannerName: string;
  gstNo: string;
  contactNumber: string;
  officeAddress: string;
  isActive: boolean;
  isInDirectory: boolean;
}

/** SQL: the business's own login and its people. */
const logins = 'SELECT p.id FROM accounts p WHERE p.id = accounts.id OR p.business_id = accounts.id';
const columns = `id, email, banner_name AS "bannerName", gst_no AS "gstNo", contact_number AS "contactNumber",
  office_address AS "officeAddress", is_active AS "isActive", is_in_directory AS "isInDirectory", role,
  (SELECT count(*)::int FROM accounts p WHERE p.business_id = accounts.id AND p.deleted_at IS NULL) AS people,
  greatest((SELECT max(s.last_used_at) FROM sessions s WHERE s.account_id IN (${logins})),
    (SELECT max(i.at) FROM sign_ins i WHERE i.result = 'signed-in' AND i.account_id IN (${logins}))) AS "lastSeenAt",
  created_at AS "createdAt", updated_at AS "updatedAt", version`;
const isSubadmin = `role = 'subadmin' AND deleted_at IS NULL`;

/** Returns a page of the sub-admin accounts, by banner name. */
export const listSubadmins = (db: GlobalDb, query: Paging): Promise<Page<Subadmin>> =>
  selectPage(
    db,
    query,
    `accounts WHERE ${isSubadmin}`,
    `SELECT ${columns} FROM accounts WHERE ${isSubadmin} ORDER BY lower(banner_name), id LIMIT $1 OFFSET $2`,
    [],
    'list-subadmins',
  );

export async function selectSubadmin(db: GlobalDb, id: string): Promise<Subadmin | null> {
  const [subadmin] = await db.records<Subadmin>(
    `SELECT ${columns} FROM accounts WHERE id = $1 AND ${isSubadmin}`,
    [id],
    'select-subadmin',
  );
  return subadmin ?? null;
}

export async function selectPasswordHash(db: GlobalDb, id: string): Promise<string | null> {
  const row = await db.first<{ password_hash: string }>(
    'SELECT password_hash_of(id) AS password_hash FROM accounts WHERE id = $1 AND deleted_at IS NULL',
    [id],
    'select-password-hash',
  );
  return row?.password_hash ?? null;
}

/** Locks an account with NO KEY, so that writes of records of this account need not wait. */
export async function lockSubadmin(db: GlobalDb, id: string): Promise<Subadmin | null> {
  const [subadmin] = await db.records<Subadmin>(
    `SELECT ${columns} FROM accounts WHERE id = $1 AND ${isSubadmin} FOR NO KEY UPDATE`,
    [id],
    'lock-subadmin',
  );
  return subadmin ?? null;
}

export async function insertSubadmin(
  db: GlobalDb,
  values: Omit<SubadminValues, 'isActive' | 'isInDirectory'> & { passwordHash: string },
): Promise<Subadmin> {
  const [subadmin] = await db.records<Subadmin>(
    `INSERT INTO accounts (email, password_hash, banner_name, gst_no, contact_number, office_address)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
    [values.email, values.passwordHash, values.bannerName, values.gstNo, values.contactNumber, values.officeAddress],
    'insert-subadmin',
  );
  // An insert without a conflict clause returns its row.
  return subadmin!;
}

/**
 * Updates an account. `passwordHash` null keeps the password. `endsSessions` raises the session epoch: every session of
 * the account is invalid at its next call, and a later activation does not revive it (docs/specification.md §5.3).
 */
export async function updateSubadmin(
  db: GlobalDb,
  id: string,
  values: SubadminValues & { passwordHash: string | null; endsSessions: boolean },
): Promise<Subadmin> {
  const [subadmin] = await db.records<Subadmin>(
    `UPDATE accounts SET email = $2, banner_name = $3, gst_no = $4, contact_number = $5, office_address = $6,
       is_active = $7, password_hash = coalesce($8, password_hash_of(id)), session_epoch = session_epoch + $9::boolean::int,
       is_in_directory = $10, updated_at = clock_timestamp(), version = version + 1
     WHERE id = $1 RETURNING ${columns}`,
    [
      id,
      values.email,
      values.bannerName,
      values.gstNo,
      values.contactNumber,
      values.officeAddress,
      values.isActive,
      values.passwordHash,
      values.endsSessions,
      values.isInDirectory,
    ],
    'update-subadmin',
  );
  // Safe: the caller has locked the row.
  return subadmin!;
}

/** Ends every session of the people of a business; an activation does not revive them. */
export async function endSessionsOfPeople(db: GlobalDb, businessId: string): Promise<void> {
  await db.query(
    'UPDATE accounts SET session_epoch = session_epoch + 1 WHERE business_id = $1',
    [businessId],
    'end-sessions-of-people',
  );
}

/**
 * Soft-deletes an account: its e-mail stays taken, its records are kept, and its sessions end (docs/specification.md
 * §5.3).
 */
export async function removeSubadmin(db: GlobalDb, id: string): Promise<void> {
  await db.query(
    `UPDATE accounts SET deleted_at = clock_timestamp(), session_epoch = session_epoch + 1,
       updated_at = clock_timestamp(), version = version + 1
     WHERE id = $1`,
    [id],
    'remove-subadmin',
  );
}

/**
 * Stores a new password. It ends every session of the account except the given one, which the caller has checked under
 * the account's lock and which gets the new epoch. The version belongs to the profile and does not change.
 */
export async function updateOwnPassword(
  db: GlobalDb,
  id: string,
  passwordHash: string,
  keptSessionId: string,
): Promise<void> {
  await db.query(
    `WITH account AS (
       UPDATE accounts SET password_hash = $2, session_epoch = session_epoch + 1, updated_at = clock_timestamp()
       WHERE id = $1 RETURNING id, session_epoch)
     UPDATE sessions s SET session_epoch = account.session_epoch FROM account
     WHERE s.account_id = account.id AND s.id = $3`,
    [id, passwordHash, keptSessionId],
    'update-own-password',
  );
}
