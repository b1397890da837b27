import { addDays } from '../../src/shared/calc/dates.ts';
import { formatAmount } from '../../src/shared/calc/money.ts';
import type { Random } from '../server/support/random.ts';
import { booked, type Booked } from './statement-shapes.ts';

/** Files of banks made by code, whose truth is known: statements in the forms of 30 banks, and reverse files. */

/** The headings that banks of India write, each with what its column holds. */
export const headingRows: readonly string[] = [
  'Date|day, Narration|text, Chq./Ref.No.|ref, Value Dt|value, Withdrawal Amt.|out, Deposit Amt.|in, Closing Balance|bal',
  'Txn Date|day, Value Date|value, Description|text, Ref No./Cheque No.|ref, Debit|out, Credit|in, Balance|bal',
  'S.No|no, Transaction Date (dd/mm/yyyy)|day, Value Date (dd/mm/yyyy)|value, Particulars|text, Amount(INR)|amt, Debit/Credit|side, Balance(INR)|bal, Cheque Number|ref',
  'Sl No|no, Txn Date|day, Description|text, Cheque No|ref, Withdrawal (in Rs.)|out, Deposits (in Rs.)|in, Balance (in Rs.)|bal',
  'Date|day, Narration|text, Chq/Ref No|ref, Withdrawal (Dr)/Deposit (Cr)|marked, Balance|bal',
  'Date(Value Date)|both, Particulars|text, Ref No./Cheque No.|ref, Transaction Type|way, Debit(Rs)|out, Credit(Rs)|in, Balance(Rs)|bal',
  'TRN.  Date|day, Value  Date|value, Narration|text, Chq/Ref.No|ref, Debit|out, Credit|in, Closing  Bal|bal',
  'Transaction Date|day, Transaction Details|text, Cheque ID|ref, Value Date|value, Withdrawl Amt|out, Deposit Amt|in, Balance (INR)|bal',
  'Date|day, Reference No. / Cheque No.|ref, Narration|text, Withdrawal INR|out, Deposit INR|in, ClosingBalance INR|bal',
  'S No.|no, Value Date|value, Transaction Date|day, Cheque Number|ref, Transaction Remarks|text, Withdrawal Amount (INR )|out, Deposit Amount (INR )|in, Balance (INR )|bal',
  'Tran Date|day, Chq No|ref, Particulars|text, Debit|out, Credit|in, Balance|bal, Init. Br|no',
  'Date|day, Instrument ID|ref, Amount|amt, Type|side, Balance|bal, Remarks|text',
  'Transaction Date|day, Value Date|value, Description|text, Reference/Cheque No.|ref, Debit Amount|out, Credit Amount|in, Balance|bal',
  'Sl. No.|no, Transaction Date|day, Value Date|value, Description|text, Chq / Ref No.|ref, Amount|amt, Dr / Cr|side, Balance|bal',
  'TRAN DATE|day, VALUE DATE|value, NARRATION|text, CHQ.NO.|ref, WITHDRAWAL(DR)|out, DEPOSIT(CR)|in, BALANCE(INR)|bal',
  'Post Date|day, Value Date|value, Description|text, Cheque Number|ref, Debit|out, Credit|in, Running Balance|bal',
  'Transaction Date|day, Transaction Particulars|text, Cheque No.|ref, Dr Amount|out, Cr Amount|in, Balance Amount|bal',
  'Txn Date|day, Txn Remarks|text, Ref No|ref, Txn Amount (in Rs.)|amt, Cr/Dr|side, Available Balance|bal',
  'Date|day, Details|text, Ref No/Cheque No|ref, Debit (₹)|out, Credit (₹)|in, Balance (₹)|bal',
  'Posting Date|day, Narration|text, Transaction ID|ref, Amount|signed, Closing Balance|bal',
  'Date|day, Transaction Details|text, UTR Number|ref, Debits|out, Credits|in, Balance|bal',
  'Value Date|day, Narration|text, UTR No.|ref, Debit Amt (Rs.)|out, Credit Amt (Rs.)|in, Bal (Rs.)|bal',
  'Date|day, Particulars|text, Instrument No|ref, Withdrawals|out, Deposits|in, Balance|bal, Dr/Cr|way',
  'Booking Date|day, Description/Narration|text, Transaction Reference|ref, Amount|marked, Running Balance|bal',
  'दिनांक|day, विवरण|text, Ref No.|ref, निकासी|out, जमा|in, शेष|bal',
  'Trans Date|day, Narration|text, Cheque/Reference No.|ref, Withdrawals (in Rs)|out, Deposits (in Rs)|in, Balance (in Rs)|bal',
  'Transaction Posted Date|day, Transaction Description|text, Cheque. No./Ref. No.|ref, Paid Out|out, Paid In|in, Balance|bal',
  'Entry Date|day, Particulars|text, Chq. No.|ref, Payments|out, Receipts|in, Balance|bal',
  'Tran Id|ref, Transaction Date|day, Tran Particulars|text, Transaction Amount(INR)|amt, Cr/Dr Indicator|side, Book Balance|bal',
  'Txn Date|day, Txn Description|text, Chq No/UTR No|ref, Amount (Dr)|out, Amount (Cr)|in, Ledger Balance|bal',
  'DATE|day, PARTICULARS|text, CHQ/REF NO|ref, DR AMT|out, CR AMT|in, BAL|bal',
];

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const dateForms: readonly ((year: string, month: string, day: string) => string)[] = [
  (y, m, d) => `${d}/${m}/${y}`,
  (y, m, d) => `${d}/${m}/${y.slice(2)}`,
  (y, m, d) => `${d}-${m}-${y}`,
  (y, m, d) => `${d}.${m}.${y}`,
  (y, m, d) => `${d}-${months[Number(m) - 1]}-${y}`,
  (y, m, d) => `${d}-${months[Number(m) - 1]?.toUpperCase()}-${y.slice(2)}`,
  (y, m, d) => `${d} ${months[Number(m) - 1]} ${y}`,
  (y, m, d) => `${y}-${m}-${d}`,
  (y, m, d) => `${d}/${m}/${y} 10:15:${m}`,
  (y, m, d) => `${months[Number(m) - 1]} ${d}, ${y}`,
];
const amountForms: readonly ((amount: string) => string)[] = [
  (amount) => amount,
  (amount) => formatAmount(amount),
  (amount) => `₹ ${formatAmount(amount)}`,
  (amount) => ` ${formatAmount(amount)} `,
  (amount) => amount.replace(/\.00$/, ''),
  (amount) => `Rs. ${formatAmount(amount)}`,
];

