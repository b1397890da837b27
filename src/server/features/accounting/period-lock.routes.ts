import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { paginationOf } from '../../sql/paging.ts';
import { selectLockActs, selectPeriodLock } from './period-lock.queries.ts';
import { liftLock, listLockChanges, lockPeriod } from './period-lock.service.ts';

const { periodLock } = contract;

export function periodLockRoutes(implement: Implementer): void {
  implement.tenant(periodLock.get, async ({ db }) => ({ data: await selectPeriodLock(db) }));

  implement.tenant(periodLock.lock, async ({ db, caller, body }) => ({
    data: await lockPeriod(db, caller, body, new Date()),
  }));

  implement.tenant(periodLock.lift, async ({ db, caller, body }) => ({ data: await liftLock(db, caller, body) }));

  implement.tenant(periodLock.listActs, ({ db, query }) => selectLockActs(db, query));

  implement.tenant(periodLock.listChanges, async ({ db, query }) => {
    const { data, count } = await listLockChanges(db, query);
    return { data, pagination: paginationOf(query, count) };
  });
}
