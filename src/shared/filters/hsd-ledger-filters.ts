import { choice, contains, dayFrom, dayTo } from './define.ts';

/** The filters of the pump ledger (docs/specification.md §11.7). With days only bills that came on these count. */
export const hsdLedgerFilters = {
  search: contains('Search', 2, 'Petrol pump'),
  differences: choice('Differences', ['with', 'without'], ['With differences', 'Without differences']),
  startDate: dayFrom('Bill came'),
  endDate: dayTo('Bill came'),
};
