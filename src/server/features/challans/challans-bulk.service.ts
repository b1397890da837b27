import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { canDeleteChallan, canPayChallan, canToggleHsd, reasonOf } from '../../../shared/access.ts';
import { formatDate, instantOf } from '../../../shared/calc/dates.ts';
import { compare, formatINR, subtract, sum } from '../../../shared/calc/money.ts';
import { declarationOn, tdsDay, type DeclaredDays } from '../../../shared/calc/declaration.ts';
import { lockedSentence } from '../../../shared/calc/period-lock.ts';
import { challanFields, sentName, type SentName } from '../../../shared/contract/challan-fields.ts';
import {
  bulkFields,
  mostBulkChallans,
  tooManyMessage,
  type BulkAction,
  type BulkResult,
  type BulkFieldName,
  type BulkPreview,
  type BulkSelection,
} from '../../../shared/contract/challans-bulk.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import { isLockedChallan, isLockedChange } from '../../../shared/contract/locked-fields.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { holdLockedUpTo, selectLockedUpTo } from '../accounting/period-lock.queries.ts';
import { preparePayment, type Preparation } from '../payments/payment-preparation.queries.ts';
import {
  removeChallans,
  selectSelected,
  updateChallans,
  type StoredChallan,
  type WrittenValues,
} from './challans-many.queries.ts';
import { lockChallan, storedFields } from './challans.queries.ts';
import { insertHistoryLines, type HistoryLine } from '../history/history.queries.ts';
import { keepHolds } from './holds.queries.ts';
import { tagTable } from '../master-data/tags.queries.ts';
import { lockDeclaredDays, selectDeclaredDays } from '../tds/declarations.queries.ts';
import { conflictOfTwo } from '../../sql/conflicts.ts';
import { fieldRefusal, invalidReference, notFound, Refusal } from '../../refusal.ts';
import { recordBatch } from '../batches/batches.service.ts';
import { checkChange } from './challans-amounts.service.ts';
import {
  applyChange,
  isShownInHistory,
  refuseMissingReferences,
  touchesTds,
  type FieldInput,
} from './challans.service.ts';
import { challansPerTurn, fingerprintOf, groupByReason } from '../batches/bulk.service.ts';
import { checksOf } from '../payments/account-changes.service.ts';
import { choiceOf, payChallans, unmarked, unpayChallans } from '../payments/payments.service.ts';

/** Bulk actions on challans (docs/specification.md §8.8). The preview and the action use the same plan. */

const maxTitleLength = 200;

interface BulkInput {
  selection: BulkSelection;
  act: BulkAction;
}

/** What the action does to one challan. */
type Outcome =
  | { is: 'changed'; after: ChangedFields }
  /** The challan is paid, so it stays unchanged. */
  | { is: 'paid' }
  | { is: 'same' }
  | { is: 'refused'; reason: string };

/** The changed fields of a challan. A deletion and a payment change none of these. */
type ChangedFields = Partial<WrittenValues>;

interface Change {
  before: StoredChallan;
  after: ChangedFields;
}

/** The declarations of the owners, where the action may depend on them. */
type Declared = ReadonlyMap<string, readonly DeclaredDays[]>;

interface Selection {
  found: readonly StoredChallan[];
  declared: Declared;
  totalAmount: string;
  /** The day up to which the books are locked; null: nothing is. */
  lockedUpTo: string | null;
  /** What a payment of it would do; undefined for another action. */
  payment: Preparation | undefined;
  /** A hash of the ids and versions of all challans of the selection, of what a payment pays, and of the lock. */
  fingerprint: string;
}

interface Plan extends Selection {
  changes: readonly Change[];
  figures: Omit<BulkResult, 'batch' | 'payment'>;
}

