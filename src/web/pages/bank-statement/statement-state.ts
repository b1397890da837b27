import type { StatementFilters } from '../../../shared/contract/bank-statement.ts';
import { statementFilters } from '../../../shared/filters/challan-filters.ts';
import { omitFilters } from '../../../shared/filters/define.ts';
import { filterOfTexts, noFilters as noFiltersOf, type FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { filterShape, limitValue } from '../../filters/filter-values.ts';
import { url } from '../../filters/url-state.ts';

/** An owner is chosen from a list, so the screen does not look for a part of a name. */
export const screenFilters = omitFilters(statementFilters, 'ownerName');
export type Filters = FilterTexts<typeof screenFilters>;
export const noFilters: Filters = noFiltersOf(screenFilters);

/** What a link to the bank statement carries. */
export const statementShape = {
  page: url.number(1),
  limit: limitValue(),
  ...filterShape(screenFilters),
};

/** Only what is set: the same filter is one entry of the cache and one body of a payment. */
export const toStatementFilters = (filters: Filters): StatementFilters => filterOfTexts(screenFilters, filters);

/** docs/specification.md §10.1: filter changes wait this long. */
export const settleMs = 300;
