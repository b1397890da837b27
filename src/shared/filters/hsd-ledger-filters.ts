import { choice, contains, dayFrom, dayTo } from './define.ts';

/** The filters of the pump ledger (docs/specification.md §11.7). With days only bills uploaded on these count. */
export const hsdLedgerFilters = {
  search: contains('Petrol Pump', 2),
  differences: choice('Differences', ['with', 'without'], ['With differences', 'Without differences']),
  startDate: dayFrom('Uploaded'),
  endDate: dayTo('Uploaded'),
};
