import { Fragment, useState, type HTMLInputTypeAttribute, type InputHTMLAttributes, type ReactNode } from 'react';
import type { Control, Path } from 'react-hook-form';
import type { RecordField } from '../../../shared/contract/fields.ts';
import { readValue, type ValueKind } from '../../../shared/reading/values.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Select } from '../ui/select-field.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { MoneyField } from './amount-fields.tsx';
import { DayField, today } from './day-field.tsx';
import { FormField, type BoundField } from './form-field.tsx';

/** A field of a record's form as data. A form renders a field itself (`custom`) if data cannot describe it. */
export interface FieldSpec {
  label: string;
  required?: boolean;
  hint?: string | ((value: string) => string);
  /** Makes the field one for an amount or a day. */
  kind?: 'money' | 'day';
  /** Makes the field a text area with this many visible rows. */
  rows?: number;
  /** Typed text becomes upper case. */
  isUpper?: boolean;
  /** How the text is read when the field is left. What is strange about it is said below the field, and saved all the same. */
  reads?: ValueKind;
  /** The field spans both columns of the form. */
  isWide?: boolean;
  /** The value of a new record. */
  initial?: string;
  type?: Extract<HTMLInputTypeAttribute, 'text' | 'email' | 'password'>;
  inputMode?: InputHTMLAttributes<HTMLElement>['inputMode'];
  autoComplete?: string;
  maxLength?: number;
  /** Makes the field a switch. The form holds 'true' or 'false'. */
  switch?: { label: string; hint: string };
  /** Makes the field a select with these options. */
  options?: readonly string[];
  /** The words for 'true' and 'false', in this order. */
  words?: readonly [string, string];
  /** The value is never kept when the session ends. */
  isSecret?: true;
  /** What differs when a record is edited. */
  onEdit?: Pick<FieldSpec, 'required' | 'hint'>;
  /** The field exists only when a record is edited, not for a new one. */
  isEditOnly?: true;
}

export type FieldTable<N extends string> = Readonly<Record<N, FieldSpec>>;

const pick = ({ label, words, isSecret }: RecordField): FieldSpec => ({
  label,
  ...(words && { words }),
  ...(isSecret && { isSecret }),
});

/** The fields of a form, under the names in their resource's field table. A missing field does not compile. */
export const formFields = <N extends string>(
  labels: Readonly<Record<N, RecordField>>,
  specs: Readonly<Record<N, Omit<FieldSpec, 'label'> & { label?: string }>>,
): FieldTable<N> => {
  // Safe: the keys of both tables are exactly N.
  const names = Object.keys(specs) as N[];
  return Object.fromEntries(names.map((name) => [name, { ...pick(labels[name]), ...specs[name] }])) as FieldTable<N>;
};

/** Fields that the form renders itself. */
export type CustomFields<N extends string> = Readonly<Partial<Record<N, ReactNode>>>;

interface RecordFieldsProps<N extends string> {
  control: Control<Record<N, string>>;
  fields: FieldTable<N>;
  /** The fields of a group; absent for all. */
  names?: readonly N[];
  custom?: CustomFields<N> | undefined;
}

/** The fields of a form in the order of their table. */
export function RecordFields<N extends string>({ control, fields, names, custom }: RecordFieldsProps<N>) {
  // Safe: the table's keys are exactly N.
  const shown = names ?? (Object.keys(fields) as N[]);
  return shown.map((name) =>
    custom && name in custom ? (
      <Fragment key={name}>{custom[name]}</Fragment>
    ) : (
      // Safe: the form is flat, so each name is a path to a string.
      <FormField key={name} control={control} name={name as unknown as Path<Record<N, string>>}>
        {(field) => <SpecifiedField spec={fields[name]} field={field as unknown as BoundField<string>} />}
      </FormField>
    ),
  );
}

/** The fields of a form when editing or creating. Some exist only for an edited record. */
export function fieldsFor<N extends string>(fields: FieldTable<N>, isEdit: boolean): FieldTable<N> {
  const specs = Object.entries<FieldSpec>(fields).flatMap(([name, { onEdit, ...spec }]) =>
    isEdit ? [[name, { ...spec, ...onEdit }]] : spec.isEditOnly ? [] : [[name, spec]],
  );
  // Safe: a field that is left out is also in no value of the form.
  return Object.fromEntries(specs) as FieldTable<N>;
}

/** The names of the fields that are never kept. */
export const secretFieldsOf = (fields: FieldTable<string>): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.isSecret);

/** Reads a text as the field says: the value, and what is strange about the text. */
function readField({ reads, label }: FieldSpec, text: string): { value: string; said: string | undefined } {
  if (reads === undefined) return { value: text, said: undefined };
  const read = readValue(reads, text, { today: today(), label });
  if ('problem' in read) return { value: text, said: read.problem };
  // A text that says nothing (NA, -) stays: the rule of the field says whether it is required.
  return { value: read.value === '' ? text : read.value, said: read.doubt };
}

/** What is strange about a text, below its field. */
const Doubt = ({ children }: { children: string }) => <span className="font-medium text-warn">{children}</span>;

/** The doubt about a text that is taken all the same; undefined: there is none. */
export function doubtOf(reads: ValueKind, label: string, text: string): ReactNode {
  const read = readValue(reads, text, { today: today(), label });
  return 'doubt' in read && read.doubt !== undefined ? <Doubt>{read.doubt}</Doubt> : undefined;
}

function SpecifiedField({ spec, field }: { spec: FieldSpec; field: BoundField<string> }) {
  const [left, setLeft] = useState(() => readField(spec, field.value));
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
  const said = typeof hint === 'function' ? hint(field.value) : hint;
  const className = isWide ? 'col-span-full' : undefined;
  if (spec.kind === 'day') return <DayField {...field} {...{ label, required, className }} hint={said} />;
  if (spec.kind === 'money') return <MoneyField {...field} {...{ label, required, className }} hint={said} />;
  const doubt = left.value === field.value ? left.said : undefined;
  const shared = {
    ...field,
    onBlur: () => {
      // Left again unchanged, the field still says what was strange about the text as it was typed.
      const found = left.value === field.value ? left : readField(spec, field.value);
      if (found.value !== field.value) field.onValueChange(found.value);
      setLeft(found);
      field.onBlur();
    },
    label,
    required,
    type,
    inputMode,
    autoComplete,
    maxLength,
    hint: doubt ? <Doubt>{doubt}</Doubt> : said,
    className,
    onValueChange: (text: string) => field.onValueChange(isUpper ? text.toUpperCase() : text),
  };
  return rows === undefined ? <TextField {...shared} /> : <TextArea {...shared} rows={rows} />;
}
