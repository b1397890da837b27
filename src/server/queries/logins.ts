import type { AccountRole } from '../../shared/contract/define.ts';
import type { GlobalDb } from '../db/tenant.ts';

export interface LoginAccount {
  id: string;
  email: string;
  password_hash: string;
  banner_name: string;
  session_epoch: number;
  is_active: boolean;
}

/** The account a login names, whatever its state: the caller spends the same time on each outcome. */
export async function selectLoginAccount(db: GlobalDb, role: AccountRole, email: string): Promise<LoginAccount | null> {
  const { rows } = await db.query<LoginAccount>(
    `SELECT id, email, password_hash, banner_name, session_epoch, is_active
     FROM accounts WHERE lower(email) = lower($1) AND role = $2 AND deleted_at IS NULL`,
    [email, role],
  );
  return rows[0] ?? null;
}

/**
 * Counts a try and says how many seconds the key is blocked for: 0 means go on. The row's lock lets parallel tries count one
 * after the other. Beyond `free` tries each one blocks the key for twice as long as the one before, from `firstSeconds` up
 * to 15 minutes; an hour without a failure starts anew. A blocked try is not counted.
 */
export async function countLoginTry(db: GlobalDb, key: string, free: number, firstSeconds: number): Promise<number> {
  const { rowCount } = await db.query(
    `INSERT INTO login_failures AS f (key, failures) VALUES ($1, 1)
     ON CONFLICT (key) DO UPDATE SET
       failures = CASE WHEN f.last_failure_at < now() - interval '1 hour' THEN 1 ELSE least(f.failures + 1, 1000) END,
       last_failure_at = clock_timestamp(),
       blocked_until = CASE
         WHEN f.last_failure_at < now() - interval '1 hour' OR f.failures + 1 <= $2::int THEN now()
         ELSE clock_timestamp() + least(900, $3::int * power(2, least(f.failures - $2::int, 12))) * interval '1 second' END
     WHERE f.blocked_until <= clock_timestamp()`,
    [key, free, firstSeconds],
  );
  if (rowCount === 1) return 0;
  const { rows } = await db.query<{ seconds: number }>(
    `SELECT greatest(1, ceil(extract(epoch FROM blocked_until - clock_timestamp())))::int AS seconds
     FROM login_failures WHERE key = $1`,
    [key],
  );
  return rows[0]?.seconds ?? 1;
}

export async function deleteLoginFailure(db: GlobalDb, key: string): Promise<void> {
  await db.query('DELETE FROM login_failures WHERE key = $1', [key]);
}

export async function updatePasswordHash(db: GlobalDb, accountId: string, hash: string): Promise<void> {
  await db.query('UPDATE accounts SET password_hash = $2 WHERE id = $1', [accountId, hash]);
}

export async function insertAdminIfNone(db: GlobalDb, email: string, passwordHash: string): Promise<boolean> {
  // One statement under a lock of its own, so that two servers starting on an empty database make one admin.
  await db.query(`SELECT pg_advisory_xact_lock(hashtextextended('first-admin', 0))`);
  const { rowCount } = await db.query(
    `INSERT INTO accounts (role, email, password_hash)
     SELECT 'admin', $1, $2 WHERE NOT EXISTS (SELECT FROM accounts WHERE role = 'admin' AND deleted_at IS NULL)`,
    [email, passwordHash],
  );
  return rowCount === 1;
}

export async function hasAdmin(db: GlobalDb): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM accounts WHERE role = 'admin' AND deleted_at IS NULL) AS found`,
  );
  return rows[0]?.found ?? false;
}
