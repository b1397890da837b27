import { z } from 'zod';
import { HSD_HEADER_ROWS, HSD_MAX_BYTES, HSD_MAX_COLUMNS, HSD_MAX_ROWS } from '../reading/pump-bill.ts';
import { hsdLedgerFilters } from '../filters/hsd-ledger-filters.ts';
import { endpoint, pdf, workbook } from './define.ts';
import { filterQuery, inRangeOrder } from './filters.ts';
import {
  amountOut,
  decimal,
  id,
  ids,
  instant,
  optionalQuery,
  pageQuery,
  pagination,
  signedAmount,
  text,
  total,
  wholeNumber,
} from './scalars.ts';

/**
 * The most rows whose TP No is searched for near matches (one character replaced, missing or added). A bill with more rows
 * that match nothing is hardly a bill of this business.
 */
export const mostLookedUp = 2_000;

/** Additional fields of an answer, only where the call asks for `detail` (docs/specification.md §11.5). */
const detailed = {
  /** The row of the spreadsheet, from 1. */
  row: z.number().optional(),
  vehicleNo: z.string().optional(),
  loadingDate: z.string().optional(),
  ownerName: z.string().optional(),
};
const matched = { challanId: z.string(), tpNo: z.string(), challanNumber: z.string(), ...detailed };
const compared = { ...matched, uploadedAmount: amountOut, challanAmount: amountOut };

/** `difference` is present where the amounts differ by no more than the tolerance of the challan's pump. */
const hsdMatch = z.object({ ...compared, difference: amountOut.optional() });
/** The difference is signed: uploaded − challan. */
const hsdMismatch = z.object({ ...compared, difference: amountOut });
const hsdAlreadyVerified = z.object({ ...matched, verifiedAt: instant });
export type HsdMatch = z.output<typeof hsdMatch>;
export type HsdMismatch = z.output<typeof hsdMismatch>;
export type HsdAlreadyVerified = z.output<typeof hsdAlreadyVerified>;

/** A challan that a row may mean: its TP No has other leading zeros, or differs in one character. */
const hsdCandidate = z.object({
  challanId: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  why: z.enum(['zeros', 'character']),
  vehicleNo: z.string(),
  loadingDate: z.string(),
  ownerName: z.string(),
  challanAmount: amountOut,
  /** Uploaded − challan. */
  difference: amountOut,
  isWithinTolerance: z.boolean(),
});
export type HsdCandidate = z.output<typeof hsdCandidate>;

const hsdNotFound = z.object({
  row: z.number(),
  tpNo: z.string(),
  uploadedAmount: amountOut,
  /** The vehicle and the date of the bill; '' where it has none. */
  vehicleNo: z.string(),
  date: z.string(),
  near: z.array(hsdCandidate),
  /** How many challans fit. `near` has the first of them, beginning with those of the same amount. */
  nearCount: z.number(),
  /** Exactly one challan fits, and it fits no other row. */
  isUnique: z.boolean(),
});
export type HsdNotFound = z.output<typeof hsdNotFound>;

/** A row with a total of the bill; `rowsAmount` is the sum of the rows above it. */
const hsdTotal = z.object({ row: z.number(), text: z.string(), amount: amountOut.nullable(), rowsAmount: total });
export type HsdTotal = z.output<typeof hsdTotal>;

const hsdDetail = z.object({
  uploadId: z.string(),
  /** What the file was read as, in one line: 'Read as an HTML table'. */
  readAs: z.string(),
  /** The pump that the call named, or else the only pump of the challans that were found. */
  petrolPump: z.object({ id: z.string(), name: z.string() }).nullable(),
  totals: z.array(hsdTotal),
  notFound: z.array(hsdNotFound),
});
export type HsdDetail = z.output<typeof hsdDetail>;

/**
 * The result of an upload (docs/specification.md §11.3). An upload changes no challan. What it found is kept as evidence
 * (listUploads).
 */
const hsdUploadResult = z.object({
  /** Rows below the header with a TP No or an amount; blank rows are not counted. */
  totalRecords: z.number(),
  /**
   * The rows that could be compared: TP No and amount could be read, the TP No occurs once in the file and on at most one
   * challan, and that challan has a petrol pump. It is the number of all rows under `results`.
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
  /** A sentence with the row's number for each row that could not be compared: 'Row 12: TP No is empty'. */
  processingErrors: z.array(z.string()),
  /** Only where the call asks for it. */
  detail: hsdDetail.optional(),
});
export type HsdUploadResult = z.output<typeof hsdUploadResult>;

/** The evidence of an upload. The file itself is not kept. */
const hsdUpload = z.object({
  id: z.string(),
  fileName: z.string(),
  /** The hash of the file's bytes, in hexadecimal. */
  sha256: z.string(),
  totalRecords: z.number(),
  validRecords: z.number(),
  validMatches: z.number(),
  totalDiscrepancies: z.number(),
  /** How many of its valid matches bulk-verify has verified since; null: none. */
  verifiedCount: z.number().nullable(),
  createdAt: instant,
  /** Email of the account. */
  createdBy: z.string(),
});
export type HsdUpload = z.output<typeof hsdUpload>;

