import { amountInputs, derivedFields } from '../../../../shared/calc/challan-figures.ts';
import { challanEditForm, type ChallanFormValues } from '../../../../shared/contract/challan-form.ts';
import type { Challan } from '../../../../shared/contract/challan.ts';
import type { ChallanChange } from '../../../../shared/contract/challan-input.ts';
import { figuresOf, isAmountField, isSameAmount, readAmount, shownAmount } from './form-amounts.ts';
import { fieldLabels, fieldNames, shownValue, storedValues, type FieldName, type FormValues } from './form-values.ts';

const idOf = (choice: { id: string } | null): string => choice?.id ?? '';

function isSame(name: FieldName, before: FormValues, after: FormValues): boolean {
  const [old, now] = [before[name], after[name]];
  if (typeof old === 'string' && typeof now === 'string') {
    return isAmountField(name) ? isSameAmount(name, old, now) : old.trim() === now.trim();
  }
  if (typeof old === 'boolean' || typeof now === 'boolean') return old === now;
  // Safe: texts and booleans are handled above, so both are the value of a picker.
  return idOf(old as { id: string } | null) === idOf(now as { id: string } | null);
}

/** The fields whose values differ, in the order of the form. */
export function changedFields(before: FormValues, after: FormValues): FieldName[] {
  return fieldNames.filter((name) => !isSame(name, before, after));
}

/** Copies one field of `from` into `into`. */
export function withField<N extends FieldName>(into: FormValues, from: FormValues, name: N): FormValues {
  return { ...into, [name]: from[name] };
}

/** The form in the shape of the contract's schema: amounts as they will be sent, ids instead of names, computed amounts. */
export function contractValues(values: FormValues, stored: Challan | undefined): ChallanFormValues {
  const { discounter, tag, petrolPump, ...rest } = values;
  const sent = { ...rest };
  for (const name of fieldNames) {
    if (!isAmountField(name)) continue;
    const read = readAmount(name, values[name]);
    if ('value' in read) sent[name] = read.value;
  }
  const figures = figuresOf(values, stored);
  return {
    ...sent,
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
 * The key of a field in the request, where it differs from the field's name. null: the field is not sent, because the
 * material rate is not stored (docs/specification.md §8.4.3) and the owner of a challan cannot be changed (§8.3.4).
 */
const requestKeys: Readonly<Partial<Record<FieldName, keyof ChallanChange | null>>> = {
  discounter: 'discounterId',
  tag: 'tagId',
  petrolPump: 'petrolPumpId',
  materialRate: null,
  ownerId: null,
  tdsDeclarationId: null,
  ownerName: null,
  ownerContactNumber: null,
};

/**
 * When one of these changes, the material shortage amount must be sent: the server cannot compute it, because it does not
 * know the material rate (docs/specification.md §14.9).
 */
const shortageInputs: readonly FieldName[] = ['loadingWeight', 'unloadingWeight', 'discountWeight', 'materialRate'];
const tdsInputs: readonly FieldName[] = ['loadingWeight', 'unloadingWeight', 'ratePerMT'];

/**
 * The body of PUT /challans/{id}: only the changed fields and the computed amounts that change with them
 * (docs/specification.md §8.4.3).
 */
export function changeBody(stored: Challan, values: FormValues): ChallanChange {
  const before = storedValues(stored);
  // This cannot throw: the form's resolver has just checked these values with the same schema.
  const whole: ChallanChange = challanEditForm(contractValues(before, stored)).parse(contractValues(values, stored));
  const changed = changedFields(before, values);
  const keys = new Set<keyof ChallanChange>();
  for (const name of changed) {
    const key = requestKeys[name];
    // Safe: every other field has the same name in the API.
    if (key !== null) keys.add(key ?? (name as keyof ChallanChange));
  }
  for (const field of derivedFields) if (whole[field] !== stored[field]) keys.add(field);
  if (changed.some((name) => shortageInputs.includes(name))) keys.add('materialShortageAmount');
  // If no percentage is stored, the form shows one computed from the TDS amount. The new TDS amount uses it, so it is sent too.
  if (stored.tdsPercentage === null && changed.some((name) => tdsInputs.includes(name))) keys.add('tdsPercentage');
  const body = Object.fromEntries([...keys].map((key) => [key, whole[key]]));
  return { ...body, version: stored.version };
}

/** Whether an amount changed. On a paid challan this has to be confirmed (docs/specification.md §8.5). */
export const changesMoney = (changed: readonly FieldName[]): boolean =>
  changed.some((name) => amountInputs.some((input) => input === name));

/** Whether the change clears the HSD verification: TP number, pump, HSD price or litres (docs/specification.md §8.5). */
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
 * Merges the form with a challan that someone else saved while the form was open. Fields edited in this form keep the value
 * of the form, all others take the saved value. `clashes` lists what the other person changed (docs/specification.md §19.4).
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
