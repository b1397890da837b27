import { createContext, useContext, useId, type ComponentProps, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { clsx } from 'clsx';
import type { ShownAmounts } from '../../../../shared/calc/shown-amounts.ts';
import type { DerivedField } from '../../../../shared/calc/challan-figures.ts';
import { relatedDates } from '../../../../shared/calc/challan-rules.ts';
import { FormField } from '../../../kit/forms/form-field.tsx';
import { doubtOf, type FieldSpec } from '../../../kit/forms/record-fields.tsx';
import { LitersField, MoneyField, PercentField, WeightField } from '../../../kit/forms/amount-fields.tsx';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { Affixed, affixRoom } from '../../../kit/ui/amount-field.tsx';
import { controlClass, FieldFrame } from '../../../kit/ui/field-frame.tsx';
import { TextField } from '../../../kit/ui/text-field.tsx';
import { Tooltip } from '../../../kit/ui/tooltip.tsx';
import { fieldLabels, labelOf, type DateFieldName, type FieldName, type FormValues } from './form-values.ts';
import type { FormModel } from './form-model.ts';
import type { TdsLookup, VehicleResult } from './lookups.ts';
import { useWarningHint } from './plausible.tsx';
import { amountFields, shownFigures, type AmountFieldName } from './form-amounts.ts';

/** A record that is created in a dialog, from the field that needs it. */
export interface Creation {
  kind: 'owner' | 'discounter' | 'tag' | 'petrolPump' | 'truck';
  text: string;
}

interface FormContextValue {
  model: FormModel;
  vehicle: VehicleResult;
  tds: TdsLookup;
  /** Why a figure or a day of a stored challan cannot be changed; undefined for every other field. */
  lockedReason: (name: FieldName) => string | undefined;
  /** The fields that are marked, because Enter stops there although they need no typing. */
  stops: ReadonlySet<string>;
  onVehicleLeft: () => void;
  /** Called on blur of TP No, Vehicle No or Loading Date, to check whether the same trip already exists. */
  onTripLeft: () => void;
  /** Goes to the next field after Enter has chosen in a picker. */
  advance: (from: FieldName) => void;
  create: (creation: Creation) => void;
}

const FormContext = createContext<FormContextValue | undefined>(undefined);
export const FormProvider = FormContext.Provider;

export function useFormParts(): FormContextValue {
  const value = useContext(FormContext);
  if (!value) throw new Error('A section of the challan form is outside the form');
  return value;
}

/** The calculated amounts, computed once per keystroke for everything that shows them. */
const FiguresContext = createContext<ShownAmounts | undefined>(undefined);

export function useFigures(): ShownAmounts {
  const value = useContext(FiguresContext);
  if (!value) throw new Error('Figures are shown outside the challan form');
  return value;
}

/** Calculates the amounts while the user types. Only components that show an amount render again. */
export function LiveFigures({ model, children }: { model: FormModel; children: ReactNode }) {
  const watched = useWatch({ control: model.form.control, name: amountFields });
  // Safe: the values are in the order of the names.
  const values = Object.fromEntries(amountFields.map((name, index) => [name, watched[index]])) as Record<
    AmountFieldName,
    string
  >;
  return <FiguresContext value={shownFigures(values, model.stored)}>{children}</FiguresContext>;
}

/** The mark beside the label of a field at which the user lets Enter stop. */
export const useStopMark = (name: string): string | undefined =>
  useFormParts().stops.has(name) ? 'Enter stops here' : undefined;

/** The fields of ui, bound to the challan form by name, with label, value, error and id. */

type TextName = { [N in FieldName]: FormValues[N] extends string ? N : never }[FieldName];

interface Common {
  required?: boolean;
  hint?: ReactNode;
  lockedReason?: string | undefined;
  className?: string;
}

type TextProps = Common &
  Pick<ComponentProps<typeof TextField>, 'inputMode' | 'maxLength'> & {
    name: TextName;
    /** How the text is read: a doubt about it stands below the field. */
    reads?: FieldSpec['reads'];
    onLeave?: () => void;
  };

export function FormText({ name, reads, onLeave, ...rest }: TextProps) {
  const enterMark = useStopMark(name);
  const { control } = useFormParts().model.form;
  return (
    <FormField control={control} name={name}>
      {(field) => (
        <TextField
          {...field}
          {...rest}
          hint={(reads && doubtOf(reads, fieldLabels[name], field.value)) ?? rest.hint}
          enterMark={enterMark}
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
  const { model, lockedReason } = useFormParts();
  const Field = amountKinds[kind];
  const warning = useWarningHint(name);
  const enterMark = useStopMark(name);
  return (
    <FormField control={model.form.control} name={name}>
      {(field) => (
        <Field
          {...field}
          {...rest}
          lockedReason={rest.lockedReason ?? lockedReason(name)}
          hint={warning ?? rest.hint}
          enterMark={enterMark}
          label={fieldLabels[name]}
        />
      )}
    </FormField>
  );
}

export function FormDay({ name, onLeave, ...rest }: Common & { name: DateFieldName; onLeave?: () => void }) {
  const { model, lockedReason } = useFormParts();
  const { form, track, generation } = model;
  const warning = useWarningHint(name);
  const enterMark = useStopMark(name);
  return (
    <FormField control={form.control} name={name}>
      {(field) => (
        <DayField
          {...field}
          {...rest}
          lockedReason={rest.lockedReason ?? lockedReason(name)}
          hint={warning ?? rest.hint}
          enterMark={enterMark}
          key={generation}
          label={fieldLabels[name]}
          onProblem={(problem) => track.setProblem(name, problem)}
          onBlur={() => {
            field.onBlur();
            // A changed date revalidates the related dates (docs/specification.md §8.3.3). An empty one gets no error yet.
            for (const related of relatedDates[name]) if (form.getValues(related)) void form.trigger(related);
            onLeave?.();
          }}
        />
      )}
    </FormField>
  );
}

/** Shown for an amount that cannot be calculated yet. */
export const notKnown = '—';

interface DerivedProps {
  name: DerivedField;
  /** The formatted amount, or '—' while it is not known. */
  value: string;
  hint?: ReactNode;
  tone?: 'plain' | 'danger' | 'good';
  strong?: boolean;
}

/** A calculated amount. It is read-only: Tab reaches it for reading and copying, Enter skips it. */
export function DerivedValue({ name, value, hint, tone = 'plain', strong }: DerivedProps) {
  const sign = name === 'differenceWeight' || value === notKnown ? undefined : '₹';
  // The tooltip shows the calculation, because in a narrow window the summary bar has no room for it
  // (docs/specification.md §19.4).
  const how = useFigures().breakdown.find(({ key }) => key === name)?.how;
  return (
    <FieldFrame label={labelOf(name)} hint={hint}>
      {(control) => (
        <Affixed sign={sign}>
          <Tooltip text={how}>
            <input
              {...control}
              type="text"
              readOnly
              value={value}
              className={clsx(
                controlClass,
                'nums text-right',
                strong && 'font-semibold',
                // The colour must override the one of `read-only:`.
                tone === 'danger' && 'read-only:text-danger!',
                tone === 'good' && 'read-only:text-good!',
                tone === 'plain' && 'read-only:text-ink!',
                affixRoom(sign, undefined),
              )}
            />
          </Tooltip>
        </Affixed>
      )}
    </FieldFrame>
  );
}

interface SectionCardProps {
  title: string;
  className?: string;
  children: ReactNode;
}

/** A section of the form (docs/specification.md §8.2.1). */
export function SectionCard({ title, className, children }: SectionCardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={clsx('rounded-lg border border-line bg-surface px-4 pt-2.5 pb-1 shadow-card', className)}
    >
      <h2 id={id} className="mb-1.5 text-xs font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
