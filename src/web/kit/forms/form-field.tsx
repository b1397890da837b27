import { useLayoutEffect, type ReactNode } from 'react';
import {
  useController,
  type Control,
  type FieldPath,
  type FieldValues,
  type Path,
  type PathValue,
  type RefCallBack,
  type UseFormReturn,
} from 'react-hook-form';

/** The props that a field of ui gets from the form, ready to spread. */
export interface BoundField<V> {
  name: string;
  value: V;
  onValueChange: (value: V) => void;
  onBlur: () => void;
  ref: RefCallBack;
  error: string | undefined;
  isErrorAbove?: boolean;
}

/** The type of an error from the server. The field shows it. */
export const serverError = 'server';
/** The type of an error from the server that the dialog's alert shows. The field gives it to screen readers only. */
export const serverErrorAbove = 'server-above';

interface FormFieldProps<T extends FieldValues, N extends Path<T>> {
  control: Control<T>;
  name: N;
  children: (field: BoundField<PathValue<T, N>>) => ReactNode;
}

/** A field of a form. It is a component of its own, so that typing renders only this field again. */
export function FormField<T extends FieldValues, N extends Path<T>>({ control, name, children }: FormFieldProps<T, N>) {
  const { field, fieldState } = useController({ control, name });
  return children({
    name: field.name,
    value: field.value,
    onValueChange: field.onChange,
    onBlur: field.onBlur,
    ref: field.ref,
    error: fieldState.error?.message,
    ...(fieldState.error?.type === serverErrorAbove && { isErrorAbove: true }),
  });
}

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
