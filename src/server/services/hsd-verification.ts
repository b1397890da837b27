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
} from '../../shared/calc/hsd.ts';
import { canToggleHsd } from '../../shared/access.ts';
import type {
  HsdColumnsToChoose,
  HsdReview,
  HsdUploadQuery,
  HsdUploadResult,
} from '../../shared/contract/hsd-verification.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { kindOf, type ReceivedFile } from '../files/spreadsheet/file-kind.ts';
import { UnreadableFile } from '../files/spreadsheet/messages.ts';
import { parseInTurn } from '../files/spreadsheet/parser-process.ts';
import type { HsdTable } from '../files/spreadsheet/table.ts';
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
} from '../queries/hsd-verification.ts';
import { insertBillRows, selectPump, selectTolerances, upsertColumns } from '../queries/hsd-bills.ts';
import { invalidReference, notFound, Refusal } from '../refusal.ts';
import { billRows, hsdChanged, nearMatches, onlyPump, usualTolerance, type ComparedRow } from './hsd-bills.ts';

export interface ReadFile {
  file: { name: string; sha256: Buffer };
  table: HsdTable;
  /** The columns were chosen for this file: remembered for its pump. */
  isChosen: boolean;
}

/**
 * Looks up what is remembered of the pump, receives the file, then parses it when it is its turn; no transaction is open
 * while it arrives and is parsed. The file is not kept.
 */
