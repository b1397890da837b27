import type { OwnerSummary } from '../../../shared/contract/accounting.ts';
import { Button } from '../../ui/button.tsx';

interface ListFooterProps {
  summary: OwnerSummary | undefined;
  /** Set while another order than the default is in force. */
  onNewestFirst: (() => void) | undefined;
}

/** Left of the pager: how the filter's challans divide into paid and unpaid. */
export function ListFooter({ summary, onNewestFirst }: ListFooterProps) {
  return (
    <>
      {summary && (
        <p className="nums truncate text-xs text-muted">
          Paid {summary.paidCount.toLocaleString('en-IN')}
          <span className="mx-2 text-line">|</span>
          Unpaid {summary.unpaidCount.toLocaleString('en-IN')}
        </p>
      )}
      {onNewestFirst && (
        <Button size="sm" variant="ghost" tooltip="Back to the order of entry" onClick={onNewestFirst}>
          Newest first
        </Button>
      )}
    </>
  );
}
