import { useEffect, useState, type ReactNode } from 'react';
import { clsx } from 'clsx';
import type { BreakdownLine } from '../../../../shared/calc/challan-breakdown.ts';
import { formatINR, isNegative, isZero } from '../../../../shared/calc/money.ts';
import { useFigures } from './form-fields.tsx';

const announceAfterMs = 500;
const notKnown = '—';

/**
 * The sum line by line (docs/specification.md §8.4.1). Deductions have a minus, and amounts that are only shown are set apart.
 * The bar sticks to the bottom of the window. Screen readers announce the net amount after a pause in typing.
 */
export function SummaryBar({ notice, buttons }: { notice: ReactNode; buttons: ReactNode }) {
  const { breakdown, netAmountPayable: net } = useFigures();
  const shown = net === null ? notKnown : formatINR(net);
  const summands = breakdown.filter((line) => line.sign !== ' ');
  const aside = breakdown.filter((line) => line.sign === ' ' && line.amount !== null && !isZero(line.amount));
  return (
    <div
      // In a very low window (200 % zoom) the bar scrolls with the fields instead of covering them.
      className="sticky bottom-0 z-10 -mx-5 border-y border-line bg-raised px-5 py-2 shadow-card [@media(height<32rem)]:static"
      data-print="hide"
    >
      {notice}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 2xl:gap-x-6">
        <ul
          aria-label="Net amount line by line"
          className="flex min-w-0 flex-wrap items-stretch gap-x-3 gap-y-1 2xl:gap-x-5"
        >
          {summands.map((line) => (
            <Line key={line.key} line={line} sign={line.isDeducted ? '−' : line.key === 'grossAmount' ? '' : '+'} />
          ))}
          {aside.map((line) => (
            <Line key={line.key} line={line} sign="" isAside />
          ))}
        </ul>
        <div className="ml-auto flex items-center gap-5">
          <dl className="text-right">
            <dt className="text-xs text-muted">Net Amount Payable</dt>
            <dd className={clsx('nums text-lg leading-6 font-semibold', net && isNegative(net) && 'text-danger')}>
              {shown}
            </dd>
          </dl>
          <div className="flex items-center gap-2">{buttons}</div>
        </div>
      </div>
      <Announcement text={net === null ? '' : `Net amount payable ${shown}`} />
    </div>
  );
}

function Line({ line, sign, isAside }: { line: BreakdownLine; sign: string; isAside?: boolean }) {
  const isNothing = line.amount === null || isZero(line.amount);
  const amount = line.amount === null ? notKnown : formatINR(line.amount);
  return (
    <li
      className={clsx(
        'min-w-14 flex-col justify-end 2xl:max-w-52 2xl:justify-start',
        // Hidden in a narrow window, so that the sum stays in one row. Its field shows the same.
        isAside ? 'hidden border-l border-dashed border-control/60 pl-3 2xl:flex' : 'flex',
      )}
      title={line.how || undefined}
    >
      {/* A long label wraps or is truncated; the amount is always shown in full. */}
      <span className="max-w-28 text-xs leading-4 text-muted 2xl:max-w-none 2xl:truncate">
        {line.label}
        {line.isDeducted && <span className="sr-only">, deducted</span>}
        {isAside && ', shown only'}
      </span>
      <span className={clsx('nums whitespace-nowrap', isNothing || isAside ? 'text-muted' : 'text-ink')}>
        {sign && line.amount !== null && <span aria-hidden>{sign} </span>}
        {amount}
      </span>
      <span className="hidden h-4 truncate text-[11px] leading-4 text-muted 2xl:block">{!isAside && line.how}</span>
    </li>
  );
}

/** Announces the text after a pause, because an announcement per keystroke would be too much. */
function Announcement({ text }: { text: string }) {
  const [announced, setAnnounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), announceAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  );
}
