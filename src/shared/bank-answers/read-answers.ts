import { headingKey, headingKeys } from '../calc/column-headings.ts';
import { isZero } from '../calc/money.ts';
import { readSided } from '../reading/amount.ts';
import { monthFirstDoubt, monthFirstExample } from '../reading/day-order.ts';
import { readValue, type ValueKind } from '../reading/values.ts';
import { recognise, type Mapping, type SheetField } from '../sheet/headings.ts';
import { isBlankRow, squared } from '../sheet/table-cells.ts';
import { isOnlyTotal } from '../sheet/total-rows.ts';
import { bareText, longRow, repeatsHeadings, rowText, tooLong } from './cells.ts';
import type { AnswerRow, AnswerState } from './answers.ts';
import type { OtherRow } from './account-statement.ts';

/** Reads the bank's answers line by line: a reverse file, or two pasted columns (docs/specification.md §25.2). */

export const answerFields = [
  'reference',
  'name',
  'accountNo',
  'ifsc',
  'amount',
  'day',
  'utr',
  'status',
  'reason',
] as const;
export type AnswerField = (typeof answerFields)[number];

export const answerFieldLabels: Readonly<Record<AnswerField, string>> = {
  reference: 'Our reference',
  name: 'Name',
  accountNo: 'Account No',
  ifsc: 'IFSC',
  amount: 'Amount',
  day: 'Date',
  utr: 'UTR or bank reference',
  status: 'Status',
  reason: 'Reason',
};

const reasonKeys = headingKeys('reason', 'remarks');
const fields: readonly SheetField<AnswerField>[] = [
  { name: 'reference', keys: headingKeys('ownReference', 'reference') },
  { name: 'name', keys: headingKeys('beneficiary', 'name', 'ownerName') },
  { name: 'accountNo', keys: headingKeys('accountNo') },
  { name: 'ifsc', keys: headingKeys('ifsc') },
  { name: 'amount', keys: headingKeys('amount', 'totalAmount') },
  { name: 'day', keys: headingKeys('valueDate', 'date', 'transactionDate', 'paidOn') },
  { name: 'utr', keys: headingKeys('utr') },
  { name: 'status', keys: headingKeys('status', 'paymentStatus') },
  { name: 'reason', keys: reasonKeys },
];

/** A reference of ours as a bank repeats it (bank/lines.ts). */
const ownReference = /^(PAY[\d -]+|\d{10,}-\d{2,})$/i;

/** The ten fields of a reverse file without headings. The fifth one, the account type, is not used. */
const reverseFields: readonly (AnswerField | null)[] = [
  'reference',
  'name',
  'accountNo',
  'ifsc',
  null,
  'amount',
  'day',
  'utr',
  'status',
  'reason',
];

export type AnswerMapping = Mapping<AnswerField>;

/**
 * Recognises the columns by their headings. Without headings two columns are a reference (or account) and a UTR, and nine or
 * ten columns are a reverse file.
 */
export function answerMapping(table: readonly (readonly string[])[]): AnswerMapping {
  const squaredTable = squared(table.map((row) => [...row]));
  const recognised = recognise(squaredTable, fields);
  if (recognised.hasHeadings && recognised.columns.some((name) => name === 'utr' || name === 'status'))
    return { ...recognised, columns: reasonColumns(recognised, squaredTable.slice(recognised.firstRow)) };
  const width = squaredTable[0]?.length ?? 0;
  const columns: (AnswerField | null)[] =
    width === 2
      ? ['reference', 'utr']
      : Array.from({ length: width }, (_, column) =>
          width === 9 || width === 10 ? (reverseFields[column] ?? null) : null,
        );
  return { headings: columns.map(() => ''), columns, firstRow: 0, hasHeadings: false };
}

/**
 * The columns with all that may have the reason: a bank writes it under 'Error', 'Remarks' or 'Status Description', and leaves
 * the others empty. Where no other column is the reference, 'Remarks' may repeat ours.
 */
function reasonColumns(
  { columns, headings }: AnswerMapping,
  rows: readonly (readonly string[])[],
): (AnswerField | null)[] {
  const all = columns.map(
    (name, at) => name ?? (reasonKeys.includes(headingKey(headings[at] ?? '')) ? 'reason' : null),
  );
  if (all.includes('reference')) return all;
  const isReference = (at: number): boolean => {
    const texts = rows.map((cells) => (cells[at] ?? '').trim()).filter((text) => text !== '');
    return texts.length > 0 && texts.every((text) => ownReference.test(text));
  };
  const reference = all.findIndex((name, at) => name === 'reason' && isReference(at));
  return all.map((name, at) => (at === reference ? 'reference' : name));
}

/** Other single letters mean another thing at each bank: P is paid, processed or pending. */
const executedWords = /^(e|ok|executed|success(ful)?|successfully|processed|paid|completed?|credited|settled|done)$/;
const failedWords = /^(r|rejected|reject|failed|failure|fail|error|cancelled|canceled|declined|invalid)$/;
const returnedWords = /^(ret|rtn|returned|return|reversed|refunded)$/;

/** The state that a bank's status means; null: it is not known, and the user has to say it once. */
export function stateOf(status: string): AnswerState | null {
  const word = status
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (executedWords.test(word)) return 'executed';
  if (failedWords.test(word)) return 'failed';
  return returnedWords.test(word) ? 'returned' : null;
}

