import { useState } from 'react';
import { rangeReversed } from '../../shared/contract/scalars.ts';
import { DayField } from '../shell/fields.tsx';

interface DepositedRangeProps {
  /** One heading over both days. */
  legend?: string;
  from: string;
  to: string;
  /** Only the day that changed: the other may still be on its way into the address. */
  onChange: (change: { from?: string; to?: string }) => void;
}

/** Two days, both included. A reversed range is said and not applied: the server refuses it (wire.md). */
export function DepositedRange({ legend = 'Deposited Date Range', from, to, onChange }: DepositedRangeProps) {
  /** What stands in the fields while it cannot be applied, and beside which applied range it was typed. */
  const [draft, setDraft] = useState<{ from: string; to: string; over: string }>();
  const over = `${from} ${to}`;
  const shown = draft?.over === over ? draft : { from, to };
  const isReversed = shown.from !== '' && shown.to !== '' && shown.from > shown.to;

  const take = (nextFrom: string, nextTo: string): void => {
    if (nextFrom !== '' && nextTo !== '' && nextFrom > nextTo) setDraft({ from: nextFrom, to: nextTo, over });
    else {
      setDraft(undefined);
      onChange({ ...(nextFrom === from ? {} : { from: nextFrom }), ...(nextTo === to ? {} : { to: nextTo }) });
    }
  };
  return (
    <fieldset>
      <legend className="mb-1 block text-xs font-medium text-muted">{legend}</legend>
      <div className="flex items-start gap-2">
        <DayField
          label="Deposited from"
          hideLabel
          reserve={false}
          className="w-37"
          value={shown.from}
          onValueChange={(day) => take(day, shown.to)}
        />
        <DayField
          label="Deposited to"
          hideLabel
          reserve={false}
          className="w-37"
          value={shown.to}
          error={isReversed ? rangeReversed : undefined}
          onValueChange={(day) => take(shown.from, day)}
        />
      </div>
    </fieldset>
  );
}
