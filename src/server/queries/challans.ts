import type { Challan, ChallanReference } from '../../shared/contract/challan.ts';
import { challanNumber } from '../../shared/calc/challan-number.ts';
import { tpKey } from '../../shared/calc/tp.ts';
import type { TenantDb } from '../db/tenant.ts';
import { challanJoins, challanRow } from './challans-row.ts';
import { isoInstant } from './json-row.ts';

/** What a write stores: complete, computed, two decimals, instants in ISO 8601. */
export interface ChallanValues {
  tpNo: string;
  vehicleNo: string;
  ownerName: string;
  ownerContactNumber: string;
  discounterId: string | null;
  tagId: string | null;
  petrolPumpId: string | null;
  material: string;
  loadingDate: string;
  unloadingDate: string;
  loadingPlace: string;
  unloadingPlace: string;
  loadingWeight: string;
  unloadingWeight: string;
  differenceWeight: string;
  discountWeight: string;
  ratePerMT: string;
  tdsPercentage: string | null;
  tdsAmount: string;
  hsdPricePerLiter: string;
  hsdInLiters: string;
  hsdAmount: string;
  advanceMoney: string;
  officeCharges: string;
  shortageAmount: string;
  materialShortageAmount: string;
  netAmountPayable: string;
  vehicleType: string;
  vehicleWheel: number | null;
  driverName: string;
  drivingLicenseNo: string;
  dataEntryBy: string;
  remarks: string;
  depositedAt: string | null;
}

const columnOf: { readonly [field in keyof ChallanValues]: string } = {
  tpNo: 'tp_no',
  vehicleNo: 'vehicle_no',
  ownerName: 'owner_name',
  ownerContactNumber: 'owner_contact_number',
  discounterId: 'discounter_id',
  tagId: 'tag_id',
  petrolPumpId: 'petrol_pump_id',
  material: 'material',
  loadingDate: 'loading_at',
  unloadingDate: 'unloading_at',
  loadingPlace: 'loading_place',
  unloadingPlace: 'unloading_place',
  loadingWeight: 'loading_weight',
  unloadingWeight: 'unloading_weight',
  differenceWeight: 'difference_weight',
  discountWeight: 'discount_weight',
  ratePerMT: 'rate_per_mt',
  tdsPercentage: 'tds_percentage',
  tdsAmount: 'tds_amount',
  hsdPricePerLiter: 'hsd_price_per_liter',
  hsdInLiters: 'hsd_in_liters',
  hsdAmount: 'hsd_amount',
  advanceMoney: 'advance_money',
  officeCharges: 'office_charges',
  shortageAmount: 'shortage_amount',
  materialShortageAmount: 'material_shortage_amount',
  netAmountPayable: 'net_amount_payable',
  vehicleType: 'vehicle_type',
  vehicleWheel: 'vehicle_wheel',
  driverName: 'driver_name',
  drivingLicenseNo: 'driving_license_no',
  dataEntryBy: 'data_entry_by',
  remarks: 'remarks',
  depositedAt: 'deposited_at',
};
/** Every field a write stores, in the order of the statements below. */
// Object.keys widens to string; these are the keys of the object above.
export const storedFields = Object.keys(columnOf) as (keyof ChallanValues)[];

const columns = storedFields.map((field) => columnOf[field]);
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

/** Holds the challan until the transaction ends; what is read after it is its newest state. False: it is not there. */
export async function holdChallan(db: TenantDb, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'SELECT FROM challans WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE',
    [db.tenantId, id],
    'hold-challan',
  );
  return rowCount === 1;
}

/** Holds the challan, and reads it as it is then; null when it is not there. */
export async function lockChallan(db: TenantDb, id: string): Promise<Challan | null> {
  // Two statements on their way together: one that waits for a lock would show the rows it names as they were before.
  const [, challan] = await Promise.all([holdChallan(db, id), selectChallan(db, id)]);
  return challan;
}

/** The next number of the account in the present financial year (ruling 29). The counter's row stays locked to the end. */
export async function takeChallanNumber(db: TenantDb): Promise<string> {
  const { rows } = await db.query<{ value: string; at: Date }>(
    `WITH moment AS MATERIALIZED (
       SELECT clock_timestamp() AS at
     ), taken AS (
       INSERT INTO counters AS k (subadmin_id, name, value)
       SELECT $1, 'challan-' || to_char(at AT TIME ZONE 'Asia/Kolkata' - interval '3 months', 'YY')
         || to_char(at AT TIME ZONE 'Asia/Kolkata' + interval '9 months', 'YY'), 1
       FROM moment
       ON CONFLICT (subadmin_id, name) DO UPDATE SET value = k.value + 1
       RETURNING value
     )
     SELECT value, at FROM taken, moment`,
    [db.tenantId],
    'take-challan-number',
  );
  // An upsert returns its row.
  const { value, at } = rows[0]!;
  return challanNumber(at, Number(value));
}

