import type { RecordsDone, RecordsPreview } from '../../../shared/contract/records-bulk.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { WrittenRecord } from '../batches/batches.queries.ts';
import { changesBetween, insertHistoryLines, type HistoryLine } from '../history/history.queries.ts';
import { holdOwner, ownerTable } from './owners.queries.ts';
import { petrolPumpTable } from './petrol-pumps.queries.ts';
import type { RecordTable, Stored } from './records.queries.ts';
import { tagTable } from './tags.queries.ts';
import { selectTruckIdsOf, truckTable } from './trucks.queries.ts';
import { invalidReference, nounOf, notFound, Refusal } from '../../refusal.ts';
import { recordBatch } from '../batches/batches.service.ts';
import { fingerprintOf, groupByReason, ownersInUse, tagsInUse, type Reasons } from '../batches/bulk.service.ts';

/** Bulk actions on master data (docs/specification.md §7.4). The preview and the action use the same plan. */

interface BulkInput<V> {
  ids: readonly string[];
  act: { kind: 'delete' } | { kind: 'set'; values: V };
}

interface BulkRules<R extends Stored, F extends keyof R & string> {
  table: Omit<RecordTable<R, F, string>, 'list'>;
  nameOf: (record: R) => string;
  inUse?: (db: TenantDb, records: readonly R[]) => Promise<Reasons>;
  /**
   * Checks the records that the values refer to, and locks them for a change, so that they cannot be deleted in the
   * meantime.
   * @throws Refusal when a referenced record does not exist
   */
  check?: (db: TenantDb, values: Partial<Pick<R, F>>, isLocked: boolean) => Promise<void>;
  /** Deletes the records that belong to the deleted ones. */
  alsoRemove?: (db: TenantDb, ids: readonly string[]) => Promise<Written>;
}

interface Written {
  lines: WrittenRecord[];
  history: HistoryLine[];
}

function createBulkWrites<R extends Stored, F extends keyof R & string>(rules: BulkRules<R, F>) {
  const { table, nameOf, inUse, check, alsoRemove } = rules;
  type Values = Partial<Pick<R, F>>;

  const makePlan = async (db: TenantDb, { ids, act }: BulkInput<Values>, isLocked: boolean) => {
    const asked = [...new Set(ids)];
    const found = isLocked
      ? (await table.lockMany(db, asked)).filter(({ isDeleted }) => !isDeleted)
      : await table.getMany(db, asked);
    found.sort((a, b) => (a.id < b.id ? -1 : 1));
    const reasons: Reasons = (act.kind === 'delete' && (await inUse?.(db, found))) || new Map();
    const isSame = (record: R): boolean =>
      act.kind === 'set' && changesOf(record, act.values).every(([before, after]) => before === after);
    const changed = found.filter((record) => !reasons.has(record.id) && !isSame(record));
    const figures = {
      changedCount: changed.length,
      sameCount: found.filter(isSame).length,
      refused: groupByReason(
        found.filter(({ id }) => reasons.has(id)).map((record) => [reasons.get(record.id) ?? '', nameOf(record)]),
      ),
    };
    const preview: RecordsPreview = {
      count: found.length,
      ...figures,
      goneCount: asked.length - found.length,
      fingerprint: fingerprintOf(found),
    };
    return { changed, figures, preview };
  };
  // Safe: Object.keys widens to string, but these are fields of the record.
  const fieldsOf = (values: Values): F[] => Object.keys(values) as F[];
  const changesOf = (record: R, values: Values) =>
    fieldsOf(values).map((field) => [record[field], values[field]] as const);

  return {
    previewMany: async (db: TenantDb, asked: BulkInput<Values>): Promise<RecordsPreview> => {
      if (asked.act.kind === 'set') await check?.(db, asked.act.values, false);
      return (await makePlan(db, asked, false)).preview;
    },
    changeMany: async (
      db: TenantDb,
      caller: Caller,
      { expected, ...asked }: BulkInput<Values> & { expected?: { fingerprint: string } | undefined },
    ): Promise<RecordsDone> => {
      const { act } = asked;
      // Referenced records are locked before the records themselves, as a single change does.
      if (act.kind === 'set') await check?.(db, act.values, true);
      const { changed, figures, preview } = await makePlan(db, asked, true);
      if (expected && expected.fingerprint !== preview.fingerprint) {
        const message = 'The selected records have changed meanwhile. Review the new figures, then confirm again.';
        throw new Refusal('SELECTION_CHANGED', message, { data: preview });
      }
      if (preview.count === 0) throw notFound(nounOf(table.record));
      if (changed.length === 0) return { ...figures, batch: null };
      const changedIds = changed.map(({ id }) => id);
      const removedToo = act.kind === 'delete' ? await alsoRemove?.(db, changedIds) : undefined;
      if (act.kind === 'delete') await table.removeMany(db, changedIds);
      else await table.updateMany(db, new Map(changedIds.map((id) => [id, act.values as Partial<Pick<R, F>>])));
      const before = (record: R) =>
        act.kind === 'delete' ? {} : Object.fromEntries(fieldsOf(act.values).map((field) => [field, record[field]]));
      const { id, number } = await recordBatch(db, caller, {
        kind: 'change',
        title: act.kind === 'delete' ? 'Deleted' : 'Edited',
        amount: '0.00',
        lines: [
          ...changed.map((record) => ({
            record: table.record,
            id: record.id,
            versionAfter: record.version + 1,
            before: before(record),
          })),
          ...(removedToo?.lines ?? []),
        ],
      });
      const history = changed.map((record): HistoryLine => {
        const line = { entity: table.record, entityId: record.id };
        if (act.kind === 'delete') return { ...line, action: 'deleted' };
        const after: R = { ...record, ...act.values };
        return { ...line, action: 'updated', changes: changesBetween(record, after, table.fields) };
      });
      await insertHistoryLines(db, caller, [...history, ...(removedToo?.history ?? [])], id);
      return { ...figures, batch: { id, number } };
    },
  };
}

export const bulkOwners = createBulkWrites({
  table: ownerTable,
  nameOf: ({ name }) => name,
  inUse: (db, owners) => ownersInUse(db, owners),
  /** The trucks of deleted owners are deleted too (docs/specification.md §6.3). */
  alsoRemove: async (db, ids) => {
    const gone = new Set(ids);
    // A truck may have moved to another owner before it was locked.
    const locked = (await truckTable.lockMany(db, await selectTruckIdsOf(db, ids))).filter(
      ({ isDeleted, ownerId }) => !isDeleted && gone.has(ownerId),
    );
    await truckTable.removeMany(
      db,
      locked.map(({ id }) => id),
    );
    return {
      lines: locked.map(({ id, version }) => ({ record: 'truck', id, versionAfter: version + 1, before: {} })),
      history: locked.map(({ id }) => ({ entity: 'truck', entityId: id, action: 'deleted with its owner' })),
    };
  },
});

export const bulkTrucks = createBulkWrites({
  table: truckTable,
  nameOf: ({ truckNumber }) => truckNumber,
  check: async (db, { ownerId }, isLocked) => {
    if (ownerId === undefined) return;
    const owner = await (isLocked ? holdOwner(db, ownerId) : ownerTable.get(db, ownerId));
    if (!owner) throw invalidReference('ownerId', 'owner');
  },
});

export const bulkTags = createBulkWrites({ table: tagTable, nameOf: ({ name }) => name, inUse: tagsInUse });

export const bulkPetrolPumps = createBulkWrites({ table: petrolPumpTable, nameOf: ({ name }) => name });
