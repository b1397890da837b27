import { canDeleteChallan, canEditChallan, canPayChallan, reasonOf } from '../../../shared/access.ts';
import { formatDate } from '../../../shared/calc/dates.ts';
import { compare } from '../../../shared/calc/money.ts';
import { lockedSentence } from '../../../shared/calc/period-lock.ts';
import type { Batch, BatchRecord, LeftRecord } from '../../../shared/contract/batches.ts';
import { isLockedChallan, isLockedChange } from '../../../shared/contract/locked-fields.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { selectAtBank } from '../bank/bank-lines.queries.ts';
import { insertBatch, lockBatch, selectBatch, selectWritten, updateUndone } from './batches.queries.ts';
import type { NewBatch, WrittenRecord } from './batches.queries.ts';
import { lockReferences, type References } from '../challans/challans.queries.ts';
import {
  lockChallans,
  removeChallans,
  updateChallans,
  writtenFields,
  type StoredChallan,
  type WrittenValues,
} from '../challans/challans-many.queries.ts';
import { takeBatchNumber } from '../../sql/counters.ts';
import { changesBetween, insertHistoryLines, type HistoryLine } from '../history/history.queries.ts';
import { keepHolds } from '../challans/holds.queries.ts';
import { ownerTable } from '../master-data/owners.queries.ts';
import { petrolPumpTable } from '../master-data/petrol-pumps.queries.ts';
import { selectTaken, type RecordTable, type Stored } from '../master-data/records.queries.ts';
import { tagTable } from '../master-data/tags.queries.ts';
import { truckTable } from '../master-data/trucks.queries.ts';
import { declarationTable, lockDeclarers, selectDeclaredTwice } from '../tds/declarations.queries.ts';
import { retryWhenTaken } from '../../sql/conflicts.ts';
import { notFound, Refusal } from '../../refusal.ts';
import { isShownInHistory, referenceNouns } from '../challans/challans.service.ts';
import { declarationsInUse, ownersInUse, tagsInUse } from './bulk.service.ts';
import { holdLockedUpTo } from '../accounting/period-lock.queries.ts';
import { undoOpenings } from '../accounting/opening-balances.service.ts';
import { atBankText, payChallans, unpayChallans } from '../payments/payments.service.ts';

/**
 * Batches: a batch records the many records that one action wrote, so that they can be undone together
 * (docs/specification.md §20).
 */

/**
 * Records a batch. Call this late in the transaction, because it locks the counter of the number until the transaction
 * ends.
 */
export async function recordBatch(db: TenantDb, caller: Caller, batch: NewBatch): Promise<Batch> {
  const id = await insertBatch(db, caller, await takeBatchNumber(db, batch.kind), batch);
  return getBatch(db, id);
}

async function getBatch(db: TenantDb, id: string): Promise<Batch> {
  const batch = await selectBatch(db, id);
  if (!batch) throw notFound('Batch');
  return batch;
}

/** An undo lists at most this many records that it left unchanged; further ones are only counted. */
const maxListedLeft = 1_000;

interface UndoResult {
  undone: number;
  left: LeftRecord[];
}

/**
 * Undoes a batch in one transaction: deletes what it created and restores what it changed. A record is undone only when
 * nobody has changed it since and the rules of a single delete or change allow it. Other records are left unchanged and
 * returned with the reason.
 *
 * When two calls undo the same batch, the second waits for the first and is refused. A batch whose records are all left
 * unchanged does not count as undone. A batch whose records were all deleted one by one does.
 */
