import type { Pool } from 'pg';
import { allowLong, checkBooks, outcomeOf, sealedAfterMinutes, type Checked, type Outcome } from './services/books.ts';
import { foldTotals, forgetOldIdempotencyKeys, selectTenantsToFold } from './queries/maintenance.ts';
import { forgetOldLoginFailures, forgetOldNetworks } from './queries/logins.ts';
import { forgetOldSignIns } from './queries/sign-ins.ts';
import { deleteExpiredSessions } from './queries/sessions.ts';
import { forgetEndedSharedReports } from './queries/shared-reports.ts';
import { sealWritten } from './queries/seals.ts';
import { claimTonight, endUpkeep, selectBusinesses } from './queries/upkeep.ts';
import { withGlobal, withTenant } from './db/tenant.ts';

export interface Maintenance {
  /** Resolves when nothing is running any more; the pool may then be ended. */
  stop(): Promise<void>;
}

interface Log {
  warn(details: object, message: string): void;
}

interface MaintenanceTimes {
  foldEveryMs: number;
  cleanEveryMs: number;
  /** How often it is seen whether the work of the night is due; the first time after as long. */
  checkEveryMs: number;
}

const defaults: MaintenanceTimes = { foldEveryMs: 1_000, cleanEveryMs: 60_000, checkEveryMs: 600_000 };

/** Fewer open differences than this do not slow readers down; the slower round folds them. */
const worthFolding = 50;

/**
 * Background work: folds open differences into the totals (migration 004); removes ended sessions, old counts of
 * sign-ins, old idempotency keys and the files of ended links. One round at a time, on one connection. A failure is
 * logged and tried again in the next round; only speed depends on it.
 */
export function startMaintenance(
  pool: Pool,
  log: Log,
  given: Partial<MaintenanceTimes> = {},
  backUp?: (claimed: string) => Promise<Outcome>,
  /** Whether one more is wanted this night: without it the archived log leads on from nothing. */
  isBackupWanted: () => Promise<boolean> = () => Promise.resolve(false),
): Maintenance {
  const times = { ...defaults, ...given };
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let cleanedAt = 0;

  const round = async (): Promise<void> => {
    const isCleaning = Date.now() - cleanedAt >= times.cleanEveryMs;
    try {
      const tenants = await withGlobal(pool, 'read', (db) => selectTenantsToFold(db, isCleaning ? 1 : worthFolding));
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
      // While the server stops, closed connections are expected; anything else is logged, without the statement's values.
      if (!isStopping) log.warn({ code: (error as { code?: string }).code }, 'maintenance did not finish its round');
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
        .then(() => (isStopping || !backUp ? undefined : backUpOnce(pool, log, backUp, isBackupWanted)))
        .catch((error: unknown) => {
          if (!isStopping)
            log.warn({ code: (error as { code?: string }).code }, 'the work of the night did not finish');
        });
    });
  }, times.checkEveryMs);
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
 * Once a night: seals what was written, and checks the books of every business one after the other. Of several programs on
 * one database one does it.
 */
async function checkAllBooks(pool: Pool, log: Log, isStopping: () => boolean): Promise<void> {
  const id = await withGlobal(pool, 'write', (db) => claimTonight(db, 'check'));
  if (id === null) return;
  const found: { name: string; checked: Checked[] }[] = [];
  for (const business of await withGlobal(pool, 'read', selectBusinesses)) {
    if (isStopping()) return;
    await withTenant(pool, business.id, 'write', async (db) => {
      await allowLong(db);
      await sealWritten(db, sealedAfterMinutes);
    });
    const checked = await withTenant(pool, business.id, 'read', checkBooks);
    found.push({ name: business.name, checked });
    for (const { check, differences } of checked) {
      if (differences > 0) log.warn({ tenant: business.id, check, differences }, 'the books do not agree');
    }
  }
  const { isGood, summary } = outcomeOf(found);
  await withGlobal(pool, 'write', (db) => endUpkeep(db, id, isGood, summary));
}

/** After the check, so that the seals of the night are in it. Of several programs one does it; it ends the line that it claimed. */
async function backUpOnce(
  pool: Pool,
  log: Log,
  backUp: (claimed: string) => Promise<Outcome>,
  isWanted: () => Promise<boolean>,
): Promise<void> {
  // An archive that cannot be read now is its own trouble, which is seen; the backup of the night is made all the same.
  const isOneMore = await isWanted().catch(() => false);
  const claimed = await withGlobal(pool, 'write', (db) => claimTonight(db, 'backup', isOneMore));
  if (claimed === null) return;
  const { isGood, summary } = await backUp(claimed);
  if (!isGood) log.warn({ summary }, 'the backup of the night is not good');
}
