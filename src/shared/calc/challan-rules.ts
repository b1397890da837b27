import { materialShortageError, tooLargeOf } from './challan-amounts.ts';
import { challanFigures, type AmountInput, type DerivedField } from './challan-figures.ts';
import { dayOf } from './dates.ts';
import { compare, isAmount, isPositive, isZero, roundHalfUp } from './money.ts';
import { declaredError, tdsRangeError } from './tds-percentage.ts';

/**
 * The challan's rules (docs/specification.md §8.3), which form, contract and server share. A check gives a message for each
 * wrong field; a field without a message is valid.
 */

/**
 * Required fields in the form's order, with their messages. Required means present: 0 passes
 * (docs/specification.md §8.3.1).
 */
export const requiredMessages = {
  tpNo: 'Please enter TP No',
  loadingDate: 'Please select loading date',
  unloadingDate: 'Please select unloading date',
  vehicleNo: 'Please enter vehicle no',
  material: 'Please enter material',
  ownerName: 'Please enter owner name',
  ownerContactNumber: 'Please enter owner contact number',
  tagId: 'Please select a tag',
  loadingPlace: 'Please enter loading place',
  unloadingPlace: 'Please enter unloading place',
  loadingWeight: 'Please enter loading weight',
  unloadingWeight: 'Please enter unloading weight',
  ratePerMT: 'Please enter rate per MT',
  tdsPercentage: 'Please enter TDS percentage',
  tdsAmount: 'Please enter TDS amount',
  advanceMoney: 'Please enter advance money',
  officeCharges: 'Please enter office charges',
  depositedAt: 'Please select the deposited date!',
} as const;
type RequiredField = keyof typeof requiredMessages;
// Object.entries widens the keys to string; they are the keys of the object above it.
const required = Object.entries(requiredMessages) as [RequiredField, string][];

const HSD_LITERS_REQUIRED = 'Please enter HSD in liters';
export const OWNER_REQUIRED = 'Please select an owner before submitting';

/** The fields that can have an error. */
export type ChallanField = RequiredField | AmountInput | DerivedField | 'ownerId' | 'vehicleWheel' | 'petrolPumpId';
export type ChallanErrors = Partial<Record<ChallanField, string>>;

/** A challan as typed or sent: texts, '' or absent for empty. Wheels as text or number. */
export type ChallanValues = {
  readonly [Field in Exclude<ChallanField, 'vehicleWheel'>]?: string | null | undefined;
} & {
  readonly vehicleWheel?: string | number | null | undefined;
  /** The declaration of the owner that is valid on the challan's day (calc/declaration.ts). */
  readonly tdsDeclarationId?: string | null | undefined;
};

/**
 * The input that corrects an error of a computed, read-only field: the error names it and gives it the focus
 * (docs/specification.md §8.3.2).
 */
export const correctedBy: Record<DerivedField, AmountInput> = {
  differenceWeight: 'unloadingWeight',
  tdsAmount: 'tdsPercentage',
  hsdAmount: 'hsdInLiters',
  shortageAmount: 'discountWeight',
  materialShortageAmount: 'materialRate',
  netAmountPayable: 'ratePerMT',
};

