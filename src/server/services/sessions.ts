import type { OpenSession } from '../../shared/contract/session.ts';
import type { Caller } from '../caller.ts';
import type { GlobalDb } from '../db/tenant.ts';
import { deleteOtherSessions, listOpenSessions, lockOwnSession } from '../queries/sessions.ts';
import { noSession } from '../refusal.ts';
import { describeUserAgent } from './user-agent.ts';

/** The account is always the session's own; no call of these takes an id. */
export async function presentOpenSessions(db: GlobalDb, caller: Caller): Promise<OpenSession[]> {
  const rows = await listOpenSessions(db, caller.accountId, caller.sessionId);
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    address: row.address,
    userAgent: describeUserAgent(row.user_agent),
    isCurrent: row.id === caller.sessionId,
  }));
}

/** Of two sessions that end each other at once the first one stays; the other gets a 401. */
export async function endOtherSessions(db: GlobalDb, caller: Caller): Promise<number> {
  if (!(await lockOwnSession(db, caller.accountId, caller.sessionId))) throw noSession();
  return deleteOtherSessions(db, caller.accountId, caller.sessionId);
}
