import type { TenantDb } from '../../db/tenant.ts';
import { linesWithState, stateOf } from '../bank/bank-lines.queries.ts';
import { isStillPaid } from './payments.queries.ts';
import { fetchInBatches } from '../../sql/statements.ts';

export interface AdviceRow {
  owner_id: string;
  name: string;
  account_no: string;
  ifsc: string;
  utr: string;
  executed_on: string | null;
  challan_number: string;
  tp_no: string;
  vehicle_no: string;
  loading_place: string;
  unloading_place: string;
  loading_at: Date | null;
  loading_weight: string;
  unloading_weight: string;
  rate: string;
  tds: string;
  hsd: string;
  advance: string;
  office: string;
  material_shortage: string;
  net: string;
}

/**
 * Yields what a payment still pays, in the order of its file, for one owner or for all. Names and net are those of the
 * time of the payment; weights and deductions come from the challan, whose net is the same as long as this line pays
 * it.
 */
export function selectAdviceRows(db: TenantDb, batchId: string, ownerId: string | null): AsyncGenerator<AdviceRow[]> {
  return fetchInBatches<AdviceRow>(
    db,
    'advice',
    `SELECT l.owner_id, o.name, coalesce(bank.account_no, o.account_no) AS account_no, coalesce(bank.ifsc, o.ifsc) AS ifsc,
       coalesce(bank.utr, '') AS utr, bank.event_on AS executed_on,
       l.challan_number, l.tp_no, l.vehicle_no, l.loading_place, l.unloading_place, l.loading_at,
       c.loading_weight, c.unloading_weight, c.rate_per_mt AS rate, c.tds_amount AS tds, c.hsd_amount AS hsd,
       c.advance_money AS advance, c.office_charges AS office, c.material_shortage_amount AS material_shortage,
       l.amount AS net
     FROM payment_lines l
       JOIN payment_batch_owners o ON o.subadmin_id = $1 AND o.batch_id = l.batch_id AND o.owner_id = l.owner_id
       JOIN challans c ON c.subadmin_id = $1 AND c.id = l.challan_id
       LEFT JOIN (
         SELECT v.owner_id, l.account_no, l.ifsc, CASE e.event WHEN 'executed' THEN e.utr END AS utr,
           CASE e.event WHEN 'executed' THEN e.event_on END AS event_on
         FROM ${linesWithState}
           JOIN bank_lines_of_payments v ON v.subadmin_id = $1 AND v.file_id = l.file_id AND v.line_no = l.line_no
         WHERE l.subadmin_id = $1 AND v.batch_id = $2 AND ${stateOf} IN ('in-file', 'executed')
       ) AS bank ON bank.owner_id = l.owner_id
     WHERE l.subadmin_id = $1 AND l.batch_id = $2 AND l.kind = 'pay' AND ($3::uuid IS NULL OR l.owner_id = $3)
       AND ${isStillPaid('l')}
     ORDER BY min(l.line_no) OVER (PARTITION BY l.owner_id), l.line_no`,
    [db.tenantId, batchId, ownerId],
  );
}

export interface AdviceBusiness {
  name: string;
  address: string;
  gstNo: string;
}

export function selectAdviceBusiness(db: TenantDb): Promise<AdviceBusiness> {
  return db.one<AdviceBusiness>(
    `SELECT banner_name AS name, office_address AS address, gst_no AS "gstNo" FROM accounts WHERE id = $1`,
    [db.tenantId],
    'select-advice-business',
  );
}
