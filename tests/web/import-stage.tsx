import { vi } from 'vitest';
import type { Batch } from '../../src/shared/contract/batches.ts';
import { contract } from '../../src/shared/contract/index.ts';
import type { ImportRow, ImportUnknown } from '../../src/shared/contract/imports.ts';
import { buildBatch } from './batches.ts';
import {
  idOf,
  json,
  makeStage,
  onePage,
  openApp,
  page,
  userEvent,
  type Asked,
  type Stage,
} from './challan-list-stage.tsx';
import { requestOf } from './hsd-stage.tsx';

/** The import on a pretend network: tags, of which "Joda" is there, and a name of one character is wrong. */
export const checks = /^\/imports\/check$/;
export const applies = /^\/imports$/;
export const reads = /^\/tables\/read$/;

export interface ImportStage extends Stage {
  batches: Batch[];
  imported: { id: string; number: string; createdAt: string } | null;
  /** Of the next checks. */
  fingerprint: string;
  unknown: ImportUnknown[];
}

export function rowAnswer([name = '', description = '']: readonly string[]): ImportRow {
  if (name.length < 2) return { state: 'wrong', errors: [{ field: 'name', message: 'Please enter a longer name' }] };
  if (name !== 'Joda') return { state: 'new' };
  const twin = { id: idOf(1), row: null, name: 'Joda', by: 'name' };
  if (description === '') return { state: 'same', twin };
  const differences = [{ field: 'description', stored: 'Mines', given: description }];
  return { state: 'differs', differences, twin, choices: ['merge', 'skip'] };
}

export const checkAnswer = (stage: ImportStage, { body }: Asked): Response => {
  const { rows } = contract.imports.check.body.parse(body);
  const answers = rows.map(rowAnswer);
  const count = (state: ImportRow['state']): number => answers.filter((row) => row.state === state).length;
  const counts = { new: count('new'), same: count('same'), differs: count('differs'), wrong: count('wrong') };
  const { fingerprint, imported, unknown } = stage;
  return json({ success: true, data: { rows: answers, counts, fingerprint, unknown, imported } });
};

export function importStage(): ImportStage {
  const stage: ImportStage = Object.assign(makeStage([]), {
    batches: [],
    imported: null,
    fingerprint: 'first',
    unknown: [],
  });
  stage.serve(checks, (asked) => checkAnswer(stage, asked));
  stage.serve(applies, ({ body }) => {
    contract.imports.apply.body.parse(body);
    const batch = buildBatch(stage.batches.length + 1, { title: '1 tag from Pasted rows' });
    stage.batches.unshift(batch);
    return json({ success: true, data: { batch, created: 1, changed: 0 } }, 201);
  });
  stage.serve(/^\/batches$/, () =>
    json({ success: true, data: stage.batches, pagination: onePage(stage.batches.length) }),
  );
  vi.stubGlobal('XMLHttpRequest', requestOf({ files: [], gate: { sent: [1], wait: Promise.resolve() } }));
  return stage;
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
