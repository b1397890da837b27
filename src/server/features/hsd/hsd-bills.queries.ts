import type { RememberedColumns } from '../../../shared/reading/pump-bill.ts';
import type { HsdUploadRow } from '../../../shared/contract/hsd-verification.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { selectPage, type Page, type Paging } from '../../sql/paging.ts';

/** A pump whose bills are verified, with its remembered settings. */
export interface BillPump {
  name: string;
  tolerance: string;
  columns: RememberedColumns | null;
}

/**
 * Returns a pump, including a deleted one, because its challans keep it; undefined for another tenant's or an unknown
 * one.
 */
export async function selectPump(db: TenantDb, id: string): Promise<BillPump | undefined> {
  const { rows } = await db.query<
    Omit<BillPump, 'columns'> & { [K in keyof RememberedColumns]: RememberedColumns[K] | null }
  >(
    `SELECT p.name, coalesce(s.tolerance, 1.00) AS tolerance, s.tp_heading AS "tpHeading",
       s.amount_heading AS "amountHeading", s.tp_column AS "tpColumn", s.amount_column AS "amountColumn"
     FROM petrol_pumps p
       LEFT JOIN hsd_pump_settings s ON s.subadmin_id = $1 AND s.petrol_pump_id = p.id
     WHERE p.subadmin_id = $1 AND p.id = $2`,
    [db.tenantId, id],
    'select-hsd-pump',
  );
  const [row] = rows;
  if (!row) return undefined;
  const { name, tolerance, tpHeading, amountHeading, tpColumn, amountColumn } = row;
  const isChosen = tpHeading !== null && amountHeading !== null && tpColumn !== null && amountColumn !== null;
  return { name, tolerance, columns: isChosen ? { tpHeading, amountHeading, tpColumn, amountColumn } : null };
}

export async function upsertTolerance(db: TenantDb, caller: Caller, pumpId: string, tolerance: string): Promise<void> {
  await db.query(
    `INSERT INTO hsd_pump_settings (subadmin_id, petrol_pump_id, tolerance, updated_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT (subadmin_id, petrol_pump_id) DO UPDATE
       SET tolerance = excluded.tolerance, updated_at = clock_timestamp(), updated_by = excluded.updated_by`,
    [db.tenantId, pumpId, tolerance, caller.accountId],
    'upsert-hsd-tolerance',
  );
}

export async function upsertColumns(
  db: TenantDb,
  caller: Caller,
  pumpId: string,
  { tpHeading, amountHeading, tpColumn, amountColumn }: RememberedColumns,
): Promise<void> {
  await db.query(
    `INSERT INTO hsd_pump_settings (subadmin_id, petrol_pump_id, tp_heading, amount_heading, tp_column, amount_column,
       updated_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (subadmin_id, petrol_pump_id) DO UPDATE
       SET tp_heading = excluded.tp_heading, amount_heading = excluded.amount_heading, tp_column = excluded.tp_column,
         amount_column = excluded.amount_column, updated_at = clock_timestamp(), updated_by = excluded.updated_by`,
    [db.tenantId, pumpId, tpHeading, amountHeading, tpColumn, amountColumn, caller.accountId],
    'upsert-hsd-columns',
  );
}

/** Returns the tolerance of each pump that has its own. */
export async function selectTolerances(db: TenantDb): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; tolerance: string }>(
    'SELECT petrol_pump_id AS id, tolerance FROM hsd_pump_settings WHERE subadmin_id = $1',
    [db.tenantId],
    'select-hsd-tolerances',
  );
  return new Map(rows.map(({ id, tolerance }) => [id, tolerance]));
}

/** A row of a bill as it is stored. */
export interface BillRow {
  row: number;
  kind: HsdUploadRow['found'];
  tpNo: string;
  tpKey: string;
  amount: string | null;
  challanId: string | null;
  challanAmount: string | null;
  vehicleNo: string;
  date: string;
  note: string;
  /** The first day of the month. */
  month: string;
}

export async function insertBillRows(db: TenantDb, uploadId: string, rows: readonly BillRow[]): Promise<void> {
  const all = <K extends keyof BillRow>(key: K): BillRow[K][] => rows.map((row) => row[key]);
  await db.query(
    `INSERT INTO hsd_upload_rows (subadmin_id, upload_id, row_no, kind, tp_no, tp_key, amount, challan_id, challan_amount,
       vehicle_no, bill_date, note, month)
     SELECT $1, $2, r.* FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::uuid[],
       $9::numeric[], $10::text[], $11::text[], $12::text[], $13::date[]) AS r`,
    [
      db.tenantId,
      uploadId,
      all('row'),
      all('kind'),
      all('tpNo'),
      all('tpKey'),
      all('amount'),
      all('challanId'),
      all('challanAmount'),
      all('vehicleNo'),
      all('date'),
      all('note'),
      all('month'),
    ],
    'insert-hsd-upload-rows',
  );
}

/** Returns the upload's pump; undefined when the upload does not exist. */
export async function selectUploadPump(db: TenantDb, uploadId: string): Promise<{ pumpId: string | null } | undefined> {
  const { rows } = await db.query<{ pumpId: string | null }>(
    'SELECT petrol_pump_id AS "pumpId" FROM hsd_uploads WHERE subadmin_id = $1 AND id = $2',
    [db.tenantId, uploadId],
    'select-hsd-upload-pump',
  );
  return rows[0];
}

/** A stored row, and whether it was accepted for a challan. */
export interface StoredBillRow extends Pick<BillRow, 'row' | 'kind' | 'tpNo' | 'tpKey' | 'amount' | 'challanId'> {
  isAccepted: boolean;
}

