import { z } from 'zod';
import { HSD_MAX_BYTES } from '../reading/pump-bill.ts';
import { endpoint } from './define.ts';

/** A sheet of a file as text. It has only rows with a value, and each row ends with its last cell that has one. */
export const tableSheet = z.object({ name: z.string(), rows: z.array(z.array(z.string())) });
export type TableSheet = z.output<typeof tableSheet>;

export const tables = {
  read: endpoint('tables', {
    method: 'POST',
    path: '/tables/read',
    summary: 'Read the sheets of a .csv, .xlsx or .xls file as text; nothing is kept',
    roles: ['subadmin'],
    answer: z.object({
      data: z.object({
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
