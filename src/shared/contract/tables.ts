import { z } from 'zod';
import { HSD_MAX_BYTES } from '../reading/pump-bill.ts';
import { tableKinds } from '../reading/tables.ts';
import { endpoint } from './define.ts';

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

export const tables = {
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
