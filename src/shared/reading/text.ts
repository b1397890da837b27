/** Texts that come from outside: typed, pasted, or in the cell of a file. */

/** Invisible characters: those that come from chats and web pages, and control characters. Line ends and tabs stay. */
const invisible = /\p{Cf}|(?![\t\n])\p{Cc}/gu;
/** The joiners that Indian scripts spell words with. They are invisible too. */
const joiners = /[\u200c\u200d]/;
const indicLetter = /[\u0900-\u0d7f]/;

/** Nearly every cell of a file: it has nothing to clean. */
const isClean = /^[!-&(-<>-~]([ -~]*[!-~])?$/;

/**
 * A text without invisible characters, without the apostrophe that marks text in spreadsheets and in our own files
 * (docs/specification.md §13.1), and without the formula that keeps zeros: ="0012" is 0012.
 */
export function cleanText(text: string): string {
  if (isClean.test(text)) return text;
  const kept = text.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ').replace(/\r\n?/g, '\n');
  return kept
    .replace(invisible, (mark) => (joiners.test(mark) && indicLetter.test(kept) ? mark : ''))
    .trim()
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'(?=.)/, '')
    .trim();
}

/**
 * Each white space that has a line end, or another of these signs, as one space. The pattern that says so at once would look at a
 * long run of spaces again from each of them.
 */
export const withoutBreaks = (text: string, sign: RegExp = /[\r\n]/): string =>
  text.replace(/\s+/g, (space) => (sign.test(space) ? ' ' : space));

/** Dashes and dots of all kinds as '-' and '.', so that OD–09 equals OD-09. */
export const plainMarks = (text: string): string =>
  text.replace(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-').replace(/[\u2024\u3002\uff0e\uff61]/g, '.');
