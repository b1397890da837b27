import { setImmediate as turn } from 'node:timers/promises';
import { canPayChallan, canToggleHsd, reasonOf } from '../../shared/access.ts';
import { amountInputs } from '../../shared/calc/challan-figures.ts';
import { formatDate, instantOf } from '../../shared/calc/dates.ts';
import { compare, formatINR, isNegative, subtract, sum } from '../../shared/calc/money.ts';
import { namedNegativeOwners, type NegativeOwner } from '../../shared/contract/bank-statement.ts';
import { challanFields, sentName } from '../../shared/contract/challan-fields.ts';
import {
  bulkFields,
  mostBulkChallans,
  tooManyMessage,
  type BulkAction,
  type BulkResult,
  type BulkFieldName,
  type BulkPreview,
  type BulkSelection,
} from '../../shared/contract/challans-bulk.ts';
import type { BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { selectCarriedByOwner } from '../queries/carries.ts';
import { selectSelected } from '../queries/challans-bulk.ts';
import { removeChallans, updateChallans, type StoredChallan, type WrittenValues } from '../queries/challans-many.ts';
import { storedFields } from '../queries/challans.ts';
import { insertHistoryLines, type HistoryLine } from '../queries/history.ts';
import { selectNames } from '../queries/records.ts';
import { tagTable } from '../queries/tags.ts';
import { conflictOfTwo } from '../queries/unique.ts';
import { invalidReference, notFound, Refusal } from '../refusal.ts';
import { recordBatch } from './batches.ts';
import { checkChange } from './challans-amounts.ts';
import { changed, isShown, refuseDead, type FieldInput } from './challans.ts';
import { atOnce, fingerprintOf, grouped } from './many.ts';
import { payChallans, unmarked, unpayChallans } from './payments.ts';

/** One act on many challans (docs/specification.md §8.8). The preview and the act go by the same plan. */

const longestTitle = 200;

interface Asked {
  selection: BulkSelection;
  act: BulkAction;
}

/** What the act does to one challan. */
type Outcome =
  | { is: 'changed'; after: Written }
  /** Paid, and so left as it is. */
  | { is: 'paid' }
  | { is: 'same' }
  | { is: 'refused'; reason: string };

/** What changes of a challan; a deletion and a payment change none of these. */
type Written = Partial<WrittenValues>;

interface Change {
  before: StoredChallan;
  after: Written;
}

interface Found {
  found: readonly StoredChallan[];
  totalAmount: string;
  /** Of every challan of the selection with its version. */
  fingerprint: string;
}

interface Plan extends Found {
  changes: readonly Change[];
  figures: Omit<BulkResult, 'batch' | 'payment'>;
  /** Of a payment: the owners that it leaves out, and what it deducts from the others. */
  negative: readonly NegativeOwner[];
  deductedAmount: string;
}

export async function previewMany(db: TenantDb, asked: Asked): Promise<BulkPreview> {
  const [selected] = await Promise.all([find(db, asked, false), tagNameOf(db, asked.act)]);
  return present(asked, await planOf(db, asked.act, selected));
}

/**
 * Does the act to every challan of the selection that allows it, in one transaction; a paid challan stays as it is. Where the
 * selection is not what was expected, nothing is changed.
 */
export async function changeMany(
  db: TenantDb,
  caller: Caller,
  { expected, ...asked }: BodyOf<typeof contract.challans.changeMany>,
): Promise<BulkResult> {
  const { act, selection } = asked;
  const selected = await find(db, asked, true);
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
      { data: present(asked, await planOf(db, act, selected)) },
    );
  }
  if (found.length === 0) throw nothingFound(selection);
  const tagName = await tagNameOf(db, act);
  if (act.kind === 'set' && act.values.tagId !== undefined) await refuseDead(db, { tagId: act.values.tagId });
  // The database writes some while the next ones are computed. A payment and its reversal are one statement.
  const writes: Promise<void>[] = [];
  const writeSome = (some: readonly Change[]): void => {
    const writing = write(db, caller, act, some);
    // Awaited below; until then a failure must not end the server.
    writing.catch(() => undefined);
    writes.push(writing);
  };
  const plan = await planOf(db, act, selected, act.kind === 'paid' ? undefined : writeSome);
  const { changes, figures } = plan;
  const nothing = { ...figures, batch: null, payment: null };
  if (changes.length === 0) return nothing;
  if (act.kind === 'paid' && act.value) return { ...nothing, payment: await pay(db, caller, plan) };
  if (act.kind === 'paid') writeSome(changes);
  const batch = {
    kind: 'change' as const,
    title: titleOf(act, tagName).slice(0, longestTitle),
    amount: figures.netChange,
    lines: changes.map((change) => ({
      record: 'challan' as const,
      id: change.before.id,
      versionAfter: change.before.version + 1,
      before: valuesBefore(act, change),
    })),
  };
  // The history of a payment is its ledger.
  const lines = act.kind === 'paid' ? [] : changes.map((change) => historyOf(act, change));
  await Promise.all(writes);
  const { id, number } = await recordBatch(db, caller, batch);
  await insertHistoryLines(db, caller, lines, id);
  return { ...nothing, batch: { id, number } };
}

