import { canEditChallan, canToggleHsd } from '../../../shared/access.ts';
import { historyFields } from '../../../shared/columns/history-fields.ts';
import { dayOf, instantOf, isDay } from '../../../shared/calc/dates.ts';
import { compare, formatINR, parseAmount, roundHalfUp } from '../../../shared/calc/money.ts';
import { nameKey } from '../../../shared/calc/keys.ts';
import { declarationOn, tdsDay, type DeclaredDays } from '../../../shared/calc/declaration.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import {
  challanFields,
  sentName,
  typedFieldNames,
  type ChallanValues,
  type TypedValues,
} from '../../../shared/contract/challan-fields.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { FieldKind } from '../../../shared/contract/fields.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import {
  lockOwnChallan,
  lockReferences,
  selectChallan,
  storedFields,
  updateChallan as updateChallanRow,
  updateHsdVerified,
  type ReferenceField,
  type References,
} from './challans.queries.ts';
import type { OwnChallan, WrittenValues } from './challans-many.queries.ts';
import { changesBetween, type Changes } from '../history/history.queries.ts';
import { fieldRefusal, invalidReference, notFound, Refusal, versionConflict } from '../../refusal.ts';
import { requireAllowed } from '../../seat.ts';
import { lockDeclaredDays } from '../tds/declarations.queries.ts';
import { warningsOfChange, type SavedChallan } from './challan-warnings.service.ts';
import { checkChange, computeChangedFigures } from './challans-amounts.service.ts';
import { payChallans, unmarked, unpayChallan } from '../payments/payments.service.ts';

type ChangedChallan = BodyOf<typeof contract.challans.update>;

/**
 * Changes any subset of the fields; `{ paymentStatus }` alone toggles the payment. A save without paymentStatus neither
 * pays nor unpays. The live payment line of a paid challan always equals its net amount: when the net changes, the
 * payment is reversed and the challan is paid again with the new amount, in this transaction, so that the ledger shows
 * both.
 */
export async function updateChallan(
  db: TenantDb,
  caller: Caller,
  id: string,
  { version, paymentStatus, ...input }: ChangedChallan,
): Promise<SavedChallan> {
  const before = await lockOwnChallan(db, id);
  if (!before) throw notFound('Challan');
  if (version !== undefined && version !== before.version) throw versionConflict('challan', await readChallan(db, id));
  requireAllowed(canEditChallan(caller, before));

  if (input.ownerName !== undefined && input.ownerName !== before.ownerName) {
    const { owner } = await readChallan(db, id);
    input.ownerName = ownerNameOf(input.ownerName, owner.name, before.ownerName);
  }
  const declarations = touchesTds(input) ? await lockDeclaredDays(db, [before.ownerId]) : undefined;
  const after = applyChange(before, input, {
    declarations: declarations?.get(before.ownerId) ?? [],
    isPaid: before.paymentStatus,
  });
  const changes = changesBetween(before, after, storedFields.filter(isShownInHistory));
  const isChanged = Object.keys(changes).length > 0;
  if (isChanged) {
    checkChange(before, after);
    await refuseMissingReferences(db, newReferences(before, after));
  }

  const isPaid = before.paymentStatus;
  const wantsPaid = paymentStatus ?? isPaid;
  const isNetChanged = compare(before.netAmountPayable, after.netAmountPayable) !== 0;
  if (isPaid && (!wantsPaid || isNetChanged)) {
    await unpayChallan(db, caller, id, wantsPaid ? netChangedReason(before, after) : unmarked);
  }
  const warnings = isChanged ? await warningsOfChange(db, id, after, changes) : [];
  const saved = isChanged ? await saveFields(db, caller, before, after, changes) : undefined;
  if (!wantsPaid || (isPaid && !isNetChanged)) return { data: saved ?? (await readChallan(db, id)), warnings };
  // Both are sent together. So the challan is read after it was paid, and the counter of payments is locked for one
  // round trip less.
  const [, paid] = await Promise.all([
    payChallans(db, caller, { kind: 'single', challanIds: [id] }),
    readChallan(db, id),
  ]);
  return { data: paid, warnings };
}

