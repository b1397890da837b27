import { contains, dayFrom, dayTo, idOf, oneOf, rare } from './define.ts';

/** How long a line without an answer has been at the bank. */
const lineAges = {
  '0-1': '0 to 1 day',
  '2-3': '2 to 3 days',
  '4-7': '4 to 7 days',
  '8+': '8 days and more',
} as const;

/** The filters of the lines that were sent to the bank (docs/specification.md §25.1). */
export const bankLineFilters = {
  search: contains('Search', 2, 'Reference, owner, UTR or payment'),
  account: idOf('Paid from', 'bankAccounts'),
  state: oneOf('State', { executed: 'Executed', failed: 'Failed', returned: 'Returned', all: 'All' }, 'No answer yet'),
  age: oneOf('Age', lineAges),
  /** When the last answer was entered. */
  answeredStartDate: rare(dayFrom('Answered')),
  answeredEndDate: rare(dayTo('Answered')),
};
