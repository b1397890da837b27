import { useRef, useState } from 'react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import type { HsdChanged, HsdTotal } from '../../../shared/contract/hsd-verification.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';

/** The alerts above the tables of the results. */

const maxTotals = 5;

/** The rows of the bill that hold totals. They are not compared with challans. */
export function BillTotals({ totals }: { totals: readonly HsdTotal[] }) {
  if (totals.length === 0) return null;
  const isConsistent = totals.every(({ amount, rowsAmount }) => amount === null || amount === rowsAmount);
  return (
    <Alert
      tone={isConsistent ? 'info' : 'warn'}
      className="shrink-0"
      title={`${totals.length === 1 ? '1 row of totals' : `${formatCount(totals.length)} rows of totals`}, not compared`}
    >
      <ul className="nums list-none">
        {totals.slice(0, maxTotals).map(({ row, text, amount, rowsAmount }) => (
          <li key={row}>
            Row {row}: {text} {amount !== null && formatINR(amount)}
            {amount !== null && amount !== rowsAmount && `; the rows above come to ${formatINR(rowsAmount)}`}
          </li>
        ))}
        {totals.length > maxTotals && <li>and {formatCount(totals.length - maxTotals)} more</li>}
      </ul>
    </Alert>
  );
}

/** A longer list would only slow the screen down. The Status column of the table marks each changed row. */
const maxChanges = 100;

function describeChange({ matchedAmount, challanAmount, tpNo, hasOtherTp, hasOtherPump }: HsdChanged): string {
  const parts = [
    ...(matchedAmount === challanAmount
      ? []
      : [`HSD amount ${formatINR(matchedAmount)} → ${formatINR(challanAmount)}`]),
    ...(hasOtherTp ? [`TP No is ${tpNo} now`] : []),
    ...(hasOtherPump ? ['another petrol pump, or none'] : []),
  ];
  return parts.join('; ');
}

/**
 * Lists the challans that changed after the file was compared with them. Verify found them and verified nothing;
 * pressing Verify again verifies the other matches.
 */
export function ChangedSince({ changed, pending }: { changed: readonly HsdChanged[]; pending: number }) {
  if (changed.length === 0) return null;
  const isOne = changed.length === 1;
  const rest =
    pending === 0
      ? ''
      : pending === 1
        ? 'The other match has not changed and can be verified now. '
        : `The ${formatCount(pending)} other matches have not changed and can be verified now. `;
  return (
    <Alert
      className="shrink-0"
      title={`${formatCount(changed.length)} ${isOne ? 'challan has' : 'challans have'} changed since the file was compared and ${isOne ? 'is' : 'are'} not verified`}
    >
      <p>
        {rest}To compare {isOne ? 'it' : 'them'} again, upload the file again.
      </p>
      <ul
        aria-label="Changed since the file was compared"
        // A Tab stop, so that the list can be scrolled by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls needs the focus for it
        tabIndex={0}
        className="mt-1 max-h-17 list-none overflow-y-auto rounded pr-2"
      >
        {changed.slice(0, maxChanges).map((one) => (
          <li key={one.challanId}>
            {one.challanNumber}: {describeChange(one)}
          </li>
        ))}
        {changed.length > maxChanges && (
          <li>and {formatCount(changed.length - maxChanges)} more, marked in the table</li>
        )}
      </ul>
    </Alert>
  );
}

/** A longer list at once would only slow the screen down. */
const maxErrors = 200;

/** Rows of the file that were left out, one sentence each (docs/specification.md §11.1). */
export function ProcessingErrors({ errors }: { errors: readonly string[] }) {
  const [isOpen, setOpen] = useState(true);
  const [showsAll, setShowsAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = showsAll ? errors : errors.slice(0, maxErrors);
  const count = formatCount(errors.length);
  if (errors.length === 0) return null;
  return (
    <Alert
      tone="warn"
      className="shrink-0"
      title={
        <span className="flex items-center justify-between gap-3">
          Processing Errors ({count})
          <Button size="sm" variant="ghost" className="-my-1" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        </span>
      }
    >
      {isOpen && (
        <ul
          ref={list}
          aria-label="Processing Errors"
          // A Tab stop, so that the list can be scrolled by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls needs the focus for it
          tabIndex={0}
          // A little more than three lines: half of the fourth line shows that the list goes on.
          className="max-h-17 list-none overflow-y-auto rounded pr-2"
        >
          {shown.map((text, index) => (
            <li key={`${index}-${text}`}>{text}</li>
          ))}
          {shown.length < errors.length && (
            <li className="py-1">
              <Button
                size="sm"
                onClick={() => {
                  // The button disappears when it is pressed, so the focus moves to the list.
                  list.current?.focus();
                  setShowsAll(true);
                }}
              >
                Show all {count}
              </Button>
            </li>
          )}
        </ul>
      )}
    </Alert>
  );
}
