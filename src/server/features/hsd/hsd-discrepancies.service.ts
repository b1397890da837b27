import { countText } from '../../../shared/calc/count-text.ts';
import { dayOf, formatDate } from '../../../shared/calc/dates.ts';
import { hsdDiscrepanciesName } from '../../../shared/calc/file-names.ts';
import { subtract, sum } from '../../../shared/calc/money.ts';
import { hsdDiscrepancyColumns, type HsdDiscrepancyRow } from '../../../shared/columns/hsd-verification-columns.ts';
import type { TableLine } from '../../../shared/columns/define.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { writeDiscrepancies } from './hsd-discrepancies.file.ts';
import { pdfContentType } from '../../files/pdf.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import { selectDiscrepancies, selectUploadOfSheet } from './hsd-ledger.queries.ts';
import { notFound, Refusal } from '../../refusal.ts';

/** A PDF has at most this many rows, because drawing more would block the server. A workbook may have more. */
const maxPdfRows = 1_000;

/** Returns the disputed rows of a bill as a workbook, to send back to the pump (docs/specification.md §11.6). */
export async function discrepancySheet(db: TenantDb, uploadId: string): Promise<TableFile> {
  const { rows, intro, name } = await readDiscrepancies(db, uploadId);
  const columns = hsdDiscrepancyColumns;
  return tableFile('xlsx', { name: `${name}.xlsx`, sheet: 'Discrepancies', columns, intro, lines: linesOf(rows) });
}

export async function discrepancyPdf(db: TenantDb, uploadId: string): Promise<TableFile> {
  const { rows, intro, name } = await readDiscrepancies(db, uploadId);
  if (rows.length > maxPdfRows)
    throw new Refusal(
      'VALIDATION_ERROR',
      'A PDF has at most 1,000 rows, and this one would have more. Take the Excel file.',
    );
  return {
    name: `${name}.pdf`,
    contentType: pdfContentType,
    write: (sink) => writeDiscrepancies(sink, intro, rows),
  };
}

async function readDiscrepancies(db: TenantDb, uploadId: string) {
  const upload = await selectUploadOfSheet(db, uploadId);
  if (!upload) throw notFound('Upload');
  const { fileName, createdAt, pumpName } = upload;
  const rows = await selectDiscrepancies(db, uploadId);
  const day = dayOf(createdAt);
  const count = countText(rows.length, 'row');
  const intro = `${pumpName ?? 'Petrol pump'}: ${fileName} of ${formatDate(day)}, ${count}`;
  return { rows, intro, name: hsdDiscrepanciesName(pumpName ?? '', day) };
}

async function* linesOf(rows: readonly HsdDiscrepancyRow[]): AsyncGenerator<TableLine<HsdDiscrepancyRow>[]> {
  yield rows.map((row) => ({ row }));
  const billedAmount = sum(rows.map((row) => row.billedAmount ?? '0.00'));
  const challanAmount = sum(rows.map((row) => row.challanAmount ?? '0.00'));
  yield [{ sums: { tpNo: 'Total', billedAmount, challanAmount, difference: subtract(billedAmount, challanAmount) } }];
}
