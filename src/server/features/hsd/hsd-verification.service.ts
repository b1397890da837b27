import { randomUUID } from 'node:crypto';
import {
  hsdDifference,
  type ColumnsToChoose,
  type HeaderRow,
  HSD_MAX_BYTES,
  isWithin,
  problemText,
  separateRepeated,
  type HsdRecord,
  type RowProblem,
} from '../../../shared/reading/pump-bill.ts';
import { canToggleHsd } from '../../../shared/access.ts';
import { grouped } from '../../../shared/calc/grouped.ts';
import type {
  HsdColumnsToChoose,
  HsdReview,
  HsdUploadQuery,
  HsdUploadResult,
} from '../../../shared/contract/hsd-verification.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { ReceivedFile } from '../../files/spreadsheet/file-kind.ts';
import { UnreadableFile } from '../../files/spreadsheet/messages.ts';
import { parseInTurn } from '../../files/spreadsheet/parser-process.ts';
import type { HsdTable } from '../../files/spreadsheet/bill-table.ts';
import {
  insertUpload,
  insertUploadVerification,
  lockForHsd,
  selectByTpKeys,
  selectChangedSince,
  selectHsdStates,
  updateVerified,
  type ComparedChallan,
  type TpMatch,
} from './hsd-verification.queries.ts';
import { insertBillRows, selectPump, selectTolerances, upsertColumns } from './hsd-bills.queries.ts';
import { invalidReference, notFound, Refusal } from '../../refusal.ts';
import {
  toBillRows,
  hsdChanged,
  findNearMatches,
  commonPump,
  defaultTolerance,
  type ComparedRow,
} from './hsd-bills.service.ts';

export interface ReadFile {
  file: { name: string; sha256: Buffer };
  table: HsdTable;
  /** The user chose the columns for this file; they are remembered for its pump. */
  isChosen: boolean;
}

/**
 * Looks up the pump's remembered columns, receives the file, and parses it when it is the account's turn. No
 * transaction is open while the file arrives and is parsed. The file is not stored.
 */
export async function readHsdFile(
  upload: {
    business: string;
    receive(maxBytes: number): Promise<ReceivedFile>;
    signal: AbortSignal;
    withReadTransaction<T>(work: (db: TenantDb) => Promise<T>): Promise<T>;
  },
  { query }: { query: HsdUploadQuery },
): Promise<ReadFile> {
  const { petrolPumpId } = query;
  const pump =
    petrolPumpId === undefined ? undefined : await upload.withReadTransaction((db) => selectPump(db, petrolPumpId));
  if (petrolPumpId !== undefined && !pump) throw invalidReference('petrolPumpId', 'petrol pump');
  const chosen = chosenColumns(query);
  try {
    const { name, bytes, sha256 } = await upload.receive(HSD_MAX_BYTES);
    const options = {
      sheet: query.sheet,
      chosen,
      remembered: pump?.columns ?? undefined,
      withTotals: query.detail !== undefined,
    };
    const table = await parseInTurn('hsd', upload.business, name, bytes, upload.signal, options);
    return { file: { name, sha256 }, table, isChosen: chosen !== undefined };
  } catch (error) {
    throw error instanceof UnreadableFile
      ? new Refusal('INVALID_FILE', error.message, error.columns && { data: toColumnChoice(error.columns) })
      : error;
  }
}

function chosenColumns({ headingRow, tpColumn, amountColumn }: HsdUploadQuery): HeaderRow | undefined {
  if (headingRow === undefined || tpColumn === undefined || amountColumn === undefined) return undefined;
  return { row: headingRow - 1, tpColumn: tpColumn - 1, amountColumn: amountColumn - 1 };
}

const toColumnChoice = ({ headingRow, tpColumns, amountColumns, ...rest }: ColumnsToChoose): HsdColumnsToChoose => ({
  ...rest,
  headingRow: headingRow + 1,
  tpColumns: tpColumns.map((column) => column + 1),
  amountColumns: amountColumns.map((column) => column + 1),
});

