import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { canPayChallan } from '../../../shared/access.ts';
import { challansText, formatCount } from '../../../shared/calc/count-text.ts';
import { sum } from '../../../shared/calc/money.ts';
import { lockedSentence } from '../../../shared/calc/period-lock.ts';
import type { ChallanValues } from '../../../shared/contract/challan-fields.ts';
import { isLockedChallan } from '../../../shared/contract/locked-fields.ts';
import type { RefusedRow, RowsRefused } from '../../../shared/contract/challan-sheet.ts';
import type { AnswerOf, BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { holdLockedUpTo } from '../accounting/period-lock.queries.ts';
import { lockReferences } from './challans.queries.ts';
import { insertChallans, insertRecordedChallans } from './challans-many.queries.ts';
import { insertHistoryLines } from '../history/history.queries.ts';
import { lockOwnerHolds } from './holds.queries.ts';
import { selectDeclaredDays } from '../tds/declarations.queries.ts';
import { fieldRefusal, Refusal } from '../../refusal.ts';
import { recordBatch } from '../batches/batches.service.ts';
import { prepareWarnings, type SavedChallan } from './challan-warnings.service.ts';
import { checkNew, computeNewFigures } from './challans-amounts.service.ts';
import { missingReferencesRefusal, ownerNameOf, readChallan, typedOf, withDeclaration } from './challans.service.ts';
import { challansPerTurn } from '../batches/bulk.service.ts';
import { payChallans } from '../payments/payments.service.ts';

/** Creates challans. One and many use the same code, so that the form and the entry sheet cannot differ. */

export type NewChallan = BodyOf<typeof contract.challans.create>;

/**
 * Creates challans, each with its own line of history and, if it is paid, its own payment. If one of them is not valid, none
 * is created.
 */
export async function createChallans(
  db: TenantDb,
  caller: Caller,
  inputs: readonly NewChallan[],
): Promise<SavedChallan[]> {
  const [checked, warningsOf] = await Promise.all([check(db, inputs), prepareWarnings(db, inputs)]);
  const challans = await insertRecordedChallans(db, caller, requireValid(checked));
  for (const [index, { id }] of challans.entries()) {
    if (!inputs[index]?.paymentStatus) continue;
    await payChallans(db, caller, { kind: 'single', challanIds: [id] });
    challans[index] = await readChallan(db, id);
  }
  // Safe: one challan was stored for each input, in their order.
  return challans.map((data, index) => ({ data, warnings: warningsOf(inputs[index]!) }));
}

/** A row of the entry sheet: a challan, or the reasons why it is not valid. */
export interface SheetRow {
  key: string;
  input: NewChallan | Refusal;
}

/**
 * Creates the challans of an entry sheet as one batch. In the mode 'all', one wrong row is enough to write nothing. In the
 * mode 'valid', nothing is written only if every row is wrong. The refusal names each wrong row.
 */
export async function createMany(
  db: TenantDb,
  caller: Caller,
  { rows, mode }: { rows: readonly SheetRow[]; mode: 'all' | 'valid' },
): Promise<AnswerOf<typeof contract.challans.createMany>> {
  const inputs = rows.map(({ input }) => input);
  const [checked, warningsOf] = await Promise.all([
    check(db, inputs, holdLockedUpTo(db)),
    prepareWarnings(
      db,
      inputs.flatMap((input) => (input instanceof Refusal ? [] : [input])),
    ),
  ]);
  const valid: { key: string; challan: Checked }[] = [];
  const refused: RefusedRow[] = [];
  for (const [index, { key }] of rows.entries()) {
    const result = checked[index];
    if (result instanceof Refusal) refused.push(refusedRow(key, result));
    else if (result) valid.push({ key, challan: result });
  }
  if (valid.length === 0 || (mode === 'all' && refused.length > 0)) throw rowsRefused(rows.length, refused);

  const stored = await store(
    db,
    valid.map(({ challan }) => challan),
  );
  const paid = stored.filter((_, index) => valid[index]?.challan.isPaid).map(({ id }) => id);
  if (paid.length > 0) await payChallans(db, caller, { kind: 'selected', challanIds: paid });
  const isPaid = new Set(paid);
  const batch = await recordBatch(db, caller, {
    kind: 'sheet',
    title: challansText(stored.length),
    amount: sum(stored.map(({ netAmountPayable }) => netAmountPayable)),
    // A payment changes the version of its challan.
    lines: stored.map(({ id }) => ({ record: 'challan', id, versionAfter: isPaid.has(id) ? 2 : 1, before: null })),
  });
  const lines = stored.map(({ id }) => ({ entity: 'challan', entityId: id, action: 'created' }) as const);
  await insertHistoryLines(db, caller, lines, batch.id);
  // Safe: one challan was stored for each valid row, in their order.
  const created = stored.map((challan, index) => ({ key: valid[index]!.key, ...challan }));
  const warnings = valid.flatMap(({ key, challan }) =>
    warningsOf(challan.values).map((warning) => ({ key, ...warning })),
  );
  return { data: { batch, created, refused }, warnings };
}

/** Creates challans for another operation, which records them. If one of them is not valid, none is created. */
export async function createWithin(db: TenantDb, inputs: readonly NewChallan[]): Promise<StoredNew[]> {
  return store(db, requireValid(await check(db, inputs)));
}

const requireValid = (checked: readonly (Checked | Refusal)[]): Checked[] =>
  checked.map((result) => {
    if (result instanceof Refusal) throw result;
    return result;
  });

const refusedRow = (key: string, { code, message, details: { fields = {} } }: Refusal): RefusedRow => ({
  key,
  code,
  message,
  fields,
});

function rowsRefused(count: number, refused: RefusedRow[]): Refusal {
  const data: RowsRefused = { refused };
  const wrong = formatCount(refused.length);
  const rows = count === 1 ? 'row' : 'rows';
  const which = count === refused.length ? `${wrong} ${rows}` : `${wrong} of ${formatCount(count)} ${rows}`;
  return new Refusal('ROWS_REFUSED', `Nothing was saved: ${which} ${refused.length === 1 ? 'has' : 'have'} errors.`, {
    data,
  });
}

interface Checked {
  ownerId: string;
  values: ChallanValues;
  isPaid: boolean;
}

/**
 * Returns what will be stored for each input, or why it is refused. It computes the figures, and checks the rules of
 * docs/specification.md §8.3, the name of the owner, that the records exist to which the challan refers, and that the owner
 * of a paid challan is not on hold. All of this stays so until the commit: the records are locked, and so are the holds. An
 * input that is already refused stays refused. `locked` is asked where one row may be refused and the others stored; otherwise
 * the database refuses all (migration 015).
 */
async function check(
  db: TenantDb,
  inputs: readonly (NewChallan | Refusal)[],
  locked: Promise<string | null> | null = null,
): Promise<(Checked | Refusal)[]> {
  const given = inputs.filter((input): input is NewChallan => !(input instanceof Refusal));
  const [holds, { missing, names }, declared, lockedUpTo] = await Promise.all([
    // A hold locks first that there are no payments, then the owner, so this is the first statement too.
    lockOwnerHolds(db, [...new Set(given.flatMap((input) => (input.paymentStatus ? [input.ownerId] : [])))]),
    lockReferences(db, given),
    // Sent after the owners were locked, which every write of a declaration locks too.
    selectDeclaredDays(db, [...new Set(given.map(({ ownerId }) => ownerId))]),
    locked,
  ]);
  const missingOf = new Map(given.map((input, index) => [input, missing[index] ?? []]));
  const results: (Checked | Refusal)[] = [];
  for (const [index, input] of inputs.entries()) {
    if (index % challansPerTurn === challansPerTurn - 1) await yieldToEventLoop();
    results.push(
      refusalOr(() => {
        if (input instanceof Refusal) throw input;
        const { ownerId, paymentStatus: isPaid = false } = input;
        const typed = withDeclaration(typedOf(input, null), declared.get(ownerId) ?? []);
        const values: ChallanValues = { ...typed, ...computeNewFigures(typed, input) };
        checkNew(values, ownerId);
        if (lockedUpTo !== null && isLockedChallan(lockedUpTo, values))
          throw fieldRefusal(
            'PERIOD_LOCKED',
            values.depositedAt === null ? 'loadingDate' : 'depositedAt',
            lockedSentence(lockedUpTo),
          );
        const refusal = missingReferencesRefusal(missingOf.get(input) ?? []);
        if (refusal) throw refusal;
        const name = names.get(ownerId);
        const ownerName = ownerNameOf(values.ownerName, name);
        const owner = { name: name ?? ownerName, holdReason: (isPaid && holds.get(ownerId)) || '' };
        const permission = canPayChallan({ holdReason: '', owner });
        if (!permission.allowed) {
          const message = `${permission.reason}. Take the owner off hold, or save the challan as not paid.`;
          throw fieldRefusal('ON_HOLD', 'paymentStatus', message);
        }
        return { ownerId, values: { ...values, ownerName }, isPaid };
      }),
    );
  }
  return results;
}

function refusalOr<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

interface StoredNew {
  id: string;
  challanNumber: string;
  netAmountPayable: string;
}

/** Stores checked challans under consecutive numbers. */
async function store(db: TenantDb, challans: readonly Checked[]): Promise<StoredNew[]> {
  const stored = await insertChallans(db, challans);
  // Safe: one challan was stored for each, in their order.
  return stored.map((challan, index) => ({
    ...challan,
    netAmountPayable: challans[index]!.values.netAmountPayable,
  }));
}
