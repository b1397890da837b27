import { useState, type ReactNode, type RefCallback } from 'react';
import { X } from 'lucide-react';
import {
  filterNames,
  rangesOf,
  type ChoiceFilter,
  type ContainsFilter,
  type Filter,
  type FilterName,
  type FilterTable,
  type NamedRecords,
} from '../../shared/filters/define.ts';
import type { FilterTexts } from '../../shared/filters/filter-texts.ts';
import { partsOf } from '../../shared/filters/filter-words.ts';
import { OwnerPicker } from '../forms/pickers.tsx';
import { Select } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { DayRange } from './day-range.tsx';
import { FilterChip } from './filter-chips.tsx';
import { FilterFrame } from './filter-frame.tsx';
import { TagFilter } from './tag-filter.tsx';
import { useOwnerChoice } from './use-owner-choice.ts';
import { useSettledText } from './use-settled-text.ts';

/** How long typing must have paused (docs/specification.md §3.3). */
const settleMs = 300;

interface FilterPanelProps<T extends FilterTable> {
  table: T;
  filters: FilterTexts<T>;
  onChange: (change: Partial<FilterTexts<T>>, how?: 'typing') => void;
  onReset: () => void;
  onLeaveDown: () => void;
  /** The first field, which a key of the screen goes to. */
  firstRef: RefCallback<HTMLElement>;
  /** See `useFilterProblem`. */
  onProblem: (problem: string | undefined) => void;
}

/** The filters of a list with a field for each, in the order of its table. */
export function FilterPanel<T extends FilterTable>(props: FilterPanelProps<T>) {
  const { table, onReset, onLeaveDown, firstRef } = props;
  // What is typed and not yet applied goes with a reset as well.
  const [resets, setResets] = useState(0);
  return (
    <FilterFrame
      onLeaveDown={onLeaveDown}
      onReset={() => {
        setResets(resets + 1);
        onReset();
      }}
    >
      {filterNames(table).map((name, index) => (
        <FilterField key={`${name} ${resets}`} {...props} name={name} fieldRef={index === 0 ? firstRef : undefined} />
      ))}
    </FilterFrame>
  );
}

interface FilterFieldProps<T extends FilterTable> extends Pick<
  FilterPanelProps<T>,
  'table' | 'filters' | 'onChange' | 'onProblem'
> {
  name: FilterName<T>;
  fieldRef: RefCallback<HTMLElement> | undefined;
}

/** A range of days has one field, where its first day stands; what no field can set has a chip while it is set. */
function FilterField<T extends FilterTable>(props: FilterFieldProps<T>) {
  const { table, filters, onChange, onProblem, name, fieldRef } = props;
  const filter: Filter | undefined = table[name];
  const text: string = filters[name];
  // Each text goes back under the name that it came from.
  const change = (next: Readonly<Record<string, string>>, how?: 'typing'): void =>
    onChange(next as Partial<FilterTexts<T>>, how);
  switch (filter?.kind) {
    case 'contains':
      return (
        <ContainsField
          filter={filter}
          text={text}
          fieldRef={fieldRef}
          onChange={(next) => change({ [name]: next }, 'typing')}
        />
      );
    case 'choice':
      return (
        <ChoiceField filter={filter} text={text} fieldRef={fieldRef} onChange={(next) => change({ [name]: next })} />
      );
    case 'id':
    case 'idOrNone': {
      const RecordField = recordFields[filter.records];
      return <RecordField label={filter.label} id={text} onChange={(next) => change({ [name]: next })} />;
    }
    case 'dayFrom': {
      const range = rangesOf(table).find(({ from }) => from === name);
      // The same days cannot be in a range and be none.
      const others = filterNames(table).filter(
        (other) => table[other]?.kind === 'dayOrNone' && table[other].label === filter.label,
      );
      return (
        range && (
          <DayRange
            label={filter.label}
            from={text}
            to={filters[range.to]}
            onProblem={onProblem}
            onChange={({ from, to }) =>
              change({
                ...(from === undefined ? {} : { [range.from]: from }),
                ...(to === undefined ? {} : { [range.to]: to }),
                ...Object.fromEntries(others.map((other) => [other, ''])),
              })
            }
          />
        )
      );
    }
    case 'dayOrNone':
      return partsOf(table, filters)
        .filter(({ names }) => names.includes(name))
        .map((part) => (
          <div key={name} className="mt-5.5">
            <FilterChip label={part.label()} onRemove={() => change({ [name]: '' })} />
          </div>
        ));
    case 'dayTo':
    case undefined:
      return null;
  }
}

interface FieldProps<F extends Filter> {
  filter: F;
  text: string;
  fieldRef: RefCallback<HTMLElement> | undefined;
  onChange: (text: string) => void;
}

function ContainsField({ filter: { label, least }, text: applied, fieldRef, onChange }: FieldProps<ContainsFilter>) {
  const { text, setText, flush } = useSettledText({ applied, apply: onChange, least, settleMs });
  const typed = text.trim().length;
  return (
    <TextField
      ref={fieldRef}
      label={label}
      reserve={false}
      className="max-w-52 min-w-36 flex-1"
      maxLength={200}
      placeholder="Any part of it"
      hint={typed > 0 && typed < least ? `Type at least ${least} characters` : undefined}
      value={text}
      onValueChange={setText}
      onKeyDown={(event) => {
        if (event.key === 'Enter') flush();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        if (text === '') event.currentTarget.blur();
        else setText('');
      }}
      trailing={
        text === '' ? undefined : (
          <button
            type="button"
            tabIndex={-1}
            aria-label={`Clear ${label}`}
            className="grid size-6 place-items-center rounded hover:bg-hover hover:text-ink"
            onClick={() => setText('')}
          >
            <X size={14} aria-hidden />
          </button>
        )
      }
    />
  );
}

function ChoiceField({ filter: { label, words, labels }, text, fieldRef, onChange }: FieldProps<ChoiceFilter>) {
  return (
    <Select
      ref={fieldRef}
      label={label}
      reserve={false}
      className="max-w-40 min-w-30 flex-1"
      value={text}
      onValueChange={onChange}
      options={[
        { value: '', label: 'All' },
        { value: words[0], label: labels[0] },
        { value: words[1], label: labels[1] },
      ]}
    />
  );
}

interface RecordFieldProps {
  label: string;
  id: string;
  onChange: (id: string) => void;
}

function OwnerField({ label, id, onChange }: RecordFieldProps) {
  const { owner, remember } = useOwnerChoice(id);
  return (
    <OwnerPicker
      label={label}
      reserve={false}
      className="max-w-72 min-w-44 flex-1"
      value={owner}
      onPick={(choice) => {
        remember(choice);
        onChange(choice?.id ?? '');
      }}
    />
  );
}

const TagField = ({ label, id, onChange }: RecordFieldProps): ReactNode => (
  <TagFilter label={label} tagId={id} onChange={onChange} />
);

const recordFields: { readonly [Records in NamedRecords]: (props: RecordFieldProps) => ReactNode } = {
  owners: OwnerField,
  tags: TagField,
};
