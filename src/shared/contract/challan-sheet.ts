import { z } from 'zod';
import { batch } from './batches.ts';
import { tagReference } from './challan-fields.ts';
import { challanReference, challanWarning } from './challan.ts';
import type { ChallanInput } from './challan-input.ts';
import { everySum } from './challans.ts';
import { declaredDays } from './declaration-state.ts';
import { endpoint } from './define.ts';
import type { ErrorCode } from './errors.ts';
import { amountOut, percentageOut, documented, text } from './scalars.ts';
import { vehicleDetails } from './trucks.ts';

/** The entry sheet (docs/specification.md §20.4): many challans checked and created at once. */
export const mostSheetRows = 1_000;

/** The client's own key of a row, by which the answer names the row. */
const rowKey = text(50, { required: 'is required' });

const rowsOf = <R extends z.ZodType<{ key: string }>>(row: R) =>
  z
    .array(row)
    .min(1, 'must be at least 1')
    .max(mostSheetRows, `must be at most ${mostSheetRows} at once`)
    .refine((rows) => new Set(rows.map(({ key }) => key)).size === rows.length, 'must each have a key of their own');

/** A cell as it was typed. What cannot be read finds nothing. */
const cell = z.string({ error: 'must be text' }).optional();

const sheetCheckInput = z.strictObject({
  rows: rowsOf(
    z.strictObject({
      key: rowKey,
      vehicleNo: cell,
      tpNo: cell,
      /** A day, or an instant. */
      loadingDate: cell,
      ownerName: cell,
      discounterName: cell,
      tagName: cell,
      petrolPumpName: cell,
      loadingPlace: cell,
      unloadingPlace: cell,
    }),
  ),
});
export type SheetCheckInput = z.output<typeof sheetCheckInput>;

/** An owner with the name that was asked for, and what tells it from others with the same name. */
const ownerCandidate = z.object({
  id: z.string(),
  name: z.string(),
  contactNumber: z.string(),
  address: z.string(),
  branchName: z.string(),
  /** The last four characters. */
  panEnding: z.string(),
});
const pumpCandidate = z.object({ id: z.string(), name: z.string(), address: z.string() });

/** What was found for each text; `asked` is the text exactly as it was sent. */
const answersOf = <F extends z.ZodType>(found: F) => z.array(z.object({ asked: z.string(), found }));

/** Names are compared without case and repeated spaces. Several records are found where they have the same name. */
const sheetCheck = z.object({
  vehicles: answersOf(vehicleDetails.nullable()),
  /** The names of owners and of discounters. */
  owners: answersOf(z.array(ownerCandidate)),
  tags: answersOf(z.array(tagReference)),
  petrolPumps: answersOf(z.array(pumpCandidate)),
  /** The TDS percentage of each found owner's last challan, which the form fills in (docs/specification.md §8.3.2). */
  lastTds: z.array(z.object({ ownerId: z.string(), tdsPercentage: percentageOut })),
  /** The days on which declarations of the found owners are valid (docs/specification.md §27.7). */
  declarations: z.array(declaredDays.extend({ ownerId: z.string() })),
  /** The rate of the last challan of each route in the rows that has one (docs/specification.md §8.3.5). */
  lastRates: z.array(z.object({ loadingPlace: z.string(), unloadingPlace: z.string(), ratePerMT: amountOut })),
  /** The rows that may be the trip of a stored challan (docs/specification.md §8.2.6), with at most three challans each. */
  twins: z.array(z.object({ key: z.string(), sameTp: z.array(challanReference), sameTrip: z.array(challanReference) })),
});
export type SheetCheck = z.output<typeof sheetCheck>;

// The input type is what a client should send; the output type is what it may in fact have sent.
/** The server checks each row by itself as a body of POST /challans, so that it names a wrong row and can keep the others. */
const sheetRow = z.looseObject({ key: rowKey }).register(documented, {
  description: 'The fields of POST /challans, and the key by which the answer names the row.',
  additionalProperties: true,
}) as unknown as z.ZodType<{ key: string } & Record<string, unknown>, { key: string } & ChallanInput>;

const sheetInput = z.strictObject({
  rows: rowsOf(sheetRow),
  /** 'all': a single wrong row prevents everything. 'valid': the valid rows are written. */
  mode: z.enum(['all', 'valid']),
});

/** A refused row with the error that POST /challans would answer for it. */
export const refusedRow = z.object({
  key: z.string(),
  // The server sends only error codes; the document of the API calls it a text.
  code: z.string() as unknown as z.ZodType<ErrorCode>,
  message: z.string(),
  fields: z.record(z.string(), z.string()),
});
export type RefusedRow = z.output<typeof refusedRow>;

/** `data` of a 400 ROWS_REFUSED: nothing was written. */
export interface RowsRefused {
  refused: RefusedRow[];
}

/** A warning about a challan that was created, with the key of its row. */
const sheetWarning = challanWarning.extend({ key: z.string() });

const sheetResult = z.object({
  batch,
  /** The created challans in the order of the rows. */
  created: z.array(
    z.object({ key: z.string(), id: z.string(), challanNumber: z.string(), netAmountPayable: amountOut }),
  ),
  refused: z.array(refusedRow),
});
export type SheetResult = z.output<typeof sheetResult>;

/** Enough for 1,000 rows with long texts. */
const sheetBytes = 4 * 1024 * 1024;

/** Calls on challans, apart from the others because only the sheet and imports load them in a browser. */
export const challanSheet = {
  checkSheet: endpoint('challans', 'POST /challans/sheet/check', {
    summary: 'Look up what the rows of an entry sheet name, and stored challans that may be the same trips',
    body: sheetCheckInput,
    answer: z.object({ data: sheetCheck }),
    reads: true,
    bodyLimit: sheetBytes,
  }),
  createMany: endpoint('challans', 'POST /challans/sheet', {
    summary: 'Create the challans of an entry sheet in one batch: all of them, or the right ones',
    body: sheetInput,
    answer: z.object({ data: sheetResult, warnings: z.array(sheetWarning) }),
    status: 201,
    errors: ['ROWS_REFUSED'],
    touches: [...everySum, 'payment-batches', 'batches'],
    idempotent: true,
    bodyLimit: sheetBytes,
  }),
};
