import type { ColumnBase, ColumnKind } from '../../shared/columns/define.ts';

/**
 * SQL expressions for the cells of a CSV file that COPY writes. They produce byte for byte what shared/calc/csv-text.ts
 * produces for the same value (a test compares both). COPY does the quoting; these expressions guard against formulas.
 * Days need DateStyle 'SQL, DMY', instants TimeZone 'Asia/Kolkata'.
 *
 * The first branches look only at the first character, which is enough for nearly every cell. Regular expressions run
 * only for the others.
 */
const spaces = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
/** Matches a text that a spreadsheet would interpret as a formula. */
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
const withApostrophe = (x: string): string => `'''' || ${x}`;
const lower = (x: string): string => `lower(${x} COLLATE "C")`;

function text(x: string): string {
  return `CASE WHEN ${startsWithLetter(x)} OR ${startsWithDigit(x)} OR ${x} = '' THEN ${x}
    WHEN ${x} ~ ${formulaStart} THEN ${withApostrophe(x)} ELSE ${x} END`;
}

/** A cell that stays text: it gets an apostrophe when a spreadsheet would drop zeros or digits or read a date. */
function identifier(x: string): string {
  return `CASE
    WHEN ${x} <> '' AND ltrim(${x}, '0123456789') = ''
      THEN CASE WHEN (${x} COLLATE "C") >= '1' AND length(${x}) <= 11 THEN ${x} ELSE ${withApostrophe(x)} END
    WHEN ${startsWithLetter(x)}
      THEN CASE WHEN left(${lower(x)}, 3) = ANY (${months}) AND ${lower(x)} ~ ${monthLike} THEN ${withApostrophe(x)} ELSE ${x} END
    WHEN ${x} ~ ${numberLike} OR ${lower(x)} ~ ${exponentLike} OR ${lower(x)} ~ ${monthLike} OR ${x} ~ ${formulaStart}
      THEN ${withApostrophe(x)}
    ELSE ${x} END`;
}

const unchanged = (x: string): string => x;
const literal = (word: string): string => `'${word.replaceAll("'", "''")}'`;

type CopiedKind = Exclude<ColumnKind, 'shortDate' | 'status' | 'tag'>;

/** The SQL of a cell for each kind of column in a streamed file. The expression has the kind's SQL type. */
const copiedCells: { readonly [kind in CopiedKind]: (expression: string, column: ColumnBase) => string } = {
  text,
  identifier,
  reference: identifier,
  money: unchanged,
  weight: unchanged,
  liters: unchanged,
  percent: unchanged,
  count: unchanged,
  date: unchanged,
  datetime: (x) => `left((${x})::text, 16)`,
  flag: (x, { words = ['Yes', 'No'] }) => `CASE WHEN ${x} THEN ${literal(words[0])} ELSE ${literal(words[1])} END`,
};

export function copiedCell(kind: ColumnKind, expression: string, column: ColumnBase): string {
  if (kind === 'shortDate' || kind === 'status' || kind === 'tag') throw new Error(`No streamed file has a ${kind}`);
  return copiedCells[kind](expression, column);
}
