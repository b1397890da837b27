import { countText } from '../../../shared/calc/count-text.ts';
import { dayOf, formatDate } from '../../../shared/calc/dates.ts';
import { compare, formatINR, isZero, sum } from '../../../shared/calc/money.ts';
import { lockedSentence } from '../../../shared/calc/period-lock.ts';
import { balanceOf, readOpening } from '../../../shared/reading/opening-rows.ts';
import type { Batch, LeftRecord } from '../../../shared/contract/batches.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { ownerStatements } from '../../../shared/contract/owner-statements.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { WrittenRecord } from '../batches/batches.queries.ts';
import {
  insertOpenings,
  lockStatementOwners,
  selectLastOpenings,
  type LastOpening,
} from './owner-statements.queries.ts';
import { holdLockedUpTo } from './period-lock.queries.ts';
import { ownerTable } from '../master-data/owners.queries.ts';
import type { Stored } from '../master-data/records.queries.ts';
import { notFound, Refusal } from '../../refusal.ts';
import { requireRight } from '../../seat.ts';
import { ownerFinder, selectNamedOwners, unknownOwners } from '../import/import-owners.service.ts';
import {
  importChangedRefusal,
  answersOf,
  joinErrors,
  planRows,
  planWrites,
  refuseLocked,
  type KindRules,
  type Planned,
  type PlanImport,
  type ParsedRow,
  type Values,
} from '../import/import-plan.service.ts';

/**
 * Opening balances: what owners were owed apart from their challans (docs/specification.md §26.2). They are entered,
 * imported and undone here.
 */

/** Enters or corrects opening balances: all of them or none. */
export async function setOpenings(
  db: TenantDb,
  caller: Caller,
  { entries }: BodyOf<typeof ownerStatements.setOpenings>,
): Promise<number> {
  const today = dayOf(new Date());
  // Only the last entry counts. One with a future day would hide the present balance from every statement until that
  // day.
  if (entries.some(({ asOf }) => asOf > today)) throw new Refusal('VALIDATION_ERROR', 'The day is still to come');
  const ownerIds = [...new Set(entries.map(({ ownerId }) => ownerId))];
  if (ownerIds.length < entries.length)
    throw new Refusal('VALIDATION_ERROR', 'An owner can have one opening balance only');
  if ((await lockStatementOwners(db, ownerIds)) < ownerIds.length) throw notFound('Owner');
  return (await saveOpenings(db, caller, entries)).size;
}

/** Every entry is made here: an imported one and an undo too. */
function saveOpenings(...[db, caller, openings]: Parameters<typeof insertOpenings>): ReturnType<typeof insertOpenings> {
  requireRight(caller, 'pay');
  return insertOpenings(db, caller, openings);
}

/** The current balance as a record that has its owner's id. */
type Opening = LastOpening & Stored;

const openingRules = (ownerNames: ReadonlyMap<string, string>): KindRules<Opening> => ({
  keysOf: ({ ownerName = '' }) => [{ by: 'owner', key: String(ownerName) }],
  valuesOf: ({ ownerId, asOf, amount, note }) => ({ ownerName: ownerId, asOf, amount, note }),
  nameOf: ({ ownerName = '' }) => ownerNames.get(String(ownerName)) ?? '',
  onlyOnce: { noun: 'Owner', field: 'ownerName' },
  shown: (field, value) => {
    if (field === 'amount') return formatINR(String(value));
    return field === 'asOf' ? formatDate(String(value)) : String(value);
  },
  isSame: (field, stored, given) => field === 'amount' && compare(String(stored), String(given)) === 0,
});

/** Treats a new balance of ₹0.00 as equal to none, so that it is not written. */
const skipZero = (plan: Planned<Opening>): Planned<Opening> =>
  plan.answer.state === 'new' && isZero(String(plan.given['amount'])) ? { ...plan, answer: { state: 'same' } } : plan;