export async function previewMany(db: TenantDb, caller: Caller, asked: BulkInput): Promise<BulkPreview> {
  const [selected] = await Promise.all([readSelection(db, asked, false), findTagName(db, asked.act)]);
  const plan = await makePlan(asked.act, selected);
  const { payment } = plan;
  const checks = payment && (await checksOf(db, caller, payment));
  return { ...toPreview(asked, plan), needsRelease: checks?.needsRelease ?? null };
}

/**
 * Applies the action to every challan of the selection that allows it, in one transaction. Paid challans stay
 * unchanged.
 * @throws Refusal SELECTION_CHANGED when the selection differs from what was expected; then nothing is changed
 */
export async function changeMany(
  db: TenantDb,
  caller: Caller,
  { expected, ...asked }: BodyOf<typeof contract.challans.changeMany>,
): Promise<BulkResult> {
  const { act, selection } = asked;
  const [, selected] = await Promise.all([
    act.kind === 'paid' && act.value && keepHolds(db),
    readSelection(db, asked, true),
  ]);
  const { found, fingerprint, totalAmount } = selected;
  const isAsExpected =
    !expected ||
    (expected.fingerprint === fingerprint &&
      expected.count === found.length &&
      compare(expected.totalAmount, totalAmount) === 0);
  if (!isAsExpected) {
    throw new Refusal(
      'SELECTION_CHANGED',
      'The selected challans have changed meanwhile. Review the new figures, then confirm again.',
      { data: toPreview(asked, await makePlan(act, selected)) },
    );
  }
  if (found.length === 0) throw noMatch(selection);
  const tagName = await findTagName(db, act);
  if (act.kind === 'set' && act.values.tagId !== undefined)
    await refuseMissingReferences(db, { tagId: act.values.tagId });
  // The database writes some changes while the next ones are computed. A payment and its reversal are written in one
  // statement.
  const writes: Promise<void>[] = [];
  const startWrite = (some: readonly Change[]): void => {
    const writing = writeChanges(db, caller, act, some);
    // The write is awaited below. Until then a failure must not end the process.
    writing.catch(() => undefined);
    writes.push(writing);
  };
  const plan = await makePlan(act, selected, act.kind === 'paid' ? undefined : startWrite);
  const { changes, figures } = plan;
  const unbatched = { ...figures, batch: null, payment: null };
  if (changes.length === 0) return unbatched;
  if (act.kind === 'paid' && act.value) return { ...unbatched, payment: await payAll(db, caller, plan) };
  if (act.kind === 'paid') startWrite(changes);
  const batch = {
    kind: 'change' as const,
    title: titleOf(act, tagName).slice(0, maxTitleLength),
    amount: figures.netChange,
    lines: changes.map((change) => ({
      record: 'challan' as const,
      id: change.before.id,
      versionAfter: change.before.version + 1,
      before: valuesBefore(act, change),
    })),
  };
  // A payment needs no history lines, because the ledger is its history.
  const lines = act.kind === 'paid' ? [] : changes.map((change) => historyLineOf(act, change));
  await Promise.all(writes);
  const { id, number } = await recordBatch(db, caller, batch);
  await insertHistoryLines(db, caller, lines, id);
  return { ...unbatched, batch: { id, number } };
}

/** Soft-deletes a challan, as a batch that can be undone. A paid one is refused (docs/specification.md §8.1.2). */
export async function removeChallan(db: TenantDb, caller: Caller, id: string): Promise<BulkResult['batch']> {
  const challan = await lockChallan(db, id);
  if (!challan) throw notFound('Challan');
  const permission = canDeleteChallan(challan);
  if (!permission.allowed) throw new Refusal('CHALLAN_PAID', permission.reason);
  await removeChallans(db, [id]);
  const line = { record: 'challan' as const, id, versionAfter: challan.version + 1, before: {} };
  const batch = await recordBatch(db, caller, { kind: 'change', title: 'Deleted', amount: '0.00', lines: [line] });
  await insertHistoryLines(db, caller, [{ entity: 'challan', entityId: id, action: 'deleted' }], batch.id);
  return { id: batch.id, number: batch.number };
}

