import { useMemo } from 'react';
import type { OwnerListItem, OwnerSortKey, OwnerWithTrucks } from '../../shared/contract/owners.ts';
import { owners } from '../api/resources.ts';
import type { RecordPlace } from './record-place.ts';
import { useRecordRows } from './record-rows.ts';

/** A search answers owners flat, the list answers them beside their trucks: one shape for the screens. */
function toListItem({ trucks, trucksCount, ...owner }: OwnerWithTrucks): OwnerListItem {
  return { owner, trucks, trucksCount };
}

interface OwnerOrder {
  page: number;
  sortBy: OwnerSortKey;
  sortOrder: 'asc' | 'desc';
}

/** The whole list in pages, or what a search finds, which is not paged (part 1 §4, part 2 §4). */
export function useOwnerRows(
  { limit, search, isSearch, onPage }: RecordPlace,
  { page, sortBy, sortOrder }: OwnerOrder,
) {
  const paged = owners.useList({ query: { page, limit, sortBy, sortOrder } }, { enabled: !isSearch });
  const found = owners.useSearch({ query: { q: search } }, { enabled: isSearch });
  const results = found.data?.results;
  const matches = useMemo(() => results?.map(toListItem), [results]);
  const list = useRecordRows({
    query: isSearch ? found : paged,
    rows: (isSearch ? matches : undefined) ?? (isSearch && found.error ? undefined : paged.data?.data),
    pagination: isSearch ? undefined : paged.data?.pagination,
    count: found.data?.count,
    failed: isSearch ? 'Failed to search owners' : 'Failed to fetch owners',
    onPage,
  });
  return { list, totals: isSearch ? undefined : paged.data?.meta };
}

export interface OwnerDialogProps {
  id: string;
  /** As the list shows it: there at once. */
  row: OwnerListItem | undefined;
  placeFocus: () => boolean;
  onClose: () => void;
}

/** The owner whose dialog is open: as the list has it, and then as it is now. */
export function useOwner(id: string, row: OwnerListItem | undefined) {
  const query = owners.useGet({ params: { id } });
  return { query, item: query.data ? toListItem(query.data.data) : row };
}
