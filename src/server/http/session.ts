import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { AccountRole } from '../../shared/contract/define.ts';
import type { Caller } from '../caller.ts';
import { withGlobalStatement } from '../db/tenant.ts';
import { selectLiveSession, touchSession } from '../queries/sessions.ts';
import { noSession, Refusal } from '../refusal.ts';
import { bearerToken, hashToken } from './tokens.ts';

/**
 * Remembers whose token it was. It decides nothing: a read may begin while the database checks the session, and the
 * answer waits for that check (see Implementer). A token's account does not change as long as it lives.
 */
export class SeenCallers {
  readonly #callers = new Map<string, Caller>();
  readonly #limit: number;

  constructor(limit: number = 1_000) {
    this.#limit = limit;
  }

  /** The likely caller, for whom a read may begin; null when the token is new or its role may not make this call. */
  expect(request: FastifyRequest, tokenHash: Buffer, roles: readonly AccountRole[]): Caller | null {
    const seen = this.#callers.get(tokenHash.toString('base64'));
    if (seen === undefined || !roles.includes(seen.role)) return null;
    return { ...seen, screen: screenOf(request.headers['x-screen']), requestId: request.id };
  }

  /** Called with the result of the session check; null: not valid. */
  learn(tokenHash: Buffer, caller: Caller | null): void {
    const key = tokenHash.toString('base64');
    // Deleted and added again, so that the first entry is the least recently used.
    this.#callers.delete(key);
    if (caller !== null) this.#callers.set(key, caller);
    for (const oldest of this.#callers.keys()) {
      if (this.#callers.size <= this.#limit) break;
      this.#callers.delete(oldest);
    }
  }
}

/** The hash of a request's token; the token is hashed only here. */
export function tokenHashOf(request: FastifyRequest): Buffer {
  const token = bearerToken(request.headers.authorization);
  if (token === null) throw noSession();
  return hashToken(token);
}

/**
 * Checks the session in the database, on every request. A request marked as background (a poll) does not prolong the
 * session (docs/specification.md §2.4).
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

/** The name of the screen as the client sends it: short plain words, else empty. */
function screenOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z][A-Za-z -]{0,39}$/.test(header) ? header : '';
}
