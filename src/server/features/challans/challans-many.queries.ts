import {
  challanFields,
  sentName,
  storedFieldNames,
  type ChallanValues,
  type StoredField,
} from '../../../shared/contract/challan-fields.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import type { FieldKind } from '../../../shared/contract/fields.ts';
import type { Caller } from '../../caller.ts';
import { financialYearOf } from '../../sql/counters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { challanJoins, challanRow, fieldKinds } from './challans-row.queries.ts';
import { boolean, instant, number, recordRow, reference, text, type FieldsOf } from '../../sql/record-row.ts';
import type { BulkSelection } from '../../../shared/contract/challans-bulk.ts';
import type { ChallanFilter } from '../../../shared/filters/challan-filters.ts';
import { challansOf } from './challans-filter.queries.ts';
import { Parameters, type Bind } from '../../sql/statements.ts';

/**
 * Statements for many challans. Those that take a list of ids are not prepared under a name, so that each is planned for its
 * own number of ids.
 */

/** A challan as it is stored, without the names of the records that it refers to. */
export type OwnChallan = ChallanValues & {
  id: string;
  challanNumber: string;
  ownerId: string;
  version: number;
  isDeleted: boolean;
  paymentStatus: boolean;
  hsdVerified: boolean;
  hsdVerifiedAt: string | null;
  holdReason: string;
};
/** The same with the name of its owner, and why the owner is on hold. */
export type StoredChallan = OwnChallan & { ownerHold: { name: string; holdReason: string } };

const storedField = (name: StoredField) => {
  const { kind, column } = challanFields[name];
  return [sentName(name), kind === 'record' ? text(`c.${column}`) : fieldKinds[kind](`c.${column}`)] as const;
};

// The cast is safe: these are the stored fields, each read by the kind of its schema, and the other fields of OwnChallan.
const ownFields = {
  ...Object.fromEntries(storedFieldNames.map(storedField)),
  id: text('c.id'),
  challanNumber: text('c.challan_number'),
  ownerId: text('c.owner_id'),
  version: number('c.version'),
  isDeleted: boolean('c.deleted_at IS NOT NULL'),
  paymentStatus: boolean('c.payment_status'),
  hsdVerified: boolean('c.hsd_verified'),
  hsdVerifiedAt: instant('c.hsd_verified_at'),
  holdReason: text('c.hold_reason'),
} as unknown as FieldsOf<OwnChallan>;
export const ownRow = recordRow<OwnChallan>(ownFields);
const storedRow = recordRow<StoredChallan>({
  ...ownFields,
  ownerHold: reference({
    name: text('(SELECT o.name FROM owners AS o WHERE o.subadmin_id = $1 AND o.id = c.owner_id)'),
    holdReason: text('(SELECT o.hold_reason FROM owners AS o WHERE o.subadmin_id = $1 AND o.id = c.owner_id)'),
  }),
} as FieldsOf<StoredChallan>);

export interface NewRow {
  ownerId: string;
  values: ChallanValues;
}
const savedColumns = ['owner_id', ...storedFieldNames.map((name) => challanFields[name].column)];

/**
 * SQL: stores new challans in their order, which is also the order of their creation times, with the account's next numbers
 * of the current financial year (docs/specification.md §8.5). A transaction that has taken a number makes others wait until
 * it commits, so it should run this among its last statements.
 */
const insertedChallans = `moment AS MATERIALIZED (
    SELECT clock_timestamp() AS at
  ), taken AS (
    INSERT INTO counters AS k (subadmin_id, name, value)
    SELECT $1, 'challan-' || ${financialYearOf('at')}, $3::bigint FROM moment
    ON CONFLICT (subadmin_id, name) DO UPDATE SET value = k.value + $3::bigint
    RETURNING value
  ), made AS (
    INSERT INTO challans (subadmin_id, challan_number, ${savedColumns.join(', ')})
    SELECT $1, 'CH-' || ${financialYearOf('at')} || '-' || lpad(n::text, greatest(6, length(n::text)), '0'),
      ${savedColumns.map((column) => `r.${column}`).join(', ')}
    FROM moment, taken, jsonb_populate_recordset(NULL::challans, $2::jsonb) WITH ORDINALITY AS r,
      LATERAL (SELECT value - $3::bigint + r.ordinality AS n) AS number
    ORDER BY r.ordinality
    RETURNING *
  )`;