/**
 * Compares the rows of a file with the challans (docs/specification.md §11.3) and stores the evidence. No challan is
 * changed. With `detail`, the tolerance of each challan's pump applies, near matches are searched, and every row is
 * stored.
 */
export async function compareHsdFile(
  db: TenantDb,
  caller: Caller,
  { file, table, isChosen }: ReadFile,
  { petrolPumpId, detail }: HsdUploadQuery,
): Promise<HsdUploadResult> {
  if (isChosen && petrolPumpId !== undefined) await upsertColumns(db, caller, petrolPumpId, table.columns);
  const isDetailed = detail !== undefined;
  const tolerances = isDetailed ? await selectTolerances(db) : new Map<string, string>();
  const toleranceOf = (pumpId: string): string => (isDetailed ? (tolerances.get(pumpId) ?? defaultTolerance) : '0.00');
  const { single, repeated } = separateRepeated(table.records);
  const keys = single.map(({ key }) => key);
  const found = grouped(keys.length === 0 ? [] : await selectByTpKeys(db, keys), ({ tpKey }) => [tpKey]);

  const validMatches: HsdUploadResult['results']['validMatches'] = [];
  const amountMismatch: HsdUploadResult['results']['discrepancies']['amountMismatch'] = [];
  const alreadyVerified: HsdUploadResult['results']['discrepancies']['alreadyVerified'] = [];
  const missing: HsdRecord[] = [];
  const matchedAs: ComparedChallan[] = [];
  const problems: RowProblem[] = [...table.problems, ...repeated];
  const compared: ComparedRow[] = [];
  for (const record of single) {
    const [match, ...others] = found.get(record.key) ?? [];
    if (match === undefined) {
      missing.push(record);
      continue;
    }
    const { pumpId } = match;
    const isOfAnotherPump = isDetailed && petrolPumpId !== undefined && pumpId !== null && pumpId !== petrolPumpId;
    if (others.length > 0 || pumpId === null || isOfAnotherPump) {
      problems.push({ row: record.row, text: matchProblem(record, [match, ...others]) });
      continue;
    }
    const common = {
      challanId: match.id,
      tpNo: record.tpNo,
      challanNumber: match.challanNumber,
      ...(isDetailed && detailsOf(record, match)),
    };
    const amounts = { uploadedAmount: record.amount, challanAmount: match.hsdAmount };
    const difference = hsdDifference(record.amount, match.hsdAmount);
    // "Already verified" takes precedence over a mismatch.
    if (match.verifiedAt !== null) {
      alreadyVerified.push({ ...common, verifiedAt: match.verifiedAt });
      compared.push({ record, match, kind: 'verified' });
    } else if (difference === null || isWithin(difference, toleranceOf(pumpId))) {
      validMatches.push({ ...common, ...amounts, ...(difference !== null && { difference }) });
      matchedAs.push({ id: match.id, tpKey: record.key, hsdAmount: match.hsdAmount, pumpId });
      compared.push({ record, match, kind: 'match' });
    } else {
      amountMismatch.push({ ...common, ...amounts, difference });
      compared.push({ record, match, kind: 'mismatch' });
    }
  }

  const tpNotFound = missing.map(({ tpNo }) => tpNo);
  const totalDiscrepancies = amountMismatch.length + alreadyVerified.length + tpNotFound.length;
  // The rows that became problems above are not counted: they are only in processingErrors.
  const validRecords = validMatches.length + totalDiscrepancies;
  const counts = { totalRecords: table.totalRecords, validRecords };
  const uploadId = randomUUID();
  const pumpId = petrolPumpId ?? (isDetailed ? commonPump(compared) : null);
  await insertUpload(db, caller, {
    ...counts,
    id: uploadId,
    pumpId,
    totalDiscrepancies,
    fileName: file.name,
    sha256: file.sha256,
    matches: matchedAs,
  });
  const result = {
    ...counts,
    summary: { validMatches: validMatches.length, totalDiscrepancies },
    results: { validMatches, discrepancies: { amountMismatch, alreadyVerified, tpNotFound } },
    processingErrors: [...table.notes, ...problems.sort((a, b) => a.row - b.row).map(problemText)],
  };
  if (!isDetailed) return result;
  await insertBillRows(db, uploadId, toBillRows(table.records, compared, missing, problems));
  const pump = pumpId === null ? undefined : await selectPump(db, pumpId);
  const notFound = await findNearMatches(db, missing, compared, petrolPumpId ?? null, toleranceOf);
  const petrolPump = pumpId !== null && pump ? { id: pumpId, name: pump.name } : null;
  return { ...result, detail: { uploadId, readAs: table.readAs, petrolPump, totals: table.totals, notFound } };
}

