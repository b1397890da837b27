import type { TagFigures } from '../contract/accounting.ts';
import type { Tag } from '../contract/tags.ts';
import type { Column } from './define.ts';

/** Tags (part 1 §2); 'Check Usage' is an action. */
export const tagColumns: readonly Column<Tag>[] = [
  {
    key: 'name',
    label: 'Name',
    kind: 'tag',
    width: 220,
    pin: 'left',
    sortKey: 'name',
    value: (row) => ({ name: row.name, color: row.color }),
  },
  { key: 'description', label: 'Description', kind: 'text', width: 420, cutAt: 60 },
  { key: 'createdAt', label: 'Created', kind: 'date', width: 130, sortKey: 'createdAt' },
];

/** Tag analytics, per tag (part 1 §2, ruling 49). */
export const tagFiguresColumns: readonly Column<TagFigures>[] = [
  {
    key: 'tagName',
    label: 'Tag',
    kind: 'tag',
    width: 200,
    pin: 'left',
    value: (row) => ({ name: row.tagName, color: row.color }),
  },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 100, total: 'totalChallans' },
  { key: 'challanShare', label: 'Share of Challans', kind: 'percent', width: 120 },
  { key: 'totalAmount', label: 'Amount', kind: 'money', width: 150, total: 'totalAmount' },
  { key: 'amountShare', label: 'Share of Amount', kind: 'percent', width: 120 },
  { key: 'paidCount', label: 'Paid', kind: 'count', width: 80 },
  { key: 'unpaidCount', label: 'Unpaid', kind: 'count', width: 80 },
  { key: 'paidPercent', label: 'Percent Paid', kind: 'percent', width: 140 },
  { key: 'averageValue', label: 'Average Value', kind: 'money', width: 130 },
  { key: 'loadingWeight', label: 'Loading MT', kind: 'weight', width: 120 },
  { key: 'unloadingWeight', label: 'Unloading MT', kind: 'weight', width: 120 },
  { key: 'differenceWeight', label: 'Difference', kind: 'weight', width: 110 },
];
