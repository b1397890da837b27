import { bankLineFilters } from './bank-line-filters.ts';
import { challanListFilters, statementFilters } from './challan-filters.ts';
import type { FilterTable } from './define.ts';
import { exceptionFilters } from './exception-kinds.ts';
import { setTexts, type FilterTexts } from './filter-texts.ts';
import { hsdLedgerFilters } from './hsd-ledger-filters.ts';

/** A list, narrowed to exactly what a figure of Today counts (docs/specification.md §34). */
export interface TodayList {
  path: string;
  query: Readonly<Record<string, string>>;
}

const listOf = <T extends FilterTable>(path: string, table: T, texts: Partial<FilterTexts<T>>): TodayList => ({
  path,
  // Safe: each of the values that are set is a text.
  query: setTexts(table, texts) as Record<string, string>,
});

const challans = (filter: Partial<FilterTexts<typeof challanListFilters>>): TodayList =>
  listOf('/challans', challanListFilters, filter);
const accountsToConfirm = { toConfirm: 'yes' };

/** The lists that the figures of Today open. Those of drafts and of what others did are in no list as they are counted. */
export const todayLists = {
  loadedOn: (day: string) => challans({ startDate: day, endDate: day }),
  unpaid: (depositedUntil = '') =>
    listOf('/accounting/bank-statement', statementFilters, { depositedEndDate: depositedUntil }),
  releases: { path: '/accounting/to-release', query: {} },
  owners: { path: '/owners', query: accountsToConfirm },
  bankAccounts: { path: '/profile/bank-accounts', query: accountsToConfirm },
  noAnswer: { path: '/accounting/bank', query: {} },
  answered: (state: 'failed' | 'returned', since: string) =>
    listOf('/accounting/bank', bankLineFilters, { state, answeredStartDate: since }),
  notVerified: (since: string) => challans({ hsdVerified: 'unverified', depositedStartDate: since }),
  bills: (since: string) =>
    listOf('/hsd-verification/ledger', hsdLedgerFilters, { differences: 'with', startDate: since }),
  notDeposited: challans({ depositedDate: 'none' }),
  exceptions: listOf('/exceptions', exceptionFilters, { days: 'entered' }),
};
