import type { ColumnKind } from '../../../shared/columns/define.ts';

/** The kinds that a spreadsheet is to read as numbers and days. */
const readKinds: ReadonlySet<ColumnKind> = new Set([
  'money',
  'weight',
  'liters',
  'percent',
  'count',
  'date',
  'shortDate',
  'datetime',
] as const);

export interface CopiedCell {
  text: string;
  /** In a tree the rows of owners have other kinds than their column. */
  kind: ColumnKind;
}

/** The first is for Excel, the second for LibreOffice: each keeps the zeros and all digits of an account number. */
const asText = ` style='mso-number-format:"\\@"' sdnum="1033;0;@"`;

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => signs[sign] ?? '');

/**
 * The copied rows as an HTML table, which a spreadsheet prefers to the text beside it. In the text it would read an account
 * number, a phone or the TP number 0012 as a number.
 */
export function rowsHtml(lines: readonly (readonly CopiedCell[])[]): string {
  const row = (cells: readonly CopiedCell[]): string =>
    cells.map(({ text, kind }) => `<td${readKinds.has(kind) ? '' : asText}>${escaped(text)}</td>`).join('');
  return `<table>${lines.map((cells) => `<tr>${row(cells)}</tr>`).join('')}</table>`;
}
