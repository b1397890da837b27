import { useState, type ComponentProps } from 'react';
import { errorText, requestIdOf } from '../../kit/api/api-error.ts';
import { owners } from '../../resources/owners.ts';
import { petrolPumps } from '../../resources/petrol-pumps.ts';
import { tags } from '../../resources/tags.ts';
import { inactiveQuery, pickerFirst, type PickerQuery, type PickerItems } from '../../kit/ui/picker-state.ts';
import { Picker } from '../../kit/ui/picker.tsx';

/** The three reusable pickers (docs/specification.md §3.2). */

/** A picker's search requests 50 items; without a search it shows the first ten (docs/specification.md §3.2). */
const searchLimit = 50;
const limitFor = (search: string): number => (search === '' ? pickerFirst : searchLimit);
/**
 * A picker returns only these fields. They go into forms, whose drafts and remembered values are in browser storage, where
 * no account number or PAN may be stored.
 */
export interface OwnerChoice {
  id: string;
  name: string;
  contactNumber: string;
}
export interface TagChoice {
  id: string;
  name: string;
  color: string;
}
export interface PetrolPumpChoice {
  id: string;
  name: string;
}
const ownerChoice = ({ id, name, contactNumber }: OwnerChoice): OwnerChoice => ({ id, name, contactNumber });
const tagChoice = ({ id, name, color }: TagChoice): TagChoice => ({ id, name, color });
const petrolPumpChoice = ({ id, name }: PetrolPumpChoice): PetrolPumpChoice => ({ id, name });

/** Master data changes rarely, and our own writes invalidate it, so reopening a list needs no new request. */
const staleTime = 60_000;

const failureOf = (error: unknown, fallback: string): Pick<PickerItems<never>, 'error' | 'requestId'> =>
  error ? { error: errorText(error, fallback), requestId: requestIdOf(error) } : {};

function useOwnerItems({ search, isActive }: PickerQuery): PickerItems<OwnerChoice> {
  const isSearch = search !== '';
  const list = owners.useList(
    { query: { page: 1, limit: pickerFirst } },
    { enabled: isActive && !isSearch, staleTime },
  );
  const found = owners.useSearch({ query: { q: search } }, { enabled: isActive && isSearch, staleTime });
  const error = isSearch ? found.error : list.error;
  return {
    search,
    isActive,
    items: isSearch
      ? (found.data?.results ?? []).slice(0, searchLimit).map(ownerChoice)
      : (list.data?.data ?? []).map(({ owner }) => ownerChoice(owner)),
    total: isSearch ? found.data?.count : list.data?.pagination.totalCount,
    isLoading: isActive && (isSearch ? found.isPending || found.isPlaceholderData : list.isPending),
    ...failureOf(error, isSearch ? 'Failed to search owners' : 'Failed to fetch owners'),
  };
}

/** Tags and petrol pumps have one call for the list and the search. */
function itemsOf<T>(
  { search, isActive }: PickerQuery,
  query: Pick<ReturnType<typeof tags.useList>, 'isPending' | 'isPlaceholderData' | 'error'> & {
    data?: { data: readonly T[]; pagination: { totalCount: number } } | undefined;
  },
  choiceOf: (record: T) => T,
  failed: string,
): PickerItems<T> {
  return {
    search,
    isActive,
    items: (query.data?.data ?? []).map(choiceOf),
    total: query.data?.pagination.totalCount,
    isLoading: isActive && (query.isPending || query.isPlaceholderData),
    ...failureOf(query.error, failed),
  };
}

const askOf = ({ search, isActive }: PickerQuery) =>
  [{ query: { page: 1, limit: limitFor(search), search } }, { enabled: isActive, staleTime }] as const;

const useTagItems = (asked: PickerQuery): PickerItems<TagChoice> =>
  itemsOf(
    asked,
    tags.useList(...askOf(asked)),
    tagChoice,
    asked.search ? 'Failed to search tags' : 'Failed to fetch tags',
  );

const usePetrolPumpItems = (asked: PickerQuery): PickerItems<PetrolPumpChoice> =>
  itemsOf(asked, petrolPumps.useList(...askOf(asked)), petrolPumpChoice, 'Failed to fetch petrol pumps');

type PickerProps<T> = ComponentProps<typeof Picker<T>>;
type Own = 'found' | 'onQuery' | 'keyOf' | 'textOf' | 'detailOf' | 'markOf';

function withExtra<T extends { name: string }>(found: PickerItems<T>, extra: T | undefined): PickerItems<T> {
  const at = extra ? extra.name.toLowerCase().indexOf(found.search.toLowerCase()) : -1;
  if (!extra || at < 0 || found.isLoading) return found;
  // As in the server's results, a name that begins with the search comes before one that only contains it.
  const items = at === 0 ? [extra, ...found.items] : [...found.items, extra];
  return { ...found, items, total: found.total === undefined ? undefined : found.total + 1 };
}

const idOf = (item: { id: string }): string => item.id;
const nameOf = (item: { name: string }): string => item.name;

/** `extra` is a further choice that is not a record, such as "Without a tag". It is listed and searched like one. */
function recordPicker<T extends { id: string; name: string }>(
  useItems: (query: PickerQuery) => PickerItems<T>,
  look: Pick<PickerProps<T>, 'placeholder' | 'debounceMs' | 'detailOf' | 'markOf'>,
) {
  return function RecordPicker({ extra, ...props }: Omit<PickerProps<T>, Own> & { extra?: T }) {
    const [query, setQuery] = useState(inactiveQuery);
    const found = withExtra(useItems(query), extra);
    return <Picker {...look} {...props} found={found} onQuery={setQuery} keyOf={idOf} textOf={nameOf} />;
  };
}

export const OwnerPicker = recordPicker<OwnerChoice>(useOwnerItems, {
  placeholder: 'Search owners',
  detailOf: (owner) => owner.contactNumber,
});
export const TagPicker = recordPicker<TagChoice>(useTagItems, {
  placeholder: 'Search tags',
  markOf: (tag) => (
    <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ backgroundColor: tag.color }} />
  ),
});
/** The search of petrol pumps is debounced by 500 ms (docs/specification.md §3.3). */
export const PetrolPumpPicker = recordPicker<PetrolPumpChoice>(usePetrolPumpItems, {
  placeholder: 'Search petrol pumps',
  debounceMs: 500,
});
