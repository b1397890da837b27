import { useCallback, useState, type ReactNode } from 'react';
import type { Batch, LeftRecord } from '../../shared/contract/batches.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { batches } from '../api/batches.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { confirm } from './confirm.tsx';
import { notify } from './toast.ts';

type Undone = Pick<Batch, 'number'> & { undone: number; leftCount: number; left: readonly LeftRecord[] };

const records = (count: number): string => `${count.toLocaleString('en-IN')} ${count === 1 ? 'record' : 'records'}`;

/** Takes a batch back after a question; what had to be left is named in a dialog (docs/specification.md §20.2). */
export function useUndoBatch(): {
  undo: (batch: Pick<Batch, 'id' | 'number' | 'title'>) => Promise<boolean>;
  dialog: ReactNode;
} {
  const [shown, setShown] = useState<Undone>();
  const { mutateAsync } = batches.useUndo();
  const undo = useCallback(
    async ({ id, number, title }: Pick<Batch, 'id' | 'number' | 'title'>): Promise<boolean> => {
      let answer: Undone | undefined;
      const idempotencyKey = newIdempotencyKey();
      const isDone = await confirm({
        title: `Undo ${number}?`,
        body: `${title}: what it created is deleted and what it changed is set back, where nobody has changed it since.`,
        confirmLabel: 'Undo',
        cancelLabel: 'Keep it',
        danger: true,
        act: async () => {
          answer = (await mutateAsync({ params: { id }, idempotencyKey })).data;
        },
        failed: 'Failed to undo',
      });
      if (!isDone || !answer) return false;
      if (answer.leftCount > 0) setShown(answer);
      else notify.success(`${number} undone: ${records(answer.undone)} taken back`);
      return true;
    },
    [mutateAsync],
  );
  const dialog = shown && (
    <Dialog
      open
      title={`${records(shown.undone)} taken back, ${records(shown.leftCount)} left`}
      onClose={() => setShown(undefined)}
      footer={<Button onClick={() => setShown(undefined)}>Close</Button>}
    >
      <ul aria-label="Left as they are" className="grid max-h-96 gap-1 overflow-y-auto">
        {shown.left.map(({ id, name, reason }) => (
          <li key={id}>
            <span className="font-medium">{name}</span>: {reason}
          </li>
        ))}
      </ul>
      {shown.left.length < shown.leftCount && (
        <p className="mt-2 text-muted">and {records(shown.leftCount - shown.left.length)} more</p>
      )}
    </Dialog>
  );
  return { undo, dialog };
}