const inNumberOrder = 'ORDER BY length(challan_number), challan_number';
const valuesOfNew = (db: TenantDb, rows: readonly NewRow[]): unknown[] => [
  db.tenantId,
  JSON.stringify(rows.map(({ ownerId, values }) => ({ owner_id: ownerId, ...columnsOf(values) }))),
  rows.length,
];

/** Stores new challans in their order. */
export async function insertChallans(
  db: TenantDb,
  rows: readonly NewRow[],
): Promise<{ id: string; challanNumber: string }[]> {
  const { rows: stored } = await db.query<{ id: string; challanNumber: string }>(
    `WITH ${insertedChallans} SELECT id, challan_number AS "challanNumber" FROM made ${inNumberOrder}`,
    valuesOfNew(db, rows),
    'insert-challans',
  );
  return stored;
}

/** Stores new challans, each with its line of history. */
export async function insertRecordedChallans(
  db: TenantDb,
  caller: Caller,
  rows: readonly NewRow[],
): Promise<Challan[]> {
  const stored = await db.texts(
    `WITH ${insertedChallans}, lines AS (
       INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id, screen)
       SELECT $1, 'challan', id, 'created', $4, $5 FROM made ${inNumberOrder}
     )
     SELECT ${challanRow.columns} FROM made AS c ${challanJoins} ${inNumberOrder}`,
    [...valuesOfNew(db, rows), caller.accountId, caller.screen],
    'insert-recorded-challans',
  );
  return stored.map((row) => challanRow.read(row));
}

/**
 * Locks these challans until the transaction ends, in the same order as payments (server/features/payments/payments.queries.ts), and reads their
 * newest state. Deleted ones are included; unknown ones and those of other tenants are not.
 */
export async function lockChallans(db: TenantDb, ids: readonly string[]): Promise<StoredChallan[]> {
  const rows = await db.texts(
    `SELECT ${storedRow.columns} FROM challans c WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[])
     ORDER BY uuid_send(c.id) FOR UPDATE`,
    [db.tenantId, ids],
  );
  return rows.map((row) => storedRow.read(row));
}

/** Renames the fields of the values to their columns. A field without a value is left out. */
const columnsOf = (values: Partial<WrittenValues>, columns = writtenColumns): Record<string, unknown> =>
  Object.fromEntries(
    columns.flatMap(([field, column]) => (values[field] === undefined ? [] : [[column, values[field]]])),
  );

/** The fields that a bulk change can write: the stored fields and the HSD verification. */
export type WrittenValues = ChallanValues & Pick<StoredChallan, 'hsdVerified' | 'hsdVerifiedAt'>;
const writtenColumns: readonly (readonly [field: keyof WrittenValues, column: string, kind: FieldKind])[] = [
  ...storedFieldNames.map((name) => [sentName(name), challanFields[name].column, challanFields[name].kind] as const),
  ['hsdVerified', 'hsd_verified', 'flag'],
  ['hsdVerifiedAt', 'hsd_verified_at', 'instant'],
];
/** The SQL type of each kind of field, to which a value sent as text is cast. */
const sqlTypes: Readonly<Record<FieldKind, string>> = {
  text: 'text',
  identifier: 'text',
  reference: 'text',
  money: 'numeric',
  weight: 'numeric',
  liters: 'numeric',
  percent: 'numeric',
  date: 'timestamptz',
  instant: 'timestamptz',
  count: 'smallint',
  flag: 'boolean',
  record: 'uuid',
};
export const writtenFields = writtenColumns.map(([field]) => field);

/**
 * Writes values to challans that the caller has locked, each challan its own values. A field that is left out keeps its
 * value. A deleted challan is restored. The values are looked up by id instead of joined, for the reason given at
 * `paidChallans` of payments.queries.ts.
 */
