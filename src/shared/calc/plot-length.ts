import { atLeastZero } from './money.ts';

/**
 * An amount as a number to draw a length by, and for nothing else: it is never shown, added or compared with an amount.
 * Below zero there is no length.
 */
export function plotLength(amount: string): number {
  return Number(atLeastZero(amount));
}
