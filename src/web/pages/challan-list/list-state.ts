import { challanSortKeys } from '../../../shared/contract/challan.ts';
import type { ChallanExportFilters, challans } from '../../../shared/contract/challans.ts';
import type { QueryInput } from '../../../shared/contract/define.ts';
import { dayValue, idValue, limitValue, withoutTag, type PageSize } from '../../filters/filter-values.ts';
import { url, type UrlValue } from '../../shell/url-state.ts';

/** Part 2 §2.1: the TP number filter applies only at 3 or more characters. */
export const tpFilterLeast = 3;

function tpValue(): UrlValue<string> {
  return {
    fallback: '',
    parse: (text) => (text.trim().length >= tpFilterLeast ? text.trim().slice(0, 200) : undefined),
    write: (value) => value,
  };
}

/** Everything a link to this list carries (expectation 19). The names are the wire's, `open` is the details dialog. */
export const listShape = {
  page: url.number(1),
  limit: limitValue(),
  sortBy: url.oneOf(challanSortKeys, 'createdAt'),
  sortOrder: url.oneOf(['asc', 'desc'], 'desc'),
  tpNo: tpValue(),
  paymentStatus: url.oneOf(['', 'paid', 'unpaid'], ''),
  tagId: idValue(withoutTag),
  ownerId: idValue(),
  depositedDate: url.oneOf(['', 'none'], ''),
  depositedStartDate: dayValue,
  depositedEndDate: dayValue,
  open: idValue(),
};

export interface ListFilters {
  tpNo: string;
  paymentStatus: '' | 'paid' | 'unpaid';
  tagId: string;
  ownerId: string;
  /** `none`: challans without a deposited day. */
  depositedDate: '' | 'none';
  depositedStartDate: string;
  depositedEndDate: string;
}

export const noFilters: ListFilters = {
  tpNo: '',
  paymentStatus: '',
  tagId: '',
  ownerId: '',
  depositedDate: '',
  depositedStartDate: '',
  depositedEndDate: '',
};

const filterKeys = Object.keys(noFilters) as readonly (keyof ListFilters)[];

/** How many filters hold; a range of days is one. */
export function countFilters(filters: ListFilters): number {
  const isSet = (key: keyof ListFilters): boolean => filters[key] !== '';
  const single = (['tpNo', 'paymentStatus', 'tagId', 'ownerId', 'depositedDate'] as const).filter(isSet).length;
  return single + (isSet('depositedStartDate') || isSet('depositedEndDate') ? 1 : 0);
}

export interface ListPlace extends ListFilters {
  page: number;
  limit: PageSize;
  sortBy: (typeof challanSortKeys)[number];
  sortOrder: 'asc' | 'desc';
}

type ChallanListQuery = QueryInput<typeof challans.list>;

type TextFilter = Exclude<keyof ListFilters, 'paymentStatus' | 'depositedDate'>;

/** The filters that are set, by name: what else the object carries is not sent along. */
function textFilters(filters: ListFilters): Partial<Record<TextFilter, string>> & { depositedDate?: 'none' } {
  const given: Partial<Record<TextFilter, string>> = {};
  for (const key of filterKeys) {
    if (key !== 'paymentStatus' && key !== 'depositedDate' && filters[key] !== '') given[key] = filters[key];
  }
  return filters.depositedDate === '' ? given : { ...given, depositedDate: filters.depositedDate };
}

/** Only what is set is sent, so that the same list is one entry of the cache. */
export function toListQuery(place: ListPlace): ChallanListQuery {
  const { page, limit, sortBy, sortOrder, paymentStatus } = place;
  return { page, limit, sortBy, sortOrder, ...textFilters(place), ...(paymentStatus === '' ? {} : { paymentStatus }) };
}

/** The same filters as the CSV export takes them: a body, so payment status is a boolean (part 2 §7). */
export function toExportFilters(filters: ListFilters): ChallanExportFilters {
  const { paymentStatus } = filters;
  return { ...textFilters(filters), ...(paymentStatus === '' ? {} : { paymentStatus: paymentStatus === 'paid' }) };
}

/** Ruling 31: a row that no longer fits the filter because it was just marked. */
export function leavesFilter(filters: Pick<ListFilters, 'paymentStatus'>, row: { paymentStatus: boolean }): boolean {
  return filters.paymentStatus !== '' && row.paymentStatus !== (filters.paymentStatus === 'paid');
}
