import { formatCount } from '../../../shared/calc/count-text.ts';
import { isWithin, hsdDifference, type HsdRecord, type RowProblem } from '../../../shared/reading/pump-bill.ts';
import { addDays, dayOf } from '../../../shared/calc/dates.ts';
import { subtract } from '../../../shared/calc/money.ts';
import { nearness } from '../../../shared/calc/keys.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import {
  mostLookedUp,
  reasonRequired,
  type HsdCandidate,
  type HsdChanged,
  type HsdNotFound,
  type HsdPumpSettings,
  type hsdVerification,
} from '../../../shared/contract/hsd-verification.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import {
  insertAcceptances,
  selectBillRows,
  selectPump,
  selectTolerances,
  selectUploadPump,
  upsertTolerance,
  type Acceptance,
  type BillRow,
  type StoredBillRow,
} from './hsd-bills.queries.ts';
import {
  selectNearChallans,
  selectOneCharacterOff,
  selectWithoutZeros,
  type NearChallan,
  type Period,
} from './hsd-near.queries.ts';
import { lockForHsd, type LockedForHsd, type TpMatch } from './hsd-verification.queries.ts';
import { petrolPumpTable } from '../master-data/petrol-pumps.queries.ts';
import { fieldRefusal, notFound, Refusal } from '../../refusal.ts';

/**
 * A pump's bills beyond the comparison itself: the remembered settings, the stored rows, near matches, and the
 * acceptance of rows (docs/specification.md §11.5).
 */

/** The tolerance in ₹ of a pump that has no own one. */
export const defaultTolerance = '1.00';

/** Returns the remembered settings of a pump's bills, also of a deleted pump: its challans are still verified with them. */
export async function getPumpSettings(db: TenantDb, pumpId: string): Promise<HsdPumpSettings> {
  const pump = await selectPump(db, pumpId);
  if (!pump) throw notFound('Petrol pump');
  const { tolerance, columns } = pump;
  return {
    tolerance,
    columns: columns && { tpHeading: columns.tpHeading, amountHeading: columns.amountHeading },
  };
}

export async function setTolerance(
  db: TenantDb,
  caller: Caller,
  pumpId: string,
  tolerance: string,
): Promise<HsdPumpSettings> {
  if (!(await petrolPumpTable.lock(db, pumpId))) throw notFound('Petrol pump');
  await upsertTolerance(db, caller, pumpId, tolerance);
  return getPumpSettings(db, pumpId);
}

/** A row that was compared with the only challan of its TP No. */
export interface ComparedRow {
  record: HsdRecord;
  match: TpMatch;
  kind: 'match' | 'mismatch' | 'verified';
}

/** Returns the pump of all matched challans, or null when there is none or more than one. */
export function commonPump(compared: readonly ComparedRow[]): string | null {
  const pumps = new Set(compared.map(({ match }) => match.pumpId));
  return pumps.size === 1 ? ([...pumps][0] ?? null) : null;
}

const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;

/**
 * Returns the month of most of the matched challans; without any, the current month. Months are written as their first
 * day.
 */
