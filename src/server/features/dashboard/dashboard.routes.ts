import { dayOf } from '../../../shared/calc/dates.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectOwnerAgeing, selectPeriods } from './dashboard.queries.ts';
import { paginationOf } from '../../sql/paging.ts';
import { dashboardFilterOf } from './tag-analytics.queries.ts';
import { getToday } from './today.service.ts';

const { dashboard, today } = contract;

export function dashboardRoutes(implement: Implementer): void {
  implement.tenant(today.get, ({ db, caller, query }) => getToday(db, caller, { now: new Date(), since: query.since }));

  implement.data(dashboard.listWeeks, ({ db, query }) => selectPeriods(db, dashboardFilterOf(query)));

  implement.tenant(dashboard.listOwnerAgeing, async ({ db, query }) => {
    const now = new Date();
    const today = dayOf(now);
    const { owners, ownerCount, totals } = await selectOwnerAgeing(db, today, query);
    return {
      data: owners,
      meta: { today, totals, generatedAt: now.toISOString() },
      pagination: paginationOf(query, ownerCount),
    };
  });
}
