import { z } from 'zod';
import { amountInputs, materialShortageError } from '../calc/challan-amounts.ts';
import {
  dateErrors,
  hsdErrors,
  isWheelCount,
  OWNER_REQUIRED,
  requiredMessages,
  tdsPercentageError,
  WHEELS,
  WHEELS_MESSAGE,
} from '../calc/challan-rules.ts';
import { storedContact } from '../calc/identity.ts';
import { isAmount } from '../calc/money.ts';
import { displayVehicle } from '../calc/vehicle.ts';
import { dayOrInstant, decimal, id, requiredId, signedAmount, text, trueOrFalse, version, weight } from './scalars.ts';

/**
 * What a client sends about a challan (part 2 §5 and §7). The server, the API document and the form use these very
 * schemas over the rules of shared/calc. Derived sums are compared by the server (AMOUNT_MISMATCH).
 */

const say = requiredMessages;

/** 0.1 to 100 with one decimal (part 2 §5, ruling 20). */
const tdsPercentage = decimal(say.tdsPercentage).superRefine((value, context) => {
  const message = isAmount(value) ? tdsPercentageError(value) : null;
  if (message) context.addIssue({ code: 'custom', message });
});

const shortageRequired = 'Material shortage amount is required';
const shortageInvalid = 'Material shortage amount must be a positive number or zero';
const materialShortageAmount = z
  .string({ error: (issue) => (issue.input === undefined ? shortageRequired : shortageInvalid) })
  .min(1, { error: shortageRequired, abort: true })
  .regex(/^\d{1,12}(\.\d{1,2})?$/, shortageInvalid);

const vehicleWheel = z
  .number({ error: WHEELS_MESSAGE })
  .min(WHEELS.min, { error: WHEELS_MESSAGE, abort: true })
  .max(WHEELS.max, { error: WHEELS_MESSAGE, abort: true })
  .refine(isWheelCount, WHEELS_MESSAGE);

const fields = {
  tpNo: text(100, { required: say.tpNo }),
  loadingDate: dayOrInstant(say.loadingDate),
  unloadingDate: dayOrInstant(say.unloadingDate),
  vehicleNo: text(30, { required: say.vehicleNo, stored: displayVehicle }),
  material: text(100, { required: say.material }),
  ownerName: text(200, { required: say.ownerName }),
  ownerContactNumber: text(20, { required: say.ownerContactNumber, stored: storedContact }),
  discounterId: id.nullable().optional(),
  tagId: requiredId(say.tagId),
  petrolPumpId: id.nullable().optional(),
  loadingPlace: text(200, { required: say.loadingPlace }),
  unloadingPlace: text(200, { required: say.unloadingPlace }),
  loadingWeight: weight(say.loadingWeight),
  unloadingWeight: weight(say.unloadingWeight),
  ratePerMT: decimal(say.ratePerMT),
  tdsPercentage,
  hsdPricePerLiter: decimal().optional(),
  hsdInLiters: decimal().optional(),
  advanceMoney: decimal(say.advanceMoney),
  officeCharges: decimal(say.officeCharges),
  discountWeight: weight().optional(),
  materialShortageAmount,
  paymentStatus: trueOrFalse.optional(),
  driverName: text(100).optional(),
  drivingLicenseNo: text(50).optional(),
  vehicleType: text(100).optional(),
  vehicleWheel: vehicleWheel.nullable().optional(),
  remarks: text(1000, { lines: true }).optional(),
  dataEntryBy: text(100).optional(),
  depositedAt: dayOrInstant(say.depositedAt),
};

/** May be sent or left out: the server computes them, and one that differs by more than 0.01 is AMOUNT_MISMATCH. */
const derived = {
  differenceWeight: signedAmount.optional(),
  tdsAmount: decimal(say.tdsAmount).optional(),
  hsdAmount: decimal().optional(),
  shortageAmount: decimal().optional(),
  netAmountPayable: signedAmount.optional(),
};

/** The cross-field rules look at texts alone; a value of the wrong type has its own message already. */
function textsOf(value: unknown): Record<string, string | null | undefined> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string | null] => typeof entry[1] === 'string' || entry[1] === null),
  );
}

/** The rules between fields that hold whatever the stored challan is. The server repeats them all on the merged challan. */
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

/** Runs beside the field rules, so that everything that is wrong is said at once; one message a field. */
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
  .strictObject({ ownerId: requiredId(OWNER_REQUIRED), ...fields, ...derived })
  .check(crossFields(true));
export type ChallanInput = z.input<typeof challanInput>;

/** PUT /challans/{id}: any subset; an absent key is unchanged; ownerId is refused as an unknown field. */
export const challanChange = z
  .strictObject({ ...fields, ...derived })
  .partial()
  .extend({ version: version.optional() })
  .check(crossFields(false));
export type ChallanChange = z.input<typeof challanChange>;
