import { createHash } from 'node:crypto';
import type { TenantDb } from '../db/tenant.ts';
import { claimIdempotencyKey, storeIdempotentAnswer } from '../queries/idempotency.ts';
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

/**
 * Runs a write at most once for its key, inside the transaction of the write: the key is claimed first (a second request
 * with it waits here until the first has committed), and the answer is stored with the work.
 */
export async function once(
  db: TenantDb,
  key: string | undefined,
  hash: () => Buffer,
  work: () => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  if (key === undefined) return work();
  const wanted = hash();
  const earlier = await claimIdempotencyKey(db, key, wanted);
  if (earlier === 'claimed') {
    const answer = await work();
    db.withCommit(storeIdempotentAnswer(db, key, answer.status, answer.text));
    return answer;
  }
  if (!earlier.requestHash.equals(wanted)) {
    throw new Refusal(
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was already used for a different request. Start the action again.',
    );
  }
  return { status: earlier.status, text: earlier.answer };
}
