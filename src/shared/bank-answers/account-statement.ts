import { isZero } from '../calc/money.ts';
import { readSide, readSided, type Side } from '../reading/amount.ts';
import { monthFirstDoubt, monthFirstExample } from '../reading/day-order.ts';
import { readDay } from '../reading/day.ts';
import type { StatementField } from '../reading/statement-fields.ts';
import { isBlankRow, squared } from '../sheet/table-cells.ts';
import { isOnlyTotal, saysTotal } from '../sheet/total-rows.ts';
import { longRow, plain, repeatsHeadings, rowText, tooLong } from './cells.ts';
import { missingColumns, statementMapping, type StatementMapping } from './statement-columns.ts';

/**
 * Reads the statement of a bank account as banks give it, with titles, headings, lines, balances and totals
 * (docs/specification.md §25.3).
 */

export interface StatementLine {
  /** The number of its row, from 1, counting only rows of the file that have a value. */
  row: number;
  day: string;
  /** '' where the statement has none. */
  valueDay: string;
  narration: string;
  reference: string;
  side: Side;
  amount: string;
  /** Below 0 when the account is overdrawn; '' where the statement has none. */
  balance: string;
  /** The same line has the same key in every statement that has it. */
  key: string;
}

/** A row that was not read as a line: its text and the reason. */
export interface OtherRow {
  row: number;
  text: string;
  reason: string;
}

export type AccountStatement =
  | { problem: string; headings: string[] }
  | {
      problem: null;
      lines: StatementLine[];
      /** Rows that may be lines but cannot be read: the screen names them. */
      bad: OtherRow[];
      /** Rows that are certainly no lines. */
      skipped: OtherRow[];
    };

/** Reads the rows by these columns: those that a person has chosen, or those that are recognised by their headings. */
export function readAccountStatement(
  rows: readonly (readonly string[])[],
  today: string,
  mapping: StatementMapping = statementMapping(rows),
): AccountStatement {
  const table = squared(rows.map((row) => [...row]));
  const missing = missingColumns(mapping);
  if (missing !== null) {
    const widest = [...table].sort((a, b) => filled(b).length - filled(a).length)[0] ?? [];
    return { problem: missing, headings: filled(mapping.hasHeadings ? mapping.headings : widest) };
  }
  const all = table.map((cells) => valuesOf(mapping, cells));
  const oddDate = monthFirstExample(all.slice(mapping.firstRow).map(({ day }) => day));
  if (oddDate !== undefined) {
    const order = `${monthFirstDoubt(oddDate)} Save the statement with the day first.`;
    return { problem: order, headings: filled(mapping.headings) };
  }
  const lines: (StatementLine & { keyText: string })[] = [];
  const bad: OtherRow[] = [];
  const skipped: OtherRow[] = [];
  const isLong = longRow(rows, mapping);
  const signs = signsOf(all.slice(mapping.firstRow));
  /** Rows after what looks like the end of the statement. If lines follow, it was not the end, and these rows are bad. */
  let below: OtherRow[] | null = null;
  let lastRow = 0;
  for (let at = mapping.firstRow; at < table.length; at += 1) {
    const cells = table[at] ?? [];
    if (isBlankRow(cells)) continue;
    const row = at + 1;
    const other = (reason: string): OtherRow => ({ row, reason, text: rowText(cells) });
    const values = all[at] ?? valuesOf(mapping, []);
    const money = moneyOf(values, signs);
    const day = readDay(values.day, today);
    const isWithoutMoney = 'error' in money ? false : money.amount === '';
    const first = cells.find((cell) => cell !== '') ?? '';
    const texts = [first, values.narration];
    const label = texts.find((text) => summary.test(text) || isStarred(text) || saysTotal(text));
    // Some banks write a date into a row of totals too. A transaction may begin with such words (Total Energies), but it says
    // more or has a reference.
    const hasReference = values.reference !== '' || values.utr !== '';
    const isOnlySum = !hasReference && texts.some((text) => onlyBalance.test(text) || isOnlyTotal(text));
    if (repeatsHeadings(mapping, cells)) skipped.push(other('Headings again'));
    else if (day !== null && isLong(at)) bad.push(other(tooLong));
    else if (!isOnlySum && day !== null && !('error' in money) && money.amount !== '' && money.side !== null) {
      bad.push(...(below ?? []));
      below = null;
      lastRow = row;
      lines.push({ row, ...lineOf(values, day, money.side, money.amount, today), key: '' });
    } else if (label !== undefined && (isOnlySum || isWithoutMoney || day === null)) {
      if (/summary|end of|\*{2}/i.test(label) && lines.length > 0) below ??= [];
      skipped.push(other(/balance|forward|b\/f|c\/f/i.test(label) ? 'A balance' : 'A total or a summary'));
    } else if (below !== null && day === null) below.push(other('It has no date.'));
    else if (day === null && isWithoutMoney && values.day === '' && values.narration !== '' && lastRow === row - 1) {
      // A long narration continues in the next row. The key stays that of the first row, because what follows the last line
      // may be a footer instead.
      const last = lines[lines.length - 1];
      if (last) last.narration = `${last.narration} ${values.narration}`.trim();
      lastRow = row;
      skipped.push(other('The narration of the line above goes on'));
    } else if (day === null && isWithoutMoney && values.balance === '') skipped.push(other('Text'));
    else if (day === null && values.day === '' && values.narration === '' && !hasReference) {
      skipped.push(other('A total or a summary'));
    } else if (day === null) bad.push(other(values.day === '' ? 'It has no date.' : `“${values.day}” is not a date.`));
    else if ('error' in money) bad.push(other(money.error));
    else if (money.amount === '') bad.push(other('It has no amount.'));
    else bad.push(other('It does not say whether the amount went out or came in.'));
  }
  skipped.push(...(below ?? []).map((one) => ({ ...one, reason: 'Below the end of the statement' })));
  return { problem: null, lines: withKeys(lines), bad, skipped };
}

