import { useCallback, useState, type ReactNode } from 'react';
import type { Call } from '../../../shared/access.ts';
import type { Batch, LeftRecord } from '../../../shared/contract/batches.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { batches } from '../api/batches.ts';
import { Undo2 } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { countText } from '../../../shared/calc/count-text.ts';
import { confirm } from './confirm.tsx';
import { notify } from './toast.ts';

const records = (count: number): string => countText(count, 'record');

interface UndoWords<Item, Undone> {
  body: (item: Item) => string;
  /** What was undone: '12 records taken back'. */
  done: (undone: Undone) => string;
  /** What could not be undone: the count, the count in words, and the records that are named. */
  left: (undone: Undone) => {
    count: number;
    text: string;
    named: readonly { id: string; name: string; reason: string }[];
  };
}

type Send<Undone> = (call: { params: { id: string }; idempotencyKey: string }) => Promise<{ data: Undone }>;

/**
 * Asks, then undoes something that has a number. A dialog names what could not be undone. `words` must be a constant
 * outside the component.
 */
export function useConfirmedUndo<Item extends { id: string; number: string }, Undone>(
  send: Send<Undone>,
  words: UndoWords<Item, Undone>,
  returnFocus?: () => void,
): { undo: (item: Item) => Promise<boolean>; dialog: ReactNode } {
  const [shown, setShown] = useState<Undone>();
  const undo = useCallback(
    async (item: Item): Promise<boolean> => {
      const { id, number } = item;
      let answer: Undone | undefined;
      const idempotencyKey = newIdempotencyKey();
      const isDone = await confirm({
        title: `Undo ${number}?`,
        body: words.body(item),
        confirmLabel: 'Undo',
        cancelLabel: 'Keep it',
        danger: true,
        act: async () => {
          answer = (await send({ params: { id }, idempotencyKey })).data;
        },
        failed: 'Failed to undo',
      });
      if (!isDone || !answer) return false;
      if (words.left(answer).count > 0) setShown(answer);
      else notify.success(`${number} undone: ${words.done(answer)}`);
      return true;
    },
    [send, words],
  );
  const left = shown && words.left(shown);
  const dialog = left && (
    <Dialog
      title={`${words.done(shown)}, ${left.text} left`}
      onClose={() => setShown(undefined)}
      returnFocus={returnFocus}
      footer={<Button onClick={() => setShown(undefined)}>Close</Button>}
    >
      <ul aria-label="Not undone" className="grid max-h-96 gap-1 overflow-y-auto">
        {left.named.map(({ id, name, reason }) => (
          <li key={id}>
            <span className="font-medium">{name}</span>: {reason}
          </li>
        ))}
      </ul>
      {left.named.length < left.count && (
        <p className="mt-2 text-muted">and {records(left.count - left.named.length)} more</p>
      )}
    </Dialog>
  );
  return { undo, dialog };
}

/** The Undo command of a row. */
export const undoRowCommand = <Item extends { number: string }>(
  undo: (item: Item) => Promise<boolean>,
  isUndone: (item: Item) => boolean,
  calls: Call = batches.calls.undo,
) => ({
  id: 'undo',
  label: 'Undo',
  icon: <Undo2 size={15} aria-hidden />,
  keys: 'U',
  showLabel: true as const,
  calls,
  run: (item: Item) => void undo(item),
  disabledReason: (item: Item) => (isUndone(item) ? `${item.number} was already undone.` : undefined),
});

type UndoneBatch = Pick<Batch, 'number'> & { undone: number; leftCount: number; left: readonly LeftRecord[] };

const ofBatch: UndoWords<Pick<Batch, 'id' | 'number' | 'title'>, UndoneBatch> = {
  body: ({ title }) =>
    `${title}: records it created are deleted, and records it changed get their old values back. Records that were changed since then are not undone.`,
  done: ({ undone }) => `${records(undone)} taken back`,
  left: ({ leftCount, left }) => ({ count: leftCount, text: records(leftCount), named: left }),
};

/** Undoes a batch (docs/specification.md §20.2). */
export const useUndoBatch = () => useConfirmedUndo(batches.useUndo().mutateAsync, ofBatch);
