import { formatDate } from '../calc/dates.ts';
import { declaredYear } from '../calc/declaration.ts';
import { declarationFields, declarationWarnings, type Declaration } from '../contract/declarations.ts';
import { declarationStatus } from './declaration-status.ts';
import type { TdsDeduction, TdsLine } from '../contract/tds.ts';
import { headed, noStatus, type Column, type Status } from './define.ts';

const noPan = 'No PAN';

const ownersOf = ({ ownerNames: [first = '', ...others] }: TdsLine): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;

const crossing = ({ crossedOn }: TdsLine): Status =>
  crossedOn === null ? noStatus : { label: `Since ${formatDate(crossedOn)}`, tone: 'warn' };

/** Why nothing is deducted: 'Declared 04/04/2026'. */
const reasonText = (days: readonly string[]): string | null =>
  days.length === 0 ? null : `Declared ${days.map(formatDate).join(', ')}`;

/** The TDS register: a row is one PAN at one percentage. */
export const tdsColumns: readonly Column<TdsLine>[] = [
  { key: 'panNo', label: 'PAN', kind: 'identifier', width: 124, pin: 'left', sortKey: 'panNo', empty: noPan },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 240, sortKey: 'ownerName', value: ownersOf },
  { key: 'tdsPercentage', label: 'TDS %', kind: 'percent', width: 84, sortKey: 'tdsPercentage' },
  {
    key: 'challanCount',
    label: 'Challans',
    kind: 'count',
    width: 104,
    least: 82,
    sortKey: 'challanCount',
    total: 'challanCount',
  },
  { key: 'gross', label: 'Gross', kind: 'money', width: 166, least: 152, sortKey: 'gross', total: 'gross' },
  { key: 'tdsAmount', label: 'TDS', kind: 'money', width: 150, least: 134, sortKey: 'tdsAmount', total: 'tdsAmount' },
  {
    key: 'reason',
    label: 'Reason',
    kind: 'text',
    width: 170,
    least: 160,
    value: ({ declaredOn }) => reasonText(declaredOn),
  },
  { key: 'yearGross', label: 'Gross in the Year', kind: 'money', width: 160 },
  { key: 'crossedOn', label: 'Above the Threshold', kind: 'status', width: 160, least: 130, value: crossing },
  { key: 'aboveCount', label: 'Challans Above', kind: 'count', width: 130, isOffered: true },
];

/** The challans behind the register, on screen. */
export const tdsDeductionColumns: readonly Column<TdsDeduction>[] = [
  { key: 'day', label: 'Counted On', kind: 'date', width: 140, least: 130, pin: 'left', sortKey: 'day' },
  { key: 'challanNumber', label: 'Challan No', kind: 'reference', width: 136, sortKey: 'challanNumber' },
  { key: 'ownerName', label: 'Owner', kind: 'text', width: 200, least: 122, sortKey: 'ownerName' },
  { key: 'panNo', label: 'PAN', kind: 'identifier', width: 120, least: 110, empty: noPan },
  { key: 'gross', label: 'Gross', kind: 'money', width: 130, sortKey: 'gross', total: 'gross' },
  { key: 'tdsPercentage', label: 'TDS %', kind: 'percent', width: 84 },
  { key: 'tdsAmount', label: 'TDS', kind: 'money', width: 120, sortKey: 'tdsAmount', total: 'tdsAmount' },
  {
    key: 'reason',
    label: 'Reason',
    kind: 'text',
    width: 166,
    least: 142,
    value: ({ declaredOn }) => reasonText(declaredOn === null ? [] : [declaredOn]),
  },
  { key: 'netAmountPayable', label: 'Net Amount', kind: 'money', width: 130, isOffered: true },
  {
    key: 'payment',
    label: 'Payment No',
    kind: 'identifier',
    width: 150,
    least: 138,
    empty: 'Unpaid',
    value: ({ payment }) => payment?.number ?? null,
  },
  { key: 'paidOn', label: 'Paid On', kind: 'date', width: 108, isOffered: true },
  { key: 'depositedOn', label: 'Deposited On', kind: 'date', width: 116, isOffered: true },
  { key: 'loadingOn', label: 'Loaded On', kind: 'date', width: 108, isOffered: true },
  { key: 'tpNo', label: 'TP No', kind: 'identifier', width: 130, isOffered: true },
  { key: 'vehicleNo', label: 'Vehicle No', kind: 'identifier', width: 124, isOffered: true },
  { key: 'panWhenPaid', label: 'PAN When Paid', kind: 'identifier', width: 130, isOffered: true },
];

/** A line of the file: a deduction, the section that the business has entered, and by which day deductions are counted. */
export interface TdsFileRow extends TdsDeduction {
  section: string;
  countedBy: string;
}

const fileColumn = (key: string): Column<TdsFileRow> => {
  const column = tdsDeductionColumns.find((other) => other.key === key);
  if (!column) throw new Error(`There is no column ${key}`);
  // Safe: a line of the file has all fields of a deduction.
  return column as Column<TdsFileRow>;
};

export const tdsFileColumns: readonly Column<TdsFileRow>[] = [
  ...['panNo', 'ownerName'].map(fileColumn),
  { key: 'section', label: 'Section', kind: 'text', width: 90 },
  fileColumn('day'),
  { key: 'countedBy', label: 'Counted By', kind: 'text', width: 130 },
  ...[
    'gross',
    'tdsPercentage',
    'tdsAmount',
    'reason',
    'netAmountPayable',
    'challanNumber',
    'tpNo',
    'vehicleNo',
    'loadingOn',
    'depositedOn',
    'payment',
    'paidOn',
    'panWhenPaid',
  ].map(fileColumn),
];

/** Declarations of no deduction (docs/specification.md §27.7). */
export const declarationColumns: readonly Column<Declaration>[] = [
  {
    key: 'ownerId',
    label: declarationFields.ownerId.label,
    kind: 'text',
    width: 220,
    least: 144,
    pin: 'left',
    sortKey: 'ownerName',
    value: ({ owner }) => owner.name,
  },
  {
    key: 'year',
    label: 'Year',
    kind: 'text',
    width: 90,
    least: 72,
    value: ({ validUntil }) => declaredYear(validUntil),
  },
  { key: 'receivedOn', ...headed(declarationFields.receivedOn), width: 116, least: 102, sortKey: 'receivedOn' },
  {
    key: 'state',
    label: 'State',
    kind: 'status',
    width: 204,
    least: 194,
    sortKey: 'validUntil',
    value: declarationStatus,
  },
  { key: 'panNo', ...headed(declarationFields.panNo), width: 118, least: 106 },
  { key: 'carriages', label: 'Declared', kind: 'count', width: 92 },
  { key: 'truckCount', label: 'In the List', kind: 'count', width: 96 },
  {
    key: 'warnings',
    label: 'Look At',
    kind: 'text',
    width: 280,
    value: (row) => declarationWarnings(row).join('; ') || null,
  },
  { key: 'note', ...headed(declarationFields.note), width: 200, isOffered: true },
  { key: 'createdAt', label: 'Entered', kind: 'datetime', width: 150, sortKey: 'createdAt', isOffered: true },
];
