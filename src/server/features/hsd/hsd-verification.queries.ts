import type { HsdChanged, HsdUpload } from '../../../shared/contract/hsd-verification.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { selectPage, type Page, type Paging } from '../../sql/paging.ts';
import { actorName } from '../../sql/actor.ts';

/** A challan with a TP number of the file. */
export interface TpMatch {
  tpKey: string;
  id: string;
  challanNumber: string;
  hsdAmount: string;
  pumpId: string | null;
  /** null while the challan's HSD is not verified. */
  verifiedAt: string | null;
  vehicleNo: string;
  ownerName: string;
  /** The loading day as YYYY-MM-DD. */
  loadingOn: string;
}

/**
 * At most this many challans with the same TP number are returned. An error names them, and more would be just as
 * ambiguous.
 */
const maxNamed = 3;

/**
 * Returns the challans with each of these TP keys (shared/calc/keys.ts; up to 20,000) in one statement.
 *
 * The keys are passed as one set that is looked up or hashed, so that the worst plan is one pass over the table. When
 * the keys were queried one by one, a planner without statistics used an index that begins with the tenant only, and
 * read all challans of the tenant for every key. The statement has no name, because only a plan made for these keys can
 * hash them.
 */
export const selectByTpKeys = (db: TenantDb, keys: readonly string[]): Promise<TpMatch[]> =>
  db.records(
    `SELECT id, challan_number AS "challanNumber", hsd_amount AS "hsdAmount", petrol_pump_id AS "pumpId",
       hsd_verified_at AS "verifiedAt", tp_key AS "tpKey", vehicle_no AS "vehicleNo",
       owner_name AS "ownerName", loading_on::text AS "loadingOn"
     FROM (SELECT id, challan_number, hsd_amount, petrol_pump_id, hsd_verified_at, tp_key, vehicle_no, owner_name, loading_on,
             row_number() OVER (PARTITION BY tp_key ORDER BY challan_number) AS place
           FROM challans WHERE subadmin_id = $1 AND tp_key = ANY ($2::text[]) AND deleted_at IS NULL) AS found
     WHERE place <= ${maxNamed}
     ORDER BY tp_key, challan_number`,
    [db.tenantId, keys],
  );

interface UploadEvidence {
  id: string;
  pumpId: string | null;
  fileName: string;
  sha256: Buffer;
  totalRecords: number;
  validRecords: number;
  totalDiscrepancies: number;
  /** The valid matches with the compared values. */
  matches: readonly ComparedChallan[];
}

export interface ComparedChallan {
  id: string;
  /** shared/calc/keys.ts */
  tpKey: string;
  hsdAmount: string;
  pumpId: string;
}

export async function insertUpload(db: TenantDb, caller: Caller, evidence: UploadEvidence): Promise<void> {
  const { matches } = evidence;
  await db.query(
    `WITH upload AS (
       INSERT INTO hsd_uploads (subadmin_id, file_name, sha256, total_records, valid_records, valid_matches,
         total_discrepancies, matched_ids, created_by, id, petrol_pump_id)
       VALUES ($1, $2, $3, $4, $5, cardinality($7::uuid[]), $6, $7, $8, $12, $13)
       RETURNING id
     )
     INSERT INTO hsd_upload_matches (subadmin_id, upload_id, challan_id, tp_key, hsd_amount, petrol_pump_id)
     SELECT $1, upload.id, m.challan_id, m.tp_key, m.hsd_amount, m.pump_id
     FROM upload, unnest($7::uuid[], $9::text[], $10::numeric[], $11::uuid[]) AS m (challan_id, tp_key, hsd_amount, pump_id)`,
    [
      db.tenantId,
      evidence.fileName,
      evidence.sha256,
      evidence.totalRecords,
      evidence.validRecords,
      evidence.totalDiscrepancies,
      matches.map(({ id }) => id),
      caller.accountId,
      matches.map(({ tpKey }) => tpKey),
      matches.map(({ hsdAmount }) => hsdAmount),
      matches.map(({ pumpId }) => pumpId),
      evidence.id,
      evidence.pumpId,
    ],
    'insert-hsd-upload',
  );
}

/** Returns a page of the uploads, the newest first. */
export const selectUploads = (db: TenantDb, paging: Paging): Promise<Page<HsdUpload>> =>
  selectPage(
    db,
    paging,
    'hsd_uploads WHERE subadmin_id = $1',
    `SELECT u.id, u.file_name AS "fileName", encode(u.sha256, 'hex') AS sha256, u.total_records AS "totalRecords",
       u.valid_records AS "validRecords", u.valid_matches AS "validMatches",
       u.total_discrepancies AS "totalDiscrepancies", u.created_at AS "createdAt", ${actorName('a')} AS "createdBy",
       (SELECT sum(v.verified_count)::int FROM hsd_upload_verifications v
        WHERE v.subadmin_id = $1 AND v.upload_id = u.id) AS "verifiedCount"
     FROM (SELECT * FROM hsd_uploads WHERE subadmin_id = $1
           ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3) AS u
       JOIN accounts a ON a.id = u.created_by
     ORDER BY u.created_at DESC, u.id DESC`,
    [db.tenantId],
    'select-hsd-uploads',
  );

export interface LockedForHsd {
  id: string;
  challanNumber: string;
  hsdVerified: boolean;
  tpNo: string;
  tpKey: string;
  hsdAmount: string;
  pumpId: string | null;
}

