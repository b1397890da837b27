import type { Readable } from 'node:stream';
import type { TenantDb } from '../../db/tenant.ts';
import { formulaStart } from '../../sql/csv-cells.ts';

/**
 * The tables of a business that a take-out does not contain, each with the reason. Every other table is included, even
 * one that is added later.
 */
export const notTaken: Readonly<Record<string, string>> = {
  challan_counts_by_created_day: 'counted from challans',
  challan_deltas: 'counted from challans',
  challan_totals_by_day: 'counted from challans',
  challan_totals_by_owner: 'counted from challans',
  challan_totals_by_tag: 'counted from challans',
  challan_unpaid_by_owner_day: 'counted from challans',
  challan_vehicles: 'gathered from challans',
  idempotency_keys: 'answers to repeated requests, kept for seven days',
  payment_sums: 'counted from payment_lines and carry_events',
  seals: 'of this database alone',
};

/** Columns that have no meaning outside this database; the tenant is the same for the whole archive. */
const notTakenColumns = ['subadmin_id', 'written_at', 'token_hash'];

interface TakenColumn {
  name: string;
  isText: boolean;
}

export interface TakenTable {
  name: string;
  columns: TakenColumn[];
}

export async function selectTakenTables(db: TenantDb): Promise<TakenTable[]> {
  const { rows } = await db.query<TakenTable>(
    `SELECT c.relname AS name, jsonb_agg(jsonb_build_object('name', a.attname, 'isText', t.typcategory = 'S') ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($1)
       AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'subadmin_id' AND NOT attisdropped)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attname <> ALL ($2)
     GROUP BY c.relname ORDER BY c.relname`,
    [Object.keys(notTaken), notTakenColumns],
  );
  return rows;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * SQL of a column. A text that a spreadsheet would interpret as a formula gets an apostrophe. A text that begins with
 * an apostrophe gets a second one, so that the import can remove it.
 */
function plain({ name, isText }: TakenColumn): string {
  const text = quoted(name);
  if (!isText) return text;
  return `CASE WHEN ${text} ~ ${formulaStart} OR ${text} LIKE '''%' THEN '''' || ${text} ELSE ${text} END AS ${text}`;
}

/**
 * Streams one table as CSV with a heading. NULL is an empty cell, an empty text is "". Works only on the streaming
 * pool.
 */
export function copyTaken(db: TenantDb, { name, columns }: TakenTable): Readable {
  return db.copyOut(
    `COPY (SELECT ${columns.map(plain).join(', ')} FROM ${quoted(name)} WHERE subadmin_id = ${db.literal(db.tenantId)})
     TO STDOUT (FORMAT csv, HEADER)`,
  );
}

/** The account itself, which is in no table of the business. */
export const accountTable: TakenTable = {
  name: 'account',
  columns: ['email', 'banner_name', 'gst_no', 'contact_number', 'office_address', 'demands_second_step'].map(
    (name) => ({
      name,
      isText: name !== 'demands_second_step',
    }),
  ),
};

/** The people of the business, without what signs them in: who did what stays known (docs/specification.md §28). */
export const peopleTable: TakenTable = {
  name: 'people',
  columns: ['id', 'email', 'person_name', 'seat', 'ends_on', 'is_active'].map((name) => ({
    name,
    isText: ['email', 'person_name', 'seat'].includes(name),
  })),
};

export function copyPeople(db: TenantDb): Readable {
  return db.copyOut(
    `COPY (SELECT ${peopleTable.columns.map(plain).join(', ')} FROM accounts
       WHERE business_id = ${db.literal(db.tenantId)} ORDER BY created_at, id)
     TO STDOUT (FORMAT csv, HEADER)`,
  );
}

export function copyAccount(db: TenantDb): Readable {
  return db.copyOut(
    `COPY (SELECT ${accountTable.columns.map(plain).join(', ')} FROM accounts WHERE id = ${db.literal(db.tenantId)})
     TO STDOUT (FORMAT csv, HEADER)`,
  );
}

/** Returns the number of the newest migration, which determines the columns of an archive. */
export async function selectSchemaNumber(db: TenantDb): Promise<number> {
  const { number } = await db.one<{ number: number }>('SELECT max(number) AS number FROM schema_migrations');
  return number;
}
