import type { HsdDiscrepancyRow } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdLedgerLine } from '../../../shared/contract/hsd-verification.ts';
import type { FilterOfList } from '../../../shared/filters/define.ts';
import type { hsdLedgerFilters } from '../../../shared/filters/hsd-ledger-filters.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { conditions } from '../../sql/filter-conditions.ts';
import { offsetOf, type Paging } from '../../sql/paging.ts';
import { dayIn } from '../payments/payments.queries.ts';
import { Parameters, type Bind } from '../../sql/statements.ts';

/**
 * SQL: the rows of the bills `u` that count for each pump. A file that is uploaded again, or a corrected one, counts once:
 * for each TP number the newest bill that has it; for a row without one the newest upload of the same bytes. The
 * challan of a row is the one that was found, or accepted for it.
 */
const countedRows = (bills: string): string => `
  SELECT r.pump_id, r.upload_id, r.month, r.kind, coalesce(r.amount, 0) AS amount, coalesce(c.hsd_verified, false) AS is_verified
  FROM (
    SELECT u.petrol_pump_id AS pump_id, r.upload_id, r.row_no, r.month, r.kind, r.amount, r.challan_id,
      rank() OVER (
        PARTITION BY u.petrol_pump_id, CASE r.tp_key WHEN '' THEN encode(u.sha256, 'hex') || ' ' || r.row_no ELSE r.tp_key END
        ORDER BY u.created_at DESC, u.id DESC) AS place
    FROM hsd_uploads u JOIN hsd_upload_rows r ON r.subadmin_id = $1 AND r.upload_id = u.id
    WHERE u.subadmin_id = $1 AND ${bills}
  ) AS r
    LEFT JOIN hsd_acceptances a ON a.subadmin_id = $1 AND a.upload_id = r.upload_id AND a.row_no = r.row_no
    LEFT JOIN challans c ON c.subadmin_id = $1 AND c.id = coalesce(r.challan_id, a.challan_id)
  WHERE r.place = 1`;

type LedgerFilter = FilterOfList<typeof hsdLedgerFilters>;

/** SQL: the lines of the ledger, one for each pump and month. Those with differences have rows that are disputed. */
function ledgerLines({ search, differences, startDate, endDate }: LedgerFilter, bind: Bind): string {
  const uploaded = { column: dayIn('u.created_at'), none: null, tenant: '$1', bind };
  const bills = [
    `u.petrol_pump_id IN (SELECT p.id FROM petrol_pumps p
      WHERE p.subadmin_id = $1 AND position(lower(${bind(search ?? '')}) IN lower(p.name)) > 0)`,
    ...(startDate === undefined ? [] : [conditions.dayFrom(startDate, uploaded)]),
    ...(endDate === undefined ? [] : [conditions.dayTo(endDate, uploaded)]),
  ].join(' AND ');
  const isDisputed = "bool_or(kind <> 'match' AND NOT is_verified)";
  return `
    SELECT pump_id, month, count(*)::int AS row_count, sum(amount) AS billed,
      coalesce(sum(amount) FILTER (WHERE is_verified), 0.00) AS verified,
      coalesce(sum(amount) FILTER (WHERE kind = 'match' AND NOT is_verified), 0.00) AS open
    FROM (${countedRows(bills)}) AS counted GROUP BY pump_id, month
    ${differences === undefined ? '' : `HAVING ${differences ? '' : 'NOT '}${isDisputed}`}`;
}

/** A page past the last one has one row with only the count. */
type LedgerRow = Omit<HsdLedgerLine, 'id' | 'petrolPump'> & { pumpId: string | null; pumpName: string; count: number };

