import { bareDate } from './day.ts';

/** Tables whose dates have the month first, as programs with American settings write them. */

const numeric = /^(\d{1,2})\s?[-/. ]\s?(\d{1,2})(\s?[-/. ]\s?(?:\d{2}|\d{4}))$/;

/**
 * A value of a column of dates that can only have its month first: 3/13/2026. One such value puts the whole column in doubt,
 * because its other days would be read the wrong way round without a sign. undefined: there is none.
 */
export const monthFirstExample = (texts: readonly string[]): string | undefined =>
  texts.find((text) => {
    const [, first, second] = numeric.exec(bareDate(text)) ?? [];
    return first !== undefined && Number(first) <= 12 && Number(second) > 12 && Number(second) <= 31;
  });

/** The text of a date that may have its month first, with its day first. Other texts stay as they are. */
export function dayFirst(text: string): string {
  const [, month, day, rest] = numeric.exec(bareDate(text)) ?? [];
  return month === undefined || Number(month) > 12 ? text : `${day}/${month}${rest?.replace(/[-. ]/g, '/')}`;
}

/** The sentence of a column that is in doubt. */
export const monthFirstDoubt = (example: string): string => `These dates look like month/day/year: ${example}.`;