export const planOpenings: PlanImport = async (db, rows) => {
  const owners = await selectNamedOwners(db, rows);
  const ownerOf = ownerFinder(owners);
  const today = dayOf(new Date());
  const read = rows.map((row): ParsedRow => {
    const found = ownerOf(row.texts);
    const { asOf = '', note = '' } = row.texts;
    const { balance, problem } = balanceOf(row.texts);
    const { errors: ofCells, ...opening } = readOpening({ day: asOf, balance, note }, today);
    const errors = problem === undefined ? ofCells : [{ field: 'amount', message: problem }];
    if ('error' in found) return { given: {}, errors: joinErrors(row, [found.error, ...errors]) };
    // An empty note does not change the stored one.
    const { note: given, ...figures } = opening;
    return {
      given: { ownerName: found.owner.id, ...figures, ...(given !== '' && { note: given }) },
      errors: joinErrors(row, errors),
    };
  });
  const ownerIds = [...new Set(read.flatMap(({ given }) => (given['ownerName'] ? [String(given['ownerName'])] : [])))];
  const [last, lockedUpTo] = await Promise.all([selectLastOpenings(db, ownerIds), holdLockedUpTo(db)]);
  const stored = [...last.values()]
    .filter(({ amount }) => !isZero(amount))
    .map((opening) => ({ ...opening, id: opening.ownerId, version: opening.entryNo, createdAt: '', updatedAt: '' }));
  const rules = openingRules(new Map(owners.map(({ id, name }) => [id, name])));
  const plans = refuseLocked(planRows(read, stored, rules).map(skipZero), lockedUpTo, ({ given, stored: last }) => ({
    // The day of the entry that is replaced counts too.
    asOf: [String(given['asOf']), ...(last ? [last.asOf] : [])].toSorted()[0],
  }));

  return {
    ...answersOf(plans),
    unknown: unknownOwners(rows, owners),
    write: async (writeDb, choices, caller) => {
      const { creates, changes } = planWrites(plans, choices, rules);
      const entries = [
        ...[...creates.values()].map((given) => ({ ownerId: String(given['ownerName']), values: given, before: null })),
        ...[...changes.values()].map(({ before, after }) => ({
          ownerId: before.ownerId,
          values: { ...rules.valuesOf(before), ...after },
          before: valuesToRestore(before),
        })),
      ];
      const ids = entries.map(({ ownerId }) => ownerId);
      if ((await lockStatementOwners(writeDb, ids)) < ids.length) throw importChangedRefusal();
      const now = await selectLastOpenings(writeDb, ids);
      // Somebody entered a balance between the check and the lock.
      if (ids.some((id) => now.get(id)?.entryNo !== last.get(id)?.entryNo)) throw importChangedRefusal();
      const made = await saveOpenings(
        writeDb,
        caller,
        entries.map(({ ownerId, values }) => entryOf(ownerId, values)),
      );
      return {
        lines: entries.map(({ ownerId, before }) => ({
          record: 'opening-balance' as const,
          id: ownerId,
          // Safe: an entry was made for each owner.
          versionAfter: made.get(ownerId)!,
          before,
        })),
        // No history is needed: the entries of an owner record when each was made and by whom.
        history: [],
        words: entries.length === 0 ? [] : [countText(entries.length, 'opening balance')],
        amount: sum(['0.00', ...entries.map(({ values }) => String(values['amount']))]),
      };
    },
  };
};

const entryOf = (ownerId: string, { asOf = '', amount = '', note = '' }: Values) => ({
  ownerId,
  asOf: String(asOf),
  amount: String(amount),
  note: String(note),
});

const valuesToRestore = ({ asOf, amount, note }: LastOpening): WrittenRecord['before'] => ({ asOf, amount, note });

/**
 * Undoes an import of opening balances by new entries: the earlier balance counts again, or ₹0.00 where there was none.
 */
export async function undoOpenings(
  db: TenantDb,
  caller: Caller,
  { number }: Batch,
  lines: readonly WrittenRecord[],
): Promise<{ undone: number; left: LeftRecord[] }> {
  if (lines.length === 0) return { undone: 0, left: [] };
  const ids = lines.map(({ id }) => id);
  const owners = new Map((await ownerTable.lockMany(db, ids)).map((owner) => [owner.id, owner]));
  const [last, lockedUpTo] = await Promise.all([selectLastOpenings(db, ids), holdLockedUpTo(db)]);
  const reasonOf = ({ id, versionAfter, before }: WrittenRecord): string | undefined => {
    const present = last.get(id);
    if (present?.entryNo !== versionAfter) return 'Its opening balance was entered again since.';
    const days = [present.asOf, ...(before === null ? [] : [String(before['asOf'])])];
    return lockedUpTo !== null && days.some((day) => day <= lockedUpTo) ? lockedSentence(lockedUpTo) : undefined;
  };
  const untouched = lines.filter((line) => reasonOf(line) === undefined);
  await saveOpenings(
    db,
    caller,
    untouched.map(({ id, before }) =>
      // The cast is safe: `before` holds the values of the earlier entry that the import stored.
      before === null
        ? { ownerId: id, asOf: last.get(id)!.asOf, amount: '0.00', note: `${number} was undone` }
        : entryOf(id, before as Values),
    ),
  );
  return {
    undone: untouched.length,
    left: lines.flatMap((line) => {
      const reason = reasonOf(line);
      const name = owners.get(line.id)?.name ?? '';
      return reason === undefined ? [] : [{ record: 'opening-balance' as const, id: line.id, name, reason }];
    }),
  };
}
