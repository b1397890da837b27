import { headingKey, headingKeys } from '../calc/column-headings.ts';
import { readSide } from '../reading/amount.ts';
import { statementFields, type StatementField } from '../reading/statement-fields.ts';
import { recognise, type Mapping, type SheetField } from '../sheet/headings.ts';
import { squared } from '../sheet/table-cells.ts';

/** Which column of a statement is what, and which tables are statements at all (docs/specification.md §25.3). */

export type StatementMapping = Mapping<StatementField>;

const keys: Readonly<Record<StatementField, readonly string[]>> = {
  day: headingKeys('date', 'transactionDate'),
  valueDay: headingKeys('valueDate'),
  narration: headingKeys('narration', 'description', 'particulars', 'bankText', 'remarks'),
  reference: headingKeys('chequeOrReference', 'reference', 'cheque'),
  utr: headingKeys('utr'),
  withdrawal: headingKeys('withdrawal'),
  deposit: headingKeys('deposit'),
  amount: headingKeys('amount', 'withdrawalOrDeposit', 'totalAmount'),
  side: headingKeys('side', 'transactionType', 'type'),
  balance: headingKeys('balance'),
};
const fields: readonly SheetField<StatementField>[] = statementFields.map((name) => ({ name, keys: keys[name] }));

/** How many rows are searched for headings: banks put addresses and facts of the account above them. */
const headingRows = 45;

/** Recognises the columns by their headings. Without headings no column is known. */
export function statementMapping(rows: readonly (readonly string[])[]): StatementMapping {
  const { columns, ...found } = recognise(squared(rows.map((row) => [...row])), fields, headingRows);
  const known = found.hasHeadings ? columns : columns.map(() => null);
  // Where there is only a value date, it is the date.
  return { ...found, columns: known.map((name) => (name === 'valueDay' && !known.includes('day') ? 'day' : name)) };
}

/** The columns that a person chose, with the headings of the table. Columns that the table does not have are left out. */
export function chosenMapping(
  rows: readonly (readonly string[])[],
  { columns, firstRow }: Pick<StatementMapping, 'columns' | 'firstRow'>,
): StatementMapping {
  const table = squared(rows.map((row) => [...row]));
  const headings = (table[0] ?? []).map((_, column) => (firstRow === 0 ? '' : (table[firstRow - 1]?.[column] ?? '')));
  return {
    headings,
    columns: headings.map((_, column) => columns[column] ?? null),
    firstRow,
    hasHeadings: firstRow > 0,
  };
}

/** Which columns are missing, as a sentence; null: the statement can be read. */
export function missingColumns({ columns }: StatementMapping): string | null {
  const has = (name: StatementField): boolean => columns.includes(name);
  const missing = [
    has('day') ? '' : 'a date',
    has('narration') || has('reference') || has('utr') ? '' : 'a narration',
    has('amount') || (has('withdrawal') && has('deposit')) ? '' : 'the amounts (Withdrawal and Deposit, or Amount)',
  ].filter((text) => text !== '');
  return missing.length === 0 ? null : `No column was found for ${missing.join(', ')}.`;
}

const ofStatements = new Set(headingKeys('withdrawal', 'deposit', 'withdrawalOrDeposit', 'side', 'balance'));
const moneyWord = /^(debits?|dr|credits?|cr|withdraw(a?ls?)?|deposits?|balances?|bal)$/;
/** What may stand besides in such a heading: 'Closing Balance (in Rs.)', 'Debit/Credit Flag'. 'Credit Account No' is none. */
const otherWord =
  /^(amounts?|amts?|rs|inr|in|of|the|and|or|closing|opening|running|available|avl|book|ledger|total|transaction|txn|tran|type|indicator|ind|flag|mark|sign)$/;

/** Whether only a statement has such a column: withdrawals, deposits, balances, Dr/Cr. */
function isOfStatements(heading: string): boolean {
  const words = heading.toLowerCase().match(/\p{L}+/gu) ?? [];
  const saysMoney = words.some((word) => moneyWord.test(word));
  return (
    ofStatements.has(headingKey(heading)) ||
    (saysMoney && words.every((word) => moneyWord.test(word) || otherWord.test(word)))
  );
}

/**
 * Whether a table is the statement of an account and never a list of answers, in which every row would be a payment: it has a
 * column of withdrawals, deposits, balances or Dr/Cr, by its heading or by its values. `mappings`: as what it may be read.
 */
export function isStatement(
  rows: readonly (readonly string[])[],
  mappings: readonly Pick<Mapping<string>, 'headings' | 'firstRow' | 'hasHeadings'>[],
): boolean {
  const found = mappings.filter(({ hasHeadings }) => hasHeadings);
  // Where no row of headings is recognised, each row without a figure may be one.
  const headings =
    found.length > 0
      ? found.map((one) => one.headings)
      : rows.slice(0, headingRows).filter((row) => filled(row) > 1 && !row.some((cell) => /\d/.test(cell)));
  if (headings.some((row) => row.some(isOfStatements))) return true;
  const below = rows.slice(Math.min(...mappings.map((one) => one.firstRow)));
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, column) => below.map((row) => (row[column] ?? '').trim())).some((cells) => {
    const texts = cells.filter((text) => text !== '');
    // A single letter may be a status.
    return texts.length > 0 && texts.every((text) => text.length > 1 && readSide(text) !== null);
  });
}

const filled = (row: readonly string[]): number => row.filter((cell) => cell.trim() !== '').length;
