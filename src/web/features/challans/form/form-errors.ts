import { zodResolver } from '@hookform/resolvers/zod';
import type { Resolver } from 'react-hook-form';
import { challanErrors, editErrors, correctedBy, type ChallanErrors } from '../../../../shared/calc/challan-rules.ts';
import { challanCreateForm, challanEditForm } from '../../../../shared/contract/challan-form.ts';
import type { Challan } from '../../../../shared/contract/challan.ts';
import { figuresOf, isAmountField, readAmount } from './form-amounts.ts';
import { contractValues } from './form-changes.ts';
import { fieldNames, isFieldName, storedValues, type FieldName, type FormValues } from './form-values.ts';

const shortageRequired = 'Material shortage amount is required';

export type Mode = 'create' | 'edit';
export type FormErrors = Partial<Record<FieldName, string>>;
/**
 * What is wrong with a typed text that never becomes a value of the form: it is not a date, or not in the list of a picker.
 * The field keeps the text and reports the problem here.
 */
export type FieldProblems = Partial<Record<FieldName, string>>;

const pickerFields: Readonly<Record<string, FieldName>> = {
  discounterId: 'discounter',
  tagId: 'tag',
  petrolPumpId: 'petrolPump',
  ownerId: 'ownerName',
};

/**
 * The field of the form that shows an error of the contract. An error of a computed amount is shown at the input that can
 * correct it (docs/specification.md §8.3.2).
 */
export function fieldOfError(name: string): FieldName | undefined {
  if (name === 'materialShortageAmount' || name in correctedBy) {
    // Safe: both names of the condition above are keys.
    const input = correctedBy[name as keyof typeof correctedBy];
    return isFieldName(input) ? input : undefined;
  }
  const field = pickerFields[name] ?? name;
  return isFieldName(field) ? field : undefined;
}

/** Errors of typed texts. A field shows them instead of errors of the rules, which see only its value. */
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
 * The material rate is not stored, so an edit could turn a stored material shortage into 0 unnoticed. In that case
 * the rate is required; a typed 0 is accepted (docs/specification.md §8.3.2 and §8.4.3).
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
    const field = fieldOfError(name);
    if (field && message) errors[field] ??= message;
  }
  return errors;
}

function ruleErrors(values: FormValues, stored: Challan | undefined): ChallanErrors {
  const now = contractValues(values, stored);
  return stored ? editErrors(contractValues(storedValues(stored), stored), now) : challanErrors(now, 'create');
}

/** Checks the values against every rule of docs/specification.md §8.3. */
export function errorsOf(values: FormValues, stored: Challan | undefined, problems: FieldProblems): FormErrors {
  return inFormOrder({
    ...rateErrors(values, stored),
    ...atFields(ruleErrors(values, stored)),
    ...typedErrors(values, problems),
  });
}

const createResolver = zodResolver(challanCreateForm, undefined, { raw: true });
const editResolver = (stored: Challan) =>
  zodResolver(challanEditForm(contractValues(storedValues(stored), stored)), undefined, { raw: true });

interface FormState {
  stored: Challan | undefined;
  problems: FieldProblems;
}

/** Checks the form with the contract's schema, and puts each error at the field that can correct it. */
export function formResolver(stateOf: () => FormState): Resolver<FormValues> {
  return async (values, _context, options) => {
    const { stored, problems } = stateOf();
    const resolve = stored ? editResolver(stored) : createResolver;
    const checked = await resolve(contractValues(values, stored), undefined, {
      fields: {},
      shouldUseNativeValidation: options.shouldUseNativeValidation,
    });
    // When one field is checked, a missing owner is not an error yet: the chip beside the name shows it, and submitting
    // reports it (docs/specification.md §8.3.4).
    if (options.names?.length === 1) delete checked.errors.ownerId;
    const found = Object.fromEntries(Object.entries(checked.errors).map(([name, error]) => [name, messageOf(error)]));
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