/** Returns the details that are shown next to the numbers. */
const detailsOf = ({ row }: HsdRecord, { vehicleNo, loadingOn, ownerName }: TpMatch) => ({
  row,
  vehicleNo,
  loadingDate: loadingOn,
  ownerName,
});

/**
 * Says why a row is not matched although challans have its TP No: there are several, or the only one has no petrol pump
 * or another one.
 */
function matchProblem({ tpNo }: HsdRecord, matches: readonly TpMatch[]): string {
  const numbers = matches.map(({ challanNumber }) => challanNumber).join(', ');
  if (matches.length > 1)
    return `TP No ${tpNo} is on several challans (${numbers}): verify the right one in the challan list`;
  if (typeof matches[0]?.pumpId === 'string')
    return `TP No ${tpNo} is on challan ${numbers}, which is of another petrol pump`;
  return `TP No ${tpNo} is on challan ${numbers}, which has no petrol pump: choose one there first`;
}

/** Returns which challans of an older selection could be verified now. */
export async function reviewHsd(db: TenantDb, challanIds: readonly string[]): Promise<HsdReview> {
  const found = await selectHsdStates(db, challanIds);
  const open = found.filter(({ isVerified }) => !isVerified).map(({ id }) => id);
  const changed = await selectChangedSince(db, open);
  const changedIds = new Set(changed.map(({ challanId }) => challanId));
  return {
    openIds: open.filter((id) => !changedIds.has(id)),
    verifiedIds: found.filter(({ isVerified }) => isVerified).map(({ id }) => id),
    changed,
  };
}

/**
 * Marks the HSD of many challans as verified: all of them or none. Verified challans are skipped and counted; ids that
 * are given twice count once.
 * @throws Refusal NOT_FOUND for an id that is deleted or not a challan of this tenant; HSD_CHANGED or NO_PETROL_PUMP
 *   for a challan that changed after the comparison or has no pump
 */
export async function verifyHsd(
  db: TenantDb,
  caller: Caller,
  challanIds: readonly string[],
): Promise<{ verifiedCount: number; skippedCount: number }> {
  const ids = [...new Set(challanIds)];
  const locked = await lockForHsd(db, ids);
  if (locked.length !== ids.length) throw notFound('Challan');
  const open = locked.filter(({ hsdVerified }) => !hsdVerified);
  const openIds = new Set(open.map(({ id }) => id));
  const changed = await selectChangedSince(
    db,
    ids.filter((id) => openIds.has(id)),
  );
  if (changed.length > 0) throw hsdChanged(changed);
  for (const { challanNumber, pumpId } of open) {
    const permission = canToggleHsd({ petrolPump: pumpId });
    if (!permission.allowed) throw new Refusal('NO_PETROL_PUMP', `${challanNumber}: ${permission.reason}`);
  }

  const { verified, recorded } = await updateVerified(db, caller, [...openIds]);
  // Invariant before COMMIT (docs/security.md §5.2): every challan that was locked as open was changed and recorded.
  if (verified !== open.length || recorded !== open.length) {
    throw new Error('A verification does not agree with the challans it locked');
  }
  const counts = { verifiedCount: verified, skippedCount: ids.length - verified };
  await insertUploadVerification(db, caller, ids, counts);
  return counts;
}