export async function undoBatch(
  db: TenantDb,
  caller: Caller,
  id: string,
): Promise<Batch & { undone: number; leftCount: number; left: LeftRecord[] }> {
  const batch = await lockBatch(db, id);
  if (!batch) throw notFound('Batch');
  if (batch.undoneAt !== null) throw new Refusal('ALREADY_UNDONE', `${batch.number} was already undone.`);

  const written = await selectWritten(db, id);
  const of = (record: BatchRecord): WrittenRecord[] => written.filter((line) => line.record === record);
  const history: HistoryLine[] = [];
  // Before any owner, as a hold of an owner does.
  if (written.some(({ before }) => before?.paymentStatus === true)) await keepHolds(db);
  // Owners are locked before their trucks, as a single delete of an owner does, and are deleted after them.
  await ownerTable.lockMany(
    db,
    of('owner').map((line) => line.id),
  );
  await lockDeclarers(db, { ids: of('declaration').map((line) => line.id) });
  const undos: UndoResult[] = [await undoChallans(db, caller, batch, of('challan'), history)];
  // Created trucks are deleted before their owners. Deleted owners are restored before their trucks.
  const order = batch.kind === 'change' ? [ownerUndo, truckUndo] : [truckUndo, ownerUndo];
  for (const undo of [...order, tagUndo, petrolPumpUndo, declarationUndo]) undos.push(await undo(db, of, history));
  undos.push(await undoOpenings(db, caller, batch, of('opening-balance')));

  const undone = undos.reduce((count, one) => count + one.undone, 0);
  const left = undos.flatMap((one) => one.left);
  await insertHistoryLines(db, caller, history, id);
  if (undone > 0 || left.length === 0) await updateUndone(db, caller, id, undone);
  return { ...(await getBatch(db, id)), undone, leftCount: left.length, left: left.slice(0, maxListedLeft) };
}

const changedSince = 'It was changed since.';
const deletedSince = 'It was deleted since.';

type Before = Readonly<Record<string, unknown>>;

async function undoChallans(
  db: TenantDb,
  caller: Caller,
  { kind, number }: Batch,
  lines: readonly WrittenRecord[],
  history: HistoryLine[],
): Promise<UndoResult> {
  if (lines.length === 0) return { undone: 0, left: [] };
  const [stored, lockedUpTo] = await Promise.all([
    lockChallans(
      db,
      lines.map(({ id }) => id),
    ),
    holdLockedUpTo(db),
  ]);
  const challans = new Map(stored.map((challan) => [challan.id, challan]));
  // Read after the lock, because a bank file that is being made has the same locks.
  const created = lines.filter(({ before }) => before === null).map(({ id }) => id);
  const atBank = kind === 'import' ? await selectAtBank(db, created) : new Map<string, never>();
  const removed: StoredChallan[] = [];
  const toRestore: { challan: StoredChallan; after: WrittenValues }[] = [];
  /** Challans that were created and paid by the import. */
  const paid: string[] = [];
  /** Challans that the batch made unpaid. */
  const unpaid: string[] = [];
  const left: LeftRecord[] = [];
  const leave = ({ id, challanNumber }: StoredChallan, reason: string): void => {
    left.push({ record: 'challan', id, name: challanNumber, reason });
  };
  for (const { id, versionAfter, before } of lines) {
    const challan = challans.get(id);
    // A created record that was deleted already needs no undo.
    if (!challan || (before === null && challan.isDeleted)) continue;
    if (before === null) {
      const permission = canDeleteChallan(challan);
      const line = atBank.get(id);
      if (line) leave(challan, atBankText(line));
      else if (lockedUpTo !== null && isLockedChallan(lockedUpTo, challan)) leave(challan, lockedSentence(lockedUpTo));
      else if (kind === 'import' && challan.paymentStatus && challan.version === versionAfter) {
        paid.push(id);
        removed.push(challan);
      } else if (!permission.allowed) leave(challan, permission.reason);
      else if (challan.version !== versionAfter) leave(challan, changedSince);
      else removed.push(challan);
    } else if (challan.version !== versionAfter) {
      leave(challan, challan.isDeleted ? deletedSince : changedSince);
    } else if (!canEditChallan(caller, challan).allowed) {
      leave(challan, reasonOf(canEditChallan(caller, challan)) ?? '');
    } else if (before.paymentStatus === true) {
      const permission = canPayChallan({ ...challan, owner: challan.ownerHold });
      if (permission.allowed) unpaid.push(id);
      else leave(challan, permission.reason);
    } else {
      const after = restoredValues(challan, before);
      const isNetChanged = compare(after.netAmountPayable, challan.netAmountPayable) !== 0;
      const isLocked = challan.isDeleted
        ? isLockedChallan(lockedUpTo, after)
        : isLockedChange(lockedUpTo, challan, after);
      if (lockedUpTo !== null && isLocked) leave(challan, lockedSentence(lockedUpTo));
      else if (challan.paymentStatus && isNetChanged) leave(challan, paidNetReason);
      else toRestore.push({ challan, after });
    }
  }

  const { missing } = await lockReferences(
    db,
    toRestore.map(({ challan, after }) => newReferences(challan, after)),
  );
  const changes = new Map<string, Partial<WrittenValues>>();
  for (const [index, { challan, after }] of toRestore.entries()) {
    const [gone] = missing[index] ?? [];
    if (gone) leave(challan, `Its ${referenceNouns[gone]} of before was deleted since.`);
    else {
      const different = writtenFields.filter((field) => after[field] !== challan[field]);
      changes.set(challan.id, Object.fromEntries(different.map((field) => [field, after[field]])));
      history.push({
        entity: 'challan',
        entityId: challan.id,
        action: challan.isDeleted ? 'restored' : 'set back',
        changes: changesBetween<WrittenValues>(challan, after, different.filter(isShownInHistory)),
      });
    }
  }
  await updateChallans(db, changes);
  if (paid.length > 0) await unpayChallans(db, caller, paid, `${number} was undone`);
  await removeChallans(
    db,
    removed.map(({ id }) => id),
  );
  for (const { id } of removed) history.push({ entity: 'challan', entityId: id, action: 'taken back' });
  // They are paid again through the ledger, as one payment of today. The earlier payment stays reversed.
  if (unpaid.length > 0) await payChallans(db, caller, { kind: 'selected', challanIds: unpaid });
  return { undone: changes.size + removed.length + unpaid.length, left };
}