export async function setHsdVerified(db: TenantDb, caller: Caller, id: string, hsdVerified: boolean): Promise<Challan> {
  const changes: Changes = { hsdVerified: [!hsdVerified, hsdVerified] };
  // Sent together. The challan is read after it was changed, in a statement that sees what the change has waited for.
  const [isChanged, challan] = await Promise.all([
    updateHsdVerified(db, { id, caller, changes }, hsdVerified),
    selectChallan(db, id),
  ]);
  if (!challan) throw notFound('Challan');
  if (isChanged) return challan;
  const permission = canToggleHsd(challan);
  if (!permission.allowed) throw new Refusal('NO_PETROL_PUMP', permission.reason);
  // Somebody else changed it between the two statements.
  if (challan.hsdVerified !== hsdVerified) return setHsdVerified(db, caller, id, hsdVerified);
  return challan;
}

async function saveFields(
  db: TenantDb,
  caller: Caller,
  challan: OwnChallan,
  after: ChallanValues,
  changes: Changes,
): Promise<Challan> {
  // The TP number, the pump and these figures were verified, so a change clears the verification (docs/specification.md
  // §8.5).
  const reasons = verifiedFields.filter((field) => field in changes);
  const isHsdCleared = challan.hsdVerified && reasons.length > 0;
  const named = reasons.map((field) => historyFields.challan[field].label).join(', ');
  const cleared: Changes = isHsdCleared
    ? { hsdVerified: [true, false], hsdVerifiedReason: ['', `Cleared by a change of ${named}`] }
    : {};
  return updateChallanRow(db, { id: challan.id, caller, changes: { ...changes, ...cleared } }, after, isHsdCleared);
}

/**
 * Whether the history shows the field. The time of a verification is not shown next to the verification itself, and the
 * declaration not next to the percentage.
 */
export const isShownInHistory = (field: keyof WrittenValues): boolean =>
  field !== 'hsdVerifiedAt' && field !== 'tdsDeclarationId';

const verifiedFields = ['tpNo', 'petrolPumpId', 'hsdPricePerLiter', 'hsdInLiters', 'hsdAmount'] as const;

function netChangedReason(before: ChallanValues, after: ChallanValues): string {
  return `Net amount payable changed from ${formatINR(before.netAmountPayable)} to ${formatINR(after.netAmountPayable)}`;
}

export async function readChallan(db: TenantDb, id: string): Promise<Challan> {
  const challan = await selectChallan(db, id);
  if (!challan) throw new Error('A challan that was just written cannot be found');
  return challan;
}

/**
 * Returns the owner name to store: the owner's own name, or the one that the challan already has. Any other name would
 * say that somebody else is paid (docs/specification.md §8.2.2).
 */
export function ownerNameOf(sent: string, stored: string | undefined, kept: string = ''): string {
  if (sent === kept) return kept;
  const name = [stored, kept].find((candidate) => candidate !== undefined && nameKey(candidate) === nameKey(sent));
  if (name !== undefined) return name;
  throw fieldRefusal(
    'VALIDATION_ERROR',
    'ownerName',
    'Owner Name is not the name of the chosen owner; choose the owner again.',
  );
}

/** The nouns of the records that a challan refers to, for messages. */
export const referenceNouns = {
  ownerId: 'owner',
  discounterId: 'discounter',
  tagId: 'tag',
  petrolPumpId: 'petrol pump',
} as const;

/**
 * The refusal of a challan that refers to records which are deleted or unknown (see lockReferences). A deleted owner, tag or
 * pump, another account's and an unknown one all get the same answer (docs/specification.md §14.4).
 */
export function missingReferencesRefusal([first]: readonly ReferenceField[]): Refusal | undefined {
  return first && invalidReference(first, referenceNouns[first]);
}

export async function refuseMissingReferences(db: TenantDb, references: References): Promise<void> {
  const { missing } = await lockReferences(db, [references]);
  const refusal = missingReferencesRefusal(missing[0] ?? []);
  if (refusal) throw refusal;
}

/**
 * Returns the references that the change sets. A challan keeps the records it already refers to, even when they were
 * deleted since (docs/specification.md §7.3: a hidden pump).
 */
function newReferences(before: ChallanValues, after: ChallanValues): References {
  const fields = ['discounterId', 'tagId', 'petrolPumpId'] as const;
  return Object.fromEntries(
    fields.filter((field) => after[field] !== before[field]).map((field) => [field, after[field]]),
  );
}

type Value = string | number | null;

