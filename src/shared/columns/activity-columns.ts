import type { ActivityDay } from '../contract/activity.ts';
import type { Column } from './define.ts';

/** What each person did on each day (docs/specification.md §28.5). */
export const activityColumns: readonly Column<ActivityDay>[] = [
  { key: 'day', label: 'Day', kind: 'date', width: 110, pin: 'left' },
  { key: 'person', label: 'Person', kind: 'text', width: 220, least: 160, pin: 'left' },
  { key: 'settings', label: 'People & Settings', kind: 'count', width: 140 },
  { key: 'recorded', label: 'Challans Recorded', kind: 'count', width: 150 },
  { key: 'changed', label: 'Changed', kind: 'count', width: 96 },
  { key: 'deleted', label: 'Deleted', kind: 'count', width: 90 },
  { key: 'masterData', label: 'Master Data', kind: 'count', width: 110 },
  { key: 'paid', label: 'Paid', kind: 'count', width: 80 },
  { key: 'paidAmount', label: 'Paid Amount', kind: 'money', width: 150 },
  { key: 'takenBack', label: 'Taken Back', kind: 'count', width: 100 },
  { key: 'takenBackAmount', label: 'Taken Back Amount', kind: 'money', width: 160 },
];
