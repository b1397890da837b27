import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectOpenings, selectStatementOwner, selectStatementPrints } from './owner-statements.queries.ts';
import { paginationOf } from '../../sql/paging.ts';
import { notFound } from '../../refusal.ts';
import { getStatement, printStatement, statementPdf, readPrint, statementXlsx } from './owner-statements.service.ts';
import { limitReports, reportsPerAccount } from '../shared-reports/share.routes.ts';
import { setOpenings } from './opening-balances.service.ts';
import type { TenantDb } from '../../db/tenant.ts';

const { ownerStatements } = contract;

export function ownerStatementsRoutes(implement: Implementer): void {
  implement.data(ownerStatements.current, ({ db, query: { ownerId, startDate = null, endDate } }) =>
    getStatement(db, ownerId, { startDate, endDate }),
  );

  implement.tenant(ownerStatements.list, async ({ db, query }) => {
    await refuseUnknownOwner(db, query.ownerId);
    const { data, count } = await selectStatementPrints(db, query.ownerId, query);
    return { data, pagination: paginationOf(query, count) };
  });

  const limitPrints = limitReports(reportsPerAccount, 'statements were printed');
  implement.tenant(ownerStatements.print, async ({ db, caller, body }) => {
    limitPrints(caller.businessId);
    return { data: await printStatement(db, caller, body) };
  });

  implement.tenant(ownerStatements.get, async ({ db, params }) => {
    const { print, statement } = await readPrint(db, params.id);
    return { data: { ...print, statement } };
  });

  implement.tenant(ownerStatements.pdf, ({ db, params }) => statementPdf(db, params.id));
  implement.tenant(ownerStatements.xlsx, ({ db, params }) => statementXlsx(db, params.id));

  implement.tenant(ownerStatements.listOpenings, async ({ db, params, query }) => {
    await refuseUnknownOwner(db, params.id);
    return selectOpenings(db, params.id, query);
  });

  implement.tenant(ownerStatements.setOpenings, async ({ db, caller, body }) => ({
    data: { count: await setOpenings(db, caller, body) },
  }));
}

async function refuseUnknownOwner(db: TenantDb, ownerId: string): Promise<void> {
  if (!(await selectStatementOwner(db, ownerId))) throw notFound('Owner');
}
