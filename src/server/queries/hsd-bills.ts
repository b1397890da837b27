import type { RememberedColumns } from '../../shared/calc/hsd.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';

/** A pump whose bills are verified, and what is remembered of them. */
export interface BillPump {
  name: string;
  tolerance: string;
  columns: RememberedColumns | null;
}

/** Also of a deleted pump, whose challans keep it; nothing for another tenant's or an unknown one. */
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
