import type { Batch, LeftRecord } from '../../src/shared/contract/batches.ts';
import { idOf } from './challan-list-stage.tsx';

export const buildBatch = (n: number, over: Partial<Batch>): Batch => ({
  id: idOf(400 + n),
  kind: 'import',
  number: `Import 2627-00000${n}`,
  title: '',
  amount: '0.00',
  lineCount: 1,
  createdAt: '2026-11-22T05:00:00.000Z',
  createdBy: 'a@b.in',
  undoneAt: null,
  undoneBy: null,
  undoneCount: 0,
  facts: {},
  ...over,
});

/** The answer to the undo of a change of two records, of which one had to be left. */
export const halfUndone = (number: string, left: Pick<LeftRecord, 'record' | 'id' | 'name' | 'reason'>) => ({
  success: true,
  data: { ...buildBatch(100, { kind: 'change', number, lineCount: 2 }), undone: 1, leftCount: 1, left: [left] },
});
