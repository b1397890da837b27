import type { ColumnBase, ColumnKind } from '../../shared/columns/define.ts';

/**
 * Cells of a CSV file as SQL expressions, for files that COPY writes: byte for byte what shared/calc/csv-text.ts makes
 * of the same value (a test compares them). COPY quotes; these expressions guard against formulas; days need DateStyle
 * 'SQL, DMY', instants TimeZone 'Asia/Kolkata'.
 *
 * The first branches look only at the first character, which is enough for nearly every cell; regular expressions run
 * for the rest.
 */
const spaces = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
/** A text that a spreadsheet would take for a formula. */
export const formulaStart = `'^(?:[\\t\\r\\n]|[${spaces}\\u200b-\\u200f\\u2060]*[=+@\\uff1d\\uff0b\\uff0d\\uff20-])'`;
const numberLike = `'^[0-9${spaces}.,:/-]*[0-9][0-9${spaces}.,:/-]*$'`;
const exponentLike = `'^[0-9]+([.][0-9]*)?e[+-]?[0-9]+$'`;
const monthNames =
  'jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?';
const monthLike = `'^(?=[^\\n\\r\\u2028\\u2029]*[0-9])([0-9]{1,4}[${spaces}/-]?)?(${monthNames})([${spaces}/-]?[0-9]{1,4})?$'`;
const months = `'{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}'`;

const startsWithLetter = (x: string): string =>
  `((${x} COLLATE "C") >= 'A' AND (${x} COLLATE "C") < '[' OR (${x} COLLATE "C") >= 'a' AND (${x} COLLATE "C") < '{')`;
const startsWithDigit = (x: string): string => `((${x} COLLATE "C") >= '0' AND (${x} COLLATE "C") < ':')`;
const guarded = (x: string): string => `'''' || ${x}`;
const lower = (x: string): string => `lower(${x} COLLATE "C")`;

function text(x: string): string {
  return `CASE WHEN ${startsWithLetter(x)} OR ${startsWithDigit(x)} OR ${x} = '' THEN ${x}
    WHEN ${x} ~ ${formulaStart} THEN ${guarded(x)} ELSE ${x} END`;
}

/** As text, and with an apostrophe where a spreadsheet would drop zeros or digits or see a date. */
function identifier(x: string): string {
  return `CASE
    WHEN ${x} <> '' AND ltrim(${x}, '0123456789') = ''
      THEN CASE WHEN (${x} COLLATE "C") >= '1' AND length(${x}) <= 11 THEN ${x} ELSE ${guarded(x)} END
    WHEN ${startsWithLetter(x)}
      THEN CASE WHEN left(${lower(x)}, 3) = ANY (${months}) AND ${lower(x)} ~ ${monthLike} THEN ${guarded(x)} ELSE ${x} END
    WHEN ${x} ~ ${numberLike} OR ${lower(x)} ~ ${exponentLike} OR ${lower(x)} ~ ${monthLike} OR ${x} ~ ${formulaStart}
      THEN ${guarded(x)}
    ELSE ${x} END`;
}

const asItIs = (x: string): string => x;
const literal = (word: string): string => `'${word.replaceAll("'", "''")}'`;

type CopiedKind = Exclude<ColumnKind, 'shortDate' | 'status' | 'tag'>;

/** One cell of each kind that a streamed file has, from an expression of the kind's type in SQL. */
const copiedCells: { readonly [kind in CopiedKind]: (expression: string, column: ColumnBase) => string } = {
  text,
  identifier,
  reference: identifier,
  money: asItIs,
  weight: asItIs,
  liters: asItIs,
  percent: asItIs,
  count: asItIs,
  date: asItIs,
  datetime: (x) => `left((${x})::text, 16)`,
  flag: (x, { words = ['Yes', 'No'] }) => `CASE WHEN ${x} THEN ${literal(words[0])} ELSE ${literal(words[1])} END`,
};

export function copiedCell(kind: ColumnKind, expression: string, column: ColumnBase): string {
  if (kind === 'shortDate' || kind === 'status' || kind === 'tag') throw new Error(`No streamed file has a ${kind}`);
  return copiedCells[kind](expression, column);
}
