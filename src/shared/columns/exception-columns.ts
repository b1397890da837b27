import { formatDate } from '../calc/dates.ts';
import { formatAmount, formatINR } from '../calc/money.ts';
import type { Exception } from '../contract/exceptions.ts';
import { exceptionKinds } from '../filters/exception-kinds.ts';
import type { Column } from './define.ts';

/** Whole days have no decimals. */
function measured(row: Exception, value: string | null): string | null {
  const kind = exceptionKinds[row.kind];
  const unit = 'unit' in kind ? kind.unit : '';
  if (value === null || unit === '') return value;
  if (unit === '₹/MT') return `${formatINR(value)}/MT`;
  return `${unit === 'days' ? value.replace(/\.\d+$/, '') : formatAmount(value)} ${unit}`;
}

/** What it is: the measured value, the challan it is in conflict with, or that there was no trip. */
const actualText = (row: Exception): string | null => {
  if (row.kind === 'hsd') return 'No trip on this day';
  if (row.otherNumber !== null) return row.kind === 'tp' ? `Also on ${row.otherNumber}` : `During ${row.otherNumber}`;
  return measured(row, row.actual);
};

/** What is unusual (docs/specification.md §35). */
export const exceptionColumns: readonly Column<Exception>[] = [
  {
    key: 'kind',
    label: 'Kind',
    kind: 'text',
    width: 160,
    least: 144,
    pin: 'left',
    value: ({ kind }) => exceptionKinds[kind].name,
  },
  { key: 'effect', label: 'Effect', kind: 'money', width: 140, least: 118, sortKey: 'effect', total: 'effect' },
  {
    key: 'challanNumber',
    label: 'Challan No',
    kind: 'identifier',
    width: 142,
    least: 130,
    value: ({ challanNumber, tripCount }) =>
      challanNumber ?? (tripCount === 0 ? 'Bill of a pump' : `${tripCount} trips`),
  },
  { key: 'day', label: 'Loaded On', kind: 'date', width: 108, least: 98, sortKey: 'day' },
  { key: 'route', label: 'Route', kind: 'text', width: 230, least: 144 },
  { key: 'vehicleNo', label: 'Vehicle No', kind: 'identifier', width: 124, least: 114 },
  { key: 'usual', label: 'Usual', kind: 'text', width: 124, least: 114, value: (row) => measured(row, row.usual) },
  { key: 'actual', label: 'It Is', kind: 'text', width: 196, least: 184, value: actualText },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 220, least: 142 },
  { key: 'driverName', label: 'Driver', kind: 'text', width: 170 },
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 130, isOffered: true },
  {
    key: 'fine',
    label: 'Fine, Because',
    kind: 'text',
    width: 240,
    least: 114,
    value: ({ fine }) => (fine === null ? null : `${fine.reason} (${fine.createdBy}, ${formatDate(fine.createdAt)})`),
  },
];
