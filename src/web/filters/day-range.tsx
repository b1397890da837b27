import { useEffect, useState } from 'react';
import { rangeReversed } from '../../shared/contract/scalars.ts';
import { DayField } from '../forms/fields.tsx';

interface DayRangeProps {
  /** Which days: the heading over both and the names of each. */
  label?: string;
  from: string;
  to: string;
  /** Only the day that changed: the other may still be on its way into the address. */
  onChange: (change: { from?: string; to?: string }) => void;
  /** Called with what keeps the fields from being applied, and with undefined when nothing does. See `useFilterProblem`. */
  onProblem?: ((problem: string | undefined) => void) | undefined;
}

/**
 * Two days, both included. A reversed range is said and not applied: the server refuses it
 * (docs/specification.md §14.3).
 */
export function DayRange({ label = 'Deposited', from, to, onChange, onProblem }: DayRangeProps) {
  /** What the fields hold while it cannot be applied, and the applied range it was typed over. */
  const [draft, setDraft] = useState<{ from: string; to: string; over: string }>();
  const over = `${from} ${to}`;
  const shown = draft?.over === over ? draft : { from, to };
  const isReversed = shown.from !== '' && shown.to !== '' && shown.from > shown.to;
  const [unread, setUnread] = useState<{ from?: string | undefined; to?: string | undefined }>({});
  const problem = unread.from ?? unread.to ?? (isReversed ? rangeReversed : undefined);

  useEffect(() => {
    if (problem === undefined) return undefined;
    onProblem?.(problem);
    // Also when the fields go: what was typed goes with them.
    return () => onProblem?.(undefined);
  }, [problem, onProblem]);

  const take = (nextFrom: string, nextTo: string): void => {
    if (nextFrom !== '' && nextTo !== '' && nextFrom > nextTo) setDraft({ from: nextFrom, to: nextTo, over });
    else {
      setDraft(undefined);
      onChange({ ...(nextFrom === from ? {} : { from: nextFrom }), ...(nextTo === to ? {} : { to: nextTo }) });
    }
  };
  return (
    <fieldset>
      <legend className="mb-1 block text-xs font-medium text-muted">{label} Date Range</legend>
      <div className="flex items-start gap-2">
        <DayField
          label={`${label} from`}
          hideLabel
          reserve={false}
          keepsOnEscape
          className="w-37"
          value={shown.from}
          onValueChange={(day) => take(day, shown.to)}
          onProblem={(text) => setUnread((before) => ({ ...before, from: text }))}
        />
        <DayField
          label={`${label} to`}
          hideLabel
          reserve={false}
          keepsOnEscape
          className="w-37"
          value={shown.to}
          error={isReversed ? rangeReversed : undefined}
          onValueChange={(day) => take(shown.from, day)}
          onProblem={(text) => setUnread((before) => ({ ...before, to: text }))}
        />
      </div>
    </fieldset>
  );
}
