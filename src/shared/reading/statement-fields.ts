/** The columns that the statement of a bank account may have (docs/specification.md §25.3), in the order of the screen. */
export const statementFields = [
  'day',
  'valueDay',
  'narration',
  'reference',
  'utr',
  'withdrawal',
  'deposit',
  'amount',
  'side',
  'balance',
] as const;
export type StatementField = (typeof statementFields)[number];

export const statementFieldLabels: Readonly<Record<StatementField, string>> = {
  day: 'Date',
  valueDay: 'Value Date',
  narration: 'Narration',
  reference: 'Reference',
  utr: 'UTR',
  withdrawal: 'Withdrawal',
  deposit: 'Deposit',
  amount: 'Amount',
  side: 'Dr/Cr',
  balance: 'Balance',
};
