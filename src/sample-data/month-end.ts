import { addDays, dayOf } from '../shared/calc/dates.ts';
import { monthOf } from '../shared/calc/day-ranges.ts';
import { yearOf } from '../shared/calc/financial-year.ts';
import { isPositive } from '../shared/calc/money.ts';
import { shippedLedgers } from '../shared/contract/tally.ts';
import { prepareAppRole } from '../server/db/app-role.ts';
import { createPool } from '../server/db/pool.ts';
import { withTenant, type InSnapshot, type TenantDb } from '../server/db/tenant.ts';
import { createMonthPack } from '../server/features/accounting/month-packs.service.ts';
import { setOpenings } from '../server/features/accounting/opening-balances.service.ts';
import { liftLock, lockPeriod } from '../server/features/accounting/period-lock.service.ts';
import { createTallyExport, updateTallySettings } from '../server/features/accounting/tally.service.ts';
import { changeMany } from '../server/features/challans/challans-bulk.service.ts';
import { depositWrites, listMonths } from '../server/features/tds/deposits.service.ts';
import type { Tenant } from './tenants.ts';

type Caller = Parameters<typeof createMonthPack>[1];

/** As Tally may have them: the freight and the TDS have other names there than ours. */
const ledgers = { ...shippedLedgers, freight: 'Transportation Charges', tds: 'TDS on Contractors' };

/**
 * Does in a loaded business what an office does at the end of a month, so that none of these screens is empty: enters what some
 * owners were owed before the first challan, deposits the TDS of the months before the last one, makes the file for Tally of the
 * month before the last one, of which a few challans change afterwards, closes that month, and lifts its lock once for a change.
 * The product itself does it, with its own clock and ids; `tables()` of the sample data are the same bytes without it. The last
 * month is left open.
 */
export async function closeSampleMonth(adminUrl: string, appUrl: string, tenant: Tenant, now: Date): Promise<void> {
  await prepareAppRole(adminUrl, appUrl);
  const pool = createPool(appUrl, { max: 2, pipeline: false, statementTimeoutMs: 120_000 });
  const caller = callerOf(tenant);
  const write = <T>(work: (db: TenantDb) => Promise<T>) => withTenant(pool, tenant.id, 'write', work);
  const inSnapshot: InSnapshot = (work) => withTenant(pool, tenant.id, 'read', work);
  const last = monthOf(addDays(monthOf(dayOf(now)).from, -1));
  const closed = monthOf(addDays(last.from, -1));
  try {
    await write((db) => setOpenings(db, caller, { entries: openings(tenant, addDays(dayOf(now), -366)) }));
    for (const year of new Set([yearOf(closed.from), yearOf(closed.to), yearOf(dayOf(now))]))
      await write((db) => depositUpTo(db, caller, closed.to, year, now));
    await write(async (db) => {
      const names = [...Object.values(ledgers), ...tenant.owners.slice(0, 40).map(({ name }) => name)];
      const masters = [...new Set(names)].filter((name) => name !== '');
      const change = { ledgers, accounts: [], grouping: 'day' as const, masters, version: 0 };
      await updateTallySettings(db, caller, change);
      await createTallyExport(db, caller, { kind: 'period', from: closed.from, to: closed.to });
    });
    const change = (officeCharges: string) =>
      write((db) => changeMany(db, caller, officeChargesOf(addDays(closed.to, -9), closed.to, officeCharges)));
    await change('250.00');
    await write((db) => createMonthPack(db, caller, { month: closed.from.slice(0, 7) }, { now, inSnapshot }));
    const lock = () => write((db) => lockPeriod(db, caller, { upTo: closed.to }, now));
    const { version } = await lock();
    await write((db) => liftLock(db, caller, { reason: 'Office charges of the last days', hours: 1, version }));
    await change('300.00');
    await lock();
  } finally {
    await pool.end();
  }
}

/** Sets the office charges of the challans that were deposited on these days. */
const officeChargesOf = (from: string, to: string, officeCharges: string): Parameters<typeof changeMany>[2] => ({
  selection: { by: 'filter', filters: { depositedStartDate: from, depositedEndDate: to }, excludeChallanIds: [] },
  act: { kind: 'set', values: { officeCharges } },
});

/** What the old ledger said of some owners: one owes the business something. */
const openings = ({ owners }: Tenant, asOf: string) =>
  ['18450.00', '6200.00', '-4000.00'].map((amount, index) => ({
    // Safe: a business has more owners.
    ownerId: owners[index + 4]!.id,
    asOf,
    amount,
    note: 'From the old ledger',
  }));

/** Deposits what is open of each month of the year up to a day, each on the day it was due. */
async function depositUpTo(db: TenantDb, caller: Caller, last: string, year: string, now: Date): Promise<void> {
  const { data } = await listMonths(db, { year }, now);
  for (const { from, to, open, dueOn } of data) {
    if (to > last || !isPositive(open)) continue;
    await depositWrites.create(db, caller, {
      depositedOn: dueOn < dayOf(now) ? dueOn : dayOf(now),
      bsrCode: '0510308',
      // A number of its own for each month.
      serialNo: from.slice(2, 4) + from.slice(4, 7).replace('-', '') + '1',
      amount: open,
      deductedFrom: from,
      deductedTo: to,
    });
  }
}

/** The login of a business as the caller of a service, where there is no request. */
export const callerOf = ({ id, email, bannerName }: Pick<Tenant, 'id' | 'email' | 'bannerName'>): Caller => ({
  accountId: id,
  businessId: id,
  role: 'subadmin',
  seat: 'owner',
  mustSetUp: false,
  isViewing: false,
  email,
  bannerName,
  personName: '',
  sessionId: '',
  screen: '',
  requestId: '',
});
