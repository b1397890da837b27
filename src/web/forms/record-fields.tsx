import { Fragment, type HTMLInputTypeAttribute, type InputHTMLAttributes, type ReactNode } from 'react';
import type { Control, Path } from 'react-hook-form';
import type { RecordField } from '../../shared/contract/fields.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Select } from '../ui/select-field.tsx';
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
  /** A yes or no, which the form holds as 'true' or 'false'. */
  switch?: { label: string; hint: string };
  /** One of these, chosen from a list. */
  options?: readonly string[];
  /** The words of a yes or no: [true, false]. */
  words?: readonly [string, string];
  /** Never kept over the end of a session. */
  isSecret?: true;
  /** What differs where a record is edited. */
  onEdit?: Pick<FieldSpec, 'required' | 'hint'>;
  /** A new record does not have it. */
  isOnEditAlone?: true;
}

export type FieldTable<N extends string> = Readonly<Record<N, FieldSpec>>;

const pick = ({ label, words, isSecret }: RecordField): FieldSpec => ({
  label,
  ...(words && { words }),
  ...(isSecret && { isSecret }),
});

/** The fields of a form under the names of their resource's table: one that the form leaves out does not compile. */
export const formFields = <N extends string>(
  labels: Readonly<Record<N, RecordField>>,
  specs: Readonly<Record<N, Omit<FieldSpec, 'label'> & { label?: string }>>,
): FieldTable<N> => {
  // Safe: the keys of both tables are exactly N.
  const names = Object.keys(specs) as N[];
  return Object.fromEntries(names.map((name) => [name, { ...pick(labels[name]), ...specs[name] }])) as FieldTable<N>;
};

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

/** What the form of one mode has: not all fields of an edited record are there for a new one. */
export function fieldsFor<N extends string>(fields: FieldTable<N>, isEdit: boolean): FieldTable<N> {
  const specs = Object.entries<FieldSpec>(fields).flatMap(([name, { onEdit, ...spec }]) =>
    isEdit ? [[name, { ...spec, ...onEdit }]] : spec.isOnEditAlone ? [] : [[name, spec]],
  );
  // Safe: a name that a new record lacks is in no value of its form either.
  return Object.fromEntries(specs) as FieldTable<N>;
}

/** The fields of a table that are never kept. */
export const secretOf = (fields: FieldTable<string>): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.isSecret);

function SpecifiedField({ spec, field }: { spec: FieldSpec; field: BoundField<string> }) {
  const { hint, rows, isUpper, isWide, label, required, type, inputMode, autoComplete, maxLength } = spec;
  if (spec.switch) {
    const { value, onValueChange, onBlur, name, ref } = field;
    return (
      <Checkbox
        isSwitch
        {...spec.switch}
        className="col-span-full"
        checked={value === 'true'}
        onCheckedChange={(checked) => onValueChange(String(checked))}
        {...{ onBlur, name, ref }}
      />
    );
  }
  if (spec.options) {
    const options = spec.options.map((value) => ({ value, label: value }));
    return <Select {...field} label={label} options={options} />;
  }
  const shared = {
    ...field,
    label,
    required,
    type,
    inputMode,
    autoComplete,
    maxLength,
    hint: typeof hint === 'function' ? hint(field.value) : hint,
    className: isWide ? 'col-span-full' : undefined,
    onValueChange: (text: string) => field.onValueChange(isUpper ? text.toUpperCase() : text),
  };
  return rows === undefined ? <TextField {...shared} /> : <TextArea {...shared} rows={rows} />;
}
