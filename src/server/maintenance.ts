import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import {
  allowLongStatements,
  bookChecks,
  runCheck,
  summarizeChecks,
  sealAfterMinutes,
  type CheckResult,
  type Outcome,
} from './features/system/books.service.ts';
import { foldTotals, forgetOldIdempotencyKeys, selectTenantsToFold } from './features/system/maintenance.queries.ts';
import { forgetOldLoginFailures, forgetOldNetworks } from './features/session/logins.queries.ts';
import { forgetOldDevices } from './features/session/devices.queries.ts';
import { forgetOldCodeWaits } from './features/session/second-steps.queries.ts';
import { forgetOldSignIns } from './features/session/sign-ins.queries.ts';
import { deleteExpiredSessions } from './features/session/sessions.queries.ts';
import { forgetEndedSharedReports } from './features/shared-reports/shared-reports.queries.ts';
import { sealWritten } from './features/system/seals.queries.ts';
import { claimTonight, endUpkeep, selectBusinesses } from './features/system/upkeep.queries.ts';
import { withGlobal, withTenant, type GlobalDb, type TenantDb, type TransactionMode } from './db/tenant.ts';

export interface Maintenance {
  /** Stops the rounds. Resolves when no round is running any more; then the pool may be ended. */
  stop(): Promise<void>;
}

interface Log {
  warn(details: object, message: string): void;
}

interface MaintenanceTimes {
  foldEveryMs: number;
  cleanEveryMs: number;
  /** How often to check whether the nightly work is due. The first check comes after the same time. */
  checkNightEveryMs: number;
  /** The time by which the check of the books is due, for tests. Absent: that of the database. */
  now?: () => Date;
}

const defaults: MaintenanceTimes = { foldEveryMs: 1_000, cleanEveryMs: 60_000, checkNightEveryMs: 600_000 };

/** A tenant with fewer open differences than this does not slow readers down. The slower round folds them. */
const minDifferencesToFold = 50;

/** What is removed when it is old or has ended. */
const removals: readonly ((db: GlobalDb) => Promise<unknown>)[] = [
  deleteExpiredSessions,
  forgetOldLoginFailures,
  forgetOldNetworks,
  forgetOldSignIns,
  forgetOldCodeWaits,
  forgetOldDevices,
  forgetOldIdempotencyKeys,
  forgetEndedSharedReports,
];

/**
 * Starts the background work. It folds open differences into the totals (migration 005), and removes ended sessions,
 * old counts of sign-ins, old idempotency keys and the files of ended links. One round runs at a time, on one
 * connection. A failure is logged and retried in the next round; it affects only speed.
 *
 * Every night it also checks the books and, when `backUp` is given, makes a backup.
 */
