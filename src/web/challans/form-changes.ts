import { amountInputs, derivedFields } from '../../shared/calc/challan-figures.ts';
import { challanEditForm, type ChallanFormValues } from '../../shared/contract/challan-form.ts';
import type { Challan } from '../../shared/contract/challan.ts';
import type { ChallanChange } from '../../shared/contract/challan-input.ts';
import { figuresOf, isAmountField, isSameAmount, readAmount, shownAmount } from './form-amounts.ts';
import { fieldLabels, fieldNames, shownValue, storedValues, type FieldName, type FormValues } from './form-values.ts';

const idOf = (choice: { id: string } | null): string => choice?.id ?? '';

function isSame(name: FieldName, before: FormValues, after: FormValues): boolean {
  const [old, now] = [before[name], after[name]];
  if (typeof old === 'string' && typeof now === 'string') {
    return isAmountField(name) ? isSameAmount(name, old, now) : old.trim() === now.trim();
  }
  if (typeof old === 'boolean' || typeof now === 'boolean') return old === now;
  // Safe: neither text nor a boolean is left, so both are what a picker holds.
  return idOf(old as { id: string } | null) === idOf(now as { id: string } | null);
}

/** The fields whose value differs, in the form's order. */
export function changedFields(before: FormValues, after: FormValues): FieldName[] {
  return fieldNames.filter((name) => !isSame(name, before, after));
}

/** One field of `from` put into `into`, whatever its type. */
export function withField<N extends FieldName>(into: FormValues, from: FormValues, name: N): FormValues {
  return { ...into, [name]: from[name] };
}

/** The form as the contract's schema wants it: amounts as they will be sent, ids in place of names, figures worked out. */
export function contractValues(values: FormValues, stored: Challan | undefined): ChallanFormValues {
  const { discounter, tag, petrolPump, ...rest } = values;
  const settled = { ...rest };
  for (const name of fieldNames) {
    if (!isAmountField(name)) continue;
    const read = readAmount(name, values[name]);
    if ('value' in read) settled[name] = read.value;
  }
  const figures = figuresOf(values, stored);
  return {
    ...settled,
    discounterId: idOf(discounter),
    tagId: idOf(tag),
    petrolPumpId: idOf(petrolPump),
    differenceWeight: figures.differenceWeight ?? '',
    tdsAmount: figures.tdsAmount,
    hsdAmount: figures.hsdAmount,
    shortageAmount: figures.shortageAmount,
    materialShortageAmount: figures.materialShortageAmount,
    netAmountPayable: figures.netAmountPayable ?? '',
  };
}

/**
 * The key a field has in a request; the material rate is not stored (docs/specification.md §8.4.3), the owner stays
 * (§8.3.4).
 */
const sentKeys: Readonly<Partial<Record<FieldName, keyof ChallanChange | null>>> = {
  discounter: 'discounterId',
  tag: 'tagId',
  petrolPump: 'petrolPumpId',
  materialRate: null,
  ownerId: null,
  ownerName: null,
  ownerContactNumber: null,
};

/**
 * Once one of these is changed the server needs the shortage: it does not know the material rate
 * (docs/specification.md §14.9).
 */
const shortageInputs: readonly FieldName[] = ['loadingWeight', 'unloadingWeight', 'discountWeight', 'materialRate'];
const tdsInputs: readonly FieldName[] = ['loadingWeight', 'unloadingWeight', 'ratePerMT'];

/**
 * The body of PUT /challans/{id}: what was changed and what follows from it, nothing else
 * (docs/specification.md §8.4.3).
 */
export function changeBody(stored: Challan, values: FormValues): ChallanChange {
  const before = storedValues(stored);
  // Safe to parse: the form's resolver has just passed these values through the same schema.
  const whole: ChallanChange = challanEditForm(contractValues(before, stored)).parse(contractValues(values, stored));
  const changed = changedFields(before, values);
  const keys = new Set<keyof ChallanChange>();
  for (const name of changed) {
    const key = sentKeys[name];
    // Safe: every other field has the same name in the API.
    if (key !== null) keys.add(key ?? (name as keyof ChallanChange));
  }
  for (const field of derivedFields) if (whole[field] !== stored[field]) keys.add(field);
  if (changed.some((name) => shortageInputs.includes(name))) keys.add('materialShortageAmount');
  // Stored without a percentage: the one shown here, worked back, is what the new amount was worked out with.
  if (stored.tdsPercentage === null && changed.some((name) => tdsInputs.includes(name))) keys.add('tdsPercentage');
  const body = Object.fromEntries([...keys].map((key) => [key, whole[key]]));
  return { ...body, version: stored.version };
}

/** Changing money on a paid challan asks first (docs/specification.md §8.5). */
export const changesMoney = (changed: readonly FieldName[]): boolean =>
  changed.some((name) => amountInputs.some((input) => input === name));

/** Changing TP, pump or an HSD figure clears hsdVerified (docs/specification.md §8.5). */
export const clearsHsd = (changed: readonly FieldName[]): boolean =>
  changed.some((name) => ['tpNo', 'petrolPump', 'hsdPricePerLiter', 'hsdInLiters'].includes(name));

const shownIn = (values: FormValues, field: FieldName): string =>
  isAmountField(field) ? shownAmount(field, values[field]) : shownValue(values, field);

export interface FieldClash {
  field: FieldName;
  label: string;
  mine: string;
  theirs: string;
  isMineKept: boolean;
}

/**
 * Somebody else saved the challan while it was open here: their values in the fields not touched here, ours in those that
 * were, and a list of what they changed (docs/specification.md §19.4).
 */
export function rebase(base: FormValues, mine: FormValues, theirs: FormValues) {
  const edited = changedFields(base, mine);
  let merged = theirs;
  for (const name of edited) merged = withField(merged, mine, name);
  const clashes: FieldClash[] = changedFields(base, theirs).map((field) => ({
    field,
    label: fieldLabels[field],
    mine: shownIn(mine, field),
    theirs: shownIn(theirs, field),
    isMineKept: edited.includes(field) && !isSame(field, mine, theirs),
  }));
  return { merged, clashes };
}
