import { z } from 'zod';
import { HSD_MAX_BYTES } from '../reading/pump-bill.ts';
import { tableKinds } from '../reading/tables.ts';
import { endpoint, workbook } from './define.ts';

/** A sheet of a file as text. It has only rows with a value, and each row ends with its last cell that has one. */
const tableSheet = z.object({
  name: z.string(),
  rows: z.array(z.array(z.string())),
  /** The number of each row in the file, from 1. */
  rowNumbers: z.array(z.number()),
  /** Cells that are merged down a column, by the indexes of their first and last row. The text is in the first one. */
  merges: z.array(z.object({ column: z.number(), first: z.number(), last: z.number() })),
  /** How many rows with a value are hidden or filtered out in the file. They are left out. */
  hiddenRows: z.number(),
  /** The indexes of the columns with values that are hidden in the file. Their values are given. */
  hiddenColumns: z.array(z.number()),
  /** The numbers of the rows with a quotation mark that is never closed. */
  openQuotes: z.array(z.number()),
});
export type TableSheet = z.output<typeof tableSheet>;

const tableKind = z.enum(tableKinds);

/** The most rows of a table that is written. */
export const mostTableRows = 50_000;

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a number');
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}/, 'must be a day');
/** What a cell of each kind may have. Flags, states and tags come as their words. */
const cellsOfKind = {
  text: z.string(),
  identifier: z.string(),
  money: decimal,
  weight: decimal,
  liters: decimal,
  percent: decimal,
  count: decimal,
  date: day,
  shortDate: day,
  datetime: z.iso.datetime({ offset: true }),
};
const writtenKinds = Object.keys(cellsOfKind) as (keyof typeof cellsOfKind)[];

const tableRow = z.array(z.string().max(5_000).nullable()).max(100);

const tableToWrite = z
  .strictObject({
    label: z.string().trim().min(1).max(100),
    columns: z
      .array(
        z.strictObject({
          label: z.string().max(200),
          kind: z.enum(writtenKinds),
          width: z.int().min(20).max(1_000),
        }),
      )
      .min(1)
      .max(100),
    rows: z.array(tableRow).max(mostTableRows),
    sums: tableRow.optional(),
  })
  .check(({ value, issues }) => {
    const { columns, rows, sums = [] } = value;
    const isWrong = (row: readonly (string | null)[]): boolean =>
      row.length > columns.length ||
      row.some((cell, at) => cell !== null && !cellsOfKind[columns[at]?.kind ?? 'text'].safeParse(cell).success);
    const at = [...rows, sums].findIndex(isWrong);
    if (at !== -1)
      issues.push({ code: 'custom', input: value, path: ['rows', at], message: 'does not fit the columns' });
  });
export type TableToWrite = z.output<typeof tableToWrite>;

export const tables = {
  write: endpoint('tables', 'POST /tables/write', {
    summary: 'An Excel file of the rows that a list shows; nothing is kept',
    body: tableToWrite,
    answer: workbook,
    reads: true,
    right: 'read',
    bodyLimit: 32 * 1024 * 1024,
  }),

  read: endpoint('tables', 'POST /tables/read', {
    summary: 'Read the sheets of a .csv, .xlsx, .xls, .ods or .txt file as text; nothing is kept',
    answer: z.object({
      data: z.object({
        /** What the content of the file is, whatever its name says. */
        kind: tableKind,
        sheets: z.array(tableSheet),
        /** The hash of the file's bytes, in hexadecimal. */
        sha256: z.string(),
      }),
    }),
    reads: true,
    upload: true,
    // The limit of the file, and room for what multipart adds to it.
    bodyLimit: HSD_MAX_BYTES + 64 * 1024,
  }),
};
