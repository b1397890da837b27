import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { formatINR } from '../../../shared/calc/money.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import type { ChallanInput } from '../../../shared/contract/challan-input.ts';
import type { RefusedRow } from '../../../shared/contract/challan-sheet.ts';
import type { SheetColumn } from '../../../shared/sheet/challan-sheet-fields.ts';
import { columnOfError, type ColumnMessages } from '../../../shared/sheet/check-row.ts';
import { withoutRows, type Cells } from '../../../shared/sheet/sheet.ts';
import { errorText, isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { challans } from '../../api/challans.ts';
import { batches } from '../../api/batches.ts';
import { confirm } from '../../feedback/confirm.tsx';
import { notify } from '../../feedback/toast.ts';
import { readStarts, rememberRow } from './sheet-memory.ts';
import type { SheetStore } from './sheet-store.ts';
import { summaryOf, type SheetSummary } from './sheet-summary.ts';
import { giveBack } from './use-sheet.ts';

/** What became of the last commit, above the sheet. */
export type CommitNews =
  | { kind: 'created'; batch: Batch; left: number }
  | { kind: 'refused'; count: number; text: string }
  | { kind: 'failed'; error: unknown; isUnanswered: boolean }
  | { kind: 'undone'; batch: Batch; undone: number; left: readonly { id: string; name: string; reason: string }[] };

const refusedShape = z.object({
  refused: z.array(
    z.object({ key: z.string(), message: z.string(), fields: z.record(z.string(), z.string()).catch({}) }),
  ),
});

const countOf = (count: number): string => `${count.toLocaleString('en-IN')} ${count === 1 ? 'challan' : 'challans'}`;

/** What is asked before: the number, the money, and what is not of it. */
function questionOf({ ready, used, wrong, waiting, net, twins, negative }: SheetSummary): string {
  const notes = [
    `The net amount is ${formatINR(net)}.`,
    ...(wrong > 0 ? [`${wrong} of ${used} rows ${wrong === 1 ? 'is' : 'are'} wrong and stay in the sheet.`] : []),
    ...(waiting > 0
      ? [`${waiting} ${waiting === 1 ? 'row' : 'rows'} could not be checked and stay in the sheet.`]
      : []),
    ...(twins.length > 0
      ? [
          `${twins.length} ${twins.length === 1 ? 'row' : 'rows'} may be there already: look at the list beside the sheet.`,
        ]
      : []),
    ...(negative > 0 ? [`The net amount of ${countOf(negative)} is below zero.`] : []),
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

/** What the server refused of a row, by cell. */
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
  /** Of a draft whose commit was not answered. */
  commitKey: () => string | undefined;
  keepKey: (key: string | undefined) => void;
  goToFirstError: () => void;
  goToFirstCell: () => void;
}

/** Ctrl+S: the right rows become challans in one batch, which can be taken back (docs/specification.md §20). */
export function useCommit(store: SheetStore, options: CommitOptions) {
  const [isBusy, setBusy] = useState(false);
  const [news, setNews] = useState<CommitNews>();
  const createMany = challans.useCreateMany();
  const undoBatch = batches.useUndo();
  /** What each batch of this visit was typed as, and what takes its percentages back. */
  const typed = useRef(new Map<string, Committed>());
  /** The toast's Undo may be pressed on another screen. */
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
      const { created = [], forgetTds } = typed.current.get(batch.id) ?? {};
      typed.current.delete(batch.id);
      forgetTds?.(new Set(created.filter(({ id }) => stays.has(id)).map(({ body }) => body.ownerId)));
      // The rows that are there are checked again with what is remembered now.
      store.setStarts(readStarts());
      giveBack(created.filter(({ id }) => !stays.has(id)).map(({ cells }) => cells));
      if (!isHere.current) {
        const stay = data.left.length > 0 ? ` ${countOf(data.left.length)} had to stay.` : '';
        notify.info(
          `${batch.number} was taken back: ${countOf(data.undone)} ${data.undone === 1 ? 'is' : 'are'} in the entry sheet again.${stay}`,
        );
        return;
      }
      setNews({ kind: 'undone', batch, undone: data.undone, left: data.left });
      options.goToFirstCell();
    } catch (error) {
      notify.error(error, 'The challans could not be taken back.');
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
    // Named by their place: the same rows are the same request after a reload, too.
    const named = rows.map(({ body }, index) => ({ ...body, key: String(index + 1) }));
    const rowOf = (key: string): SentRow | undefined => rows[Number(key) - 1];
    const mode = summary.ready.length === summary.used ? 'all' : 'valid';
    try {
      const { data } = await createMany.mutateAsync({ body: { rows: named, mode }, idempotencyKey: key });
      const created = data.created.flatMap(({ key: place, id }) => {
        const row = rowOf(place);
        return row ? [{ ...row, id }] : [];
      });
      const last = store.of(created.at(-1)?.rowKey ?? '');
      if (last) rememberRow(last, store.lookups, store.today);
      const forgetTds = store.lookups.noteTds(created.map(({ body }) => body));
      typed.current.set(data.batch.id, { created, forgetTds });
      store.begin(withoutRows(store.sheet, new Set(created.map(({ rowKey }) => rowKey))));
      options.keepKey(undefined);
      store.setStarts(readStarts());
      store.refuse(data.refused.flatMap((refused) => errorsOf(store, rowOf(refused.key), refused)));
      store.askAgain('twins');
      setNews({ kind: 'created', batch: data.batch, left: summary.used - created.length });
      const undoKey = newIdempotencyKey();
      notify.undo(
        `${data.batch.number}: ${countOf(created.length)}, ${formatINR(data.batch.amount)}`,
        () => void undo(data.batch, undoKey),
      );
      options.goToFirstCell();
    } catch (error) {
      const isUnanswered = isApiError(error, 'NETWORK') || isApiError(error, 'TIMEOUT');
      // Without an answer the same key goes again: what was stored is not stored twice.
      if (!isUnanswered) options.keepKey(undefined);
      if (isApiError(error, 'ROWS_REFUSED')) {
        const { refused } = refusedShape.catch({ refused: [] }).parse(error.data);
        store.refuse(refused.flatMap((one) => errorsOf(store, rowOf(one.key), one)));
        setNews({ kind: 'refused', count: refused.length, text: errorText(error) });
        options.goToFirstError();
        return;
      }
      // The earlier try was stored: its challans now show as twins of the rows.
      if (isApiError(error, 'IDEMPOTENCY_MISMATCH')) store.askAgain('twins');
      setNews({ kind: 'failed', error, isUnanswered });
    }
  };

  const commit = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      // What was refused may be right by now.
      store.refuse([]);
      await store.settled();
      const summary = summaryOf(store);
      if (summary.used === 0) {
        notify.info('The sheet is empty.');
        return;
      }
      if (summary.ready.length === 0) {
        notify.error(
          summary.wrong > 0 ? 'No row can be created yet: mend the mistakes first.' : 'The rows could not be checked.',
        );
        options.goToFirstError();
        return;
      }
      const isAll = summary.ready.length === summary.used;
      const isMeant = await confirm({
        title: isAll
          ? `Create ${countOf(summary.ready.length)}?`
          : `Create ${summary.ready.length.toLocaleString('en-IN')} of ${countOf(summary.used)}?`,
        body: questionOf(summary),
        confirmLabel: isAll
          ? `Create ${countOf(summary.ready.length)}`
          : `Create the ${summary.ready.length.toLocaleString('en-IN')} right ones`,
        cancelLabel: isAll ? 'Cancel' : 'Mend first',
      });
      if (isMeant) await send(summary);
    } finally {
      setBusy(false);
    }
  };

  return {
    commit: () => void commit(),
    undo: (batch: Batch) => void undo(batch, newIdempotencyKey()),
    isBusy: isBusy || undoBatch.isPending,
    news,
    dismiss: () => setNews(undefined),
  };
}