/** Reads the selection, locked where it is about to be changed. */
async function find(db: TenantDb, { selection }: Asked, isLocked: boolean): Promise<Found> {
  const found = await selectSelected(db, selection, { limit: mostBulkChallans + 1, isLocked });
  if (found.length > mostBulkChallans) {
    const message = tooManyMessage(found.length);
    throw new Refusal('VALIDATION_ERROR', message, { fields: { selection: message } });
  }
  return {
    found,
    totalAmount: sum(found.map(({ netAmountPayable }) => netAmountPayable)),
    fingerprint: fingerprintOf(found),
  };
}

/** What `onSome` is given at a time, in turns of the loop below. */
const writtenAtOnce = 2_000;

/**
 * Says what the act does to each of these challans. `onSome` is given the changes as they are known, each once; not for a
 * payment, which leaves some out at the end.
 */
async function planOf(
  db: TenantDb,
  act: BulkAction,
  selected: Found,
  onSome: (changes: readonly Change[]) => void = () => undefined,
): Promise<Plan> {
  const { found } = selected;
  const outcomeOf = outcomes(act);
  const changed: Change[] = [];
  const refused: [reason: string, challanNumber: string][] = [];
  let [paidCount, sameCount, given] = [0, 0, 0];
  const giveSome = (): void => {
    const some = changed.slice(given);
    given = changed.length;
    if (some.length > 0) onSome(some);
  };
  for (const [index, before] of found.entries()) {
    if (index % atOnce === atOnce - 1) {
      if (changed.length - given >= writtenAtOnce) giveSome();
      await turn();
    }
    const outcome = outcomeOf(before);
    if (outcome.is === 'changed') changed.push({ before, after: outcome.after });
    else if (outcome.is === 'paid') paidCount += 1;
    else if (outcome.is === 'same') sameCount += 1;
    else refused.push([outcome.reason, before.challanNumber]);
  }
  giveSome();
  const { negative, deductedAmount } =
    act.kind === 'paid' && act.value ? await balancesOf(db, changed) : { negative: [], deductedAmount: '0.00' };
  const leftOut = new Set(negative.map(({ id }) => id));
  const changes = changed.filter(({ before }) => !leftOut.has(before.ownerId));
  for (const { before } of changed) if (leftOut.has(before.ownerId)) refused.push([ofNegative, before.challanNumber]);
  const changedAmount = sum(changes.map(({ before }) => before.netAmountPayable));
  const amountAfter = sum(changes.map(({ before, after }) => after.netAmountPayable ?? before.netAmountPayable));
  return {
    ...selected,
    changes,
    negative,
    deductedAmount,
    figures: {
      changedCount: changes.length,
      changedAmount,
      netChange: subtract(amountAfter, changedAmount),
      paidCount,
      sameCount,
      refused: grouped(refused)
        .map(({ names, ...group }) => ({ ...group, challanNumbers: names }))
        .toSorted((a, b) => b.count - a.count),
    },
  };
}

const isAmountField = (field: string): boolean => amountInputs.some((name) => name === field);

