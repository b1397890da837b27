import type { QueryOf } from '../../../shared/contract/define.ts';
import { contract } from '../../../shared/contract/index.ts';
import { statementFilters } from '../../../shared/filters/challan-filters.ts';
import { setFilters } from '../../../shared/filters/define.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectOwedChallans, selectStatementChallans, type SelectUnpaid } from './bank-statement.queries.ts';
import { paginationOf } from '../../sql/paging.ts';
import { listStatement, statementFile } from './bank-statement.service.ts';
import { markPaid, review } from './payments.service.ts';

export function bankStatementRoutes(implement: Implementer): void {
  implement.tenant(contract.bankStatement.list, (call) => pageOf(call, selectStatementChallans));

  implement.tenant(contract.bankStatement.listOwners, (call) => pageOf(call, selectOwedChallans));

  implement.files(contract.bankStatement, ({ db, query }, format) =>
    statementFile(db, setFilters(statementFilters, query), format, new Date()),
  );

  implement.data(contract.bankStatement.review, ({ db, caller, body }) => review(db, caller, body));

  implement.data(contract.bankStatement.markPaid, ({ db, caller, body }) => markPaid(db, caller, body));

  implement.data(contract.bankStatement.markMatchingPaid, ({ db, caller, body }) => markPaid(db, caller, body));
}

interface ListCall {
  db: TenantDb;
  query: QueryOf<typeof contract.bankStatement.listOwners>;
}

async function pageOf<Challan>({ db, query }: ListCall, selectChallans: SelectUnpaid<Challan>) {
  const paging = { page: query.page, limit: query.pageSize ?? query.limit };
  const data = await listStatement(db, setFilters(statementFilters, query), paging, selectChallans);
  return { data, pagination: paginationOf(paging, data.summary.totalOwners) };
}
