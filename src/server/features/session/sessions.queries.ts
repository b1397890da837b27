import type { OpenSession } from '../../../shared/contract/session.ts';
import type { Seat } from '../../../shared/contract/seats.ts';
import type { GlobalDb } from '../../db/tenant.ts';
import { whoLacksIt } from './second-steps.queries.ts';

/**
 * SQL: the condition of a live session, the same as in the database function live_session (migration 002,
 * docs/specification.md §2.4).
 */
export const isLive = `s.expires_at > now() AND s.last_used_at > now() - interval '30 minutes'
       AND s.session_epoch = a.session_epoch AND a.is_active AND a.deleted_at IS NULL`;

interface SessionRow {
  session_id: string;
  account_id: string;
  business_id: string;
  role: 'admin' | 'subadmin';
  seat: Seat;
  is_viewing: boolean;
  email: string;
  banner_name: string;
  person_name: string;
  is_touch_due: boolean;
  must_set_up: boolean;
}

/** Returns the live session of a token of an active account. The database's clock decides. */
export function selectLiveSession(db: GlobalDb, tokenHash: Buffer): Promise<SessionRow | undefined> {
  return db.first<SessionRow>(
    `SELECT session_id, account_id, business_id, role, seat, is_viewing, email, banner_name, person_name, is_touch_due,
       must_set_up
     FROM live_session($1)`,
    [tokenHash],
    'select-live-session',
  );
}

export async function touchSession(db: GlobalDb, tokenHash: Buffer): Promise<void> {
  await db.query('SELECT touch_session($1)', [tokenHash], 'touch-session');
}

export async function insertSession(
  db: GlobalDb,
  session: { tokenHash: Buffer; accountId: string; epoch: number; userAgent: string; address: string },
): Promise<void> {
  await db.query(
    `INSERT INTO sessions (token_hash, account_id, session_epoch, expires_at, user_agent, address, must_set_up)
     VALUES ($1, $2, $3, now() + interval '8 hours', $4, $5, EXISTS (SELECT FROM ${whoLacksIt} AND a.id = $2))`,
    [session.tokenHash, session.accountId, session.epoch, session.userAgent.slice(0, 300), session.address],
  );
}

/** Locks an account with NO KEY, so that writes of records of this account need not wait. */
export async function lockAccount(db: GlobalDb, accountId: string): Promise<void> {
  await db.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId], 'lock-account');
}

/** The maximum number of sessions of an account (docs/specification.md §2.4). */
const maxSessions = 10;

/**
 * Ends the oldest live sessions beyond the limit. The account is locked first, in a separate statement, so that the
 * second of two simultaneous sign-ins counts what the first has opened.
 */
export async function endOldestSessions(db: GlobalDb, accountId: string): Promise<void> {
  await lockAccount(db, accountId);
  await db.query(
    `DELETE FROM sessions WHERE id IN (
       SELECT s.id FROM sessions s JOIN accounts a ON a.id = s.account_id
       WHERE s.account_id = $1 AND ${isLive} ORDER BY s.created_at DESC, s.id OFFSET $2)`,
    [accountId, maxSessions - 1],
    'end-oldest-sessions',
  );
}

/** Ends one session of the account. Returns false when the account has no live session with this id. */
export async function deleteOwnSession(db: GlobalDb, accountId: string, id: string): Promise<boolean> {
  const { rows } = await db.query(
    `WITH ended AS (DELETE FROM sessions WHERE account_id = $1 AND id = $2
       RETURNING account_id, session_epoch, last_used_at, expires_at)
     SELECT FROM ended s JOIN accounts a ON a.id = s.account_id WHERE ${isLive}`,
    [accountId, id],
    'delete-own-session',
  );
  return rows.length === 1;
}

export async function deleteSession(db: GlobalDb, sessionId: string): Promise<void> {
  await db.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
}

/** Returns the live sessions of one account: the caller's first, then the last used first. */
export const listOpenSessions = (db: GlobalDb, accountId: string, sessionId: string): Promise<OpenSession[]> =>
  db.records(
    `SELECT s.id, s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt", s.expires_at AS "expiresAt", s.address,
       s.user_agent AS "userAgent", s.id = $2 AS "isCurrent"
     FROM sessions s JOIN accounts a ON a.id = s.account_id
     WHERE s.account_id = $1 AND ${isLive}
     ORDER BY s.id = $2 DESC, s.last_used_at DESC, s.id`,
    [accountId, sessionId],
    'list-open-sessions',
  );

/**
 * Locks the account against other changes of it or its sessions. Returns false when this session was ended in the
 * meantime.
 */
export async function lockOwnSession(db: GlobalDb, accountId: string, sessionId: string): Promise<boolean> {
  await lockAccount(db, accountId);
  // A separate statement, so that it sees what the previous holder of the lock committed.
  const { rows } = await db.query(
    `SELECT FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE s.id = $2 AND s.account_id = $1 AND ${isLive}`,
    [accountId, sessionId],
    'check-own-session',
  );
  return rows.length === 1;
}

/** Deletes every session of the account but one; returns how many of them were still live. */
export async function deleteOtherSessions(db: GlobalDb, accountId: string, keptId: string): Promise<number> {
  const { ended } = await db.one<{ ended: number }>(
    `WITH ended AS (DELETE FROM sessions WHERE account_id = $1 AND id <> $2
       RETURNING account_id, session_epoch, last_used_at, expires_at)
     SELECT count(*)::int AS ended FROM ended s JOIN accounts a ON a.id = s.account_id WHERE ${isLive}`,
    [accountId, keptId],
    'delete-other-sessions',
  );
  return ended;
}

export async function deleteExpiredSessions(db: GlobalDb): Promise<void> {
  await db.query(`DELETE FROM sessions WHERE expires_at < now() OR last_used_at < now() - interval '1 day'`);
}