const asSent = (sent: Value): Value => sent;
const amount = (sent: Value): Value => parseAmount(String(sent));

/** Converts a sent value to its stored form, by the kind of its field. */
const storedForms: Readonly<Record<FieldKind, (sent: Value, stored: Value) => Value>> = {
  text: asSent,
  identifier: asSent,
  reference: asSent,
  money: amount,
  weight: amount,
  liters: amount,
  percent: (sent) => roundHalfUp(String(sent), 1),
  date: (sent, stored) => storedInstant(String(sent), stored),
  instant: asSent,
  count: asSent,
  flag: asSent,
  record: asSent,
};

/** The stored value of a field of a new challan for which nothing was sent. */
const emptyValues: Readonly<Record<FieldKind, Value>> = {
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
const emptyTyped = Object.fromEntries(typedKinds.map(([name, kind]) => [name, emptyValues[kind]]));
/** Nobody sends the declaration: it follows from the owner and the day. */
const isSent = (name: (typeof typedKinds)[number][0]): name is Exclude<typeof name, 'tdsDeclarationId'> =>
  name !== 'tdsDeclarationId';

/**
 * Returns the entered fields in their stored form. A missing key is empty on a new challan and unchanged on a stored
 * one.
 */
export function typedOf(input: FieldInput, before: ChallanValues | null): TypedValues {
  const typed: Record<string, Value> = { ...(before ?? emptyTyped) };
  for (const [name, kind] of typedKinds) {
    const sent = isSent(name) ? input[name] : undefined;
    if (sent !== undefined) typed[name] = storedForms[kind](sent, typed[name] ?? null);
  }
  // The cast is safe: each value has the form of its field's kind.
  return typed as TypedValues;
}

/** Gives a new challan the declaration of its owner that is valid on its day. With one its percentage may only be 0. */
export const withDeclaration = (typed: TypedValues, declarations: readonly DeclaredDays[]): TypedValues => ({
  ...typed,
  tdsDeclarationId: declarationOn(declarations, tdsDay(typed))?.id ?? null,
});

/**
 * The same for a change. A challan keeps its percentage and its declaration until its day or its percentage changes
 * (docs/specification.md §27.7). A day on which a declaration is valid makes an untouched percentage 0; but not that of a paid
 * challan, whose payment would change with it.
 */
function settleTds(
  before: ChallanValues,
  typed: TypedValues,
  { declarations, isPaid }: TdsContext,
): Pick<TypedValues, 'tdsPercentage' | 'tdsDeclarationId'> {
  const isUntouched = typed.tdsPercentage === before.tdsPercentage;
  if (isUntouched && (isPaid || tdsDay(typed) === tdsDay(before))) return typed;
  const { tdsDeclarationId } = withDeclaration(typed, declarations);
  return { tdsDeclarationId, tdsPercentage: isUntouched && tdsDeclarationId ? '0.0' : typed.tdsPercentage };
}
/** What decides about the TDS of a changed challan: the declarations of its owner, and whether it is paid. */
export interface TdsContext {
  declarations: readonly DeclaredDays[];
  isPaid: boolean;
}

/** Whether a change may need the declarations of the owner. */
export const touchesTds = (input: FieldInput): boolean =>
  input.tdsPercentage !== undefined || input.depositedAt !== undefined || input.loadingDate !== undefined;

/** Merges the sent fields into the stored challan and computes its figures again. */
export function applyChange(before: ChallanValues, input: FieldInput, context: TdsContext): ChallanValues {
  const entered = typedOf(input, before);
  const typed = { ...entered, ...settleTds(before, entered, context) };
  // Clearing the petrol pump sets the HSD liters, and so the HSD amount, to 0 (docs/specification.md §8.3.2).
  const isPumpCleared = typed.petrolPumpId === null && before.petrolPumpId !== null;
  if (isPumpCleared && input.hsdInLiters === undefined) typed.hsdInLiters = '0.00';
  return { ...typed, ...computeChangedFigures(before, typed, input) };
}

/**
 * Returns the instant to store for a sent day. The form sends only days, so a day equal to that of the stored instant
 * is no change and keeps the stored time.
 */
function storedInstant(sent: string, stored: Value): string {
  return typeof stored === 'string' && isDay(sent) && sent === dayOf(stored) ? stored : instantOf(sent);
}
