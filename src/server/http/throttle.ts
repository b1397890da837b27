import type { GlobalDb } from '../db/tenant.ts';
import { countLoginTry } from '../queries/logins.ts';
import { Refusal } from '../refusal.ts';

interface Limit {
  free: number;
  firstSeconds: number;
}

/** Three free tries an account, then 8 s doubling to 15 min: at most ten checks in a quarter of an hour. */
export const perAccount: Limit = { free: 3, firstSeconds: 8 };
/** Thirty tries an address: a shared office connection, not a guesser. */
export const perAddress: Limit = { free: 30, firstSeconds: 2 };

/**
 * Counts one try at a password, or refuses it while its key is blocked. In a transaction of its own, before the password is
 * checked: a refused try must leave its count, and parallel tries must not slip past. `what` as in 'sign-in attempts'.
 */
export async function countTry(db: GlobalDb, key: string, { free, firstSeconds }: Limit, what: string): Promise<void> {
  const seconds = await countLoginTry(db, key, free, firstSeconds);
  if (seconds === 0) return;
  throw new Refusal('TOO_MANY_REQUESTS', `Too many ${what}. Please try again in ${spoken(seconds)}.`, {
    retryAfterSeconds: seconds,
  });
}

function spoken(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
