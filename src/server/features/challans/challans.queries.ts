import type { Challan, ChallanReference } from '../../../shared/contract/challan.ts';
import {
  challanFields,
  sentName,
  storedFieldNames,
  type ChallanValues,
} from '../../../shared/contract/challan-fields.ts';
import { tpKey, vehicleKey } from '../../../shared/calc/keys.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { Changes } from '../history/history.queries.ts';
import { ownRow, type OwnChallan } from './challans-many.queries.ts';
import { challanJoins, challanRow } from './challans-row.queries.ts';

/** The fields that a write stores, in the order of the statements below. */
export const storedFields = storedFieldNames.map(sentName);
const columns = storedFieldNames.map((name) => challanFields[name].column);
const valuesOf = (values: ChallanValues): unknown[] => storedFields.map((field) => values[field]);

export async function selectChallan(db: TenantDb, id: string): Promise<Challan | null> {
  const [row] = await db.texts(
    `SELECT ${challanRow.columns} FROM challans AS c ${challanJoins}
     WHERE c.subadmin_id = $1 AND c.id = $2 AND c.deleted_at IS NULL`,
    [db.tenantId, id],
    'select-challan',
  );
  return row ? challanRow.read(row) : null;
}

/** Locks the challan until the transaction ends. Later reads see its newest state. Returns false when it does not exist. */
export async function lockChallanRow(db: TenantDb, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'SELECT FROM challans WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE',
    [db.tenantId, id],
    'lock-challan-row',
  );
  return rowCount === 1;
}

/** Locks the challan and reads its newest state; null when it does not exist. */
export async function lockChallan(db: TenantDb, id: string): Promise<Challan | null> {
  // Two statements that are sent together. A single one that waits for a lock would read joined rows in their old
  // state.
  const [, challan] = await Promise.all([lockChallanRow(db, id), selectChallan(db, id)]);
  return challan;
}

/** Like `lockChallan`, without the records that the challan refers to: one statement and no joins. */
export async function lockOwnChallan(db: TenantDb, id: string): Promise<OwnChallan | null> {
  const [row] = await db.texts(
    `SELECT ${ownRow.columns} FROM challans AS c WHERE c.subadmin_id = $1 AND c.id = $2 AND c.deleted_at IS NULL FOR UPDATE`,
    [db.tenantId, id],
    'lock-own-challan',
  );
  return row ? ownRow.read(row) : null;
}

/** A change of one challan: who makes it, and what its line of history says. */
export interface RecordedChange {
  id: string;
  caller: Caller;
  changes: Changes;
}

/** SQL: changes a challan and adds the line of history. The parameters of `set` and of `condition` begin at $6. */
const changed = (set: string, condition: string = ''): string => `WITH changed AS (
       UPDATE challans SET ${set}, updated_at = clock_timestamp(), version = version + 1
       WHERE subadmin_id = $1 AND id = $2 ${condition}
       RETURNING *
     ), line AS (
       INSERT INTO history (subadmin_id, entity, entity_id, action, actor_id, screen, changes)
       SELECT $1, 'challan', id, 'updated', $3, $4, $5::jsonb FROM changed
     )`;
const recorded = (db: TenantDb, { id, caller, changes }: RecordedChange): unknown[] => [
  db.tenantId,
  id,
  caller.accountId,
  caller.screen,
  JSON.stringify(changes),
];

/**
 * Stores the values of a challan that the caller has locked, and returns it as it is then. `isHsdCleared` also clears the HSD
 * verification (docs/specification.md §8.5).
 */
export async function updateChallan(
  db: TenantDb,
  change: RecordedChange,
  values: ChallanValues,
  isHsdCleared: boolean,
): Promise<Challan> {
  const [row] = await db.texts(
    `${changed(`${columns.map((column, index) => `${column} = $${index + 7}`).join(', ')},
       hsd_verified = hsd_verified AND NOT $6, hsd_verified_at = CASE WHEN $6 THEN NULL ELSE hsd_verified_at END`)}
     SELECT ${challanRow.columns} FROM changed AS c ${challanJoins}`,
    [...recorded(db, change), isHsdCleared, ...valuesOf(values)],
    'update-challan',
  );
  if (!row) throw new Error('A challan that is locked cannot be found');
  return challanRow.read(row);
}

