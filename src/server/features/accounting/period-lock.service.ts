import { dayOf } from '../../../shared/calc/dates.ts';
import { lockedFieldNames } from '../../../shared/contract/locked-fields.ts';
import { sentName } from '../../../shared/contract/challan-fields.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { HistoryChange } from '../../../shared/contract/history.ts';
import type { LockChange, periodLockActs } from '../../../shared/contract/period-lock-acts.ts';
import type { PeriodLock } from '../../../shared/contract/period-lock.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { fieldRefusal, Refusal, versionConflict } from '../../refusal.ts';
import { takeTurns } from '../../sql/conflicts.ts';
import { presentHistory } from '../history/history.service.ts';
import {
  insertLockAct,
  selectLockChanges,
  selectPeriodLock,
  type ChangedRow,
  type NewAct,
} from './period-lock.queries.ts';
import { type Paging } from '../../sql/paging.ts';

/** The period lock (docs/specification.md §29). The database keeps it; this sets it and says what it did. */

/**
 * Locks the books up to a day, or ends a lift. It waits for every write that may concern a locked day, and those that come
 * later see the lock. The same day again changes nothing while the lock is not lifted.
 * @throws Refusal VALIDATION_ERROR for a day to come, and for one before the lock: only a lift opens locked days
 */
export async function lockPeriod(
  db: TenantDb,
  caller: Caller,
  { upTo, version }: BodyOf<typeof periodLockActs.lock>,
  now: Date,
): Promise<PeriodLock> {
  const lock = await takeLock(db, version);
  if (upTo > dayOf(now)) throw fieldRefusal('VALIDATION_ERROR', 'upTo', 'The day is still to come');
  if (lock.upTo !== null && upTo < lock.upTo) {
    const message = 'The lock only moves forward. Lift it to change earlier days.';
    throw fieldRefusal('VALIDATION_ERROR', 'upTo', message);
  }
  return upTo === lock.upTo && lock.openUntil === null ? lock : actOn(db, caller, lock, { kind: 'lock', upTo });
}

/**
 * Locks the books up to a day where they are not, and ends a lift. Until the transaction ends nobody lifts the lock.
 */
export async function keepLockedUpTo(db: TenantDb, caller: Caller, upTo: string): Promise<void> {
  await takeTurns(db, 'period-lock');
  const lock = await selectPeriodLock(db);
  const last = lock.upTo !== null && lock.upTo > upTo ? lock.upTo : upTo;
  if (lock.upTo !== last || lock.openUntil !== null) await actOn(db, caller, lock, { kind: 'lock', upTo: last });
}

/**
 * Lifts the lock for some hours from now, after which it holds again without anybody doing anything.
 * @throws Refusal VALIDATION_ERROR while nothing is locked
 */
export async function liftLock(
  db: TenantDb,
  caller: Caller,
  { version, reason, hours }: BodyOf<typeof periodLockActs.lift>,
): Promise<PeriodLock> {
  const lock = await takeLock(db, version);
  if (lock.upTo === null) throw new Refusal('VALIDATION_ERROR', 'The books are not locked');
  return actOn(db, caller, lock, { kind: 'lift', upTo: lock.upTo, reason, hours });
}

async function takeLock(db: TenantDb, version: number | undefined): Promise<PeriodLock> {
  await takeTurns(db, 'period-lock');
  const lock = await selectPeriodLock(db);
  if (version !== undefined && version !== lock.version) throw versionConflict('lock', lock);
  return lock;
}

async function actOn(db: TenantDb, caller: Caller, { version }: PeriodLock, act: NewAct): Promise<PeriodLock> {
  await insertLockAct(db, caller, version, act);
  return selectPeriodLock(db);
}

/** How the figures of what is not a challan are shown. */
const figures: Readonly<Record<string, Pick<HistoryChange, 'label' | 'kind'>>> = {
  amount: { label: 'Opening Balance', kind: 'money' },
  asOf: { label: 'As Of', kind: 'date' },
  paidOn: { label: 'Paid On', kind: 'date' },
  totalAmount: { label: 'Amount', kind: 'money' },
};
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export async function listLockChanges(db: TenantDb, paging: Paging): Promise<{ data: LockChange[]; count: number }> {
  const { rows, count } = await selectLockChanges(db, lockedFieldNames.map(sentName), paging);
  const ofChallans = rows.filter(({ record }) => record === 'challan');
  const entries = await presentHistory(
    db,
    'challan',
    ofChallans.map((row) => ({ ...row, screen: '', payment: null })),
  );
  const presented = new Map(ofChallans.map((row, index) => [row, entries[index]]));
  const present = (row: ChangedRow): Pick<LockChange, 'action' | 'changes'> =>
    presented.get(row) ?? {
      action: row.record === 'payment' ? 'Paid' : 'Entered',
      changes: Object.entries(figures).flatMap(([field, shown]) => {
        const [before, after] = row.changes[field] ?? [];
        return field in row.changes ? [{ field, ...shown, before: textOf(before), after: textOf(after) }] : [];
      }),
    };
  return {
    data: rows.map((row) => {
      const { batch: _batch, ...line } = row;
      const { action, changes } = present(row);
      return { ...line, action, changes };
    }),
    count,
  };
}
