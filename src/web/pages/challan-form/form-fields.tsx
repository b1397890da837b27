import type { ComponentProps, ReactNode } from 'react';
import { clsx } from 'clsx';
import type { DerivedField } from '../../../shared/calc/challan-amounts.ts';
import { relatedDates } from '../../../shared/calc/challan-rules.ts';
import { FormField } from '../../shell/form-field.tsx';
import { DayField, LitersField, MoneyField, PercentField, WeightField } from '../../shell/fields.tsx';
import { controlLook, FieldFrame } from '../../ui/field-frame.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { derivedLabels, type AmountFieldName } from './form-amounts.ts';
import { useFigures, useFormParts } from './form-context.ts';
import { fieldLabels, type DateFieldName, type FieldName, type FormValues } from './form-values.ts';

/** The fields of ui bound to the challan form by name: label, value, error and id come with it. */

type TextName = { [N in FieldName]: FormValues[N] extends string ? N : never }[FieldName];

interface Common {
  required?: boolean;
  hint?: ReactNode;
  lockedReason?: string | undefined;
  className?: string;
}

type TextProps = Common &
  Pick<ComponentProps<typeof TextField>, 'inputMode' | 'maxLength'> & { name: TextName; onLeave?: () => void };

export function FormText({ name, onLeave, ...rest }: TextProps) {
  const { control } = useFormParts().model.form;
  return (
    <FormField control={control} name={name}>
      {(field) => (
        <TextField
          {...field}
          {...rest}
          label={fieldLabels[name]}
          onBlur={() => {
            field.onBlur();
            onLeave?.();
          }}
        />
      )}
    </FormField>
  );
}

const amountKinds = { money: MoneyField, weight: WeightField, liters: LitersField, percent: PercentField };

export function FormAmount({
  name,
  kind = 'money',
  ...rest
}: Common & { name: AmountFieldName; kind?: keyof typeof amountKinds }) {
  const { control } = useFormParts().model.form;
  const Field = amountKinds[kind];
  return (
    <FormField control={control} name={name}>
      {(field) => <Field {...field} {...rest} label={fieldLabels[name]} />}
    </FormField>
  );
}

export function FormDay({ name, onLeave, ...rest }: Common & { name: DateFieldName; onLeave?: () => void }) {
  const { form, track, generation } = useFormParts().model;
  return (
    <FormField control={form.control} name={name}>
      {(field) => (
        <DayField
          {...field}
          {...rest}
          key={generation}
          label={fieldLabels[name]}
          onProblem={(problem) => track.setProblem(name, problem)}
          onBlur={() => {
            field.onBlur();
            // Part 2 §5: a changed date revalidates the related ones; an empty one is not complained about unasked.
            for (const related of relatedDates[name]) if (form.getValues(related)) void form.trigger(related);
            onLeave?.();
          }}
        />
      )}
    </FormField>
  );
}

interface DerivedProps {
  name: DerivedField;
  /** Already written out; '—' while it is not known. */
  value: string;
  hint?: ReactNode;
  tone?: 'plain' | 'danger' | 'good';
  strong?: boolean;
}

/** Worked out, never typed: reachable by Tab for reading and copying, passed over by Enter. */
export function DerivedValue({ name, value, hint, tone = 'plain', strong }: DerivedProps) {
  // The bar below has no room for it in a narrow window (expectation 35).
  const how = useFigures().breakdown.find(({ key }) => key === name)?.how;
  return (
    <FieldFrame label={derivedLabels[name]} hint={hint}>
      {(control) => (
        <Tooltip text={how}>
          <input
            {...control}
            type="text"
            readOnly
            value={value}
            className={clsx(
              controlLook,
              'nums text-right',
              strong && 'font-semibold',
              // `read-only:` sets its own colour: the tone has to win over it.
              tone === 'danger' && 'read-only:text-danger!',
              tone === 'good' && 'read-only:text-good!',
              tone === 'plain' && 'read-only:text-ink!',
            )}
          />
        </Tooltip>
      )}
    </FieldFrame>
  );
}
