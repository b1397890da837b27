import { useState } from 'react';

/**
 * Makes a new idempotency key. It does not use `crypto.randomUUID`, which browsers offer only over HTTPS and on localhost; an
 * office network may use plain HTTP.
 */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The keys of requests whose outcome may stay unknown: the same request again has the same key, so that it happens only once.
 * Another request has a new key, and so has the same one after `forget`.
 */
export function useRequestKeys(): { keyOf: (request: unknown) => string; forget: () => void } {
  const [keys] = useState(() => {
    let last: { request: string; key: string } | undefined;
    return {
      keyOf: (request: unknown): string => {
        const text = JSON.stringify(request);
        if (last?.request !== text) last = { request: text, key: newIdempotencyKey() };
        return last.key;
      },
      forget: (): void => {
        last = undefined;
      },
    };
  });
  return keys;
}
