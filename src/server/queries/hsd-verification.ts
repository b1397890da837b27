import type { HsdUpload } from '../../shared/contract/hsd-verification.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { isoInstant } from './json-row.ts';
import { offsetOf } from './paging.ts';

/** A challan with a TP number of the file. */
export interface TpMatch {
  /** Position of the key in the question. */
  position: number;
  id: string;
  challanNumber: string;
  hsdAmount: string;
  hasPump: boolean;
  /** null while the challan's HSD is not verified. */
  verifiedAt: string | null;
}

/** As many challans with one TP number as are named in an error; more are as ambiguous as these. */
const mostNamed = 3;

/**
 * The challans with each of these TP keys (shared/calc/tp.ts; up to 20,000), in one statement. One walk down the index
 * for each key, whatever the planner thinks of the table: its time depends on the file and not on the tenant's history.
 */
export async function selectByTpKeys(db: TenantDb, keys: readonly string[]): Promise<TpMatch[]> {
  const { rows } = await db.query<TpMatch>(
    `SELECT wanted.position::int - 1 AS position, c.id, c.challan_number AS "challanNumber",
       c.hsd_amount AS "hsdAmount", c.petrol_pump_id IS NOT NULL AS "hasPump", c.hsd_verified_at::text AS "verifiedAt"
     FROM unnest($2::text[]) WITH ORDINALITY AS wanted (key, position)
       CROSS JOIN LATERAL (
         SELECT id, challan_number, hsd_amount, petrol_pump_id, hsd_verified_at FROM challans
         WHERE subadmin_id = $1 AND tp_key = wanted.key AND deleted_at IS NULL
         LIMIT ${mostNamed}
       ) AS c
     ORDER BY wanted.position, c.challan_number`,
    [db.tenantId, keys],
    'select-by-tp-keys',
  );
  return rows.map((row) => ({ ...row, verifiedAt: row.verifiedAt && isoInstant(row.verifiedAt) }));
}

export interface UploadEvidence {
  fileName: string;
  sha256: Buffer;
  totalRecords: number;
  validRecords: number;
  totalDiscrepancies: number;
  /** The valid matches. */
  matchedIds: readonly string[];
}

export async function insertUpload(db: TenantDb, caller: Caller, evidence: UploadEvidence): Promise<void> {
  await db.query(
    `INSERT INTO hsd_uploads (subadmin_id, file_name, sha256, total_records, valid_records, valid_matches,
       total_discrepancies, matched_ids, created_by)
     VALUES ($1, $2, $3, $4, $5, cardinality($7::uuid[]), $6, $7, $8)`,
    [
      db.tenantId,
      evidence.fileName,
      evidence.sha256,
      evidence.totalRecords,
      evidence.validRecords,
      evidence.totalDiscrepancies,
      evidence.matchedIds,
      caller.accountId,
    ],
    'insert-hsd-upload',
  );
}

export async function countUploads(db: TenantDb): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM hsd_uploads WHERE subadmin_id = $1',
    [db.tenantId],
    'count-hsd-uploads',
  );
  return rows[0]?.count ?? 0;
}

type UploadRow = Omit<HsdUpload, 'createdAt'> & { createdAt: Date };

/** Newest first. */
export async function selectUploads(db: TenantDb, paging: { page: number; limit: number }): Promise<HsdUpload[]> {
  const { rows } = await db.query<UploadRow>(
    `SELECT u.id, u.file_name AS "fileName", encode(u.sha256, 'hex') AS sha256, u.total_records AS "totalRecords",
       u.valid_records AS "validRecords", u.valid_matches AS "validMatches",
       u.total_discrepancies AS "totalDiscrepancies", u.created_at AS "createdAt", a.email AS "createdBy",
       (SELECT sum(v.verified_count)::int FROM hsd_upload_verifications v
        WHERE v.subadmin_id = $1 AND v.upload_id = u.id) AS "verifiedCount"
     FROM (SELECT * FROM hsd_uploads WHERE subadmin_id = $1
           ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3) AS u
       JOIN accounts a ON a.id = u.created_by
     ORDER BY u.created_at DESC, u.id DESC`,
    [db.tenantId, paging.limit, offsetOf(paging)],
    'select-hsd-uploads',
  );
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

export interface LockedForHsd {
  id: string;
  challanNumber: string;
  hasPump: boolean;
  hsdVerified: boolean;
}

/**
 * Holds the living ones among these challans until the transaction ends, in the order in which payments lock theirs, so
 * that two bulk calls over the same challans follow each other instead of waiting for one another.
 */
export async function lockForHsd(db: TenantDb, ids: readonly string[]): Promise<LockedForHsd[]> {
  const { rows } = await db.query<LockedForHsd>(
    `SELECT c.id, c.challan_number AS "challanNumber", c.petrol_pump_id IS NOT NULL AS "hasPump",
       c.hsd_verified AS "hsdVerified"
     FROM challans c
     WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) AND c.deleted_at IS NULL
     ORDER BY uuid_send(c.id) FOR UPDATE`,
    [db.tenantId, ids],
    'lock-for-hsd',
  );
  return rows;
}

/** Verifies challans that the caller holds, each with its line of history; returns how many of both were written. */
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

/** How far back an upload may lie for a verification to be counted with it. */
const recentUploads = 20;

/**
 * Counts a verification with the newest upload of this account whose matches hold all of its challans; one that comes
 * from elsewhere belongs to no upload.
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
