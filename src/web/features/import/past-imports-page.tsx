import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { batchColumns } from '../../../shared/columns/batch-columns.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { batches } from '../../kit/api/batches.ts';
import { undoRowCommand, useUndoBatch } from '../../kit/feedback/undo-batch.tsx';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';

/** /import/past: lists the acts that changed many records at once, each with Undo (docs/specification.md §22.5). */
export const PastImportsPage = recordScreen<Batch>({
  screen: 'pastImports',
  noun: ['entry', 'entries'],
  columns: batchColumns,
  useRows: ({ page, limit }) => pageOf(batches.useList({ query: { page, limit } })),
  failed: { list: 'Failed to fetch imports and sheets' },
  empty: {
    title: 'Nothing was imported yet',
    text: 'Imports, entry sheets and changes of many records are listed here and can be undone.',
    actions: <Link to="/import">Open Import</Link>,
  },
  useMore: () => {
    const { undo, dialog } = useUndoBatch();
    const rowCommands = useMemo(() => [undoRowCommand<Batch>(undo, ({ undoneAt }) => undoneAt !== null)], [undo]);
    return { rowCommands, dialogs: dialog };
  },
});
