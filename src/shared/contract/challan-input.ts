import { z } from 'zod';
import { materialShortageError } from '../calc/challan-amounts.ts';
import { amountInputs } from '../calc/challan-figures.ts';
import { dateErrors, hsdErrors, OWNER_REQUIRED } from '../calc/challan-rules.ts';
import { isAmount } from '../calc/money.ts';
import { inputShape } from './challan-fields.ts';
import { requiredId, version } from './scalars.ts';

/**
 * The bodies that create and change a challan (docs/specification.md §8.3 and §14.9). The server, the API document and the
 * form use the same schemas, which apply the rules of shared/calc. The server also compares the derived sums
 * (AMOUNT_MISMATCH).
 */

/** The texts of a body: rules between fields check only these. A value of another type has its own error already. */
function textsOf(value: unknown): Record<string, string | null | undefined> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string | null] => typeof entry[1] === 'string' || entry[1] === null),
  );
}

/** The rules between fields, as far as a body alone can break them. The server checks all of them on the merged challan. */
function crossFieldErrors(value: unknown, isComplete: boolean): Record<string, string | undefined> {
  const texts = textsOf(value);
  const errors: Record<string, string | undefined> = { ...dateErrors(texts) };
  if (isComplete || texts.petrolPumpId === null) Object.assign(errors, hsdErrors(texts));
  const isReadable = amountInputs.every((field) => texts[field] === undefined || isAmount(texts[field] ?? ''));
  if (isComplete && isReadable && texts.loadingWeight && texts.unloadingWeight) {
    const shortage = materialShortageError(texts);
    if (shortage) errors.materialShortageAmount = shortage;
  }
  return errors;
}

/** Checks the rules between fields also when single fields have errors, so that all are reported at once, one per field. */
function crossFields<T>(isComplete: boolean): z.core.$ZodCheck<T> {
  return z.superRefine<T>(
    (value, context) => {
      const named = new Set(context.issues.map((issue) => issue.path?.[0]));
      for (const [field, message] of Object.entries(crossFieldErrors(value, isComplete))) {
        if (message && !named.has(field)) context.addIssue({ code: 'custom', path: [field], message, input: value });
      }
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** POST /challans. */
export const challanInput = z
  .strictObject({ ownerId: requiredId(OWNER_REQUIRED), ...inputShape })
  .check(crossFields(true));
export type ChallanInput = z.input<typeof challanInput>;

/** PUT /challans/{id}: any of the fields. An absent key is unchanged; ownerId is refused as an unknown field. */
export const challanChange = z
  .strictObject(inputShape)
  .partial()
  .extend({ version: version.optional() })
  .check(crossFields(false));
export type ChallanChange = z.input<typeof challanChange>;
