import { canDo } from '../../../shared/access.ts';
import { addDays, dayOf, startOfDay } from '../../../shared/calc/dates.ts';
import { dayRangeOf } from '../../../shared/calc/day-ranges.ts';
import { rightsOfLines, type Today, type TodayLine } from '../../../shared/contract/today.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { challansWith } from '../accounting/close-checks.queries.ts';
import { byDay, selectRolledTotals } from '../challans/challans-totals.queries.ts';
import { sumDisputed } from '../hsd/hsd-ledger.queries.ts';
import { accountsToConfirm } from '../payments/account-changes.service.ts';
import { countPrepared } from '../payments/prepared-payments.service.ts';
import {
  selectBankFigures,
  selectChanges,
  selectDaysToPayment,
  selectOpen,
  selectTripsOfDay,
} from './today.queries.ts';

interface Moment {
  /** The day in India. */
  day: string;
  since: string | undefined;
}

/** How each line is counted (docs/specification.md §34.1). */
const counts: { readonly [L in TodayLine]: (db: TenantDb, caller: Caller, at: Moment) => Promise<Today[L]> } = {
  yesterday: (db, _, { day }) => {
    const yesterday = addDays(day, -1);
    return selectTripsOfDay(
      db,
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map((weeks) => addDays(yesterday, -7 * weeks)),
    );
  },
  due: async (db, _, { day }) => {
    const afterDays = await selectDaysToPayment(db, addDays(day, -90));
    const days = [day, dayRangeOf('thisWeek', day).to, addDays(day, 7), addDays(day, 15)];
    const by = days.map((last) => ({ by: last, depositedUntil: addDays(last, -(afterDays ?? 0)) }));
    const { unpaid, until } = await selectOpen(
      db,
      by.map(({ depositedUntil }) => depositedUntil),
    );
    // Safe: there is a figure for each day.
    return { unpaid, afterDays, by: afterDays === null ? [] : by.map((of, index) => ({ ...of, ...until[index]! })) };
  },
  waiting: async (db, caller) => {
    const [payments, accounts] = await Promise.all([countPrepared(db, caller), accountsToConfirm(db, caller)]);
    return { ...payments, owners: accounts.owners.length, bankAccounts: accounts.bankAccounts.length };
  },
  bank: async (db, _, { day }) => {
    const since = addDays(day, -6);
    return { since, ...(await selectBankFigures(db, since)) };
  },
  hsd: async (db, _, { day }) => {
    const since = dayRangeOf('lastMonth', day).from;
    const [notVerified, bills] = await Promise.all([
      challansWith(db, { hsdVerified: false, depositedStartDate: since }, 'c.hsd_amount'),
      sumDisputed(db, { differences: true, startDate: since }),
    ]);
    return { since, notVerified, bills };
  },
  notDeposited: async (db) => {
    const { totalCount: count, totalAmount: amount } = await selectRolledTotals(db, { depositedDate: 'none' }, byDay);
    return { count, amount };
  },
  changes: async (db, caller, { since }) => (since === undefined ? null : selectChanges(db, caller, since)),
};

/** The oldest day since which changes are counted. A day and not a moment, so that two calls have the same answer. */
const mostDaysBack = 31;

/** Returns the figures of each line that the caller's seat may see. */
export async function getToday(
  db: TenantDb,
  caller: Caller,
  { now, since }: { now: Date; since: string | undefined },
): Promise<{ data: Today; day: string }> {
  const day = dayOf(now);
  const oldest = startOfDay(addDays(day, -mostDaysBack));
  const at = { day, since: since && new Date(Math.max(Date.parse(since), Date.parse(oldest))).toISOString() };
  // Object.keys widens to string; these are the table's keys.
  const lines = await Promise.all(
    (Object.keys(counts) as TodayLine[]).map(async (line) => {
      const right = rightsOfLines[line];
      const isSeen = right === undefined || canDo(caller, right).allowed;
      return [line, isSeen ? await counts[line](db, caller, at) : null] as const;
    }),
  );
  // Safe: each line has what its count returns, or null where it needs a right, which its schema allows.
  return { data: Object.fromEntries(lines) as Today, day };
}
