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

/** Of one account from one network: three free tries, then 8 s doubling to 15 min, so at most ten checks in 15 min. */
export const perAccount: Limit = { free: 3, firstSeconds: 8 };

/**
 * What people share who have nothing to do with one another comes back steadily, whoever used it up: a block that doubles
 * would be a weapon against all of them. Of one network: at most thirty checks in a minute (safety.md, A4), then two.
 */
export const perNetwork: Allowance = { atOnce: 28, everySeconds: 30 };

/**
 * Of one account from all networks together: what guessers in many places have between them, about 720 guesses a day. It
 * comes back faster than perAccount lets one network try, so it takes several to use it up; and where the account was
 * signed in to before, it holds nobody up: they cannot keep its owner out for good. There perAccount stands by itself.
 */
export const perAccountEverywhere: Allowance = { atOnce: 30, everySeconds: 120 };

/**
 * Counts one try at a password, or refuses it while its key is blocked. Before the password is checked, in a transaction
 * that ends before the check: parallel tries must not slip past, and a wrong one must leave its count. What is refused is
 * never checked, so it counts nowhere: the refusal rolls back the counts of the same transaction. `what` as in 'sign-in attempts'.
 */
export async function countTry(db: GlobalDb, key: string, { free, firstSeconds }: Limit, what: string): Promise<void> {
  refuseFor(await countLoginTry(db, key, free, firstSeconds), what);
}

/** The same for an allowance; false where there was none left and `isEnforced` is not asked for. */
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

/** After a right password: this one try, and none of those before it. */
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
