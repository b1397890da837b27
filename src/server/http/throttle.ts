import type { GlobalDb } from '../db/tenant.ts';
import { countLoginTry, giveLoginTryBack, takeLoginTry } from '../queries/logins.ts';
import { Refusal } from '../refusal.ts';

interface Limit {
  free: number;
  firstSeconds: number;
}

interface Allowance {
  atOnce: number;
  everySeconds: number;
}

/** Per account and network: three free tries, then 8 s doubling to 15 min, so at most ten checks in 15 min. */
export const perAccount: Limit = { free: 3, firstSeconds: 8 };

/**
 * Limits that unrelated people share refill steadily: a block that doubles could be used against all of them. Per
 * network: at most thirty checks in the first minute (docs/security.md §2.3), then two a minute.
 */
export const perNetwork: Allowance = { atOnce: 28, everySeconds: 30 };

/**
 * Per account over all networks: about 720 guesses a day in all. It refills faster than perAccount lets one network
 * try, so only several networks together can use it up. It is not enforced in a network where the account signed in
 * before, so guessers cannot lock its owner out; there only perAccount applies.
 */
export const perAccountEverywhere: Allowance = { atOnce: 30, everySeconds: 120 };

/**
 * Counts one try at a password, or refuses it while its key is blocked. Called before the password is checked, in a
 * transaction that ends before the check: parallel tries must not slip past, and a wrong one must leave its count. A
 * refused try is not counted anywhere, because the refusal rolls the transaction back. `what` as in 'sign-in attempts'.
 */
export async function countTry(db: GlobalDb, key: string, { free, firstSeconds }: Limit, what: string): Promise<void> {
  refuseFor(await countLoginTry(db, key, free, firstSeconds), what);
}

/** The same for a shared limit; false when it is used up and not enforced. */
export async function takeTry(
  db: GlobalDb,
  key: string,
  { atOnce, everySeconds }: Allowance,
  what: string,
  isEnforced: boolean = true,
): Promise<boolean> {
  const seconds = await takeLoginTry(db, key, atOnce, everySeconds);
  if (isEnforced) refuseFor(seconds, what);
  return seconds === 0;
}

/** After a right password: gives back this one try and no earlier one. */
export async function giveTryBack(db: GlobalDb, key: string, { everySeconds }: Allowance): Promise<void> {
  await giveLoginTryBack(db, key, everySeconds);
}

function refuseFor(seconds: number, what: string): void {
  if (seconds === 0) return;
  throw new Refusal('TOO_MANY_REQUESTS', `Too many ${what}. Please try again in ${spoken(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}

function spoken(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
