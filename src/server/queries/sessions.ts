import type { GlobalDb } from '../db/tenant.ts';

export interface SessionRow {
  session_id: string;
  account_id: string;
  role: 'admin' | 'subadmin';
  email: string;
  banner_name: string;
  is_touch_due: boolean;
}

/**
 * The live session of a token: not older than 8 hours, used within 30 minutes, of the account's present epoch, and the
 * account active (rulings 1 and 5). The database's clock decides.
 */
export async function selectLiveSession(db: GlobalDb, tokenHash: Buffer): Promise<SessionRow | null> {
  const { rows } = await db.query<SessionRow>(
    `SELECT s.id AS session_id, a.id AS account_id, a.role, a.email, a.banner_name,
       s.last_used_at < now() - interval '30 seconds' AS is_touch_due
     FROM sessions s JOIN accounts a ON a.id = s.account_id
     WHERE s.token_hash = $1 AND s.expires_at > now() AND s.last_used_at > now() - interval '30 minutes'
       AND s.session_epoch = a.session_epoch AND a.is_active AND a.deleted_at IS NULL`,
    [tokenHash],
    'select-live-session',
  );
  return rows[0] ?? null;
}

export async function touchSession(db: GlobalDb, sessionId: string): Promise<void> {
  await db.query('UPDATE sessions SET last_used_at = now() WHERE id = $1', [sessionId], 'touch-session');
}

export async function insertSession(
  db: GlobalDb,
  session: { tokenHash: Buffer; accountId: string; epoch: number; userAgent: string },
): Promise<void> {
  await db.query(
    `INSERT INTO sessions (token_hash, account_id, session_epoch, expires_at, user_agent)
     VALUES ($1, $2, $3, now() + interval '8 hours', $4)`,
    [session.tokenHash, session.accountId, session.epoch, session.userAgent.slice(0, 300)],
  );
}

export async function deleteSession(db: GlobalDb, sessionId: string): Promise<void> {
  await db.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
}

export async function deleteExpiredSessions(db: GlobalDb): Promise<void> {
  await db.query(`DELETE FROM sessions WHERE expires_at < now() OR last_used_at < now() - interval '1 day'`);
}