/** 'Rejected; ACCOUNT CLOSED': the texts of all columns of the reason, each once. */
function reasonOf(cells: readonly string[], { columns }: AnswerMapping): string {
  const texts = cells.filter((_, at) => columns[at] === 'reason').map((text) => text.trim());
  return [...new Set(texts.filter((text) => text !== ''))].join('; ').slice(0, 200);
}

export interface WhatUserSaid {
  statuses?: Readonly<Record<string, AnswerState | null>>;
  allAre?: AnswerState | null;
}

export interface ReadAnswers {
  rows: AnswerRow[];
  bad: OtherRow[];
  /** The statuses whose meaning is not known. */
  unknown: string[];
}

/**
 * `statuses` has what the user said about statuses, by the status in small letters; null leaves its rows out. `allAre` is what
 * the user said of all rows of a file without a column of statuses; until then no row is an answer.
 */
export function readAnswers(
  table: readonly (readonly string[])[],
  mapping: AnswerMapping,
  { statuses = {}, allAre = null }: WhatUserSaid,
  today: string,
): ReadAnswers {
  const cellsOf = squared(table.map((row) => [...row]));
  const rows: AnswerRow[] = [];
  const bad: OtherRow[] = [];
  const unknown = new Set<string>();
  const hasStatus = mapping.columns.includes('status');
  if (!hasStatus && allAre === null) return { rows, bad, unknown: [] };
  const isLong = longRow(table, mapping);
  const dayColumn = mapping.columns.indexOf('day');
  const oddDate = monthFirstExample(cellsOf.slice(mapping.firstRow).map((cells) => cells[dayColumn] ?? ''));
  for (let at = mapping.firstRow; at < cellsOf.length; at += 1) {
    const cells = cellsOf[at] ?? [];
    const isTotal = isOnlyTotal(cells.find((cell) => cell !== '') ?? '');
    if (isBlankRow(cells) || isTotal || repeatsHeadings(mapping, cells)) continue;
    const row = at + 1;
    const value = (field: AnswerField): string => (cells[mapping.columns.indexOf(field)] ?? '').trim();
    const refuse = (reason: string): void => {
      bad.push({ row, reason, text: rowText(cells) });
    };
    const status = value('status').toLowerCase();
    const own = statuses[status];
    if (hasStatus && own === undefined && stateOf(status) === null) {
      unknown.add(status);
      refuse(status === '' ? 'It has no status.' : `Status “${value('status')}” is not known.`);
      continue;
    }
    // The user said that rows with this status are no answer yet.
    if (hasStatus && own === null) continue;
    const of = (kind: ValueKind, field: AnswerField) =>
      readValue(kind, value(field), { today, label: answerFieldLabels[field] });
    const [reference, account, utr, day] = [
      of('reference', 'reference'),
      of('account', 'accountNo'),
      of('reference', 'utr'),
      of('day', 'day'),
    ];
    const amount = readAmount(value('amount'));
    const state = hasStatus ? (own ?? stateOf(status)) : allAre;
    // Rows with an unknown status are left out above.
    if (state === null) continue;
    if (isLong(at)) refuse(tooLong);
    else if (oddDate !== undefined) refuse(`${monthFirstDoubt(oddDate)} Save the file with the day first.`);
    else if ('problem' in reference) refuse(`${reference.problem}.`);
    // Many banks mask the account. The reference says enough then.
    else if (reference.value === '' && 'problem' in account) refuse(`${account.problem}.`);
    else if (reference.value === '' && 'value' in account && account.value === '')
      refuse('It has neither a reference nor an account.');
    else if (amount === null) refuse(`“${value('amount')}” is not an amount.`);
    else if ('problem' in day) refuse(`“${value('day')}” is not a date.`);
    else if (state === 'executed' && 'problem' in utr) refuse(`${utr.problem}.`);
    else if (state === 'executed' && 'value' in utr && utr.value === '') refuse('It has no UTR.');
    else {
      const reason = reasonOf(cells, mapping);
      const doubt =
        day.value > today
          ? 'its day is still to come'
          : state === 'executed' && amount.isCredit && `its amount says ${value('amount')}`;
      rows.push({
        row,
        reference: reference.value,
        accountNo: bareText('value' in account ? account.value : value('accountNo')),
        amount: amount.value,
        utr: 'value' in utr ? bareText(utr.value) : '',
        day: day.value,
        state,
        reason,
        ...(doubt && { doubt }),
      });
    }
  }
  return { rows, bad, unknown: [...unknown].filter((status) => status !== '') };
}

/**
 * The amount of a transfer; '' for an empty cell; null: the text is none. Dr or Cr may say whose account is meant. But a credit
 * may also be money that came back, so a person looks at it.
 */
function readAmount(text: string): { value: string; isCredit: boolean } | null {
  const read = readSided(text);
  if ('error' in read || read.isRounded) return null;
  if (read.side !== null && !/[dc]r|debit|credit/i.test(text)) return null;
  if (read.amount !== '' && isZero(read.amount)) return null;
  return { value: read.amount, isCredit: read.side === 'in' };
}