const account = (random: Random): string => String(10 ** 11 + random.below(9 * 10 ** 11));
/** Numbers of banks: NEFT, RTGS, IMPS. */
export const newUtr = (random: Random): string => {
  const digits = (count: number): string => Array.from({ length: count }, () => random.below(10)).join('');
  return random.pick([`N${digits(15)}`, `SBINR${digits(17)}`, digits(12), `SBIN5${digits(11)}`]);
};

/** A payment that was sent, and what became of it. */
export interface Paid {
  id: string;
  reference: string;
  name: string;
  accountNo: string;
  amount: string;
  sentOn: string;
  utr: string;
  truth: 'executed' | 'returned' | 'failed' | 'open';
}

const names = ['RAMESH SAHU', 'BIKASH MOHANTA', 'SANJUKTA NAIK', 'CASE TRUCK', 'TOTAL ROADLINES', 'HEMANTA PRADHAN'];

/** Payments of one day, among them twins: the same owner and amount twice, or the same amount of two owners. */
export function newPayments(random: Random, count: number): Paid[] {
  const payments: Paid[] = [];
  for (let at = 0; at < count; at += 1) {
    const twin = payments.length > 0 && random.chance(0.3) ? random.pick(payments) : undefined;
    const amount =
      twin?.amount ??
      `${random.pick([950, 12_345, 24_750, 1_23_456, 9_99_000]) + random.below(40)}.${random.pick(['00', '50', '05'])}`;
    payments.push({
      id: `line ${at}`,
      reference: `PAY2627000453-${String(at + 1).padStart(2, '0')}`,
      name: twin && random.chance(0.5) ? twin.name : random.pick(names),
      accountNo: twin && random.chance(0.5) ? twin.accountNo : account(random),
      amount,
      sentOn: '2026-11-20',
      utr: newUtr(random),
      truth: random.pick(['executed', 'executed', 'executed', 'returned', 'failed', 'open'] as const),
    });
  }
  return payments;
}