/** Reads the selection, and locks it when it is about to be changed. */
async function readSelection(db: TenantDb, { selection, act }: BulkInput, isLocked: boolean): Promise<Selection> {
  const found = await selectSelected(db, selection, { limit: mostBulkChallans + 1, isLocked });
  if (found.length > mostBulkChallans) {
    throw fieldRefusal('VALIDATION_ERROR', 'selection', tooManyMessage(found.length));
  }
  const challanIds = found.map(({ id }) => id);
  const payment =
    act.kind === 'paid' && act.value
      ? await preparePayment(db, { filters: {}, challanIds, excludeChallanIds: [], paysNegative: false, carries: [] })
      : undefined;
  const owners = [...new Set(found.map(({ ownerId }) => ownerId))];
  const needsDeclared = act.kind === 'declared' || (act.kind === 'set' && touchesTds(act.values));
  const selectDeclared = isLocked ? lockDeclaredDays : selectDeclaredDays;
  const lockedUpTo = await (isLocked ? holdLockedUpTo : selectLockedUpTo)(db);
  return {
    found,
    declared: needsDeclared ? await selectDeclared(db, owners) : new Map(),
    totalAmount: sum(found.map(({ netAmountPayable }) => netAmountPayable)),
    lockedUpTo,
    payment,
    fingerprint: fingerprintOf(found, [
      ...(payment ? [payment.paid_amount, ...payment.left_out_ids] : []),
      ...(lockedUpTo === null ? [] : [lockedUpTo]),
    ]),
  };
}

/** `onChanges` gets about this many changes at a time. */
const writeBatchSize = 2_000;

/**
 * Plans what the action does to each of these challans. `onChanges` gets the changes while they are computed, each of them
 * once. It is not used for a payment, which may leave some challans out at the end.
 */
async function makePlan(
  act: BulkAction,
  selected: Selection,
  onChanges: (changes: readonly Change[]) => void = () => undefined,
): Promise<Plan> {
  const { found, declared, lockedUpTo } = selected;
  const outcomeOf = outcomeOfAct(act, declared);
  const changed: Change[] = [];
  const refused: [reason: string, challanNumber: string][] = [];
  let [paidCount, sameCount, flushedCount] = [0, 0, 0];
  const flushChanges = (): void => {
    const some = changed.slice(flushedCount);
    flushedCount = changed.length;
    if (some.length > 0) onChanges(some);
  };
  for (const [index, before] of found.entries()) {
    if (index % challansPerTurn === challansPerTurn - 1) {
      if (changed.length - flushedCount >= writeBatchSize) flushChanges();
      await yieldToEventLoop();
    }
    const outcome = outcomeOf(before);
    if (lockedUpTo !== null && outcome.is === 'changed') {
      const isLocked =
        act.kind === 'delete' ? isLockedChallan(lockedUpTo, before) : isLockedChange(lockedUpTo, before, outcome.after);
      if (isLocked) {
        refused.push([lockedSentence(lockedUpTo), before.challanNumber]);
        continue;
      }
    }
    if (outcome.is === 'changed') changed.push({ before, after: outcome.after });
    else if (outcome.is === 'paid') paidCount += 1;
    else if (outcome.is === 'same') sameCount += 1;
    else refused.push([outcome.reason, before.challanNumber]);
  }
  flushChanges();
  const leftOut = new Set(selected.payment?.left_out_ids);
  const changes = changed.filter(({ before }) => !leftOut.has(before.ownerId));
  for (const { before } of changed)
    if (leftOut.has(before.ownerId)) refused.push([negativeOwnerReason, before.challanNumber]);
  const changedAmount = sum(changes.map(({ before }) => before.netAmountPayable));
  const amountAfter = sum(changes.map(({ before, after }) => after.netAmountPayable ?? before.netAmountPayable));
  return {
    ...selected,
    changes,
    figures: {
      changedCount: changes.length,
      changedAmount,
      netChange: subtract(amountAfter, changedAmount),
      paidCount,
      sameCount,
      refused: groupByReason(refused)
        .map(({ names, ...group }) => ({ ...group, challanNumbers: names }))
        .toSorted((a, b) => b.count - a.count),
    },
  };
}

