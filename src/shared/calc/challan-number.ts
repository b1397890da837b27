import { financialYear } from './dates.ts';

/**
 * CH-2627-000123: the financial year of the creation day in Asia/Kolkata, then the account's counter of that year (ruling
 * 29). A counter past six digits is written in full.
 */
export function challanNumber(createdAt: string | Date, counter: number): string {
  return `CH-${financialYear(createdAt)}-${String(counter).padStart(6, '0')}`;
}
