import { ownerSortKeys, type OwnerWithTrucks } from '../../../shared/contract/owners.ts';
import type { AnswerOf } from '../../../shared/contract/define.ts';
import { pagesOf } from '../../kit/api/create-resource.ts';
import { owners } from '../../resources/owners.ts';
import { orderOf, type ListQuery } from '../../kit/records/record-place.ts';
import { listOrSearch, type RecordAnswer } from '../../kit/records/record-rows.ts';
import { useMemo } from 'react';

/** Shared by the screens Owners and Accounting, which show the same list. */

export const ownerSorts = { keys: ownerSortKeys, by: 'name' };
export const ownerSearchHint = 'Name, contact, account, PAN or truck number';
export const ownersFailed = { list: 'Failed to fetch owners', search: 'Failed to search owners' };

/** The list call nests each owner beside its trucks, the search call does not. This gives both the same shape. */
export function useOwnerRows(ask: ListQuery, only: { toConfirm?: 'yes' } = {}): RecordAnswer<OwnerWithTrucks> {
  const { page, limit, search, isSearch } = ask;
  const order = orderOf(ownerSortKeys, 'name', ask);
  const list = owners.useList({ query: { page, limit, ...order, ...only } }, { enabled: !isSearch });
  const found = owners.useSearch({ query: { q: search, page, limit, ...order, ...only } }, { enabled: isSearch });
  const items = list.data?.data;
  const rows = useMemo(() => items?.map(toRow), [items]);
  const listed = {
    query: list,
    rows,
    pagination: list.data?.pagination,
    loadPage: pagesOf(list, ({ data }) => data.map(toRow)),
    // The sum is that of all owners.
    totals: only.toConfirm ? undefined : list.data?.meta,
  };
  return listOrSearch(ask, listed, found);
}

const toRow = ({
  owner,
  trucks,
  trucksCount,
  declaration,
}: AnswerOf<typeof owners.calls.list>['data'][number]): OwnerWithTrucks => ({
  ...owner,
  trucks,
  trucksCount,
  declaration,
});

export const useOwner = (id: string) => owners.useGet({ params: { id } });
