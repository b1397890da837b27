import { errorText } from '../api/api-error.ts';
import { owners, petrolPumps, tags } from '../api/resources.ts';
import type { OwnerWithTrucks } from '../../shared/contract/owners.ts';
import type { PetrolPump } from '../../shared/contract/petrol-pumps.ts';
import type { Tag } from '../../shared/contract/tags.ts';
import { pickerFirst, type PickerAsk, type PickerItems } from '../ui/picker-state.ts';

/** Part 1 §7: a picker's search asks for 50; without a search it shows the first ten. */
const searchLimit = 50;
const limitFor = (search: string): number => (search === '' ? pickerFirst : searchLimit);
/** Master data changes seldom, and every write of ours refreshes it: opening the list again need not ask again. */
const staleTime = 60_000;

export function useOwnerItems({ search, isActive }: PickerAsk): PickerItems<OwnerWithTrucks> {
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
      ? (found.data?.results ?? []).slice(0, searchLimit)
      : (list.data?.data ?? []).map(({ owner, trucks, trucksCount }) => ({ ...owner, trucks, trucksCount })),
    total: isSearch ? found.data?.count : list.data?.pagination.totalCount,
    isLoading: isActive && (isSearch ? found.isPending || found.isPlaceholderData : list.isPending),
    error: error ? errorText(error, isSearch ? 'Failed to search owners' : 'Failed to fetch owners') : undefined,
  };
}

export function useTagItems({ search, isActive }: PickerAsk): PickerItems<Tag> {
  const query = tags.useList({ query: { page: 1, limit: limitFor(search), search } }, { enabled: isActive, staleTime });
  return {
    search,
    isActive,
    items: query.data?.data ?? [],
    total: query.data?.pagination.totalCount,
    isLoading: isActive && (query.isPending || query.isPlaceholderData),
    error: query.error ? errorText(query.error, search ? 'Failed to search tags' : 'Failed to fetch tags') : undefined,
  };
}

export function usePetrolPumpItems({ search, isActive }: PickerAsk): PickerItems<PetrolPump> {
  const query = petrolPumps.useList(
    { query: { page: 1, limit: limitFor(search), search } },
    { enabled: isActive, staleTime },
  );
  return {
    search,
    isActive,
    items: query.data?.data ?? [],
    total: query.data?.pagination.totalCount,
    isLoading: isActive && (query.isPending || query.isPlaceholderData),
    error: query.error ? errorText(query.error, 'Failed to fetch petrol pumps') : undefined,
  };
}
