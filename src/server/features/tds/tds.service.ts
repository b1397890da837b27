import { challansText } from '../../../shared/calc/count-text.ts';
import { dayOf, formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { tdsFileName, type FileFormat } from '../../../shared/calc/file-names.ts';
import { taxPeriod, yearOf, type Quarter } from '../../../shared/calc/financial-year.ts';
import { tdsFileColumns, type TdsFileRow } from '../../../shared/columns/tds-columns.ts';
import type { TableLine } from '../../../shared/columns/define.ts';
import type {
  TdsBasis,
  TdsCounted,
  TdsDeduction,
  TdsLine,
  TdsSettings,
  TdsSettingsChange,
  TdsTotals,
} from '../../../shared/contract/tds.ts';
import { textsOfFilter } from '../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../shared/filters/filter-words.ts';
import { tdsDeductionFilters } from '../../../shared/filters/tds-filters.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { Paging } from '../../sql/paging.ts';
import { createPdf, pdfContentType, startPage } from '../../files/pdf.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import { changesBetween, insertHistory } from '../history/history.queries.ts';
import { selectTdsLines, type TdsQuery } from './tds.queries.ts';
import {
  deductionRows,
  selectDeductions,
  selectDeductionTotals,
  type DeductionFilter,
  type DeductionOrder,
} from './tds-deductions.queries.ts';
import { saveTdsSettings, selectTdsSettings, unsavedTdsSettings } from './tds-settings.queries.ts';
import { versionConflict } from '../../refusal.ts';
import { selectAdviceBusiness } from '../payments/payment-advice.queries.ts';
import { refuseTooManyRows } from '../payments/bank-statement-file.service.ts';

/** The TDS register (docs/specification.md §27). */

export interface PeriodQuery {
  year?: string | undefined;
  quarter?: Quarter | undefined;
}

export async function resolvePeriod(db: TenantDb, { year, quarter }: PeriodQuery, now: Date) {
  const settings = await selectTdsSettings(db);
  const period = taxPeriod(dayOf(now), year, quarter);
  const answer: TdsCounted = { year: period.year, from: period.from, to: period.to, settings };
  return { period, settings, answer };
}

export async function listTds(
  db: TenantDb,
  query: TdsQuery & PeriodQuery,
  now: Date,
): Promise<{ data: TdsLine[]; totals: TdsTotals; count: number; counted: TdsCounted }> {
  const { answer, ...counted } = await resolvePeriod(db, query, now);
  return { ...(await selectTdsLines(db, counted, query)), counted: answer };
}

export async function listDeductions(
  db: TenantDb,
  query: DeductionFilter & DeductionOrder & PeriodQuery & Paging,
  now: Date,
): Promise<{ data: TdsDeduction[]; totals: TdsTotals; counted: TdsCounted }> {
  const { answer, ...counted } = await resolvePeriod(db, query, now);
  const totals = await selectDeductionTotals(db, counted, query);
  // Finding no row takes as long as counting them.
  const data = totals.challanCount === 0 ? [] : await selectDeductions(db, counted, query);
  return { data, totals, counted: answer };
}

export const basisWords: Readonly<Record<TdsBasis, string>> = { paid: 'Day paid', deposited: 'Day deposited' };

/** Saves the TDS settings and records the change in the history of the business's account. */
export async function updateTdsSettings(db: TenantDb, caller: Caller, change: TdsSettingsChange): Promise<TdsSettings> {
  const before = await selectTdsSettings(db);
  // The save repeats the check for settings that are stored, so `before` is the version that it replaces.
  const after = before.version === change.version ? await saveTdsSettings(db, change) : undefined;
  if (!after) throw versionConflict('page of TDS settings', await selectTdsSettings(db));
  const changes = changesBetween(toHistoryValues(before), toHistoryValues(after), historyFieldNames);
  if (Object.keys(changes).length > 0)
    await insertHistory(db, caller, {
      entity: 'subadmin',
      entityId: db.tenantId,
      action: 'TDS settings changed',
      changes,
    });
  return after;
}

/** Returns the settings under the field names of the history (`historyFields`). */
const toHistoryValues = ({ basis, section, yearThreshold, challanThreshold, declarations, deposits }: TdsSettings) => ({
  tdsBasis: basisWords[basis],
  tdsSection: section,
  tdsYearThreshold: yearThreshold,
  tdsChallanThreshold: challanThreshold,
  declarationCarriages: String(declarations.mostCarriages),
  declarationNotice: String(declarations.noticeDays),
  declarationLaw: declarations.law,
  declarationFrom: declarations.holdsFrom,
  declarationSource: declarations.source,
  declarationWording: declarations.wording,
  depositDueDay: String(deposits.dueDay),
  depositMarchDay: String(deposits.marchDueDay),
  depositsFrom: deposits.holdsFrom,
  depositsSource: deposits.source,
});
const historyFieldNames = Object.keys(toHistoryValues(unsavedTdsSettings)) as (keyof ReturnType<
  typeof toHistoryValues
>)[];

/** Returns one line per deduction. A workbook has an intro line before them, and the sums follow. */
export async function tdsFile(
  db: TenantDb,
  format: FileFormat,
  query: DeductionFilter & DeductionOrder & PeriodQuery,
  now: Date,
): Promise<TableFile> {
  const { answer, ...counted } = await resolvePeriod(db, query, now);
  const totals = await selectDeductionTotals(db, counted, query);
  refuseTooManyRows(format, totals.challanCount + 1, 0);
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
    // A CSV has no intro line, because other programs expect the headings in the first line.
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
  const count = challansText(challanCount);
  yield [{ sums: { panNo: `Total of ${count}`, gross, tdsAmount } }];
}

/** A blank declaration in the wording of the business, for the present financial year. */
export async function declarationForm(db: TenantDb, now: Date): Promise<TableFile> {
  const [{ declarations }, business] = await Promise.all([selectTdsSettings(db), selectAdviceBusiness(db)]);
  const year = yearOf(dayOf(now));
  const filled = { business: business.name, year, carriages: String(declarations.mostCarriages) };
  const wording = declarations.wording.replace(
    /\{(business|year|carriages)\}/g,
    // Safe: the pattern names exactly these.
    (_, name: string) => filled[name as keyof typeof filled],
  );
  return {
    name: `declaration_${year}.pdf`,
    contentType: pdfContentType,
    write: async (sink) => {
      const pdf = createPdf({ title: `Declaration ${year}` });
      await pdf.write(sink, async () => {
        startPage(pdf, business, 'Declaration', year);
        pdf.space(12);
        pdf.text(wording, { size: 11 });
      });
    },
  };
}
