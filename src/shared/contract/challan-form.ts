import { z } from 'zod';
import { challanErrors, editErrors, formOrder, type ChallanErrors } from '../calc/challan-rules.ts';
import {
  challanFields,
  inputShape,
  sentFieldNames,
  sentName,
  type ChallanFieldName,
  type InputShape,
} from './challan-fields.ts';
import { challanChange, challanInput } from './challan-input.ts';
import type { ChallanChange, ChallanInput } from './challan-input.ts';
import type { FieldKind } from './fields.ts';

type SentName = keyof InputShape;

/** The form's values as its fields hold them: text everywhere, '' for empty (docs/specification.md §8.2.1). */
type ValueShape = { [N in SentName]: N extends 'paymentStatus' ? z.ZodBoolean : z.ZodString };
const valueShape = Object.fromEntries(
  Object.keys(inputShape).map((name) => [name, name === 'paymentStatus' ? z.boolean() : z.string()]),
  // The one boolean of the form is the payment.
) as ValueShape;
const values = z.object({ ...valueShape, ownerId: z.string(), materialRate: z.string() });
export type ChallanFormValues = z.output<typeof values>;

/** What is sent for a text, by the kind of its field; '' is an empty field. */
function sentValue(name: ChallanFieldName, value: string | boolean): unknown {
  const { kind, origin, input } = challanFields[name];
  if (value !== '') return kind === 'count' && typeof value === 'string' ? countOf(value) : value;
  if (!(input instanceof z.ZodOptional)) return '';
  if (origin === 'derived') return undefined;
  // An emptied field must reach the server as empty: an absent key would mean "unchanged".
  return empty[kind];
}

const countOf = (text: string): number | null => (text.trim() ? Number(text) : null);

/** What an optional field of each kind holds when it is empty. */
const empty: Readonly<Record<FieldKind, string | null>> = {
  text: '',
  identifier: '',
  reference: '',
  money: '0',
  weight: '0',
  liters: '0',
  percent: '0',
  date: '',
  instant: '',
  count: null,
  flag: null,
  record: null,
};

/** materialRate is not stored. */
function bodyOf(form: ChallanFormValues): ChallanInput {
  const sent = sentFieldNames.map((name) => [sentName(name), sentValue(name, form[sentName(name)])]);
  // Each value is what its field's own schema takes; a wrong text is refused by that schema.
  return { ...Object.fromEntries(sent), ownerId: form.ownerId } as ChallanInput;
}

/** The path says which challan is changed, and its owner cannot change (docs/specification.md §8.3.4). */
function changeOf(form: ChallanFormValues): ChallanChange {
  const { ownerId: _ownerId, ...change } = bodyOf(form);
  return change;
}

function ruled(errorsOf: (form: ChallanFormValues) => ChallanErrors) {
  return values.superRefine((form, context) => {
    for (const [field, message] of Object.entries(errorsOf(form))) {
      if (message) context.addIssue({ code: 'custom', path: [field], message });
    }
  });
}

/**
 * The create form for react-hook-form's zod resolver: it checks every rule of docs/specification.md §8.3 at once and
 * yields the body of POST /challans.
 */
export const challanCreateForm = ruled((form) => challanErrors(form, 'create'))
  .transform(bodyOf)
  .pipe(challanInput);

/**
 * The edit form of a challan whose values were `before`: out comes the body of PUT /challans/{id}, without a version. A
 * field that was stored broken (without a deposited date) and is unchanged is left out: no request may carry it.
 */
export function challanEditForm(before: ChallanFormValues) {
  const broken = challanErrors(before, 'edit');
  const unsent = (form: ChallanFormValues): string[] =>
    formOrder.filter((field) => broken[field] !== undefined && form[field] === before[field]);
  const sentOf = (form: ChallanFormValues): ChallanChange =>
    Object.fromEntries(Object.entries(changeOf(form)).filter(([key]) => !unsent(form).includes(key)));
  return ruled((form) => editErrors(before, form))
    .transform(sentOf)
    .pipe(challanChange);
}
