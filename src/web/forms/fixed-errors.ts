import { useLayoutEffect } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { serverError } from './form-field.tsx';

/**
 * Errors appear on blur and on submit, never while typing, and disappear as soon as the value is corrected
 * (docs/specification.md §19.4). The form is in mode 'onBlur'; this hook clears the errors that a change has fixed.
 * `errorsOf` returns all errors of the current values. An error from the server is cleared when its field changes.
 */
export function useClearFixedErrors<V extends FieldValues>(
  form: UseFormReturn<V>,
  errorsOf: (values: V) => Readonly<Record<string, string | undefined>>,
): void {
  useLayoutEffect(() => {
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, name }) => {
        // Safe: the keys of the values are the form's fields.
        const shown = (Object.keys(values) as FieldPath<V>[]).filter((field) => form.getFieldState(field).error);
        if (shown.length === 0) return;
        const current = errorsOf(values);
        for (const field of shown) {
          const isFromServer = form.getFieldState(field).error?.type?.startsWith(serverError) ?? false;
          if (isFromServer ? field === name : !current[field]) form.clearErrors(field);
        }
      },
    });
  }, [form, errorsOf]);
}
