import { z } from 'zod';
import { answerShape, challanFieldNames } from './challan-fields.ts';
import { instant, total } from './scalars.ts';

/** A challan: the delivery slip of one truck trip. */
export const challan = z.object(answerShape);
export type Challan = z.output<typeof challan>;

/** The fields that a list has of every challan: its names, its net, and its days and what else decides what can be done with it. */
const always = {
  id: true,
  challanNumber: true,
  tpNo: true,
  owner: true,
  ownerName: true,
  petrolPump: true,
  loadingDate: true,
  depositedAt: true,
  netAmountPayable: true,
  paymentStatus: true,
  holdReason: true,
  hsdVerified: true,
  version: true,
} as const;
// Safe: these are the keys of the object above.
export const alwaysListed = Object.keys(always) as (keyof typeof always)[];

/** A challan of a list that was asked for with `fields`: the fields above, and those that were named. */
export const listedChallan = challan.pick(always).extend(challan.omit(always).partial().shape);
export type ListedChallan = z.output<typeof listedChallan>;

/** Whether a challan of a list has every field. */
export const isWhole = (row: ListedChallan): row is Challan => challanFieldNames.every((name) => name in row);

/** The sums of the whole filter, never of a page (docs/specification.md §3.4). */
export const challanSummary = z.object({
  totalCount: z.number(),
  totalAmount: total,
  paidCount: z.number(),
  paidAmount: total,
  unpaidCount: z.number(),
  unpaidAmount: total,
});
export type ChallanSummary = z.output<typeof challanSummary>;

/** A value that is possible but hardly ever meant (docs/specification.md §8.3.5). The challan was saved with it. */
export const challanWarning = z.object({ name: z.string(), field: z.string(), message: z.string() });

/** Another challan that may be the same trip (docs/specification.md §8.2.6). */
export const challanReference = z.object({
  id: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  vehicleNo: z.string(),
  loadingDate: instant,
});
export type ChallanReference = z.output<typeof challanReference>;
