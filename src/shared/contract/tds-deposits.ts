import { z } from 'zod';
import { tdsPeriodFilters } from '../filters/tds-filters.ts';
import { endpoint } from './define.ts';
import type { FieldsOf } from './fields.ts';
import { filterQuery } from './filters.ts';
import {
  amountOut,
  day,
  decimal,
  matching,
  message,
  pageQuery,
  pagination,
  requiredDay,
  sortQuery,
  text,
  total,
  version,
  written,
} from './scalars.ts';

/**
 * TDS that was deposited, and the deductions that it covers (docs/specification.md §30). The product knows no law: the due days
 * are settings, and these are the values that it ships.
 */
export const shippedDepositRules = {
  /** The day of the following month until which a month's deductions are deposited. */
  dueDay: 7,
  /** The same for March: a day of April. */
  marchDueDay: 30,
  holdsFrom: '2026-04-01',
  source:
    'Common practice under the rules of 1962, read in November 2026. Nobody has certified it: ask your accountant, and write here who said so and when.',
};

const tdsDeposit = z.object({
  id: z.string(),
  depositedOn: day,
  bsrCode: z.string(),
  serialNo: z.string(),
  amount: amountOut,
  deductedFrom: day,
  deductedTo: day,
  note: z.string(),
  /** '2026-27' and 'q1': those of the days that it covers. */
  year: z.string(),
  quarter: z.string(),
  /** How much of the amount covers deductions, and of how many challans. */
  covered: amountOut,
  challanCount: z.number(),
  ...written,
});
export { tdsDeposit as tdsDepositShape };
export type TdsDeposit = z.output<typeof tdsDeposit>;

export const tdsDepositInput = z.strictObject({
  depositedOn: requiredDay('Please enter the day of the deposit'),
  bsrCode: matching(/^\d{7}$/, 'Please enter the BSR code', 'A BSR code has 7 digits'),
  serialNo: matching(/^\d{5}$/, 'Please enter the serial number of the challan', 'A serial number has 5 digits'),
  amount: decimal('Please enter the amount').regex(/[1-9]/, 'The amount is more than 0'),
  deductedFrom: requiredDay('Please enter the first day of the deductions'),
  deductedTo: requiredDay('Please enter the last day of the deductions'),
  note: text(500, { lines: true }).optional(),
});
/** The fields in the order of the form and the details. */
export const tdsDepositFields = {
  depositedOn: { label: 'Deposited On', kind: 'date' },
  amount: { label: 'Amount', kind: 'money' },
  bsrCode: { label: 'BSR Code', kind: 'identifier' },
  serialNo: { label: 'Challan Serial No', kind: 'identifier', heading: 'Serial No' },
  deductedFrom: { label: 'Deducted From', kind: 'date' },
  deductedTo: { label: 'Deducted To', kind: 'date' },
  note: { label: 'Note', kind: 'text' },
} as const satisfies FieldsOf<typeof tdsDepositInput>;

export const tdsDepositSorts = ['depositedOn', 'deductedFrom', 'amount'] as const;
export type TdsDepositSort = (typeof tdsDepositSorts)[number];

const one = z.object({ data: tdsDeposit });
const touches = ['tds-deposits', 'accounting'] as const;

export const tdsDeposits = {
  list: endpoint('tds-deposits', 'GET /tds-deposits', {
    summary: 'List the deposits of TDS for deductions of a financial year or a quarter',
    query: z.object({
      ...pageQuery,
      ...sortQuery(tdsDepositSorts, 'depositedOn', 'desc'),
      ...filterQuery(tdsPeriodFilters),
    }),
    answer: z.object({
      data: z.array(tdsDeposit),
      totals: z.object({ amount: total, covered: total }),
      pagination,
    }),
  }),
  get: endpoint('tds-deposits', 'GET /tds-deposits/{id}', {
    summary: 'Get a deposit of TDS',
    answer: one,
  }),
  create: endpoint('tds-deposits', 'POST /tds-deposits', {
    summary: 'Enter a deposit of TDS. It covers what was deducted on its days and is not covered yet',
    body: tdsDepositInput,
    answer: one,
    status: 201,
    errors: ['DEPOSIT_EXISTS'],
    touches,
  }),
  update: endpoint('tds-deposits', 'PUT /tds-deposits/{id}', {
    summary: 'Change a deposit of TDS. With another amount or other days it covers anew',
    body: tdsDepositInput.partial().extend({ version: version.optional() }),
    answer: one,
    errors: ['DEPOSIT_EXISTS'],
    touches,
  }),
  remove: endpoint('tds-deposits', 'DELETE /tds-deposits/{id}', {
    summary: 'Delete a deposit of TDS. What it covered is open again',
    answer: message,
    touches,
  }),
};
