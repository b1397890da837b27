import { z } from 'zod';
import { HSD_MAX_BYTES } from '../reading/pump-bill.ts';
import { tableKinds } from '../reading/tables.ts';
import { isDay, isInstant } from '../calc/dates.ts';
import { endpoint, workbook } from './define.ts';
import { documented } from './scalars.ts';

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

/** The most rows, and cells, of a table that is written. */
export const mostTableRows = 50_000;
const mostTableCells = 1_000_000;

type Cells = (string | null)[];

const isFigure = (text: string): boolean => text.length <= 40 && /^-?\d+(\.\d+)?$/.test(text);
const isDate = (text: string): boolean => isDay(text) || isInstant(text);
/** What a cell of each kind may have. Flags, states and tags come as their words. */
const fitsKind = {
  text: () => true,
  identifier: () => true,
  money: isFigure,
  weight: isFigure,
  liters: isFigure,
  percent: isFigure,
  count: isFigure,
  date: isDate,
  shortDate: isDate,
  datetime: isInstant,
};
const writtenKinds = Object.keys(fitsKind) as (keyof typeof fitsKind)[];

// Checked by hand, because a schema would make an issue of each wrong cell, of which there may be a million.
const isRow = (row: unknown): row is Cells =>
  Array.isArray(row) &&
  row.length <= 100 &&
  row.every((cell) => cell === null || (typeof cell === 'string' && cell.length <= 5_000));
const areRows = (rows: unknown): rows is Cells[] =>
  Array.isArray(rows) && rows.length <= mostTableRows && rows.every(isRow);

/** One issue for all that is wrong. */
const checked = <T>(is: (value: unknown) => value is T, message: string) =>
  z.unknown().transform((value, { issues }): T => {
    if (is(value)) return value;
    issues.push({ code: 'custom', input: undefined, message });
    return z.NEVER;
  });

const rowDocument = { type: 'array', maxItems: 100, items: { type: ['string', 'null'], maxLength: 5_000 } } as const;

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
    rows: checked(areRows, `must be at most ${mostTableRows} rows of texts`).register(documented, {
      type: 'array',
      maxItems: mostTableRows,
      items: rowDocument,
    }),
    sums: checked(isRow, 'must be a row of texts').register(documented, rowDocument).optional(),
  })
  .check(({ value, issues }) => {
    const { columns, rows, sums = [] } = value;
    const fits = columns.map(({ kind }) => fitsKind[kind]);
    const isWrong = (row: Cells): boolean =>
      row.length > fits.length || row.some((cell, at) => cell !== null && !fits[at]?.(cell));
    if (rows.length * columns.length > mostTableCells || [...rows, sums].some(isWrong))
      issues.push({ code: 'custom', input: undefined, path: ['rows'], message: 'does not fit the columns' });
  });
export type TableToWrite = z.output<typeof tableToWrite>;

export const tables = {
  write: endpoint('tables', 'POST /tables/write', {
    summary: 'An Excel file of the rows that a list shows; nothing is kept',
    roles: ['admin', 'subadmin'],
    body: tableToWrite,
    answer: workbook,
    reads: true,
    right: 'read',
    bodyLimit: 16 * 1024 * 1024,
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
