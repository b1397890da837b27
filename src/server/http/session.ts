import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { AccountRole } from '../../shared/contract/define.ts';
import type { Caller } from '../caller.ts';
import { withGlobalStatement } from '../db/tenant.ts';
import { selectLiveSession, touchSession } from '../queries/sessions.ts';
import { Refusal } from '../refusal.ts';
import { bearerToken, hashToken } from './tokens.ts';

/** One text for a missing, expired, revoked or deactivated session (wire.md). */
function noSession(): Refusal {
  return new Refusal('UNAUTHORIZED', 'Session expired or invalid token');
}

/**
 * Who is calling, asked of the database on every request. A request marked as background (a poll) does not prolong the
 * session (ruling 1).
 */
export async function authenticate(
  pool: pg.Pool,
  request: FastifyRequest,
  roles: readonly AccountRole[],
): Promise<Caller> {
  const token = bearerToken(request.headers.authorization);
  if (token === null) throw noSession();
  const session = await withGlobalStatement(pool, (db) => selectLiveSession(db, hashToken(token)));
  if (session === null) throw noSession();
  if (!roles.includes(session.role)) {
    throw new Refusal('FORBIDDEN', "You don't have permission to access this page.");
  }
  if (session.is_touch_due && request.headers['x-background'] === undefined) {
    await withGlobalStatement(pool, (db) => touchSession(db, session.session_id));
  }
  return {
    accountId: session.account_id,
    role: session.role,
    email: session.email,
    bannerName: session.banner_name,
    sessionId: session.session_id,
    screen: screenOf(request.headers['x-screen']),
    requestId: request.id,
  };
}

/** The name of a screen as the client gives it: short plain words, or nothing. */
function screenOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z][A-Za-z -]{0,39}$/.test(header) ? header : '';
}
