import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { paginationOf } from '../../sql/paging.ts';
import { selectLockActs, selectPeriodLock } from './period-lock.queries.ts';
import { liftLock, listLockChanges, lockPeriod } from './period-lock.service.ts';

const { periodLock } = contract;

export function periodLockRoutes(implement: Implementer): void {
  implement.data(periodLock.get, ({ db }) => selectPeriodLock(db));
  implement.data(periodLock.lock, ({ db, caller, body }) => lockPeriod(db, caller, body, new Date()));
  implement.data(periodLock.lift, ({ db, caller, body }) => liftLock(db, caller, body));
  implement.tenant(periodLock.listActs, ({ db, query }) => selectLockActs(db, query));

  implement.tenant(periodLock.listChanges, async ({ db, query }) => {
    const { data, count } = await listLockChanges(db, query);
    return { data, pagination: paginationOf(query, count) };
  });
}