/** A row of a bill as it was compared, and what became of it. */
const hsdUploadRow = z.object({
  row: z.number(),
  found: z.enum(['match', 'mismatch', 'verified', 'not-found', 'set-aside']),
  tpNo: z.string(),
  /** null where it could not be read. */
  uploadedAmount: amountOut.nullable(),
  /** The challan that was found, or accepted for the row. */
  challanId: z.string().nullable(),
  challanNumber: z.string().nullable(),
  /** The challan's amount at that time, and uploaded − challan. */
  challanAmount: amountOut.nullable(),
  difference: amountOut.nullable(),
  /** As the bill says, '' where it says nothing. */
  billVehicle: z.string(),
  /** A day (YYYY-MM-DD), or the text of the bill where that is not a day. */
  billDate: z.string(),
  /** The HSD of the challan is verified now. */
  isVerified: z.boolean(),
  isAccepted: z.boolean(),
  /** Why it was accepted, or set aside. */
  remark: z.string(),
});
export type HsdUploadRow = z.output<typeof hsdUploadRow>;

/** A challan that was changed after the newest upload had matched it. */
const hsdChanged = z.object({
  challanId: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  /** The HSD amount that was compared, and the present one. They are equal where only the TP No or the pump changed. */
  matchedAmount: amountOut,
  challanAmount: amountOut,
  hasOtherTp: z.boolean(),
  hasOtherPump: z.boolean(),
});
export type HsdChanged = z.output<typeof hsdChanged>;

const hsdReview = z.object({
  openIds: z.array(z.string()),
  verifiedIds: z.array(z.string()),
  changed: z.array(hsdChanged),
});
export type HsdReview = z.output<typeof hsdReview>;

/** `data` of a 409 HSD_CHANGED: nothing was verified; the rest can be verified without these challans. */
export const hsdChangedNow = z.object({ changed: z.array(hsdChanged) });

/**
 * How to read an upload. Rows and columns count from 1, as a spreadsheet shows them. `headingRow` 0 means that the file
 * has no headings.
 */
const uploadQuery = z
  .object({
    /** The pump of the bill. Its columns are read as they were chosen before, and a new choice is remembered. */
    petrolPumpId: optionalQuery(id),
    /** With it rows of totals are recognised, the pump's tolerance applies, near matches are found, and rows are kept. */
    detail: optionalQuery(z.literal('true', { error: 'must be true' })),
    sheet: optionalQuery(text(100)),
    headingRow: optionalQuery(wholeNumber(0, HSD_HEADER_ROWS)),
    tpColumn: optionalQuery(wholeNumber(1, HSD_MAX_COLUMNS)),
    amountColumn: optionalQuery(wholeNumber(1, HSD_MAX_COLUMNS)),
  })
  .refine(
    ({ headingRow, tpColumn, amountColumn }) =>
      [headingRow, tpColumn, amountColumn].every((value) => (value === undefined) === (headingRow === undefined)),
    { path: ['headingRow'], error: 'must be given together with tpColumn and amountColumn' },
  )
  .refine(({ tpColumn, amountColumn }) => tpColumn === undefined || tpColumn !== amountColumn, {
    path: ['amountColumn'],
    error: 'must be another column than that of the TP numbers',
  });
export type HsdUploadQuery = z.output<typeof uploadQuery>;

/** `data` of a 400 INVALID_FILE when a person can choose the columns: the first rows, and a guess. */
export const hsdColumnsToChoose = z.object({
  /** '' for text. */
  sheet: z.string(),
  sheets: z.array(z.string()),
  /** What the file was read as, in one line: 'Read as an HTML table'. */
  readAs: z.string(),
  rows: z.array(z.array(z.string())),
  /** 0: no row looks like headings. */
  headingRow: z.number(),
  tpColumns: z.array(z.number()),
  amountColumns: z.array(z.number()),
});
export type HsdColumnsToChoose = z.output<typeof hsdColumnsToChoose>;

/** The bills of one pump in one month: billed = verified + open + disputed. */
const hsdLedgerLine = z.object({
  /** Made of the pump and the month. */
  id: z.string(),
  petrolPump: z.object({ id: z.string(), name: z.string() }),
  /** YYYY-MM */
  month: z.string(),
  rowCount: z.number(),
  billedAmount: total,
  /** The part whose challans have a verified HSD now. */
  verifiedAmount: total,
  /** The part that matches and that nobody has verified yet. */
  openAmount: total,
  disputedAmount: total,
});
export type HsdLedgerLine = z.output<typeof hsdLedgerLine>;

/** What is remembered about the bills of a pump. */
const hsdPumpSettings = z.object({
  /** By how many rupees an amount of its bills may differ from the challan's and still match. */
  tolerance: amountOut,
  /** The headings of the chosen columns, '' where its files have none; null: no columns were chosen yet. */
  columns: z.object({ tpHeading: z.string(), amountHeading: z.string() }).nullable(),
});
export type HsdPumpSettings = z.output<typeof hsdPumpSettings>;

