import type { FileFormat } from '../../../shared/calc/file-names.ts';
import { add } from '../../../shared/calc/money.ts';
import { bankFileColumns, bankSheetColumns, type BankFileRow } from '../../../shared/columns/bank-statement-columns.ts';
import type { TableLine } from '../../../shared/columns/define.ts';
import { maxSheetRows } from '../../files/xlsx.ts';
import type { FileLine } from './bank-statement.queries.ts';
import { Refusal } from '../../refusal.ts';

interface Sum {
  challans: number;
  amount: string;
}

const zeroSum: Sum = { challans: 0, amount: '0.00' };

const addLine = (sum: Sum, line: FileLine): Sum => ({
  challans: sum.challans + (line.isCarry ? 0 : 1),
  amount: add(sum.amount, line.netAmountPayable),
});

/** Returns a line of totals: its name in the column 'Owner', the number of challans in 'Challan', the sum in 'Net'. */
const sumLine = (name: string, { challans, amount }: Sum): TableLine<BankFileRow> => ({
  sums: {
    ownerName: name,
    challanNumber: challans === 1 ? '1 challan' : `${challans} challans`,
    netAmountPayable: amount,
  },
});

export const bankColumnsOf = (format: FileFormat) => (format === 'xlsx' ? bankSheetColumns : bankFileColumns);

/**
 * Adds sums to the lines of the bank statement's file or of a payment's file (docs/specification.md §13.3): a subtotal
 * after each owner's lines and a grand total at the end. The lines must come sorted by owner.
 */
export async function* withSums(lines: AsyncIterable<FileLine[]>): AsyncGenerator<TableLine<BankFileRow>[]> {
  let owner: { id: string; name: string } | undefined;
  let subtotal = zeroSum;
  let grandTotal = zeroSum;
  for await (const some of lines) {
    const shown: TableLine<BankFileRow>[] = [];
    for (const line of some) {
      if (owner && owner.id !== line.ownerId) {
        shown.push(sumLine(`Subtotal ${owner.name}`, subtotal));
        subtotal = zeroSum;
      }
      owner = { id: line.ownerId, name: line.ownerName };
      subtotal = addLine(subtotal, line);
      grandTotal = addLine(grandTotal, line);
      shown.push({ row: line });
    }
    yield shown;
  }
  const last = owner ? [sumLine(`Subtotal ${owner.name}`, subtotal)] : [];
  yield [...last, sumLine('Grand total', grandTotal)];
}

/** Refuses a workbook that would have more rows than a sheet can hold. A CSV has no limit. */
export function refuseTooManyRows(format: FileFormat, challans: number, owners: number): void {
  if (format === 'csv' || challans + owners + 2 <= maxSheetRows) return;
  throw new Refusal(
    'VALIDATION_ERROR',
    'An Excel file holds at most 1,048,576 rows, and this one would have more. Download the CSV, or narrow the filter.',
  );
}