const paidNetReason =
  'It is marked as paid, and its net amount payable would change. Unmark the payment before undoing the change.';

/** Returns the challan with its earlier values. Figures are restored as they were stored and not computed again. */
function restoredValues(challan: StoredChallan, before: Before): WrittenValues {
  const given = writtenFields.filter((field) => field in before).map((field) => [field, before[field]]);
  // The cast is safe: `before` holds stored values under these field names.
  return { ...challan, ...(Object.fromEntries(given) as Partial<WrittenValues>) };
}

/**
 * Returns the records that the challan would refer to again after the undo. For a deleted challan this includes the
 * owner and the records that it still refers to, because it may have been the last challan that used them. An unchanged
 * pump is not included, because a pump may be deleted while challans refer to it, and they keep it
 * (docs/specification.md §7.3).
 */
function newReferences(challan: StoredChallan, after: WrittenValues): References {
  const fields = ['discounterId', 'tagId', 'petrolPumpId'] as const;
  const changed = fields.filter(
    (field) => after[field] !== challan[field] || (challan.isDeleted && field !== 'petrolPumpId'),
  );
  return {
    ...(challan.isDeleted && { ownerId: challan.ownerId }),
    ...Object.fromEntries(changed.map((field) => [field, after[field]])),
  };
}

interface UndoRules<R extends Stored> {
  nameOf: (record: R) => string;
  /** Returns by id why records must not be deleted. */
  inUse?: (db: TenantDb, records: readonly R[]) => Promise<ReadonlyMap<string, string>>;
  /** Returns by id why records cannot be restored. */
  blocked?: (db: TenantDb, pairs: readonly Pair<R>[]) => Promise<ReadonlyMap<string, string>>;
}

/** A record as it is now, and as it was before the batch. A record that the batch deleted becomes undeleted. */
interface Pair<R> {
  record: R & { isDeleted: boolean };
  after: R;
}