/** Changes the HSD verification of a challan that has a pump. Returns false when it has none, or is so already. */
export async function updateHsdVerified(db: TenantDb, change: RecordedChange, hsdVerified: boolean): Promise<boolean> {
  const { rowCount } = await db.query(
    `${changed(
      'hsd_verified = $6, hsd_verified_at = CASE WHEN $6 THEN now() END',
      'AND hsd_verified <> $6 AND petrol_pump_id IS NOT NULL AND deleted_at IS NULL',
    )} SELECT FROM changed`,
    [...recorded(db, change), hsdVerified],
    'update-hsd-verified',
  );
  return rowCount === 1;
}

/** The ids of the records that a challan refers to. */
export interface References {
  ownerId?: string | null;
  discounterId?: string | null;
  tagId?: string | null;
  petrolPumpId?: string | null;
}
export type ReferenceField = keyof References;

const tables = { ownerId: 'owners', discounterId: 'owners', tagId: 'tags', petrolPumpId: 'petrol_pumps' } as const;
// Object.keys widens to string; these are the table's keys.
const referenceFields = Object.keys(tables) as ReferenceField[];
const referencedTables = [...new Set(Object.values(tables))];

/**
 * Locks the records that these challans refer to. Returns for each challan which of its references are deleted or unknown, and
 * the names of the other records by id. These cannot be deleted until the transaction ends: a delete locks its row FOR UPDATE
 * and counts the challans after that, so it either waits for this transaction or has finished before this check.
 */
