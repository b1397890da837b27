import { divide, formatAmount, formatINR, formatPercentage, sum } from './money.ts';

/** What the figures of a cell are measured in. Only figures of one unit are added up. */
export type CellUnit = 'money' | 'weight' | 'liters' | 'percent' | 'count';

interface SummedCell {
  /** The plain value, as it is copied. */
  text: string;
  /** Absent in a column of text. */
  unit: CellUnit | undefined;
}

interface CellSums {
  /** Cells that are not empty, also those with text. */
  count: number;
  /** Absent without figures; 'mixed' if they have several units. */
  figures?: { unit: CellUnit; sum: string; average: string } | 'mixed';
}

/** Text in a column of figures, as a masked amount, counts as text. */
const figurePattern = /^-?\d+(\.\d+)?$/;

/**
 * Count, sum and average of cells. The sum is exact. The average is of the cells with a figure, and is rounded once, as money
 * is: half-up, to two decimals, a percentage to one.
 */
export function sumCells(cells: Iterable<SummedCell>): CellSums {
  let count = 0;
  const figures: string[] = [];
  const units = new Set<CellUnit>();
  for (const { text, unit } of cells) {
    if (text === '') continue;
    count += 1;
    if (unit === undefined || !figurePattern.test(text)) continue;
    figures.push(text);
    units.add(unit);
  }
  const [unit] = units;
  if (unit === undefined) return { count };
  if (units.size > 1) return { count, figures: 'mixed' };
  const exact = sum(figures);
  const average = divide(exact, String(figures.length), unit === 'percent' ? 1 : 2) ?? exact;
  return { count, figures: { unit, sum: exact, average } };
}

/** A sum or average with its unit. */
export const unitTexts: Readonly<Record<CellUnit, (text: string) => string>> = {
  money: formatINR,
  weight: (text) => `${formatAmount(text)} MT`,
  liters: (text) => `${formatAmount(text)} L`,
  percent: (text) => `${formatPercentage(text)} %`,
  count: (text) => formatAmount(text).replace(/\.00$/, ''),
};