/** Returns the undo of one kind of master data. */
function createRecordUndo<R extends Stored, F extends keyof R & string>(
  table: Omit<RecordTable<R, F, string>, 'list'>,
  { nameOf, inUse, blocked }: UndoRules<R>,
) {
  const { record: kind } = table;
  return async (
    db: TenantDb,
    of: (record: BatchRecord) => readonly WrittenRecord[],
    history: HistoryLine[],
  ): Promise<UndoResult> => {
    const lines = of(kind);
    const stored = await table.lockMany(
      db,
      lines.map(({ id }) => id),
    );
    const records = new Map(stored.map((record) => [record.id, record]));
    const left: LeftRecord[] = [];
    const leave = (record: R, reason: string): void => {
      left.push({ record: kind, id: record.id, name: nameOf(record), reason });
    };
    const created: R[] = [];
    const changed: Pair<R>[] = [];
    for (const { id, versionAfter, before } of lines) {
      const record = records.get(id);
      if (!record || (before === null && record.isDeleted)) continue;
      if (record.version !== versionAfter) leave(record, record.isDeleted ? deletedSince : changedSince);
      else if (before === null) created.push(record);
      // The cast is safe: `before` holds stored values under the names of the fields.
      else changed.push({ record, after: { ...record, ...(before as Partial<R>) } });
    }

    const reasons = new Map([
      ...((created.length > 0 && (await inUse?.(db, created))) || []),
      ...((changed.length > 0 && (await blocked?.(db, changed))) || []),
    ]);
    const isUndoable = (record: R): boolean => {
      const reason = reasons.get(record.id);
      if (reason !== undefined) leave(record, reason);
      return reason === undefined;
    };
    const removed = created.filter(isUndoable);
    const setBack = changed.filter(({ record }) => isUndoable(record));
    await table.removeMany(
      db,
      removed.map(({ id }) => id),
    );
    await retryWhenTaken(table.updateMany(db, new Map(setBack.map(({ record, after }) => [record.id, after]))));
    for (const { id } of removed) history.push({ entity: kind, entityId: id, action: 'taken back' });
    for (const { record, after } of setBack) {
      const changes = changesBetween(record, after, table.fields);
      const action = record.isDeleted ? 'restored' : 'set back';
      history.push({ entity: kind, entityId: record.id, action, changes });
    }
    return { undone: removed.length + setBack.length, left };
  };
}

const truckUndo = createRecordUndo(truckTable, {
  nameOf: ({ truckNumber }) => truckNumber,
  blocked: async (db, pairs) => {
    const { missing } = await lockReferences(
      db,
      pairs.map(({ record, after }) =>
        record.ownerId === after.ownerId && !record.isDeleted ? {} : { ownerId: after.ownerId },
      ),
    );
    const taken = await selectTaken(
      db,
      'trucks',
      new Map(pairs.map(({ record, after }) => [record.id, after.truckNumber])),
    );
    return new Map(
      pairs.flatMap(({ record: { id } }, index): [string, string][] => {
        if (missing[index]?.length) return [[id, 'Its owner of before was deleted since.']];
        return taken.has(id) ? [[id, 'Another truck has its number of before.']] : [];
      }),
    );
  },
});

const ownerUndo = createRecordUndo(ownerTable, {
  nameOf: ({ name }) => name,
  // A single delete of an owner also deletes its trucks; an undo deletes only what its batch created.
  inUse: (db, owners) => ownersInUse(db, owners, { withTrucks: true }),
});

const tagUndo = createRecordUndo(tagTable, {
  nameOf: ({ name }) => name,
  inUse: tagsInUse,
  blocked: async (db, pairs) => {
    const taken = await selectTaken(db, 'tags', new Map(pairs.map(({ record, after }) => [record.id, after.name])));
    return new Map([...taken].map((id) => [id, 'Another tag has its name of before.']));
  },
});

const petrolPumpUndo = createRecordUndo(petrolPumpTable, { nameOf: ({ name }) => name });

const declarationUndo = createRecordUndo(declarationTable, {
  nameOf: ({ owner, receivedOn }) => `${owner.name}, ${formatDate(receivedOn)}`,
  inUse: declarationsInUse,
  blocked: async (db, pairs) => {
    const twice = await selectDeclaredTwice(
      db,
      pairs.map(({ after }) => after),
    );
    return new Map([...twice].map((id) => [id, 'Its owner has another declaration for this year.']));
  },
});
