import { contract } from '../../shared/contract/index.ts';
import { statementFilters } from '../../shared/filters/challan-filters.ts';
import { setFilters } from '../../shared/filters/define.ts';
import { fileBody } from '../http/file-body.ts';
import type { Implementer } from '../http/implement.ts';
import { reviewSelection } from '../queries/bank-statement-review.ts';
import { paginationOf } from '../queries/paging.ts';
import { listStatement, markPaid, statementFile } from '../services/bank-statement.ts';

export function bankStatementRoutes(implement: Implementer): void {
  implement.tenant(contract.bankStatement.list, async ({ db, query }) => {
    const paging = { page: query.page, limit: query.pageSize ?? query.limit };
    const { owners, summary } = await listStatement(db, setFilters(statementFilters, query), paging);
    return { data: { owners, summary }, pagination: paginationOf(paging, summary.totalOwners) };
  });

  implement.tenant(contract.bankStatement.exportCsv, async ({ db, query }) =>
    fileBody(await statementFile(db, setFilters(statementFilters, query), 'csv', new Date())),
  );

  implement.tenant(contract.bankStatement.exportXlsx, async ({ db, query }) =>
    fileBody(await statementFile(db, setFilters(statementFilters, query), 'xlsx', new Date())),
  );

  implement.tenant(contract.bankStatement.review, async ({ db, caller, body }) => ({
    data: await reviewSelection(db, caller, body),
  }));

  implement.tenant(contract.bankStatement.markPaid, async ({ db, caller, body }) => ({
    data: await markPaid(db, caller, {
      kind: 'selected',
      challanIds: body.challanIds,
      leavesNegative: !body.paysNegative,
    }),
  }));

  implement.tenant(contract.bankStatement.markMatchingPaid, async ({ db, caller, body }) => {
    const { filters, excludeChallanIds, paysNegative, expected } = body;
    const choice = { kind: 'filter', filters, excludeChallanIds, leavesNegative: !paysNegative } as const;
    return { data: await markPaid(db, caller, choice, expected) };
  });
}
