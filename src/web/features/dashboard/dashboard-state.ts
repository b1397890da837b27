import { addDays, formatDate } from '../../../shared/calc/dates.ts';
import { ageingSortKeys, oldestDays, type AgeBucket } from '../../../shared/contract/dashboard.ts';
import { challanListFilters, dashboardFilters, statementFilters } from '../../../shared/filters/challan-filters.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { filterShape, limitValue, linkTo } from '../../kit/filters/filter-values.ts';
import { url } from '../../kit/filters/url-state.ts';

export const tagSortKeys = [
  'totalAmount',
  'tagName',
  'challanCount',
  'paidPercent',
  'averageValue',
  'differenceWeight',
] as const;

const filters = filterShape(dashboardFilters);

/** What the address of the dashboard holds: the filters, and the page and order of the two tables. */
export const dashboardShape = {
  startDate: filters.depositedStartDate,
  endDate: filters.depositedEndDate,
  tagId: filters.tagId,
  tagsBy: url.oneOf(tagSortKeys, 'totalAmount'),
  tagsOrder: url.oneOf(['asc', 'desc'], 'desc'),
  page: url.number(1),
  limit: limitValue(),
  sortBy: url.oneOf(ageingSortKeys, 'oldest'),
  sortOrder: url.oneOf(['asc', 'desc'], 'desc'),
};

/** Range of deposited dates and tag, as the address holds them. '' means no filter. */
export interface Filters {
  startDate: string;
  endDate: string;
  tagId: string;
}

export const noFilters: Filters = { startDate: '', endDate: '', tagId: '' };

/** Contains only the filters that are set, so that equal filters share one cache entry. */
export function toQuery({ startDate, endDate, tagId }: Filters): Partial<Filters> {
  return { ...(startDate && { startDate }), ...(endDate && { endDate }), ...(tagId && { tagId }) };
}

/** Link to the challans that a figure counts: the list shows the same count and amount. */
export const challansLink = (filter: Partial<FilterTexts<typeof challanListFilters>>): string =>
  linkTo('/challans', challanListFilters, filter);

/**
 * The range of deposited dates of a bucket. `today` is the day of the server. The youngest and the oldest bucket are
 * open at one end.
 */
function bucketDates(
  bucket: Exclude<AgeBucket, 'notDeposited'>,
  today: string,
): { depositedStartDate?: string; depositedEndDate?: string } {
  const ends = Object.values(oldestDays);
  const index = Object.keys(oldestDays).indexOf(bucket);
  const oldest = ends[index];
  const younger = index < 0 ? ends.at(-1) : ends[index - 1];
  return {
    ...(oldest === undefined ? {} : { depositedStartDate: addDays(today, -oldest) }),
    ...(younger === undefined ? {} : { depositedEndDate: addDays(today, -younger - 1) }),
  };
}

/**
 * Link to the unpaid challans of a figure of owner ageing, with the same count and amount. It opens the bank
 * statement, where they can be paid. Challans without a deposited date open in the challan list, since the statement
 * has no filter for them.
 */
export function unpaidLink(bucket: AgeBucket | 'total', today: string, ownerId?: string): string {
  const owner = ownerId === undefined ? {} : { ownerId };
  if (bucket === 'notDeposited') return challansLink({ ...owner, paymentStatus: 'unpaid', depositedDate: 'none' });
  const days = bucket === 'total' ? {} : bucketDates(bucket, today);
  return linkTo('/accounting/bank-statement', statementFilters, { ...owner, ...days });
}

/** 'All dates', '01/04/2026 – 30/04/2026', 'From 01/04/2026'. */
export function formatRange(range: { startDate: string | null; endDate: string | null } | null): string {
  const { startDate, endDate } = range ?? { startDate: null, endDate: null };
  if (startDate && endDate) {
    return startDate === endDate ? formatDate(startDate) : `${formatDate(startDate)} – ${formatDate(endDate)}`;
  }
  if (startDate) return `From ${formatDate(startDate)}`;
  return endDate ? `Until ${formatDate(endDate)}` : 'All dates';
}
