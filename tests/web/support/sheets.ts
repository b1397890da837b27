import type { TableSheet } from '../../../src/shared/contract/tables.ts';

/** A sheet of a file as the server reads it, with nothing hidden or merged. */
export const sheetOf = (rows: string[][], over: Partial<TableSheet> = {}): TableSheet => ({
  name: 'Sheet1',
  rows,
  rowNumbers: rows.map((_, at) => at + 1),
  merges: [],
  hiddenRows: 0,
  hiddenColumns: [],
  openQuotes: [],
  ...over,
});

/** The answer of the call that reads a file with these sheets. */
export const readAnswer = (...sheets: TableSheet[]) => ({
  data: { kind: 'xlsx' as const, sheets, sha256: 'a'.repeat(64) },
});
