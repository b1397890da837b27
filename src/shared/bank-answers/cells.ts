/** Texts of the cells of files that banks send, for comparing and for showing. */

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
