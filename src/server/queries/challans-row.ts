import type { Challan } from '../../shared/contract/challan.ts';
import { boolean, instant, jsonRow, number, plain, reference, text } from './json-row.ts';

/**
 * A challan as the wire has it, from challans `c` and what it names. Named records are shown as they are now, deleted ones
 * too: a hidden petrol pump stays on its old challans (ruling 12).
 */
export const challanRow = jsonRow<Challan>({
  id: plain('c.id'),
  challanNumber: plain('c.challan_number'),
  tpNo: text('c.tp_no'),
  vehicleNo: text('c.vehicle_no'),
  owner: reference({
    id: plain('c.owner_id'),
    name: text('o.name'),
    contactNumber: text('o.contact_number'),
  }),
  ownerName: text('c.owner_name'),
  ownerContactNumber: text('c.owner_contact_number'),
  discounter: reference({
    id: plain('c.discounter_id'),
    name: text('d.name'),
    contactNumber: text('d.contact_number'),
  }),
  tag: reference({ id: plain('c.tag_id'), name: text('t.name'), color: text('t.color') }),
  petrolPump: reference({ id: plain('c.petrol_pump_id'), name: text('p.name') }),
  material: text('c.material'),
  loadingDate: instant('c.loading_at'),
  unloadingDate: instant('c.unloading_at'),
  loadingPlace: text('c.loading_place'),
  unloadingPlace: text('c.unloading_place'),
  loadingWeight: plain('c.loading_weight'),
  unloadingWeight: plain('c.unloading_weight'),
  differenceWeight: plain('c.difference_weight'),
  discountWeight: plain('c.discount_weight'),
  ratePerMT: plain('c.rate_per_mt'),
  tdsPercentage: plain('c.tds_percentage'),
  tdsAmount: plain('c.tds_amount'),
  hsdPricePerLiter: plain('c.hsd_price_per_liter'),
  hsdInLiters: plain('c.hsd_in_liters'),
  hsdAmount: plain('c.hsd_amount'),
  advanceMoney: plain('c.advance_money'),
  officeCharges: plain('c.office_charges'),
  shortageAmount: plain('c.shortage_amount'),
  materialShortageAmount: plain('c.material_shortage_amount'),
  netAmountPayable: plain('c.net_amount_payable'),
  vehicleType: text('c.vehicle_type'),
  vehicleWheel: number('c.vehicle_wheel'),
  driverName: text('c.driver_name'),
  drivingLicenseNo: text('c.driving_license_no'),
  dataEntryBy: text('c.data_entry_by'),
  remarks: text('c.remarks'),
  paymentStatus: boolean('c.payment_status'),
  paidAt: instant('c.paid_at'),
  hsdVerified: boolean('c.hsd_verified'),
  hsdVerifiedAt: instant('c.hsd_verified_at'),
  depositedAt: instant('c.deposited_at'),
  createdAt: instant('c.created_at'),
  updatedAt: instant('c.updated_at'),
  version: number('c.version'),
});

/** What a challan names, beside `challans AS c`. */
export const challanJoins = `
  JOIN owners AS o ON o.subadmin_id = $1 AND o.id = c.owner_id
  LEFT JOIN owners AS d ON d.subadmin_id = $1 AND d.id = c.discounter_id
  LEFT JOIN tags AS t ON t.subadmin_id = $1 AND t.id = c.tag_id
  LEFT JOIN petrol_pumps AS p ON p.subadmin_id = $1 AND p.id = c.petrol_pump_id`;
