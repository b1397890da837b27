import { isPositive } from '../calc/money.ts';
import { bankAccountFields, type BankAccount } from '../contract/bank-accounts.ts';
import type { BankFile, SentLine } from '../contract/bank-files.ts';
import type { Route } from '../bank/layout.ts';
import type { LineState } from '../bank/lines.ts';
import { headed, type Column, type Status } from './define.ts';

/** The accounts that owners are paid from (docs/specification.md §24.1). */
export const bankAccountColumns: readonly Column<BankAccount>[] = [
  { key: 'name', ...headed(bankAccountFields.name), width: 220, least: 144 },
  { key: 'accountNo', ...headed(bankAccountFields.accountNo), width: 170, least: 162 },
  { key: 'ifsc', ...headed(bankAccountFields.ifsc), width: 126, least: 120 },
  { key: 'clientCode', ...headed(bankAccountFields.clientCode), width: 120, empty: 'Not provided' },
  {
    key: 'fileLimit',
    ...headed(bankAccountFields.fileLimit),
    width: 150,
    value: ({ fileLimit }) => (isPositive(fileLimit) ? fileLimit : null),
    empty: 'No limit',
  },
  { key: 'rtgsFloor', ...headed(bankAccountFields.rtgsFloor), width: 150 },
  { key: 'impsCeiling', ...headed(bankAccountFields.impsCeiling), width: 150 },
];

export const routeLabels: Readonly<Record<Route, string>> = {
  NEFT: 'NEFT',
  RTGS: 'RTGS',
  IMPS: 'IMPS',
  internal: 'Internal',
};

export const lineStatuses: Readonly<Record<LineState, Status>> = {
  'in-file': { label: 'In file', tone: 'warn' },
  executed: { label: 'Executed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  returned: { label: 'Returned', tone: 'bad' },
};

/** The state of a line at the bank; null: it was not sent. */
export const bankState = (state: LineState | null): Status =>
  state === null ? { label: 'Not sent', tone: 'neutral' } : lineStatuses[state];

/** How much of a file the bank has answered. */
function fileState({ inFileCount, executedCount, lineCount }: BankFile): Status {
  if (inFileCount > 0) return { label: inFileCount === lineCount ? 'Not answered' : 'Partly answered', tone: 'warn' };
  if (executedCount === lineCount) return { label: 'Executed', tone: 'good' };
  return executedCount === 0 ? { label: 'Failed', tone: 'neutral' } : { label: 'Answered', tone: 'good' };
}

/** The bank files, newest first (docs/specification.md §24.4). */
export const bankFileColumns: readonly Column<BankFile>[] = [
  { key: 'number', label: 'Bank File', kind: 'reference', width: 136, pin: 'left' },
  { key: 'createdAt', label: 'Made At', kind: 'datetime', width: 140 },
  { key: 'fileName', label: 'File Name', kind: 'identifier', width: 170 },
  { key: 'accountName', label: 'Paid From', kind: 'text', width: 160 },
  { key: 'payments', label: 'Payments', kind: 'text', width: 170, value: ({ payments }) => payments.join(', ') },
  { key: 'lineCount', label: 'Lines', kind: 'count', width: 84 },
  { key: 'amount', label: 'Amount', kind: 'money', width: 140 },
  { key: 'leftOutCount', label: 'Left Out', kind: 'count', width: 96 },
  { key: 'state', label: 'At the Bank', kind: 'status', width: 136, least: 130, value: fileState },
  { key: 'layoutName', label: 'Layout', kind: 'text', width: 180 },
  { key: 'createdBy', label: 'Made By', kind: 'text', width: 130 },
  { key: 'sha256', label: 'SHA-256', kind: 'identifier', width: 110, cutAt: 10 },
];

/** The lines of one file. */
export const bankFileLineColumns: readonly Column<SentLine>[] = [
  { key: 'lineNo', label: 'No', kind: 'count', width: 64 },
  { key: 'name', label: 'Owner', kind: 'text', width: 190 },
  { key: 'accountNo', label: 'Account Number', kind: 'identifier', width: 170, least: 162 },
  { key: 'ifsc', label: 'IFSC', kind: 'identifier', width: 124, least: 110 },
  {
    key: 'insteadOf',
    label: 'In Place Of',
    kind: 'identifier',
    width: 150,
    least: 126,
    // Only what differs: the usual corrected account is in the same branch.
    value: ({ insteadOf, accountNo, ifsc }) =>
      insteadOf === null
        ? null
        : [insteadOf.accountNo !== accountNo && insteadOf.accountNo, insteadOf.ifsc !== ifsc && insteadOf.ifsc]
            .filter(Boolean)
            .join(' ') || 'none',
    empty: '',
  },
  { key: 'amount', label: 'Amount', kind: 'money', width: 130 },
  { key: 'route', label: 'Route', kind: 'text', width: 84, least: 70, value: ({ route }) => routeLabels[route] },
  { key: 'reference', label: 'Reference', kind: 'identifier', width: 156, least: 128 },
  { key: 'state', label: 'State', kind: 'status', width: 104, least: 88, value: ({ state }) => bankState(state) },
  { key: 'utr', label: 'UTR', kind: 'identifier', width: 204, least: 201 },
  { key: 'eventOn', label: 'On', kind: 'date', width: 100 },
  { key: 'reason', label: 'Reason', kind: 'text', width: 180 },
];
