import { zodResolver } from '@hookform/resolvers/zod';
import type { Resolver } from 'react-hook-form';
import { challanErrors, mendedBy, type ChallanField } from '../../../shared/calc/challan-rules.ts';
import { challanCreateForm, challanEditForm } from '../../../shared/contract/challan-form.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import { figuresOf, isAmountField, readAmount } from './form-amounts.ts';
import { contractValues } from './form-changes.ts';
import { fieldNames, isFieldName, type FieldName, type FormValues } from './form-values.ts';

const shortageRequired = 'Material shortage amount is required';

export type Mode = 'create' | 'edit';
export type FormErrors = Partial<Record<FieldName, string>>;
/** Text that is no date, or none of a picker's list: the field keeps it to itself and says so here. */
export type FieldProblems = Partial<Record<FieldName, string>>;

const pickers: Readonly<Record<string, FieldName>> = {
  discounterId: 'discounter',
  tagId: 'tag',
  petrolPumpId: 'petrolPump',
  ownerId: 'ownerName',
};

/** The field of the form an error of the contract stands at; a read-only one is mended elsewhere (ruling 20). */
export function standsAt(name: string): FieldName | undefined {
  if (name === 'materialShortageAmount' || name in mendedBy) {
    // Safe: asked for just above.
    const input = mendedBy[name as keyof typeof mendedBy];
    return isFieldName(input) ? input : undefined;
  }
  const field = pickers[name] ?? name;
  return isFieldName(field) ? field : undefined;
}

/** What a field says of its own text comes before what the rules say of its value: the same words in both places. */
function typedErrors(values: FormValues, problems: FieldProblems): FormErrors {
  const errors: FormErrors = { ...problems };
  for (const name of fieldNames) {
    if (!isAmountField(name)) continue;
    const read = readAmount(name, values[name]);
    if ('error' in read) errors[name] = read.error;
  }
  return errors;
}

/**
 * A stored material shortage must not fall to 0 unseen because its rate is not stored: the rate is asked for, and a typed
 * 0 is an answer (part 2 §5, rulings 18 and 20).
 */
function rateErrors(values: FormValues, stored: Challan | undefined): FormErrors {
  return figuresOf(values, stored).materialRateMissing ? { materialRate: shortageRequired } : {};
}

function inFormOrder(errors: FormErrors): FormErrors {
  return Object.fromEntries(fieldNames.flatMap((name) => (errors[name] ? [[name, errors[name]]] : [])));
}

function atFields(found: Readonly<Record<string, string | undefined>>): FormErrors {
  const errors: FormErrors = {};
  for (const [name, message] of Object.entries(found)) {
    const field = standsAt(name);
    if (field && message) errors[field] ??= message;
  }
  return errors;
}

/** Every rule of part 2 §5 on the values as they stand. */
export function errorsOf(values: FormValues, stored: Challan | undefined, problems: FieldProblems): FormErrors {
  const found: Partial<Record<ChallanField, string>> = challanErrors(
    contractValues(values, stored),
    stored ? 'edit' : 'create',
  );
  return inFormOrder({ ...rateErrors(values, stored), ...atFields(found), ...typedErrors(values, problems) });
}

const schemaResolvers = {
  create: zodResolver(challanCreateForm, undefined, { raw: true }),
  edit: zodResolver(challanEditForm, undefined, { raw: true }),
};

interface Given {
  stored: Challan | undefined;
  problems: FieldProblems;
}

/** The contract's schema judges the form; its errors are put at the fields that mend them. */
export function formResolver(given: () => Given): Resolver<FormValues> {
  return async (values, _context, options) => {
    const { stored, problems } = given();
    const resolve = schemaResolvers[stored ? 'edit' : 'create'];
    const judged = await resolve(contractValues(values, stored), undefined, {
      fields: {},
      shouldUseNativeValidation: options.shouldUseNativeValidation,
    });
    // A missing owner is said on submitting (part 2 §5); until then the chip beside the name says it.
    if (options.names?.length === 1) delete judged.errors.ownerId;
    const found = Object.fromEntries(Object.entries(judged.errors).map(([name, error]) => [name, messageOf(error)]));
    const errors = inFormOrder({
      ...rateErrors(values, stored),
      ...atFields(found),
      ...typedErrors(values, problems),
    });
    if (Object.keys(errors).length === 0) return { values, errors: {} };
    return {
      values: {},
      errors: Object.fromEntries(Object.entries(errors).map(([name, message]) => [name, { type: 'rule', message }])),
    };
  };
}

const messageOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : undefined;
