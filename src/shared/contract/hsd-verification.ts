import { z } from 'zod';
import { HSD_MAX_BYTES, HSD_MAX_ROWS } from '../calc/hsd.ts';
import { endpoint } from './define.ts';
import { amountOut, ids, instant, pageQuery, pagination } from './scalars.ts';

const matched = { challanId: z.string(), tpNo: z.string(), challanNumber: z.string() };
const compared = { ...matched, uploadedAmount: amountOut, challanAmount: amountOut };

const hsdMatch = z.object(compared);
/** difference = uploaded − challan, signed. */
const hsdMismatch = z.object({ ...compared, difference: amountOut });
const hsdAlreadyVerified = z.object({ ...matched, verifiedAt: instant });
export type HsdMatch = z.output<typeof hsdMatch>;
export type HsdMismatch = z.output<typeof hsdMismatch>;
export type HsdAlreadyVerified = z.output<typeof hsdAlreadyVerified>;

/**
 * Rows of the upload result (docs/specification.md §17.7). No challan is changed by an upload; its evidence is kept
 * (listUploads).
 */
const hsdUploadResult = z.object({
  /** Rows below the header with a TP No or an amount; blank rows are not counted. */
  totalRecords: z.number(),
  /**
   * Of these, the rows that could be compared: TP No and amount could be read, the TP No occurs once in the file and on
   * at most one challan, and that challan has a petrol pump. So it is the sum of all rows under `results`.
   */
  validRecords: z.number(),
  /** totalDiscrepancies = amount mismatches + already verified + TP numbers not found. */
  summary: z.object({ validMatches: z.number(), totalDiscrepancies: z.number() }),
  results: z.object({
    validMatches: z.array(hsdMatch),
    discrepancies: z.object({
      amountMismatch: z.array(hsdMismatch),
      alreadyVerified: z.array(hsdAlreadyVerified),
      tpNotFound: z.array(z.string()),
    }),
  }),
  /** One sentence each, with the row's number: 'Row 12: TP No is empty'. */
  processingErrors: z.array(z.string()),
});
export type HsdUploadResult = z.output<typeof hsdUploadResult>;

/** The evidence of an upload: the file itself is not kept. */
const hsdUpload = z.object({
  id: z.string(),
  fileName: z.string(),
  /** Of the file's bytes, in hexadecimal. */
  sha256: z.string(),
  totalRecords: z.number(),
  validRecords: z.number(),
  validMatches: z.number(),
  totalDiscrepancies: z.number(),
  /** How many of its valid matches were verified by bulk-verify since; null while none was. */
  verifiedCount: z.number().nullable(),
  createdAt: instant,
  /** Email of the account. */
  createdBy: z.string(),
});
export type HsdUpload = z.output<typeof hsdUpload>;

/** A challan that changed since the newest upload matched it. */
export const hsdChanged = z.object({
  challanId: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  /** The HSD amount that was compared, and the current one; equal where only TP No or pump changed. */
  matchedAmount: amountOut,
  challanAmount: amountOut,
  hasOtherTp: z.boolean(),
  hasOtherPump: z.boolean(),
});
export type HsdChanged = z.output<typeof hsdChanged>;

/** `data` of a 409 HSD_CHANGED: nothing was verified; the rest can be verified without these challans. */
export const hsdChangedNow = z.object({ changed: z.array(hsdChanged) });

const roles = ['subadmin'] as const;

export const hsdVerification = {
  upload: endpoint('hsd-verification', {
    method: 'POST',
    path: '/challans/hsd-verification/upload',
    summary: "Compare a petrol pump's file with the challans",
    roles,
    answer: z.object({ data: hsdUploadResult }),
    touches: ['hsd-verification'],
    upload: true,
    // The file's own limit, and room for what multipart writes around it.
    bodyLimit: HSD_MAX_BYTES + 64 * 1024,
  }),
  listUploads: endpoint('hsd-verification', {
    method: 'GET',
    path: '/challans/hsd-verification/uploads',
    summary: 'List past uploads, newest first',
    roles,
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(hsdUpload), pagination }),
  }),
  verify: endpoint('hsd-verification', {
    method: 'POST',
    path: '/challans/hsd-verification/bulk-verify',
    summary: 'Mark the HSD of many challans as verified; verified ones are skipped and counted',
    roles,
    body: z.strictObject({ challanIds: ids(HSD_MAX_ROWS, 'No valid matches to verify') }),
    answer: z.object({ data: z.object({ verifiedCount: z.number(), skippedCount: z.number() }) }),
    errors: ['NOT_FOUND', 'NO_PETROL_PUMP', 'HSD_CHANGED'],
    touches: ['challans', 'accounting', 'hsd-verification'],
    idempotent: true,
    bodyLimit: 2 * 1024 * 1024,
  }),
};
