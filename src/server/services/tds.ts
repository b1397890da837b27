import { dayOf, formatDate, formatDateTime } from '../../shared/calc/dates.ts';
import { tdsFileName, type FileFormat } from '../../shared/calc/file-names.ts';
import { taxPeriod, type Quarter } from '../../shared/calc/financial-year.ts';
import { tdsFileColumns, type TdsFileRow } from '../../shared/columns/tds-columns.ts';
import type { TableLine } from '../../shared/columns/define.ts';
import type {
  TdsBasis,
  TdsCounted,
  TdsDeduction,
  TdsLine,
  TdsSettings,
  TdsSettingsChange,
  TdsTotals,
} from '../../shared/contract/tds.ts';
import { textsOfFilter } from '../../shared/filters/filter-texts.ts';
import { partsOf } from '../../shared/filters/filter-words.ts';
import { tdsDeductionFilters } from '../../shared/filters/tds-filters.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { tableFile, type TableFile } from '../files/table-file.ts';
import { changesBetween, insertHistory } from '../queries/history.ts';
import {
  deductionRows,
  saveTdsSettings,
  selectDeductions,
  selectDeductionTotals,
  selectTdsLines,
  selectTdsSettings,
  type DeductionFilter,
  type DeductionOrder,
  type TdsQuery,
} from '../queries/tds.ts';
import { versionConflict } from '../refusal.ts';
import { refuseBeyondSheet } from './bank-statement-file.ts';

/** The TDS register (docs/specification.md §27). */

interface Asked {
  year?: string | undefined;
  quarter?: Quarter | undefined;
}

async function countedOf(db: TenantDb, { year, quarter }: Asked, now: Date) {
  const settings = await selectTdsSettings(db);
  const period = taxPeriod(dayOf(now), year, quarter);
  const answer: TdsCounted = { year: period.year, from: period.from, to: period.to, settings };
  return { period, settings, answer };
}

export async function listTds(
  db: TenantDb,
  query: TdsQuery & Asked,
  now: Date,
): Promise<{ data: TdsLine[]; totals: TdsTotals; count: number; counted: TdsCounted }> {
  const { answer, ...counted } = await countedOf(db, query, now);
  return { ...(await selectTdsLines(db, counted, query)), counted: answer };
}

export async function listDeductions(
  db: TenantDb,
  query: DeductionFilter & DeductionOrder & Asked & { page: number; limit: number },
  now: Date,
): Promise<{ data: TdsDeduction[]; totals: TdsTotals; counted: TdsCounted }> {
  const { answer, ...counted } = await countedOf(db, query, now);
  const [totals, data] = await Promise.all([
    selectDeductionTotals(db, counted, query),
    selectDeductions(db, counted, query),
  ]);
  return { data, totals, counted: answer };
}

const basisWords: Readonly<Record<TdsBasis, string>> = { paid: 'Day paid', deposited: 'Day deposited' };

/** Kept with who changed what, in the history of the business's account. */
export async function updateTdsSettings(db: TenantDb, caller: Caller, change: TdsSettingsChange): Promise<TdsSettings> {
  const before = await selectTdsSettings(db);
  // It saves over the version that was asked for, which is then the one before.
  const after = await saveTdsSettings(db, change);
  if (!after) throw versionConflict('page of TDS settings', await selectTdsSettings(db));
  const changes = changesBetween(recordedOf(before), recordedOf(after), recordedNames);
  if (Object.keys(changes).length > 0)
    await insertHistory(db, caller, {
      entity: 'subadmin',
      entityId: db.tenantId,
      action: 'TDS settings changed',
      changes,
    });
  return after;
}

/** As the history names them (`historyFields`). */
const recordedOf = ({ basis, section, yearThreshold, challanThreshold }: TdsSettings) => ({
  tdsBasis: basisWords[basis],
  tdsSection: section,
  tdsYearThreshold: yearThreshold,
  tdsChallanThreshold: challanThreshold,
});
const recordedNames = ['tdsBasis', 'tdsSection', 'tdsYearThreshold', 'tdsChallanThreshold'] as const;

/** One line for each deduction, before them what they are of, behind them their sums. */
export async function tdsFile(
  db: TenantDb,
  format: FileFormat,
  query: DeductionFilter & DeductionOrder & Asked,
  now: Date,
): Promise<TableFile> {
  const { answer, ...counted } = await countedOf(db, query, now);
  const totals = await selectDeductionTotals(db, counted, query);
  refuseBeyondSheet(format, totals.challanCount + 1, 0);
  const { search, pan, deducted, line } = query;
  const words = [
    ...partsOf(tdsDeductionFilters, textsOfFilter(tdsDeductionFilters, { search, pan, deducted })).map((part) =>
      part.words(),
    ),
    ...(line === undefined ? [] : ['one PAN and percentage']),
    `counted by the ${basisWords[counted.settings.basis].toLowerCase()}`,
  ];
  return tableFile(format, {
    name: tdsFileName(answer.year, query.quarter, dayOf(now), format),
    sheet: 'TDS',
    columns: tdsFileColumns,
    // The first line of a CSV is its headings: other programs read it.
    ...(format === 'xlsx' && {
      intro: `TDS ${formatDate(answer.from)} to ${formatDate(answer.to)}: ${words.join(' · ')}. As of ${formatDateTime(now)}.`,
    }),
    lines: withTotals(deductionRows(db, counted, query), counted.settings, totals),
  });
}

async function* withTotals(
  rows: AsyncIterable<TdsDeduction[]>,
  { section, basis }: Pick<TdsSettings, 'section' | 'basis'>,
  { challanCount, gross, tdsAmount }: TdsTotals,
): AsyncGenerator<TableLine<TdsFileRow>[]> {
  for await (const some of rows) yield some.map((row) => ({ row: { ...row, section, countedBy: basisWords[basis] } }));
  const count = `${challanCount.toLocaleString('en-IN')} ${challanCount === 1 ? 'challan' : 'challans'}`;
  yield [{ sums: { panNo: `Total of ${count}`, gross, tdsAmount } }];
}