const filled = (cells: readonly string[]): string[] => cells.filter((cell) => cell !== '');

const balance = '(opening|closing)\\s+bal(ance)?|balance\\s+(b|c)/?f|(brought|carried)\\s+forward|b/f\\b|c/f\\b';
const summary = new RegExp(`^\\W*(${balance}|statement\\s+summary|end\\s+of\\s+(the\\s+)?(statement|report))`, 'i');
/** '** End **', which banks write around what is no transaction. */
function isStarred(text: string): boolean {
  const at = (/^\W*/.exec(text)?.[0] ?? '').indexOf('**');
  return at >= 0 && text.length >= at + 4 && text.endsWith('**');
}
const onlyBalance = new RegExp(`^\\W*(${balance})\\W*$`, 'i');

type Values = Record<StatementField, string>;

function valuesOf({ columns }: StatementMapping, cells: readonly string[]): Values {
  const values: Values = {
    day: '',
    valueDay: '',
    narration: '',
    reference: '',
    utr: '',
    withdrawal: '',
    deposit: '',
    amount: '',
    side: '',
    balance: '',
  };
  for (const [column, name] of columns.entries())
    if (name !== null) values[name] = (cells[column] ?? '').replace(/\s+/g, ' ');
  return values;
}

/** An amount of a statement: '' for an empty cell, a dash or zero. null: the text is none; banks have no amounts of three decimals. */
function readMoney(text: string): { amount: string; side: Side | null } | null {
  const read = readSided(text);
  if ('error' in read || read.isRounded) return null;
  return read.amount === '' || isZero(read.amount) ? { amount: '', side: null } : read;
}

/** How the amounts of a statement are signed as a whole. A row is read by it, because its own sign may mean two things. */
interface Signs {
  /** Withdrawals in the column of amounts have a minus, so that those without a sign are deposits. */
  amountHasMinus: boolean;
  /** All withdrawals in their own column have a minus. */
  withdrawalHasMinus: boolean;
}

const hasMinus = (text: string): boolean => readMoney(text)?.side === 'out' && !/[dc]r|debit/i.test(text);

function signsOf(rows: readonly Values[]): Signs {
  const withdrawals = rows.map(({ withdrawal }) => withdrawal).filter((text) => (readMoney(text)?.amount ?? '') !== '');
  return {
    amountHasMinus: rows.some(({ amount }) => hasMinus(amount)),
    withdrawalHasMinus: withdrawals.every(hasMinus),
  };
}

function moneyOf(values: Values, signs: Signs): { amount: string; side: Side | null } | { error: string } {
  const unreadable = (text: string): { error: string } => ({ error: `“${text}” is not an amount.` });
  const [out, into, one] = [values.withdrawal, values.deposit, values.amount].map(readMoney);
  if (!out) return unreadable(values.withdrawal);
  if (!into) return unreadable(values.deposit);
  if (!one) return unreadable(values.amount);
  if (out.amount !== '' && into.amount !== '') return { error: 'It has a withdrawal and a deposit.' };
  // What is taken back may be in the column of what it was, with the other sign.
  const against = (text: string, column: string): { error: string } => ({
    error: `“${text}” is in the column of ${column}, but its sign says otherwise.`,
  });
  if (out.side === 'in' || (hasMinus(values.withdrawal) && !signs.withdrawalHasMinus))
    return against(values.withdrawal, 'withdrawals');
  if (into.side === 'out') return against(values.deposit, 'deposits');
  if (out.amount !== '') return { amount: out.amount, side: 'out' };
  if (into.amount !== '') return { amount: into.amount, side: 'in' };
  const side = readSide(values.side);
  if (side !== null && one.side !== null && side !== one.side)
    return { error: `“${values.amount}” and “${values.side}” say the opposite.` };
  return { amount: one.amount, side: side ?? one.side ?? (signs.amountHasMinus ? 'in' : null) };
}

function lineOf(
  values: Values,
  day: string,
  side: Side,
  amount: string,
  today: string,
): Omit<StatementLine, 'row' | 'key'> & { keyText: string } {
  const balance = readMoney(values.balance);
  const signed = !balance || balance.amount === '' ? '' : `${balance.side === 'out' ? '-' : ''}${balance.amount}`;
  const { narration } = values;
  const [reference = '', utr = ''] = [values.reference, values.utr].filter((text) => text !== '');
  // Without the balance: an entry that the bank adds above moves it. A reference of zeros is none.
  const keyText = [day, side, amount, plain(reference).replace(/^(0+|-+)$/, ''), plain(narration)].join('|');
  return {
    day,
    valueDay: readDay(values.valueDay, today) ?? '',
    narration,
    reference: utr === '' ? reference : `${reference} ${utr}`,
    side,
    amount,
    balance: signed,
    keyText,
  };
}

/** Numbers equal lines, so that each has a key of its own and two equal payments of one day count as two. */
function withKeys(lines: readonly (StatementLine & { keyText: string })[]): StatementLine[] {
  const seen = new Map<string, number>();
  return lines.map(({ keyText, ...line }) => {
    const n = (seen.get(keyText) ?? 0) + 1;
    seen.set(keyText, n);
    return { ...line, key: `${keyText}|${n}` };
  });
}
