import { createHash } from 'node:crypto';
import type { TenantDb } from '../db/tenant.ts';
import { claimIdempotencyKeys, storeIdempotentAnswers } from '../queries/idempotency.ts';
import { Refusal } from '../refusal.ts';

export interface StoredAnswer {
  status: number;
  /** The JSON text that was sent. */
  text: string;
}

/** The key of a request, checked; undefined where none was given. */
export function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || header.length < 1 || header.length > 255) {
    throw new Refusal('VALIDATION_ERROR', 'The Idempotency-Key must have 1 to 255 characters.');
  }
  return header;
}

/** The same call is the same method, path and body; the parsed body, so spelling does not matter. */
export function requestHash(method: string, path: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, path, body]))
    .digest();
}

/** A call as the key sees it; without a key it is simply done. */
interface Asked {
  key: string | undefined;
  hash: () => Buffer;
}

/**
 * Runs writes at most once for their keys, inside their transaction: the keys are claimed first (a second request with one
 * waits here until the first has committed), and the answers are stored with the work, which does those that are new.
 */
export async function once<C extends Asked>(
  db: TenantDb,
  calls: readonly C[],
  work: (calls: readonly C[]) => Promise<readonly StoredAnswer[]>,
): Promise<readonly StoredAnswer[]> {
  const claims = calls.flatMap(({ key, hash }) => (key === undefined ? [] : [{ key, requestHash: hash() }]));
  if (claims.length === 0) return work(calls);
  if (new Set(claims.map(({ key }) => key)).size < claims.length) throw new Error('A key is claimed once at a time');
  const earlier = await claimIdempotencyKeys(db, claims);
  for (const { key, requestHash } of claims) {
    if (earlier.get(key)?.requestHash.equals(requestHash) === false) {
      throw new Refusal(
        'IDEMPOTENCY_MISMATCH',
        'This Idempotency-Key was already used for a different request. Start the action again.',
      );
    }
  }
  const fresh = calls.filter(({ key }) => key === undefined || !earlier.has(key));
  const answers = fresh.length === 0 ? [] : await work(fresh);
  const stored = fresh.flatMap(({ key }, index) => (key === undefined ? [] : [{ key, ...answers[index]! }]));
  if (stored.length > 0) db.withCommit(storeIdempotentAnswers(db, stored));
  const answerOf = new Map(fresh.map((call, index) => [call, answers[index]!]));
  return calls.map((call) => {
    const before = call.key === undefined ? undefined : earlier.get(call.key);
    // Each call is new or was answered before.
    return before ? { status: before.status, text: before.answer } : answerOf.get(call)!;
  });
}
