import { dayOf } from '../../../shared/calc/dates.ts';
import { isZero } from '../../../shared/calc/money.ts';
import { taxPeriod, yearOf } from '../../../shared/calc/financial-year.ts';
import { challanExportColumns, type ChallanExportRow } from '../../../shared/columns/challan-export-columns.ts';
import { ownerAgeingColumns } from '../../../shared/columns/dashboard-columns.ts';
import { lockChangeColumns } from '../../../shared/columns/lock-change-columns.ts';
import {
  packAgeingSums,
  packBalanceColumns,
  packHsdColumns,
  packTransferColumns,
  type PackHsd,
} from '../../../shared/columns/month-pack-columns.ts';
import { tdsReturnLayout } from '../../../shared/columns/tds-return-layouts.ts';
import type { ChallanOrder } from '../../../shared/contract/challan-order.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import { daysOfMonth, type MonthPack, type monthPacks } from '../../../shared/contract/month-packs.ts';
import type { HsdLedgerLine } from '../../../shared/contract/hsd-verification.ts';
import type { LockChange } from '../../../shared/contract/period-lock-acts.ts';
import type { MonthDays } from '../../../shared/filters/close-checks.ts';
import type { Caller } from '../../caller.ts';
import type { InSnapshot, TenantDb } from '../../db/tenant.ts';
import type { TableFile } from '../../files/table-file.ts';
import { fieldRefusal, notFound } from '../../refusal.ts';
import { takeMonthPackNumber } from '../../sql/counters.ts';
import { allOf } from '../challans/challans-many.queries.ts';
import { challanExportRows } from '../challans/challans-export.queries.ts';
import { selectHsdLedger } from '../hsd/hsd-ledger.queries.ts';
import { selectAdviceBusiness } from '../payments/payment-advice.queries.ts';
import { returnRows } from '../tds/deposits.queries.ts';
import { selectTdsSettings } from '../tds/tds-settings.queries.ts';
import { makePack, type PackTable } from './month-packs.file.ts';
import {
  ageingRows,
  balanceRows,
  allowWaiting,
  insertMonthPack,
  selectHsdOfPumps,
  selectLastPack,
  selectOtherPackMadeAt,
  selectPackContent,
  transferRows,
} from './month-packs.queries.ts';
import { keepLockedUpTo, listLockChanges } from './period-lock.service.ts';
import { type Paging } from '../../sql/paging.ts';

/** The month closed, and its pack for the accountant (docs/specification.md §32). */

const byDay: ChallanOrder = [
  { key: 'depositedAt', order: 'asc' },
  { key: 'challanNumber', order: 'asc' },
];

/** Yields the challans that were deposited in the month, then those without that day that were loaded in it. */
async function* registerRows(db: TenantDb, { from, to }: MonthDays): AsyncGenerator<ChallanExportRow[]> {
  yield* challanExportRows(db, allOf({ depositedStartDate: from, depositedEndDate: to }), byDay);
  yield* challanExportRows(db, allOf({ depositedDate: 'none', startDate: from, endDate: to }), byDay);
}

async function* shortagesOf(rows: AsyncIterable<ChallanExportRow[]>): AsyncGenerator<ChallanExportRow[]> {
  for await (const some of rows) yield some.filter(({ materialShortageAmount }) => !isZero(materialShortageAmount));
}
const shortageKeys = [
  'challanNumber',
  'tpNo',
  'vehicleNo',
  'ownerName',
  'depositedAt',
  'loadingWeight',
  'unloadingWeight',
  'differenceWeight',
  'discountWeight',
  'shortageAmount',
  'materialShortageAmount',
];

/** Reads a list page by page, until a page is not full. */
async function* pagesOf<Row>(read: (page: Paging) => Promise<Row[]>): AsyncGenerator<Row[]> {
  const limit = 500;
  for (let page = 1; ; page += 1) {
    const rows = await read({ page, limit });
    yield rows;
    if (rows.length < limit) return;
  }
}

/** Yields what was changed in locked days up to the month's end since the last pack of another month. */
async function* changesOf(db: TenantDb, { from, to }: MonthDays): AsyncGenerator<LockChange[]> {
  const since = (await selectOtherPackMadeAt(db, { from, to })) ?? '';
  for await (const rows of pagesOf(async (paging) => (await listLockChanges(db, paging)).data)) {
    yield rows.filter(({ at, day }) => at > since && day <= to);
    // The newest come first.
    if ((rows.at(-1)?.at ?? '') <= since) return;
  }
}

