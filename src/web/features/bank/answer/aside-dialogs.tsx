import { useRef, useState } from 'react';
import { countText } from '../../../../shared/calc/count-text.ts';
import { formatDate } from '../../../../shared/calc/dates.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import { ConfirmButtons } from '../../../kit/actions/confirm-button.tsx';
import { refusalOf } from '../../../kit/api/seat.ts';
import { bankAnswers } from '../../../resources/bank-answers.ts';
import { QueryFailure } from '../../../kit/feedback/failure-alert.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { TextField } from '../../../kit/ui/text-field.tsx';

/** Sets lines of a statement aside that belong to no payment of ours, with a note. */
export function SetAsideDialog({ ids, onDone, onClose }: { ids: string[]; onDone: () => void; onClose: () => void }) {
  const [note, setNote] = useState('');
  const [error, setError] = useState('');
  const { mutateAsync, isPending } = bankAnswers.useSetAside();
  /** Blocks a second press: isPending changes a moment later, and Ctrl+Enter does not check the button. */
  const isSending = useRef(false);
  const save = async (): Promise<void> => {
    if (isSending.current) return;
    if (note.trim() === '') {
      setError('Please enter a note');
      return;
    }
    isSending.current = true;
    try {
      await mutateAsync({ body: { ids, note } });
      notify.success(`${countText(ids.length, 'line')} set aside`);
      onDone();
    } catch (problem) {
      notify.error(problem, 'Failed to set the lines aside');
    } finally {
      isSending.current = false;
    }
  };
  return (
    <Dialog
      size="sm"
      title={`Set ${countText(ids.length, 'line')} aside?`}
      description="Use this for lines that belong to none of the payments you sent. You can open them again."
      onClose={onClose}
      footer={<ConfirmButtons onCancel={onClose} label="Set aside" run={() => void save()} busy={isPending} />}
    >
      <TextField
        label="Note"
        value={note}
        maxLength={200}
        error={error}
        placeholder="Bank charges, rent, …"
        onValueChange={(text) => {
          setNote(text);
          setError('');
        }}
      />
    </Dialog>
  );
}

/** Lists the lines that were set aside, with their notes. Each can be opened again. */
export function AsideDialog({ bankAccountId, onClose }: { bankAccountId: string; onClose: () => void }) {
  const list = bankAnswers.useListStatementLines({ query: { bankAccountId, limit: 100 } });
  const { mutateAsync, isPending } = bankAnswers.useTakeBack();
  const open = async (id: string): Promise<void> => {
    try {
      await mutateAsync({ body: { ids: [id] } });
    } catch (problem) {
      notify.error(problem, 'Failed to open the line again');
    }
  };
  const rows = list.data?.data ?? [];
  const count = list.data?.pagination.totalCount ?? 0;
  return (
    <Dialog size="lg" title="Lines set aside" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <QueryFailure query={list} fallback="Failed to fetch the lines" />
      {list.isPending && <p role="status">Loading…</p>}
      {list.data && rows.length === 0 && <p className="text-muted">No lines of this account are set aside.</p>}
      <ul aria-label="Lines set aside" className="grid max-h-96 gap-1 overflow-y-auto">
        {rows.map(({ id, day, amount, side, narration, note }) => (
          <li key={id} className="flex items-center gap-3 border-b border-line py-1">
            <span className="min-w-0 flex-1">
              <span className="nums">
                {formatDate(day)} · {side === 'out' ? '−' : '+'}
                {formatINR(amount)} · <span className="font-medium">{note}</span>
              </span>
              <span className="block truncate text-xs text-muted">{narration}</span>
            </span>
            <Button
              size="sm"
              busy={isPending}
              disabledReason={refusalOf(bankAnswers.calls.takeBack)}
              onClick={() => void open(id)}
            >
              Open again
            </Button>
          </li>
        ))}
      </ul>
      {rows.length < count && (
        <p className="mt-2 text-muted">
          The newest {rows.length} of {countText(count, 'line')}
        </p>
      )}
    </Dialog>
  );
}
