import { atLeastZero } from './money.ts';

/** Figures of the dashboard that are no amounts: shares of counts, and the lengths of bars. */

/** The colour of a paid share (docs/specification.md §4.2): green from 80 %, amber from 50 %, red below. */
export type PaidTone = 'good' | 'warn' | 'bad';

/**
 * The colour of a paid share. It comes from the counts and not from the rounded percentage (docs/specification.md §4.2):
 * 19,999 of 25,000 are 79.996 %, which is shown as 80.00 % and is amber. Without challans the share is 0 %.
 */
export function paidTone(paidCount: number, challanCount: number): PaidTone {
  if (challanCount === 0) return 'bad';
  // paid / all >= 80 / 100, with whole numbers on both sides so that nothing is rounded.
  if (paidCount * 100 >= challanCount * 80) return 'good';
  return paidCount * 100 >= challanCount * 50 ? 'warn' : 'bad';
}

/** The share of a count in percent, rounded half-up to two decimals: 2 of 3 are "66.67". 0 of 0 are "0.00". */
export function percentOfCounts(part: number, whole: number): string {
  if (whole === 0) return '0.00';
  // Hundredths of a percent, in whole numbers throughout.
  const hundredths = Math.floor((part * 20_000 + whole) / (2 * whole));
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}

/**
 * An amount as a number, only for the length of a bar in a plot. The number is never shown, added or compared. Amounts
 * below zero have the length 0.
 */
export function plotLength(amount: string): number {
  return Number(atLeastZero(amount));
}
