import { isZero } from '../calc/money.ts';
import type { ActivityDay } from '../contract/activity.ts';
import type { Column } from './define.ts';

type Count = { [K in keyof ActivityDay]: ActivityDay[K] extends number ? K : never }[keyof ActivityDay];

/** What was not done is left empty, so that the eye finds what was. */
const count = (key: Count, label: string, width: number): Column<ActivityDay> => ({
  key,
  label,
  kind: 'count',
  width,
  value: (row) => row[key] || null,
});
const amount = (key: 'paidAmount' | 'takenBackAmount', label: string, width: number): Column<ActivityDay> => ({
  key,
  label,
  kind: 'money',
  width,
  value: (row) => (isZero(row[key]) ? null : row[key]),
});

/** What each person did on each day (docs/specification.md §28.5). */
export const activityColumns: readonly Column<ActivityDay>[] = [
  { key: 'day', label: 'Day', kind: 'date', width: 110, pin: 'left' },
  { key: 'person', label: 'Person', kind: 'text', width: 220, least: 154, pin: 'left' },
  count('settings', 'People & Settings', 140),
  count('recorded', 'Challans Recorded', 150),
  count('changed', 'Changed', 96),
  count('deleted', 'Deleted', 90),
  count('masterData', 'Master Data', 110),
  count('paid', 'Paid', 80),
  amount('paidAmount', 'Paid Amount', 150),
  count('takenBack', 'Taken Back', 100),
  amount('takenBackAmount', 'Taken Back Amount', 160),
];
