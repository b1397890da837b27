import { contract } from '../../../shared/contract/index.ts';
import { daysOfMonth } from '../../../shared/contract/month-packs.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectCloseChecks } from './close-checks.queries.ts';
import { selectMonthPacks } from './month-packs.queries.ts';
import { createMonthPack, monthPackFile } from './month-packs.service.ts';

const { monthPacks } = contract;

export function monthPacksRoutes(implement: Implementer): void {
  implement.tenant(monthPacks.checks, async ({ db, query }) => {
    const month = daysOfMonth(query.month);
    return { data: await selectCloseChecks(db, month), ...month };
  });

  implement.tenant(monthPacks.list, ({ db, query }) => selectMonthPacks(db, query));

  implement.tenantWithSnapshot(monthPacks.create, async ({ db, caller, body, inSnapshot }) => ({
    data: await createMonthPack(db, caller, body, { now: new Date(), inSnapshot }),
  }));

  implement.tenant(monthPacks.download, ({ db, params }) => monthPackFile(db, params.id));
}
