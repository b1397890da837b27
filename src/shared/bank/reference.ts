import type { LayoutDefinition } from './layout.ts';

/**
 * The reference of a line is unique in the business and comes back in the bank's answer: 'PAY2627000444-07' is the seventh
 * line of PAY-2627-000444. Where the layout has less room, the word in front is left out: a payment's number has none of
 * another kind beside it, so it stays unique.
 */
const roomFor = ({ fields }: LayoutDefinition): number =>
  Math.min(...fields.filter(({ source }) => source === 'reference').map(({ length }) => length || Infinity), Infinity);

export function lineReference(paymentNumber: string, nthLine: number, layout: LayoutDefinition): string {
  const whole = `${paymentNumber.replaceAll('-', '')}-${String(nthLine).padStart(2, '0')}`;
  return whole.length <= roomFor(layout) ? whole : whole.replace(/^[A-Z]+/, '');
}

export const referenceFits = (reference: string, layout: LayoutDefinition): boolean =>
  reference.length <= roomFor(layout);
