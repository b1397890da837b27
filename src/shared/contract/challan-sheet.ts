import { z } from 'zod';
import { batch } from './batches.ts';
import { tagReference } from './challan-fields.ts';
import { challanReference } from './challan.ts';
import type { ChallanInput } from './challan-input.ts';
import type { ErrorCode } from './errors.ts';
import { amountOut, documented, text } from './scalars.ts';
import { vehicleDetails } from './trucks.ts';

/** The entry sheet (docs/specification.md §20.4): many challans checked and created at once. */
export const mostSheetRows = 1_000;

/** What the client calls a row; the answer names it so. */
const rowKey = text(50, { required: 'is required' });

const rowsOf = <R extends z.ZodType<{ key: string }>>(row: R) =>
  z
    .array(row)
    .min(1, 'must be at least 1')
    .max(mostSheetRows, `must be at most ${mostSheetRows} at once`)
    .refine((rows) => new Set(rows.map(({ key }) => key)).size === rows.length, 'must each have a key of their own');

/** As typed: a cell that says nothing readable finds nothing. */
const cell = z.string({ error: 'must be text' }).optional();

export const sheetCheckInput = z.strictObject({
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
    }),
  ),
});
export type SheetCheckInput = z.output<typeof sheetCheckInput>;

/** An owner of this name, with what tells it from its namesakes. */
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

/** One for each text that was asked, letter for letter as it was sent. */
const answersOf = <F extends z.ZodType>(found: F) => z.array(z.object({ asked: z.string(), found }));

/** Names are compared without case and repeated spaces. More than one is found where several have the name. */
export const sheetCheck = z.object({
  vehicles: answersOf(vehicleDetails.nullable()),
  /** Of owners and discounters. */
  owners: answersOf(z.array(ownerCandidate)),
  tags: answersOf(z.array(tagReference)),
  petrolPumps: answersOf(z.array(pumpCandidate)),
  /** Of the last challan of each owner that was found and has one: what the form fills in (docs/specification.md §8.3.2). */
  lastTds: z.array(z.object({ ownerId: z.string(), tdsPercentage: amountOut })),
  /** Rows with stored challans that may be the same trip (docs/specification.md §8.2.6), at most three of each. */
  twins: z.array(z.object({ key: z.string(), sameTp: z.array(challanReference), sameTrip: z.array(challanReference) })),
});
export type SheetCheck = z.output<typeof sheetCheck>;

// The input is what a client should send; the output is what it may have sent.
/** A row is checked by itself as the body of POST /challans, so that one that is wrong is named and not the request. */
const sheetRow = z.looseObject({ key: rowKey }).register(documented, {
  description: 'The fields of POST /challans, and the key by which the answer names the row.',
  additionalProperties: true,
}) as unknown as z.ZodType<{ key: string } & Record<string, unknown>, { key: string } & ChallanInput>;

export const sheetInput = z.strictObject({
  rows: rowsOf(sheetRow),
  /** 'all': one wrong row, and nothing is written. 'valid': the right ones are written. */
  mode: z.enum(['all', 'valid']),
});

/** Why a row is refused: what POST /challans answers for it. */
export const refusedRow = z.object({
  key: z.string(),
  // One of them, by the server's own type.
  code: z.string() as unknown as z.ZodType<ErrorCode>,
  message: z.string(),
  fields: z.record(z.string(), z.string()),
});
export type RefusedRow = z.output<typeof refusedRow>;

/** Nothing was written: `data` of a ROWS_REFUSED. */
export interface RowsRefused {
  refused: RefusedRow[];
}

export const sheetResult = z.object({
  batch,
  /** In the order of the rows. */
  created: z.array(
    z.object({ key: z.string(), id: z.string(), challanNumber: z.string(), netAmountPayable: amountOut }),
  ),
  refused: z.array(refusedRow),
});
export type SheetResult = z.output<typeof sheetResult>;
