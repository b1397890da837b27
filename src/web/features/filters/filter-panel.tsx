import { lazy, Suspense, useState, type KeyboardEvent, type ReactNode, type RefCallback } from 'react';
import { ChevronDown, RotateCcw } from 'lucide-react';
import {
  filterNames,
  none,
  rangesOf,
  type ChoiceFilter,
  type ContainsFilter,
  type Filter,
  type FilterName,
  type FilterTable,
  type NamedRecords,
  type OneOfFilter,
} from '../../../shared/filters/define.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../shared/filters/filter-words.ts';
import { petrolPumps } from '../../resources/petrol-pumps.ts';
import { OwnerPicker, PetrolPumpPicker, type PetrolPumpChoice } from '../master-data/index.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ClearButton } from '../../kit/ui/field-frame.tsx';
import { dispatchKey, useKeyHelp, type KeyTable } from '../../kit/ui/key-table.ts';
import { Select } from '../../kit/ui/select-field.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { DayRange } from '../../kit/filters/day-range.tsx';
import { PartChip } from './filter-chips.tsx';
import { TagFilter } from './tag-filter.tsx';
import { useOwnerChoice } from './use-owner-choice.ts';
import { useDebouncedText } from '../../kit/filters/use-debounced-text.ts';

const AmountRange = lazy(() => import('../../kit/filters/amount-range.tsx'));
const FewRecordsFilter = lazy(() =>
  import('./few-records-filter.tsx').then((part) => ({ default: part.FewRecordsFilter })),
);

/** docs/specification.md §3.3 */
const debounceMs = 300;

interface FilterPanelProps<T extends FilterTable> {
  table: T;
  filters: FilterTexts<T>;
  onChange: (change: Partial<FilterTexts<T>>, how?: 'typing') => void;
  onReset: () => void;
  resetLabel?: string;
  /** Labels of fields that differ from the labels of their filters. */
  labels?: { readonly [N in FilterName<T>]?: string };
  /** Called when ↓ in a field goes into the grid (docs/keyboard.md §3). */
  onLeaveDown: () => void;
  /** The ref of the first field, which a key of the screen focuses. */
  firstRef: RefCallback<HTMLElement>;
  /** See `useFilterProblem`. */
  onProblem: (problem: string | undefined) => void;
}

/** The key of a filter field above a list (docs/keyboard.md §3). */
export const filterKeys = {
  toTable: { keys: '↓', label: 'Go from a filter into the table' },
} as const satisfies KeyTable;

/** The filters of a list, with one field each, in the order of the filter table. Each applies at once; there is no Apply button. */
export function FilterPanel<T extends FilterTable>(props: FilterPanelProps<T>) {
  const { table, onReset, resetLabel = 'Reset', onLeaveDown, firstRef } = props;
  useKeyHelp('Filters', filterKeys);
  // A reset also discards typed text that is not applied yet: a new key remounts the fields.
  const [resets, setResets] = useState(0);
  const [areRareShown, showRare] = useState(false);
  const names = filterNames(table);
  const isShown = (name: FilterName<T>): boolean => areRareShown || table[name]?.isRare === undefined;
  /** Active filters that have no visible field. They are shown as chips. */
  const others = partsOf(table, props.filters).filter(({ names: [first] }) => first !== undefined && !hasField(first));
  function hasField(name: FilterName<T>): boolean {
    return isShown(name) && table[name]?.kind !== 'dayOrNone' && table[name]?.kind !== 'exact';
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only watches the keys of the fields inside
    <section
      aria-label="Filters"
      data-print="hide"
      className="flex flex-wrap items-start gap-2 rounded-lg border border-line bg-surface px-3 pt-2 pb-2.5 shadow-card"
      // Captured before the picker sees it: in a picker with a chosen record ↓ goes into the grid. F4 or typing opens its list.
      onKeyDownCapture={(event) => {
        if (!isChosen(event.target) || !dispatchKey(filterKeys, event, { toTable: onLeaveDown })) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onKeyDown={(event) => {
        if (usesArrowDown(event)) return;
        if (dispatchKey(filterKeys, event, { toTable: onLeaveDown })) event.preventDefault();
      }}
    >
      {names.filter(hasField).map((name) => (
        <FilterField
          key={`${name} ${resets}`}
          {...props}
          name={name}
          fieldRef={name === names[0] ? firstRef : undefined}
        />
      ))}
      {names.some((name) => table[name]?.isRare) && (
        <Button
          className="mt-5"
          variant="ghost"
          aria-expanded={areRareShown}
          icon={<ChevronDown size={14} aria-hidden className={areRareShown ? 'rotate-180' : ''} />}
          onClick={() => showRare(!areRareShown)}
        >
          {areRareShown ? 'Fewer filters' : 'More filters'}
        </Button>
      )}
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
      {others.map((part) => (
        <div key={part.names.join()} className="mt-5.5">
          <PartChip part={part} onChange={props.onChange} />
        </div>
      ))}
    </section>
  );
}

/** Whether the target is a closed picker with a chosen record. */
const isChosen = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement &&
  target.role === 'combobox' &&
  target.ariaExpanded === 'false' &&
  target.ariaInvalid !== 'true' &&
  target.value !== '';

/** Whether the field needs ↓ itself, as a picker does for its list. */
function usesArrowDown({ target, defaultPrevented }: KeyboardEvent): boolean {
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

interface RangeChange {
  from?: string;
  to?: string;
}

/** The field of a filter. A range has one field, at the position of its first end. */
function FilterField<T extends FilterTable>(props: FilterFieldProps<T>) {
  const { table, filters, onChange, labels, onProblem, name, fieldRef } = props;
  const filter: Filter | undefined = table[name];
  const text: string = filters[name];
  // Safe: each text is stored under the name that it was read from.
  const change = (next: Readonly<Record<string, string>>, how?: 'typing'): void =>
    onChange(next as Partial<FilterTexts<T>>, how);
  const range = rangesOf(table).find(({ from }) => from === name);
  const setRange = (next: RangeChange, others: Readonly<Record<string, string>> = {}): void => {
    const { from, to } = next;
    change({
      ...(from === undefined ? {} : { [name]: from }),
      ...(to === undefined || !range ? {} : { [range.to]: to }),
      ...others,
    });
  };
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
    case 'oneOf':
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
      // A range of days and "without a day" exclude each other: setting a range clears the filter "without a day".
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
            unset={filter.unset}
            none={noDayOf(table, filters, filter.label, (other) =>
              change({ [name]: '', [range.to]: '', [other]: none }),
            )}
            onChange={(next) => setRange(next, Object.fromEntries(others.map((other) => [other, ''])))}
          />
        )
      );
    }
    case 'amountFrom':
      return (
        range && (
          <Suspense fallback={<span className="h-13 w-56" />}>
            <AmountRange
              label={filter.label}
              from={text}
              to={filters[range.to]}
              onProblem={onProblem}
              onChange={setRange}
            />
          </Suspense>
        )
      );
    case 'dayOrNone':
    case 'amountTo':
    case 'dayTo':
    case undefined:
      return null;
  }
}

