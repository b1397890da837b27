import { useEffect, useState } from 'react';
import { compare, formatAmount } from '../../../shared/calc/money.ts';
import { readSigned } from '../../../shared/reading/amount.ts';
import { amountsReversed } from '../../../shared/contract/scalars.ts';
import { TextField } from '../ui/text-field.tsx';

interface AmountRangeProps {
  label: string;
  from: string;
  to: string;
  /** Called with only the amount that changed. */
  onChange: (change: { from?: string; to?: string }) => void;
  /** See `useFilterProblem`. */
  onProblem: (problem: string | undefined) => void;
}

const shown = (amount: string): string => (amount === '' ? '' : formatAmount(amount));

/**
 * A range of two amounts, both included. It is applied on blur and on Enter. A reversed range shows an error and is not
 * applied.
 */
export default function AmountRange({ label, from, to, onChange, onProblem }: AmountRangeProps) {
  /** The text of the fields while it differs from the URL, and the applied range when it was typed. */
  const [typed, setTyped] = useState<{ from: string; to: string; over: string }>();
  const [fieldProblem, setProblem] = useState<{ at: 'from' | 'to'; text: string }>();
  const over = `${from} ${to}`;
  const isTyped = typed?.over === over;
  const fields = isTyped ? typed : { from: shown(from), to: shown(to) };
  const problem = isTyped ? fieldProblem : undefined;

  useEffect(() => {
    if (problem === undefined) return undefined;
    onProblem(problem.text);
    return () => onProblem(undefined);
  }, [problem, onProblem]);

  const settle = (): void => {
    const [lowest, highest] = [readSigned(fields.from), readSigned(fields.to)];
    if ('error' in lowest) return setProblem({ at: 'from', text: lowest.error });
    if ('error' in highest) return setProblem({ at: 'to', text: highest.error });
    const [first, last] = [lowest.value, highest.value];
    if (first !== '' && last !== '' && compare(first, last) > 0) {
      return setProblem({ at: 'to', text: amountsReversed });
    }
    setProblem(undefined);
    setTyped(undefined);
    const change = { ...(first === from ? {} : { from: first }), ...(last === to ? {} : { to: last }) };
    if (Object.keys(change).length > 0) onChange(change);
    return undefined;
  };
  const fieldOf = (at: 'from' | 'to') => (
    <TextField
      label={`${label} ${at}`}
      hideLabel
      reserve={false}
      className="w-27"
      inputMode="decimal"
      maxLength={30}
      placeholder={at === 'from' ? 'Lowest ₹' : 'Highest ₹'}
      value={fields[at]}
      error={problem?.at === at ? problem.text : undefined}
      onValueChange={(text) => {
        setTyped({ from: fields.from, to: fields.to, over, [at]: text });
        setProblem(undefined);
      }}
      onBlur={settle}
      onKeyDown={({ key }) => {
        if (key === 'Enter') settle();
      }}
    />
  );
  return (
    <fieldset>
      <legend className="mb-1 block text-xs font-medium text-muted">{label} Range</legend>
      <div className="flex items-start gap-2">
        {fieldOf('from')}
        {fieldOf('to')}
      </div>
    </fieldset>
  );
}
