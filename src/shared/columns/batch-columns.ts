import type { Batch } from '../contract/batches.ts';
import type { Column, Status } from './define.ts';

const kindWords: Record<Batch['kind'], string> = { sheet: 'Entry sheet', change: 'Change', import: 'Import' };

/** A batch is done or undone. It is partly undone where somebody had changed some of its records before. */
export function batchState({ undoneAt, undoneCount, lineCount }: Batch): Status {
  if (undoneAt === null) return { label: 'Done', tone: 'good' };
  // The undo found nothing to take back, because all records had been deleted one by one.
  if (undoneCount === 0) return { label: 'Undone', tone: 'neutral' };
  return undoneCount < lineCount ? { label: 'Partly undone', tone: 'warn' } : { label: 'Undone', tone: 'neutral' };
}

/** 'Imports and Sheets': a row is one act that wrote many records. */
export const batchColumns: readonly Column<Batch>[] = [
  { key: 'number', label: 'Number', kind: 'reference', width: 170, least: 154, pin: 'left' },
  { key: 'kind', label: 'Kind', kind: 'text', width: 100, least: 93, value: ({ kind }) => kindWords[kind] },
  { key: 'title', label: 'What', kind: 'text', width: 280 },
  { key: 'createdAt', label: 'Done At', kind: 'datetime', width: 140 },
  { key: 'createdBy', label: 'Done By', kind: 'text', width: 150 },
  { key: 'lineCount', label: 'Records', kind: 'count', width: 90 },
  { key: 'undoneAt', label: 'Status', kind: 'status', width: 128, least: 122, value: batchState },
  { key: 'file', label: 'File', kind: 'text', width: 180, value: ({ facts }) => facts['file'] ?? '' },
  // The first digits tell files apart; the tooltip shows all of them.
  {
    key: 'sha256',
    label: 'SHA-256',
    kind: 'identifier',
    width: 110,
    value: ({ facts }) => facts['sha256'] ?? '',
    cutAt: 10,
  },
];