function mostFrequentMonth(compared: readonly ComparedRow[]): string {
  const counts = new Map<string, number>();
  for (const { match } of compared) {
    const month = monthOf(match.loadingOn);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? monthOf(dayOf(new Date()));
}

/** Returns every row of the bill in its stored form. */
export function toBillRows(
  records: readonly HsdRecord[],
  compared: readonly ComparedRow[],
  missing: readonly HsdRecord[],
  problems: readonly RowProblem[],
): BillRow[] {
  const month = mostFrequentMonth(compared);
  const recordOf = new Map(records.map((record) => [record.row, record]));
  const ofRecord = ({ row, tpNo, key, amount, vehicleNo = '', date = '' }: HsdRecord) => ({
    row,
    tpNo,
    tpKey: key,
    amount,
    vehicleNo,
    date,
    note: '',
    challanId: null,
    challanAmount: null,
    month: /^\d{4}-\d\d-\d\d$/.test(date) ? monthOf(date) : month,
  });
  return [
    ...compared.map(({ record, match, kind }) => ({
      ...ofRecord(record),
      kind,
      challanId: match.id,
      challanAmount: match.hsdAmount,
      month: monthOf(match.loadingOn),
    })),
    ...missing.map((record) => ({ ...ofRecord(record), kind: 'not-found' as const })),
    ...problems.map(({ row, text, tpNo = '', amount = null }) => {
      const record = recordOf.get(row);
      const known = record
        ? ofRecord(record)
        : { row, tpNo, tpKey: '', amount, vehicleNo: '', date: '', challanId: null, challanAmount: null, month };
      return { ...known, kind: 'set-aside' as const, note: text };
    }),
  ];
}

/** At most this many near challans are offered for a row; more would not help to decide. */
const maxOffered = 3;
/** How many days around the loading days of the matched challans are searched. */
const daysAround = 31;
/** How many days back are searched for a bill without any matched challan. */
const daysBack = 400;

/** Finds the challans that rows without a match could belong to. Nothing is decided here. */
export async function findNearMatches(
  db: TenantDb,
  missing: readonly HsdRecord[],
  compared: readonly ComparedRow[],
  pumpId: string | null,
  toleranceOf: (pumpId: string) => string,
): Promise<HsdNotFound[]> {
  if (missing.length === 0) return [];
  const keys = missing.map(({ key }) => key);
  const taken = compared.map(({ match }) => match.id);
  const takenIds = new Set(taken);
  const pairs = [
    ...(await selectWithoutZeros(db, keys, pumpId)).filter(({ id }) => !takenIds.has(id)),
    ...(await selectOneCharacterOff(db, keys.slice(0, mostLookedUp), pumpId, periodOf(compared), taken)),
  ];
  const idsOf = new Map<number, Set<string>>();
  const rowsOf = new Map<string, Set<number>>();
  for (const { position, id } of pairs) {
    idsOf.set(position, (idsOf.get(position) ?? new Set()).add(id));
    rowsOf.set(id, (rowsOf.get(id) ?? new Set()).add(position));
  }
  const challans = await selectNearChallans(db, [...rowsOf.keys()]);
  return missing.map(({ row, tpNo, key, amount, vehicleNo = '', date = '' }, position) => {
    const ids = [...(idsOf.get(position) ?? [])];
    const near = ids.flatMap((id) => {
      const challan = challans.get(id);
      return challan ? [candidateOf(key, amount, challan, toleranceOf)] : [];
    });
    const [first] = ids;
    return {
      row,
      tpNo,
      uploadedAmount: amount,
      vehicleNo,
      date,
      nearCount: near.length,
      near: near.sort(compareCandidates).slice(0, maxOffered),
      isUnique: ids.length === 1 && first !== undefined && rowsOf.get(first)?.size === 1,
    };
  });
}

function candidateOf(
  key: string,
  amount: string,
  { tpKey, pumpId, ...challan }: NearChallan,
  toleranceOf: (pumpId: string) => string,
): HsdCandidate {
  const difference = subtract(amount, challan.challanAmount);
  const isWithinTolerance = isWithin(difference, toleranceOf(pumpId));
  return { ...challan, why: nearness(key, tpKey) ?? 'character', difference, isWithinTolerance };
}

/** Sorts candidates: those within the tolerance first, then those that differ only in leading zeros, then by number. */
const compareCandidates = (a: HsdCandidate, b: HsdCandidate): number =>
  Number(b.isWithinTolerance) - Number(a.isWithinTolerance) ||
  Number(b.why === 'zeros') - Number(a.why === 'zeros') ||
  (a.challanNumber < b.challanNumber ? -1 : 1);

function periodOf(compared: readonly ComparedRow[]): Period {
  const days = compared.map(({ match }) => match.loadingOn).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) {
    const today = dayOf(new Date());
    return { from: addDays(today, -daysBack), to: addDays(today, daysAround) };
  }
  return { from: addDays(first, -daysAround), to: addDays(last, daysAround) };
}

type AcceptInput = BodyOf<typeof hsdVerification.accept>;

/**
 * Marks the HSD of challans as verified although the bill's amount or TP No differs: all of them or none. Verified
 * challans are skipped and counted.
 * @throws Refusal when a row is not an open row of the upload, or its TP No is not near the challan's; when a challan
 *   is not as it was shown; and when a difference beyond the tolerance has no reason
 */
