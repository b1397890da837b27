import { Button } from '../../ui/button.tsx';
import { formatINR, sum } from '../../../shared/calc/money.ts';
import type { Challan, ChallanSummary } from '../../../shared/contract/challan.ts';

interface ListFooterProps {
  summary: ChallanSummary | undefined;
  chosen: readonly Challan[];
  onClear: () => void;
  /** Set while another order than the default is in force. */
  onNewestFirst: (() => void) | undefined;
}

const countOf = (count: number): string => count.toLocaleString('en-IN');

/** Left of the pager: what is selected, else how the filter's challans divide into paid and unpaid. */
export function ListFooter({ summary, chosen, onClear, onNewestFirst }: ListFooterProps) {
  return (
    <>
      <p role="status" className="nums min-w-0 truncate text-xs text-muted">
        {chosen.length > 0 ? (
          <>
            <b className="text-ink">{chosen.length} selected</b> ·{' '}
            {formatINR(sum(chosen.map((row) => row.netAmountPayable)))}
          </>
        ) : (
          summary && (
            <>
              Paid {countOf(summary.paidCount)} · {formatINR(summary.paidAmount)}
              <span className="mx-2 text-line">|</span>
              Unpaid {countOf(summary.unpaidCount)} · {formatINR(summary.unpaidAmount)}
            </>
          )
        )}
      </p>
      {chosen.length > 0 && (
        <Button size="sm" variant="ghost" keys="Esc" onClick={onClear}>
          Clear
        </Button>
      )}
      {onNewestFirst && (
        <Button size="sm" variant="ghost" tooltip="Back to the order of entry" onClick={onNewestFirst}>
          Newest first
        </Button>
      )}
    </>
  );
}
