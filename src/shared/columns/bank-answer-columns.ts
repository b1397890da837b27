import { isPaidAnyway } from '../contract/proposal-group.ts';
import type { BankAnswer, BankLineAtBank, Outcome, Proposal } from '../contract/bank-answers.ts';
import { lineStatuses } from './bank-columns.ts';
import { noStatus, type Column, type Status } from './define.ts';

const statusAtBank = ({ state }: BankLineAtBank): Status =>
  state === 'in-file' ? { label: 'No answer yet', tone: 'warn' } : lineStatuses[state];

/** 'At the Bank': a row is what one payment sent to one owner. */
export const bankLineColumns: readonly Column<BankLineAtBank>[] = [
  { key: 'reference', label: 'Reference', kind: 'identifier', width: 156, pin: 'left', sortKey: 'reference' },
  { key: 'name', label: 'Owner', kind: 'text', width: 190, least: 136, sortKey: 'name' },
  { key: 'amount', label: 'Amount', kind: 'money', width: 130, sortKey: 'amount', total: 'amount' },
  {
    key: 'state',
    label: 'State',
    kind: 'status',
    width: 132,
    least: 119,
    value: statusAtBank,
    sortKey: 'state',
  },
  { key: 'sentOn', label: 'Sent On', kind: 'date', width: 110, sortKey: 'sentOn' },
  { key: 'days', label: 'Days', kind: 'count', width: 76 },
  // Compared with the bank, so both are whole in a window of 1366 pixels: a UTR of RTGS has 22 characters.
  { key: 'utr', label: 'UTR', kind: 'identifier', width: 204, least: 201 },
  { key: 'accountNo', label: 'Account Number', kind: 'identifier', width: 170, least: 162 },
  { key: 'accountName', label: 'Paid From', kind: 'text', width: 140, least: 76 },
  { key: 'fileNumber', label: 'Bank File', kind: 'identifier', width: 136, least: 121 },
  { key: 'paymentNumber', label: 'Payment No', kind: 'identifier', width: 140, least: 126 },
  { key: 'eventOn', label: 'Answered On', kind: 'date', width: 116 },
  { key: 'reason', label: 'Reason', kind: 'text', width: 180 },
];

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  executed: 'Executed',
  failed: 'Failed',
  returned: 'Returned',
  known: 'Answered before',
};
const outcomeTones: Readonly<Record<Outcome, Status['tone']>> = {
  executed: 'good',
  failed: 'bad',
  returned: 'bad',
  known: 'neutral',
};

/** A proposal as a row of the grid. */
export interface ProposalRow extends Proposal {
  id: string;
  text: string;
  /** Whether the row was accepted since the screen was opened. */
  isAccepted: boolean;
}

const certaintyOf = (row: ProposalRow): Status => {
  const { isSure, candidates, answered, isAccepted, isOtherwise, outcome } = row;
  if (isAccepted) return { label: `Accepted: ${outcomeWords[outcome].toLowerCase()}`, tone: outcomeTones[outcome] };
  if (isPaidAnyway(row)) return { label: 'Paid anyway', tone: 'bad' };
  if (isOtherwise) return { label: 'Answered otherwise', tone: 'bad' };
  if (answered) return { label: 'Answered already', tone: 'neutral' };
  if (isSure) return { label: 'Sure', tone: 'good' };
  if (candidates.length === 0) return { label: 'Unmatched', tone: 'neutral' };
  return { label: candidates.length === 1 ? 'Possible' : `Choose of ${candidates.length}`, tone: 'warn' };
};
/** The line that the row is about, or the best candidate. */
export const lineOf = ({ candidates, answered }: Proposal): BankLineAtBank | undefined =>
  answered ?? candidates[0]?.line;

/** 'Bank Answer': what the bank says, and the payment that it may be about. */
export const proposalColumns: readonly Column<ProposalRow>[] = [
  { key: 'sure', label: 'Match', kind: 'status', width: 150, least: 144, value: certaintyOf },
  {
    key: 'outcome',
    label: 'Answer',
    kind: 'status',
    width: 120,
    least: 112,
    value: (row) => (lineOf(row) ? { label: outcomeWords[row.outcome], tone: outcomeTones[row.outcome] } : noStatus),
  },
  { key: 'day', label: 'Date', kind: 'date', width: 104 },
  { key: 'text', label: 'Bank Narration', kind: 'text', width: 320 },
  { key: 'amount', label: 'Amount', kind: 'money', width: 124 },
  { key: 'name', label: 'Owner', kind: 'text', width: 160, value: (row) => lineOf(row)?.name ?? null },
  { key: 'why', label: 'Why', kind: 'text', width: 260, value: ({ candidates, note }) => candidates[0]?.why ?? note },
  { key: 'utr', label: 'UTR', kind: 'identifier', width: 170 },
  {
    key: 'reference',
    label: 'Reference',
    kind: 'identifier',
    width: 160,
    value: (row) => lineOf(row)?.reference ?? null,
  },
  { key: 'sent', label: 'Sent Amount', kind: 'money', width: 124, value: (row) => lineOf(row)?.amount ?? null },
  { key: 'sentOn', label: 'Sent On', kind: 'date', width: 104, value: (row) => lineOf(row)?.sentOn ?? null },
];

const answerState = ({ undoneCount, lineCount }: BankAnswer): Status => {
  if (undoneCount === 0) return { label: 'Accepted', tone: 'good' };
  return undoneCount < lineCount ? { label: 'Partly undone', tone: 'warn' } : { label: 'Undone', tone: 'neutral' };
};

/** 'Accepted Answers': what was accepted together is one row. */
export const bankAnswerColumns: readonly Column<BankAnswer>[] = [
  { key: 'number', label: 'Number', kind: 'reference', width: 152, pin: 'left' },
  { key: 'createdAt', label: 'Accepted At', kind: 'datetime', width: 140 },
  { key: 'createdBy', label: 'Accepted By', kind: 'text', width: 160 },
  { key: 'source', label: 'From', kind: 'text', width: 120, least: 96 },
  { key: 'fileName', label: 'File', kind: 'text', width: 190, least: 98 },
  { key: 'lineCount', label: 'Lines', kind: 'count', width: 84 },
  { key: 'executedCount', label: 'Executed', kind: 'count', width: 100 },
  { key: 'failedCount', label: 'Failed', kind: 'count', width: 84 },
  { key: 'returnedCount', label: 'Returned', kind: 'count', width: 100 },
  { key: 'unpaidCount', label: 'Challans Unpaid', kind: 'count', width: 140 },
  { key: 'unpaidAmount', label: 'Amount Unpaid', kind: 'money', width: 140 },
  { key: 'status', label: 'Status', kind: 'status', width: 128, least: 84, value: answerState },
];
