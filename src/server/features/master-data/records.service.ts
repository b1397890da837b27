import type { z } from 'zod';
import { canDeleteDeclaration, canDeleteOwner, canDeleteTag } from '../../../shared/access.ts';
import { isShipped } from '../../../shared/bank/shipped-layouts.ts';
import { usualLastDay } from '../../../shared/calc/declaration.ts';
import {
  declarationDaysError,
  type Declaration,
  type declarationChange,
  type declarationInput,
} from '../../../shared/contract/declarations.ts';
import type { ErrorCode } from '../../../shared/contract/errors.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { bankAccountTable } from '../bank/bank-accounts.queries.ts';
import { holdBankLayout } from '../bank/bank-layouts.queries.ts';
import { changesBetween, insertHistory } from '../history/history.queries.ts';
import { countUsesOf, holdOwner, ownerTable } from './owners.queries.ts';
import type { Recorded, RecordTable, Stored } from './records.queries.ts';
import { countDeclared, declarationTable, lockDeclarers } from '../tds/declarations.queries.ts';
import { selectTagUsage, tagTable } from './tags.queries.ts';
import { removeTrucksOf, truckTable } from './trucks.queries.ts';
import { refuseWhenTaken } from '../../sql/conflicts.ts';
import { fieldRefusal, invalidReference, nounOf, notFound, Refusal, versionConflict, wordsOf } from '../../refusal.ts';

/** What a resource adds to the writing of its records. A resource without rules has only its table. */
interface RecordRules<R extends Stored, F extends keyof R & string> {
  table: Omit<RecordTable<R, F, string, Recorded>, 'list'>;
  /** A value that must be unique in the account: the unique index that enforces it, and the refusal of a duplicate. */
  unique?: { field: F; index: string; code: ErrorCode; message: (value: R[F]) => string };
  /**
   * Locks the records that the values refer to, so that they cannot be deleted in the meantime. Returns a refusal when
   * one does not exist.
   */
  lockReferences?: (db: TenantDb, input: { readonly [K in F]?: R[K] | undefined }) => Promise<Refusal | undefined>;
  /** Refuses the delete, or deletes what belongs to the record. The record is already locked. */
  beforeRemove?: (db: TenantDb, caller: Caller, record: R) => Promise<void>;
}

/**
 * Returns the writes of one resource. Each does the same steps in the same order: lock, check, change, record in the
 * history.
 */
export function createRecordWrites<R extends Stored, F extends keyof R & string>(rules: RecordRules<R, F>) {
  type Values = { readonly [K in F]?: R[K] | undefined };
  const { table, unique: once, lockReferences: hold, beforeRemove } = rules;
  const { record: entity } = table;
  const noun = nounOf(entity);
  const notFoundRefusal = (): Refusal => notFound(noun);

  const refuseDuplicates = (values: Values, saving: Promise<R>): Promise<R> => {
    const value = once && values[once.field];
    if (!once || value === undefined) return saving;
    return refuseWhenTaken(saving, [once.index], () => fieldRefusal(once.code, once.field, once.message(value)));
  };

  return {
    gone: notFoundRefusal,
    create: async (db: TenantDb, caller: Caller, input: Values): Promise<R> => {
      const refusal = await hold?.(db, input);
      if (refusal) throw refusal;
      const made = await refuseDuplicates(input, table.insert(db, input));
      await insertHistory(db, caller, { entity, entityId: made.id, action: 'created' });
      return made;
    },
    /** Only the fields of `input` change; a save that changes nothing writes nothing. */
    update: async (
      db: TenantDb,
      caller: Caller,
      id: string,
      { version, ...input }: Values & { version?: number | undefined },
    ): Promise<R> => {
      // Referenced records are locked before the record itself, in the same order as a delete does.
      const refusal = await hold?.(db, input as Values);
      const before = await table.lock(db, id);
      if (!before) throw notFoundRefusal();
      if (version !== undefined && version !== before.version) throw versionConflict(wordsOf(entity), before);
      if (refusal) throw refusal;
      const after: R = { ...before, ...input };
      const changes = changesBetween(before, after, table.fields);
      if (Object.keys(changes).length === 0) return before;
      const saved = await refuseDuplicates(after, table.update(db, id, after));
      await insertHistory(db, caller, { entity, entityId: id, action: 'updated', changes });
      return saved;
    },
    remove: async (db: TenantDb, caller: Caller, id: string): Promise<void> => {
      const record = await table.lock(db, id);
      if (!record) throw notFoundRefusal();
      await beforeRemove?.(db, caller, record);
      await table.removeMany(db, [id]);
      await insertHistory(db, caller, { entity, entityId: id, action: 'deleted' });
    },
  };
}

