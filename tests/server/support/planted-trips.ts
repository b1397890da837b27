import { addDays } from '../../../src/shared/calc/dates.ts';
import type { ExceptionKindName } from '../../../src/shared/filters/exception-kinds.ts';
import type { TenantDb } from '../../../src/server/db/tenant.ts';
import type { Random } from './random.ts';

/** Ordinary trips of a business with noise, and planted exceptions of every kind. Weights, litres and rates are in hundredths. */
export interface Trip {
  no: number;
  owner: number;
  vehicle: number;
  driver: number;
  route: number;
  tpNo: string;
  loadingOn: string;
  days: number;
  late: number;
  weight: bigint;
  shortage: bigint;
  rate: bigint;
  liters: bigint;
}
export interface Bill {
  vehicleNo: string;
  day: string;
  tpNo: string;
  amount: string;
}
interface Planted {
  trips: Trip[];
  bills: Bill[];
  /** By kind: the numbers of trips, or the subjects of patterns and bills. */
  planted: Record<ExceptionKindName, Set<string>>;
}

const routeCount = 8;
const vehicleCount = 520;
const ownerCount = 20;
const driverCount = 150;
export const price = 9_137n;
export const vehicleNo = (vehicle: number): string => `OD09AA${String(1000 + vehicle)}`;
export const driverName = (driver: number): string => `Driver ${driver}`;
export const placesOf = (route: number) => [`Mine ${route}`, `Port ${route % 3}`] as const;
export const wheelsOf = (vehicle: number): number => [10, 12, 14, 22][vehicle % 4]!;
export const ownerOf = (vehicle: number): number => Math.floor(vehicle / 26) % ownerCount;

const usual = {
  shortage: (route: number) => 20 + route * 2,
  days: (route: number) => 1 + (route % 3),
  rate: (route: number) => 60_000 + route * 7_500,
  weight: (wheels: number) => wheels * 150 + 600,
  liters: (route: number, wheels: number) => 10_000 + route * 1_500 + wheels * 400,
};

/** About normal: sums of twelve even ones. */
function around(random: Random, middle: number, deviation: number): bigint {
  let sum = -6;
  for (let n = 0; n < 12; n += 1) sum += random.below(10_001) / 10_000;
  return BigInt(Math.max(0, Math.round(middle + sum * deviation)));
}

