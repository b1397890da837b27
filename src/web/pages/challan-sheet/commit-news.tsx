import { Link } from 'react-router-dom';
import { formatINR } from '../../../shared/calc/money.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import type { CommitNews } from './use-commit.ts';

interface NewsProps {
  news: CommitNews;
  isBusy: boolean;
  onUndo: (batch: Batch) => void;
  onClose: () => void;
}

const shownLeft = 5;

/** What became of the commit, until it is closed or the next one. */
export function CommitNotice({ news, isBusy, onUndo, onClose }: NewsProps) {
  if (news.kind === 'created') {
    const { batch, left } = news;
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
  if (news.kind === 'undone') {
    const { batch, undone, left } = news;
    return (
      <Alert tone="info" title={`${batch.number} was taken back`} onClose={onClose}>
        {undone} {undone === 1 ? 'challan was' : 'challans were'} deleted and {undone === 1 ? 'is' : 'are'} in the sheet
        again.
        {left.length > 0 && (
          <ul className="mt-1">
            {left.slice(0, shownLeft).map(({ id, name, reason }) => (
              <li key={id}>
                {name} stays: {reason}
              </li>
            ))}
            {left.length > shownLeft && <li>and {left.length - shownLeft} more</li>}
          </ul>
        )}
      </Alert>
    );
  }
  if (news.kind === 'refused') {
    return (
      <Alert title="Nothing was created" onClose={onClose}>
        {news.text} {news.count} {news.count === 1 ? 'row is' : 'rows are'} marked in the sheet.
      </Alert>
    );
  }
  return (
    <FailureAlert error={news.error} fallback="Failed to create challans" onClose={onClose}>
      {news.isUnanswered
        ? 'What you typed is kept. Create them again when the connection is back: they are stored once, not twice.'
        : undefined}
    </FailureAlert>
  );
}
