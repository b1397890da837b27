import type { Ref } from 'react';
import { X } from 'lucide-react';
import { OwnerPicker } from '../../shell/pickers.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { DepositedRange } from '../../filters/deposited-range.tsx';
import { depositedChange } from '../../filters/filter-values.ts';
import { FilterFrame, PaymentStatusFilter } from '../../filters/filter-frame.tsx';
import { NotDepositedChip } from './filter-chips.tsx';
import { tpFilterLeast, type ListFilters } from './list-state.ts';
import { TagFilter } from '../../filters/tag-filter.tsx';
import { useOwnerChoice } from '../../filters/use-owner-choice.ts';
import { useSettledText } from './use-settled-text.ts';

interface FilterPanelProps {
  filters: ListFilters;
  onChange: (change: Partial<ListFilters>, how?: 'typing') => void;
  onReset: () => void;
  onLeaveDown: () => void;
  tpRef: Ref<HTMLInputElement>;
}

/** Part 2 §2.1. */
export function FilterPanel({ filters, onChange, onReset, onLeaveDown, tpRef }: FilterPanelProps) {
  const tp = useSettledText(filters.tpNo, (tpNo) => onChange({ tpNo }, 'typing'));
  const { owner, remember } = useOwnerChoice(filters.ownerId);
  const typed = tp.text.trim().length;

  return (
    <FilterFrame
      onLeaveDown={onLeaveDown}
      onReset={() => {
        tp.setText('');
        onReset();
      }}
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
      <PaymentStatusFilter
        label="Payment Status"
        value={filters.paymentStatus}
        onChange={(paymentStatus) => onChange({ paymentStatus })}
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
        onChange={(range) => onChange({ ...depositedChange(range), depositedDate: '' })}
      />
      {filters.depositedDate !== '' && (
        <div className="mt-5.5">
          <NotDepositedChip onRemove={() => onChange({ depositedDate: '' })} />
        </div>
      )}
    </FilterFrame>
  );
}
