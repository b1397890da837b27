import { contract } from '../../../shared/contract/index.ts';
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

  implement.files(tds, ({ db, query }, format) => tdsFile(db, format, query, new Date()));

  implement.tenant(tds.listMonths, ({ db, query }) => listMonths(db, query, new Date()));

  implement.files({ exportCsv: tds.exportReturnCsv, exportXlsx: tds.exportReturnXlsx }, ({ db, query }, format) =>
    returnFile(db, format, query, new Date()),
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

  implement.tenant(declarations.form, ({ db }) => declarationForm(db, new Date()));

  implement.data(tds.getSettings, ({ db }) => selectTdsSettings(db));

  implement.data(tds.updateSettings, ({ db, caller, body }) => updateTdsSettings(db, caller, body));
}
