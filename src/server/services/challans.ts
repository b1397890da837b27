import { canDeleteChallan, canToggleHsd } from '../../shared/access.ts';
import { historyFields } from '../../shared/columns/history-fields.ts';
import { dayOf, instantOf, isDay } from '../../shared/calc/dates.ts';
import { compare, formatINR, parseAmount, roundHalfUp } from '../../shared/calc/money.ts';
import type { Challan } from '../../shared/contract/challan.ts';
import type { BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import {
  insertChallan,
  lockChallan,
  lockNamed,
  removeChallan as removeChallanRow,
  selectChallan,
  storedFields,
  takeChallanNumber,
  updateChallan as updateChallanRow,
  updateHsdVerified,
  type ChallanValues,
  type NamedRecords,
} from '../queries/challans.ts';
import { changesBetween, insertHistory, type Changes } from '../queries/history.ts';
import { invalidReference, notFound, Refusal, versionConflict } from '../refusal.ts';
import { checkChange, checkNew, figuresAfterChange, figuresOfNew } from './challans-amounts.ts';
import { payChallans, unmarked, unpayChallan } from './payments.ts';

type NewChallan = BodyOf<typeof contract.challans.create>;
type ChangedChallan = BodyOf<typeof contract.challans.update>;
type Typed = Omit<
  ChallanValues,
  'differenceWeight' | 'tdsAmount' | 'hsdAmount' | 'shortageAmount' | 'materialShortageAmount' | 'netAmountPayable'
>;

export async function createChallan(db: TenantDb, caller: Caller, input: NewChallan): Promise<Challan> {
  const { ownerId } = input;
  const typed = typedOf(input);
  const values: ChallanValues = { ...typed, ...figuresOfNew(typed, input) };
  checkNew(values, ownerId);

  await refuseDead(db, {
    ownerId,
    discounterId: typed.discounterId,
    tagId: typed.tagId,
    petrolPumpId: typed.petrolPumpId,
  });
  const number = await takeChallanNumber(db);
  const id = await insertChallan(db, number, ownerId, values);
  await insertHistory(db, caller, { entity: 'challan', entityId: id, action: 'created' });
  if (input.paymentStatus) await payChallans(db, caller, { kind: 'single', challanIds: [id] });
  return present(db, id);
}

/**
 * Any subset of the fields; `{ paymentStatus }` alone is the toggle. A save that does not mention paymentStatus neither
 * pays nor un-pays. A paid challan's live line always says its net: when that changes, the payment is taken back and made
 * anew with the new amount, in this transaction, so that the ledger shows both.
 */
export async function updateChallan(
  db: TenantDb,
  caller: Caller,
  id: string,
  { version, paymentStatus, ...input }: ChangedChallan,
): Promise<Challan> {
  const challan = await lockChallan(db, id);
  if (!challan) throw notFound('Challan');
  if (version !== undefined && version !== challan.version) throw versionConflict('challan', challan);

  const before = valuesOf(challan);
  const after = changed(before, input);
  const changes = changesBetween(before, after, storedFields);
  const isChanged = Object.keys(changes).length > 0;
  if (isChanged) {
    checkChange(before, after);
    await refuseDead(db, newlyNamed(before, after));
  }

  const isPaid = challan.paymentStatus;
  const wantsPaid = paymentStatus ?? isPaid;
  const isNetChanged = compare(before.netAmountPayable, after.netAmountPayable) !== 0;
  if (isPaid && (!wantsPaid || isNetChanged)) {
    await unpayChallan(db, caller, id, wantsPaid ? netReason(before, after) : unmarked);
  }
  if (isChanged) await save(db, caller, challan, after, changes);
  if (wantsPaid && (!isPaid || isNetChanged)) await payChallans(db, caller, { kind: 'single', challanIds: [id] });
  return present(db, id);
}

/** Softly, and never a paid one (ruling 30). */
export async function removeChallan(db: TenantDb, caller: Caller, id: string): Promise<void> {
  const challan = await lockChallan(db, id);
  if (!challan) throw notFound('Challan');
  const permission = canDeleteChallan(challan);
  if (!permission.allowed) throw new Refusal('CHALLAN_PAID', permission.reason);
  await removeChallanRow(db, id);
  await insertHistory(db, caller, { entity: 'challan', entityId: id, action: 'deleted' });
}

export async function setHsdVerified(db: TenantDb, caller: Caller, id: string, hsdVerified: boolean): Promise<Challan> {
  const challan = await lockChallan(db, id);
  if (!challan) throw notFound('Challan');
  const permission = canToggleHsd(challan);
  if (!permission.allowed) throw new Refusal('NO_PETROL_PUMP', permission.reason);
  if (challan.hsdVerified === hsdVerified) return challan;
  await updateHsdVerified(db, id, hsdVerified);
  const changes: Changes = { hsdVerified: [challan.hsdVerified, hsdVerified] };
  await insertHistory(db, caller, { entity: 'challan', entityId: id, action: 'updated', changes });
  return present(db, id);
}

async function save(
  db: TenantDb,
  caller: Caller,
  challan: Challan,
  after: ChallanValues,
  changes: Changes,
): Promise<void> {
  // Ruling 30: what was verified is the TP number, the pump and these figures; another one has to be verified again.
  const reasons = verifiedFields.filter((field) => field in changes);
  const isHsdCleared = challan.hsdVerified && reasons.length > 0;
  await updateChallanRow(db, challan.id, after, isHsdCleared);
  const named = reasons.map((field) => historyFields.challan[field].label).join(', ');
  const cleared: Changes = isHsdCleared
    ? { hsdVerified: [true, false], hsdVerifiedReason: ['', `Cleared by a change of ${named}`] }
    : {};
  await insertHistory(db, caller, {
    entity: 'challan',
    entityId: challan.id,
    action: 'updated',
    changes: { ...changes, ...cleared },
  });
}

const verifiedFields = ['tpNo', 'petrolPumpId', 'hsdPricePerLiter', 'hsdInLiters', 'hsdAmount'] as const;

function netReason(before: ChallanValues, after: ChallanValues): string {
  return `Net amount payable changed from ${formatINR(before.netAmountPayable)} to ${formatINR(after.netAmountPayable)}`;
}

async function present(db: TenantDb, id: string): Promise<Challan> {
  const challan = await selectChallan(db, id);
  if (!challan) throw new Error('A challan that was just written is there');
  return challan;
}

const nouns = { ownerId: 'owner', discounterId: 'discounter', tagId: 'tag', petrolPumpId: 'petrol pump' } as const;

/** An owner, tag or pump that is deleted, another account's or unknown: one answer for all (wire.md). */
async function refuseDead(db: TenantDb, named: NamedRecords): Promise<void> {
  const [dead] = await lockNamed(db, named);
  if (dead !== undefined) throw invalidReference(dead, nouns[dead]);
}

/** A record that the challan names already stays named, also when it was deleted since (ruling 12: a hidden pump). */
function newlyNamed(before: ChallanValues, after: ChallanValues): NamedRecords {
  const fields = ['discounterId', 'tagId', 'petrolPumpId'] as const;
  return Object.fromEntries(
    fields.filter((field) => after[field] !== before[field]).map((field) => [field, after[field]]),
  );
}

function valuesOf(challan: Challan): ChallanValues {
  return {
    ...challan,
    discounterId: challan.discounter?.id ?? null,
    tagId: challan.tag?.id ?? null,
    petrolPumpId: challan.petrolPump?.id ?? null,
  };
}

function typedOf(input: NewChallan): Typed {
  const petrolPumpId = input.petrolPumpId ?? null;
  return {
    tpNo: input.tpNo,
    vehicleNo: input.vehicleNo,
    ownerName: input.ownerName,
    ownerContactNumber: input.ownerContactNumber,
    discounterId: input.discounterId ?? null,
    tagId: input.tagId,
    petrolPumpId,
    material: input.material,
    loadingDate: instantOf(input.loadingDate),
    unloadingDate: instantOf(input.unloadingDate),
    loadingPlace: input.loadingPlace,
    unloadingPlace: input.unloadingPlace,
    loadingWeight: parseAmount(input.loadingWeight),
    unloadingWeight: parseAmount(input.unloadingWeight),
    discountWeight: parseAmount(input.discountWeight ?? '0'),
    ratePerMT: parseAmount(input.ratePerMT),
    tdsPercentage: roundHalfUp(input.tdsPercentage, 1),
    hsdPricePerLiter: parseAmount(input.hsdPricePerLiter ?? '0'),
    hsdInLiters: parseAmount(input.hsdInLiters ?? '0'),
    advanceMoney: parseAmount(input.advanceMoney),
    officeCharges: parseAmount(input.officeCharges),
    vehicleType: input.vehicleType ?? '',
    vehicleWheel: input.vehicleWheel ?? null,
    driverName: input.driverName ?? '',
    drivingLicenseNo: input.drivingLicenseNo ?? '',
    dataEntryBy: input.dataEntryBy ?? '',
    remarks: input.remarks ?? '',
    depositedAt: instantOf(input.depositedAt),
  };
}

type FieldInput = Omit<ChangedChallan, 'version' | 'paymentStatus'>;

/** The stored challan with the sent fields laid over it and its figures worked out again; an absent key is unchanged. */
function changed(before: ChallanValues, input: FieldInput): ChallanValues {
  const amount = (sent: string | undefined, stored: string): string =>
    sent === undefined ? stored : parseAmount(sent);
  const petrolPumpId = input.petrolPumpId === undefined ? before.petrolPumpId : input.petrolPumpId;
  const isPumpCleared = petrolPumpId === null && before.petrolPumpId !== null;
  const typed: Typed = {
    tpNo: input.tpNo ?? before.tpNo,
    vehicleNo: input.vehicleNo ?? before.vehicleNo,
    ownerName: input.ownerName ?? before.ownerName,
    ownerContactNumber: input.ownerContactNumber ?? before.ownerContactNumber,
    discounterId: input.discounterId === undefined ? before.discounterId : input.discounterId,
    tagId: input.tagId ?? before.tagId,
    petrolPumpId,
    material: input.material ?? before.material,
    loadingDate: moved(input.loadingDate, before.loadingDate),
    unloadingDate: moved(input.unloadingDate, before.unloadingDate),
    loadingPlace: input.loadingPlace ?? before.loadingPlace,
    unloadingPlace: input.unloadingPlace ?? before.unloadingPlace,
    loadingWeight: amount(input.loadingWeight, before.loadingWeight),
    unloadingWeight: amount(input.unloadingWeight, before.unloadingWeight),
    discountWeight: amount(input.discountWeight, before.discountWeight),
    ratePerMT: amount(input.ratePerMT, before.ratePerMT),
    tdsPercentage: input.tdsPercentage === undefined ? before.tdsPercentage : roundHalfUp(input.tdsPercentage, 1),
    hsdPricePerLiter: amount(input.hsdPricePerLiter, before.hsdPricePerLiter),
    // Part 2 §5: clearing the petrol pump sets HSD liters, and so the HSD amount, to 0.
    hsdInLiters: amount(input.hsdInLiters, isPumpCleared ? '0.00' : before.hsdInLiters),
    advanceMoney: amount(input.advanceMoney, before.advanceMoney),
    officeCharges: amount(input.officeCharges, before.officeCharges),
    vehicleType: input.vehicleType ?? before.vehicleType,
    vehicleWheel: input.vehicleWheel === undefined ? before.vehicleWheel : input.vehicleWheel,
    driverName: input.driverName ?? before.driverName,
    drivingLicenseNo: input.drivingLicenseNo ?? before.drivingLicenseNo,
    dataEntryBy: input.dataEntryBy ?? before.dataEntryBy,
    remarks: input.remarks ?? before.remarks,
    depositedAt: input.depositedAt === undefined ? before.depositedAt : moved(input.depositedAt, before.depositedAt),
  };
  return { ...typed, ...figuresAfterChange(before, typed, input) };
}

/** A day that is the day of the stored instant is not a change: the form sends days, the stored time of day stays. */
function moved(sent: string | undefined, stored: string): string;
function moved(sent: string, stored: string | null): string;
function moved(sent: string | undefined, stored: string | null): string {
  // One of the two is there: the overloads say so.
  if (sent === undefined) return stored!;
  return stored !== null && isDay(sent) && sent === dayOf(stored) ? stored : instantOf(sent);
}