/** The choice "without a day" for the day range with the same label; undefined if the list has no such filter. */
function noDayOf<T extends FilterTable>(
  table: T,
  filters: FilterTexts<T>,
  label: string,
  choose: (name: FilterName<T>) => void,
) {
  const name = filterNames(table).find((other) => table[other]?.kind === 'dayOrNone' && table[other].label === label);
  const filter: Filter | undefined = name && table[name];
  return name && filter?.kind === 'dayOrNone'
    ? { label: filter.none, isChosen: filters[name] === none, onChoose: () => choose(name) }
    : undefined;
}

interface FieldProps<F extends Filter> {
  filter: F;
  text: string;
  fieldRef: RefCallback<HTMLElement> | undefined;
  onChange: (text: string) => void;
}

function ContainsField({ filter, text: applied, fieldRef, onChange }: FieldProps<ContainsFilter>) {
  const { label, least, hint } = filter;
  const [isEntered, setEntered] = useState(false);
  const { text, setText, flush } = useDebouncedText({ applied, apply: onChange, least, debounceMs });
  const typed = text.trim().length;
  return (
    <TextField
      ref={fieldRef}
      label={label}
      reserve={false}
      className="max-w-52 min-w-28 flex-1"
      maxLength={200}
      placeholder="Any part of it"
      hint={
        typed > 0 && typed < least ? `Type at least ${least} characters` : isEntered && text === '' ? hint : undefined
      }
      onFocus={() => setEntered(true)}
      onBlur={() => setEntered(false)}
      value={text}
      onValueChange={setText}
      onKeyDown={(event) => {
        if (event.key === 'Enter') flush();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        if (text === '') event.currentTarget.blur();
        else setText('');
      }}
      trailing={text === '' ? undefined : <ClearButton label={`Clear ${label}`} onClick={() => setText('')} />}
    />
  );
}

function ChoiceField(props: FieldProps<ChoiceFilter | OneOfFilter>) {
  const { filter, text, fieldRef, onChange } = props;
  const { label, words, labels } = filter;
  return (
    <Select
      ref={fieldRef}
      label={label}
      reserve={false}
      className="max-w-40 min-w-28 flex-1"
      value={text}
      onValueChange={onChange}
      options={[
        { value: '', label: ('unset' in filter && filter.unset) || 'All' },
        ...words.map((value, index) => ({ value, label: labels[index] ?? value })),
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
      className="max-w-72 min-w-36 flex-1"
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

function PumpField({ label, id, onChange }: RecordFieldProps) {
  const [picked, setPicked] = useState<PetrolPumpChoice | null>(null);
  const isKnown = id === '' || id === none || picked?.id === id;
  const found = petrolPumps.useGet({ params: { id } }, { enabled: !isKnown, staleTime: 60_000 });
  const given = found.data?.data ?? { id, name: found.isError ? 'Unknown petrol pump' : '…' };
  return (
    <PetrolPumpPicker
      label={label}
      reserve={false}
      className="max-w-60 min-w-52 flex-1"
      extra={withoutPump}
      value={id === '' ? null : id === none ? withoutPump : isKnown ? picked : given}
      onPick={(choice) => {
        setPicked(choice);
        onChange(choice?.id ?? '');
      }}
    />
  );
}
const withoutPump: PetrolPumpChoice = { id: none, name: 'Without a petrol pump' };

const fieldOfFew = (records: 'bankAccounts' | 'people', fallback: ReactNode) =>
  function FewField({ label, id, onChange }: RecordFieldProps): ReactNode {
    return (
      <Suspense fallback={fallback}>
        <FewRecordsFilter records={records} label={label} id={id} onChange={onChange} />
      </Suspense>
    );
  };

const recordFields: { readonly [Records in NamedRecords]: (props: RecordFieldProps) => ReactNode } = {
  owners: OwnerField,
  tags: TagField,
  petrolPumps: PumpField,
  bankAccounts: fieldOfFew('bankAccounts', <span className="h-13 min-w-36 flex-1" />),
  // Most businesses have one person and no such field. Room kept for it would move the list when it turns out to be empty.
  people: fieldOfFew('people', null),
};