export async function updateChallans(
  db: TenantDb,
  changes: ReadonlyMap<string, Partial<WrittenValues>>,
): Promise<void> {
  if (changes.size === 0) return;
  const changedFields = new Set<string>();
  for (const values of changes.values()) for (const field of Object.keys(values)) changedFields.add(field);
  // Only these columns are set. PostgreSQL computes a generated column again whenever a column that it depends on is set, even
  // to the same value.
  const columns = writtenColumns.filter(([field]) => changedFields.has(field));
  const valueOf = ([, column, kind]: (typeof columns)[number]): string =>
    `CASE WHEN v.given ? '${column}' THEN (v.given ->> '${column}')::${sqlTypes[kind]} ELSE c.${column} END`;
  // jsonb_populate_record would read every column of the challan for one of them. With OFFSET 0 the values are looked up once.
  const setting =
    columns.length === 0
      ? ''
      : `(${columns.map(([, column]) => column).join(', ')}) = (SELECT ${columns.map(valueOf).join(', ')}
          FROM (SELECT $3::jsonb -> c.id::text AS given OFFSET 0) AS v),`;
  await db.query(
    `UPDATE challans c SET ${setting}
       deleted_at = NULL, updated_at = clock_timestamp(), version = c.version + 1
     WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[])`,
    [
      db.tenantId,
      [...changes.keys()],
      ...(columns.length === 0
        ? []
        : [JSON.stringify(Object.fromEntries([...changes].map(([id, values]) => [id, columnsOf(values, columns)])))]),
    ],
  );
}

/** Soft-deletes challans that the caller has locked. Their numbers are not used again. */
export async function removeChallans(db: TenantDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query(
    `UPDATE challans SET deleted_at = now(), updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])`,
    [db.tenantId, ids],
  );
}

/**
 * The challans of a selection, at most `limit` of them, in the order in which every statement locks many challans
 * (server/features/payments/payments.queries.ts). With `isLocked` they are locked, and each is read as it is once its lock is held.
 */
export async function selectSelected(
  db: TenantDb,
  selection: BulkSelection,
  { limit, isLocked }: { limit: number; isLocked: boolean },
): Promise<StoredChallan[]> {
  const { values, bind } = new Parameters(db);
  const rows = await db.texts(
    `SELECT ${storedRow.columns} FROM challans AS c
     WHERE ${chosenConditions(selection, bind)}
     ORDER BY uuid_send(c.id) LIMIT ${bind(limit)}${isLocked ? ' FOR UPDATE OF c' : ''}`,
    values,
  );
  return rows.map((row) => storedRow.read(row));
}

/** Challans that are chosen by their ids, or by a filter without some of its challans. */
export type ChosenChallans =
  | { by: 'ids'; challanIds: readonly string[] }
  | { by: 'filter'; filters: ChallanFilter; excludeChallanIds: readonly string[] };

/** All challans of a filter. */
export const allOf = (filters: ChallanFilter): ChosenChallans => ({ by: 'filter', filters, excludeChallanIds: [] });

/** SQL: the conditions on challans `c`. They never match deleted challans or those of other tenants. */
export function chosenConditions(chosen: ChosenChallans, bind: Bind, tenant = '$1'): string {
  const ofTenant = `c.subadmin_id = ${tenant} AND c.deleted_at IS NULL`;
  if (chosen.by === 'ids') return `${ofTenant} AND c.id = ANY (${bind(chosen.challanIds)}::uuid[])`;
  const { filters, excludeChallanIds: excluded } = chosen;
  const { source, conditions } = challansOf(filters, bind, { tenant });
  const matching =
    source === 'challans AS c'
      ? conditions
      : `${ofTenant} AND c.id IN (SELECT c.id FROM ${source} WHERE ${conditions})`;
  return excluded.length === 0 ? matching : `${matching} AND c.id <> ALL (${bind(excluded)}::uuid[])`;
}
