import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectSharedReports } from './shared-reports.queries.ts';
import { revokeReport } from './shared-reports.service.ts';

export function sharedReportsRoutes(implement: Implementer): void {
  implement.tenant(contract.sharedReports.list, ({ db, query }) => selectSharedReports(db, query));
  implement.data(contract.sharedReports.revoke, ({ db, caller, params }) => revokeReport(db, caller, params.id));
}
