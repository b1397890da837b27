import { useEffect, useId, useState } from 'react';
import { rangeReversed } from '../../../shared/contract/scalars.ts';
import { dayRangeLabels, dayRangeNames, dayRangeOf, type DayRangeName } from '../../../shared/calc/day-ranges.ts';
import { DayField, today } from '../forms/day-field.tsx';
import { SelectBox } from '../ui/select-field.tsx';
import { useRangeNames } from './range-names.ts';

interface DayRangeProps {
  /** The name of the days, used in the heading and in the labels of both fields. */
  label?: string;
  from: string;
  to: string;
  /** Called with only the day that changed: the URL may not contain the latest change of the other one yet. */
  onChange: (change: { from?: string; to?: string }) => void;
  /** Called with the reason why the fields cannot be applied, and with undefined when they can. See `useFilterProblem`. */
  onProblem?: ((problem: string | undefined) => void) | undefined;
  /** The choice "without a day", if the list has it. */
  none?: { label: string; isChosen: boolean; onChoose: () => void } | undefined;
  /** What the list shows without a range. */
  unset?: string | undefined;
  /** The name of the select of named ranges. */
  rangeName?: string;
}

/**
 * A range of two days, both included. A reversed range shows an error and is not applied, because the server would refuse
 * it (docs/specification.md §14.3).
 */
export function DayRange(props: DayRangeProps) {
  const { label = 'Deposited', from, to, onChange, onProblem, none, unset = 'All dates' } = props;
  const { rangeName = `${label} days` } = props;
  /** The days of the fields while they cannot be applied, and the applied range when they were typed. */
  const [draft, setDraft] = useState<{ from: string; to: string; over: string }>();
  const over = `${from} ${to}`;
  const shown = draft?.over === over ? draft : { from, to };
  const isReversed = shown.from !== '' && shown.to !== '' && shown.from > shown.to;
  const [fieldProblems, setFieldProblems] = useState<{ from?: string | undefined; to?: string | undefined }>({});
  const problem = fieldProblems.from ?? fieldProblems.to ?? (isReversed ? rangeReversed : undefined);

  useEffect(() => {
    if (problem === undefined) return undefined;
    onProblem?.(problem);
    // This also runs on unmount: the typed text is gone, so its problem must be cleared.
    return () => onProblem?.(undefined);
  }, [problem, onProblem]);

  const apply = (change: { from: string } | { to: string }): void => {
    const next = { from: shown.from, to: shown.to, ...change };
    if (next.from !== '' && next.to !== '' && next.from > next.to) {
      setDraft({ ...next, over });
      return;
    }
    setDraft(undefined);
    // Send a draft day that could not be applied before, too. Always send the changed day: the URL may be about to change from
    // an older value.
    onChange({
      ...(next.from === from ? {} : { from: next.from }),
      ...(next.to === to ? {} : { to: next.to }),
      ...change,
    });
  };
  return (
    <fieldset className="relative">
      <legend className="mb-1 block text-xs font-medium text-muted">{label} Date Range</legend>
      <NamedRange label={label} name={rangeName} from={from} to={to} none={none} unset={unset} onChange={onChange} />
      <div className="flex items-start gap-2">
        <DayField
          label={`${label} from`}
          hideLabel
          reserve={false}
          keepsOnEscape
          className="w-32"
          value={shown.from}
          onValueChange={(day) => apply({ from: day })}
          onProblem={(text) => setFieldProblems((before) => ({ ...before, from: text }))}
        />
        <DayField
          label={`${label} to`}
          hideLabel
          reserve={false}
          keepsOnEscape
          className="w-32"
          value={shown.to}
          error={isReversed ? rangeReversed : undefined}
          onValueChange={(day) => apply({ to: day })}
          onProblem={(text) => setFieldProblems((before) => ({ ...before, to: text }))}
        />
      </div>
    </fieldset>
  );
}

/** The options of the select: a named range, all dates, the days of the fields ('others'), or without a day ('none'). */
type RangeChoice = DayRangeName | 'all' | 'others' | 'none';

/** A select of named ranges. It sits above the fields in the legend's line, so that it needs no space of its own. */
function NamedRange({
  label,
  name,
  from,
  to,
  none,
  unset,
  onChange,
}: Pick<DayRangeProps, 'from' | 'to' | 'none' | 'onChange'> & { label: string; name: string; unset: string }) {
  const id = useId();
  const { nameOf, choose } = useRangeNames();
  const isEmpty = from === '' && to === '';
  const chosen: RangeChoice = none?.isChosen ? 'none' : (nameOf(label, { from, to }) ?? (isEmpty ? 'all' : 'others'));
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
          { value: 'all', label: unset },
          ...dayRangeNames.map((value) => ({ value, label: dayRangeLabels[value] })),
          ...(none ? [{ value: 'none' as const, label: none.label }] : []),
          ...(chosen === 'others' ? [{ value: chosen, label: 'Chosen days' }] : []),
        ]}
        onValueChange={(next) => {
          if (next === 'none') return none?.onChoose();
          if (next === 'others') return;
          if (next === 'all') return onChange({ from: '', to: '' });
          choose([{ label, name: next }]);
          onChange(dayRangeOf(next, today()));
        }}
      />
    </span>
  );
}
