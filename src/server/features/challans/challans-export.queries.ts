import type { Readable } from 'node:stream';
import { challanExportColumns, type ChallanExportRow } from '../../../shared/columns/challan-export-columns.ts';
import {
  challanFields,
  fileOrder,
  type ChallanFieldName,
  type NamedField,
} from '../../../shared/contract/challan-fields.ts';
import type { ChallanTableRow } from '../../../shared/columns/challan-columns.ts';
import { numericKinds } from '../../../shared/columns/define.ts';
import type { ChallanOrder } from '../../../shared/contract/challan-order.ts';
import type { ChallanFilter } from '../../../shared/filters/challan-filters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { allOf, chosenConditions, type ChosenChallans } from './challans-many.queries.ts';
import { filteredColumns } from './challans-filter.queries.ts';
import { orderOf } from './challans-order.queries.ts';
import { joinsFor, namedRecord } from './challans-row.queries.ts';
import { copiedCell } from '../../sql/csv-cells.ts';
import { countRows, fetchInBatches, Parameters, type Bind } from '../../sql/statements.ts';

/** SQL: the value of a field. A field that is a day is read as a date, without its time. */
function sourceOf(name: ChallanFieldName): string {
  const { kind, column } = challanFields[name];
  // The fields of the kind 'record' are the records that a challan names.
  if (kind === 'record') return namedRecord(name as NamedField).nameExpression;
  return `c.${kind === 'date' ? column.replace(/_at$/, '_on') : column}`;
}
const sources = challanExportColumns.map((column, index) => ({ column, source: sourceOf(fileOrder[index]!) }));

const cells = sources.map(({ column, source }) => `${copiedCell(column.kind, source, column)} AS "${column.key}"`);
const fields = sources.map(({ column, source }) => `${source} AS "${column.key}"`);
/** The columns that COPY must quote: text is always quoted, numbers never (csv-text.ts). */
const quoted = challanExportColumns.filter(({ kind }) => !numericKinds.has(kind)).map(({ key }) => `"${key}"`);

/**
 * The lines of the challan file in the list's order, as COPY writes them: each ends with the cell `lineMark` and a
 * line feed. It works only on the streaming pool (see TenantDb.copyOut).
 */
export async function copyChallans(
  db: TenantDb,
  filter: ChallanFilter,
  order: ChallanOrder,
  lineMark: string,
): Promise<Readable> {
  await db.query(`SET LOCAL TimeZone = 'Asia/Kolkata'`);
  await db.query(`SET LOCAL DateStyle = 'SQL, DMY'`);
  // When the file has nearly every challan, an index in the file's order gives the first line immediately. A sort would read
  // everything before the first line.
  if (filteredColumns(filter).every((column) => column === 'payment_status')) {
    await db.query('SET LOCAL enable_sort = off');
  }
  const literal = (value: unknown): string => db.literal(String(value));
  return db.copyOut(
    `COPY (
       SELECT ${cells.join(', ')}, ${literal(lineMark)} AS line_mark
       ${fromClause(allOf(filter), order, literal, literal(db.tenantId))}
     ) TO STDOUT (FORMAT csv, FORCE_QUOTE (${quoted.join(', ')}))`,
  );
}

/** SQL: the challans of a file, joined with the records that its columns name, in the file's order. */
function fromClause(chosen: ChosenChallans, order: ChallanOrder, bind: Bind, tenant: string): string {
  // The name of the owner is the challan's own.
  const { discounter, tag, petrolPump, payment } = joinsFor(tenant);
  return `FROM challans AS c ${discounter} ${tag} ${petrolPump} ${payment}
       WHERE ${chosenConditions(chosen, bind, tenant)}
       ORDER BY ${orderOf(order)}`;
}

const batchSize = 500;

/**
 * The same lines as rows, a batch at a time. This is for a file that is stored in the database: the rows are read in the
 * transaction that stores it.
 */
export async function* challanExportRows(
  db: TenantDb,
  chosen: ChosenChallans,
  order: ChallanOrder,
): AsyncGenerator<ChallanExportRow[]> {
  type Fetched = Omit<ChallanExportRow, 'createdAt'> & { createdAt: Date };
  for await (const rows of fetchChosen<Fetched>(db, fields, chosen, order)) {
    yield rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  }
}

/** The rows of a file with these fields, as a table shows them. Instants are in UTC. */
export function challanTableRows(
  db: TenantDb,
  names: readonly ChallanFieldName[],
  chosen: ChosenChallans,
  order: ChallanOrder,
): AsyncGenerator<ChallanTableRow[]> {
  const selected = names.map((name) => {
    const source = sourceOf(name);
    const isInstant = challanFields[name].kind === 'instant';
    return `${isInstant ? `to_char(${source} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : source} AS "${name}"`;
  });
  return fetchChosen(db, selected, chosen, order);
}

/** The number of chosen challans. */
export function countChallans(db: TenantDb, chosen: ChosenChallans): Promise<number> {
  const { values, bind } = new Parameters(db);
  return countRows(db, `challans AS c WHERE ${chosenConditions(chosen, bind)}`, values);
}

function fetchChosen<Row extends object>(
  db: TenantDb,
  selected: readonly string[],
  chosen: ChosenChallans,
  order: ChallanOrder,
): AsyncGenerator<Row[]> {
  const { values, bind } = new Parameters(db);
  const text = `SELECT ${selected.join(', ')} ${fromClause(chosen, order, bind, '$1')}`;
  return fetchInBatches<Row>(db, 'export_rows', text, values, batchSize);
}
