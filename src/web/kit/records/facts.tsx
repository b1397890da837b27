import type { ReactNode, Ref } from 'react';
import { clsx } from 'clsx';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { RecordField } from '../../../shared/contract/fields.ts';
import { Scrolled } from '../ui/page.tsx';

export interface Fact {
  label: string;
  value: ReactNode;
}

export interface FactGroup {
  title: string;
  facts: readonly Fact[];
}

interface FactsProps {
  label: string;
  groups: readonly FactGroup[];
  /** 2 puts groups side by side where there is room. */
  columns?: 1 | 2;
  /** The heading level of the groups: 'h3' in a dialog, 'h2' on a page. */
  heading?: 'h2' | 'h3';
  ref?: Ref<HTMLDivElement>;
}

/** A record's fields as groups of labels and values. It gets the first focus, so that it is announced and can be scrolled. */
export function Facts({ label, groups, columns = 1, heading: Heading = 'h3', ref }: FactsProps) {
  return (
    <Scrolled
      ref={ref}
      aria-label={label}
      className={clsx('grid content-start gap-x-8 gap-y-5 outline-none', columns === 2 && 'md:grid-cols-2')}
    >
      {groups.map(({ title, facts }) => (
        <section key={title} aria-label={title}>
          <Heading className="mb-1.5 border-b border-line pb-1 text-xs font-semibold text-muted">{title}</Heading>
          <dl className="grid grid-cols-[var(--fact-names,8.5rem)_minmax(0,1fr)] gap-x-3 gap-y-1">
            {facts.map((fact) => (
              <div key={fact.label} className="contents">
                <dt className="text-muted">{fact.label}</dt>
                <dd className="nums break-words whitespace-pre-wrap">{fact.value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Scrolled>
  );
}

/** The text, or 'Not provided' for an empty field (docs/specification.md §6.1). */
export const orNotProvided = (text: string): ReactNode =>
  text === '' ? <span className="text-muted">Not provided</span> : text;

/** A record's fields with their labels, in the order of the field table. `shown` replaces values that are more than text. */
export function factsOf<N extends string>(
  fields: Readonly<Record<N, RecordField>>,
  record: { readonly [K in NoInfer<N>]?: unknown },
  shown: { readonly [K in NoInfer<N>]?: ReactNode } = {},
): Fact[] {
  // Safe: the table's keys are exactly N.
  const names = Object.keys(fields) as N[];
  return names.map((name) => ({
    label: fields[name].label,
    value: name in shown ? shown[name] : orNotProvided(String(record[name] ?? '')),
  }));
}

/** When a record was created and last updated. */
export const timesOf = (record: { createdAt: string; updatedAt: string }): Fact[] => [
  { label: 'Created', value: formatDateTime(record.createdAt) },
  { label: 'Updated', value: formatDateTime(record.updatedAt) },
];
