import { z } from 'zod';
import { HSD_MAX_BYTES } from '../calc/hsd.ts';
import { endpoint } from './define.ts';

/** A sheet of a file as text: rows with a value, each as long as its last cell with one. */
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
        /** Of the file's bytes, in hexadecimal. */
        sha256: z.string(),
      }),
    }),
    reads: true,
    upload: true,
    // The file's own limit, and room for what multipart writes around it.
    bodyLimit: HSD_MAX_BYTES + 64 * 1024,
  }),
};
