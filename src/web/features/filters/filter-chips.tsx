import { Fragment, lazy, Suspense, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { petrolPumps } from '../../resources/petrol-pumps.ts';
import type { FilterName, FilterTable, NamedRecords } from '../../../shared/filters/define.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { partsOf, type FilterPart } from '../../../shared/filters/filter-words.ts';
import { Button } from '../../kit/ui/button.tsx';
import { useTagNames } from './tag-filter.tsx';
import { useOwnerChoice } from './use-owner-choice.ts';

/** Shows the active filters while the panel is closed, so that nobody takes a filtered list for the whole list. */
function ActiveFilters({ onReset, children }: { onReset: () => void; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-1.5" role="group" aria-label="Active filters">
      {children}
      <Button data-print="hide" size="sm" variant="ghost" onClick={onReset}>
        Reset Filters
      </Button>
    </div>
  );
}

interface FilterChipProps {
  label: string;
  onRemove: () => void;
}

function FilterChip({ label, onRemove }: FilterChipProps) {
  return (
    <span className="inline-flex h-7 max-w-80 items-center gap-1 rounded-full border border-line bg-surface pr-1 pl-2.5 text-xs">
      <span className="truncate" title={label}>
        {label}
      </span>
      <button
        type="button"
        aria-label={`Remove filter: ${label}`}
        data-print="hide"
        className="grid size-5 place-items-center rounded-full text-muted hover:bg-hover hover:text-ink"
        onClick={onRemove}
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}

interface FilterChipsProps<T extends FilterTable> {
  table: T;
  filters: FilterTexts<T>;
  onChange: (change: Partial<FilterTexts<T>>) => void;
  onReset: () => void;
}

/** The active filters of a list, each with a button that removes it. */
export function FilterChips<T extends FilterTable>({ table, filters, onChange, onReset }: FilterChipsProps<T>) {
  return (
    <ActiveFilters onReset={onReset}>
      {partsOf(table, filters).map((part) => (
        <PartChip key={part.names.join()} part={part} onChange={onChange} />
      ))}
    </ActiveFilters>
  );
}

interface PartChipProps<T extends FilterTable> extends Pick<FilterChipsProps<T>, 'onChange'> {
  part: FilterPart<FilterName<T>>;
}

export function PartChip<T extends FilterTable>({ part, onChange }: PartChipProps<T>) {
  return (
    <WithRecordName part={part}>
      {(name) => <FilterChip label={part.label(name)} onRemove={() => onChange(withoutFilters<T>(part.names))} />}
    </WithRecordName>
  );
}

/** The change that removes these filters. */
function withoutFilters<T extends FilterTable>(names: readonly FilterName<T>[]): Partial<FilterTexts<T>> {
  // '' is a value of every filter's text.
  return Object.fromEntries(names.map((name) => [name, ''])) as Partial<FilterTexts<T>>;
}

/** The active filters in words: 'owner Anil Jena · tag MARKET · deposited 01/11/2026 to 15/11/2026'. */
export function FilterWords<T extends FilterTable>({ table, filters }: Pick<FilterChipsProps<T>, 'table' | 'filters'>) {
  return partsOf(table, filters).map((part, index) => (
    <Fragment key={part.names.join()}>
      {index > 0 && ' · '}
      <WithRecordName part={part}>{(name) => part.words(name)}</WithRecordName>
    </Fragment>
  ));
}

interface WithRecordNameProps {
  part: FilterPart;
  /** `name` is the name of the filter's record; undefined while it loads and for a filter without a record. */
  children: (name?: string) => ReactNode;
}

/** Loads the name of a filter's record (owner, tag, pump, account) and passes it to `children`. */
function WithRecordName({ part: { record }, children }: WithRecordNameProps) {
  if (!record) return children();
  const NamedRecord = namedRecords[record.records];
  return <NamedRecord id={record.id}>{children}</NamedRecord>;
}

interface NamedRecordProps {
  id: string;
  children: (name?: string) => ReactNode;
}

const NamedTag = ({ id, children }: NamedRecordProps): ReactNode => children(useTagNames(id).nameOf(id));
const NamedOwner = ({ id, children }: NamedRecordProps): ReactNode => children(useOwnerChoice(id).owner?.name);

function NamedPump({ id, children }: NamedRecordProps): ReactNode {
  const pump = petrolPumps.useGet({ params: { id } }, { staleTime: 60_000 });
  return children(pump.isError ? 'Unknown petrol pump' : pump.data?.data.name);
}

const NamedFew = lazy(() => import('./few-records-filter.tsx').then((part) => ({ default: part.NamedFew })));
const nameOfFew = (records: 'bankAccounts' | 'people') =>
  function FewName({ id, children }: NamedRecordProps): ReactNode {
    return (
      <Suspense fallback={children()}>
        <NamedFew records={records} id={id}>
          {children}
        </NamedFew>
      </Suspense>
    );
  };

const namedRecords: { readonly [Records in NamedRecords]: (props: NamedRecordProps) => ReactNode } = {
  tags: NamedTag,
  owners: NamedOwner,
  petrolPumps: NamedPump,
  bankAccounts: nameOfFew('bankAccounts'),
  people: nameOfFew('people'),
};
