import { z } from 'zod';
import { challan, challanReference } from './challan.ts';
import { endpoint } from './define.ts';
import { owner } from './owners.ts';
import { petrolPump } from './petrol-pumps.ts';
import { amountOut, instant, searchTerm, total } from './scalars.ts';
import { tag } from './tags.ts';
import { truck } from './trucks.ts';

/** The first few records of a kind, and how many there are in all. */
const found = <T extends z.ZodObject>(one: T) => z.object({ data: z.array(one), totalCount: z.number() });

const challansFound = found(challanReference.extend(challan.pick({ netAmountPayable: true, ownerName: true }).shape));
export type PaletteChallans = z.output<typeof challansFound>;

/** A payment as a search shows it. Not taken from `payment-batches.ts`, which every screen would then load. */
export const paymentReference = z.object({
  id: z.string(),
  number: z.string(),
  createdAt: instant,
  updatedCount: z.number(),
  totalAmount: total,
});
export type PaymentReference = z.output<typeof paymentReference>;

const paletteAnswer = z.object({
  /** Challans that have the text as their number. */
  challans: z.array(challanReference),
  payments: z.array(paymentReference),
  /** `isMore`: there are more than the server counted. */
  byTp: challansFound.extend({ isMore: z.boolean() }),
  /** null: the text is not an amount. */
  byAmount: challansFound.extend({ amount: amountOut }).nullable(),
  /** null: the text cannot be a part of a vehicle number. */
  byVehicle: challansFound.extend({ isMore: z.boolean() }).nullable(),
  trucks: found(truck.pick({ id: true, truckNumber: true, owner: true })),
  owners: found(owner.pick({ id: true, name: true, contactNumber: true, address: true, branchName: true })),
  tags: found(tag.pick({ id: true, name: true, description: true })),
  petrolPumps: found(petrolPump.pick({ id: true, name: true, contactNumber: true, address: true })),
});
export type PaletteAnswer = z.output<typeof paletteAnswer>;

export const palette = {
  search: endpoint('palette', 'GET /palette', {
    summary: 'The first few challans, payments, trucks, owners, tags and petrol pumps that answer a text',
    query: z.object({ search: searchTerm }),
    answer: z.object({ data: paletteAnswer }),
  }),
};
