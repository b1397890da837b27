import { z } from 'zod';
import { backComputeTdsPercentage } from '../../shared/calc/challan-amounts.ts';
import { dayOf, formatDate, isDay } from '../../shared/calc/dates.ts';
import type { DerivedField } from '../../shared/calc/challan-figures.ts';
import type { Challan } from '../../shared/contract/challan.ts';
import { challanFields, paperOrder, type NamedField, type PaperField } from '../../shared/contract/challan-fields.ts';
import type { FieldKind } from '../../shared/contract/fields.ts';

/**
 * The challan form as its fields hold it: text everywhere, '' for empty, days as YYYY-MM-DD; what a picker holds with
 * its name, so that a draft can show it again. Derived amounts are not here: they are worked out from these.
 */
const discounter = z.object({ id: z.string(), name: z.string() });
const tag = z.object({ id: z.string(), name: z.string(), color: z.string() });
const petrolPump = z.object({ id: z.string(), name: z.string() });
const text = z.string();
const day = text.refine((value) => value === '' || isDay(value));

/** What a picker holds, of each record that is chosen in the form. */
const pickers = {
  discounter: discounter.nullable(),
  tag: tag.nullable(),
  petrolPump: petrolPump.nullable(),
} satisfies Record<NamedField & PaperField, z.ZodType>;
type Pickers = typeof pickers;

/** The material shortage is worked out from its rate, which is not stored; an owner is named and chosen. */
type FormField = Exclude<PaperField, 'materialShortageAmount'>;
type FormShape = {
  [N in FormField]: N extends keyof Pickers ? Pickers[N] : N extends 'paymentStatus' ? z.ZodBoolean : z.ZodString;
} & {
  /** '' while the typed owner is not in the list (docs/specification.md §8.2.2). */
  ownerId: z.ZodString;
  materialRate: z.ZodString;
};
export type FieldName = keyof FormShape;

/** In the order of the paper form (docs/specification.md §8.2.1). */
export const fieldNames: readonly FieldName[] = paperOrder.flatMap((name): FieldName[] => {
  if (name === 'ownerContactNumber') return [name, 'ownerId'];
  return [name === 'materialShortageAmount' ? 'materialRate' : name];
});

const kindOf = (name: FieldName): FieldKind =>
  name === 'ownerId' ? 'text' : name === 'materialRate' ? 'money' : challanFields[name].kind;

function schemaOf(name: FieldName): z.ZodType {
  const kind = kindOf(name);
  if (kind === 'record') return pickers[name as keyof Pickers];
  if (kind === 'flag') return z.boolean();
  return kind === 'date' ? day : text;
}

/** Also what is read back from browser storage, which may hold anything. */
// Each name has the schema that FormShape says.
export const formShape = z.object(
  Object.fromEntries(fieldNames.map((name) => [name, schemaOf(name)])) as unknown as FormShape,
);
export type FormValues = z.output<typeof formShape>;

export const isFieldName = (name: string): name is FieldName => name in formShape.shape;

/** docs/specification.md §8.2.1, letter for letter: a weight says its unit. */
export const labelOf = (name: FormField | DerivedField): string =>
  `${challanFields[name].label}${challanFields[name].kind === 'weight' ? ' (MT)' : ''}`;

const ownLabels: Readonly<Partial<Record<FieldName, string>>> = {
  ownerId: 'Owner Name',
  materialRate: 'Material Rate per MT',
  paymentStatus: 'Payment Done',
};
// Those without a label of their own are fields of the challan.
export const fieldLabels = Object.fromEntries(
  fieldNames.map((name) => [name, ownLabels[name] ?? labelOf(name as FormField)]),
) as Readonly<Record<FieldName, string>>;

/** What the truck of a vehicle number fills in (docs/specification.md §8.2.2). */
export const lookupFields = ['ownerName', 'ownerContactNumber', 'ownerId', 'vehicleType', 'vehicleWheel'] as const;
export type LookupField = (typeof lookupFields)[number];
export const isLookupField = (name: string): name is LookupField => lookupFields.some((field) => field === name);

export const dateFields = ['loadingDate', 'unloadingDate', 'depositedAt'] as const satisfies readonly FieldName[];
export type DateFieldName = (typeof dateFields)[number];
export const isDateField = (name: FieldName): name is DateFieldName => dateFields.some((field) => field === name);

const emptyOf = (name: FieldName): null | false | '' => {
  const kind = kindOf(name);
  return kind === 'record' ? null : kind === 'flag' ? false : '';
};
// Each kind with what its field holds when it is empty.
const emptyForm = Object.fromEntries(fieldNames.map((name) => [name, emptyOf(name)])) as FormValues;

export const blankForm = (): FormValues => ({ ...emptyForm });

/** A stored challan as the form shows it. materialRate is not stored and not restored (docs/specification.md §8.4.3). */
export function storedValues(challan: Challan): FormValues {
  const values = fieldNames.map((name) => [name, storedValue(challan, name)]);
  // Each value is that of its field's kind.
  return Object.fromEntries(values) as FormValues;
}

function storedValue(challan: Challan, name: FieldName): unknown {
  if (name === 'ownerId') return challan.owner.id;
  if (name === 'materialRate') return '';
  // docs/specification.md §8.4.3: the stored percentage; worked back only where none is stored.
  if (name === 'tdsPercentage') return challan.tdsPercentage ?? backComputeTdsPercentage(challan) ?? '';
  const value = challan[name];
  const kind = kindOf(name);
  // Of a record only what a picker holds: more is not for drafts and remembered values.
  if (kind === 'record') return schemaOf(name).parse(value);
  if (kind === 'date') return typeof value === 'string' ? dayOf(value) : '';
  return kind === 'count' ? String(value ?? '') : value;
}

/**
 * What a copy takes over: everything but the payment and the day of its deposit. The owner may have been renamed since,
 * and a new challan has the present name (docs/specification.md §8.2.2).
 */
export function copiedValues(challan: Challan): Partial<FormValues> {
  const { paymentStatus: _payment, depositedAt: _deposited, materialRate: _rate, ...copied } = storedValues(challan);
  return { ...copied, ownerName: challan.owner.name };
}

/** A value as a person reads it, for a conflict's list. */
export function shownValue(values: FormValues, name: FieldName): string {
  const value = values[name];
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'object') return value.name;
  return isDateField(name) && value !== '' ? formatDate(value) : value;
}
