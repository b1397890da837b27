import { leastLength, withoutZeros } from '../../../shared/calc/keys.ts';
import type { TenantDb } from '../../db/tenant.ts';

/** SQL: challans that may be near matches: not verified, with a pump. */
const openChallans = `c.subadmin_id = $1 AND c.deleted_at IS NULL AND NOT c.hsd_verified
       AND c.petrol_pump_id IS NOT NULL AND ($3::uuid IS NULL OR c.petrol_pump_id = $3)`;

interface NearPair {
  /** The index of the key in the parameter. */
  position: number;
  id: string;
}

/**
 * Finds challans whose TP key equals one of these except for leading zeros, at most 15 of them. Each key is looked up with every
 * number of zeros that keys of challans begin with: under row-level security no index can be asked for keys without their zeros.
 */
export async function selectWithoutZeros(
  db: TenantDb,
  keys: readonly string[],
  pumpId: string | null,
): Promise<NearPair[]> {
  const { rows: counts } = await db.query<{ zeros: string }>(
    `WITH RECURSIVE counts (zeros) AS (
       SELECT '' UNION ALL SELECT zeros || '0' FROM counts WHERE length(zeros) < 15 AND (
         SELECT min(tp_key) FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL
           AND tp_key >= zeros || '0' AND tp_key < zeros || '1') IS NOT NULL
     )
     SELECT zeros FROM counts`,
    [db.tenantId],
    'select-tp-zeros',
  );
  const positions = new Map(keys.map((key, position) => [withoutZeros(key), position] as const).reverse());
  positions.delete('');
  const wanted = [...positions.keys()].flatMap((key) => counts.map(({ zeros }) => zeros + key));
  const { rows } = await db.query<{ id: string; key: string }>(
    `SELECT c.id, c.tp_key AS key FROM challans c WHERE ${openChallans} AND c.tp_key = ANY ($2::text[])`,
    [db.tenantId, wanted, pumpId],
  );
  // Safe: the keys are among those that were asked for.
  return rows.map(({ id, key }) => ({ id, position: positions.get(withoutZeros(key))! }));
}

/**
 * At most this many challans are compared, the newest ones, because each is expanded into about a dozen texts. A pump
 * has fewer challans in three months.
 */
const maxCompared = 60_000;

export interface Period {
  from: string;
  to: string;
}

/**
 * Finds challans of a period whose TP key differs from one of these by one character. Two texts differ by one character
 * exactly when they are equal without the character at one position, or one equals the other without one of its
 * characters. So both sides are expanded into all texts with one character removed, and joined. Only challans that the
 * file has not matched are compared.
 */
export async function selectOneCharacterOff(
  db: TenantDb,
  keys: readonly string[],
  pumpId: string | null,
  { from, to }: Period,
  taken: readonly string[],
): Promise<NearPair[]> {
  // The planner expects a thousand characters in a key, and would sort all these texts.
  const setting = db.query('SET LOCAL enable_mergejoin = off');
  const near = db.query<NearPair>(
    `WITH wanted AS MATERIALIZED (
       SELECT position, length(key) AS size, i, CASE i WHEN 0 THEN key ELSE left(key, i - 1) || substr(key, i + 1) END AS text
       FROM unnest($2::text[]) WITH ORDINALITY AS k (key, position), generate_series(0, length(key)) AS i
       WHERE length(key) >= ${leastLength}
     ), sizes AS MATERIALIZED (
       SELECT min(size) AS least, max(size) AS most FROM wanted
     ), open AS MATERIALIZED (
       SELECT c.id, c.tp_key FROM challans c, sizes
       WHERE ${openChallans} AND c.loading_on BETWEEN $4 AND $5
         AND length(c.tp_key) BETWEEN greatest(${leastLength}, sizes.least - 1) AND sizes.most + 1
         AND NOT EXISTS (SELECT FROM unnest($6::uuid[]) AS t (id) WHERE t.id = c.id)
       ORDER BY c.loading_on DESC LIMIT ${maxCompared}
     ), offered AS (
       SELECT id, length(tp_key) AS size, i,
         CASE i WHEN 0 THEN tp_key ELSE left(tp_key, i - 1) || substr(tp_key, i + 1) END AS text
       FROM open, generate_series(0, length(tp_key)) AS i
     )
     SELECT DISTINCT w.position::int - 1 AS position, o.id FROM offered o JOIN wanted w ON w.text = o.text
     WHERE (w.i = o.i AND w.size = o.size) OR (w.i = 0 AND o.size = w.size + 1) OR (o.i = 0 AND w.size = o.size + 1)`,
    [db.tenantId, keys, pumpId, from, to, taken],
  );
  const [{ rows }] = await Promise.all([near, setting]);
  return rows;
}

export interface NearChallan {
  challanId: string;
  challanNumber: string;
  tpNo: string;
  tpKey: string;
  vehicleNo: string;
  loadingDate: string;
  ownerName: string;
  challanAmount: string;
  pumpId: string;
}

export async function selectNearChallans(db: TenantDb, ids: readonly string[]): Promise<Map<string, NearChallan>> {
  const { rows } = await db.query<NearChallan>(
    `SELECT c.id AS "challanId", c.challan_number AS "challanNumber", c.tp_no AS "tpNo", c.tp_key AS "tpKey",
       c.vehicle_no AS "vehicleNo", c.loading_on::text AS "loadingDate", c.owner_name AS "ownerName",
       c.hsd_amount AS "challanAmount", c.petrol_pump_id AS "pumpId"
     FROM challans c WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[])`,
    [db.tenantId, ids],
    'select-hsd-near-challans',
  );
  return new Map(rows.map((row) => [row.challanId, row]));
}