export async function lockReferences(
  db: TenantDb,
  challans: readonly References[],
): Promise<{ missing: ReferenceField[][]; names: ReadonlyMap<string, string> }> {
  const wanted = { owners: new Set<string>(), tags: new Set<string>(), petrol_pumps: new Set<string>() };
  for (const challan of challans) {
    for (const field of referenceFields) {
      const id = challan[field];
      if (id) wanted[tables[field]].add(id);
    }
  }
  const ids = referencedTables.map((table) => [...wanted[table]]);
  if (ids.every(({ length }) => length === 0)) return { missing: challans.map(() => []), names: new Map() };
  const { rows } = await db.query<{ id: string; name: string }>(
    // The tables are read, and so locked, in the order of the union.
    `WITH ${referencedTables
      .map(
        (table, index) => `locked_${table} AS (
           SELECT id, name FROM ${table} WHERE subadmin_id = $1 AND id = ANY ($${index + 2}::uuid[]) AND deleted_at IS NULL
           ORDER BY id FOR KEY SHARE)`,
      )
      .join(', ')}
     ${referencedTables.map((table) => `SELECT id, name FROM locked_${table}`).join(' UNION ALL ')}`,
    [db.tenantId, ...ids],
    'lock-references',
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const missing = challans.map((challan) =>
    referenceFields.filter((field) => challan[field] && !names.has(challan[field])),
  );
  return { missing, names };
}

const reference = `id, challan_number AS "challanNumber", tp_no AS "tpNo", vehicle_no AS "vehicleNo",
  loading_at AS "loadingDate"`;
const maxShown = 10;

/** Returns the challans with these numbers, the newest first. */
export const selectChallansByNumber = (db: TenantDb, numbers: readonly string[]): Promise<ChallanReference[]> =>
  db.records(
    `SELECT ${reference} FROM challans
     WHERE subadmin_id = $1 AND challan_number = ANY ($2) AND deleted_at IS NULL
     ORDER BY created_at DESC, id DESC LIMIT ${maxShown}`,
    [db.tenantId, numbers],
    'select-challans-by-number',
  );

/** Returns challans with the same TP number, compared without spaces and case; the newest first. */
export const selectSameTp = (db: TenantDb, tpNo: string, excludeId?: string): Promise<ChallanReference[]> =>
  db.records(
    `SELECT ${reference} FROM challans
     WHERE subadmin_id = $1 AND deleted_at IS NULL AND tp_key = $2
       AND id IS DISTINCT FROM $3::uuid
     ORDER BY created_at DESC, id DESC LIMIT ${maxShown}`,
    [db.tenantId, tpKey(tpNo), excludeId ?? null],
    'select-same-tp',
  );

/** Returns challans of the same vehicle (docs/specification.md §3.5) on the same loading day; the newest first. */
export const selectSameTrip = (
  db: TenantDb,
  trip: { vehicleNo: string; loadingOn: string },
  excludeId?: string,
): Promise<ChallanReference[]> =>
  db.records(
    `SELECT ${reference} FROM challans
     WHERE subadmin_id = $1 AND deleted_at IS NULL
       AND vehicle_key = $2 AND loading_on = $3::date
       AND id IS DISTINCT FROM $4::uuid
     ORDER BY created_at DESC, id DESC LIMIT ${maxShown}`,
    [db.tenantId, vehicleKey(trip.vehicleNo), trip.loadingOn, excludeId ?? null],
    'select-same-trip',
  );

/** A stored challan that may be the same as a row of the entry sheet. */
interface Twin {
  /** The TP key or the trip of the row, by which the challan was found. */
  asked: string;
  challan: ChallanReference;
}
const maxTwins = 3;

/**
 * Returns challans with one of these TP keys (shared/calc/keys.ts), the newest three of each. The keys are passed as one
 * set and the statement has no name, for the reason given at selectByTpKeys. The same applies below.
 */
export async function selectTpTwins(db: TenantDb, keys: readonly string[]): Promise<Twin[]> {
  const rows = await db.records<ChallanReference & { asked: string }>(
    `SELECT asked, id, "challanNumber", "tpNo", "vehicleNo", "loadingDate"
     FROM (SELECT tp_key AS asked, ${reference},
             row_number() OVER (PARTITION BY tp_key ORDER BY created_at DESC, id DESC) AS place
           FROM challans WHERE subadmin_id = $1 AND tp_key = ANY ($2::text[]) AND deleted_at IS NULL) AS twins
     WHERE place <= ${maxTwins} ORDER BY asked, place`,
    [db.tenantId, keys],
  );
  return rows.map(({ asked, ...challan }) => ({ asked, challan }));
}

/** Returns the TDS percentage of each owner's last challan, where something was deducted. */
export async function selectLastTds(
  db: TenantDb,
  ownerIds: readonly string[],
): Promise<{ ownerId: string; tdsPercentage: string }[]> {
  const { rows } = await db.query<{ ownerId: string; tdsPercentage: string }>(
    `SELECT owners.id AS "ownerId", last.tds_percentage::text AS "tdsPercentage"
     FROM unnest($2::uuid[]) AS owners (id)
     CROSS JOIN LATERAL (
       SELECT tds_percentage FROM challans
       WHERE subadmin_id = $1 AND owner_id = owners.id AND deleted_at IS NULL
       ORDER BY created_at DESC, id DESC LIMIT 1) AS last
     WHERE last.tds_percentage > 0`,
    [db.tenantId, ownerIds],
  );
  return rows;
}

export interface Route {
  loadingPlace: string;
  unloadingPlace: string;
}

/**
 * Returns the rate of the last challan of each route that has one, in their order. Case makes no difference. `edited` is a
 * challan that does not count.
 */
export async function selectLastRates(
  db: TenantDb,
  routes: readonly Route[],
  edited?: string,
): Promise<(Route & { ratePerMT: string })[]> {
  if (routes.length === 0) return [];
  const { rows } = await db.query<{ place: string; rate: string }>(
    'SELECT place::text, rate::text FROM last_rates($1, $2, $3)',
    [routes.map((route) => route.loadingPlace), routes.map((route) => route.unloadingPlace), edited ?? null],
    'select-last-rates',
  );
  // Safe: the function counts the routes from 1.
  return rows.map(({ place, rate }) => ({ ...routes[Number(place) - 1]!, ratePerMT: rate }));
}

export interface Trip {
  /** shared/calc/keys.ts */
  vehicleKey: string;
  loadingOn: string;
}
export const tripKey = ({ vehicleKey, loadingOn }: Trip): string => `${loadingOn} ${vehicleKey}`;

/** Returns challans of these trips (a vehicle on a loading day), the newest three of each. */
export async function selectTripTwins(db: TenantDb, trips: readonly Trip[]): Promise<Twin[]> {
  const rows = await db.records<ChallanReference & { asked: string }>(
    `SELECT asked, id, "challanNumber", "tpNo", "vehicleNo", "loadingDate"
     FROM (SELECT loading_on::text || ' ' || vehicle_key AS asked, ${reference},
             row_number() OVER (PARTITION BY vehicle_key, loading_on ORDER BY created_at DESC, id DESC) AS place
           FROM challans
           WHERE subadmin_id = $1 AND vehicle_key = ANY ($2::text[]) AND loading_on = ANY ($3::date[])
             AND loading_on::text || ' ' || vehicle_key = ANY ($4::text[]) AND deleted_at IS NULL) AS twins
     WHERE place <= ${maxTwins} ORDER BY asked, place`,
    [
      db.tenantId,
      [...new Set(trips.map(({ vehicleKey }) => vehicleKey))],
      [...new Set(trips.map(({ loadingOn }) => loadingOn))],
      trips.map(tripKey),
    ],
  );
  return rows.map(({ asked, ...challan }) => ({ asked, challan }));
}
