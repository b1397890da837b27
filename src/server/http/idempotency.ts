import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
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

/** A call as the key sees it; without a key it is simply done. */
interface Asked {
  key: string | undefined;
  /** Method, path and body: the same call is the same in all three. The parsed body, so spelling does not matter. */
  asked: readonly unknown[];
}

interface Claim {
  keyHash: Buffer;
  secret: Buffer;
}

/**
 * The database keeps the hash of a key, and the answer encrypted with a secret that only the same request with the same key
 * has: what an answer says cannot be read from the database, nor guessed from a hash of the request.
 */
function claimOf(tenant: string, key: string, asked: readonly unknown[]): Claim {
  const keyHash = createHash('sha256').update(key).digest();
  const secret = createHash('sha256')
    .update(JSON.stringify([tenant, key, ...asked]))
    .digest();
  return { keyHash, secret };
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

function seal(secret: Buffer, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, secret, nonce, { authTagLength: tagBytes });
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]);
}

/** undefined: it was sealed for another request. */
function open(secret: Buffer, sealed: Buffer): string | undefined {
  const opening = createDecipheriv(cipher, secret, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  opening.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const text = opening.update(sealed.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, opening.final()]).toString('utf8');
  } catch {
    return undefined;
  }
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
  const claims = new Map<C, Claim>();
  for (const call of calls) if (call.key !== undefined) claims.set(call, claimOf(db.tenantId, call.key, call.asked));
  if (claims.size === 0) return work(calls);
  const hashes = [...claims.values()].map(({ keyHash }) => keyHash);
  if (new Set(calls.flatMap(({ key }) => key ?? [])).size < claims.size)
    throw new Error('A key is claimed once at a time');
  const stored = await claimIdempotencyKeys(db, hashes);
  const earlier = new Map<C, StoredAnswer>();
  for (const [call, { keyHash, secret }] of claims) {
    const found = stored.get(keyHash.toString('hex'));
    if (!found) continue;
    const text = found.answer === null ? undefined : open(secret, found.answer);
    if (text === undefined) {
      throw new Refusal(
        'IDEMPOTENCY_MISMATCH',
        'This Idempotency-Key was already used for a different request. Start the action again.',
      );
    }
    earlier.set(call, { status: found.status, text });
  }
  const fresh = calls.filter((call) => !earlier.has(call));
  const answers = fresh.length === 0 ? [] : await work(fresh);
  const answerOf = new Map(fresh.map((call, index) => [call, answers[index]!]));
  const kept = [...answerOf].flatMap(([call, { status, text }]) => {
    const claim = claims.get(call);
    return claim ? [{ keyHash: claim.keyHash, status, answer: seal(claim.secret, text) }] : [];
  });
  if (kept.length > 0) db.withCommit(storeIdempotentAnswers(db, kept));
  // Each call is new or was answered before.
  return calls.map((call) => earlier.get(call) ?? answerOf.get(call)!);
}
