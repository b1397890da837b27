import { formatINR, formatPercentage, formatWeight, isZero, subtract, sum } from './money.ts';
import type { ChallanAmountsInput, ChallanFigures } from './challan-figures.ts';

export interface BreakdownLine {
  key:
    | 'grossAmount'
    | 'tdsAmount'
    | 'hsdAmount'
    | 'advanceMoney'
    | 'materialShortageAmount'
    | 'officeCharges'
    | 'recorded'
    | 'shortageAmount';
  label: string;
  /** Two decimals, unsigned except for 'recorded'; null while it cannot be computed. */
  amount: string | null;
  /** ' ' marks a line that is shown but is no part of the sum. */
  sign: '+' | '-' | ' ';
  isDeducted: boolean;
  /** How the amount came about, for people: "27.50 MT × ₹1,450.00". */
  how: string;
}

function has(value: string | null | undefined): value is string {
  return value !== undefined && value !== null && value !== '';
}

function times(weight: string | null | undefined, unit: string, price: string | null | undefined): string {
  if (!has(weight) || !has(price)) return '';
  return `${formatWeight(weight)} ${unit} × ${formatINR(price)}`;
}

/** How the weight of a shortage comes about: difference less discount weight. '' while the difference is not known. */
function excessText(input: ChallanAmountsInput, figures: ChallanFigures): string {
  if (figures.differenceWeight === null) return '';
  const discount = has(input.discountWeight) ? input.discountWeight : '0';
  return isZero(discount)
    ? `difference ${formatWeight(figures.differenceWeight)} MT`
    : `(difference ${formatWeight(figures.differenceWeight)} − discount ${formatWeight(discount)}) MT`;
}

function shortageHow(input: ChallanAmountsInput, figures: ChallanFigures): string {
  if (isZero(figures.shortageAmount)) return 'Shown only, not deducted';
  return `${excessText(input, figures)} × ${formatINR(input.ratePerMT ?? '0')}; shown only, not deducted`;
}

function materialShortageHow(input: ChallanAmountsInput, figures: ChallanFigures): string {
  if (isZero(figures.materialShortageAmount) || !has(input.materialRate)) return '';
  return `${excessText(input, figures)} × ${formatINR(input.materialRate)}`;
}

/**
 * The lines of the sum in the order of docs/specification.md §8.4.1: the freight, then what is deducted, then the
 * shortage, which is only shown.
 */
export function breakdownLines(input: ChallanAmountsInput, figures: ChallanFigures): BreakdownLine[] {
  const freight = times(figures.chargedWeight, 'MT', input.ratePerMT);
  const deduction = (key: BreakdownLine['key'], label: string, amount: string, how: string): BreakdownLine => ({
    key,
    label,
    amount,
    sign: '-',
    isDeducted: true,
    how,
  });
  const percentage = has(input.tdsPercentage) ? `${formatPercentage(input.tdsPercentage)}%` : '';
  const lines: BreakdownLine[] = [
    { key: 'grossAmount', label: 'Freight', amount: figures.grossAmount, sign: '+', isDeducted: false, how: freight },
    deduction(
      'tdsAmount',
      'TDS Amount',
      figures.tdsAmount,
      percentage && freight ? `${percentage} of ${freight}` : percentage,
    ),
    deduction('hsdAmount', 'HSD Amount', figures.hsdAmount, times(input.hsdInLiters, 'L', input.hsdPricePerLiter)),
    deduction('advanceMoney', 'Advance Money', has(input.advanceMoney) ? sum([input.advanceMoney]) : '0.00', ''),
    deduction(
      'materialShortageAmount',
      'Material Shortage Amount',
      figures.materialShortageAmount,
      materialShortageHow(input, figures),
    ),
    deduction('officeCharges', 'Office Charges', has(input.officeCharges) ? sum([input.officeCharges]) : '0.00', ''),
  ];
  if (figures.netAmountPayable !== null && figures.grossAmount !== null) {
    const deducted = sum(lines.filter((line) => line.isDeducted).map((line) => line.amount ?? '0'));
    const rest = subtract(figures.netAmountPayable, subtract(figures.grossAmount, deducted));
    // A stored net that was not computed by this formula stays (docs/specification.md §8.4.3); the difference is shown
    // as a line of its own.
    if (!isZero(rest)) {
      lines.push({ key: 'recorded', label: 'As recorded', amount: rest, sign: '+', isDeducted: false, how: '' });
    }
  }
  lines.push({
    key: 'shortageAmount',
    label: 'Shortage Amount',
    amount: figures.shortageAmount,
    sign: ' ',
    isDeducted: false,
    how: shortageHow(input, figures),
  });
  return lines;
}
