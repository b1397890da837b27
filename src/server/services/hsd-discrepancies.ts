import { dayOf } from '../../shared/calc/dates.ts';
import { hsdDiscrepanciesFileName } from '../../shared/calc/file-names.ts';
import { subtract, sum } from '../../shared/calc/money.ts';
import { hsdDiscrepancyColumns, type HsdDiscrepancyRow } from '../../shared/columns/hsd-verification-columns.ts';
import type { TableLine } from '../../shared/columns/define.ts';
import type { TenantDb } from '../db/tenant.ts';
import { tableFile, type TableFile } from '../files/table-file.ts';
import { selectDiscrepancies, selectUploadOfSheet } from '../queries/hsd-ledger.ts';
import { notFound } from '../refusal.ts';

/** What of a bill is disputed, to send back to the pump (docs/specification.md §11.6). */
export async function discrepancySheet(db: TenantDb, uploadId: string): Promise<TableFile> {
  const upload = await selectUploadOfSheet(db, uploadId);
  if (!upload) throw notFound('Upload');
  const { fileName, createdAt, pumpName } = upload;
  const rows = await selectDiscrepancies(db, uploadId);
  const day = dayOf(createdAt);
  return tableFile('xlsx', {
    name: hsdDiscrepanciesFileName(pumpName ?? '', day),
    sheet: 'Discrepancies',
    columns: hsdDiscrepancyColumns,
    intro: `${pumpName ?? 'Petrol pump'}: ${fileName} of ${day.split('-').reverse().join('/')}, ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`,
    lines: linesOf(rows),
  });
}

async function* linesOf(rows: readonly HsdDiscrepancyRow[]): AsyncGenerator<TableLine<HsdDiscrepancyRow>[]> {
  yield rows.map((row) => ({ row }));
  const billedAmount = sum(rows.map((row) => row.billedAmount ?? '0.00'));
  const challanAmount = sum(rows.map((row) => row.challanAmount ?? '0.00'));
  yield [{ sums: { tpNo: 'Total', billedAmount, challanAmount, difference: subtract(billedAmount, challanAmount) } }];
}
