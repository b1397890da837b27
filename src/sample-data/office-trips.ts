import { addDays, dayOf } from '../shared/calc/dates.ts';
import { contract } from '../shared/contract/index.ts';
import { createMany } from '../server/features/challans/challans-create.service.ts';
import type { Office, Work } from './office-people.ts';

/** What the first driver was advanced is more than the trip earns, so that its owner owes the business something. */
const largeAdvance = { advanceMoney: '95000.00' };

/**
 * Enters the trips that were loaded yesterday, on an entry sheet: those of a week before once more, with other numbers. The
 * others of yesterday are not typed in yet, as the papers of most trips come some days later.
 */
export async function enterTrips(work: Work, { clerk }: Office, now: Date): Promise<void> {
  const today = dayOf(now);
  const yesterday = addDays(today, -1);
  await work(async (db) => {
    const trips = await db.records<Record<string, unknown>>(loadedOn, [db.tenantId, addDays(yesterday, -7)]);
    const rows = trips.map((trip, index) => {
      const day = {
        loadingDate: yesterday,
        unloadingDate: yesterday,
        depositedAt: today,
        ...(index === 0 && largeAdvance),
      };
      const tpNo = `Y9${String(index + 1).padStart(6, '0')}`;
      return { key: tpNo, input: contract.challans.create.body.parse({ ...trip, ...day, tpNo }) };
    });
    if (rows.length > 0) await createMany(db, clerk, { rows, mode: 'valid' });
  });
}

const loadedOn = `
  SELECT c.owner_id AS "ownerId", c.tag_id AS "tagId", c.petrol_pump_id AS "petrolPumpId", c.vehicle_no AS "vehicleNo",
    c.material, o.name AS "ownerName", o.contact_number AS "ownerContactNumber", c.loading_place AS "loadingPlace",
    c.unloading_place AS "unloadingPlace", c.loading_weight::text AS "loadingWeight", c.unloading_weight::text AS "unloadingWeight",
    c.discount_weight::text AS "discountWeight", c.rate_per_mt::text AS "ratePerMT", c.tds_percentage::text AS "tdsPercentage",
    c.hsd_price_per_liter::text AS "hsdPricePerLiter", c.hsd_in_liters::text AS "hsdInLiters",
    c.advance_money::text AS "advanceMoney", c.office_charges::text AS "officeCharges",
    c.material_shortage_amount::text AS "materialShortageAmount", c.vehicle_type AS "vehicleType", c.driver_name AS "driverName"
  FROM challans c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id
  WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND c.loading_on = $2::date AND c.tag_id IS NOT NULL
    AND c.tds_percentage > 0
  ORDER BY c.challan_number LIMIT 120`;
