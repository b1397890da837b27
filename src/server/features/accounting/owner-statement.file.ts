import type { Writable } from 'node:stream';
import { amountInWords } from '../../../shared/calc/amount-words.ts';
import { formatDate, formatDateTime, formatShortDate } from '../../../shared/calc/dates.ts';
import { formatAmount, formatINR, isNegative, subtract } from '../../../shared/calc/money.ts';
import { statementDetails, statementKindWords } from '../../../shared/columns/owner-statement-columns.ts';
import type { Statement, StatementLine } from '../../../shared/contract/owner-statements.ts';
import { amountCell, createPdf, nonZeroCell, startPage, type PdfBusiness, type PdfColumn } from '../../files/pdf.ts';

interface PrintedStatement {
  business: PdfBusiness;
  statement: Statement;
  /** The number of the print. Absent: the current figures, which are not stored. */
  number?: string;
  /** The time of the print, or of the figures when there is no number. */
  at: Date;
}

const columns: readonly PdfColumn[] = [
  { label: 'Date', width: 42 },
  { label: 'Entry', width: 116 },
  { label: 'Details', width: 142 },
  { label: 'Freight', width: 58, align: 'right' },
  { label: 'TDS', width: 46, align: 'right' },
  { label: 'HSD', width: 54, align: 'right' },
  { label: 'Advance', width: 54, align: 'right' },
  { label: 'Office', width: 44, align: 'right' },
  { label: 'Shortage', width: 48, align: 'right' },
  { label: 'Payable', width: 62, align: 'right' },
  { label: 'Paid', width: 62, align: 'right' },
  { label: 'Balance', width: 66, align: 'right' },
];

const cellsOf = (line: StatementLine): string[] => [
  formatShortDate(line.day),
  // Remarks that the business wrote for itself are not printed.
  [line.kind === 'challan' ? '' : statementKindWords(line), line.number].filter(Boolean).join(' '),
  statementDetails(line),
  amountCell(line.freight),
  ...[line.tds, line.hsd, line.advance, line.office, line.shortage].map(nonZeroCell),
  amountCell(line.payable),
  amountCell(line.paid),
  formatAmount(line.balance),
];

/** This many rows are drawn before other calls can run. */
const rowsAtOnce = 100;

/** Writes an owner's statement on A4. The same lines, number and instant give the same bytes. */
export async function writeOwnerStatement(
  sink: Writable,
  { business, statement, number, at }: PrintedStatement,
): Promise<void> {
  const { owner, startDate, endDate, opening, closing, totals, lines } = statement;
  const pdf = createPdf({ title: ['Owner statement', number].filter(Boolean).join(' '), landscape: true, at });
  await pdf.write(sink, async (drained) => {
    const period =
      startDate === null ? `until ${formatDate(endDate)}` : `${formatDate(startDate)} to ${formatDate(endDate)}`;
    startPage(pdf, business, 'Owner statement', [number, period].filter(Boolean).join(' · '));
    pdf.text(owner.name, { size: 11, weight: 'bold', keepPlace: true });
    pdf.text(`${number === undefined ? 'As of' : 'Printed on'} ${formatDateTime(at)}`, { size: 8, align: 'right' });
    pdf.space(6);
    const balanceRow = (words: string, balance: string): string[] => [
      '',
      words,
      ...Array.from({ length: columns.length - 3 }, () => ''),
      formatAmount(balance),
    ];
    const rows = [balanceRow('Opening balance', opening), ...lines.map(cellsOf)];
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const isLast = from + rowsAtOnce >= rows.length;
      pdf.table(columns, rows.slice(from, from + rowsAtOnce), {
        isContinued: from > 0,
        ...(isLast && {
          sums: [
            '',
            'Closing balance',
            '',
            amountCell(totals.freight),
            ...[totals.tds, totals.hsd, totals.advance, totals.office, totals.shortage].map(nonZeroCell),
            amountCell(totals.payable),
            amountCell(totals.paid),
            formatAmount(closing),
          ],
        }),
      });
      await drained();
    }
    pdf.space(8);
    const isOwed = !isNegative(closing);
    const owed = isOwed ? closing : subtract('0.00', closing);
    pdf.text(`${isOwed ? 'Owed to the owner' : 'Owed by the owner'} ${formatINR(owed)}`, { size: 12, weight: 'bold' });
    pdf.text(amountInWords(owed), { size: 9 });
  });
}