export async function readHsdFile(
  upload: {
    account: string;
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
  const chosen = chosenIn(query);
  try {
    const { name, bytes, sha256 } = await upload.receive(HSD_MAX_BYTES);
    const options = {
      sheet: query.sheet,
      chosen,
      remembered: pump?.columns ?? undefined,
      withTotals: query.detail !== undefined,
    };
    const table = await parseInTurn('hsd', upload.account, kindOf(name, bytes), bytes, upload.signal, options);
    return { file: { name, sha256 }, table, isChosen: chosen !== undefined };
  } catch (error) {
    throw error instanceof UnreadableFile
      ? new Refusal('INVALID_FILE', error.message, error.columns && { data: toChoose(error.columns) })
      : error;
  }
}

function chosenIn({ headingRow, tpColumn, amountColumn }: HsdUploadQuery): HeaderRow | undefined {
  if (headingRow === undefined || tpColumn === undefined || amountColumn === undefined) return undefined;
  return { row: headingRow - 1, tpColumn: tpColumn - 1, amountColumn: amountColumn - 1 };
}

const toChoose = ({ headingRow, tpColumns, amountColumns, ...rest }: ColumnsToChoose): HsdColumnsToChoose => ({
  ...rest,
  headingRow: headingRow + 1,
  tpColumns: tpColumns.map((column) => column + 1),
  amountColumns: amountColumns.map((column) => column + 1),
});

/**
 * Compares a file's rows with the challans (docs/specification.md §11.3) and keeps the evidence; no challan is changed.
 * With `detail` the tolerance of each challan's pump applies, near matches are looked for, and every row is kept.
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
  const toleranceOf = (pumpId: string): string => (isDetailed ? (tolerances.get(pumpId) ?? usualTolerance) : '0.00');
  const { single, repeated } = separateRepeated(table.records);
  const keys = single.map(({ key }) => key);
  const found = groupByPosition(keys.length === 0 ? [] : await selectByTpKeys(db, keys));

  const validMatches: HsdUploadResult['results']['validMatches'] = [];
  const amountMismatch: HsdUploadResult['results']['discrepancies']['amountMismatch'] = [];
  const alreadyVerified: HsdUploadResult['results']['discrepancies']['alreadyVerified'] = [];
  const missing: HsdRecord[] = [];
  const matchedAs: ComparedChallan[] = [];
  const problems: RowProblem[] = [...table.problems, ...repeated];
  const compared: ComparedRow[] = [];
  for (const [position, record] of single.entries()) {
    const [match, ...others] = found.get(position) ?? [];
    if (match === undefined) {
      missing.push(record);
      continue;
    }
    const { pumpId } = match;
    const isOfAnotherPump = isDetailed && petrolPumpId !== undefined && pumpId !== null && pumpId !== petrolPumpId;
    if (others.length > 0 || pumpId === null || isOfAnotherPump) {
      problems.push({ row: record.row, text: problemOfMatch(record, [match, ...others]) });
      continue;
    }
    const both = {
      challanId: match.id,
      tpNo: record.tpNo,
      challanNumber: match.challanNumber,
      ...(isDetailed && shownOf(record, match)),
    };
    const amounts = { uploadedAmount: record.amount, challanAmount: match.hsdAmount };
    const difference = hsdDifference(record.amount, match.hsdAmount);
    // "Already verified" wins over a mismatch.
    if (match.verifiedAt !== null) {
      alreadyVerified.push({ ...both, verifiedAt: match.verifiedAt });
      compared.push({ record, match, kind: 'verified' });
    } else if (difference === null || isWithin(difference, toleranceOf(pumpId))) {
      validMatches.push({ ...both, ...amounts, ...(difference !== null && { difference }) });
      matchedAs.push({ id: match.id, tpKey: record.key, hsdAmount: match.hsdAmount, pumpId });
      compared.push({ record, match, kind: 'match' });
    } else {
      amountMismatch.push({ ...both, ...amounts, difference });
      compared.push({ record, match, kind: 'mismatch' });
    }
  }

  const tpNotFound = missing.map(({ tpNo }) => tpNo);
  const totalDiscrepancies = amountMismatch.length + alreadyVerified.length + tpNotFound.length;
  // Without the rows that became problems above: what could not be compared is only in processingErrors.
  const validRecords = validMatches.length + totalDiscrepancies;
  const counts = { totalRecords: table.totalRecords, validRecords };
  const uploadId = randomUUID();
  const pumpId = petrolPumpId ?? (isDetailed ? onlyPump(compared) : null);
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
  await insertBillRows(db, uploadId, billRows(table.records, compared, missing, problems));
  const pump = pumpId === null ? undefined : await selectPump(db, pumpId);
  const notFound = await nearMatches(db, missing, compared, petrolPumpId ?? null, toleranceOf);
  const petrolPump = pumpId !== null && pump ? { id: pumpId, name: pump.name } : null;
  return { ...result, detail: { uploadId, petrolPump, totals: table.totals, notFound } };
}

/** What is shown beside the numbers. */
const shownOf = ({ row }: HsdRecord, { vehicleNo, loadingOn, ownerName }: TpMatch) => ({
  row,
  vehicleNo,
  loadingDate: loadingOn,
  ownerName,
});

/** Why a row is not matched although challans have its TP No: there are several, or the one has no petrol pump. */
function problemOfMatch({ tpNo }: HsdRecord, matches: readonly TpMatch[]): string {
  const numbers = matches.map(({ challanNumber }) => challanNumber).join(', ');
  if (matches.length > 1)
    return `TP No ${tpNo} is on several challans (${numbers}): verify the right one in the challan list`;
  if (typeof matches[0]?.pumpId === 'string')
    return `TP No ${tpNo} is on challan ${numbers}, which is of another petrol pump`;
  return `TP No ${tpNo} is on challan ${numbers}, which has no petrol pump: choose one there first`;
}

function groupByPosition(matches: readonly TpMatch[]): Map<number, TpMatch[]> {
  const groups = new Map<number, TpMatch[]>();
  for (const match of matches) {
    const group = groups.get(match.position);
    if (group === undefined) groups.set(match.position, [match]);
    else group.push(match);
  }
  return groups;
}

/** What of a selection that waited could be verified now. */
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
 * Marks the HSD of many challans as verified, all or nothing; verified ones are skipped and counted, ids given twice
 * count once. An id that is not a challan of this tenant, or deleted: 404; one that changed after it was compared, or
 * without a petrol pump: 409; nothing changes.
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
  for (const { challanNumber, hasPump } of open) {
    const permission = canToggleHsd({ petrolPump: hasPump });
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
