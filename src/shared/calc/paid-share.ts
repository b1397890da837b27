/** docs/specification.md §4.2: green at 80 or more, amber at 50 or more, red below. */
export type PaidTone = 'good' | 'warn' | 'bad';

/**
 * The colour of a share paid, by count and from the counts themselves (docs/specification.md §4.2): 19,999 of 25,000
 * are 79.996 %, which is shown as 80.00 % and is amber. Without challans 0 %.
 */
export function paidTone(paidCount: number, challanCount: number): PaidTone {
  if (challanCount === 0) return 'bad';
  // Whole numbers on both sides, so nothing is rounded: paid / all >= 80 / 100.
  if (paidCount * 100 >= challanCount * 80) return 'good';
  return paidCount * 100 >= challanCount * 50 ? 'warn' : 'bad';
}

/** A share of counts in percent, rounded half-up to two decimals: 2 of 3 are "66.67". Without any it is "0.00". */
export function percentOfCounts(part: number, whole: number): string {
  if (whole === 0) return '0.00';
  // Hundredths of a percent, in whole numbers throughout.
  const hundredths = Math.floor((part * 20_000 + whole) / (2 * whole));
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}
