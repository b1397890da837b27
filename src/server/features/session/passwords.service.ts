import { hash, verify, type Options } from '@node-rs/argon2';
import { Refusal } from '../../refusal.ts';
import { Semaphore } from '../../semaphore.ts';

/** OWASP's minimum for argon2id: about 15 ms on two cores (docs/security.md §2.2). */
// The package's default algorithm is argon2id; its const enum cannot be named under isolatedModules.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;

/**
 * Hashing is expensive, and anybody can cause it. So at most four hashes run at once, a short queue waits, and further
 * ones get 503.
 */
const hashing = new Semaphore({
  running: { inAll: 4 },
  waiting: { inAll: 32 },
  refusal: () =>
    new Refusal('SERVICE_UNAVAILABLE', 'Too many people are signing in. Please try again in a moment.', {
      retryAfterSeconds: 2,
    }),
});
const inQueue = <T>(work: () => Promise<T>): Promise<T> => hashing.run('', undefined, work);

export function hashPassword(password: string): Promise<string> {
  return inQueue(() => hash(password, options));
}

export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return inQueue(() => verify(stored, password));
}

/** Whether an earlier version made the hash with less work than a new hash takes (docs/security.md §2.2). */
export function isWeakHash(stored: string): boolean {
  const [, memoryCost, timeCost] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored) ?? [];
  return !(Number(memoryCost) >= options.memoryCost && Number(timeCost) >= options.timeCost);
}

let dummyHash: Promise<string> | undefined;

/** Takes as long as a real check. It is called when there is no account, so that the time reveals nothing. */
export async function verifyDummy(password: string): Promise<void> {
  dummyHash ??= hash('no account has this password', options);
  await verifyPassword(await dummyHash, password);
}
