import { contract } from '../../../shared/contract/index.ts';
import { fileBody } from '../../http/file-body.ts';
import type { Implementer } from '../../http/implement.ts';
import { notFound } from '../../refusal.ts';
import { paginationOf } from '../../sql/paging.ts';
import { isRecord } from '../history/history-list.queries.ts';
import { selectTdsSettings } from './tds-settings.queries.ts';
import { selectDeclaredDays } from './declarations.queries.ts';
import { selectDeposits } from './deposits.queries.ts';
import { listMonths, returnFile } from './deposits.service.ts';
import { declarationForm, listDeductions, listTds, resolvePeriod, tdsFile, updateTdsSettings } from './tds.service.ts';

const { tds, tdsDeposits, declarations } = contract;

export function tdsRoutes(implement: Implementer): void {
  implement.tenant(tds.list, async ({ db, query }) => {
    const { count, ...answer } = await listTds(db, query, new Date());
    return { ...answer, pagination: paginationOf(query, count) };
  });

  implement.tenant(tds.listDeductions, async ({ db, query }) => {
    const answer = await listDeductions(db, query, new Date());
    return { ...answer, pagination: paginationOf(query, answer.totals.challanCount) };
  });

  implement.tenant(tds.exportCsv, async ({ db, query }) => fileBody(await tdsFile(db, 'csv', query, new Date())));

  implement.tenant(tds.exportXlsx, async ({ db, query }) => fileBody(await tdsFile(db, 'xlsx', query, new Date())));

  implement.tenant(tds.listMonths, ({ db, query }) => listMonths(db, query, new Date()));

  implement.tenant(tds.exportReturnCsv, async ({ db, query }) =>
    fileBody(await returnFile(db, 'csv', query, new Date())),
  );

  implement.tenant(tds.exportReturnXlsx, async ({ db, query }) =>
    fileBody(await returnFile(db, 'xlsx', query, new Date())),
  );

  implement.tenant(tdsDeposits.list, async ({ db, query }) => {
    const { period } = await resolvePeriod(db, query, new Date());
    const { count, ...answer } = await selectDeposits(db, period, query);
    return { ...answer, pagination: paginationOf(query, count) };
  });

  implement.tenant(declarations.ofOwner, async ({ db, params }) => {
    const [isThere, declared, { declarations: rules }] = await Promise.all([
      isRecord(db, 'owner', params.id),
      selectDeclaredDays(db, [params.id]),
      selectTdsSettings(db),
    ]);
    if (!isThere) throw notFound('Owner');
    return { data: declared.get(params.id) ?? [], noticeDays: rules.noticeDays };
  });

  implement.tenant(declarations.form, async ({ db }) => fileBody(await declarationForm(db, new Date())));

  implement.tenant(tds.getSettings, async ({ db }) => ({ data: await selectTdsSettings(db) }));

  implement.tenant(tds.updateSettings, async ({ db, caller, body }) => ({
    data: await updateTdsSettings(db, caller, body),
  }));
}
