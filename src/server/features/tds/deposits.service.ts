import type { z } from 'zod';
import { monthOf } from '../../../shared/calc/day-ranges.ts';
import { dayOf, formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { tdsReturnFileName, type FileFormat } from '../../../shared/calc/file-names.ts';
import { depositDue, quarterOf } from '../../../shared/calc/financial-year.ts';
import { challansText } from '../../../shared/calc/count-text.ts';
import { compare, formatINR, isPositive } from '../../../shared/calc/money.ts';
import type { TableLine } from '../../../shared/columns/define.ts';
import { tdsReturnLayout, type TdsReturnRow } from '../../../shared/columns/tds-return-layouts.ts';
import type { TdsDeposit, tdsDepositInput } from '../../../shared/contract/tds-deposits.ts';
import type { TdsCounted, TdsMonth, TdsTotals } from '../../../shared/contract/tds.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import { fieldRefusal } from '../../refusal.ts';
import { takeTurns } from '../../sql/conflicts.ts';
import { createRecordWrites } from '../master-data/records.service.ts';
import { refuseTooManyRows } from '../payments/bank-statement-file.service.ts';
import {
  deleteCovers,
  depositTable,
  insertCovers,
  returnRows,
  selectMonths,
  updateCovered,
} from './deposits.queries.ts';
import { selectDeductionTotals } from './tds-deductions.queries.ts';
import { selectTdsSettings } from './tds-settings.queries.ts';
import { basisWords, resolvePeriod, type PeriodQuery } from './tds.service.ts';

/** Deposits of TDS and the working for the return (docs/specification.md §30). */

type Input = z.output<typeof tdsDepositInput>;

const writes = createRecordWrites({
  table: depositTable,
  unique: {
    field: 'serialNo',
    index: 'tds_deposits_number',
    code: 'DEPOSIT_EXISTS',
    message: () => 'A deposit with this BSR code, day and serial number is entered already',
  },
  beforeRemove: (db, _caller, { id }) => deleteCovers(db, id),
});

/** One deposit of a business is written at a time, so that two never cover the same deduction. */
export const depositWrites = {
  ...writes,
  create: async (db: TenantDb, caller: Caller, input: Input): Promise<TdsDeposit> => {
    await takeTurns(db, 'tds-deposits');
    refuseWrongDays(input);
    return cover(db, await writes.create(db, caller, input));
  },
  update: async (
    db: TenantDb,
    caller: Caller,
    id: string,
    input: Partial<Input> & { version?: number | undefined },
  ): Promise<TdsDeposit> => {
    await takeTurns(db, 'tds-deposits');
    const before = await depositTable.get(db, id);
    if (before) refuseWrongDays({ ...before, ...input });
    const coversAnew =
      before !== null &&
      ((input.amount !== undefined && compare(input.amount, before.amount) !== 0) ||
        (input.deductedFrom ?? before.deductedFrom) !== before.deductedFrom ||
        (input.deductedTo ?? before.deductedTo) !== before.deductedTo);
    // Before the save, because it may lower the amount below what is covered. A refusal undoes it.
    if (coversAnew) await deleteCovers(db, id);
    const saved = await writes.update(db, caller, id, input);
    return coversAnew ? cover(db, saved) : saved;
  },
  remove: async (db: TenantDb, caller: Caller, id: string): Promise<void> => {
    await takeTurns(db, 'tds-deposits');
    return writes.remove(db, caller, id);
  },
};

async function cover(db: TenantDb, deposit: TdsDeposit): Promise<TdsDeposit> {
  const covered = await insertCovers(db, { settings: await selectTdsSettings(db) }, deposit);
  if (compare(covered, deposit.amount) > 0)
    throw fieldRefusal(
      'VALIDATION_ERROR',
      'amount',
      `From ${formatDate(deposit.deductedFrom)} to ${formatDate(deposit.deductedTo)} ${formatINR(covered)} is not deposited yet, more than ${formatINR(deposit.amount)}. Choose fewer days, or correct the amount.`,
    );
  await updateCovered(db, deposit.id);
  // Safe: it was just saved in this transaction.
  return (await depositTable.get(db, deposit.id))!;
}

function refuseWrongDays({
  depositedOn,
  deductedFrom,
  deductedTo,
}: Pick<Input, 'depositedOn' | 'deductedFrom' | 'deductedTo'>): void {
  if (depositedOn > dayOf(new Date()))
    throw fieldRefusal('VALIDATION_ERROR', 'depositedOn', 'The day of the deposit is still to come');
  if (deductedTo < deductedFrom)
    throw fieldRefusal('VALIDATION_ERROR', 'deductedTo', 'The last day cannot be before the first');
  if (quarterOf(deductedFrom) !== quarterOf(deductedTo))
    throw fieldRefusal('VALIDATION_ERROR', 'deductedTo', 'Both days are in the same quarter');
}

/** Returns what was deducted by month, and what of it is not deposited. */
export async function listMonths(
  db: TenantDb,
  query: PeriodQuery,
  now: Date,
): Promise<{ data: TdsMonth[]; counted: TdsCounted }> {
  const { answer, ...counted } = await resolvePeriod(db, query, now);
  const months = await selectMonths(db, counted);
  return {
    data: months.map((month) => {
      const dueOn = depositDue(month.from, counted.settings.deposits);
      return { ...month, to: monthOf(month.from).to, dueOn, isLate: isPositive(month.open) && dueOn < dayOf(now) };
    }),
    counted: answer,
  };
}

/** Returns the working for the return: one line per deduction, then the sums and what the layout has to say of itself. */
export async function returnFile(db: TenantDb, format: FileFormat, query: PeriodQuery, now: Date): Promise<TableFile> {
  const { answer, ...counted } = await resolvePeriod(db, query, now);
  const totals = await selectDeductionTotals(db, counted, {});
  refuseTooManyRows(format, totals.challanCount + 2, 0);
  return tableFile(format, {
    name: tdsReturnFileName(answer.year, query.quarter, dayOf(now), format),
    sheet: 'TDS return',
    columns: tdsReturnLayout.columns,
    // A CSV has no intro line, because other programs expect the headings in the first line.
    ...(format === 'xlsx' && {
      intro: `Working for the return, deductions of ${formatDate(answer.from)} to ${formatDate(answer.to)} by the ${basisWords[counted.settings.basis].toLowerCase()}. ${tdsReturnLayout.mark} As of ${formatDateTime(now)}.`,
    }),
    lines: withMark(returnRows(db, counted, counted.settings.section), totals),
  });
}

async function* withMark(
  rows: AsyncIterable<TdsReturnRow[]>,
  { challanCount, gross, tdsAmount }: TdsTotals,
): AsyncGenerator<TableLine<TdsReturnRow>[]> {
  for await (const some of rows) yield some.map((row) => ({ row }));
  yield [
    { sums: { panNo: `Total of ${challansText(challanCount)}`, gross, tdsAmount } },
    { sums: { panNo: tdsReturnLayout.mark } },
  ];
}
