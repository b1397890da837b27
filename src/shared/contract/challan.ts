import { z } from 'zod';
import { answerShape } from './challan-fields.ts';
import { instant, total } from './scalars.ts';

/** A challan: the delivery slip of one truck trip. */
export const challan = z.object(answerShape);
export type Challan = z.output<typeof challan>;

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

/** Another challan that may be the same trip (docs/specification.md §8.2.6). */
export const challanReference = z.object({
  id: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  vehicleNo: z.string(),
  loadingDate: instant,
});
export type ChallanReference = z.output<typeof challanReference>;
