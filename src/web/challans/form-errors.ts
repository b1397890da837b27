import { zodResolver } from '@hookform/resolvers/zod';
import type { Resolver } from 'react-hook-form';
import {
  challanErrors,
  editErrors,
  farDayWarning,
  correctedBy,
  type ChallanErrors,
} from '../../shared/calc/challan-rules.ts';
import { isDay } from '../../shared/calc/dates.ts';
import { challanCreateForm, challanEditForm } from '../../shared/contract/challan-form.ts';
import type { Challan } from '../../shared/contract/challan.ts';
import { today } from '../forms/fields.tsx';
import { figuresOf, isAmountField, readAmount } from './form-amounts.ts';
import { contractValues } from './form-changes.ts';
import {
  fieldNames,
  isFieldName,
  storedValues,
  type DateFieldName,
  type FieldName,
  type FormValues,
} from './form-values.ts';

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

/**
 * The field of the form that an error of the contract belongs to; a read-only one is corrected elsewhere
 * (docs/specification.md §8.3.2).
 */
export function fieldOfError(name: string): FieldName | undefined {
  if (name === 'materialShortageAmount' || name in correctedBy) {
    // Safe: asked for just above.
    const input = correctedBy[name as keyof typeof correctedBy];
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
 * 0 is an answer (docs/specification.md §8.3.2 and §8.4.3).
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

/** Every rule of docs/specification.md §8.3 on the values as they are. */
export function errorsOf(values: FormValues, stored: Challan | undefined, problems: FieldProblems): FormErrors {
  return inFormOrder({
    ...rateErrors(values, stored),
    ...atFields(ruleErrors(values, stored)),
    ...typedErrors(values, problems),
  });
}

/** Why a day wants a second look; one that was stored so has had it. */
export function dayWarning(name: DateFieldName, day: string, stored: Challan | undefined): string | null {
  if (!isDay(day) || (stored && storedValues(stored)[name] === day)) return null;
  return farDayWarning(day, today());
}

const createResolver = zodResolver(challanCreateForm, undefined, { raw: true });
const editResolver = (stored: Challan) =>
  zodResolver(challanEditForm(contractValues(storedValues(stored), stored)), undefined, { raw: true });

interface Given {
  stored: Challan | undefined;
  problems: FieldProblems;
}

/** The contract's schema judges the form; its errors are put at the fields that mend them. */
export function formResolver(given: () => Given): Resolver<FormValues> {
  return async (values, _context, options) => {
    const { stored, problems } = given();
    const resolve = stored ? editResolver(stored) : createResolver;
    const judged = await resolve(contractValues(values, stored), undefined, {
      fields: {},
      shouldUseNativeValidation: options.shouldUseNativeValidation,
    });
    // A missing owner is said on submitting (docs/specification.md §8.3.4); until then the chip beside the name says it.
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
