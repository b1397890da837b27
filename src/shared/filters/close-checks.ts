import { yearOf } from '../calc/financial-year.ts';
import { challanFilters, type ChallanFilter } from './challan-filters.ts';
import { textsOfFilter } from './filter-texts.ts';

/** The first and the last day of a month. */
export interface MonthDays {
  from: string;
  to: string;
}

/**
 * What is open before a month is closed, up to its last day (docs/specification.md §32.1). Each is counted by the statement that
 * has its name in server/features/accounting/close-checks.queries.ts. `noun` says what is counted.
 */
interface CloseCheck {
  label: string;
  noun: string;
  /** The screen that lists it. */
  path: string;
  /** The filter of that screen. */
  query?: (month: MonthDays) => Readonly<Record<string, string>>;
}

/** Checks that are filters of the challan list, so that the list has exactly what is counted. */
export const challanChecks = {
  notDeposited: ({ to }: MonthDays): ChallanFilter => ({ depositedDate: 'none', endDate: to }),
  hsdNotVerified: ({ to }: MonthDays): ChallanFilter => ({ hsdVerified: false, depositedEndDate: to }),
  negativeNets: ({ to }: MonthDays): ChallanFilter => ({
    paymentStatus: false,
    netTo: '-0.01',
    depositedEndDate: to,
  }),
} as const;

const challansOf =
  (filter: (month: MonthDays) => ChallanFilter) =>
  (month: MonthDays): Record<string, string> => {
    const texts = Object.entries(textsOfFilter(challanFilters, filter(month)));
    return Object.fromEntries(texts.filter(([, text]) => text !== ''));
  };

export const closeChecks = {
  notDeposited: {
    label: 'Challans without a deposited day',
    noun: 'challan',
    path: '/challans',
    query: challansOf(challanChecks.notDeposited),
  },
  hsdNotVerified: {
    label: 'HSD not verified',
    noun: 'challan',
    path: '/challans',
    query: challansOf(challanChecks.hsdNotVerified),
  },
  negativeNets: {
    label: 'Unpaid challans below zero',
    noun: 'challan',
    path: '/challans',
    query: challansOf(challanChecks.negativeNets),
  },
  bankLines: { label: 'Lines at the bank without an answer', noun: 'line', path: '/accounting/bank' },
  statementLines: { label: 'Lines of account statements not matched', noun: 'line', path: '/accounting/bank/answer' },
  missingPans: {
    label: 'Owners paid or due in the month without a PAN',
    noun: 'owner',
    path: '/accounting/tds',
    query: ({ to }) => ({ year: yearOf(to), pan: 'without' }),
  },
  lapsingDeclarations: {
    label: 'Declarations about to lapse',
    noun: 'declaration',
    path: '/accounting/tds/declarations',
    query: () => ({ sortBy: 'validUntil', sortOrder: 'asc' }),
  },
  tdsNotDeposited: {
    label: 'TDS deducted and not deposited',
    noun: 'month',
    path: '/accounting/tds/deposits',
    query: ({ to }) => ({ year: yearOf(to) }),
  },
} as const satisfies Readonly<Record<string, CloseCheck>>;
export type CloseCheckId = keyof typeof closeChecks;
// Safe: the table has no other keys.
export const closeCheckIds = Object.keys(closeChecks) as [CloseCheckId, ...CloseCheckId[]];

/** The address of the list of a check. */
export function closeCheckPath(id: CloseCheckId, month: MonthDays): string {
  const { path, query }: CloseCheck = closeChecks[id];
  const text = new URLSearchParams(query?.(month)).toString();
  return text === '' ? path : `${path}?${text}`;
}
