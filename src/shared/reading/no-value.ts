import { asciiDigits } from '../calc/keys.ts';

/** Texts that stand where a value should be, and are none. */

const spreadsheetError = /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/i;
const placeholder = /^(n\/?a|n\.a\.?|nil|none|null|total|0|[-–—]+|\.)$/i;
/** Digits that a bank or another program has hidden: XXXXXX6789, ****6789. */
const mask = /^(?=.*[Xx*•]{3})(?=.*\d)[Xx*•\d\s-]{4,30}$/;

/** Why a text from outside is no value of a text field: lost or hidden. null: it is not of that kind. */
export function lostText(text: string): string | null {
  if (spreadsheetError.test(text)) return `${text} is an error of the spreadsheet and not a value`;
  if (/^#{2,}$/.test(text)) return `${text} is shown by a column that is too narrow: copy the value itself`;
  if (mask.test(text)) return `${text} is masked: the whole number is needed`;
  return null;
}

/** Whether a text only says that there is no value: NA, NIL, -, 0, Total. */
export const isPlaceholder = (text: string): boolean => placeholder.test(asciiDigits(text));
