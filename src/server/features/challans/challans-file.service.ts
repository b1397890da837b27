import { pipeline } from 'node:stream/promises';
import { challansText, formatCount } from '../../../shared/calc/count-text.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { CSV_BOM } from '../../../shared/calc/csv-text.ts';
import type { FileFormat } from '../../../shared/calc/file-names.ts';
import { sum } from '../../../shared/calc/money.ts';
import { challanFileColumns, type ChallanTableRow } from '../../../shared/columns/challan-columns.ts';
import { challanExportColumns } from '../../../shared/columns/challan-export-columns.ts';
import { numericKinds, type Column, type TableLine } from '../../../shared/columns/define.ts';
import type { ListedChallan } from '../../../shared/contract/challan.ts';
import type { ChallanFieldName } from '../../../shared/contract/challan-fields.ts';
import type { ChallanOrder } from '../../../shared/contract/challan-order.ts';
import { challanFilters, type ChallanFilter } from '../../../shared/filters/challan-filters.ts';
import type { NamedRecords } from '../../../shared/filters/define.ts';
import { textsOfFilter } from '../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../shared/filters/filter-words.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { CopiedCsv, copyLineMark } from '../../files/csv-copy.ts';
import { csvContentType, csvHeader } from '../../files/csv.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import type { ChosenChallans } from './challans-many.queries.ts';
import { challanTableRows, copyChallans, countChallans } from './challans-export.queries.ts';
import { selectNames, type NamedTable } from '../master-data/records.queries.ts';
import { refuseTooManyRows } from '../payments/bank-statement-file.service.ts';

/** Challans as files (docs/specification.md §13.2): all fields as CSV, or a table as it is on the screen. */

/**
 * Streams every challan of the filter as the file of docs/specification.md §13.2. Memory does not grow with the number
 * of rows.
 */
export const challansCsv = (db: TenantDb, name: string, filter: ChallanFilter, order: ChallanOrder): TableFile => ({
  name,
  contentType: csvContentType,
  write: async (sink) => {
    const lines = await copyChallans(db, filter, order, copyLineMark);
    await pipeline(lines, new CopiedCsv(CSV_BOM + csvHeader(challanExportColumns)), sink);
  },
});

interface ChallansTable {
  /** The file name with its extension. */
  name: string;
  /** The title of the whole table: 'Challans', 'Challans of Anil Jena'. */
  title: string;
  chosen: ChosenChallans;
  /** Filters that the title already mentions, so that the intro does not repeat them. */
  inTitle?: readonly (keyof ChallanFilter)[];
  order: ChallanOrder;
  /** The table on the screen, and the columns of it that the file has. */
  table: readonly Column<ListedChallan>[];
  columns: readonly ChallanFieldName[];
  now: Date;
}

/**
 * Returns a table of challans as a file (docs/specification.md §13.2), with the columns and the order of the screen. An
 * intro line says which challans it has, how many, and at what time. The sums follow at the end. All parts agree, because
 * the transaction reads one snapshot.
 */
export async function challansTableFile(db: TenantDb, format: FileFormat, sheet: ChallansTable): Promise<TableFile> {
  const { name, title, chosen, inTitle = [], order, table, now } = sheet;
  const count = await countChallans(db, chosen);
  refuseTooManyRows(format, count + 1, 0);
  const words = await describeFilter(db, chosen, inTitle);
  const columns = challanFileColumns(table, sheet.columns);
  return tableFile(format, {
    name,
    sheet: 'Challans',
    columns,
    intro: `${title}: ${words}. ${challansText(count)}, as of ${formatDateTime(now)}.`,
    lines: withTotals(columns, challanTableRows(db, sheet.columns, chosen, order)),
  });
}

/** The records that challans are filtered by. */
const tableNames: Readonly<Partial<Record<NamedRecords, NamedTable>>> = {
  owners: 'owners',
  tags: 'tags',
  petrolPumps: 'petrol_pumps',
};

/**
 * Describes the chosen challans: 'unpaid only · tag MARKET · deposited 01/11/2026 to 15/11/2026'; 'all · 2 left out';
 * 'selected'.
 */
export async function describeFilter(
  db: TenantDb,
  chosen: ChosenChallans,
  inTitle: readonly (keyof ChallanFilter)[] = [],
): Promise<string> {
  if (chosen.by === 'ids') return 'selected';
  const described = Object.entries(chosen.filters).filter(([key]) => !inTitle.some((name) => name === key));
  const parts = partsOf(challanFilters, textsOfFilter(challanFilters, Object.fromEntries(described)));
  const words: string[] = [];
  for (const part of parts) {
    const { record } = part;
    const table = record && tableNames[record.records];
    const names = table && (await selectNames(db, table, [record.id]));
    words.push(part.words(record ? (names?.get(record.id) ?? 'unknown') : undefined));
  }
  if (words.length === 0) words.push('all');
  const excluded = chosen.excludeChallanIds.length;
  return [...words, ...(excluded > 0 ? [`${formatCount(excluded)} left out`] : [])].join(' · ');
}

/** Yields the rows, and then the sums of exactly these rows. */
async function* withTotals(
  columns: readonly Column<ChallanTableRow>[],
  rows: AsyncIterable<ChallanTableRow[]>,
): AsyncGenerator<TableLine<ChallanTableRow>[]> {
  const added = columns.filter(({ total }) => total !== undefined).map(({ key }) => key);
  const sums = new Map(added.map((key) => [key, '0.00']));
  let count = 0;
  for await (const some of rows) {
    count += some.length;
    for (const key of added) sums.set(key, sum([sums.get(key) ?? '0.00', ...some.map((row) => String(row[key]))]));
    yield some.map((row) => ({ row }));
  }
  // Words must not go into a column of numbers, not even into one without a sum (a rate).
  const label = columns.find(({ kind }) => !numericKinds.has(kind));
  yield [{ sums: { ...(label && { [label.key]: `Total of ${challansText(count)}` }), ...Object.fromEntries(sums) } }];
}
