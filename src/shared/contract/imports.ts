import { z } from 'zod';
import { formatCount } from '../calc/count-text.ts';
import { TABLE_MAX_ROWS } from '../reading/tables.ts';
import { endpoint, workbook } from './define.ts';
import { instant, text } from './scalars.ts';

/** Imports master data, past challans and opening balances from a file or a paste (docs/specification.md §22). */

export const importKinds = [
  'owners',
  'trucks',
  'tags',
  'petrol-pumps',
  'challans',
  'opening-balances',
  'declarations',
] as const;
export type ImportKind = (typeof importKinds)[number];

export const importStates = ['new', 'same', 'differs', 'wrong'] as const;
export type ImportState = (typeof importStates)[number];
/** What to do with a row whose record exists already: change that record, leave it, or create a second one. A row that waits is left or created. */
export const importChoices = ['merge', 'skip', 'new'] as const;
export type ImportChoice = (typeof importChoices)[number];

const importRow = z.object({
  state: z.enum(importStates),
  /** One sentence for each wrong field. */
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** One sentence for each value that is taken but should be looked at (docs/specification.md §8.3.5 and §22.2). */
  warnings: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** The fields that a merge would change. */
  differences: z.array(z.object({ field: z.string(), stored: z.string(), given: z.string() })).optional(),
  /** The record that exists already, or an earlier row of the same record. Rows count from 1. */
  twin: z
    .object({ id: z.string().nullable(), row: z.number().nullable(), name: z.string(), by: z.string() })
    .optional(),
  /** What can be done with a row that differs from its record, or that is new and waits. Its choice is 'skip' until another is made. */
  choices: z.array(z.enum(importChoices)).optional(),
});
export type ImportRow = z.output<typeof importRow>;

const counts = z.object({ new: z.number(), same: z.number(), differs: z.number(), wrong: z.number() });
export type ImportCounts = z.output<typeof counts>;

const unknown = z.object({
  kind: z.enum(['vehicle', 'owner', 'tag', 'petrolPump']),
  name: z.string(),
  rows: z.number(),
});
export type ImportUnknown = z.output<typeof unknown>;

const tooManyRows = `An import has at most ${formatCount(TABLE_MAX_ROWS)} rows. Split the file and import each part.`;

const table = {
  kind: z.enum(importKinds),
  file: z.strictObject({
    name: text(200, { required: 'Please name the file' }),
    /** The hash of the file's bytes; null for pasted rows, which the server hashes as they are sent. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')
      .nullable(),
  }),
  /** The name of the field that each column of the rows holds. */
  fields: z.array(z.string().max(40)).min(1, 'Choose a column for at least one field').max(40),
  rows: z
    .array(z.array(z.string().max(1_000)).max(40))
    .min(1, 'There is no row to import')
    .max(TABLE_MAX_ROWS, tooManyRows),
};
/** Enough for 5,000 rows with the longest texts that are usual. */
const bodyLimit = 8 * 1024 * 1024;

/** A merge changes what other records show of an owner, a tag or a pump, and past challans come with their payments. */
const changedByImports = [
  'imports',
  'owners',
  'trucks',
  'tags',
  'petrol-pumps',
  'batches',
  'challans',
  'bank-statement',
  'accounting',
  'dashboard',
  'shared-reports',
  'hsd-verification',
  'declarations',
] as const;

export const imports = {
  check: endpoint('imports', 'POST /imports/check', {
    summary: 'Say of every row of a table whether it is new, the same as a record, differs from it, or is wrong',
    body: z.strictObject(table),
    answer: z.object({
      data: z.object({
        rows: z.array(importRow),
        counts,
        /** A hash of the state of every row and of what it would write. */
        fingerprint: z.string(),
        /** Names in past challans that belong to no record. Each comes once, with the number of rows that have it. */
        unknown: z.array(unknown),
        /** The earlier import of the same file, if it was not undone. */
        imported: z.object({ id: z.string(), number: z.string(), createdAt: instant }).nullable(),
      }),
    }),
    errors: ['VALIDATION_ERROR'],
    reads: true,
    stopsWithClient: true,
    bodyLimit,
  }),
  apply: endpoint('imports', 'POST /imports', {
    summary: 'Import the rows that are right, all in one transaction; wrong rows are left out',
    body: z.strictObject({
      ...table,
      /** One for each row. Only rows with choices use theirs. */
      choices: z.array(z.enum(importChoices)).max(TABLE_MAX_ROWS),
      /** The fingerprint of the check. When a row has another state by now, nothing is imported. */
      expected: z.strictObject({ fingerprint: z.string().max(64) }),
    }),
    answer: z.object({
      data: z.object({
        batch: z.object({ id: z.string(), number: z.string(), title: z.string() }),
        created: z.number(),
        changed: z.number(),
      }),
    }),
    status: 201,
    errors: ['VALIDATION_ERROR', 'IMPORT_CHANGED'],
    touches: [...changedByImports, 'payment-batches', 'prepared-payments', 'owner-statements'],
    idempotent: true,
    stopsWithClient: true,
    bodyLimit,
  }),
  addSample: endpoint('imports', 'POST /imports/sample', {
    summary: 'Add a few marked records to try the product with, as one import that can be undone',
    answer: z.object({
      data: z.object({ batch: z.object({ id: z.string(), number: z.string(), title: z.string() }) }),
    }),
    status: 201,
    errors: ['VALIDATION_ERROR', 'PERIOD_LOCKED'],
    touches: changedByImports,
    idempotent: true,
  }),
  template: endpoint('imports', 'GET /imports/template', {
    summary: 'A workbook with the headings of a kind',
    query: z.object({ kind: z.enum(importKinds) }),
    answer: workbook,
  }),
};
