import { contains, oneOf } from './define.ts';

export const tallyChangeWords = {
  changed: 'Changed',
  deleted: 'Deleted',
  reversed: 'Taken back',
  added: 'Added',
} as const;

/** The filters of what changed since it was exported (docs/specification.md §31.3). */
export const tallyChangedFilters = {
  change: oneOf('What', tallyChangeWords),
  record: oneOf('Record', { challan: 'Challans', payment: 'Payments' }),
  search: contains('Challan, payment or owner', 2),
};