export function startMaintenance(
  pool: Pool,
  log: Log,
  given: Partial<MaintenanceTimes> = {},
  backUp?: (claimed: string) => Promise<Outcome>,
  /** Whether another backup is needed this night: without a base backup the archived log cannot be replayed. */
  needsBackup: () => Promise<boolean> = () => Promise.resolve(false),
): Maintenance {
  const times = { ...defaults, ...given };
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let cleanedAt = 0;

  // Closed connections are expected while the server stops. Any other error is logged, without the statement's values.
  const warn = (error: unknown): void => {
    if (!signal.aborted) log.warn({ code: (error as { code?: string }).code }, 'a maintenance round failed');
  };

  const clean = async (): Promise<void> => {
    cleanedAt = Date.now();
    for (const remove of removals) {
      if (signal.aborted) return;
      await withGlobal(pool, 'write', remove);
    }
  };

  /** Folds a portion of each tenant in turn until few differences are open. One that fails waits for the next round. */
  const fold = async (atLeast: number): Promise<void> => {
    const left = new Set<string>();
    for (let fewest = atLeast; ; fewest = minDifferencesToFold) {
      const found = await withGlobal(pool, 'read', (db) => selectTenantsToFold(db, fewest));
      const tenants = found.filter((tenant) => !left.has(tenant));
      if (tenants.length === 0) return;
      for (const tenant of tenants) {
        if (signal.aborted) return;
        const folded = await withGlobal(pool, 'write', async (db) => {
          await allowLongStatements(db);
          return foldTotals(db, tenant);
        }).catch(warn);
        // Nothing was folded also when another server folds this tenant.
        if (!folded) left.add(tenant);
      }
    }
  };

  const round = async (): Promise<void> => {
    const isCleaning = Date.now() - cleanedAt >= times.cleanEveryMs;
    if (isCleaning) await clean().catch(warn);
    if (!signal.aborted) await fold(isCleaning ? 1 : minDifferencesToFold).catch(warn);
  };

  const schedule = (): void => {
    timer = setTimeout(() => {
      running = round().then(() => {
        if (!signal.aborted) schedule();
      });
    }, times.foldEveryMs);
    // The timer must not keep the process alive.
    timer.unref();
  };
  schedule();

  let checking: Promise<void> = Promise.resolve();
  const checkTimer = setInterval(() => {
    checking = checking.then(async () => {
      if (signal.aborted) return;
      await checkAllBooks(pool, log, signal, times.now?.())
        .then(() => (signal.aborted || !backUp ? undefined : backUpOnce(pool, log, backUp, needsBackup)))
        .catch((error: unknown) => {
          if (!signal.aborted) log.warn({ code: (error as { code?: string }).code }, 'the nightly work failed');
        });
    });
  }, times.checkNightEveryMs);
  checkTimer.unref();

  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      clearInterval(checkTimer);
      await Promise.all([running, checking]);
    },
  };
}

/**
 * Once a night, seals the new records and checks the books of all businesses one after the other. When several servers
 * use the same database, only one of them does it. Each check has a transaction of its own, because a long one would keep the
 * database from removing old versions of rows. After each, the processor is left alone for as long as it took.
 */
async function checkAllBooks(pool: Pool, log: Log, signal: AbortSignal, now?: Date): Promise<void> {
  const id = await withGlobal(pool, 'write', (db) => claimTonight(db, 'check', { now }));
  if (id === null) return;
  const gently = async <T>(business: string, mode: TransactionMode, work: (db: TenantDb) => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await withTenant(pool, business, mode, async (db) => {
      await allowLongStatements(db);
      await db.query('SET LOCAL max_parallel_workers_per_gather = 0');
      return work(db);
    });
    await wait(performance.now() - begun, undefined, { signal }).catch(() => undefined);
    return result;
  };
  const found: { name: string; checked: CheckResult[] }[] = [];
  for (const { id: tenant, name } of await withGlobal(pool, 'read', selectBusinesses)) {
    if (signal.aborted) return;
    await gently(tenant, 'write', (db) => sealWritten(db, sealAfterMinutes));
    const checked: CheckResult[] = [];
    for (const bookCheck of bookChecks) {
      if (signal.aborted) return;
      const result = await gently(tenant, 'read', (db) => runCheck(db, bookCheck));
      checked.push(result);
      const { check, differences } = result;
      if (differences > 0) log.warn({ tenant, check, differences }, 'the books do not agree');
    }
    found.push({ name, checked });
  }
  const { isGood, summary } = summarizeChecks(found);
  await withGlobal(pool, 'write', (db) => endUpkeep(db, id, isGood, summary));
}

/**
 * Makes the nightly backup. It runs after a check that is due, so that it contains the seals of this night. When several servers
 * use the same database, only one of them does it, and it completes the upkeep record that it claimed.
 */
async function backUpOnce(
  pool: Pool,
  log: Log,
  backUp: (claimed: string) => Promise<Outcome>,
  needsBackup: () => Promise<boolean>,
): Promise<void> {
  // An unreadable archive is reported elsewhere. It must not prevent the nightly backup.
  const needsAnother = await needsBackup().catch(() => false);
  const claimed = await withGlobal(pool, 'write', (db) => claimTonight(db, 'backup', { isAdditional: needsAnother }));
  if (claimed === null) return;
  const { isGood, summary } = await backUp(claimed);
  if (!isGood) log.warn({ summary }, 'the nightly backup is not good');
}
