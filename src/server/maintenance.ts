import type { Pool } from 'pg';
import {
  allowLongStatements,
  checkBooks,
  summarizeChecks,
  sealAfterMinutes,
  type CheckResult,
  type Outcome,
} from './services/books.ts';
import { foldTotals, forgetOldIdempotencyKeys, selectTenantsToFold } from './queries/maintenance.ts';
import { forgetOldLoginFailures, forgetOldNetworks } from './queries/logins.ts';
import { forgetOldSignIns } from './queries/sign-ins.ts';
import { deleteExpiredSessions } from './queries/sessions.ts';
import { forgetEndedSharedReports } from './queries/shared-reports.ts';
import { sealWritten } from './queries/seals.ts';
import { claimTonight, endUpkeep, selectBusinesses } from './queries/upkeep.ts';
import { withGlobal, withTenant } from './db/tenant.ts';

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
}

const defaults: MaintenanceTimes = { foldEveryMs: 1_000, cleanEveryMs: 60_000, checkNightEveryMs: 600_000 };

/** A tenant with fewer open differences than this does not slow readers down. The slower round folds them. */
const minDifferencesToFold = 50;

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
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let cleanedAt = 0;

  const round = async (): Promise<void> => {
    const isCleaning = Date.now() - cleanedAt >= times.cleanEveryMs;
    try {
      const tenants = await withGlobal(pool, 'read', (db) =>
        selectTenantsToFold(db, isCleaning ? 1 : minDifferencesToFold),
      );
      for (const tenant of tenants) {
        if (isStopping) return;
        await withGlobal(pool, 'write', (db) => foldTotals(db, tenant));
      }
      if (isCleaning && !isStopping) {
        cleanedAt = Date.now();
        await withGlobal(pool, 'write', deleteExpiredSessions);
        await withGlobal(pool, 'write', forgetOldLoginFailures);
        await withGlobal(pool, 'write', forgetOldNetworks);
        await withGlobal(pool, 'write', forgetOldSignIns);
        await withGlobal(pool, 'write', forgetOldIdempotencyKeys);
        await withGlobal(pool, 'write', forgetEndedSharedReports);
      }
    } catch (error) {
      // Closed connections are expected while the server stops. Any other error is logged, without the statement's
      // values.
      if (!isStopping) log.warn({ code: (error as { code?: string }).code }, 'a maintenance round failed');
    }
  };

  const schedule = (): void => {
    timer = setTimeout(() => {
      running = round().then(() => {
        if (!isStopping) schedule();
      });
    }, times.foldEveryMs);
    // The timer must not keep the process alive.
    timer.unref();
  };
  schedule();

  let checking: Promise<void> = Promise.resolve();
  const checkTimer = setInterval(() => {
    checking = checking.then(async () => {
      if (isStopping) return;
      await checkAllBooks(pool, log, () => isStopping)
        .then(() => (isStopping || !backUp ? undefined : backUpOnce(pool, log, backUp, needsBackup)))
        .catch((error: unknown) => {
          if (!isStopping) log.warn({ code: (error as { code?: string }).code }, 'the nightly work failed');
        });
    });
  }, times.checkNightEveryMs);
  checkTimer.unref();

  return {
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      clearInterval(checkTimer);
      await Promise.all([running, checking]);
    },
  };
}

/**
 * Once a night, seals the new records and checks the books of all businesses one after the other. When several servers
 * use the same database, only one of them does it.
 */
async function checkAllBooks(pool: Pool, log: Log, isStopping: () => boolean): Promise<void> {
  const id = await withGlobal(pool, 'write', (db) => claimTonight(db, 'check'));
  if (id === null) return;
  const found: { name: string; checked: CheckResult[] }[] = [];
  for (const business of await withGlobal(pool, 'read', selectBusinesses)) {
    if (isStopping()) return;
    await withTenant(pool, business.id, 'write', async (db) => {
      await allowLongStatements(db);
      await sealWritten(db, sealAfterMinutes);
    });
    const checked = await withTenant(pool, business.id, 'read', checkBooks);
    found.push({ name: business.name, checked });
    for (const { check, differences } of checked) {
      if (differences > 0) log.warn({ tenant: business.id, check, differences }, 'the books do not agree');
    }
  }
  const { isGood, summary } = summarizeChecks(found);
  await withGlobal(pool, 'write', (db) => endUpkeep(db, id, isGood, summary));
}

/**
 * Makes the nightly backup. It runs after the check, so that it contains the seals of this night. When several servers
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
  const claimed = await withGlobal(pool, 'write', (db) => claimTonight(db, 'backup', needsAnother));
  if (claimed === null) return;
  const { isGood, summary } = await backUp(claimed);
  if (!isGood) log.warn({ summary }, 'the nightly backup is not good');
}
