import { z } from 'zod';
import { HSD_MAX_ROWS } from '../../../shared/calc/hsd.ts';

/**
 * The answer that the parser process may give. It has read an untrusted file, so its answer is checked like untrusted
 * input.
 */
const row = z.number().int().min(1).max(2_000_000_000);
const sentence = z.string().max(500);
const table = z.strictObject({
  totalRecords: z.number().int().min(0).max(HSD_MAX_ROWS),
  records: z
    .array(
      z.strictObject({
        row,
        tpNo: z.string().min(1).max(100),
        key: z.string().min(1).max(200),
        amount: z.string().regex(/^\d{1,12}\.\d\d$/),
      }),
    )
    .max(HSD_MAX_ROWS),
  problems: z.array(z.strictObject({ row, text: sentence })).max(HSD_MAX_ROWS),
  notes: z.array(sentence).max(300),
});

export const parserAnswer = z.union([z.strictObject({ table }), z.strictObject({ refused: sentence })]);
export type ParserAnswer = z.output<typeof parserAnswer>;
