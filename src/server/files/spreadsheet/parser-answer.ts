import { z } from 'zod';
import { HSD_HEADER_ROWS, HSD_MAX_CELL, HSD_MAX_COLUMNS, HSD_MAX_ROWS } from '../../../shared/reading/pump-bill.ts';
import { TABLE_HEADING_ROWS, tableKinds, TABLE_MAX_ROWS, TABLE_MAX_SHEETS } from '../../../shared/reading/tables.ts';

/**
 * The schema of the parser process's answer. The process has read an untrusted file, so its answer is checked like
 * untrusted input.
 */
const row = z.number().int().min(1).max(2_000_000_000);
const sentence = z.string().max(1_500);
const tpNo = z.string().min(1).max(100);
const amount = z.string().regex(/^\d{1,12}\.\d\d$/);
const column = z.number().int().min(0).max(HSD_MAX_COLUMNS);
const table = z.strictObject({
  totalRecords: z.number().int().min(0).max(HSD_MAX_ROWS),
  records: z
    .array(
      z.strictObject({
        row,
        tpNo,
        key: z.string().min(1).max(200),
        amount,
        vehicleNo: z.string().max(40).optional(),
        date: z.string().max(40).optional(),
      }),
    )
    .max(HSD_MAX_ROWS),
  problems: z
    .array(z.strictObject({ row, text: sentence, tpNo: tpNo.optional(), amount: amount.optional() }))
    .max(HSD_MAX_ROWS),
  totals: z
    .array(z.strictObject({ row, text: z.string().max(40), amount: amount.nullable(), rowsAmount: z.string().max(24) }))
    .max(HSD_MAX_ROWS),
  readAs: sentence,
  notes: z.array(sentence).max(300),
  columns: z.strictObject({
    tpHeading: z.string().max(200),
    amountHeading: z.string().max(200),
    tpColumn: column,
    amountColumn: column,
  }),
});

const cells = z.array(z.string().max(HSD_MAX_CELL)).max(HSD_MAX_COLUMNS);
const mostRows = TABLE_MAX_ROWS + TABLE_HEADING_ROWS;
const index = z.number().int().min(0).max(mostRows);
const tables = z.strictObject({
  kind: z.enum(tableKinds),
  sheets: z
    .array(
      z.strictObject({
        name: z.string().max(100),
        rows: z.array(cells).max(mostRows),
        rowNumbers: z.array(row).max(mostRows),
        merges: z.array(z.strictObject({ column, first: index, last: index })).max(mostRows * HSD_MAX_COLUMNS),
        hiddenRows: z.number().int().min(0),
        hiddenColumns: z.array(column).max(HSD_MAX_COLUMNS),
        openQuotes: z.array(row).max(mostRows),
      }),
    )
    .max(TABLE_MAX_SHEETS),
});

const sheetName = z.string().max(100);
const columns = z.strictObject({
  sheet: sheetName,
  sheets: z.array(sheetName).max(1_000),
  readAs: sentence,
  rows: z.array(z.array(z.string().max(50)).max(HSD_MAX_COLUMNS)).max(HSD_HEADER_ROWS),
  headingRow: z.number().int().min(-1).max(HSD_HEADER_ROWS),
  tpColumns: z.array(column).max(HSD_MAX_COLUMNS),
  amountColumns: z.array(column).max(HSD_MAX_COLUMNS),
});
const refused = z.strictObject({ refused: sentence, columns: columns.optional() });
/** The answers by purpose of the reading: the two columns of a petrol pump's bill ('hsd'), or all sheets. */
export const parserAnswers = {
  hsd: z.union([z.strictObject({ read: table }), refused]),
  sheets: z.union([z.strictObject({ read: tables }), refused]),
};
export type Reading = keyof typeof parserAnswers;
export type ReadAs<R extends Reading> = Extract<z.output<(typeof parserAnswers)[R]>, { read: unknown }>['read'];
export type ParserAnswer = { read: ReadAs<Reading> } | z.output<typeof refused>;
