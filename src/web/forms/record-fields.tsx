import { Fragment, type HTMLInputTypeAttribute, type InputHTMLAttributes, type ReactNode } from 'react';
import type { Control, Path } from 'react-hook-form';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { FormField, type BoundField } from './form-field.tsx';

/** A field of a record's form as data. What no data can say is drawn by the form itself (`custom`). */
export interface FieldSpec {
  label: string;
  required?: boolean;
  hint?: string | ((value: string) => string);
  /** Several lines, this many of them shown. */
  rows?: number;
  /** Typed in capitals. */
  isUpper?: boolean;
  /** As wide as the form, where that has two columns. */
  isWide?: boolean;
  /** What a new record begins with. */
  initial?: string;
  type?: Extract<HTMLInputTypeAttribute, 'text' | 'email' | 'password'>;
  inputMode?: InputHTMLAttributes<HTMLElement>['inputMode'];
  autoComplete?: string;
  maxLength?: number;
}

export type FieldTable<N extends string> = Readonly<Record<N, FieldSpec>>;
/** Fields that the form draws itself. */
export type CustomFields<N extends string> = Readonly<Partial<Record<N, ReactNode>>>;

interface RecordFieldsProps<N extends string> {
  control: Control<Record<N, string>>;
  fields: FieldTable<N>;
  /** Those of a group; absent: all. */
  names?: readonly N[];
  custom?: CustomFields<N> | undefined;
}

/** The fields of a form in the order of their table. */
export function RecordFields<N extends string>({ control, fields, names, custom }: RecordFieldsProps<N>) {
  // Safe: the keys of the table are exactly N.
  const shown = names ?? (Object.keys(fields) as N[]);
  return shown.map((name) =>
    custom && name in custom ? (
      <Fragment key={name}>{custom[name]}</Fragment>
    ) : (
      // Safe: the form is flat, so each of its names is a path to a text.
      <FormField key={name} control={control} name={name as unknown as Path<Record<N, string>>}>
        {(field) => <SpecifiedField spec={fields[name]} field={field as unknown as BoundField<string>} />}
      </FormField>
    ),
  );
}

function SpecifiedField({ spec, field }: { spec: FieldSpec; field: BoundField<string> }) {
  const { hint, rows, isUpper, isWide, initial: _initial, ...props } = spec;
  const shared = {
    ...field,
    ...props,
    hint: typeof hint === 'function' ? hint(field.value) : hint,
    className: isWide ? 'col-span-full' : undefined,
    onValueChange: (text: string) => field.onValueChange(isUpper ? text.toUpperCase() : text),
  };
  return rows === undefined ? <TextField {...shared} /> : <TextArea {...shared} rows={rows} />;
}
