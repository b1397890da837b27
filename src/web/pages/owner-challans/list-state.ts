import type { OwnerReportInput } from '../../../shared/contract/accounting.ts';
import { challanSortKeys } from '../../../shared/contract/challan.ts';
import type { QueryInput } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import { ownerChallanFilters } from '../../../shared/filters/challan-filters.ts';
import { orNull } from '../../../shared/filters/define.ts';
import { filterOfTexts, setTexts, type FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { filterShape, idValue, limitValue, type PageSize } from '../../filters/filter-values.ts';
import { url } from '../../filters/url-state.ts';

/**
 * Everything a link to this list carries; newest first, page 1, ten rows (docs/specification.md §9.2). `open` is the
 * details dialog.
 */
export const listShape = {
  page: url.number(1),
  limit: limitValue(),
  sortBy: url.oneOf(challanSortKeys, 'createdAt'),
  sortOrder: url.oneOf(['asc', 'desc'], 'desc'),
  ...filterShape(ownerChallanFilters),
  open: idValue(),
};

export type ListFilters = FilterTexts<typeof ownerChallanFilters>;

export interface ListOrder {
  sortBy: (typeof challanSortKeys)[number];
  sortOrder: 'asc' | 'desc';
}

export interface ListPlace extends ListFilters, ListOrder {
  page: number;
  limit: PageSize;
}

/** Only what is set is sent, so that the same list is one entry of the cache. */
export function toListQuery(
  ownerId: string,
  place: ListPlace,
): QueryInput<typeof contract.accounting.listOwnerChallans> {
  const { page, limit, sortBy, sortOrder } = place;
  return { ownerId, page, limit, sortBy, sortOrder, ...setTexts(ownerChallanFilters, place) };
}

/** The same filters as the two reports take them: a body, where null is "no filter" (docs/specification.md §14.12). */
export function toReport(ownerId: string, place: ListFilters & ListOrder): OwnerReportInput {
  const { sortBy, sortOrder } = place;
  const { depositedStartDate, depositedEndDate, ...others } = orNull(
    ownerChallanFilters,
    filterOfTexts(ownerChallanFilters, place),
  );
  return {
    ownerId,
    filters: { ...others, startDate: depositedStartDate, endDate: depositedEndDate, sortBy, sortOrder },
    requestMetadata: { timestamp: new Date().toISOString(), userAgent: navigator.userAgent.slice(0, 1000) },
  };
}
