import { z } from 'zod';
import { ACCOUNT_PATTERN, IFSC_PATTERN } from '../calc/identity.ts';
import { endpoint } from './define.ts';
import type { FieldsOf } from './fields.ts';
import {
  amountOut,
  decimal,
  matching,
  message,
  pageQuery,
  pagination,
  text,
  textQuery,
  toConfirmQuery,
  upperCase,
  version,
  written,
} from './scalars.ts';

/** An account that owners are paid from (docs/specification.md §24.1). */
export const bankAccount = z.object({
  id: z.string(),
  name: z.string(),
  accountNo: z.string(),
  ifsc: z.string(),
  /** The key of a shipped layout, or the id of a layout of the business. */
  layout: z.string(),
  clientCode: z.string(),
  /** 0.00: no limit. */
  fileLimit: amountOut,
  rtgsFloor: amountOut,
  impsCeiling: amountOut,
  ...written,
});
export type BankAccount = z.output<typeof bankAccount>;

/** An amount with two decimals, as it is stored, so that '5' instead of '5.00' counts as no change. */
const limit = (required: string) =>
  decimal(required).transform((value) =>
    value.includes('.') ? value.padEnd(value.indexOf('.') + 3, '0') : `${value}.00`,
  );

export const bankAccountInput = z.strictObject({
  name: text(100, {
    required: 'Please enter a name',
    min: 2,
    tooShort: 'Name must be at least 2 characters',
    tooLong: 'Name must not exceed 100 characters',
  }),
  accountNo: matching(
    ACCOUNT_PATTERN,
    'Please enter account number',
    'The account number must have 9 to 18 digits',
    (value) => value.replace(/\s/g, ''),
  ),
  ifsc: matching(
    IFSC_PATTERN,
    'Please enter IFSC code',
    'The IFSC must be 4 letters, a 0, and 6 letters or digits',
    upperCase,
  ),
  layout: text(50, { required: 'Please choose a layout' }),
  clientCode: text(32, { pattern: /^[A-Za-z0-9-]*$/, invalid: 'only letters, digits and hyphens' }),
  fileLimit: limit('Please enter a limit, or 0 for none'),
  rtgsFloor: limit('Please enter where RTGS starts'),
  impsCeiling: limit('Please enter where IMPS ends'),
});
/** The fields in the order of the form and the details. */
export const bankAccountFields = {
  name: { label: 'Name', kind: 'reference' },
  accountNo: { label: 'Account Number', kind: 'identifier' },
  ifsc: { label: 'IFSC', kind: 'identifier' },
  layout: { label: 'Layout', kind: 'text' },
  clientCode: { label: 'Client Code', kind: 'identifier' },
  fileLimit: { label: 'Limit of One File', kind: 'money' },
  rtgsFloor: { label: 'RTGS Starts At', kind: 'money' },
  impsCeiling: { label: 'IMPS Ends At', kind: 'money' },
} as const satisfies FieldsOf<typeof bankAccountInput>;

const one = z.object({ data: bankAccount });

export const bankAccounts = {
  list: endpoint('bank-accounts', 'GET /bank-accounts', {
    summary: 'List or search the accounts that owners are paid from',
    query: z.object({ ...pageQuery, search: textQuery, toConfirm: toConfirmQuery }),
    answer: z.object({ data: z.array(bankAccount), pagination }),
  }),
  get: endpoint('bank-accounts', 'GET /bank-accounts/{id}', {
    summary: 'Get a paying account',
    answer: one,
  }),
  create: endpoint('bank-accounts', 'POST /bank-accounts', {
    summary: 'Create a paying account',
    body: bankAccountInput,
    answer: one,
    status: 201,
    errors: ['INVALID_REFERENCE'],
  }),
  update: endpoint('bank-accounts', 'PUT /bank-accounts/{id}', {
    summary: 'Change a paying account',
    body: bankAccountInput.partial().extend({ version: version.optional() }),
    answer: one,
    errors: ['INVALID_REFERENCE'],
  }),
  remove: endpoint('bank-accounts', 'DELETE /bank-accounts/{id}', {
    summary: 'Hide a paying account; the files that were made from it keep it',
    answer: message,
  }),
};
