/**
 * A new Idempotency-Key. `crypto.randomUUID` exists only over https and on localhost; the random bytes behind it are
 * there also on an office network's plain http address.
 */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