/** 200 trips a day until `lastDay`, and 200 exceptions, those of single challans in the last 30 days. */
export function plantedTrips(random: Random, lastDay: string, dayCount = 60): Planted {
  const drivers = random.some(
    Array.from({ length: driverCount }, (_, at) => at),
    5,
  );
  const vehicles = random.some(
    Array.from({ length: vehicleCount }, (_, at) => at),
    5,
  );
  const owners = random.some(
    Array.from({ length: ownerCount }, (_, at) => at),
    2,
  );
  const lossy = (trip: Trip) =>
    drivers.includes(trip.driver) || vehicles.includes(trip.vehicle) || owners.includes(trip.owner);
  const trips: Trip[] = [];
  const freeFrom = new Map<number, string>();
  for (let at = 0; at < dayCount; at += 1) {
    const loadingOn = addDays(lastDay, at - dayCount + 1);
    const free = Array.from({ length: vehicleCount }, (_, vehicle) => vehicle).filter(
      (vehicle) => (freeFrom.get(vehicle) ?? '') <= loadingOn,
    );
    for (const vehicle of random.some(free, 200)) {
      const route = random.below(routeCount);
      const wheels = wheelsOf(vehicle);
      const days = usual.days(route) + (random.chance(0.15) ? 1 : 0);
      const trip: Trip = {
        no: trips.length + 1,
        owner: ownerOf(vehicle),
        vehicle,
        driver: random.below(driverCount),
        route,
        tpNo: `TP${String(700_000 + trips.length)}`,
        loadingOn,
        days,
        late: random.below(4),
        weight: around(random, usual.weight(wheels), 50),
        shortage: around(random, usual.shortage(route), 4),
        // Now and then a rate is agreed a little higher or lower.
        rate: BigInt(usual.rate(route) + (random.chance(0.05) ? (random.below(7) - 3) * 100 : 0)),
        liters: around(random, usual.liters(route, wheels), 300),
      };
      // A loss that would not be noticed in one trip.
      if (lossy(trip)) trip.shortage += 8n;
      freeFrom.set(vehicle, addDays(loadingOn, days));
      trips.push(trip);
    }
  }
  const planted = {
    driverShortage: new Set(drivers.map((driver) => driverName(driver).toLowerCase())),
    vehicleShortage: new Set(vehicles.map(vehicleNo)),
    ownerShortage: new Set(owners.map(String)),
  } as Planted['planted'];
  const recent = random.shuffled(trips.filter(({ loadingOn }) => loadingOn > addDays(lastDay, -30)));
  const plant = (kind: ExceptionKindName, count: number, change: (trip: Trip) => void): void => {
    const chosen = recent.splice(0, count);
    chosen.forEach(change);
    planted[kind] = new Set(chosen.map(({ no }) => String(no)));
  };
  plant('shortage', 25, (trip) => (trip.shortage += BigInt(30 + random.below(200))));
  plant('liters', 25, (trip) => (trip.liters += BigInt(2_500 + random.below(9_000))));
  plant('weight', 25, (trip) => (trip.weight += BigInt(350 + random.below(500))));
  plant('rate', 25, (trip) => (trip.rate += BigInt((random.chance(0.5) ? 1 : -1) * (2_600 + random.below(20_000)))));
  plant('days', 22, (trip) => {
    trip.days += 4 + random.below(9);
    // It is not also on its next trip by then, and has as many wheels.
    trip.vehicle = vehicleCount + trip.no * 4 + (trip.vehicle % 4);
  });
  plant('late', 12, (trip) => (trip.late += 12 + random.below(20)));
  plant('tp', 20, (trip) => (trip.tpNo = trips[trip.no - 3000]!.tpNo));
  plant('overlap', 22, (trip) => {
    const open = trips.find(
      (other) =>
        other.no < trip.no &&
        other.vehicle < vehicleCount &&
        wheelsOf(other.vehicle) === wheelsOf(trip.vehicle) &&
        other.loadingOn === addDays(trip.loadingOn, -1) &&
        other.days > 1,
    );
    if (open) trip.vehicle = open.vehicle;
  });
  const bills: Bill[] = Array.from({ length: 12 }, (_, at) => ({
    vehicleNo: vehicleNo(vehicleCount * 100 + at),
    day: addDays(lastDay, -random.below(30)),
    tpNo: `PB${at}`,
    amount: `${4_000 + random.below(9_000)}.${10 + random.below(90)}`,
  }));
  planted.hsd = new Set(bills.map(({ tpNo }) => tpNo));
  return { trips, bills, planted };
}

