import type { GlobalDb } from '../db/tenant.ts';
import { countLoginTry, giveLoginTryBack, takeLoginTry } from '../features/session/logins.queries.ts';
import { Refusal } from '../refusal.ts';

interface BackoffLimit {
  freeTries: number;
  firstBlockSeconds: number;
}

interface RefillLimit {
  burst: number;
  secondsPerTry: number;
}

/**
 * Per account and network: three free tries, then a block of 8 s that doubles up to 15 min. So at most ten passwords
 * are checked in 15 min.
 */
export const perAccount: BackoffLimit = { freeTries: 3, firstBlockSeconds: 8 };

/**
 * Per network: at most thirty checks in the first minute (docs/security.md §2.3), then two a minute. A limit that
 * unrelated people share refills steadily, because a block that doubles could be used against all of them.
 */
export const perNetwork: RefillLimit = { burst: 28, secondsPerTry: 30 };

/**
 * Per account over all networks: about 720 guesses a day. It refills faster than `perAccount` lets one network try, so
 * only several networks together can use it up. It is not enforced in a network where the account signed in before, so
 * guessers cannot lock its owner out; there only `perAccount` applies.
 */
export const perAccountEverywhere: RefillLimit = { burst: 30, secondsPerTry: 120 };

/**
 * Counts one try at a password, or refuses it while its key is blocked. Call it before the password is checked, in a
 * transaction that ends before the check: parallel tries must not slip past, and a wrong one must leave its count. A
 * refused try is not counted anywhere, because the refusal rolls the transaction back.
 *
 * `what` names the tries in the message, as in 'sign-in attempts'.
 */
export async function countTry(
  db: GlobalDb,
  key: string,
  { freeTries: free, firstBlockSeconds: firstSeconds }: BackoffLimit,
  what: string,
): Promise<void> {
  refuseIfBlocked(await countLoginTry(db, key, free, firstSeconds), what);
}

/**
 * Counts one try against a shared limit. Returns false when the limit is used up and not enforced.
 * @throws Refusal TOO_MANY_REQUESTS when it is used up and enforced
 */
export async function takeTry(
  db: GlobalDb,
  key: string,
  { burst: atOnce, secondsPerTry: everySeconds }: RefillLimit,
  what: string,
  isEnforced: boolean = true,
): Promise<boolean> {
  const seconds = await takeLoginTry(db, key, atOnce, everySeconds);
  if (isEnforced) refuseIfBlocked(seconds, what);
  return seconds === 0;
}

/** Gives back the one try of a right password, and no earlier one. */
export async function returnTry(
  db: GlobalDb,
  key: string,
  { secondsPerTry: everySeconds }: RefillLimit,
): Promise<void> {
  await giveLoginTryBack(db, key, everySeconds);
}

function refuseIfBlocked(seconds: number, what: string): void {
  if (seconds === 0) return;
  throw new Refusal('TOO_MANY_REQUESTS', `Too many ${what}. Please try again in ${durationInWords(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}

function durationInWords(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
