import { z } from 'zod';
import { total } from './scalars.ts';

/** An owner whose challans in a filter or selection, less the carried amount, sum up to less than zero. */
const negativeOwner = z.object({
  id: z.string(),
  name: z.string(),
  challanCount: z.number(),
  /** The sum of the challans less the carried amount. */
  amount: total,
  /** The same without its sign: what the owner owes, and what can be carried into its next payment. */
  owes: total,
  /** The amount that an earlier payment carried into the next one. */
  carriedAmount: total,
});
export type NegativeOwner = z.output<typeof negativeOwner>;

/** How many negative owners an answer names, the lowest sums first. */
export const namedNegativeOwners = 20;

export const negativeOwners = { negativeOwnerCount: z.number(), negativeOwners: z.array(negativeOwner) };
