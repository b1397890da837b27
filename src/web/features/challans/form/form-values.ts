import { z } from 'zod';
import { backComputeTdsPercentage } from '../../../../shared/calc/challan-amounts.ts';
import { dayOf, formatDate, isDay } from '../../../../shared/calc/dates.ts';
import type { DerivedField } from '../../../../shared/calc/challan-figures.ts';
import type { Challan } from '../../../../shared/contract/challan.ts';
import {
  challanFields,
  paperOrder,
  type NamedField,
  type PaperField,
} from '../../../../shared/contract/challan-fields.ts';
import type { FieldKind } from '../../../../shared/contract/fields.ts';

/**
 * The values of the challan form. Most are texts, '' when empty; days are YYYY-MM-DD. The value of a picker has the name too,
 * so that a restored draft can show it. Computed amounts are not included: they follow from these values.
 */
const discounter = z.object({ id: z.string(), name: z.string() });
const tag = z.object({ id: z.string(), name: z.string(), color: z.string() });
const petrolPump = z.object({ id: z.string(), name: z.string() });
const text = z.string();
const day = text.refine((value) => value === '' || isDay(value));

/** The value of the picker of each record that is chosen in the form. */
const pickers = {
  discounter: discounter.nullable(),
  tag: tag.nullable(),
  petrolPump: petrolPump.nullable(),
} satisfies Record<NamedField & PaperField, z.ZodType>;
type Pickers = typeof pickers;

/** The form has the material rate instead of the material shortage, which is computed from it. */
type FormField = Exclude<PaperField, 'materialShortageAmount'>;
type FormShape = {
  [N in FormField]: N extends keyof Pickers ? Pickers[N] : N extends 'paymentStatus' ? z.ZodBoolean : z.ZodString;
} & {
  /** '' while the typed name is not that of an existing owner (docs/specification.md §8.2.2). */
  ownerId: z.ZodString;
  /** The declaration that makes the TDS percentage 0; '' where none does. It is not sent. */
  tdsDeclarationId: z.ZodString;
  materialRate: z.ZodString;
};
export type FieldName = keyof FormShape;

/** In the order of the paper form (docs/specification.md §8.2.1). */
export const fieldNames: readonly FieldName[] = paperOrder.flatMap((name): FieldName[] => {
  if (name === 'ownerContactNumber') return [name, 'ownerId'];
  if (name === 'tdsPercentage') return [name, 'tdsDeclarationId'];
  return [name === 'materialShortageAmount' ? 'materialRate' : name];
});

const kindOf = (name: FieldName): FieldKind =>
  name === 'ownerId' || name === 'tdsDeclarationId'
    ? 'text'
    : name === 'materialRate'
      ? 'money'
      : challanFields[name].kind;

function schemaOf(name: FieldName): z.ZodType {
  const kind = kindOf(name);
  if (kind === 'record') return pickers[name as keyof Pickers];
  if (kind === 'flag') return z.boolean();
  return kind === 'date' ? day : text;
}

/** Checks the values of the form, also those read from browser storage, which may hold anything. */
// The cast is safe: `schemaOf` gives each name the schema that FormShape names.
export const formShape = z.object(
  Object.fromEntries(fieldNames.map((name) => [name, schemaOf(name)])) as unknown as FormShape,
);
export type FormValues = z.output<typeof formShape>;

export const isFieldName = (name: string): name is FieldName => name in formShape.shape;

/** The label exactly as in docs/specification.md §8.2.1: that of a weight ends with its unit. */
export const labelOf = (name: FormField | DerivedField): string =>
  `${challanFields[name].label}${challanFields[name].kind === 'weight' ? ' (MT)' : ''}`;

const ownLabels: Readonly<Partial<Record<FieldName, string>>> = {
  ownerId: 'Owner Name',
  tdsDeclarationId: challanFields.tdsDeclaration.label,
  materialRate: 'Material Rate per MT',
  paymentStatus: 'Payment Done',
};
// The cast is safe: a field without a label above is a field of the challan.
export const fieldLabels = Object.fromEntries(
  fieldNames.map((name) => [name, ownLabels[name] ?? labelOf(name as FormField)]),
) as Readonly<Record<FieldName, string>>;

/** The fields that are filled in from the truck with the typed vehicle number (docs/specification.md §8.2.2). */
export const lookupFields = ['ownerName', 'ownerContactNumber', 'ownerId', 'vehicleType', 'vehicleWheel'] as const;
export type LookupField = (typeof lookupFields)[number];
export const isLookupField = (name: string): name is LookupField => lookupFields.some((field) => field === name);

const dateFields = ['loadingDate', 'unloadingDate', 'depositedAt'] as const satisfies readonly FieldName[];
export type DateFieldName = (typeof dateFields)[number];
export const isDateField = (name: FieldName): name is DateFieldName => dateFields.some((field) => field === name);

const emptyOf = (name: FieldName): null | false | '' => {
  const kind = kindOf(name);
  return kind === 'record' ? null : kind === 'flag' ? false : '';
};
// The cast is safe: `emptyOf` gives each kind of field its empty value.
const emptyForm = Object.fromEntries(fieldNames.map((name) => [name, emptyOf(name)])) as FormValues;

export const blankForm = (): FormValues => ({ ...emptyForm });

/** The form's values for a stored challan. The material rate is not stored, so it is empty (docs/specification.md §8.4.3). */
export function storedValues(challan: Challan): FormValues {
  const values = fieldNames.map((name) => [name, storedValue(challan, name)]);
  // The cast is safe: `storedValue` gives each field a value of its kind.
  return Object.fromEntries(values) as FormValues;
}

function storedValue(challan: Challan, name: FieldName): unknown {
  if (name === 'ownerId') return challan.owner.id;
  if (name === 'tdsDeclarationId') return challan.tdsDeclaration?.id ?? '';
  if (name === 'materialRate') return '';
  // If no percentage is stored, it is computed from the TDS amount (docs/specification.md §8.4.3).
  if (name === 'tdsPercentage') return challan.tdsPercentage ?? backComputeTdsPercentage(challan) ?? '';
  const value = challan[name];
  const kind = kindOf(name);
  // The schema drops the other fields of the record, so that drafts and remembered values do not keep them.
  if (kind === 'record') return schemaOf(name).parse(value);
  if (kind === 'date') return typeof value === 'string' ? dayOf(value) : '';
  return kind === 'count' ? String(value ?? '') : value;
}

/**
 * The values that a duplicated challan starts with: all but the payment and the deposit date. It has the owner's current
 * name, because the owner may have been renamed since (docs/specification.md §8.2.2).
 */
export function copiedValues(challan: Challan): Partial<FormValues> {
  const {
    paymentStatus: _payment,
    depositedAt: _deposited,
    materialRate: _rate,
    tdsDeclarationId,
    ...copied
  } = storedValues(challan);
  // Whether a declaration is valid depends on the new challan's day.
  return { ...copied, ownerName: challan.owner.name, ...(tdsDeclarationId !== '' && { tdsPercentage: '' }) };
}

/** A value as text, for the list of conflicting edits. */
export function shownValue(values: FormValues, name: FieldName): string {
  const value = values[name];
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'object') return value.name;
  return isDateField(name) && value !== '' ? formatDate(value) : value;
}