function isBlank(value: string | number | null | undefined): value is '' | null | undefined {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

const DATE_MESSAGE = 'Please enter a valid date';
const dateFields = ['loadingDate', 'unloadingDate', 'depositedAt'] as const;
export type ChallanDates = { readonly [Field in (typeof dateFields)[number]]?: string | null | undefined };

/** A date that is changed makes the form check these dates again (docs/specification.md §8.3.3). */
export const relatedDates: Record<keyof ChallanDates, readonly (keyof ChallanDates)[]> = {
  loadingDate: ['unloadingDate'],
  unloadingDate: ['loadingDate', 'depositedAt'],
  depositedAt: [],
};

/** The day of a day or an instant in Asia/Kolkata; null: the text is neither. */
export function readDay(value: string): string | null {
  try {
    return dayOf(value);
  } catch {
    return null;
  }
}

/** The three date rules, by day in Asia/Kolkata. A missing date breaks none of them. */
export function dateErrors(dates: ChallanDates): ChallanErrors {
  const errors: ChallanErrors = {};
  const days: Partial<Record<keyof ChallanDates, string>> = {};
  for (const field of dateFields) {
    const value = dates[field];
    if (isBlank(value)) continue;
    const day = readDay(value);
    if (day === null) errors[field] = DATE_MESSAGE;
    else days[field] = day;
  }
  const { loadingDate, unloadingDate, depositedAt } = days;
  if (loadingDate && unloadingDate && loadingDate > unloadingDate) {
    errors.loadingDate = 'Loading date cannot be after unloading date';
    errors.unloadingDate = 'Unloading date cannot be before loading date';
  }
  if (unloadingDate && depositedAt && depositedAt < unloadingDate) {
    errors.depositedAt = 'Deposited date cannot be before unloading date';
  }
  return errors;
}

/**
 * The dates of a new challan (docs/specification.md §8.3.3): a missing loading date becomes now, a missing unloading date
 * becomes the loading date.
 */
export function withDefaultDates<Dates extends ChallanDates>(dates: Dates, now: string) {
  const loadingDate = isBlank(dates.loadingDate) ? now : dates.loadingDate;
  const unloadingDate = isBlank(dates.unloadingDate) ? loadingDate : dates.unloadingDate;
  return { ...dates, loadingDate, unloadingDate };
}

/**
 * The error of a TDS percentage: 0.1 to 100 with one decimal; under a declaration of the owner 0 and nothing else. null: valid.
 * The rule for required fields handles ''.
 */
export function tdsPercentageError(value: string, isDeclared = false): string | null {
  if (!isAmount(value)) return AMOUNT_MESSAGE;
  if (isDeclared) return isZero(value) ? null : declaredError;
  const outside = tdsRangeError(value);
  if (outside) return outside;
  return compare(value, roundHalfUp(value, 1)) === 0 ? null : 'TDS percentage can have one decimal only';
}

export const WHEELS = { min: 4, max: 32, step: 2 } as const;
export const WHEELS_MESSAGE = 'Vehicle wheels must be an even number from 4 to 32';

/**
 * Whether a challan may have this count of wheels: 4 to 32 in steps of 2. A truck may have another count; the form does
 * not fill that in (docs/specification.md §8.2.2).
 */
export function isWheelCount(wheels: number): boolean {
  return Number.isInteger(wheels) && wheels >= WHEELS.min && wheels <= WHEELS.max && wheels % WHEELS.step === 0;
}

export function wheelsError(value: string | number | null | undefined): string | null {
  if (isBlank(value)) return null;
  const isWritten = typeof value === 'number' || /^\d{1,2}$/.test(value.trim());
  return isWritten && isWheelCount(Number(value)) ? null : WHEELS_MESSAGE;
}

export const AMOUNT_MESSAGE = 'Enter 0 or more, with at most two decimals';

const plainAmounts = [
  'loadingWeight',
  'unloadingWeight',
  'ratePerMT',
  'hsdPricePerLiter',
  'hsdInLiters',
  'advanceMoney',
  'officeCharges',
  'discountWeight',
  'materialRate',
] as const satisfies readonly AmountInput[];

/** Weights are stored with at most 10 digits before the point, money with 12. */
const weights: readonly AmountInput[] = ['loadingWeight', 'unloadingWeight', 'discountWeight'];
const MAX_WEIGHT = '9999999999.99';
export const WEIGHT_MESSAGE = 'A weight can have at most 10 digits before the decimal point';

/**
 * Errors of weights, rates and amounts: each is 0 or more with at most two decimals (docs/specification.md §8.3.2). The
 * rule for required fields handles empty ones.
 */
export function amountErrors(values: ChallanValues): ChallanErrors {
  const errors: ChallanErrors = {};
  for (const field of plainAmounts) {
    const value = values[field];
    if (isBlank(value)) continue;
    if (!isAmount(value)) errors[field] = AMOUNT_MESSAGE;
    else if (weights.includes(field) && compare(value, MAX_WEIGHT) > 0) errors[field] = WEIGHT_MESSAGE;
  }
  const percentage = isBlank(values.tdsPercentage)
    ? null
    : tdsPercentageError(values.tdsPercentage, !isBlank(values.tdsDeclarationId));
  if (percentage) errors.tdsPercentage = percentage;
  return errors;
}

export function requiredErrors(values: ChallanValues): ChallanErrors {
  const errors: ChallanErrors = {};
  for (const [field, message] of required) {
    if (isBlank(values[field])) errors[field] = message;
  }
  return errors;
}

/** HSD liters: required with a petrol pump, not allowed without one (docs/specification.md §8.3.2). */
export function hsdErrors(values: ChallanValues): ChallanErrors {
  const liters = values.hsdInLiters;
  if (!isBlank(values.petrolPumpId)) return isBlank(liters) ? { hsdInLiters: HSD_LITERS_REQUIRED } : {};
  const isEntered = !isBlank(liters) && isAmount(liters) && isPositive(liters);
  return isEntered ? { hsdInLiters: 'Petrol pump selection is required to enter HSD in liters' } : {};
}

const tooLargeMessage = 'This amount has more than 12 digits. Check the weights and rates it is worked out from.';

/**
 * Checks every rule of the form at once and gives the errors in the form's order of fields; without errors the challan may
 * be saved. `values` holds tdsAmount and materialShortageAmount as the calculation gives them. `figures` are those that
 * would be stored; without them they are computed from `values`.
 */
export function challanErrors(
  values: ChallanValues,
  mode: 'create' | 'edit',
  figures?: Readonly<Record<DerivedField, string | null>>,
): ChallanErrors {
  const ofAmounts = amountErrors(values);
  const errors: ChallanErrors = {
    ...requiredErrors(values),
    ...hsdErrors(values),
    ...dateErrors(values),
    ...ofAmounts,
  };
  const wheels = wheelsError(values.vehicleWheel);
  if (wheels) errors.vehicleWheel = wheels;
  if (mode === 'create' && isBlank(values.ownerId)) errors.ownerId = OWNER_REQUIRED;
  if (Object.keys(ofAmounts).length === 0) {
    const shortage = materialShortageError(values);
    if (shortage) errors.materialShortageAmount = shortage;
    else for (const field of tooLargeOf(figures ?? challanFigures(values))) errors[field] = tooLargeMessage;
  }
  return inFormOrder(errors);
}

/**
 * The errors of an edited challan. An error that the stored challan had already, in a field that the edit leaves as it
 * was, is left out: a field that was stored empty may stay empty (docs/specification.md §8.3.1). `figures` as in challanErrors.
 */
export function editErrors(
  before: ChallanValues,
  after: ChallanValues,
  figures?: Readonly<Record<DerivedField, string | null>>,
): ChallanErrors {
  const errors = challanErrors(after, 'edit', figures);
  // A bulk change checks thousands of challans, nearly all without an error.
  if (Object.keys(errors).length === 0) return errors;
  const old = challanErrors(before, 'edit');
  for (const field of formOrder) {
    if (errors[field] === old[field] && before[field] === after[field]) delete errors[field];
  }
  return errors;
}

/**
 * The order of the form's fields (docs/specification.md §8.2.1). The error summary lists errors in this order, and the
 * first one gets the focus.
 */
export const formOrder: readonly ChallanField[] = [
  'tpNo',
  'loadingDate',
  'unloadingDate',
  'vehicleNo',
  'material',
  'ownerName',
  'ownerId',
  'ownerContactNumber',
  'tagId',
  'petrolPumpId',
  'loadingPlace',
  'unloadingPlace',
  'loadingWeight',
  'unloadingWeight',
  'differenceWeight',
  'ratePerMT',
  'tdsPercentage',
  'tdsAmount',
  'hsdPricePerLiter',
  'hsdInLiters',
  'hsdAmount',
  'advanceMoney',
  'officeCharges',
  'discountWeight',
  'shortageAmount',
  'materialRate',
  'materialShortageAmount',
  'netAmountPayable',
  'vehicleWheel',
  'depositedAt',
];

function inFormOrder(errors: ChallanErrors): ChallanErrors {
  const ordered: ChallanErrors = {};
  for (const field of formOrder) {
    const message = errors[field];
    if (message) ordered[field] = message;
  }
  return ordered;
}
