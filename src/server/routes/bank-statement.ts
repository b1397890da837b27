import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { paginationOf } from '../queries/paging.ts';
import { listStatement, markPaid, statementFile } from '../services/bank-statement.ts';
import { csvBody } from './bank-statement-csv.ts';

export function bankStatementRoutes(implement: Implementer): void {
  implement.tenant(contract.bankStatement.list, async ({ db, query }) => {
    const { pageSize, page, limit, ...filter } = query;
    const paging = { page, limit: pageSize ?? limit };
    const { owners, summary } = await listStatement(db, filter, paging);
    return { data: { owners, summary }, pagination: paginationOf(paging, summary.totalOwners) };
  });

  implement.tenant(contract.bankStatement.exportCsv, async ({ db, query }) =>
    csvBody(await statementFile(db, query, new Date())),
  );

  implement.tenant(contract.bankStatement.markPaid, async ({ db, caller, body }) => ({
    data: await markPaid(db, caller, { kind: 'selected', challanIds: body.challanIds }),
  }));

  implement.tenant(contract.bankStatement.markMatchingPaid, async ({ db, caller, body }) => {
    const { filters, excludeChallanIds, expected } = body;
    return { data: await markPaid(db, caller, { kind: 'filter', filters, excludeChallanIds }, expected) };
  });
}
