import { Link } from 'react-router-dom';
import { formatINR } from '../../../../shared/calc/money.ts';
import type { Batch } from '../../../../shared/contract/batches.ts';
import { FailureAlert } from '../../../kit/feedback/failure-alert.tsx';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import type { CommitResult } from './use-commit.ts';

interface CommitNoticeProps {
  result: CommitResult;
  isBusy: boolean;
  onUndo: (batch: Batch) => void;
  onClose: () => void;
}

const maxShown = 5;

/** Shows the result of the commit until it is closed or replaced by the next one. */
export function CommitNotice({ result, isBusy, onUndo, onClose }: CommitNoticeProps) {
  if (result.kind === 'created') {
    const { batch, left } = result;
    return (
      <Alert
        tone="good"
        title={`${batch.number}: ${batch.title}, ${formatINR(batch.amount)}`}
        onClose={onClose}
        actions={
          <>
            <Link className="font-medium underline underline-offset-2" to="/challans">
              Show in Challans
            </Link>
            <Button size="sm" busy={isBusy} onClick={() => onUndo(batch)}>
              Undo
            </Button>
          </>
        }
      >
        {left > 0 && `${left} ${left === 1 ? 'row stays' : 'rows stay'} in the sheet.`}
      </Alert>
    );
  }
  if (result.kind === 'undone') {
    const { batch, undone, left } = result;
    return (
      <Alert tone="info" title={`${batch.number} was undone`} onClose={onClose}>
        {undone} {undone === 1 ? 'challan was' : 'challans were'} deleted and {undone === 1 ? 'is' : 'are'} back in the
        sheet.
        {left.length > 0 && (
          <ul className="mt-1">
            {left.slice(0, maxShown).map(({ id, name, reason }) => (
              <li key={id}>
                {name} was kept: {reason}
              </li>
            ))}
            {left.length > maxShown && <li>and {left.length - maxShown} more</li>}
          </ul>
        )}
      </Alert>
    );
  }
  if (result.kind === 'refused') {
    return (
      <Alert title="Nothing was created" onClose={onClose}>
        {result.text} {result.count} {result.count === 1 ? 'row is' : 'rows are'} marked in the sheet.
      </Alert>
    );
  }
  return (
    <FailureAlert error={result.error} fallback="Failed to create challans" onClose={onClose}>
      {result.isUnanswered
        ? 'Your rows are kept. Create the challans again when the connection is back. They will not be stored twice.'
        : undefined}
    </FailureAlert>
  );
}
