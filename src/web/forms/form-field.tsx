import type { ReactNode } from 'react';
import {
  useController,
  type Control,
  type FieldValues,
  type Path,
  type PathValue,
  type RefCallBack,
} from 'react-hook-form';

/** What a field of ui needs of the form, ready to spread. */
export interface BoundField<V> {
  name: string;
  value: V;
  onValueChange: (value: V) => void;
  onBlur: () => void;
  ref: RefCallBack;
  error: string | undefined;
  isErrorAbove?: boolean;
}

/** Types of an error that the server sent: said beside the field, or in the dialog's alert and only read out there. */
export const server = 'server';
export const serverAbove = 'server-above';

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
    ...(fieldState.error?.type === serverAbove && { isErrorAbove: true }),
  };
}

interface FormFieldProps<T extends FieldValues, N extends Path<T>> {
  control: Control<T>;
  name: N;
  children: (field: BoundField<PathValue<T, N>>) => ReactNode;
}

/** The same as a component: only this field is drawn again while it is typed in. */
export function FormField<T extends FieldValues, N extends Path<T>>({ control, name, children }: FormFieldProps<T, N>) {
  return children(useFormField(control, name));
}