interface Made {
  rows: string[][];
  /** Each line of the statement; `of`: the payment that it is of. */
  lines: (Booked & { of: string | null })[];
  /** How many of its rows have a comma too many, and can only be named. */
  damaged: number;
}

/** The statement of the account that made these payments, with rent, charges and deposits among them. */
export function newStatement(random: Random, payments: readonly Paid[]): Made {
  const lines: Omit<Made['lines'][number], 'balance'>[] = payments.flatMap((one) => {
    const isNamed = random.chance(0.7);
    const text = isNamed ? one.reference : `${one.name} XX${one.accountNo.slice(-4)}`;
    const out = { side: 'out' as const, amount: one.amount, of: one.id };
    const back = { ...out, side: 'in' as const };
    const paid = {
      ...out,
      day: addDays(one.sentOn, random.below(3)),
      narration: `NEFT DR-SBIN0001234-${text}`,
      reference: random.chance(0.6) ? one.utr : '',
    };
    const returned = {
      ...back,
      day: addDays(one.sentOn, 3 + random.below(3)),
      narration: `NEFT RETURN-${text}-ACCOUNT CLOSED`,
      reference: random.chance(0.5) ? newUtr(random) : '',
    };
    if (one.truth === 'executed') return [paid];
    return one.truth === 'returned' ? [paid, returned] : [];
  });
  const others = random.below(4);
  for (let at = 0; at < others; at += 1) {
    const amount =
      payments.length > 0 && random.chance(0.3) ? random.pick(payments).amount : `${1_000 + random.below(90_000)}.00`;
    const [side, narration] = random.pick([
      ['out', 'RENT OF THE OFFICE'],
      ['out', 'CHQ BOOK CHG'],
      ['in', 'CASH DEP'],
      ['in', 'NEFT CR-TATA STEEL-FREIGHT'],
      ['out', 'TOTAL ENERGIES MARKETING'],
    ] as const);
    lines.push({ side, amount, narration, day: addDays('2026-11-20', random.below(8)), reference: '', of: null });
  }
  lines.sort((a, b) => a.day.localeCompare(b.day));
  const made = booked(lines).map((line, at) => ({ ...line, of: lines[at]?.of ?? null }));
  const headings = random
    .pick(headingRows)
    .split(', ')
    .map((cell) => cell.split('|'));
  const date = random.pick(dateForms);
  const money = random.pick(amountForms);
  const empty = random.pick(['', '', '-', '0.00']);
  const day = (text: string): string => date(text.slice(0, 4), text.slice(5, 7), text.slice(8));
  const minus = random.pick([(text: string) => `-${text}`, (text: string) => `(${text})`]);
  const isDamaged = made.map(() => random.chance(0.04));
  // Where no withdrawal has a minus, a deposit without a sign may be either.
  const plus = made.some(({ side }, at) => side === 'out' && !isDamaged[at]) ? '' : '+';
  const body = made.map(({ narration, reference, side, amount, balance, day: of }, at) => {
    const cell: Record<string, string> = {
      no: String(at + 1),
      day: day(of),
      value: day(of),
      both: `${day(of)} (${day(of)})`,
      text: narration,
      ref: reference || random.pick(['', '-', '000000']),
      out: side === 'out' ? money(amount) : empty,
      in: side === 'in' ? money(amount) : empty,
      amt: money(amount),
      side: side === 'out' ? 'DR' : 'CR',
      marked: `${money(amount).trim()}${side === 'out' ? '(Dr)' : '(Cr)'}`,
      signed: side === 'out' ? minus(amount) : plus + amount,
      way: 'NEFT',
      bal: balance,
    };
    const cells = headings.map(([, what = '']) => cell[what] ?? '');
    if (!isDamaged[at]) return cells;
    // A comma without quotes, in a text or in an amount, moves all that follows it.
    const split = cells.flatMap((text) => text.split(','));
    return split.length > cells.length ? split : [...cells.slice(0, 2), 'JODA', ...cells.slice(2)];
  });
  const labels = headings.map(([label = '']) => label);
  const titles = [
    ['ANY BANK Ltd., JODA'],
    ['M/S. MOHAN BULK', '', 'Account No : 50200012345678'],
    ['Statement of account from 01/11/2026 to 30/11/2026'],
  ].slice(random.below(4));
  const total = labels.map((_, at) => (at === 0 ? 'Grand Total' : headings[at]?.[1] === 'out' ? '1,23,456.00' : ''));
  const end = [total, ['*** End of Statement ***'], ['This is computer generated.']].slice(random.below(4));
  return { rows: [...titles, labels, ...body, ...end], lines: made, damaged: isDamaged.filter(Boolean).length };
}

