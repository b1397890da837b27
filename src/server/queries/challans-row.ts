import type { Challan } from '../../shared/contract/challan.ts';

/**
 * A challan as the wire has it, from challans `c` and what it names. Named records are shown as they are now, deleted ones
 * too: a hidden petrol pump stays on its old challans (ruling 12). Instants come as text (see isoInstant).
 */
export const challanColumns = `
  c.id, c.challan_number AS "challanNumber", c.tp_no AS "tpNo", c.vehicle_no AS "vehicleNo",
  c.owner_id AS "ownerId", o.name AS "ownersName", o.contact_number AS "ownersContactNumber",
  c.owner_name AS "ownerName", c.owner_contact_number AS "ownerContactNumber",
  c.discounter_id AS "discounterId", d.name AS "discounterName", d.contact_number AS "discounterContactNumber",
  c.tag_id AS "tagId", t.name AS "tagName", t.color AS "tagColor",
  c.petrol_pump_id AS "petrolPumpId", p.name AS "petrolPumpName",
  c.material, c.loading_at::text AS "loadingDate", c.unloading_at::text AS "unloadingDate",
  c.loading_place AS "loadingPlace", c.unloading_place AS "unloadingPlace",
  c.loading_weight AS "loadingWeight", c.unloading_weight AS "unloadingWeight",
  c.difference_weight AS "differenceWeight", c.discount_weight AS "discountWeight", c.rate_per_mt AS "ratePerMT",
  c.tds_percentage AS "tdsPercentage", c.tds_amount AS "tdsAmount",
  c.hsd_price_per_liter AS "hsdPricePerLiter", c.hsd_in_liters AS "hsdInLiters", c.hsd_amount AS "hsdAmount",
  c.advance_money AS "advanceMoney", c.office_charges AS "officeCharges", c.shortage_amount AS "shortageAmount",
  c.material_shortage_amount AS "materialShortageAmount", c.net_amount_payable AS "netAmountPayable",
  c.vehicle_type AS "vehicleType", c.vehicle_wheel AS "vehicleWheel", c.driver_name AS "driverName",
  c.driving_license_no AS "drivingLicenseNo", c.data_entry_by AS "dataEntryBy", c.remarks,
  c.payment_status AS "paymentStatus", c.paid_at::text AS "paidAt",
  c.hsd_verified AS "hsdVerified", c.hsd_verified_at::text AS "hsdVerifiedAt",
  c.deposited_at::text AS "depositedAt", c.created_at::text AS "createdAt", c.updated_at::text AS "updatedAt", c.version`;

/** What a challan names, beside `challans AS c`. */
export const challanJoins = `
  JOIN owners AS o ON o.subadmin_id = $1 AND o.id = c.owner_id
  LEFT JOIN owners AS d ON d.subadmin_id = $1 AND d.id = c.discounter_id
  LEFT JOIN tags AS t ON t.subadmin_id = $1 AND t.id = c.tag_id
  LEFT JOIN petrol_pumps AS p ON p.subadmin_id = $1 AND p.id = c.petrol_pump_id`;

/** One row of challanColumns. */
export type ChallanRow = Omit<Challan, 'owner' | 'discounter' | 'tag' | 'petrolPump'> & {
  ownerId: string;
  ownersName: string;
  ownersContactNumber: string;
  discounterId: string | null;
  discounterName: string | null;
  discounterContactNumber: string | null;
  tagId: string | null;
  tagName: string | null;
  tagColor: string | null;
  petrolPumpId: string | null;
  petrolPumpName: string | null;
};

/** How PostgreSQL writes a timestamptz in UTC, the zone of every connection of the app. */
const utcText = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;

/**
 * An instant as the wire has it, from PostgreSQL's text: '2026-03-05 18:30:00.123456+00' → '2026-03-05T18:30:00.123Z'. A
 * page holds some hundred of them, and to make a Date of each and text again would take as long as all the rest of it.
 */
export function isoInstant(text: string): string {
  if (!utcText.test(text)) return new Date(text).toISOString();
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

const iso = (text: string | null): string | null => (text === null ? null : isoInstant(text));

export function presentChallan(row: ChallanRow): Challan {
  return {
    id: row.id,
    challanNumber: row.challanNumber,
    tpNo: row.tpNo,
    vehicleNo: row.vehicleNo,
    owner: { id: row.ownerId, name: row.ownersName, contactNumber: row.ownersContactNumber },
    ownerName: row.ownerName,
    ownerContactNumber: row.ownerContactNumber,
    // Left joins: where the id is, the other columns are, the foreign key sees to it.
    discounter:
      row.discounterId === null
        ? null
        : { id: row.discounterId, name: row.discounterName!, contactNumber: row.discounterContactNumber! },
    tag: row.tagId === null ? null : { id: row.tagId, name: row.tagName!, color: row.tagColor! },
    petrolPump: row.petrolPumpId === null ? null : { id: row.petrolPumpId, name: row.petrolPumpName! },
    material: row.material,
    loadingDate: isoInstant(row.loadingDate),
    unloadingDate: isoInstant(row.unloadingDate),
    loadingPlace: row.loadingPlace,
    unloadingPlace: row.unloadingPlace,
    loadingWeight: row.loadingWeight,
    unloadingWeight: row.unloadingWeight,
    differenceWeight: row.differenceWeight,
    discountWeight: row.discountWeight,
    ratePerMT: row.ratePerMT,
    tdsPercentage: row.tdsPercentage,
    tdsAmount: row.tdsAmount,
    hsdPricePerLiter: row.hsdPricePerLiter,
    hsdInLiters: row.hsdInLiters,
    hsdAmount: row.hsdAmount,
    advanceMoney: row.advanceMoney,
    officeCharges: row.officeCharges,
    shortageAmount: row.shortageAmount,
    materialShortageAmount: row.materialShortageAmount,
    netAmountPayable: row.netAmountPayable,
    vehicleType: row.vehicleType,
    vehicleWheel: row.vehicleWheel,
    driverName: row.driverName,
    drivingLicenseNo: row.drivingLicenseNo,
    dataEntryBy: row.dataEntryBy,
    remarks: row.remarks,
    paymentStatus: row.paymentStatus,
    paidAt: iso(row.paidAt),
    hsdVerified: row.hsdVerified,
    hsdVerifiedAt: iso(row.hsdVerifiedAt),
    depositedAt: iso(row.depositedAt),
    createdAt: isoInstant(row.createdAt),
    updatedAt: isoInstant(row.updatedAt),
    version: row.version,
  };
}
