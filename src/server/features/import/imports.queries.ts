import { tpKey, vehicleKey } from '../../../shared/calc/keys.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { tableOf, type RecordTable, type Stored } from '../master-data/records.queries.ts';

/** The columns by which records of a file are found: SQL over the record's row `r`. */
export const importKeys = {
  panNo: 'r.pan_no',
  accountNo: 'r.account_no',
  truckNumber: 'r.truck_key',
} as const;

/** Returns the records with one of these values, the oldest first, without deleted ones. */
export async function selectByKey<R extends Stored>(
  db: TenantDb,
  table: Pick<RecordTable<R, never, string>, 'record' | 'columns' | 'getMany'>,
  key: keyof typeof importKeys,
  values: readonly string[],
): Promise<R[]> {
  if (values.length === 0) return [];
  // Not a named statement, so that it is planned for these values.
  return db.records(
    `SELECT ${table.columns} FROM ${tableOf(table.record)} r
     WHERE r.subadmin_id = $1 AND r.deleted_at IS NULL AND ${importKeys[key]} = ANY ($2::text[])
     ORDER BY r.created_at, r.id`,
    [db.tenantId, [...new Set(values)]],
  );
}

/** Returns the newest import of the same file that was not undone. */
export async function selectImportOf(
  db: TenantDb,
  kind: string,
  sha256: string,
): Promise<{ id: string; number: string; createdAt: string } | null> {
  const [row] = await db.records<{ id: string; number: string; createdAt: string }>(
    `SELECT id, number, created_at AS "createdAt" FROM batches
     WHERE subadmin_id = $1 AND kind = 'import' AND undone_at IS NULL
       AND facts @> jsonb_build_object('kind', $2::text, 'sha256', $3::text)
     ORDER BY created_at DESC LIMIT 1`,
    [db.tenantId, kind, sha256],
    'select-import-of',
  );
  return row ?? null;
}

/** A stored challan with the fields that an import compares. */
export interface PastChallan extends Stored {
  challanNumber: string;
  tpNo: string;
  vehicleNo: string;
  /** YYYY-MM-DD, here and below. */
  loadingDate: string;
  netAmountPayable: string;
  paidOn: string | null;
}

/**
 * Returns the challans with the TP number of a row, or with its vehicle, loading day and net amount; the oldest first.
 */
export async function selectPastChallans(
  db: TenantDb,
  rows: readonly Readonly<Record<string, string | number>>[],
): Promise<PastChallan[]> {
  if (rows.length === 0) return [];
  const distinct = (field: string, keyOf: (text: string) => string = (text) => text): string[] => [
    ...new Set(rows.map((row) => keyOf(String(row[field] ?? '')))),
  ];
  const { rows: found } = await db.query<PastChallan>(
    `SELECT id, version, created_at::text AS "createdAt", updated_at::text AS "updatedAt",
       challan_number AS "challanNumber", tp_no AS "tpNo", vehicle_no AS "vehicleNo", loading_on::text AS "loadingDate",
       net_amount_payable::text AS "netAmountPayable", paid_on::text AS "paidOn"
     FROM challans c
     WHERE subadmin_id = $1 AND deleted_at IS NULL AND (tp_key = ANY ($2::text[])
       OR (vehicle_key = ANY ($3::text[]) AND loading_on = ANY ($4::date[]) AND net_amount_payable = ANY ($5::numeric[])))
     ORDER BY c.created_at, c.id`,
    [
      db.tenantId,
      distinct('tpNo', tpKey),
      distinct('vehicleNo', vehicleKey),
      distinct('loadingDate'),
      distinct('netAmountPayable'),
    ],
  );
  return found;
}