interface Reversed {
  rows: string[][];
  hasStatus: boolean;
  /** Each row below the headings: the payment that it is of, and whether it says rightly and unharmed that it was executed. */
  truth: { of: string; executed: boolean }[];
}

/** UTRs as a spreadsheet or a person damages them. */
const damages: readonly ((utr: string) => string)[] = [
  (utr) => utr.slice(0, -1),
  (utr) => `${utr}7`,
  () => '3.31262E+11',
  () => '#N/A',
  () => '-',
  (utr) => `XXXX${utr.slice(-4)}`,
  () => '########',
  (utr) => utr.replace(/\d$/, 'O'),
];
const statuses = {
  executed: ['Success', 'E', 'Processed', 'SUCCESS.', 'Paid', 'Executed'],
  returned: ['Returned', 'RETURN', 'Reversed'],
  failed: ['R', 'Rejected', 'Failed'],
  open: ['Pending', 'P', 'In Process', 'Accepted', ''],
} as const;

/** The bank's reverse file of these payments, with or without a column of statuses. */
export function newReverseFile(random: Random, payments: readonly Paid[]): Reversed {
  const hasStatus = random.chance(0.75);
  const hasAccount = random.chance(0.8);
  const hasReference = !hasAccount || random.chance(0.8);
  const money = random.pick(amountForms);
  const date = random.pick(dateForms);
  const quoted = random.pick([(text: string) => text, (text: string) => `="${text}"`, (text: string) => `'${text}`]);
  const truth: Reversed['truth'] = [];
  const body = payments.flatMap((one) => {
    const isDamaged = random.chance(0.15);
    const utr = isDamaged ? random.pick(damages)(one.utr) : one.utr;
    const isCredit = random.chance(0.05);
    const amount = money(one.amount).trim();
    const cells = [
      ...(hasReference ? [random.chance(0.5) ? one.reference : quoted(one.reference)] : []),
      ...(hasAccount ? [one.name, quoted(one.accountNo)] : []),
      isCredit ? `${amount} Cr` : amount,
      date('2026', '11', '23'),
      one.truth === 'failed' ? '' : quoted(utr),
      ...(hasStatus ? [random.pick(statuses[one.truth])] : []),
      one.truth === 'failed' ? 'Invalid a/c' : '',
    ];
    truth.push({ of: one.id, executed: one.truth === 'executed' && !isDamaged && !isCredit });
    // A row that is there twice is never decided by the program.
    if (!random.chance(0.03)) return [cells];
    truth.push({ of: one.id, executed: false });
    truth[truth.length - 2] = { of: one.id, executed: false };
    return [cells, cells];
  });
  const headings = [
    ...(hasReference ? [random.pick(['Customer Reference', 'Customer Ref No', 'Our Reference'])] : []),
    ...(hasAccount ? ['Beneficiary Name', random.pick(['Account Number', 'Beneficiary Account No'])] : []),
    random.pick(['Amount', 'Amount (Rs)']),
    random.pick(['Value Date', 'Date', 'Transaction Date']),
    random.pick(['UTR', 'UTR No', 'Bank Reference No.']),
    ...(hasStatus ? [random.pick(['Status', 'Transaction Status'])] : []),
    random.pick(['Reason', 'Remarks', 'Reject Reason']),
  ];
  return { rows: [headings, ...body], hasStatus, truth };
}
