import { vi } from 'vitest';
import type { Batch } from '../../../src/shared/contract/batches.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { ImportRow, ImportUnknown } from '../../../src/shared/contract/imports.ts';
import { buildBatch, idOf } from './builders.ts';
import { paged } from './kept.ts';
import type { Desk } from './records.ts';
import { openApp, page, userEvent } from './screen.tsx';

/** The import of tags, of which "Joda" is there, a name of one character is wrong, and "Odd" is in doubt. */

export interface ImportBooks {
  batches: Batch[];
  /** When the same rows were imported before. */
  imported: { id: string; number: string; createdAt: string } | null;
  /** Of the next checks. */
  fingerprint: string;
  unknown: ImportUnknown[];
}

export const noImports = (): ImportBooks => ({ batches: [], imported: null, fingerprint: 'first', unknown: [] });

function rowAnswer([name = '', description = '']: readonly string[]): ImportRow {
  if (name.length < 2) return { state: 'wrong', errors: [{ field: 'name', message: 'Please enter a longer name' }] };
  const warnings = [{ field: 'name', message: 'Name Odd: look it up' }];
  if (name === 'Odd') return { state: 'new', warnings, choices: ['skip', 'new'] };
  if (name !== 'Joda') return { state: 'new' };
  const twin = { id: idOf(1), row: null, name: 'Joda', by: 'name' };
  if (description === '') return { state: 'same', twin };
  const differences = [{ field: 'description', stored: 'Mines', given: description }];
  return { state: 'differs', differences, twin, choices: ['merge', 'skip'] };
}

/** What a check says of these rows. */
export function checkOf({ books }: Desk, rows: readonly (readonly string[])[]) {
  const answers = rows.map(rowAnswer);
  const count = (state: ImportRow['state']): number => answers.filter((row) => row.state === state).length;
  const counts = { new: count('new'), same: count('same'), differs: count('differs'), wrong: count('wrong') };
  const { fingerprint, imported, unknown } = books;
  return { data: { rows: answers, counts, fingerprint, unknown, imported } };
}

export function keepImports(desk: Desk): void {
  const { serve, books } = desk;
  serve(contract.imports.check, ({ body }) => checkOf(desk, body.rows));
  serve(contract.imports.apply, () => {
    const batch = buildBatch(books.batches.length + 1, { title: '1 tag from Pasted rows' });
    books.batches.unshift(batch);
    return { data: { batch, created: 1, changed: 0 } };
  });
  serve(contract.batches.list, ({ query }) => paged(books.batches, query));
}

export const openImport = async (kind = 'tags'): Promise<void> => {
  await openApp(`/import?kind=${kind}`, '[aria-label="What to import"]');
};

export function pasteText(text: string, file?: File): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  if (file) clipboardData.items.add(file);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}
const tagsText = (rows: readonly (readonly string[])[]): string =>
  [['Name', 'Description'], ...rows].map((row) => row.join('\t')).join('\n');

export const shows = (text: string | RegExp) => page.getByText(text).first();
export const button = (name: string | RegExp) => page.getByRole('button', { name });

/** Pastes as soon as the screen takes it. */
export const takes = (paste: () => void): Promise<void> =>
  vi.waitFor(() => {
    if (document.querySelector('[aria-label="Columns"]')) return;
    paste();
    throw new Error('The rows are not taken yet');
  });
export const pasted = (rows: readonly (readonly string[])[], picture?: File): Promise<void> =>
  takes(() => pasteText(tagsText(rows), picture));

/** Pastes these rows and has them checked. */
export async function checked(rows: readonly (readonly string[])[]): Promise<void> {
  await pasted(rows);
  await userEvent.click(button('Check the rows'));
  await vi.waitFor(() => {
    if (!document.querySelector('.cd-grid')) throw new Error('The rows are not checked yet');
  });
}

/** A row's cells by their columns, as they are shown. */
export const cellText = (index: number, column: string): string =>
  document.querySelector(`.ag-row[row-id="${index}"] [col-id="${column}"]`)?.textContent?.trim() ?? 'no cell';