/** Stored as they are sent: they change no amount, and no rule but their schema concerns them. */
const withoutRules: readonly string[] = ['tagId', 'loadingPlace', 'unloadingPlace'] satisfies SentName<BulkFieldName>[];

function outcomeOfAct(act: BulkAction, declared: Declared): (challan: StoredChallan) => Outcome {
  switch (act.kind) {
    case 'declared':
      return (challan) => {
        const declarations = declared.get(challan.ownerId) ?? [];
        if (!declarationOn(declarations, tdsDay(challan))) return { is: 'refused', reason: notDeclared };
        if (challan.tdsDeclarationId !== null) return { is: 'same' };
        // It is named, because what was deducted too much has to be settled with the owner in another way.
        if (challan.paymentStatus) return { is: 'refused', reason: paidAndDeducted };
        return outcomeOfSetting(challan, { tdsPercentage: '0' }, { hasRules: true, declarations });
      };
    case 'set': {
      const hasRules = Object.keys(act.values).some((field) => !withoutRules.includes(field));
      return (challan) => {
        if (challan.paymentStatus) return { is: 'paid' };
        return outcomeOfSetting(challan, act.values, { hasRules, declarations: declared.get(challan.ownerId) ?? [] });
      };
    }
    case 'paid':
      return (challan) => {
        if (challan.paymentStatus === act.value) return { is: act.value ? 'paid' : 'same' };
        const reason = act.value ? reasonOf(canPayChallan({ ...challan, owner: challan.ownerHold })) : undefined;
        return reason === undefined ? { is: 'changed', after: {} } : { is: 'refused', reason };
      };
    // The HSD verification does not depend on the payment: paid challans can be verified too.
    case 'hsdVerified': {
      const after = { hsdVerified: act.value, hsdVerifiedAt: act.value ? new Date().toISOString() : null };
      return (challan) => {
        const reason = reasonOf(canToggleHsd({ petrolPump: challan.petrolPumpId }));
        if (reason !== undefined) return { is: 'refused', reason };
        return challan.hsdVerified === act.value ? { is: 'same' } : { is: 'changed', after };
      };
    }
    case 'delete':
      return (challan) => (challan.paymentStatus ? { is: 'paid' } : { is: 'changed', after: {} });
  }
}

const paidAndDeducted = 'It is paid, and its TDS stays as it was deducted';
const notDeclared = 'No declaration of its owner is valid on its day';

function outcomeOfSetting(
  before: StoredChallan,
  values: FieldInput,
  { hasRules, declarations }: { hasRules: boolean; declarations: readonly DeclaredDays[] },
): Outcome {
  const after = hasRules ? applyChange(before, values, { declarations, isPaid: false }) : { ...before, ...values };
  const different = storedFields.filter((field) => after[field] !== before[field]);
  if (different.length === 0) return { is: 'same' };
  try {
    if (hasRules) checkChange(before, after);
  } catch (error) {
    if (error instanceof Refusal) return { is: 'refused', reason: error.message };
    throw error;
  }
  return { is: 'changed', after: Object.fromEntries(different.map((field) => [field, after[field]])) };
}

function toPreview({ selection }: BulkInput, plan: Plan): BulkPreview {
  const { found, totalAmount, fingerprint, figures, payment } = plan;
  const asked = selection.by === 'ids' ? new Set(selection.challanIds).size : found.length;
  return {
    count: found.length,
    totalAmount,
    ...figures,
    goneCount: asked - found.length,
    negativeOwnerCount: payment?.negative_count ?? 0,
    negativeOwners: payment?.negative_owners ?? [],
    deductedAmount: payment?.deducted_amount ?? '0.00',
    needsRelease: null,
    fingerprint,
  };
}

