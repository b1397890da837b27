/**
 * Makes a new idempotency key. It does not use `crypto.randomUUID`, which browsers offer only over HTTPS and on localhost; an
 * office network may use plain HTTP.
 */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
