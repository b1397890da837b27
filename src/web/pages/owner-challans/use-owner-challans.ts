import { useQueryClient } from '@tanstack/react-query';
import { isApiError } from '../../api/api-error.ts';
import { accounting, owners } from '../../api/resources.ts';
import { useRecordRows } from '../../records/record-rows.ts';
import { notify } from '../../feedback/toast.ts';
import { toListQuery, type ListPlace } from './list-state.ts';

const failed = 'Failed to fetch challans';

/** Deleted, another account's, or an id this product never gives (its own are of version 4). */
const isUnknownOwner = (error: unknown): boolean =>
  isApiError(error, 'NOT_FOUND') || (isApiError(error, 'VALIDATION_ERROR') && 'ownerId' in error.fields);

/** One page of an owner's challans with the sums of the whole filter, both of one moment, and the owner's name. */
export function useOwnerChallans(
  ownerId: string,
  place: ListPlace,
  onPage: (page: number, options: { replace: boolean }) => void,
) {
  const client = useQueryClient();
  const query = accounting.useListOwnerChallans({ query: toListQuery(ownerId, place) });
  const owner = owners.useGet({ params: { id: ownerId } }, { retry: false });
  const { data, error } = query;
  const isUnknown = isUnknownOwner(error);
  const list = useRecordRows({
    query,
    rows: data?.data,
    pagination: data?.pagination,
    failed,
    onPage,
    // What stands in place of the screen says it already.
    tell: (problem, fallback) => {
      if (!isUnknownOwner(problem)) notify.error(problem, fallback);
    },
  });
  return {
    ...list,
    isUnknown,
    summary: data?.meta.summary,
    lastPage: Math.max(1, data?.pagination.totalPages ?? 1),
    ownerName: owner.data?.data.name ?? data?.data[0]?.owner.name,
    /** Another page of the same list. */
    fetchPage: async (page: number) => {
      const asked = { query: toListQuery(ownerId, { ...place, page }) };
      return (await client.fetchQuery(accounting.listOwnerChallansOptions(asked))).data;
    },
  };
}