export async function insertChallan(
  db: TenantDb,
  number: string,
  ownerId: string,
  values: ChallanValues,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO challans (subadmin_id, challan_number, owner_id, ${columns.join(', ')})
     VALUES ($1, $2, $3, ${columns.map((_, index) => `$${index + 4}`).join(', ')}) RETURNING id`,
    [db.tenantId, number, ownerId, ...valuesOf(values)],
    'insert-challan',
  );
  // An insert of one row returns one.
  return rows[0]!.id;
}

/** `isHsdCleared`: the verification is taken back with this change (ruling 30). */
export async function updateChallan(
  db: TenantDb,
  id: string,
  values: ChallanValues,
  isHsdCleared: boolean,
): Promise<void> {
  await db.query(
    `UPDATE challans SET ${columns.map((column, index) => `${column} = $${index + 4}`).join(', ')},
       hsd_verified = hsd_verified AND NOT $3, hsd_verified_at = CASE WHEN $3 THEN NULL ELSE hsd_verified_at END,
       updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id, isHsdCleared, ...valuesOf(values)],
    'update-challan',
  );
}

export async function updateHsdVerified(db: TenantDb, id: string, hsdVerified: boolean): Promise<void> {
  await db.query(
    `UPDATE challans SET hsd_verified = $3, hsd_verified_at = CASE WHEN $3 THEN now() END,
       updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id, hsdVerified],
    'update-hsd-verified',
  );
}

/** Softly: the number stays taken and the totals follow. */
export async function removeChallan(db: TenantDb, id: string): Promise<void> {
  await db.query(
    `UPDATE challans SET deleted_at = now(), updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id],
    'remove-challan',
  );
}

export interface NamedRecords {
  ownerId?: string | null;
  discounterId?: string | null;
  tagId?: string | null;
  petrolPumpId?: string | null;
}

/**
 * Which of the given records are not alive. Those that are stay so until the transaction ends: a delete locks its row FOR
 * UPDATE and counts the challans after that, so it either waits for this challan or is over before we look.
 */
export async function lockNamed(db: TenantDb, named: NamedRecords): Promise<(keyof NamedRecords)[]> {
  const tables = { ownerId: 'owners', discounterId: 'owners', tagId: 'tags', petrolPumpId: 'petrol_pumps' } as const;
  // Object.entries widens the keys to string; `named` has no others.
  const given = Object.entries(named).filter((entry) => entry[1]) as [keyof NamedRecords, string][];
  const alive = await Promise.all(
    given.map(([field, id]) =>
      db.query(
        `SELECT FROM ${tables[field]} WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE`,
        [db.tenantId, id],
        `lock-named-${tables[field]}`,
      ),
    ),
  );
  return given.filter((_, index) => alive[index]?.rowCount !== 1).map(([field]) => field);
}

const reference = `id, challan_number AS "challanNumber", tp_no AS "tpNo", vehicle_no AS "vehicleNo",
  loading_at::text AS "loadingDate"`;
const mostShown = 10;

const presentReference = (row: ChallanReference): ChallanReference => ({
  ...row,
  loadingDate: isoInstant(row.loadingDate),
});

/** Challans with the same TP number, compared without spaces and case; the newest first. */
export async function selectSameTp(db: TenantDb, tpNo: string, excludeId?: string): Promise<ChallanReference[]> {
  const { rows } = await db.query<ChallanReference>(
    `SELECT ${reference} FROM challans
     WHERE subadmin_id = $1 AND deleted_at IS NULL AND tp_key = $2
       AND id IS DISTINCT FROM $3::uuid
     ORDER BY created_at DESC, id DESC LIMIT ${mostShown}`,
    [db.tenantId, tpKey(tpNo), excludeId ?? null],
    'select-same-tp',
  );
  return rows.map(presentReference);
}

/** Challans of the same vehicle (ruling 11) on the same loading day; the newest first. */
export async function selectSameTrip(
  db: TenantDb,
  trip: { vehicleNo: string; loadingOn: string },
  excludeId?: string,
): Promise<ChallanReference[]> {
  const { rows } = await db.query<ChallanReference>(
    `SELECT ${reference} FROM challans
     WHERE subadmin_id = $1 AND deleted_at IS NULL
       AND vehicle_key = upper(regexp_replace($2, '[\\s-]', '', 'g')) AND loading_on = $3::date
       AND id IS DISTINCT FROM $4::uuid
     ORDER BY created_at DESC, id DESC LIMIT ${mostShown}`,
    [db.tenantId, trip.vehicleNo, trip.loadingOn, excludeId ?? null],
    'select-same-trip',
  );
  return rows.map(presentReference);
}
