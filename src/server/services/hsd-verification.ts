import {
  hsdDifference,
  HSD_MAX_BYTES,
  problemText,
  separateRepeated,
  type HsdRecord,
  type RowProblem,
} from '../../shared/calc/hsd.ts';
import { canToggleHsd } from '../../shared/access.ts';
import type { HsdUploadResult } from '../../shared/contract/hsd-verification.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import type { ReceivedFile } from '../files/received-file.ts';
import { kindOf } from '../files/spreadsheet/file-kind.ts';
import { UnreadableFile } from '../files/spreadsheet/messages.ts';
import { readingPlaces } from '../files/spreadsheet/reading-places.ts';
import type { HsdTable } from '../files/spreadsheet/table.ts';
import {
  insertUpload,
  insertUploadVerification,
  lockForHsd,
  selectByTpKeys,
  updateVerified,
  type TpMatch,
} from '../queries/hsd-verification.ts';
import { notFound, Refusal } from '../refusal.ts';

export interface ReadFile {
  file: { name: string; sha256: Buffer };
  table: HsdTable;
}

/** Takes a place, then the bytes, then reads them; no transaction is open meanwhile. Nothing of the file is kept. */
export async function readHsdFile(upload: {
  receive(maxBytes: number): Promise<ReceivedFile>;
  signal: AbortSignal;
}): Promise<ReadFile> {
  const place = readingPlaces.take();
  try {
    const { name, bytes, sha256 } = await upload.receive(HSD_MAX_BYTES);
    const table = await place.read(kindOf(name, bytes), bytes, upload.signal);
    return { file: { name, sha256 }, table };
  } catch (error) {
    throw error instanceof UnreadableFile ? new Refusal('INVALID_FILE', error.message) : error;
  } finally {
    place.free();
  }
}

/** Compares a file's rows with the challans (part 2 §2.6, ruling 41) and keeps the evidence; no challan is changed. */
export async function compareHsdFile(
  db: TenantDb,
  caller: Caller,
  { file, table }: ReadFile,
): Promise<HsdUploadResult> {
  const { single, repeated } = separateRepeated(table.records);
  const keys = single.map(({ key }) => key);
  const found = groupByPosition(keys.length === 0 ? [] : await selectByTpKeys(db, keys));

  const validMatches: HsdUploadResult['results']['validMatches'] = [];
  const amountMismatch: HsdUploadResult['results']['discrepancies']['amountMismatch'] = [];
  const alreadyVerified: HsdUploadResult['results']['discrepancies']['alreadyVerified'] = [];
  const tpNotFound: string[] = [];
  const problems: RowProblem[] = [...table.problems, ...repeated];
  for (const [position, record] of single.entries()) {
    const matches = found.get(position) ?? [];
    const [match] = matches;
    if (match === undefined) {
      tpNotFound.push(record.tpNo);
      continue;
    }
    const problem = problemOfMatch(record, matches);
    if (problem !== null) {
      problems.push({ row: record.row, text: problem });
      continue;
    }
    const both = { challanId: match.id, tpNo: record.tpNo, challanNumber: match.challanNumber };
    const amounts = { uploadedAmount: record.amount, challanAmount: match.hsdAmount };
    const difference = hsdDifference(record.amount, match.hsdAmount);
    // "Already verified" wins over a mismatch.
    if (match.verifiedAt !== null) alreadyVerified.push({ ...both, verifiedAt: match.verifiedAt });
    else if (difference === null) validMatches.push({ ...both, ...amounts });
    else amountMismatch.push({ ...both, ...amounts, difference });
  }

  const totalDiscrepancies = amountMismatch.length + alreadyVerified.length + tpNotFound.length;
  const counts = { totalRecords: table.totalRecords, validRecords: single.length };
  await insertUpload(db, caller, {
    ...counts,
    totalDiscrepancies,
    fileName: file.name,
    sha256: file.sha256,
    matchedIds: validMatches.map(({ challanId }) => challanId),
  });
  return {
    ...counts,
    summary: { validMatches: validMatches.length, totalDiscrepancies },
    results: { validMatches, discrepancies: { amountMismatch, alreadyVerified, tpNotFound } },
    processingErrors: [...table.notes, ...problems.sort((a, b) => a.row - b.row).map(problemText)],
  };
}

/** Why a row is not matched although challans have its TP No; null when there is no reason. */
function problemOfMatch({ tpNo }: HsdRecord, matches: readonly TpMatch[]): string | null {
  const [match, second] = matches;
  if (second !== undefined) {
    const numbers = matches.map(({ challanNumber }) => challanNumber).join(', ');
    return `TP No ${tpNo} is on several challans (${numbers}): verify the right one in the challan list`;
  }
  if (match !== undefined && !match.hasPump) {
    return `TP No ${tpNo} is on challan ${match.challanNumber}, which has no petrol pump: choose one there first`;
  }
  return null;
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

/**
 * Marks the HSD of many challans as verified, all or nothing; verified ones are skipped and counted, ids given twice count
 * once. An id that is not this tenant's living challan: 404; one without a petrol pump: 409; nothing changes.
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
  for (const { challanNumber, hasPump } of open) {
    const permission = canToggleHsd({ petrolPump: hasPump });
    if (!permission.allowed) throw new Refusal('NO_PETROL_PUMP', `${challanNumber}: ${permission.reason}`);
  }

  const { verified, recorded } = await updateVerified(
    db,
    caller,
    open.map(({ id }) => id),
  );
  // Invariant before COMMIT (safety.md, rule 29): what was locked as open is what was changed and recorded.
  if (verified !== open.length || recorded !== open.length) {
    throw new Error('A verification does not agree with the challans it locked');
  }
  const counts = { verifiedCount: verified, skippedCount: ids.length - verified };
  await insertUploadVerification(db, caller, ids, counts);
  return counts;
}
