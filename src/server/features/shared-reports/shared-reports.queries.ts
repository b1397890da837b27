import type { Language } from '../../../shared/contract/languages.ts';
import type {
  OwnerPage,
  OwnerTrip,
  SharedReport,
  SharedReportFilters,
} from '../../../shared/contract/shared-reports.ts';
import type { Caller } from '../../caller.ts';
import type { GlobalDb, TenantDb } from '../../db/tenant.ts';
import { linesWithState } from '../bank/bank-lines.queries.ts';
import { actorName } from '../../sql/actor.ts';
import { selectPage, type Page, type Paging } from '../../sql/paging.ts';

/** How long a link is valid (docs/specification.md §9.4). */
const life = `interval '72 hours'`;

/** SQL: selects reports without the hash and the file, which the list does not need. */
const selectReports = `
  SELECT r.id, r.owner_id AS "ownerId", o.name AS "ownerName", r.file_name AS "fileName", r.record_count AS "recordCount",
    b.number AS "paymentNumber",
    -- Reports of an earlier version had no filters by paid day.
    '{"paidStartDate": null, "paidEndDate": null}'::jsonb || r.filters AS filters, r.created_at AS "createdAt",
    ${actorName('maker')} AS "createdBy", r.expires_at AS "expiresAt", r.revoked_at AS "revokedAt",
    CASE WHEN r.revoked_at IS NOT NULL THEN 'revoked' WHEN r.expires_at <= now() THEN 'expired' ELSE 'active' END AS status
  FROM shared_reports r
    JOIN owners o ON o.subadmin_id = $1 AND o.id = r.owner_id
    JOIN accounts maker ON maker.id = r.created_by
    LEFT JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = r.batch_id
  WHERE r.subadmin_id = $1`;

/** Returns how many links of this kind are live, and the seconds until the first of them expires. */
export async function selectLiveReports(
  db: TenantDb,
  kind: 'report' | 'payment',
): Promise<{ count: number; secondsToNextEnd: number }> {
  // The condition on created_at follows from the one on expires_at, but only created_at has an index.
  const row = await db.first<{ count: number; seconds: number | null }>(
    `SELECT count(*)::int AS count, greatest(1, ceil(extract(epoch FROM min(expires_at) - now())))::int AS seconds
     FROM shared_reports WHERE subadmin_id = $1 AND expires_at > now() AND created_at > now() - ${life}
       AND revoked_at IS NULL AND (batch_id IS NOT NULL) = $2`,
    [db.tenantId, kind === 'payment'],
    'select-live-reports',
  );
  return { count: row?.count ?? 0, secondsToNextEnd: row?.seconds ?? 1 };
}

/** Returns a page of the shared reports, the newest first. */
export const selectSharedReports = (db: TenantDb, paging: Paging): Promise<Page<SharedReport>> =>
  selectPage(
    db,
    paging,
    'shared_reports WHERE subadmin_id = $1',
    `${selectReports} ORDER BY r.created_at DESC, r.id DESC LIMIT $2 OFFSET $3`,
    [db.tenantId],
    'select-shared-reports',
  );

/** Reads and locks a report, so that of two simultaneous revocations only one takes effect. */
export async function lockSharedReport(db: TenantDb, id: string): Promise<SharedReport | undefined> {
  const [report] = await db.records<SharedReport>(`${selectReports} AND r.id = $2 FOR UPDATE OF r`, [db.tenantId, id]);
  return report;
}

/** Revokes the link and deletes the file. */
export async function updateRevoked(db: TenantDb, id: string): Promise<void> {
  await db.query(
    `UPDATE shared_reports SET revoked_at = now(), content = '' WHERE subadmin_id = $1 AND id = $2 AND revoked_at IS NULL`,
    [db.tenantId, id],
  );
}

interface NewReport {
  tokenHash: Buffer;
  ownerId: string;
  fileName: string;
  content: string;
  recordCount: number;
  filters: SharedReportFilters;
  page: Omit<OwnerPage, 'asOf' | 'validUntil'>;
  trips: readonly OwnerTrip[];
  /** The payment that the report is about; null for an ordinary report. */
  batchId: string | null;
}

/** Stores a report. Returns its id and until when its link is valid. */
export function insertSharedReport(
  db: TenantDb,
  caller: Caller,
  report: NewReport,
): Promise<{ id: string; expiresAt: Date }> {
  return db.one<{ id: string; expiresAt: Date }>(
    `INSERT INTO shared_reports (subadmin_id, token_hash, owner_id, file_name, content, record_count, filters,
       created_by, page, trips, batch_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
       $9::jsonb || jsonb_build_object('asOf', now(), 'validUntil', now() + ${life}), $10, $11, now() + ${life})
     RETURNING id, expires_at AS "expiresAt"`,
    [
      db.tenantId,
      report.tokenHash,
      report.ownerId,
      report.fileName,
      report.content,
      report.recordCount,
      JSON.stringify(report.filters),
      caller.accountId,
      JSON.stringify(report.page),
      report.trips.map((trip) => JSON.stringify(trip)),
      report.batchId,
    ],
  );
}

export interface ReportOwner {
  name: string;
  contactNumber: string;
  language: Language;
  /** The last four digits of the account number. */
  account: string;
}

/** Returns the owner of a report and locks it, so that it cannot be deleted in the meantime. */
export function lockReportOwner(db: TenantDb, id: string): Promise<ReportOwner | undefined> {
  return db.first<ReportOwner>(
    `SELECT name, contact_number AS "contactNumber", language, right(account_no, 4) AS account FROM owners
     WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE`,
    [db.tenantId, id],
  );
}

/** Returns the UTR and the day of what the bank executed of these payments for an owner, by payment number. */
export async function selectUtrs(
  db: TenantDb,
  ownerId: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, { utr: string; bankOn: string | null }>> {
  if (numbers.length === 0) return new Map();
  const { rows } = await db.query<{ number: string; utr: string; bankOn: string | null }>(
    `SELECT b.number, e.utr, e.event_on AS "bankOn" FROM ${linesWithState}
       JOIN bank_lines_of_payments v ON v.subadmin_id = $1 AND v.file_id = l.file_id AND v.line_no = l.line_no
       JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = v.batch_id
     WHERE l.subadmin_id = $1 AND v.owner_id = $2 AND b.number = ANY ($3::text[]) AND e.event = 'executed'`,
    [db.tenantId, ownerId, numbers],
  );
  return new Map(rows.map(({ number, ...bank }) => [number, bank]));
}

/** Reads an owner page without a session, like the file below, with the trips from `from` to `to`, counted from 1. */
export function selectOwnerPage(
  db: GlobalDb,
  tokenHash: Buffer,
  from: number,
  to: number,
): Promise<{ fileName: string; page: OwnerPage; trips: OwnerTrip[] } | undefined> {
  return db.first<{ fileName: string; page: OwnerPage; trips: OwnerTrip[] }>(
    'SELECT file_name AS "fileName", page, trips FROM owner_page_by_token($1, $2, $3)',
    [tokenHash, from, to],
    'owner-page-by-token',
  );
}

/** Reads a shared file without a session. The database function decides what may be seen (migration 010). */
export function selectSharedFile(
  db: GlobalDb,
  tokenHash: Buffer,
): Promise<{ fileName: string; content: string } | undefined> {
  return db.first<{ fileName: string; content: string }>(
    'SELECT file_name AS "fileName", content FROM shared_report_by_token($1)',
    [tokenHash],
    'shared-report-by-token',
  );
}

export async function forgetEndedSharedReports(db: GlobalDb): Promise<void> {
  await db.query('SELECT forget_ended_shared_reports()');
}