function outcomes(act: BulkAction): (challan: StoredChallan) => Outcome {
  switch (act.kind) {
    case 'set': {
      // A tag and a place are stored as they are sent, and break no rule that their schemas do not have.
      const isRuled = Object.keys(act.values).some((field) => field === 'depositedAt' || isAmountField(field));
      return (challan) => (challan.paymentStatus ? { is: 'paid' } : outcomeOfSetting(challan, act.values, isRuled));
    }
    case 'paid':
      return (challan) => {
        if (challan.paymentStatus === act.value) return { is: act.value ? 'paid' : 'same' };
        const reason = act.value ? reasonOf(canPayChallan({ ...challan, owner: challan.ownerHold })) : undefined;
        return reason === undefined ? { is: 'changed', after: {} } : { is: 'refused', reason };
      };
    // Whether the diesel was checked has nothing to do with the payment: a paid challan is verified too.
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

function outcomeOfSetting(before: StoredChallan, values: FieldInput, isRuled: boolean): Outcome {
  const after = isRuled ? changed(before, values) : { ...before, ...values };
  const different = storedFields.filter((field) => after[field] !== before[field]);
  if (different.length === 0) return { is: 'same' };
  try {
    if (isRuled) checkChange(before, after);
  } catch (error) {
    if (error instanceof Refusal) return { is: 'refused', reason: error.message };
    throw error;
  }
  return { is: 'changed', after: Object.fromEntries(different.map((field) => [field, after[field]])) };
}

function present({ selection }: Asked, plan: Plan): BulkPreview {
  const { found, totalAmount, fingerprint, figures, negative, deductedAmount } = plan;
  const asked = selection.by === 'ids' ? new Set(selection.challanIds).size : found.length;
  return {
    count: found.length,
    totalAmount,
    ...figures,
    goneCount: asked - found.length,
    negativeOwnerCount: negative.length,
    negativeOwners: negative.slice(0, namedNegativeOwners),
    deductedAmount,
    fingerprint,
  };
}

const ofNegative = 'The sum of its owner is negative';

/**
 * As on the bank statement (docs/specification.md §10.5): owners whose challans, less what was carried, come to less than zero
 * are left out, the lowest first; of the others what was carried is deducted.
 */
async function balancesOf(
  db: TenantDb,
  changes: readonly Change[],
): Promise<{ negative: NegativeOwner[]; deductedAmount: string }> {
  const byOwner = new Map<string, string[]>();
  for (const { before } of changes) {
    const nets = byOwner.get(before.ownerId);
    if (nets) nets.push(before.netAmountPayable);
    else byOwner.set(before.ownerId, [before.netAmountPayable]);
  }
  const carried = await selectCarriedByOwner(db, [...byOwner.keys()]);
  const balances = [...byOwner].map(([id, nets]) => {
    const carriedAmount = carried.get(id) ?? '0.00';
    return { id, challanCount: nets.length, amount: subtract(sum(nets), carriedAmount), carriedAmount };
  });
  const negative = balances.filter(({ amount }) => isNegative(amount));
  const names = await selectNames(
    db,
    'owners',
    negative.map(({ id }) => id),
  );
  return {
    negative: negative
      .map((owner) => ({ ...owner, name: names.get(owner.id) ?? '' }))
      .toSorted((a, b) => compare(a.amount, b.amount)),
    deductedAmount: sum(balances.flatMap(({ amount, carriedAmount }) => (isNegative(amount) ? [] : [carriedAmount]))),
  };
}

/** All of them in one payment of the ledger. */
async function pay(db: TenantDb, caller: Caller, { changes }: Plan): Promise<BulkResult['payment']> {
  const challanIds = changes.map(({ before }) => before.id);
  const { batchId, number, totalAmount, updatedCount } = await payChallans(db, caller, {
    kind: 'selected',
    challanIds,
    leavesNegative: true,
    deducts: 'open',
  });
  // The challans are locked; what an owner owes may have been carried by another payment since the plan was made.
  if (updatedCount !== changes.length) throw conflictOfTwo('A payment does not agree with what was planned');
  return batchId === null || number === null ? null : { batchId, number, totalAmount };
}

async function write(db: TenantDb, caller: Caller, act: BulkAction, changes: readonly Change[]): Promise<void> {
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

// Object.keys widens to string; these are the fields of the table.
const fieldsOf = (after: Written): (keyof Written)[] => Object.keys(after) as (keyof Written)[];

function historyOf(act: BulkAction, { before, after }: Change): HistoryLine {
  const line = { entity: 'challan', entityId: before.id } as const;
  if (act.kind === 'delete') return { ...line, action: 'deleted' };
  const changes = fieldsOf(after)
    .filter(isShown)
    .map((field) => [field, [before[field], after[field]] as const] as const);
  return { ...line, action: 'updated', changes: Object.fromEntries(changes) };
}

/** The stored values to go back to; a deleted challan is there again by the undo itself. */
function valuesBefore(act: BulkAction, { before, after }: Change): Record<string, unknown> {
  if (act.kind === 'paid') return { paymentStatus: before.paymentStatus };
  return Object.fromEntries(fieldsOf(after).map((field) => [field, before[field]]));
}

/** What was done, for the list of batches: 'Tag: JSW Dolvi'. */
function titleOf(act: BulkAction, tagName: string): string {
  switch (act.kind) {
    case 'set':
      return bulkFields
        .filter((name) => act.values[sentName(name)] !== undefined)
        .map((name) => `${challanFields[name].label}: ${wordOf(name, act.values[sentName(name)] ?? '', tagName)}`)
        .join(', ');
    case 'paid':
      return 'Marked unpaid';
    case 'hsdVerified':
      return act.value ? 'HSD verified' : 'HSD verification removed';
    case 'delete':
      return 'Deleted';
  }
}

function wordOf(field: BulkFieldName, value: string, tagName: string): string {
  if (field === 'tag') return tagName;
  if (field === 'depositedAt') return formatDate(instantOf(value));
  return challanFields[field].kind === 'money' ? formatINR(value) : value;
}

/** The name of the tag that is to be set; a deleted one and another business's are answered as one that does not exist. */
async function tagNameOf(db: TenantDb, act: BulkAction): Promise<string> {
  const id = act.kind === 'set' ? act.values.tagId : undefined;
  if (id === undefined) return '';
  const tag = await tagTable.get(db, id);
  if (!tag) throw invalidReference('tagId', 'tag');
  return tag.name;
}

function nothingFound(selection: BulkSelection): Refusal {
  if (selection.by === 'ids') return notFound('Challan');
  return new Refusal('NO_MATCHING_CHALLANS', 'No challans found matching current filters');
}
