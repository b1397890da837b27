import type { Writable } from 'node:stream';
import { formatDate } from '../../../shared/calc/dates.ts';
import { formatAmount, formatINR, subtract, sum } from '../../../shared/calc/money.ts';
import { billDateText, type HsdDiscrepancyRow } from '../../../shared/columns/hsd-verification-columns.ts';
import { amountCell, createPdf, type PdfColumn } from '../../files/pdf.ts';

const columns: readonly PdfColumn[] = [
  { label: 'Row', width: 28, align: 'right' },
  { label: 'TP No', width: 90 },
  { label: 'Date in Bill', width: 54 },
  { label: 'Vehicle in Bill', width: 66, isWhole: true },
  { label: 'Billed', width: 58, align: 'right' },
  { label: 'Our Challan', width: 82, isWhole: true },
  { label: 'Our Vehicle', width: 66, isWhole: true },
  { label: 'Our Date', width: 54 },
  { label: 'Our Amount', width: 58, align: 'right' },
  { label: 'Difference', width: 58, align: 'right' },
  { label: 'Remark', width: 150 },
];

const cellsOf = (row: HsdDiscrepancyRow): string[] => [
  String(row.row),
  row.tpNo,
  billDateText(row),
  row.billVehicle,
  amountCell(row.billedAmount),
  row.challanNumber ?? '',
  row.vehicleNo ?? '',
  row.loadingDate === null ? '' : formatDate(row.loadingDate),
  amountCell(row.challanAmount),
  amountCell(row.difference),
  row.remark,
];

/** Writes the disputed rows of a bill as a PDF. */
export async function writeDiscrepancies(
  sink: Writable,
  intro: string,
  rows: readonly HsdDiscrepancyRow[],
): Promise<void> {
  const billed = sum(rows.map(({ billedAmount }) => billedAmount ?? '0.00'));
  const ours = sum(rows.map(({ challanAmount }) => challanAmount ?? '0.00'));
  const pdf = createPdf({ title: 'HSD discrepancies', landscape: true });
  pdf.newPage();
  pdf.text('HSD discrepancies', { size: 13, weight: 'bold' });
  pdf.text(intro);
  pdf.text(
    `Billed ${formatINR(billed)}, in our challans ${formatINR(ours)}: ${formatINR(subtract(billed, ours))} disputed.`,
  );
  pdf.space(6);
  const sums = [
    '',
    'Total',
    '',
    '',
    formatAmount(billed),
    '',
    '',
    '',
    formatAmount(ours),
    formatAmount(subtract(billed, ours)),
    '',
  ];
  pdf.table(columns, rows.map(cellsOf), { sums });
  await pdf.write(sink, async () => undefined);
}
