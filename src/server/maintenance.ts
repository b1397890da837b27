import type { Pool } from 'pg';
import { foldTotals, forgetOldIdempotencyKeys, selectTenantsToFold } from './queries/maintenance.ts';
import { forgetOldLoginFailures, forgetOldNetworks } from './queries/logins.ts';
import { forgetOldSignIns } from './queries/sign-ins.ts';
import { deleteExpiredSessions } from './queries/sessions.ts';
import { forgetEndedSharedReports } from './queries/shared-reports.ts';
import { withGlobal } from './db/tenant.ts';

interface Maintenance {
  /** Resolves when nothing is running any more; the pool may then be ended. */
  stop(): Promise<void>;
}

interface Log {
  warn(details: object, message: string): void;
}

interface MaintenanceTimes {
  foldEveryMs: number;
  cleanEveryMs: number;
}

const defaults: MaintenanceTimes = { foldEveryMs: 1_000, cleanEveryMs: 60_000 };

/** Fewer open differences than this do not slow readers down; the slower round folds them. */
const worthFolding = 50;

/**
 * Background work: folds open differences into the totals (migration 004); removes ended sessions, old counts of
 * sign-ins, old idempotency keys and the files of ended links. One round at a time, on one connection. A failure is
 * logged and tried again in the next round; only speed depends on it.
 */
export function startMaintenance(pool: Pool, log: Log, times: MaintenanceTimes = defaults): Maintenance {
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

  return {
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
