import { useLayoutEffect } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { server } from './form-field.tsx';

/**
 * Errors come when a field is left and on submit, never while typing, and go as soon as the value is corrected
 * (docs/specification.md §19.4). The form is in mode 'onBlur'; this takes away what each change has put right.
 * `errorsOf` gives every error of the current values; an error the server sent goes when its own field is
 * changed.
 */
export function useFixedErrors<V extends FieldValues>(
  form: UseFormReturn<V>,
  errorsOf: (values: V) => Readonly<Record<string, string | undefined>>,
): void {
  useLayoutEffect(() => {
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, name }) => {
        // Safe: the names of the values are the form's own fields.
        const shown = (Object.keys(values) as FieldPath<V>[]).filter((field) => form.getFieldState(field).error);
        if (shown.length === 0) return;
        const current = errorsOf(values);
        for (const field of shown) {
          const isServers = form.getFieldState(field).error?.type?.startsWith(server) ?? false;
          if (isServers ? field === name : !current[field]) form.clearErrors(field);
        }
      },
    });
  }, [form, errorsOf]);
}
