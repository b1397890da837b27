import { CSV_BOM, csvLine, csvNumber, csvText } from '../../shared/calc/csv-text.ts';
import { add } from '../../shared/calc/money.ts';
import { bankFileColumns } from '../../shared/columns/bank-statement-columns.ts';
import { csvHeader, csvRow } from '../files/csv.ts';
import type { FileLine } from '../queries/bank-statement.ts';

interface Sum {
  challans: number;
  amount: string;
}

const nothing: Sum = { challans: 0, amount: '0.00' };

const plus = (sum: Sum, line: FileLine): Sum => ({
  challans: sum.challans + 1,
  amount: add(sum.amount, line.netAmountPayable),
});

/** A line of totals: its name under 'Owner', the number of challans under 'Challan', the sum under 'Net'. */
function sumLine(name: string, sum: Sum): string {
  return csvLine(
    bankFileColumns.map(({ key, total }) => {
      if (total !== undefined) return csvNumber(sum.amount);
      if (key === 'ownerName') return csvText(name);
      if (key === 'challanNumber') return csvText(sum.challans === 1 ? '1 challan' : `${sum.challans} challans`);
      return csvText(null);
    }),
  );
}

/**
 * The bank statement's and a payment's file (ruling 44): lines by owner, after each owner's lines its subtotal, at the end
 * the grand total. The lines come sorted by owner.
 */
export async function* bankFileText(lines: AsyncIterable<FileLine[]>): AsyncGenerator<string> {
  let owner: { id: string; name: string } | undefined;
  let subtotal = nothing;
  let grandTotal = nothing;
  let text = CSV_BOM + csvHeader(bankFileColumns);
  for await (const some of lines) {
    for (const line of some) {
      if (owner && owner.id !== line.ownerId) {
        text += sumLine(`Subtotal ${owner.name}`, subtotal);
        subtotal = nothing;
      }
      owner = { id: line.ownerId, name: line.ownerName };
      subtotal = plus(subtotal, line);
      grandTotal = plus(grandTotal, line);
      text += csvRow(bankFileColumns, line);
    }
    yield text;
    text = '';
  }
  if (owner) text += sumLine(`Subtotal ${owner.name}`, subtotal);
  yield text + sumLine('Grand total', grandTotal);
}
