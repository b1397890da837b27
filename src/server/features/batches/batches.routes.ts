import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectBatch, selectBatchLines, selectBatchPage } from './batches.queries.ts';
import { paginationOf } from '../../sql/paging.ts';
import { notFound } from '../../refusal.ts';
import { undoBatch } from './batches.service.ts';

export function batchesRoutes(implement: Implementer): void {
  implement.tenant(contract.batches.list, ({ db, query }) => selectBatchPage(db, query));

  implement.tenant(contract.batches.get, async ({ db, params, query }) => {
    const [batch, lines] = await Promise.all([selectBatch(db, params.id), selectBatchLines(db, params.id, query)]);
    if (!batch) throw notFound('Batch');
    return { data: { ...batch, lines }, pagination: paginationOf(query, batch.lineCount) };
  });

  implement.data(contract.batches.undo, ({ db, caller, params }) => undoBatch(db, caller, params.id));
}
