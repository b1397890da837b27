import type { KeyboardEvent, Ref } from 'react';
import { RotateCcw, X } from 'lucide-react';
import { OwnerPicker } from '../../shell/pickers.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { DepositedRange } from '../../filters/deposited-range.tsx';
import { depositedChange } from '../../filters/filter-values.ts';
import { tpFilterLeast, type ListFilters } from './list-state.ts';
import { TagFilter } from '../../filters/tag-filter.tsx';
import { useOwnerChoice } from '../../filters/use-owner-choice.ts';
import { useSettledText } from './use-settled-text.ts';

interface FilterPanelProps {
  filters: ListFilters;
  onChange: (change: Partial<ListFilters>, how?: 'typing') => void;
  onReset: () => void;
  /** Down from a field goes into the grid (design, keyboard.md). */
  onLeaveDown: () => void;
  tpRef: Ref<HTMLInputElement>;
}

const statusOptions = [
  { value: '', label: 'All' },
  { value: 'paid', label: 'Paid' },
  { value: 'unpaid', label: 'Unpaid' },
] as const;

/** Part 2 §2.1. Every filter acts by itself; there is no button to apply them. */
export function FilterPanel({ filters, onChange, onReset, onLeaveDown, tpRef }: FilterPanelProps) {
  const tp = useSettledText(filters.tpNo, (tpNo) => onChange({ tpNo }, 'typing'));
  const { owner, remember } = useOwnerChoice(filters.ownerId);
  const typed = tp.text.trim().length;

  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.target;
    const isPlainDown = event.key === 'ArrowDown' && !event.altKey && !event.ctrlKey && !event.shiftKey;
    // Lists and the platform's select use Down themselves.
    const isText = target instanceof HTMLInputElement && target.type !== 'checkbox' && target.role !== 'combobox';
    if (!isPlainDown || !isText || event.defaultPrevented) return;
    event.preventDefault();
    onLeaveDown();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only watches the keys of its fields
    <section
      aria-label="Filters"
      className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 pt-2 pb-2.5 shadow-card"
      onKeyDown={onKeyDown}
    >
      <TextField
        ref={tpRef}
        label="TP No"
        reserve={false}
        className="max-w-52 min-w-36 flex-1"
        maxLength={200}
        placeholder="Any part of it"
        hint={typed > 0 && typed < tpFilterLeast ? `Type at least ${tpFilterLeast} characters` : undefined}
        value={tp.text}
        onValueChange={tp.setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter') tp.flush();
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (tp.text === '') event.currentTarget.blur();
          else tp.setText('');
        }}
        trailing={
          tp.text === '' ? undefined : (
            <button
              type="button"
              tabIndex={-1}
              aria-label="Clear TP No"
              className="grid size-6 place-items-center rounded hover:bg-hover hover:text-ink"
              onClick={() => tp.setText('')}
            >
              <X size={14} aria-hidden />
            </button>
          )
        }
      />
      <Select
        label="Payment status"
        reserve={false}
        className="max-w-40 min-w-30 flex-1"
        value={filters.paymentStatus}
        onValueChange={(paymentStatus) => onChange({ paymentStatus })}
        options={statusOptions}
      />
      <TagFilter tagId={filters.tagId} onChange={(tagId) => onChange({ tagId })} />
      <OwnerPicker
        label="Owner"
        reserve={false}
        className="max-w-72 min-w-44 flex-1"
        value={owner}
        onPick={(choice) => {
          remember(choice);
          onChange({ ownerId: choice?.id ?? '' });
        }}
      />
      <DepositedRange
        from={filters.depositedStartDate}
        to={filters.depositedEndDate}
        onChange={(range) => onChange(depositedChange(range))}
      />
      <Button
        className="mt-5"
        variant="ghost"
        icon={<RotateCcw size={14} aria-hidden />}
        onClick={() => {
          tp.setText('');
          onReset();
        }}
      >
        Reset
      </Button>
    </section>
  );
}
