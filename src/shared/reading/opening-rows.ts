import { compareDays } from '../calc/dates.ts';
import { isZero, subtract } from '../calc/money.ts';
import { monthFirstDoubt, monthFirstExample } from './day-order.ts';
import { readValue } from './values.ts';

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

/** Reads pasted rows. Rows without text are left out, and so is a first row of headings: its day and balance have no digit. */
export function readOpeningRows(table: readonly (readonly string[])[], today: string): OpeningRow[] {
  const oddDate = monthFirstExample(table.map(([, day = '']) => day));
  return table.flatMap((cells, index) => {
    const [owner = '', day = '', balance = '', note = ''] = cells.map((cell) => cell.trim());
    const isHeading = index === 0 && !/\d/.test(day + balance);
    return isHeading || cells.every((cell) => cell.trim() === '')
      ? []
      : [readRow(index + 1, { owner, day, balance, note }, today, oddDate)];
  });
}

function readRow(
  row: number,
  { owner, ...texts }: { owner: string; day: string; balance: string; note: string },
  today: string,
  oddDate: string | undefined,
): OpeningRow {
  const { asOf, amount, note, errors } = readOpening(texts, today);
  const order = oddDate === undefined ? undefined : `${monthFirstDoubt(oddDate)} Write the day first`;
  const problem = order ?? (owner === '' ? 'The owner is missing' : errors[0]?.message);
  return { row, owner, asOf, amount, note, problem };
}

/**
 * The balance of a row that may have it in two columns, as the group summary of an accounting program has: a debit is what the
 * owner owes, a credit is what the owner is owed. An amount in a column of its own wins.
 */
export function balanceOf({ amount = '', debit = '', credit = '' }: Readonly<Record<string, string>>): {
  balance: string;
  problem: string | undefined;
} {
  const [owes, isOwed] = [debit, credit].map((text) => text !== '' && !isZero(text));
  if (amount === '' && owes && isOwed) return { balance: '', problem: 'The row has a debit and a credit' };
  if (amount !== '' || (debit === '' && credit === '')) return { balance: amount, problem: undefined };
  return { balance: owes ? subtract('0.00', debit) : credit || debit, problem: undefined };
}

/** Reads the cells that follow the owner in a row. What cannot be read is '' and has an error. */
export function readOpening(
  { day, balance, note }: { day: string; balance: string; note: string },
  today: string,
): Pick<OpeningRow, 'asOf' | 'amount' | 'note'> & { errors: { field: OpeningField; message: string }[] } {
  const date = readValue('day', day, { today, label: 'Day' });
  // A minus or Dr means that the owner owes the business; Cr or no sign means that the owner is owed.
  const amount = readValue('balance', balance, { today, label: 'Balance' });
  const asOf = 'value' in date ? date.value : '';
  const errors: { field: OpeningField; message: string | undefined }[] = [
    { field: 'asOf', message: 'problem' in date ? date.problem : asOf === '' ? 'The day is missing' : undefined },
    { field: 'asOf', message: asOf !== '' && compareDays(asOf, today) > 0 ? 'The day is still to come' : undefined },
    {
      field: 'amount',
      message: 'problem' in amount ? amount.problem : amount.value === '' ? 'The balance is missing' : undefined,
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
