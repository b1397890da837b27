import { z } from 'zod';
import { selectionNow } from './bank-statement.ts';
import { refusedRow } from './challan-sheet.ts';
import { bulkPreview } from './challans-bulk.ts';
import type { Endpoint } from './define.ts';
import type { ErrorCode } from './errors.ts';
import { hsdChangedNow, hsdColumnsToChoose } from './hsd-verification.ts';
import { recordsPreview } from './records-bulk.ts';
import { tagUsage } from './tags.ts';

// Each schema is made once, because the server keeps a serializer for each.
const refusedRows = z.object({ refused: z.array(refusedRow) });
const answeredLines = z.object({ references: z.array(z.string()) });
const ownerUse = z.object({ totalChallans: z.number() });
const tagUse = z.object({ usage: tagUsage });
const challansNow = z.union([bulkPreview, selectionNow]);
/** Goes with the code to the call that finishes the sign-in. */
const codeToken = z.object({ token: z.string() });
const stateAtBank = z.object({ fileNumber: z.string(), lineCount: z.number(), state: z.string() });

/** What a selection has become: the new preview of a bulk change, or the count and sum of a payment. */
function selectionOf({ path, resource }: Endpoint): z.ZodType | undefined {
  if (resource === 'bank-files') return undefined;
  if (!path.endsWith('/selection/change')) return selectionNow;
  return resource === 'challans' ? challansNow : recordsPreview;
}

const dataOf: Partial<Record<ErrorCode, (endpoint: Endpoint) => z.ZodType | undefined>> = {
  // The record as it is now.
  VERSION_CONFLICT: ({ answer }) => ('kind' in answer ? undefined : (answer.shape.data as z.ZodType | undefined)),
  SELECTION_CHANGED: selectionOf,
  ROWS_REFUSED: () => refusedRows,
  LINE_AT_BANK: ({ resource }) => (resource === 'bank-files' ? undefined : stateAtBank),
  LINE_ANSWERED: ({ path }) => (path.includes('/statement-lines/') ? undefined : answeredLines),
  SECOND_STEP_WANTED: () => codeToken,
  OWNER_IN_USE: () => ownerUse,
  TAG_IN_USE: () => tagUse,
  HSD_CHANGED: () => hsdChangedNow,
  // Only for a table whose columns were not found.
  INVALID_FILE: ({ resource }) => (resource === 'hsd-verification' ? hsdColumnsToChoose : undefined),
};

/** The schema of the `data` that this call may send with an error code; undefined: it sends none. */
export const errorDataOf = (endpoint: Endpoint, code: ErrorCode): z.ZodType | undefined => dataOf[code]?.(endpoint);
