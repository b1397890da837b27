import { useEffect } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';

/**
 * Errors come when a field is left and on submit, never while typing, and go as soon as they are mended
 * (docs/specification.md §19.4). The form is in mode 'onBlur'; this takes away what each change has put right.
 * `errorsOf` gives every error of the values as they stand; an error the server sent goes when its own field is
 * changed.
 */
export function useFixedErrors<V extends FieldValues>(
  form: UseFormReturn<V>,
  errorsOf: (values: V) => Readonly<Record<string, string | undefined>>,
): void {
  useEffect(() => {
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, name }) => {
        // Safe: the names of the values are the form's own fields.
        const shown = (Object.keys(values) as FieldPath<V>[]).filter((field) => form.getFieldState(field).error);
        if (shown.length === 0) return;
        const standing = errorsOf(values);
        for (const field of shown) {
          const isServers = form.getFieldState(field).error?.type === 'server';
          if (isServers ? field === name : !standing[field]) form.clearErrors(field);
        }
      },
    });
  }, [form, errorsOf]);
}
