import { useState, type KeyboardEvent, type ReactNode, type RefCallback } from 'react';
import { RotateCcw, X } from 'lucide-react';
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
import { Button } from '../ui/button.tsx';
import { dispatchKey, useKeyHelp, type KeyTable } from '../ui/key-table.ts';
import { Select } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { DayRange } from './day-range.tsx';
import { FilterChip } from './filter-chips.tsx';
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
  resetLabel?: string;
  /** The names of fields that are not called as their filters are. */
  labels?: { readonly [N in FilterName<T>]?: string };
  /** Down from a field goes into the grid (docs/keyboard.md §3). */
  onLeaveDown: () => void;
  /** The first field, which a key of the screen goes to. */
  firstRef: RefCallback<HTMLElement>;
  /** See `useFilterProblem`. */
  onProblem: (problem: string | undefined) => void;
}

/** In a field over a list (docs/keyboard.md §3). */
export const filterKeys = {
  toTable: { keys: '↓', label: 'From a filter into the table' },
} as const satisfies KeyTable;

/** The filters of a list with a field for each, in the order of its table. Every one acts by itself: there is no Apply. */
export function FilterPanel<T extends FilterTable>(props: FilterPanelProps<T>) {
  const { table, onReset, resetLabel = 'Reset', onLeaveDown, firstRef } = props;
  useKeyHelp('Filters', filterKeys);
  // What is typed and not yet applied goes with a reset as well.
  const [resets, setResets] = useState(0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only watches the keys of its fields
    <section
      aria-label="Filters"
      data-print="hide"
      className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 pt-2 pb-2.5 shadow-card"
      onKeyDown={(event) => {
        if (hasUseForDown(event)) return;
        if (dispatchKey(filterKeys, event, { toTable: onLeaveDown })) event.preventDefault();
      }}
    >
      {filterNames(table).map((name, index) => (
        <FilterField key={`${name} ${resets}`} {...props} name={name} fieldRef={index === 0 ? firstRef : undefined} />
      ))}
      <Button
        className="mt-5"
        variant="ghost"
        icon={<RotateCcw size={14} aria-hidden />}
        onClick={() => {
          setResets(resets + 1);
          onReset();
        }}
      >
        {resetLabel}
      </Button>
    </section>
  );
}

/** A picker's list uses Down itself. */
function hasUseForDown({ target, defaultPrevented }: KeyboardEvent): boolean {
  const isText = target instanceof HTMLInputElement && target.type !== 'checkbox' && target.role !== 'combobox';
  return !isText || defaultPrevented;
}

interface FilterFieldProps<T extends FilterTable> extends Pick<
  FilterPanelProps<T>,
  'table' | 'filters' | 'onChange' | 'labels' | 'onProblem'
> {
  name: FilterName<T>;
  fieldRef: RefCallback<HTMLElement> | undefined;
}

/** A range of days has one field, at the place of its first day; what no field can set has a chip while it is set. */
function FilterField<T extends FilterTable>(props: FilterFieldProps<T>) {
  const { table, filters, onChange, labels, onProblem, name, fieldRef } = props;
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
      return (
        <RecordField
          label={labels?.[name] ?? filter.label}
          id={text}
          fieldRef={fieldRef}
          onChange={(next) => change({ [name]: next })}
        />
      );
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
  fieldRef: RefCallback<HTMLElement> | undefined;
  onChange: (id: string) => void;
}

function OwnerField({ label, id, fieldRef, onChange }: RecordFieldProps) {
  const { owner, remember } = useOwnerChoice(id);
  return (
    <OwnerPicker
      ref={fieldRef}
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