export async function selectBillRows(
  db: TenantDb,
  uploadId: string,
  rowNumbers: readonly number[],
): Promise<StoredBillRow[]> {
  const { rows } = await db.query<StoredBillRow>(
    `SELECT r.row_no AS row, r.kind, r.tp_no AS "tpNo", r.tp_key AS "tpKey", r.amount, r.challan_id AS "challanId",
       a.row_no IS NOT NULL AS "isAccepted"
     FROM hsd_upload_rows r
       LEFT JOIN hsd_acceptances a ON a.subadmin_id = $1 AND a.upload_id = r.upload_id AND a.row_no = r.row_no
     WHERE r.subadmin_id = $1 AND r.upload_id = $2 AND r.row_no = ANY ($3::int[])`,
    [db.tenantId, uploadId, rowNumbers],
    'select-hsd-upload-rows',
  );
  return rows;
}

/** Returns a page of the rows of a bill, in its order, as they were compared and with what became of them. */
export const selectPageOfBill = (db: TenantDb, uploadId: string, paging: Paging): Promise<Page<HsdUploadRow>> =>
  selectPage(
    db,
    paging,
    'hsd_upload_rows WHERE subadmin_id = $1 AND upload_id = $2',
    `SELECT r.row_no AS row, r.kind AS found, r.tp_no AS "tpNo", r.amount AS "uploadedAmount", c.id AS "challanId",
       c.challan_number AS "challanNumber", coalesce(r.challan_amount, a.challan_amount) AS "challanAmount",
       r.amount - coalesce(r.challan_amount, a.challan_amount) AS difference, r.vehicle_no AS "billVehicle",
       r.bill_date AS "billDate", coalesce(c.hsd_verified, false) AS "isVerified", a.row_no IS NOT NULL AS "isAccepted",
       coalesce(a.reason, r.note) AS remark
     FROM hsd_upload_rows r
       LEFT JOIN hsd_acceptances a ON a.subadmin_id = $1 AND a.upload_id = r.upload_id AND a.row_no = r.row_no
       LEFT JOIN challans c ON c.subadmin_id = $1 AND c.id = coalesce(r.challan_id, a.challan_id)
     WHERE r.subadmin_id = $1 AND r.upload_id = $2
     ORDER BY r.row_no LIMIT $3 OFFSET $4`,
    [db.tenantId, uploadId],
    'select-page-of-hsd-upload',
  );

export interface Acceptance {
  row: number;
  challanId: string;
  tpKey: string;
  hsdAmount: string;
  pumpId: string;
  reason: string;
}

/**
 * Verifies challans that the caller has locked, each with its reason in the history. Records which row of the bill was
 * accepted for the challan and with what it was compared.
 */
export async function insertAcceptances(
  db: TenantDb,
  caller: Caller,
  uploadId: string,
  accepted: readonly Acceptance[],
): Promise<{ verified: number; recorded: number; kept: number }> {
  const { rows } = await db.query<{ verified: number; recorded: number; kept: number }>(
    `WITH accepted AS MATERIALIZED (
       SELECT * FROM unnest($5::int[], $6::uuid[], $7::text[], $8::numeric[], $9::uuid[], $10::text[])
         AS a (row_no, challan_id, tp_key, hsd_amount, pump_id, reason)
     ), verified AS (
       UPDATE challans c SET hsd_verified = true, hsd_verified_at = now(), updated_at = clock_timestamp(),
         version = version + 1
       FROM accepted a
       WHERE c.subadmin_id = $1 AND c.id = a.challan_id AND NOT c.hsd_verified AND c.deleted_at IS NULL
       RETURNING c.id, a.reason
     ), recorded AS (
       INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id, screen, changes)
       SELECT $1, 'challan', id, 'updated', $2, $3,
         jsonb_build_object('hsdVerified', '[false, true]'::jsonb, 'hsdVerifiedReason', jsonb_build_array(NULL, reason))
       FROM verified
       RETURNING 1
     ), kept AS (
       INSERT INTO hsd_acceptances (subadmin_id, upload_id, row_no, challan_id, challan_amount, reason, created_by)
       SELECT $1, $4, row_no, challan_id, hsd_amount, reason, $2 FROM accepted
       RETURNING 1
     ), compared AS (
       INSERT INTO hsd_upload_matches (subadmin_id, upload_id, challan_id, tp_key, hsd_amount, petrol_pump_id)
       SELECT $1, $4, challan_id, tp_key, hsd_amount, pump_id FROM accepted
     ), counted AS (
       INSERT INTO hsd_upload_verifications (subadmin_id, upload_id, verified_count, skipped_count, created_by)
       SELECT $1, $4, count(*), 0, $2 FROM verified
     )
     SELECT (SELECT count(*)::int FROM verified) AS verified, (SELECT count(*)::int FROM recorded) AS recorded,
       (SELECT count(*)::int FROM kept) AS kept`,
    [
      db.tenantId,
      caller.accountId,
      caller.screen,
      uploadId,
      accepted.map(({ row }) => row),
      accepted.map(({ challanId }) => challanId),
      accepted.map(({ tpKey }) => tpKey),
      accepted.map(({ hsdAmount }) => hsdAmount),
      accepted.map(({ pumpId }) => pumpId),
      accepted.map(({ reason }) => reason),
    ],
    'insert-hsd-acceptances',
  );
  // A query of counts returns one row.
  return rows[0]!;
}
