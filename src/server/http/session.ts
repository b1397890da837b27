import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { AccountRole } from '../../shared/contract/define.ts';
import type { Caller } from '../caller.ts';
import { withGlobalStatement } from '../db/tenant.ts';
import { selectLiveSession, touchSession } from '../queries/sessions.ts';
import { noSession, Refusal } from '../refusal.ts';
import { bearerToken, hashToken } from './tokens.ts';

/**
 * Whose token it was when it was last seen. It never decides: with it a read may begin while the database is asked who is
 * calling, and its answer waits for that (see Implementer). A token's account does not change as long as it lives.
 */
export class SeenCallers {
  readonly #callers = new Map<string, Caller>();
  readonly #limit: number;

  constructor(limit: number = 1_000) {
    this.#limit = limit;
  }

  /** The caller whom a read may be prepared for; null when the token is new or its account may not ask this. */
  expect(request: FastifyRequest, tokenHash: Buffer, roles: readonly AccountRole[]): Caller | null {
    const seen = this.#callers.get(tokenHash.toString('base64'));
    if (seen === undefined || !roles.includes(seen.role)) return null;
    return { ...seen, screen: screenOf(request.headers['x-screen']), requestId: request.id };
  }

  /** After the database has said who it is, or that it is nobody. */
  learn(tokenHash: Buffer, caller: Caller | null): void {
    const key = tokenHash.toString('base64');
    // Taken out and put in again, the oldest in the map is the one unseen for longest.
    this.#callers.delete(key);
    if (caller !== null) this.#callers.set(key, caller);
    for (const oldest of this.#callers.keys()) {
      if (this.#callers.size <= this.#limit) break;
      this.#callers.delete(oldest);
    }
  }
}

/** Of the token that a request brings: what is looked up, and the one place where it is hashed. */
export function tokenHashOf(request: FastifyRequest): Buffer {
  const token = bearerToken(request.headers.authorization);
  if (token === null) throw noSession();
  return hashToken(token);
}

/**
 * Who is calling, asked of the database on every request. A request marked as background (a poll) does not prolong the
 * session (ruling 1).
 */
export async function authenticate(
  pool: pg.Pool,
  request: FastifyRequest,
  tokenHash: Buffer,
  roles: readonly AccountRole[],
): Promise<Caller> {
  const session = await withGlobalStatement(pool, (db) => selectLiveSession(db, tokenHash));
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
