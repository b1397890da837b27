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

/** A file that the user saves again in another program, and comes back to the window. */
export function saveAgain(file: File): void {
  file.slice = () => {
    throw new DOMException('The file has changed', 'NotReadableError');
  };
  window.dispatchEvent(new Event('focus'));
}

/** Gives a file to the input with this label, as the file dialog of the browser does. */
export function give(label: string, file: File): void {
  const input = document.querySelector<HTMLInputElement>(`input[type="file"][aria-label="${label}"]`);
  if (!input) throw new Error(`There is no input ${label}`);
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