export const HSD_REASON_MAX = 500;
export const reasonRequired = 'Please enter a reason';

export const hsdVerification = {
  upload: endpoint('hsd-verification', 'POST /challans/hsd-verification/upload', {
    summary: "Compare a petrol pump's file with the challans",
    query: uploadQuery,
    answer: z.object({ data: hsdUploadResult }),
    errors: ['INVALID_REFERENCE'],
    upload: true,
    // The limit of the file, and room for what multipart adds to it.
    bodyLimit: HSD_MAX_BYTES + 64 * 1024,
  }),
  listUploads: endpoint('hsd-verification', 'GET /challans/hsd-verification/uploads', {
    summary: 'List past uploads, newest first',
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(hsdUpload), pagination }),
  }),
  listUploadRows: endpoint('hsd-verification', 'GET /challans/hsd-verification/uploads/{id}/rows', {
    summary: 'List what was found for each row of a past upload, in the order of the file',
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(hsdUploadRow), pagination }),
  }),
  getPumpSettings: endpoint('hsd-verification', 'GET /petrol-pumps/{id}/hsd-settings', {
    summary: "What is remembered of a petrol pump's bills",
    answer: z.object({ data: hsdPumpSettings }),
  }),
  setPumpSettings: endpoint('hsd-verification', 'PUT /petrol-pumps/{id}/hsd-settings', {
    summary: "Set how far an amount of a petrol pump's bill may be off",
    body: z.strictObject({ tolerance: decimal('Please enter the tolerance') }),
    answer: z.object({ data: hsdPumpSettings }),
  }),
  exportDiscrepancies: endpoint('hsd-verification', 'GET /challans/hsd-verification/uploads/{id}/discrepancies', {
    summary: 'What of a bill is disputed, as an Excel workbook to send back to the pump',
    answer: workbook,
  }),
  exportDiscrepanciesPdf: endpoint(
    'hsd-verification',
    'GET /challans/hsd-verification/uploads/{id}/discrepancies/pdf',
    {
      summary: 'The same as a PDF, of at most 1,000 rows',
      answer: pdf,
      errors: ['VALIDATION_ERROR'],
    },
  ),
  listLedger: endpoint('hsd-verification', 'GET /challans/hsd-verification/ledger', {
    summary: 'Billed, verified and disputed of each petrol pump and month, newest month first',
    query: inRangeOrder(z.object({ ...pageQuery, ...filterQuery(hsdLedgerFilters) }), hsdLedgerFilters),
    answer: z.object({ data: z.array(hsdLedgerLine), pagination }),
  }),
  accept: endpoint('hsd-verification', 'POST /challans/hsd-verification/accept', {
    summary: 'Mark the HSD of challans as verified although the amount or the TP No of the bill differs',
    body: z.strictObject({
      uploadId: id,
      rows: z
        .array(
          z.strictObject({
            row: z.number({ error: 'must be a number' }).int().min(1),
            challanId: id,
            /** The amount that was shown. If the challan has another one by now, the answer is 409 HSD_CHANGED. */
            challanAmount: signedAmount,
          }),
          { error: 'must be a list of rows' },
        )
        .min(1, 'No row to accept')
        .max(HSD_MAX_ROWS),
      /** Required where an amount differs by more than the tolerance. */
      reason: text(HSD_REASON_MAX).optional(),
    }),
    answer: z.object({ data: z.object({ verifiedCount: z.number(), skippedCount: z.number() }) }),
    errors: ['NOT_FOUND', 'INVALID_REFERENCE', 'NO_PETROL_PUMP', 'HSD_CHANGED'],
    touches: ['challans', 'accounting', 'hsd-verification'],
    idempotent: true,
    bodyLimit: 4 * 1024 * 1024,
  }),
  review: endpoint('hsd-verification', 'POST /challans/hsd-verification/review', {
    summary: 'What of a selection can still be verified; other ids than those it names are gone',
    reads: true,
    body: z.strictObject({ challanIds: ids(HSD_MAX_ROWS, 'No valid matches to verify') }),
    answer: z.object({ data: hsdReview }),
    bodyLimit: 2 * 1024 * 1024,
  }),
  verify: endpoint('hsd-verification', 'POST /challans/hsd-verification/bulk-verify', {
    summary: 'Mark the HSD of many challans as verified; verified ones are skipped and counted',
    body: z.strictObject({ challanIds: ids(HSD_MAX_ROWS, 'No valid matches to verify') }),
    answer: z.object({ data: z.object({ verifiedCount: z.number(), skippedCount: z.number() }) }),
    errors: ['NOT_FOUND', 'NO_PETROL_PUMP', 'HSD_CHANGED'],
    touches: ['challans', 'accounting', 'hsd-verification'],
    idempotent: true,
    bodyLimit: 2 * 1024 * 1024,
  }),
};
