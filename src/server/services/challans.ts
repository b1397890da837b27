import { canDeleteChallan, canToggleHsd } from '../../shared/access.ts';
import { historyFields } from '../../shared/columns/history-fields.ts';
import { dayOf, instantOf, isDay } from '../../shared/calc/dates.ts';
import { compare, formatINR, parseAmount, roundHalfUp } from '../../shared/calc/money.ts';
import { nameKey } from '../../shared/calc/names.ts';
import type { Challan } from '../../shared/contract/challan.ts';
import {
  challanFields,
  sentName,
  typedFieldNames,
  type ChallanValues,
  type TypedValues,
} from '../../shared/contract/challan-fields.ts';
import type { BodyOf } from '../../shared/contract/define.ts';
import type { FieldKind } from '../../shared/contract/fields.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import {
  lockChallan,
  lockNamed,
  selectChallan,
  storedFields,
  updateChallan as updateChallanRow,
  updateHsdVerified,
  type NamedRecord,
  type NamedRecords,
} from '../queries/challans.ts';
import { removeChallans, type WrittenValues } from '../queries/challans-many.ts';
import { changesBetween, insertHistory, type Changes } from '../queries/history.ts';
import { invalidReference, notFound, Refusal, versionConflict } from '../refusal.ts';
import { checkChange, figuresAfterChange } from './challans-amounts.ts';
import { payChallans, unmarked, unpayChallan } from './payments.ts';

type ChangedChallan = BodyOf<typeof contract.challans.update>;

/**
 * Any subset of the fields; `{ paymentStatus }` alone is the toggle. A save that does not mention paymentStatus neither
 * pays nor un-pays. The live payment line of a paid challan always equals its net: when the net changes, the payment is
 * reversed and paid again with the new amount, in this transaction, so that the ledger shows both.
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
  if (input.ownerName !== undefined) {
    input.ownerName = ownerNameOf(input.ownerName, challan.owner.name, challan.ownerName);
  }
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
  if (!wantsPaid || (isPaid && !isNetChanged)) return present(db, id);
  // Sent together: the challan is read after it was paid, and the counter of payments is locked one round trip less.
  const [, paid] = await Promise.all([payChallans(db, caller, { kind: 'single', challanIds: [id] }), present(db, id)]);
  return paid;
}

/** Soft-deletes; never a paid one (docs/specification.md §8.1.2). */
export async function removeChallan(db: TenantDb, caller: Caller, id: string): Promise<void> {
  const challan = await lockChallan(db, id);
  if (!challan) throw notFound('Challan');
  const permission = canDeleteChallan(challan);
  if (!permission.allowed) throw new Refusal('CHALLAN_PAID', permission.reason);
  await removeChallans(db, [id]);
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
  // docs/specification.md §8.5: the TP number, the pump and these figures were verified; a change must be verified again.
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

/** In the history of many: the instant of a verification is not shown beside the fact. */
export const isShown = (field: keyof WrittenValues): boolean => field !== 'hsdVerifiedAt';

const verifiedFields = ['tpNo', 'petrolPumpId', 'hsdPricePerLiter', 'hsdInLiters', 'hsdAmount'] as const;

function netReason(before: ChallanValues, after: ChallanValues): string {
  return `Net amount payable changed from ${formatINR(before.netAmountPayable)} to ${formatINR(after.netAmountPayable)}`;
}

export async function present(db: TenantDb, id: string): Promise<Challan> {
  const challan = await selectChallan(db, id);
  if (!challan) throw new Error('A challan that was just written is there');
  return challan;
}

/**
 * The name that is stored: the owner's own, or the one that the challan has already. Another name would say that somebody
 * else is paid (docs/specification.md §8.2.2).
 */
export function ownerNameOf(sent: string, stored: string | undefined, kept: string = ''): string {
  if (sent === kept) return kept;
  const name = [stored, kept].find((candidate) => candidate !== undefined && nameKey(candidate) === nameKey(sent));
  if (name !== undefined) return name;
  const message = 'Owner Name is not the name of the chosen owner; choose the owner again.';
  throw new Refusal('VALIDATION_ERROR', message, { fields: { ownerName: message } });
}

/** What a challan names, as sentences say it. */
export const nouns = {
  ownerId: 'owner',
  discounterId: 'discounter',
  tagId: 'tag',
  petrolPumpId: 'petrol pump',
} as const;

/**
 * Of a challan that names these dead records (lockNamed): an owner, tag or pump that is deleted, another account's or
 * unknown has one answer (docs/specification.md §14.4).
 */
export function deadRefusal([dead]: readonly NamedRecord[]): Refusal | undefined {
  return dead && invalidReference(dead, nouns[dead]);
}

export async function refuseDead(db: TenantDb, named: NamedRecords): Promise<void> {
  const [dead = []] = await lockNamed(db, [named]);
  const refusal = deadRefusal(dead);
  if (refusal) throw refusal;
}

/**
 * A challan keeps the records it already names, also when they were deleted since (docs/specification.md §7.3: a hidden
 * pump).
 */
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

type Value = string | number | null;

const asSent = (sent: Value): Value => sent;
const amount = (sent: Value): Value => parseAmount(String(sent));

/** What is stored of a value that was sent, by the kind of its field. */
const storedForms: Readonly<Record<FieldKind, (sent: Value, stored: Value) => Value>> = {
  text: asSent,
  identifier: asSent,
  reference: asSent,
  money: amount,
  weight: amount,
  liters: amount,
  percent: (sent) => roundHalfUp(String(sent), 1),
  date: (sent, stored) => moved(String(sent), stored),
  instant: asSent,
  count: asSent,
  flag: asSent,
  record: asSent,
};

/** What is stored where nothing was sent for a new challan. */
const nothing: Readonly<Record<FieldKind, Value>> = {
  text: '',
  identifier: '',
  reference: '',
  money: '0.00',
  weight: '0.00',
  liters: '0.00',
  percent: null,
  date: null,
  instant: null,
  count: null,
  flag: null,
  record: null,
};

export type FieldInput = Omit<ChangedChallan, 'version' | 'paymentStatus'>;

const typedKinds = typedFieldNames.map((field) => [sentName(field), challanFields[field].kind] as const);
const nothingTyped = Object.fromEntries(typedKinds.map(([name, kind]) => [name, nothing[kind]]));

/** What a person enters, as it is stored; an absent key is empty on a new challan and unchanged on a stored one. */
export function typedOf(input: FieldInput, before: ChallanValues | null): TypedValues {
  const typed: Record<string, Value> = { ...(before ?? nothingTyped) };
  for (const [name, kind] of typedKinds) {
    const sent = input[name];
    if (sent !== undefined) typed[name] = storedForms[kind](sent, typed[name] ?? null);
  }
  // Each value has the form of its field's kind.
  return typed as TypedValues;
}

/** The stored challan merged with the sent fields, with its figures computed again. */
export function changed(before: ChallanValues, input: FieldInput): ChallanValues {
  const typed = typedOf(input, before);
  // docs/specification.md §8.3.2: clearing the petrol pump sets HSD liters, and so the HSD amount, to 0.
  const isPumpCleared = typed.petrolPumpId === null && before.petrolPumpId !== null;
  if (isPumpCleared && input.hsdInLiters === undefined) typed.hsdInLiters = '0.00';
  return { ...typed, ...figuresAfterChange(before, typed, input) };
}

/** A day that is the day of the stored instant is not a change: the form sends days, the stored time of day stays. */
function moved(sent: string, stored: Value): string {
  return typeof stored === 'string' && isDay(sent) && sent === dayOf(stored) ? stored : instantOf(sent);
}