/** Yields the diesel of each pump: of our challans, and what its bills say of the month. */
async function* hsdOf(db: TenantDb, month: MonthDays): AsyncGenerator<PackHsd[]> {
  const billed = new Map<string, HsdLedgerLine>();
  const name = month.from.slice(0, 7);
  for await (const lines of pagesOf(async (paging) => (await selectHsdLedger(db, paging)).data)) {
    for (const line of lines) if (line.month === name) billed.set(line.petrolPump.id, line);
    // The newest month comes first.
    if ((lines.at(-1)?.month ?? '') < name) break;
  }
  const ofBill = (line: HsdLedgerLine | undefined) => ({
    billedAmount: line?.billedAmount ?? '0.00',
    disputedAmount: line?.disputedAmount ?? '0.00',
  });
  const own = await selectHsdOfPumps(db, month);
  yield own.map(({ pumpId, ...row }) => ({ ...row, ...ofBill(billed.get(pumpId)) }));
  for (const { pumpId } of own) billed.delete(pumpId);
  yield [...billed.values()].map((line) => ({
    pumpName: line.petrolPump.name,
    challanCount: 0,
    hsdAmount: '0.00',
    verifiedAmount: '0.00',
    ...ofBill(line),
  }));
}

async function tablesOf(db: TenantDb, month: MonthDays): Promise<PackTable<never>[]> {
  const settings = await selectTdsSettings(db);
  const period = { ...taxPeriod(month.to, yearOf(month.to)), ...month };
  // Safe: `makePack` gives the rows of a table to the columns of the same table only.
  const table = <Row>(of: PackTable<Row>): PackTable<never> => of as unknown as PackTable<never>;
  return [
    table({
      name: 'challans',
      title: 'Challans',
      columns: challanExportColumns,
      rows: () => registerRows(db, month),
      sums: [
        'tdsAmount',
        'hsdAmount',
        'advanceMoney',
        'officeCharges',
        'shortageAmount',
        'materialShortageAmount',
        'netAmountPayable',
      ],
    }),
    table({
      name: 'payments',
      title: 'Payments',
      columns: packTransferColumns,
      rows: () => transferRows(db, month),
      sums: ['amount'],
    }),
    table({
      name: 'owner_balances',
      title: 'Owner balances',
      columns: packBalanceColumns,
      rows: () => balanceRows(db, month.to),
      sums: ['payable', 'paid', 'balance'],
    }),
    table({
      name: 'ageing',
      title: 'Ageing',
      columns: ownerAgeingColumns.all,
      rows: () => ageingRows(db, month.to),
      sums: packAgeingSums,
    }),
    table({
      name: 'tds_working',
      title: 'TDS working',
      columns: tdsReturnLayout.columns,
      rows: () => returnRows(db, { period, settings }, settings.section),
      sums: ['gross', 'tdsAmount', 'openAmount'],
      mark: tdsReturnLayout.mark,
    }),
    table({
      name: 'hsd_by_pump',
      title: 'HSD by pump',
      columns: packHsdColumns,
      rows: () => hsdOf(db, month),
      sums: ['hsdAmount', 'verifiedAmount', 'billedAmount', 'disputedAmount'],
    }),
    table({
      name: 'shortages',
      title: 'Shortages',
      columns: challanExportColumns.filter(({ key }) => shortageKeys.includes(key)),
      rows: () => shortagesOf(registerRows(db, month)),
      sums: ['materialShortageAmount'],
    }),
    table({
      name: 'changes_while_open',
      title: 'Changes while open',
      columns: lockChangeColumns,
      rows: () => changesOf(db, month),
      sums: [],
    }),
  ];
}

/**
 * Locks the books up to the end of the month, unless they are, and stores its pack in the same transaction: both are done or none.
 * The tables are read in another one that begins once they are locked, so that what is written meanwhile is in none of them.
 * When the last pack of the month has the same bytes, nothing is stored and that pack is returned.
 */
export async function createMonthPack(
  db: TenantDb,
  caller: Caller,
  { month: name }: BodyOf<typeof monthPacks.create>,
  { now, inSnapshot }: { now: Date; inSnapshot: InSnapshot },
): Promise<MonthPack> {
  const month = daysOfMonth(name);
  if (month.to > dayOf(now)) throw fieldRefusal('VALIDATION_ERROR', 'month', 'The month is not over yet');
  await keepLockedUpTo(db, caller, month.to);
  await allowWaiting(db);
  const { content, sha256, totals } = await inSnapshot(async (snapshot) =>
    makePack(await selectAdviceBusiness(snapshot), month, await tablesOf(snapshot, month)),
  );
  const last = await selectLastPack(db, month);
  if (last?.sha256 === sha256) return last;
  const ofRegister = totals.filter(({ file }) => file === 'Challans');
  await insertMonthPack(db, caller, month, {
    number: await takeMonthPackNumber(db),
    challanCount: ofRegister[0]?.count ?? 0,
    netAmount: ofRegister.at(-1)?.amount ?? '0.00',
    content,
    sha256,
  });
  // Safe: it was just stored in this transaction.
  return (await selectLastPack(db, month))!;
}

export async function monthPackFile(db: TenantDb, id: string): Promise<TableFile> {
  const found = await selectPackContent(db, id);
  if (!found) throw notFound('Pack');
  const { number, month, content } = found;
  return {
    name: `pack_${month}_${number}.zip`,
    contentType: 'application/zip',
    write: async (sink) => void sink.end(content),
  };
}
