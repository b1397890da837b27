import type { ReactNode } from 'react';
import {
  useController,
  type Control,
  type FieldValues,
  type Path,
  type PathValue,
  type RefCallBack,
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

/** `<TextField label="TP No" {...useFormField(control, 'tpNo')} />` */
function useFormField<T extends FieldValues, N extends Path<T>>(
  control: Control<T>,
  name: N,
): BoundField<PathValue<T, N>> {
  const { field, fieldState } = useController({ control, name });
  return {
    name: field.name,
    value: field.value,
    onValueChange: field.onChange,
    onBlur: field.onBlur,
    ref: field.ref,
    error: fieldState.error?.message,
    ...(fieldState.error?.type === serverErrorAbove && { isErrorAbove: true }),
  };
}

interface FormFieldProps<T extends FieldValues, N extends Path<T>> {
  control: Control<T>;
  name: N;
  children: (field: BoundField<PathValue<T, N>>) => ReactNode;
}

/** `useFormField` as a component, so that typing renders only this field again. */
export function FormField<T extends FieldValues, N extends Path<T>>({ control, name, children }: FormFieldProps<T, N>) {
  return children(useFormField(control, name));
}
