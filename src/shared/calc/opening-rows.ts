import { compareDays } from './dates.ts';
import { isZero, normalizeSigned, subtract } from './money.ts';
import { parseTypedDate } from './typed-date.ts';

/** A row of opening balances as it was pasted: owner, day, balance, note (docs/specification.md §26.2). */
export interface OpeningRow {
  /** The row's number in the table, from 1. */
  row: number;
  owner: string;
  /** YYYY-MM-DD; '' where it cannot be read. */
  asOf: string;
  /** Above 0 the business owes it to the owner; '' where it cannot be read. */
  amount: string;
  note: string;
  /** What is wrong with the row; undefined: nothing. */
  problem: string | undefined;
}

export type OpeningField = 'asOf' | 'amount' | 'note';

/** Reads pasted rows. Rows without text are left out, and so is a first row of headings: its balance has no digit. */
export function readOpeningRows(table: readonly (readonly string[])[], today: string): OpeningRow[] {
  return table.flatMap((cells, index) => {
    const [owner = '', day = '', balance = '', note = ''] = cells.map((cell) => cell.trim());
    const isHeading = index === 0 && !/\d/.test(balance);
    return isHeading || cells.every((cell) => cell.trim() === '')
      ? []
      : [readRow(index + 1, { owner, day, balance, note }, today)];
  });
}

function readRow(
  row: number,
  { owner, ...texts }: { owner: string; day: string; balance: string; note: string },
  today: string,
): OpeningRow {
  const { asOf, amount, note, errors } = readOpening(texts, today);
  const problem = owner === '' ? 'The owner is missing' : errors[0]?.message;
  return { row, owner, asOf, amount, note, problem };
}

/** Reads the cells that follow the owner in a row. What cannot be read is '' and has an error. */
export function readOpening(
  { day, balance, note }: { day: string; balance: string; note: string },
  today: string,
): Pick<OpeningRow, 'asOf' | 'amount' | 'note'> & { errors: { field: OpeningField; message: string }[] } {
  const date = parseTypedDate(day, today);
  const amount = readBalance(balance);
  const asOf = 'day' in date ? date.day : '';
  const errors: { field: OpeningField; message: string | undefined }[] = [
    { field: 'asOf', message: 'error' in date ? date.error : asOf === '' ? 'The day is missing' : undefined },
    { field: 'asOf', message: asOf !== '' && compareDays(asOf, today) > 0 ? 'The day is still to come' : undefined },
    {
      field: 'amount',
      message: 'error' in amount ? amount.error : amount.value === '' ? 'The balance is missing' : undefined,
    },
    { field: 'note', message: note.length > 200 ? 'The note has more than 200 characters' : undefined },
  ];
  return {
    asOf,
    amount: 'value' in amount ? amount.value : '',
    note,
    errors: errors.flatMap(({ field, message }) => (message === undefined ? [] : [{ field, message }])),
  };
}

/** Reads a balance. A minus or Dr means that the owner owes the business; Cr or no sign means that the owner is owed. */
function readBalance(text: string): { value: string } | { error: string } {
  const [, figure = '', side = ''] = /^(.*?)\s*(dr|cr)?\.?$/i.exec(text) ?? [];
  const read = normalizeSigned(figure);
  if ('error' in read || read.value === '' || side.toLowerCase() !== 'dr' || isZero(read.value)) return read;
  return { value: subtract('0.00', read.value) };
}
