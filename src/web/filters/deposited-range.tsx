import { useState } from 'react';
import { DayField } from '../shell/fields.tsx';

interface DepositedRangeProps {
  from: string;
  to: string;
  onChange: (from: string, to: string) => void;
}

const reversed = 'The end date cannot be before the start date';

/** Two days, both included. A reversed range is said and not applied: the server refuses it (wire.md). */
export function DepositedRange({ from, to, onChange }: DepositedRangeProps) {
  /** What stands in the fields while it cannot be applied, and beside which applied range it was typed. */
  const [draft, setDraft] = useState<{ from: string; to: string; over: string }>();
  const over = `${from} ${to}`;
  const shown = draft?.over === over ? draft : { from, to };
  const isReversed = shown.from !== '' && shown.to !== '' && shown.from > shown.to;

  const take = (nextFrom: string, nextTo: string): void => {
    if (nextFrom !== '' && nextTo !== '' && nextFrom > nextTo) setDraft({ from: nextFrom, to: nextTo, over });
    else {
      setDraft(undefined);
      onChange(nextFrom, nextTo);
    }
  };
  return (
    <>
      <DayField
        label="Deposited from"
        reserve={false}
        className="w-37"
        value={shown.from}
        onValueChange={(day) => take(day, shown.to)}
      />
      <DayField
        label="Deposited to"
        reserve={false}
        className="w-37"
        value={shown.to}
        error={isReversed ? reversed : undefined}
        onValueChange={(day) => take(shown.from, day)}
      />
    </>
  );
}
