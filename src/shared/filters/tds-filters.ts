import { yearLabel } from '../calc/financial-year.ts';
import { choice, contains, omitFilters, oneOf } from './define.ts';

const firstYear = 2020;
const years = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => yearLabel(firstYear + index)).map((word) => [word, word]),
);

const quarterWords = {
  q1: 'Q1 April to June',
  q2: 'Q2 July to September',
  q3: 'Q3 October to December',
  q4: 'Q4 January to March',
} as const;

/** The filters of deposits (docs/specification.md §30.3). */
export const tdsPeriodFilters = {
  year: oneOf('Financial Year', years, 'This financial year'),
  quarter: oneOf('Quarter', quarterWords, 'Whole year'),
};

/** The filters of the register's deductions (docs/specification.md §27.2). */
export const tdsDeductionFilters = {
  ...tdsPeriodFilters,
  search: contains('Owner, PAN, challan or TP', 2),
  pan: oneOf('PAN', { with: 'With PAN', without: 'Without PAN' }),
  deducted: choice('TDS', ['yes', 'no'], ['Deducted', 'Nothing deducted']),
};

/** The filters of the register's lines, each of which is a PAN and a percentage. */
export const tdsFilters = { ...omitFilters(tdsDeductionFilters, 'search'), search: contains('Owner or PAN', 2) };
