import type { OwnerReportInput } from '../../../shared/contract/accounting.ts';
import { challanSortKeys } from '../../../shared/contract/challan.ts';
import type { QueryInput } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import { dayValue, idValue, limitValue, withoutTag, type PageSize } from '../../filters/filter-values.ts';
import { url } from '../../shell/url-state.ts';

/** Everything a link to this list carries; newest first, page 1, ten rows (part 2 §9). `open` is the details dialog. */
export const listShape = {
  page: url.number(1),
  limit: limitValue(),
  sortBy: url.oneOf(challanSortKeys, 'createdAt'),
  sortOrder: url.oneOf(['asc', 'desc'], 'desc'),
  paymentStatus: url.oneOf(['', 'paid', 'unpaid'], ''),
  tagId: idValue(withoutTag),
  depositedStartDate: dayValue,
  depositedEndDate: dayValue,
  open: idValue(),
};

export interface ListFilters {
  paymentStatus: '' | 'paid' | 'unpaid';
  tagId: string;
  depositedStartDate: string;
  depositedEndDate: string;
}

export const noFilters: ListFilters = { paymentStatus: '', tagId: '', depositedStartDate: '', depositedEndDate: '' };

/** How many filters hold; a range of days is one. */
export function countFilters({ paymentStatus, tagId, depositedStartDate, depositedEndDate }: ListFilters): number {
  return [paymentStatus, tagId, depositedStartDate || depositedEndDate].filter((value) => value !== '').length;
}

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
  const { page, limit, sortBy, sortOrder, paymentStatus, tagId, depositedStartDate, depositedEndDate } = place;
  return {
    ownerId,
    page,
    limit,
    sortBy,
    sortOrder,
    ...(paymentStatus === '' ? {} : { paymentStatus }),
    ...(tagId === '' ? {} : { tagId }),
    ...(depositedStartDate === '' ? {} : { depositedStartDate }),
    ...(depositedEndDate === '' ? {} : { depositedEndDate }),
  };
}

/** The same filters as the two reports take them: a body, where null is "no filter" (part 2 §7). */
export function toReport(ownerId: string, place: ListFilters & ListOrder): OwnerReportInput {
  const { paymentStatus, tagId, depositedStartDate, depositedEndDate, sortBy, sortOrder } = place;
  return {
    ownerId,
    filters: {
      paymentStatus: paymentStatus === '' ? null : paymentStatus === 'paid',
      startDate: depositedStartDate || null,
      endDate: depositedEndDate || null,
      tagId: tagId || null,
      sortBy,
      sortOrder,
    },
    requestMetadata: { timestamp: new Date().toISOString(), userAgent: navigator.userAgent.slice(0, 1000) },
  };
}
