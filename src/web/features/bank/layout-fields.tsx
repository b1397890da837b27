import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import {
  amountFormats,
  dateFormats,
  letterCases,
  pads,
  sourceNames,
  sourceOf,
  type LayoutDefinition,
  type LayoutField,
} from '../../../shared/bank/layout.ts';
import { IconButton } from '../../kit/ui/button.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';

export type RecordName = 'header' | 'fields' | 'trailer';
/**
 * The field that has or last had the focus. Alt and the arrow keys move this field, and a new field is added to its
 * record.
 */
export interface Place {
  record: RecordName;
  index: number;
}

export const newField: LayoutField = { label: 'New field', source: 'text', text: '', length: 0 };

const records: readonly { name: RecordName; label: string }[] = [
  { name: 'header', label: 'First line' },
  { name: 'fields', label: 'Each line' },
  { name: 'trailer', label: 'Last line' },
];
const options = <V extends string>(values: readonly V[]) => values.map((value) => ({ value, label: value }));
const caseOptions = options(letterCases);
const padOptions = options(pads);
const dateOptions = options(dateFormats);
const amountOptions = options(amountFormats);

interface LayoutFieldsProps {
  definition: LayoutDefinition;
  place: Place;
  onPlace: (place: Place) => void;
  onFields: (record: RecordName, fields: LayoutField[]) => void;
  /** The button that adds a field to the record with the focus. */
  add: ReactNode;
}

const gridClass = 'grid grid-cols-[2rem_1fr_1fr_1fr_5rem_7rem_7rem_4rem_9rem_2rem] gap-2';

/** The fields of the first line, each line and the last line. Each field is a row. */
export function LayoutFields({ definition, place, onPlace, onFields, add }: LayoutFieldsProps) {
  return (
    <>
      {records.map(({ name, label }) => {
        const fields = definition[name];
        const allowedSources = sourceNames.filter((source) => name === 'fields' || sourceOf(source).of === 'file');
        const set = (index: number, change: Partial<LayoutField>): void =>
          onFields(
            name,
            fields.map((field, nth) => (nth === index ? { ...field, ...change } : field)),
          );
        return (
          <section key={name} aria-label={label} className="grid gap-1 rounded-lg border border-line bg-surface p-3">
            <div className="flex items-center gap-2">
              <h2 className="text-xs font-semibold">{label}</h2>
              <button
                type="button"
                className="text-xs underline"
                onClick={() => onPlace({ record: name, index: fields.length })}
              >
                {place.record === name ? 'New fields are added here' : 'Add fields here'}
              </button>
              {place.record === name && add}
            </div>
            {fields.length > 0 && (
              <div aria-hidden className={`${gridClass} text-xs text-muted`}>
                <span />
                {['Label', 'Source', 'Fixed text', 'Length', 'Case', 'Pad', 'Pad with', 'Format'].map((heading) => (
                  <span key={heading}>{heading}</span>
                ))}
              </div>
            )}
            {fields.map((field, index) => (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only remembers where the focus is
              <div
                // A field has no key of its own, so its position is used.
                key={index}
                role="group"
                aria-label={`${label}, field ${index + 1}`}
                onFocus={() => onPlace({ record: name, index })}
                className={`${gridClass} items-end`}
              >
                <span className="nums pb-2 text-muted">{index + 1}</span>
                <TextField
                  label={`Label ${index + 1}`}
                  hideLabel
                  reserve={false}
                  value={field.label}
                  onValueChange={(text) => set(index, { label: text })}
                />
                <Select
                  label={`Source ${index + 1}`}
                  hideLabel
                  reserve={false}
                  value={field.source}
                  options={allowedSources.map((value) => ({ value, label: sourceOf(value).label }))}
                  onValueChange={(source) => set(index, { source })}
                />
                {field.source === 'text' ? (
                  <TextField
                    label={`Text ${index + 1}`}
                    hideLabel
                    reserve={false}
                    value={field.text ?? ''}
                    onValueChange={(text) => set(index, { text })}
                  />
                ) : (
                  <span />
                )}
                <TextField
                  label={`Length ${index + 1}`}
                  hideLabel
                  reserve={false}
                  inputMode="numeric"
                  maxLength={3}
                  value={String(field.length)}
                  onValueChange={(text) => set(index, { length: Number(text.replace(/\D/g, '')) })}
                />
                <Select
                  label={`Case ${index + 1}`}
                  hideLabel
                  reserve={false}
                  value={field.letterCase ?? 'as it is'}
                  options={caseOptions}
                  onValueChange={(letterCase) => set(index, { letterCase })}
                />
                <Select
                  label={`Pad ${index + 1}`}
                  hideLabel
                  reserve={false}
                  value={field.pad ?? 'none'}
                  options={padOptions}
                  onValueChange={(pad) => set(index, { pad })}
                />
                <TextField
                  label={`Pad with ${index + 1}`}
                  hideLabel
                  reserve={false}
                  maxLength={1}
                  placeholder="space"
                  value={field.padWith === ' ' ? '' : (field.padWith ?? '')}
                  onValueChange={(text) => set(index, { padWith: text === '' ? ' ' : text })}
                />
                <FormatField field={field} index={index} onField={(change) => set(index, change)} />
                <IconButton
                  label={`Remove field ${index + 1}`}
                  icon={<X size={14} aria-hidden />}
                  onClick={() =>
                    onFields(
                      name,
                      fields.filter((_, nth) => nth !== index),
                    )
                  }
                />
              </div>
            ))}
          </section>
        );
      })}
    </>
  );
}

function FormatField({
  field,
  index,
  onField,
}: {
  field: LayoutField;
  index: number;
  onField: (change: Partial<LayoutField>) => void;
}) {
  const { kind } = sourceOf(field.source);
  const fieldProps = { label: `Format ${index + 1}`, hideLabel: true, reserve: false } as const;
  if (kind === 'date') {
    return (
      <Select
        {...fieldProps}
        value={field.dateFormat ?? 'DD/MM/YYYY'}
        options={dateOptions}
        onValueChange={(dateFormat) => onField({ dateFormat })}
      />
    );
  }
  if (kind === 'amount') {
    return (
      <Select
        {...fieldProps}
        value={field.amountFormat ?? '1234.50'}
        options={amountOptions}
        onValueChange={(amountFormat) => onField({ amountFormat })}
      />
    );
  }
  if (kind === 'route') {
    const { NEFT = '', RTGS = '', IMPS = '', internal = '' } = field.routeCodes ?? {};
    return (
      <TextField
        {...fieldProps}
        placeholder="N,R,M,I"
        value={field.routeCodes ? [NEFT, RTGS, IMPS, internal].join(',') : ''}
        onValueChange={(text) => {
          const [neft = '', rtgs = '', imps = '', own = ''] = text.split(',');
          onField({ routeCodes: { NEFT: neft, RTGS: rtgs, IMPS: imps, internal: own } });
        }}
      />
    );
  }
  return <span />;
}
