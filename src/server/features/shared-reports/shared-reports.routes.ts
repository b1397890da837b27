import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { paginationOf } from '../../sql/paging.ts';
import { countSharedReports, selectSharedReports } from './shared-reports.queries.ts';
import { revokeReport } from './shared-reports.service.ts';

export function sharedReportsRoutes(implement: Implementer): void {
  implement.tenant(contract.sharedReports.list, async ({ db, query }) => {
    const [data, count] = await Promise.all([selectSharedReports(db, query), countSharedReports(db)]);
    return { data, pagination: paginationOf(query, count) };
  });

  implement.tenant(contract.sharedReports.revoke, async ({ db, caller, params }) => ({
    data: await revokeReport(db, caller, params.id),
  }));
}