export const ownerWrites = createRecordWrites({
  table: ownerTable,
  /**
   * An owner cannot be deleted while challans refer to it. Its trucks are deleted with it (docs/specification.md §6.3).
   */
  beforeRemove: async (db, caller, owner) => {
    const challans = (await countUsesOf(db, [owner.id])).get(owner.id)?.challans ?? 0;
    const permission = canDeleteOwner(owner, challans);
    if (!permission.allowed) {
      throw new Refusal('OWNER_IN_USE', permission.reason, { data: { totalChallans: challans } });
    }
    await removeTrucksOf(db, caller, owner.id);
  },
});

export const truckWrites = createRecordWrites({
  table: truckTable,
  unique: {
    field: 'truckNumber',
    index: 'trucks_number',
    code: 'TRUCK_EXISTS',
    message: (truckNumber) => `Truck ${truckNumber} is already in your list`,
  },
  lockReferences: async (db, { ownerId }) => {
    if (ownerId === undefined || (await holdOwner(db, ownerId))) return undefined;
    return invalidReference('ownerId', 'owner');
  },
});

export const tagWrites = createRecordWrites({
  table: tagTable,
  unique: {
    field: 'name',
    index: 'tags_name',
    code: 'TAG_EXISTS',
    message: (name) => `A tag named "${name}" already exists`,
  },
  /** A tag cannot be deleted while challans use it (docs/specification.md §7.2). */
  beforeRemove: async (db, _caller, tag) => {
    const usage = await selectTagUsage(db, tag.id);
    const permission = canDeleteTag(tag, usage.totalChallans);
    if (!permission.allowed) throw new Refusal('TAG_IN_USE', permission.reason, { data: { usage } });
  },
});

const declarations = createRecordWrites({
  table: declarationTable,
  unique: {
    field: 'receivedOn',
    index: 'declarations_year',
    code: 'DECLARATION_EXISTS',
    message: () => 'The owner has a declaration for this financial year already; withdraw that one first',
  },
  lockReferences: async (db, { ownerId }) => {
    if (ownerId === undefined || (await lockDeclarers(db, { ownerIds: [ownerId] })).has(ownerId)) return undefined;
    return invalidReference('ownerId', 'owner');
  },
  /** The percentage of these challans would have no reason any more. */
  beforeRemove: async (db, _caller, declaration) => {
    const permission = canDeleteDeclaration((await countDeclared(db, [declaration])).get(declaration.id) ?? 0);
    if (!permission.allowed) throw new Refusal('DECLARATION_IN_USE', permission.reason);
  },
});

/** The owner is locked before its declaration, as it is by whoever saves a challan (docs/specification.md §27.7). */
export const declarationWrites = {
  ...declarations,
  create: (db: TenantDb, caller: Caller, input: z.output<typeof declarationInput>) => {
    const { receivedOn, validUntil = usualLastDay(receivedOn), withdrawnOn = null } = input;
    refuseWrongDays({ receivedOn, validUntil, withdrawnOn });
    return declarations.create(db, caller, { ...input, validUntil, withdrawnOn });
  },
  update: async (db: TenantDb, caller: Caller, id: string, input: z.output<typeof declarationChange>) => {
    await lockDeclarers(db, { ids: [id] });
    const before = await declarationTable.get(db, id);
    if (before) refuseWrongDays({ ...before, ...input });
    return declarations.update(db, caller, id, input);
  },
  remove: async (db: TenantDb, caller: Caller, id: string) => {
    await lockDeclarers(db, { ids: [id] });
    return declarations.remove(db, caller, id);
  },
};

function refuseWrongDays(days: Pick<Declaration, 'receivedOn' | 'validUntil' | 'withdrawnOn'>): void {
  const wrong = declarationDaysError(days);
  if (wrong) throw fieldRefusal('VALIDATION_ERROR', wrong.field, wrong.message);
}

export const bankAccountWrites = createRecordWrites({
  table: bankAccountTable,
  lockReferences: async (db, { layout }) => {
    if (layout === undefined || isShipped(layout) || (await holdBankLayout(db, layout))) return undefined;
    return invalidReference('layout', 'layout');
  },
});
