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

/** The values of the form's fields: all are texts, and '' is an empty field (docs/specification.md §8.2.1). */
type ValueShape = { [N in SentName]: N extends 'paymentStatus' ? z.ZodBoolean : z.ZodString };
const valueShape = Object.fromEntries(
  Object.keys(inputShape).map((name) => [name, name === 'paymentStatus' ? z.boolean() : z.string()]),
  // Safe: paymentStatus is the only boolean of the form.
) as ValueShape;
/** The declaration is not sent: the rule of the TDS percentage asks whether there is one ('': there is none). */
const values = z.object({ ...valueShape, ownerId: z.string(), tdsDeclarationId: z.string(), materialRate: z.string() });
export type ChallanFormValues = z.output<typeof values>;

/** What is sent for the value of a field, by the kind of the field. */
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

/** The body of the request. materialRate is left out, because it is not stored. */
function bodyOf(form: ChallanFormValues): ChallanInput {
  const sent = sentFieldNames.map((name) => [sentName(name), sentValue(name, form[sentName(name)])]);
  // Safe: the schema of each field refuses a text that it does not accept.
  return { ...Object.fromEntries(sent), ownerId: form.ownerId } as ChallanInput;
}

/** The body of a change. ownerId is left out, because the owner of a challan cannot change (docs/specification.md §8.3.4). */
function changeOf(form: ChallanFormValues): ChallanChange {
  const { ownerId: _ownerId, ...change } = bodyOf(form);
  return change;
}

/** The schema of the form's values with the rules that `errorsOf` checks. */
function formWithRules(errorsOf: (form: ChallanFormValues) => ChallanErrors) {
  return values.superRefine((form, context) => {
    for (const [field, message] of Object.entries(errorsOf(form))) {
      if (message) context.addIssue({ code: 'custom', path: [field], message });
    }
  });
}

/**
 * The create form, for the zod resolver of react-hook-form. It checks every rule of docs/specification.md §8.3 at once and
 * gives the body of POST /challans.
 */
export const challanCreateForm = formWithRules((form) => challanErrors(form, 'create'))
  .transform(bodyOf)
  .pipe(challanInput);

/**
 * The edit form of a challan whose values were `before`. It gives the body of PUT /challans/{id} without a version. A field
 * whose stored value breaks a rule (a missing deposited date) and that is unchanged is left out, because the API would
 * refuse it.
 */
export function challanEditForm(before: ChallanFormValues) {
  const broken = challanErrors(before, 'edit');
  const unsent = (form: ChallanFormValues): string[] =>
    formOrder.filter((field) => broken[field] !== undefined && form[field] === before[field]);
  const sentOf = (form: ChallanFormValues): ChallanChange =>
    Object.fromEntries(Object.entries(changeOf(form)).filter(([key]) => !unsent(form).includes(key)));
  return formWithRules((form) => editErrors(before, form))
    .transform(sentOf)
    .pipe(challanChange);
}
