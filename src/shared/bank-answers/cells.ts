import { headingKey } from '../calc/column-headings.ts';
import type { Mapping } from '../sheet/headings.ts';

/** Texts and rows of files that banks send, for comparing and for showing. */

/** A text to compare: in capitals, with one space between words. */
export const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toUpperCase();

/** A text to compare: only its letters and digits, in capitals. */
export const bareText = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** The text of a row, to show it to a person. */
export const rowText = (cells: readonly string[]): string =>
  cells
    .filter((cell) => cell !== '')
    .join(' | ')
    .slice(0, 300);

/** A row that repeats the headings, as each printed page does. */
export const repeatsHeadings = (
  { columns, headings, hasHeadings }: Mapping<string>,
  cells: readonly string[],
): boolean =>
  hasHeadings &&
  columns.every(
    (name, column) => name === null || headingKey(cells[column] ?? '') === headingKey(headings[column] ?? ''),
  );

export const tooLong =
  'It has more cells than there are headings, so a comma inside a value may have moved the others.';

/**
 * Says which rows have more cells than the headings. A comma inside a value that is not in quotes makes such a row, and what
 * follows it stands in the wrong column. Some banks end every row with one more comma, or with a word without a heading. Then
 * no row is shorter than that, and what such a row has under its headings fits them. In a file of one damaged row it does not.
 */
export function longRow(
  rows: readonly (readonly string[])[],
  { headings, columns, firstRow, hasHeadings }: Mapping<string>,
): (row: number) => boolean {
  const width = headings.findLastIndex((text) => text !== '') + 1;
  // A person has chosen a column without a heading.
  if (!hasHeadings || columns.findLastIndex((name) => name !== null) >= width) return () => false;
  const whole = rows.slice(firstRow).flatMap(({ length }) => (length >= width ? [length] : []));
  const longest = whole.reduce((least, length) => Math.min(least, length), Infinity);
  const [balance, side] = [columns.indexOf('balance'), columns.indexOf('side')];
  return (row) => {
    const cells = rows[row] ?? [];
    const extra = cells.slice(width).join('');
    const isMoved = (balance >= 0 && !/[1-9]/.test(cells[balance] ?? '')) || /\d/.test(cells[side] ?? '');
    return cells.length > longest || /\d/.test(extra) || (extra !== '' && isMoved);
  };
}
