import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { TenantDb } from '../db/tenant.ts';
import { claimIdempotencyKeys, storeIdempotentAnswers } from '../sql/idempotency.ts';
import { Refusal } from '../refusal.ts';

export interface StoredAnswer {
  status: number;
  /** The JSON text that was sent. */
  text: string;
}

/**
 * Checks the Idempotency-Key header and returns it; undefined when the request has none.
 * @throws Refusal VALIDATION_ERROR for a length outside 1 to 255 characters
 */
export function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || header.length < 1 || header.length > 255) {
    throw new Refusal('VALIDATION_ERROR', 'The Idempotency-Key must have 1 to 255 characters.');
  }
  return header;
}

/** A call with its idempotency key. A call without a key is executed without any record of it. */
interface KeyedCall {
  key: string | undefined;
  /**
   * Method, path, body and person: two requests are the same call when all agree. The body is the parsed one, so its
   * spelling does not matter.
   */
  identity: readonly unknown[];
}

interface Claim {
  keyHash: Buffer;
  secret: Buffer;
}

/**
 * The database keeps the hash of a key, and the answer encrypted with a secret. Only the same request with the same key
 * can compute that secret, so an answer can neither be read from the database nor guessed from a hash of the request.
 */
function claimFor(tenant: string, key: string, identity: readonly unknown[]): Claim {
  const keyHash = createHash('sha256').update(key).digest();
  const secret = createHash('sha256')
    .update(JSON.stringify([tenant, key, ...identity]))
    .digest();
  return { keyHash, secret };
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

function encrypt(secret: Buffer, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, secret, nonce, { authTagLength: tagBytes });
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Returns undefined when the answer was encrypted for another request. */
function decrypt(secret: Buffer, sealed: Buffer): string | undefined {
  const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const text = decipher.update(sealed.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/**
 * Runs writes at most once for their idempotency keys, inside their transaction. The keys are claimed first: a second
 * request with the same key waits here until the first has committed. `work` gets the calls that are new, and their
 * answers are stored in the same transaction.
 *
 * Returns the answers in the order of the calls.
 * @throws Refusal IDEMPOTENCY_MISMATCH when a key was used for a different request
 */
export async function runOnce<C extends KeyedCall>(
  db: TenantDb,
  calls: readonly C[],
  work: (calls: readonly C[]) => Promise<readonly StoredAnswer[]>,
): Promise<readonly StoredAnswer[]> {
  const claims = new Map<C, Claim>();
  for (const call of calls)
    if (call.key !== undefined) claims.set(call, claimFor(db.tenantId, call.key, call.identity));
  if (claims.size === 0) return work(calls);
  const hashes = [...claims.values()].map(({ keyHash }) => keyHash);
  if (new Set(calls.flatMap(({ key }) => key ?? [])).size < claims.size)
    throw new Error('Two calls of one batch have the same idempotency key');
  const stored = await claimIdempotencyKeys(db, hashes);
  const earlier = new Map<C, StoredAnswer>();
  for (const [call, { keyHash, secret }] of claims) {
    const found = stored.get(keyHash.toString('hex'));
    if (!found) continue;
    const text = found.answer === null ? undefined : decrypt(secret, found.answer);
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
  const toStore = [...answerOf].flatMap(([call, { status, text }]) => {
    const claim = claims.get(call);
    return claim ? [{ keyHash: claim.keyHash, status, answer: encrypt(claim.secret, text) }] : [];
  });
  if (toStore.length > 0) db.withCommit(storeIdempotentAnswers(db, toStore));
  // Safe: each call is either new or was answered before.
  return calls.map((call) => earlier.get(call) ?? answerOf.get(call)!);
}
