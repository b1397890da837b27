import { atLeastZero } from './money.ts';

/**
 * An amount as a number for the length of a bar, and for nothing else: it is never shown, added or compared. Amounts
 * below zero have no length.
 */
export function plotLength(amount: string): number {
  return Number(atLeastZero(amount));
}
