import { z } from 'zod';
import type { DeclaredDays } from '../calc/declaration.ts';
import { day } from './scalars.ts';

/** Where a declaration stands today. 'lapsing': it is valid, and notice is given of its last day. */
const declarationStates = ['withdrawn', 'lapsed', 'coming', 'lapsing', 'valid'] as const;

/** What an owner's row shows of its last declaration of no deduction (docs/specification.md §27.7). */
export const declarationState = z.object({
  /** The first and the last day on which it is valid. The last is before the first where it was withdrawn at once. */
  validFrom: day,
  validTo: day,
  withdrawnOn: day.nullable(),
  state: z.enum(declarationStates),
});

/** The days on which a declaration of an owner is valid, for the form of a challan. */
export const declaredDays = z.object({
  id: z.string(),
  receivedOn: day,
  validFrom: day,
  validTo: day,
}) satisfies z.ZodType<DeclaredDays>;
