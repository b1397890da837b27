import type { StatementFilters } from '../../../shared/contract/bank-statement.ts';
import { dayValue, idValue, limitValue, withoutTag } from '../../filters/filter-values.ts';
import { url } from '../../shell/url-state.ts';

/** What a link to the bank statement carries. */
export const statementShape = {
  page: url.number(1),
  limit: limitValue(),
  ownerId: idValue(),
  tagId: idValue(withoutTag),
  depositedStartDate: dayValue,
  depositedEndDate: dayValue,
};

export interface Filters {
  ownerId: string;
  tagId: string;
  depositedStartDate: string;
  depositedEndDate: string;
}

export const noFilters: Filters = { ownerId: '', tagId: '', depositedStartDate: '', depositedEndDate: '' };

export const filtersOf = ({ ownerId, tagId, depositedStartDate, depositedEndDate }: Filters): Filters => ({
  ownerId,
  tagId,
  depositedStartDate,
  depositedEndDate,
});

/** Only what is set: the same filter is one entry of the cache and one body of a payment. */
export function toStatementFilters(filters: Filters): StatementFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}

/** Part 2 §4: filter changes wait this long. */
export const settleMs = 300;