/** Returns a page of the ledger: the newest month first, then by pump. */
export async function selectHsdLedger(
  db: TenantDb,
  query: LedgerFilter & Paging,
): Promise<{ data: HsdLedgerLine[]; count: number }> {
  const { values, bind } = new Parameters(db);
  const { rows } = await db.query<LedgerRow>(
    `WITH lines AS MATERIALIZED (${ledgerLines(query, bind)})
     SELECT (SELECT count(*)::int FROM lines) AS count, page.*
     FROM (VALUES (true)) AS always LEFT JOIN (
       SELECT l.pump_id AS "pumpId", p.name AS "pumpName", to_char(l.month, 'YYYY-MM') AS month, l.row_count AS "rowCount",
         round(l.billed, 2) AS "billedAmount", round(l.verified, 2) AS "verifiedAmount", round(l.open, 2) AS "openAmount",
         round(l.billed - l.verified - l.open, 2) AS "disputedAmount"
       FROM lines l JOIN petrol_pumps p ON p.subadmin_id = $1 AND p.id = l.pump_id
       ORDER BY l.month DESC, lower(p.name), p.id LIMIT ${bind(query.limit)} OFFSET ${bind(offsetOf(query))}
     ) AS page ON true
     ORDER BY page.month DESC, lower(page."pumpName"), page."pumpId"`,
    values,
  );
  return {
    count: rows[0]?.count ?? 0,
    data: rows.flatMap(
      ({ pumpId, pumpName, month, rowCount, billedAmount, verifiedAmount, openAmount, disputedAmount }) =>
        pumpId === null
          ? []
          : {
              id: `${pumpId} ${month}`,
              petrolPump: { id: pumpId, name: pumpName },
              month,
              rowCount,
              billedAmount,
              verifiedAmount,
              openAmount,
              disputedAmount,
            },
    ),
  };
}

/** Returns how many lines a filter of the ledger has, and what is disputed of them. */
export async function sumDisputed(db: TenantDb, filter: LedgerFilter): Promise<{ count: number; amount: string }> {
  const { values, bind } = new Parameters(db);
  const { rows } = await db.query<{ count: number; amount: string }>(
    `SELECT count(*)::int AS count, round(coalesce(sum(billed - verified - open), 0), 2) AS amount
     FROM (${ledgerLines(filter, bind)}) AS lines`,
    values,
  );
  // An aggregate without GROUP BY returns one row.
  return rows[0]!;
}

export interface UploadOfSheet {
  fileName: string;
  createdAt: Date;
  pumpName: string | null;
}

export async function selectUploadOfSheet(db: TenantDb, id: string): Promise<UploadOfSheet | undefined> {
  const { rows } = await db.query<UploadOfSheet>(
    `SELECT u.file_name AS "fileName", u.created_at AS "createdAt", p.name AS "pumpName"
     FROM hsd_uploads u LEFT JOIN petrol_pumps p ON p.subadmin_id = $1 AND p.id = u.petrol_pump_id
     WHERE u.subadmin_id = $1 AND u.id = $2`,
    [db.tenantId, id],
    'select-hsd-upload-of-sheet',
  );
  return rows[0];
}

/** Returns the rows of a bill that are neither a match, nor accepted, nor verified by now, in the order of the bill. */
export async function selectDiscrepancies(db: TenantDb, id: string): Promise<HsdDiscrepancyRow[]> {
  const { rows } = await db.query<HsdDiscrepancyRow>(
    `SELECT r.row_no AS row, r.tp_no AS "tpNo", r.bill_date AS "billDate", r.vehicle_no AS "billVehicle",
       r.amount AS "billedAmount", c.challan_number AS "challanNumber", c.vehicle_no AS "vehicleNo",
       c.loading_on::text AS "loadingDate", c.hsd_amount AS "challanAmount", r.amount - c.hsd_amount AS difference,
       CASE r.kind WHEN 'mismatch' THEN 'Amount differs' WHEN 'not-found' THEN 'TP No not in our challans' ELSE r.note END
         AS remark
     FROM hsd_upload_rows r
       LEFT JOIN challans c ON c.subadmin_id = $1 AND c.id = r.challan_id
       LEFT JOIN hsd_acceptances a ON a.subadmin_id = $1 AND a.upload_id = r.upload_id AND a.row_no = r.row_no
     WHERE r.subadmin_id = $1 AND r.upload_id = $2 AND r.kind IN ('mismatch', 'not-found', 'set-aside')
       AND a.row_no IS NULL AND c.hsd_verified IS NOT TRUE
     ORDER BY r.row_no`,
    [db.tenantId, id],
    'select-hsd-discrepancies',
  );
  return rows;
}
