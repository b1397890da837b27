import type { AccountRole } from '../../../shared/contract/define.ts';
import type { Seat } from '../../../shared/contract/seats.ts';
import type { GlobalDb } from '../../db/tenant.ts';
import { hasSecondStep } from './second-steps.queries.ts';

export interface LoginAccount {
  id: string;
  business_id: string;
  email: string;
  password_hash: string;
  banner_name: string;
  /** Of a person beside the login of the business; null for that and for an admin. */
  seat: Seat | null;
  person_name: string;
  session_epoch: number;
  is_active: boolean;
  has_second_step: boolean;
  /** The account has signed in from this network before. */
  is_known_here: boolean;
}

/**
 * Returns the account of a login, active or not, because the caller must spend the same time on each outcome. A person signs in
 * where the business does. One who has not joined yet has no password, so there is no such account.
 */
export function selectLoginAccount(
  db: GlobalDb,
  role: AccountRole,
  email: string,
  network: string,
): Promise<LoginAccount | undefined> {
  return db.first<LoginAccount>(
    `SELECT a.id, b.id AS business_id, a.email, password_hash_of(a.id) AS password_hash, b.banner_name, a.seat, a.person_name, a.session_epoch,
       a.is_active AND b.is_active AND b.deleted_at IS NULL
         AND (a.ends_on IS NULL OR a.ends_on >= (now() AT TIME ZONE 'Asia/Kolkata')::date) AS is_active,
       ${hasSecondStep('a')} AS has_second_step,
       EXISTS (SELECT FROM account_networks n WHERE n.account_id = a.id AND n.network = $3) AS is_known_here
     FROM accounts a JOIN accounts b ON b.id = coalesce(a.business_id, a.id)
     WHERE lower(a.email) = lower($1) AND CASE a.role WHEN 'person' THEN 'subadmin' ELSE a.role END = $2
       AND a.deleted_at IS NULL AND (a.role <> 'person' OR a.joined_at IS NOT NULL)`,
    [email, role, network],
  );
}

/**
 * Counts a try and returns for how many seconds the key is blocked; 0 when it is not blocked. The row lock makes
 * parallel tries count one after the other. Beyond `free` tries, each one blocks the key for twice as long as the one
 * before, from `firstSeconds` up to 15 minutes; an hour without a failure resets it. A blocked try is not counted.
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
  return rowCount === 1 ? 0 : secondsBlocked(db, key);
}

/**
 * Takes one try from a token bucket. Returns 0 when it is allowed, otherwise for how many seconds there is none. The
 * bucket holds `atOnce` tries and gains one every `everySeconds`.
 *
 * `blocked_until` holds the whole state: while it is in the future there is no try, and the further it is in the past,
 * the more tries there are. A refused try takes nothing.
 */
export async function takeLoginTry(db: GlobalDb, key: string, atOnce: number, everySeconds: number): Promise<number> {
  const { rowCount } = await db.query(
    `INSERT INTO login_failures AS f (key, failures, blocked_until)
     VALUES ($1, 0, clock_timestamp() - ($2::int - 2) * $3::int * interval '1 second')
     ON CONFLICT (key) DO UPDATE SET
       last_failure_at = clock_timestamp(),
       blocked_until = greatest(f.blocked_until, clock_timestamp() - ($2::int - 1) * $3::int * interval '1 second')
         + $3::int * interval '1 second'
     WHERE f.blocked_until <= clock_timestamp()`,
    [key, atOnce, everySeconds],
  );
  return rowCount === 1 ? 0 : secondsBlocked(db, key);
}

/** Gives exactly one try back to the bucket. */
export async function giveLoginTryBack(db: GlobalDb, key: string, everySeconds: number): Promise<void> {
  await db.query(
    `UPDATE login_failures SET blocked_until = blocked_until - $2::int * interval '1 second' WHERE key = $1`,
    [key, everySeconds],
  );
}

async function secondsBlocked(db: GlobalDb, key: string): Promise<number> {
  const row = await db.first<{ seconds: number }>(
    `SELECT greatest(1, ceil(extract(epoch FROM blocked_until - clock_timestamp())))::int AS seconds
     FROM login_failures WHERE key = $1`,
    [key],
  );
  return row?.seconds ?? 1;
}

export async function deleteLoginFailure(db: GlobalDb, key: string): Promise<void> {
  await db.query('DELETE FROM login_failures WHERE key = $1', [key]);
}

/** Deletes entries older than an hour, because by then a count is reset and a bucket is full. */
export async function forgetOldLoginFailures(db: GlobalDb): Promise<void> {
  await db.query(
    `DELETE FROM login_failures WHERE last_failure_at < now() - interval '1 hour' AND blocked_until <= now()`,
  );
}

export async function rememberNetwork(db: GlobalDb, accountId: string, network: string): Promise<void> {
  await db.query(
    `INSERT INTO account_networks (account_id, network) VALUES ($1, $2)
     ON CONFLICT (account_id, network) DO UPDATE SET last_used_at = now()`,
    [accountId, network],
  );
}

/** Forgets networks that were not used for 90 days, because providers give addresses to other people over time. */
export async function forgetOldNetworks(db: GlobalDb): Promise<void> {
  await db.query(`DELETE FROM account_networks WHERE last_used_at < now() - interval '90 days'`);
}

/** Stores a stronger hash of the same password, unless the password was changed in the meantime. */
export async function updatePasswordHash(db: GlobalDb, accountId: string, before: string, hash: string): Promise<void> {
  await db.query('UPDATE accounts SET password_hash = $3 WHERE id = $1 AND password_hash_of(id) = $2', [
    accountId,
    before,
    hash,
  ]);
}

export async function insertAdminIfNone(db: GlobalDb, email: string, passwordHash: string): Promise<boolean> {
  const { is_new } = await db.one<{ is_new: boolean }>('SELECT make_first_admin($1, $2) AS is_new', [
    email,
    passwordHash,
  ]);
  return is_new;
}

export async function hasAdmin(db: GlobalDb): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM accounts WHERE role = 'admin' AND deleted_at IS NULL) AS found`,
  );
  return found;
}