export async function acceptHsdRows(
  db: TenantDb,
  caller: Caller,
  { uploadId, rows: asked, reason = '' }: AcceptInput,
): Promise<{ verifiedCount: number; skippedCount: number }> {
  const upload = await selectUploadPump(db, uploadId);
  if (!upload) throw notFound('Upload');
  const ids = [...new Set(asked.map(({ challanId }) => challanId))];
  const rowNumbers = [...new Set(asked.map(({ row }) => row))];
  if (ids.length !== asked.length || rowNumbers.length !== asked.length) throw cannotAccept('A row');
  const locked = await lockForHsd(db, ids);
  if (locked.length !== ids.length) throw notFound('Challan');
  // Read after the locks, so that two users who accept the same row take turns.
  const kept = new Map((await selectBillRows(db, uploadId, rowNumbers)).map((row) => [row.row, row]));
  const challanOf = new Map(locked.map((challan) => [challan.id, challan]));
  const tolerances = await selectTolerances(db);

  const pairs = asked.map(({ row, challanId, challanAmount }) => {
    const [billed, challan] = [kept.get(row), challanOf.get(challanId)];
    if (!billed || !challan || !isOffered(billed, challan)) throw cannotAccept(`Row ${row}`);
    return { billed, challan, challanAmount };
  });
  const open = pairs.filter(({ challan }) => !challan.hsdVerified);
  const changed: HsdChanged[] = [];
  const lines: Acceptance[] = [];
  for (const { billed, challan, challanAmount } of open) {
    if (billed.isAccepted) throw cannotAccept(`Row ${billed.row}`);
    const { id, tpKey, pumpId, hsdAmount } = challan;
    if (pumpId === null)
      throw new Refusal('NO_PETROL_PUMP', `${challan.challanNumber} has no petrol pump: choose one there first`);
    const hasOtherPump = upload.pumpId !== null && upload.pumpId !== pumpId;
    if (hasOtherPump || hsdDifference(challanAmount, hsdAmount) !== null)
      changed.push(changeOf(challan, challanAmount, hasOtherPump));
    const difference = hsdDifference(billed.amount ?? '0.00', hsdAmount);
    if (reason === '' && !isWithin(difference, tolerances.get(pumpId) ?? defaultTolerance))
      throw fieldRefusal('VALIDATION_ERROR', 'reason', reasonRequired);
    const line = { row: billed.row, challanId: id, tpKey, hsdAmount, pumpId };
    lines.push({ ...line, reason: acceptanceReason(billed, challan, reason) });
  }
  if (changed.length > 0) throw hsdChanged(changed);

  if (lines.length > 0) {
    const { verified, recorded, kept: noted } = await insertAcceptances(db, caller, uploadId, lines);
    // Invariant before COMMIT (docs/security.md §5.2): every challan that was locked as open was changed and recorded.
    if (verified !== lines.length || recorded !== lines.length || noted !== lines.length) {
      throw new Error('An acceptance does not agree with the challans it locked');
    }
  }
  return { verifiedCount: lines.length, skippedCount: asked.length - lines.length };
}

/**
 * Whether the row may be accepted for the challan: a mismatch only for its own challan, a row without a match only for
 * a challan whose TP No is near.
 */
function isOffered({ kind, challanId, tpKey }: StoredBillRow, challan: LockedForHsd): boolean {
  if (kind === 'mismatch') return challanId === challan.id && tpKey === challan.tpKey;
  return kind === 'not-found' && nearness(tpKey, challan.tpKey) !== null;
}

const cannotAccept = (what: string): Refusal =>
  new Refusal('INVALID_REFERENCE', `${what} of the file cannot be accepted for this challan. Upload the file again.`);

const changeOf = (
  { id, challanNumber, tpNo, hsdAmount }: LockedForHsd,
  matchedAmount: string,
  hasOtherPump: boolean,
): HsdChanged => ({
  challanId: id,
  challanNumber,
  tpNo,
  matchedAmount,
  challanAmount: hsdAmount,
  hasOtherTp: false,
  hasOtherPump,
});

/** Returns the reason for the history: the bill's TP No and amount where they differ, and the user's own words. */
function acceptanceReason({ kind, tpNo, amount }: StoredBillRow, { hsdAmount }: LockedForHsd, reason: string): string {
  const parts = [
    ...(kind === 'not-found' ? [`billed as TP No ${tpNo}`] : []),
    ...(amount !== null && hsdDifference(amount, hsdAmount) !== null ? [`billed ₹${amount}`] : []),
  ];
  const said = parts.join(', ');
  const whole = reason === '' ? said : said === '' ? reason : `${reason} (${said})`;
  return whole.slice(0, 500);
}

const maxNamed = 3;

/**
 * The refusal when HSD figures changed since the comparison. Such a change clears a verification (docs/specification.md
 * §8.5), so none is set after it.
 */
export function hsdChanged(changed: readonly HsdChanged[]): Refusal {
  const names = changed.slice(0, maxNamed).map(({ challanNumber }) => challanNumber);
  const more = changed.length - names.length;
  const list = `${names.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
  const what = changed.length === 1 ? 'has changed since it was' : 'have changed since they were';
  return new Refusal('HSD_CHANGED', `Nothing was verified: ${list} ${what} compared with the file.`, {
    data: { changed },
  });
}
