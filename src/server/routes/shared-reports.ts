import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { paginationOf } from '../queries/paging.ts';
import { countSharedReports, selectSharedReports } from '../queries/shared-reports.ts';
import { revokeReport } from '../services/shared-reports.ts';

export function sharedReportsRoutes(implement: Implementer): void {
  implement.tenant(contract.sharedReports.list, async ({ db, query }) => {
    const [data, count] = await Promise.all([selectSharedReports(db, query), countSharedReports(db)]);
    return { data, pagination: paginationOf(query, count) };
  });

  implement.tenant(contract.sharedReports.revoke, async ({ db, caller, params }) => ({
    data: await revokeReport(db, caller, params.id),
  }));
}
