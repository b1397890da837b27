import { useEffect, useId, useState } from 'react';
import { rangeReversed } from '../../shared/contract/scalars.ts';
import { dayRangeLabels, dayRangeNames, dayRangeOf, type DayRangeName } from '../../shared/calc/day-ranges.ts';
import { DayField, today } from '../forms/fields.tsx';
import { SelectBox } from '../ui/select-field.tsx';

interface DayRangeProps {
  /** Which days: the heading over both and the names of each. */
  label?: string;
  from: string;
  to: string;
  /** Only the day that changed: the other may still be on its way into the address. */
  onChange: (change: { from?: string; to?: string }) => void;
  /** Called with what keeps the fields from being applied, and with undefined when nothing does. See `useFilterProblem`. */
  onProblem?: ((problem: string | undefined) => void) | undefined;
  /** The choice of no day at all, where the list has it. */
  none?: { label: string; isChosen: boolean; onChoose: () => void } | undefined;
}

/**
 * Two days, both included. A reversed range is said and not applied: the server refuses it
 * (docs/specification.md §14.3).
 */
export function DayRange({ label = 'Deposited', from, to, onChange, onProblem, none }: DayRangeProps) {
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

  const take = (change: { from: string } | { to: string }): void => {
    const next = { from: shown.from, to: shown.to, ...change };
    if (next.from !== '' && next.to !== '' && next.from > next.to) {
      setDraft({ ...next, over });
      return;
    }
    setDraft(undefined);
    // What was typed in vain before goes with it. The day itself always: what it was before may be on its way still.
    onChange({
      ...(next.from === from ? {} : { from: next.from }),
      ...(next.to === to ? {} : { to: next.to }),
      ...change,
    });
  };
  return (
    <fieldset className="relative">
      <legend className="mb-1 block text-xs font-medium text-muted">{label} Date Range</legend>
      <NamedRange label={label} from={from} to={to} none={none} onChange={onChange} />
      <div className="flex items-start gap-2">
        <DayField
          label={`${label} from`}
          hideLabel
          reserve={false}
          keepsOnEscape
          className="w-36"
          value={shown.from}
          onValueChange={(day) => take({ from: day })}
          onProblem={(text) => setUnread((before) => ({ ...before, from: text }))}
        />
        <DayField
          label={`${label} to`}
          hideLabel
          reserve={false}
          keepsOnEscape
          className="w-36"
          value={shown.to}
          error={isReversed ? rangeReversed : undefined}
          onValueChange={(day) => take({ to: day })}
          onProblem={(text) => setUnread((before) => ({ ...before, to: text }))}
        />
      </div>
    </fieldset>
  );
}

/** What is chosen by its name: no days, those of the fields, and none at all. */
type RangeChoice = DayRangeName | 'all' | 'others' | 'none';

/** The ranges that have a name, over the fields, so that they take no place of their own. */
function NamedRange({
  label,
  from,
  to,
  none,
  onChange,
}: Pick<DayRangeProps, 'from' | 'to' | 'none' | 'onChange'> & { label: string }) {
  const id = useId();
  const day = today();
  const named = dayRangeNames.find((name) => {
    const range = dayRangeOf(name, day);
    return range.from === from && range.to === to;
  });
  const isEmpty = from === '' && to === '';
  const chosen: RangeChoice = none?.isChosen ? 'none' : (named ?? (isEmpty ? 'all' : 'others'));
  const name = `${label} days`;
  return (
    <span className="absolute -top-5 right-0">
      <label htmlFor={id} className="sr-only">
        {name}
      </label>
      <SelectBox<RangeChoice>
        id={id}
        label={name}
        className="h-4.5! rounded-sm border-transparent! bg-transparent! pr-0! text-xs text-muted!"
        value={chosen}
        options={[
          { value: 'all', label: 'All days' },
          ...dayRangeNames.map((value) => ({ value, label: dayRangeLabels[value] })),
          ...(none ? [{ value: 'none' as const, label: none.label }] : []),
          ...(chosen === 'others' ? [{ value: chosen, label: 'Chosen days' }] : []),
        ]}
        onValueChange={(next) => {
          if (next === 'none') none?.onChoose();
          else if (next !== 'others') onChange(next === 'all' ? { from: '', to: '' } : dayRangeOf(next, day));
        }}
      />
    </span>
  );
}
