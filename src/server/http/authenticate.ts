import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { AccountRole } from '../../shared/contract/define.ts';
import { namedScreens } from '../../shared/contract/nouns.ts';
import type { Caller } from '../caller.ts';
import { withGlobalStatement } from '../db/tenant.ts';
import { selectLiveSession, touchSession } from '../features/session/sessions.queries.ts';
import { noSession, Refusal } from '../refusal.ts';
import { hashToken, isToken } from './tokens.ts';

/**
 * Checks the session in the database, on every request. A request marked as background (a poll) does not prolong the
 * session (docs/specification.md §2.4).
 */
export async function authenticate(
  pool: pg.Pool,
  request: FastifyRequest,
  roles: readonly AccountRole[],
): Promise<Caller> {
  const token = bearerToken(request.headers.authorization);
  if (token === null) throw noSession();
  const tokenHash = hashToken(token);
  const session = await withGlobalStatement(pool, (db) => selectLiveSession(db, tokenHash));
  if (session === undefined) throw noSession();
  if (!roles.includes(session.role)) {
    throw new Refusal('FORBIDDEN', "You don't have permission to access this page.");
  }
  if (session.is_touch_due && request.headers['x-background'] === undefined) {
    await withGlobalStatement(pool, (db) => touchSession(db, tokenHash));
  }
  return {
    accountId: session.account_id,
    businessId: session.business_id,
    role: session.role,
    seat: session.seat,
    mustSetUp: session.must_set_up,
    isViewing: session.is_viewing,
    email: session.email,
    bannerName: session.banner_name,
    personName: session.person_name,
    sessionId: session.session_id,
    screen: screenOf(request.headers['x-screen']),
    requestId: request.id,
  };
}

/**
 * Returns the screen that the client names, if it is a known one; else an empty text. So the history never shows words
 * that a caller made up.
 */
const screenOf = (header: string | string[] | undefined): string =>
  Object.values(namedScreens).find(({ name }) => name === header)?.name ?? '';

/**
 * Returns the token of `Authorization: Bearer …`, or null. A token anywhere else is ignored (docs/specification.md
 * §14.1).
 */
function bearerToken(authorization: string | undefined): string | null {
  const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : '';
  return isToken(token) ? token : null;
}