const negativeOwnerReason = 'The sum of its owner is negative';

/** Pays all challans in one payment of the ledger. */
async function payAll(db: TenantDb, caller: Caller, { changes, payment }: Plan): Promise<BulkResult['payment']> {
  const challanIds = changes.map(({ before }) => before.id);
  const choice = choiceOf({ challanIds, paysNegative: false, carries: [] });
  const { batchId, number, totalAmount, updatedCount } = await payChallans(db, caller, choice);
  // The challans are locked, but another payment may have carried or deducted an owner's debt since the plan was made.
  if (updatedCount !== changes.length || totalAmount !== payment?.paid_amount)
    throw conflictOfTwo('A payment does not agree with what was planned');
  return batchId === null || number === null ? null : { batchId, number, totalAmount };
}

async function writeChanges(db: TenantDb, caller: Caller, act: BulkAction, changes: readonly Change[]): Promise<void> {
  const ids = changes.map(({ before }) => before.id);
  switch (act.kind) {
    case 'paid':
      await unpayChallans(db, caller, ids, unmarked);
      break;
    case 'delete':
      await removeChallans(db, ids);
      break;
    default:
      await updateChallans(db, new Map(changes.map(({ before, after }) => [before.id, after])));
  }
}

// Safe: Object.keys widens to string, but these are the fields of the table.
const fieldsOf = (after: ChangedFields): (keyof ChangedFields)[] => Object.keys(after) as (keyof ChangedFields)[];

function historyLineOf(act: BulkAction, { before, after }: Change): HistoryLine {
  const line = { entity: 'challan', entityId: before.id } as const;
  if (act.kind === 'delete') return { ...line, action: 'deleted' };
  const changes = fieldsOf(after)
    .filter(isShownInHistory)
    .map((field) => [field, [before[field], after[field]] as const] as const);
  return { ...line, action: 'updated', changes: Object.fromEntries(changes) };
}

/**
 * Returns the stored values that an undo restores. A deleted challan needs none, because the undo itself undeletes it.
 */
function valuesBefore(act: BulkAction, { before, after }: Change): Record<string, unknown> {
  if (act.kind === 'paid') return { paymentStatus: before.paymentStatus };
  return Object.fromEntries(fieldsOf(after).map((field) => [field, before[field]]));
}

/** Returns the title of the action in the list of batches: 'Tag: JSW Dolvi'. */
function titleOf(act: BulkAction, tagName: string): string {
  switch (act.kind) {
    case 'set':
      return bulkFields
        .filter((name) => act.values[sentName(name)] !== undefined)
        .map((name) => `${challanFields[name].label}: ${valueText(name, act.values[sentName(name)] ?? '', tagName)}`)
        .join(', ');
    case 'declared':
      return 'TDS 0 by declaration';
    case 'paid':
      return 'Marked unpaid';
    case 'hsdVerified':
      return act.value ? 'HSD verified' : 'HSD verification removed';
    case 'delete':
      return 'Deleted';
  }
}

function valueText(field: BulkFieldName, value: string, tagName: string): string {
  if (field === 'tag') return tagName;
  const { kind } = challanFields[field];
  if (kind === 'date') return formatDate(instantOf(value));
  return kind === 'money' ? formatINR(value) : value;
}

/**
 * Returns the name of the tag that is to be set. A deleted tag and another business's tag get the same answer as a tag
 * that does not exist.
 */
async function findTagName(db: TenantDb, act: BulkAction): Promise<string> {
  const id = act.kind === 'set' ? act.values.tagId : undefined;
  if (id === undefined) return '';
  const tag = await tagTable.get(db, id);
  if (!tag) throw invalidReference('tagId', 'tag');
  return tag.name;
}

function noMatch(selection: BulkSelection): Refusal {
  if (selection.by === 'ids') return notFound('Challan');
  return new Refusal('NO_MATCHING_CHALLANS', 'No challans found matching current filters');
}
