import type { ReactNode } from 'react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { Button } from '../ui/button.tsx';

interface SelectionFooterProps {
  count: number;
  /** Follows the count, for example an amount. */
  details?: ReactNode;
  /** How many of the selected rows are not on the shown page. */
  offPageCount?: number;
  /** Shown while nothing is selected. */
  whenNone?: ReactNode;
  /** The buttons that act on the selection. */
  children?: ReactNode;
  /** Clears the selection; without it there is no Clear button. */
  onClear?: () => void;
}

/** Shown below a table: how many rows are selected, and what can be done with them. */
export function SelectionFooter(props: SelectionFooterProps) {
  const { count, details, offPageCount = 0, whenNone, children, onClear } = props;
  return (
    <>
      <p role="status" className="nums min-w-0 truncate text-xs text-muted">
        {count > 0 ? (
          <>
            <b className="text-ink">{formatCount(count)} selected</b>
            {details}
            {offPageCount > 0 && ` (${formatCount(offPageCount)} not on this page)`}
          </>
        ) : (
          whenNone
        )}
      </p>
      {count > 0 && children}
      {count > 0 && onClear && (
        <Button size="sm" variant="ghost" keys="Esc" onClick={onClear}>
          Clear
        </Button>
      )}
    </>
  );
}
