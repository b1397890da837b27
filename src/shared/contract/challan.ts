import { z } from 'zod';
import { amountOut, instant, total } from './scalars.ts';

/** An owner as a challan names it: also the discounter. */
export const ownerReference = z.object({ id: z.string(), name: z.string(), contactNumber: z.string() });
export const tagReference = z.object({ id: z.string(), name: z.string(), color: z.string() });
export const petrolPumpReference = z.object({ id: z.string(), name: z.string() });

/**
 * A transport delivery slip. Weights in MT, money in rupees, both with two decimals; the TDS percentage with one. Optional
 * texts are '' when not given. `differenceWeight` and `netAmountPayable` can be negative.
 */
export const challan = z.object({
  id: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  vehicleNo: z.string(),
  owner: ownerReference,
  /** A copy made when the challan was saved: editing it leaves the owner as is (ruling 23). */
  ownerName: z.string(),
  ownerContactNumber: z.string(),
  discounter: ownerReference.nullable(),
  tag: tagReference.nullable(),
  petrolPump: petrolPumpReference.nullable(),
  material: z.string(),
  loadingDate: instant,
  unloadingDate: instant,
  loadingPlace: z.string(),
  unloadingPlace: z.string(),
  loadingWeight: amountOut,
  unloadingWeight: amountOut,
  differenceWeight: amountOut,
  discountWeight: amountOut,
  ratePerMT: amountOut,
  /** null only on a challan stored without it; the form then computes it back (part 2 §9). */
  tdsPercentage: amountOut.nullable(),
  tdsAmount: amountOut,
  hsdPricePerLiter: amountOut,
  hsdInLiters: amountOut,
  hsdAmount: amountOut,
  advanceMoney: amountOut,
  officeCharges: amountOut,
  shortageAmount: amountOut,
  materialShortageAmount: amountOut,
  netAmountPayable: amountOut,
  vehicleType: z.string(),
  vehicleWheel: z.number().nullable(),
  driverName: z.string(),
  drivingLicenseNo: z.string(),
  dataEntryBy: z.string(),
  remarks: z.string(),
  paymentStatus: z.boolean(),
  paidAt: instant.nullable(),
  hsdVerified: z.boolean(),
  hsdVerifiedAt: instant.nullable(),
  depositedAt: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
  version: z.number(),
});
export type Challan = z.output<typeof challan>;

/** Over the whole filter, never the page (ruling 32). */
export const challanSummary = z.object({
  totalCount: z.number(),
  totalAmount: total,
  paidCount: z.number(),
  paidAmount: total,
  unpaidCount: z.number(),
  unpaidAmount: total,
});
export type ChallanSummary = z.output<typeof challanSummary>;

/** Another challan that may be the same trip (ruling 25). */
export const challanReference = z.object({
  id: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  vehicleNo: z.string(),
  loadingDate: instant,
});
export type ChallanReference = z.output<typeof challanReference>;

/** Columns a challan list may be sorted by; the server sorts (ruling 32). */
export const challanSortKeys = [
  'createdAt',
  'challanNumber',
  'tpNo',
  'vehicleNo',
  'ownerName',
  'tagName',
  'material',
  'loadingDate',
  'unloadingDate',
  'depositedAt',
  'netAmountPayable',
  'paymentStatus',
  'hsdVerified',
] as const;
export type ChallanSortKey = (typeof challanSortKeys)[number];
