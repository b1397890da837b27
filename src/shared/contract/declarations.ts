import { z } from 'zod';
import { countText } from '../calc/count-text.ts';
import { PAN_MESSAGE, PAN_PATTERN } from '../calc/identity.ts';
import { declarationState, declaredDays } from './declaration-state.ts';
import { endpoint, pdf } from './define.ts';
import type { FieldsOf } from './fields.ts';
import {
  day,
  matching,
  message,
  pageQuery,
  pagination,
  requiredDay,
  requiredId,
  sortQuery,
  text,
  textQuery,
  upperCase,
  version,
  written,
} from './scalars.ts';

/**
 * Declarations of owners from whom no tax is deducted, by owner and financial year (docs/specification.md §27.7). The product
 * knows no law: what a business holds them against are settings, and these are the values that it ships.
 */
export const shippedDeclarationRules = {
  /** More trucks of one PAN than these are warned about. */
  mostCarriages: 10,
  /** So many days before the last one the product says that a declaration lapses. */
  noticeDays: 30,
  law: 'Income-tax Act, 2025, section 393(4), serial 8',
  holdsFrom: '2026-04-01',
  source:
    'Commentaries on the bill of 2025, read in November 2026. Nobody has certified it: ask your accountant, and write here who said so and when.',
  /** {business} and {year} are filled in; a line of _ is left to be written on. */
  wording: `To {business}

I, ______________________________, PAN ____________________, declare for the financial year {year}:

I own ______ goods carriages, and at no time in this year more than {carriages}. Their numbers are:

________________________________________________________________________

________________________________________________________________________

I ask you to pay me without deduction of tax at source, and shall tell you at once when this is no longer so.

Place ____________________     Date ____________________     Signature ____________________`,
};

export const declaration = z.object({
  id: z.string(),
  ownerId: z.string(),
  /** The owner with its present name and PAN. */
  owner: z.object({ id: z.string(), name: z.string(), panNo: z.string() }),
  receivedOn: day,
  /** How many goods carriages the owner declares. */
  carriages: z.number(),
  panNo: z.string(),
  note: z.string(),
  validUntil: day,
  ...declarationState.shape,
  /** How many trucks of the list belong to owners with this PAN. */
  truckCount: z.number(),
  /** What the business holds it against (docs/specification.md §27.4). */
  mostCarriages: z.number(),
  ...written,
});
export type Declaration = z.output<typeof declaration>;

/** What is strange about a declaration. Nothing is refused for it. */
export function declarationWarnings({
  panNo,
  owner,
  carriages,
  truckCount,
  mostCarriages,
}: Pick<Declaration, 'panNo' | 'owner' | 'carriages' | 'truckCount' | 'mostCarriages'>): string[] {
  const trucks = `The list has ${countText(truckCount, 'truck')} of this PAN`;
  return [
    ...(panNo === owner.panNo ? [] : [`The owner’s PAN is ${owner.panNo}`]),
    ...(truckCount > mostCarriages ? [`${trucks}, more than ${mostCarriages}`] : []),
    ...(carriages > mostCarriages ? [`It declares more than ${mostCarriages} goods carriages`] : []),
    ...(truckCount > carriages ? [`${trucks}, ${carriages} are declared`] : []),
  ];
}

const carriagesRequired = 'Please enter the number of goods carriages';
const input = {
  ownerId: requiredId('Please select an owner'),
  receivedOn: requiredDay('Please enter the day it was received'),
  // A count is sent as a number.
  carriages: z
    .number({ error: carriagesRequired })
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(1000, 'must be at most 1000'),
  panNo: matching(PAN_PATTERN, 'Please enter PAN number', PAN_MESSAGE, upperCase),
  /** Absent in a new one: the last day of the financial year in which it was received. */
  validUntil: day.optional(),
  withdrawnOn: day.nullable().optional(),
  note: text(500, { lines: true }).optional(),
};
export const declarationInput = z.strictObject(input);
/** The fields in the order of the form and the details. */
export const declarationFields = {
  ownerId: { label: 'Owner Name', kind: 'record', names: 'owners' },
  receivedOn: { label: 'Received On', kind: 'date' },
  carriages: { label: 'Goods Carriages', kind: 'count' },
  panNo: { label: 'PAN', kind: 'identifier' },
  validUntil: { label: 'Valid Until', kind: 'date' },
  withdrawnOn: { label: 'Withdrawn On', kind: 'date' },
  note: { label: 'Note', kind: 'text' },
} as const satisfies FieldsOf<typeof declarationInput>;

/** What is wrong about the days of a whole declaration. The import and the server ask here; the database has the same rule. */
export function declarationDaysError({
  receivedOn,
  validUntil,
  withdrawnOn,
}: Pick<Declaration, 'receivedOn' | 'validUntil' | 'withdrawnOn'>): {
  field: 'validUntil' | 'withdrawnOn';
  message: string;
} | null {
  if (validUntil < receivedOn) return { field: 'validUntil', message: 'It cannot end before the day it was received' };
  const isEarly = withdrawnOn !== null && withdrawnOn < receivedOn;
  return isEarly ? { field: 'withdrawnOn', message: 'It cannot be withdrawn before the day it was received' } : null;
}

/** The owner of a declaration stays: challans rest on it. */
export const declarationChange = declarationInput
  .omit({ ownerId: true })
  .partial()
  .extend({ version: version.optional() });

export const declarationSortKeys = ['receivedOn', 'ownerName', 'validUntil', 'createdAt'] as const;
export type DeclarationSortKey = (typeof declarationSortKeys)[number];

const one = z.object({ data: declaration });
const touches = ['declarations', 'owners', 'challans', 'accounting', 'batches'] as const;

export const declarations = {
  list: endpoint('declarations', 'GET /declarations', {
    summary: 'List or search declarations of no deduction, by owner, PAN, note or financial year',
    query: z.object({ ...pageQuery, ...sortQuery(declarationSortKeys, 'receivedOn', 'desc'), search: textQuery }),
    answer: z.object({ data: z.array(declaration), pagination }),
  }),
  get: endpoint('declarations', 'GET /declarations/{id}', {
    summary: 'Get a declaration',
    answer: one,
  }),
  create: endpoint('declarations', 'POST /declarations', {
    summary: 'Enter a declaration that an owner has given',
    body: declarationInput,
    answer: one,
    status: 201,
    errors: ['INVALID_REFERENCE', 'DECLARATION_EXISTS'],
    touches,
  }),
  update: endpoint('declarations', 'PUT /declarations/{id}', {
    summary: 'Change a declaration, or withdraw it',
    body: declarationChange,
    answer: one,
    errors: ['DECLARATION_EXISTS'],
    touches,
  }),
  remove: endpoint('declarations', 'DELETE /declarations/{id}', {
    summary: 'Delete a declaration on which no challan rests',
    answer: message,
    errors: ['DECLARATION_IN_USE'],
    touches,
  }),
  ofOwner: endpoint('declarations', 'GET /declarations/owner/{id}', {
    summary: 'The days on which the declarations of an owner are valid, the oldest first',
    answer: z.object({ data: z.array(declaredDays), noticeDays: z.number() }),
  }),
  form: endpoint('declarations', 'GET /declarations/form', {
    summary: 'A blank declaration to print, in the wording of the business',
    answer: pdf,
  }),
};