/**
 * Locks those of these challans that exist until the transaction ends. The order is the same as for payments, so that
 * two bulk calls over the same challans cannot deadlock.
 */
export async function lockForHsd(db: TenantDb, ids: readonly string[]): Promise<LockedForHsd[]> {
  const { rows } = await db.query<LockedForHsd>(
    `SELECT c.id, c.challan_number AS "challanNumber",
       c.hsd_verified AS "hsdVerified", c.tp_no AS "tpNo", c.tp_key AS "tpKey", c.hsd_amount AS "hsdAmount",
       c.petrol_pump_id AS "pumpId"
     FROM challans c
     WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) AND c.deleted_at IS NULL
     ORDER BY uuid_send(c.id) FOR UPDATE`,
    [db.tenantId, ids],
    'lock-for-hsd',
  );
  return rows;
}

/** Returns the existing ones of these challans, in the order of their ids, and whether they are verified. */
export async function selectHsdStates(
  db: TenantDb,
  ids: readonly string[],
): Promise<{ id: string; isVerified: boolean }[]> {
  const { rows } = await db.query<{ id: string; isVerified: boolean }>(
    `SELECT id, hsd_verified AS "isVerified" FROM challans
     WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL
     ORDER BY id`,
    [db.tenantId, ids],
    'select-hsd-states',
  );
  return rows;
}

/**
 * Returns the challans whose TP No, HSD amount or petrol pump changed since the newest upload matched them. A challan
 * that no upload ever matched is not among them. A write locks the challans before it calls this, so that what is read
 * here is what is verified.
 */
export async function selectChangedSince(db: TenantDb, ids: readonly string[]): Promise<HsdChanged[]> {
  const { rows } = await db.query<HsdChanged>(
    `SELECT c.id AS "challanId", c.challan_number AS "challanNumber", c.tp_no AS "tpNo",
       m.hsd_amount AS "matchedAmount", c.hsd_amount AS "challanAmount", m.tp_key <> c.tp_key AS "hasOtherTp",
       m.petrol_pump_id IS DISTINCT FROM c.petrol_pump_id AS "hasOtherPump"
     FROM unnest($2::uuid[]) WITH ORDINALITY AS asked (id, position)
       JOIN challans c ON c.subadmin_id = $1 AND c.id = asked.id
       CROSS JOIN LATERAL (
         SELECT tp_key, hsd_amount, petrol_pump_id FROM hsd_upload_matches
         WHERE subadmin_id = $1 AND challan_id = asked.id
         ORDER BY created_at DESC, upload_id DESC LIMIT 1
       ) AS m
     WHERE (m.tp_key, m.hsd_amount, m.petrol_pump_id) IS DISTINCT FROM (c.tp_key, c.hsd_amount, c.petrol_pump_id)
     ORDER BY asked.position`,
    [db.tenantId, ids],
    'select-hsd-changed-since',
  );
  return rows;
}

/**
 * Verifies challans that the caller has locked, each with its line of history. Returns how many of both were written.
 */
export async function updateVerified(
  db: TenantDb,
  caller: Caller,
  ids: readonly string[],
): Promise<{ verified: number; recorded: number }> {
  const { rows } = await db.query<{ verified: number; recorded: number }>(
    `WITH verified AS (
       UPDATE challans SET hsd_verified = true, hsd_verified_at = now(), updated_at = clock_timestamp(),
         version = version + 1
       WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) AND NOT hsd_verified AND deleted_at IS NULL
       RETURNING id
     ), recorded AS (
       INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id, screen, changes)
       SELECT $1, 'challan', id, 'updated', $3, $4, '{"hsdVerified": [false, true]}' FROM verified
       RETURNING 1
     )
     SELECT (SELECT count(*)::int FROM verified) AS verified, (SELECT count(*)::int FROM recorded) AS recorded`,
    [db.tenantId, ids, caller.accountId, caller.screen],
    'update-hsd-verified-bulk',
  );
  // A query of two counts returns one row.
  return rows[0]!;
}

/** A verification is counted with one of this many newest uploads. */
const recentUploads = 20;

/**
 * Counts a verification with the newest upload of this account whose matches include all of its challans. Other
 * verifications belong to no upload.
 */
export async function insertUploadVerification(
  db: TenantDb,
  caller: Caller,
  ids: readonly string[],
  counts: { verifiedCount: number; skippedCount: number },
): Promise<void> {
  await db.query(
    `INSERT INTO hsd_upload_verifications (subadmin_id, upload_id, verified_count, skipped_count, created_by)
     SELECT $1, u.id, $4, $5, $2
     FROM (SELECT id, created_at, matched_ids FROM hsd_uploads WHERE subadmin_id = $1 AND created_by = $2
           ORDER BY created_at DESC, id DESC LIMIT ${recentUploads}) AS u
     WHERE cardinality($3::uuid[]) = (
       SELECT count(*) FROM unnest(u.matched_ids) AS matched (id) JOIN unnest($3::uuid[]) AS asked (id) USING (id))
     ORDER BY u.created_at DESC, u.id DESC LIMIT 1`,
    [db.tenantId, caller.accountId, ids, counts.verifiedCount, counts.skippedCount],
    'insert-hsd-upload-verification',
  );
}
