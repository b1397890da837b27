import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { challansText, countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import type { Batch } from '../../../../shared/contract/batches.ts';
import type { ChallanInput } from '../../../../shared/contract/challan-input.ts';
import type { RefusedRow } from '../../../../shared/contract/challan-sheet.ts';
import type { SheetColumn } from '../../../../shared/sheet/challan-sheet-fields.ts';
import { columnOfError, type ColumnMessages } from '../../../../shared/sheet/check-row.ts';
import { withoutRows, type Cells } from '../../../../shared/sheet/sheet.ts';
import { errorText, isApiError } from '../../../kit/api/api-error.ts';
import { newIdempotencyKey } from '../../../kit/api/idempotency-key.ts';
import { challanSheet } from '../../../resources/challan-sheet.ts';
import { batches } from '../../../kit/api/batches.ts';
import { confirm } from '../../../kit/feedback/confirm.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { readStarts, rememberRow } from './sheet-memory.ts';
import type { SheetStore } from './sheet-store.ts';
import { summarise, type SheetSummary } from './sheet-summary.ts';
import { returnRows } from './use-sheet.ts';

/** The result of the last commit, shown above the sheet. */
export type CommitResult =
  | { kind: 'created'; batch: Batch; left: number }
  | { kind: 'refused'; count: number; text: string }
  | { kind: 'failed'; error: unknown; isUnanswered: boolean }
  | { kind: 'undone'; batch: Batch; undone: number; left: readonly { id: string; name: string; reason: string }[] };

const refusedSchema = z.object({
  refused: z.array(
    z.object({ key: z.string(), message: z.string(), fields: z.record(z.string(), z.string()).catch({}) }),
  ),
});

/** The text of the confirmation: the net amount, and what is left out or needs attention. */
function confirmText({ ready, used, wrong, waiting, net, twins, negative, implausible }: SheetSummary): string {
  const notes = [
    `The net amount is ${formatINR(net)}.`,
    ...(wrong > 0
      ? [`${wrong} of ${used} rows ${wrong === 1 ? 'is wrong and stays' : 'are wrong and stay'} in the sheet.`]
      : []),
    ...(waiting > 0
      ? [
          `${waiting} ${waiting === 1 ? 'row could not be checked and stays' : 'rows could not be checked and stay'} in the sheet.`,
        ]
      : []),
    ...(twins.length > 0
      ? [
          `${twins.length} ${twins.length === 1 ? 'row' : 'rows'} may already exist as challans. Check the list below the sheet.`,
        ]
      : []),
    ...(implausible > 0
      ? [`${countText(implausible, 'row')} ${implausible === 1 ? 'has' : 'have'} warnings in the list below the sheet.`]
      : []),
    ...(negative > 0 ? [`The net amount of ${challansText(negative)} is below zero.`] : []),
  ];
  return ready.length === 0 ? '' : notes.join(' ');
}

interface SentRow {
  rowKey: string;
  body: ChallanInput;
  cells: Cells;
}

interface Committed {
  created: readonly (SentRow & { id: string })[];
  forgetTds: (staying: ReadonlySet<string>) => void;
}

/** The errors of a row that the server refused, by cell. */
function errorsOf(
  store: SheetStore,
  row: SentRow | undefined,
  { message, fields }: Pick<RefusedRow, 'message' | 'fields'>,
): { key: string; errors: ColumnMessages }[] {
  const texts = store.of(row?.rowKey ?? '')?.texts;
  if (!row || !texts) return [];
  const errors: Partial<Record<SheetColumn, string>> = {};
  for (const [name, text] of Object.entries(fields)) {
    const column = columnOfError(name, texts);
    if (column) errors[column] ??= text;
  }
  return [{ key: row.rowKey, errors: Object.keys(errors).length > 0 ? errors : { tpNo: message } }];
}

interface CommitOptions {
  /** The idempotency key of a draft whose commit was not answered. */
  commitKey: () => string | undefined;
  keepKey: (key: string | undefined) => void;
  goToFirstError: () => void;
  goToFirstCell: () => void;
}

/**
 * Ctrl+S: creates challans from the rows that are right, as one batch that can be undone (docs/specification.md §20).
 */
export function useCommit(store: SheetStore, options: CommitOptions) {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<CommitResult>();
  const createMany = challanSheet.useCreateMany();
  const undoBatch = batches.useUndo();
  /**
   * For each batch of this visit: the rows as they were typed, and a function that reverts the remembered TDS
   * percentages.
   */
  const commits = useRef(new Map<string, Committed>());
  /** False once the screen is left: Undo in the toast can be pressed on another screen. */
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  const undo = async (batch: Batch, key: string): Promise<void> => {
    try {
      const { data } = await undoBatch.mutateAsync({ params: { id: batch.id }, idempotencyKey: key });
      const stays = new Set(data.left.map(({ id }) => id));
      const { created = [], forgetTds } = commits.current.get(batch.id) ?? {};
      commits.current.delete(batch.id);
      forgetTds?.(new Set(created.filter(({ id }) => stays.has(id)).map(({ body }) => body.ownerId)));
      // The rows in the sheet are checked again with the values that are remembered now.
      store.setStarts(readStarts());
      returnRows(created.filter(({ id }) => !stays.has(id)).map(({ cells }) => cells));
      if (!isHere.current) {
        const stay = data.left.length > 0 ? ` ${challansText(data.left.length)} could not be undone.` : '';
        notify.info(
          `${batch.number} was undone. ${challansText(data.undone)} ${data.undone === 1 ? 'is' : 'are'} back in the entry sheet.${stay}`,
        );
        return;
      }
      setResult({ kind: 'undone', batch, undone: data.undone, left: data.left });
      options.goToFirstCell();
    } catch (error) {
      notify.error(error, 'The challans could not be undone.');
    }
  };

  const send = async (summary: SheetSummary): Promise<void> => {
    const key = options.commitKey() ?? newIdempotencyKey();
    options.keepKey(key);
    const rows = summary.ready.flatMap((rowKey): SentRow[] => {
      const { body } = store.of(rowKey) ?? {};
      const cells = store.sheet.rows[store.indexOf(rowKey)]?.cells;
      return body && cells ? [{ rowKey, body, cells }] : [];
    });
    // Rows are named by their position, so that the same rows make the same request, also after a reload.
    const namedRows = rows.map(({ body }, index) => ({ ...body, key: String(index + 1) }));
    const rowOf = (key: string): SentRow | undefined => rows[Number(key) - 1];
    const mode = summary.ready.length === summary.used ? 'all' : 'valid';
    try {
      const { data } = await createMany.mutateAsync({ body: { rows: namedRows, mode }, idempotencyKey: key });
      const created = data.created.flatMap(({ key: place, id }) => {
        const row = rowOf(place);
        return row ? [{ ...row, id }] : [];
      });
      const last = store.of(created.at(-1)?.rowKey ?? '');
      if (last) rememberRow(last, store.lookups, store.today);
      const forgetTds = store.lookups.noteTds(created.map(({ body }) => body));
      commits.current.set(data.batch.id, { created, forgetTds });
      store.begin(withoutRows(store.sheet, new Set(created.map(({ rowKey }) => rowKey))));
      options.keepKey(undefined);
      store.setStarts(readStarts());
      store.refuse(data.refused.flatMap((refused) => errorsOf(store, rowOf(refused.key), refused)));
      store.askAgain('challans');
      setResult({ kind: 'created', batch: data.batch, left: summary.used - created.length });
      const undoKey = newIdempotencyKey();
      notify.undo(
        `${data.batch.number}: ${challansText(created.length)}, ${formatINR(data.batch.amount)}`,
        () => void undo(data.batch, undoKey),
      );
      options.goToFirstCell();
    } catch (error) {
      const isUnanswered = isApiError(error, 'NETWORK') || isApiError(error, 'TIMEOUT');
      // Without an answer, the next attempt uses the same key, so that rows already stored are not stored twice.
      if (!isUnanswered) options.keepKey(undefined);
      if (isApiError(error, 'ROWS_REFUSED')) {
        const { refused } = refusedSchema.catch({ refused: [] }).parse(error.data);
        store.refuse(refused.flatMap((one) => errorsOf(store, rowOf(one.key), one)));
        setResult({ kind: 'refused', count: refused.length, text: errorText(error) });
        options.goToFirstError();
        return;
      }
      // The earlier attempt was stored, so its challans now show as twins of the rows.
      if (isApiError(error, 'IDEMPOTENCY_MISMATCH')) store.askAgain('challans');
      setResult({ kind: 'failed', error, isUnanswered });
    }
  };

  const commit = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      // Rows that the server refused may be right by now.
      store.refuse([]);
      await store.settled();
      const summary = summarise(store);
      if (summary.used === 0) {
        notify.info('The sheet is empty.');
        return;
      }
      if (summary.ready.length === 0) {
        notify.error(
          summary.wrong > 0
            ? 'No row can be created yet. Correct the mistakes first.'
            : 'The rows could not be checked.',
        );
        options.goToFirstError();
        return;
      }
      const isAll = summary.ready.length === summary.used;
      const isConfirmed = await confirm({
        title: isAll
          ? `Create ${challansText(summary.ready.length)}?`
          : `Create ${formatCount(summary.ready.length)} of ${challansText(summary.used)}?`,
        body: confirmText(summary),
        confirmLabel: isAll
          ? `Create ${challansText(summary.ready.length)}`
          : `Create the ${formatCount(summary.ready.length)} right rows`,
        cancelLabel: isAll ? 'Cancel' : 'Correct first',
      });
      if (isConfirmed) await send(summary);
    } finally {
      setBusy(false);
    }
  };

  return {
    commit: () => void commit(),
    undo: (batch: Batch) => void undo(batch, newIdempotencyKey()),
    isBusy: isBusy || undoBatch.isPending,
    result,
    dismiss: () => setResult(undefined),
  };
}
