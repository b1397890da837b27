import type { TagFigures } from '../contract/accounting.ts';
import type { AgeBucket, OwnerAgeing } from '../contract/dashboard.ts';
import type { Column } from './define.ts';

/**
 * Tag analytics: a row for each tag (docs/specification.md §4.2). The table can show sums of several years, so each column
 * is wide enough for lakhs of tonnes or hundreds of crores. A figure that is cut off would look like another figure.
 */
export const tagFiguresColumns: readonly Column<TagFigures>[] = [
  {
    key: 'tagName',
    label: 'Tag',
    kind: 'tag',
    width: 160,
    least: 154,
    sortKey: 'tagName',
    value: (row) => ({ name: row.tagName, color: row.color }),
  },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 88, sortKey: 'challanCount', total: 'challanCount' },
  { key: 'challanShare', label: 'Count %', kind: 'percent', width: 72, least: 66 },
  {
    key: 'totalAmount',
    label: 'Amount',
    kind: 'money',
    width: 150,
    least: 144,
    sortKey: 'totalAmount',
    total: 'totalAmount',
  },
  { key: 'amountShare', label: 'Amount %', kind: 'percent', width: 72, least: 66 },
  {
    key: 'paidPercent',
    label: 'Paid / Unpaid',
    kind: 'percent',
    width: 160,
    least: 154,
    sortKey: 'paidPercent',
    total: 'paidPercent',
  },
  {
    key: 'averageValue',
    label: 'Average Value',
    kind: 'money',
    width: 120,
    least: 112,
    sortKey: 'averageValue',
    total: 'averageValue',
  },
  { key: 'loadingWeight', label: 'Loading MT', kind: 'weight', width: 108, least: 102, total: 'loadingWeight' },
  { key: 'unloadingWeight', label: 'Unloading MT', kind: 'weight', width: 108, least: 102, total: 'unloadingWeight' },
  {
    key: 'differenceWeight',
    label: 'Difference MT',
    kind: 'weight',
    width: 102,
    least: 96,
    sortKey: 'differenceWeight',
    total: 'differenceWeight',
  },
];

/** A column of owner ageing: the unpaid amount of a bucket of days since the deposit. */
const ageColumn = (bucket: AgeBucket | 'total', label: string, sortKey?: string): Column<OwnerAgeing> => ({
  key: bucket,
  label,
  kind: 'money',
  width: 160,
  total: bucket,
  ...(sortKey === undefined ? {} : { sortKey }),
  value: (row) => row[bucket].amount,
});

const agedColumns: readonly Column<OwnerAgeing>[] = [
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 140, least: 106, sortKey: 'ownerName' },
  ageColumn('total', 'Total Unpaid', 'total'),
  ageColumn('days0to7', '0–7 days'),
  ageColumn('days8to15', '8–15 days'),
  ageColumn('days16to30', '16–30 days'),
  ageColumn('days31to45', '31–45 days'),
  ageColumn('over45', 'Over 45 days', 'oldest'),
];

/** The table without and with the column of challans that were not deposited, which is nearly always empty. */
export const ownerAgeingColumns = {
  deposited: agedColumns,
  all: [...agedColumns, ageColumn('notDeposited', 'Not deposited')],
};
