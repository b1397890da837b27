import { challanSortKeys } from '../../../shared/contract/challan.ts';
import type { ChallanExportFilters, challans } from '../../../shared/contract/challans.ts';
import type { QueryInput } from '../../../shared/contract/define.ts';
import { challanFileFilters } from '../../../shared/filters/challan-filters.ts';
import { filterOfTexts, setTexts, type FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { filterShape, idValue, limitValue, type PageSize } from '../../filters/filter-values.ts';
import { url } from '../../filters/url-state.ts';

/**
 * Everything a link to this list carries (docs/specification.md §19.6). The names are the API's, `open` is the details
 * dialog.
 */
export const listShape = {
  page: url.number(1),
  limit: limitValue(),
  sortBy: url.oneOf(challanSortKeys, 'createdAt'),
  sortOrder: url.oneOf(['asc', 'desc'], 'desc'),
  ...filterShape(challanFileFilters),
  open: idValue(),
};

export type ListFilters = FilterTexts<typeof challanFileFilters>;

export interface ListPlace extends ListFilters {
  page: number;
  limit: PageSize;
  sortBy: (typeof challanSortKeys)[number];
  sortOrder: 'asc' | 'desc';
}

/** Only what is set is sent, so that the same list is one entry of the cache. */
export function toListQuery(place: ListPlace): QueryInput<typeof challans.list> {
  const { page, limit, sortBy, sortOrder } = place;
  return { page, limit, sortBy, sortOrder, ...setTexts(challanFileFilters, place) };
}

/** The same filters as the CSV export takes them: a body (docs/specification.md §14.9). */
export const toExportFilters = (filters: ListFilters): ChallanExportFilters =>
  filterOfTexts(challanFileFilters, filters);

/** docs/specification.md §8.1.1: a row that no longer fits the filter because it was just marked. */
export function leavesFilter(filters: Pick<ListFilters, 'paymentStatus'>, row: { paymentStatus: boolean }): boolean {
  return filters.paymentStatus !== '' && row.paymentStatus !== (filters.paymentStatus === 'paid');
}
