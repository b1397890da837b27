import { atLeastZero } from './money.ts';

/**
 * An amount as a number, only for the length of a bar in a plot. The number is never shown, added or compared. Amounts
 * below zero have the length 0.
 */
export function plotLength(amount: string): number {
  return Number(atLeastZero(amount));
}