const decimal = (hundredths: bigint): string =>
  hundredths < 0n ? `-${decimal(-hundredths)}` : `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
/** Half up, as amounts are rounded. */
export const rounded = (tenThousandths: bigint): bigint =>
  tenThousandths < 0n ? -rounded(-tenThousandths) : (tenThousandths + 50n) / 100n;
export const freightOf = ({ weight, shortage, rate }: Trip): bigint => rounded((weight - shortage) * rate);

/** Writes trips and bills past the calls, which would take minutes. */
export async function insertPlanted(
  db: TenantDb,
  { trips, bills }: Pick<Planted, 'trips' | 'bills'>,
  refs: { owners: readonly { id: string; name: string }[]; tagId: string; pumpId: string },
): Promise<void> {
  const rows = trips.map((trip) => {
    const owner = refs.owners[trip.owner]!;
    const unloadingOn = addDays(trip.loadingOn, trip.days);
    const hsd = rounded(trip.liters * price);
    return {
      challan_number: `T-${trip.no}`,
      owner_id: owner.id,
      owner_name: owner.name,
      tp_no: trip.tpNo,
      vehicle_no: vehicleNo(trip.vehicle),
      vehicle_wheel: wheelsOf(trip.vehicle),
      driver_name: driverName(trip.driver),
      loading_place: placesOf(trip.route)[0],
      unloading_place: placesOf(trip.route)[1],
      loading_at: `${trip.loadingOn}T06:00:00+05:30`,
      unloading_at: `${unloadingOn}T06:00:00+05:30`,
      created_at: `${addDays(unloadingOn, trip.late)}T12:00:00+05:30`,
      loading_weight: decimal(trip.weight),
      unloading_weight: decimal(trip.weight - trip.shortage),
      difference_weight: decimal(trip.shortage),
      rate_per_mt: decimal(trip.rate),
      hsd_price_per_liter: decimal(price),
      hsd_in_liters: decimal(trip.liters),
      hsd_amount: decimal(hsd),
      shortage_amount: decimal(rounded(trip.shortage * trip.rate)),
      net: decimal(freightOf(trip) - hsd),
    };
  });
  await db.query(
    `INSERT INTO challans (subadmin_id, challan_number, owner_id, owner_name, owner_contact_number, tag_id, petrol_pump_id, tp_no,
       vehicle_no, vehicle_wheel, driver_name, material, loading_place, unloading_place, loading_at, unloading_at, created_at,
       loading_weight, unloading_weight, difference_weight, rate_per_mt, hsd_price_per_liter, hsd_in_liters, hsd_amount,
       shortage_amount, tds_amount, net_amount_payable)
     SELECT $1, r.challan_number, r.owner_id, r.owner_name, '9876543210', $3, $4, r.tp_no, r.vehicle_no, r.vehicle_wheel, r.driver_name,
       'Iron ore fines', r.loading_place, r.unloading_place, r.loading_at, r.unloading_at, r.created_at, r.loading_weight,
       r.unloading_weight, r.difference_weight, r.rate_per_mt, r.hsd_price_per_liter, r.hsd_in_liters, r.hsd_amount, r.shortage_amount,
       0, r.net
     FROM json_to_recordset($2) AS r (challan_number text, owner_id uuid, owner_name text, tp_no text, vehicle_no text,
       vehicle_wheel int, driver_name text, loading_place text, unloading_place text, loading_at timestamptz, unloading_at timestamptz,
       created_at timestamptz, loading_weight numeric, unloading_weight numeric, difference_weight numeric, rate_per_mt numeric,
       hsd_price_per_liter numeric, hsd_in_liters numeric, hsd_amount numeric, shortage_amount numeric, net numeric)`,
    [db.tenantId, JSON.stringify(rows), refs.tagId, refs.pumpId],
  );
  const { rows: uploads } = await db.query<{ id: string }>(
    `INSERT INTO hsd_uploads (subadmin_id, file_name, sha256, total_records, valid_records, valid_matches, total_discrepancies,
       created_by, petrol_pump_id)
     VALUES ($1, 'bill.csv', '\\x00', $2, $2, 0, $2, $1, $3) RETURNING id`,
    [db.tenantId, bills.length, refs.pumpId],
  );
  await db.query(
    `INSERT INTO hsd_upload_rows (subadmin_id, upload_id, row_no, kind, tp_no, tp_key, amount, vehicle_no, bill_date, month)
     SELECT $1, $2, ordinality, 'not-found', tp, tp, amount::numeric, vehicle, day, date_trunc('month', day::date)
     FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS b (tp, amount, vehicle, day, ordinality)`,
    [
      db.tenantId,
      uploads[0]!.id,
      bills.map(({ tpNo }) => tpNo),
      bills.map(({ amount }) => amount),
      bills.map((bill) => bill.vehicleNo),
      bills.map(({ day }) => day),
    ],
  );
}
