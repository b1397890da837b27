import type { Ref } from 'react';
import { RotateCcw } from 'lucide-react';
import { DepositedRange } from '../../filters/deposited-range.tsx';
import { CommonChips, FiltersInForce, OwnerChip } from '../../filters/filter-chip.tsx';
import { depositedChange } from '../../filters/filter-values.ts';
import { TagFilter } from '../../filters/tag-filter.tsx';
import { useOwnerChoice } from '../../filters/use-owner-choice.ts';
import { OwnerPicker } from '../../shell/pickers.tsx';
import { Button } from '../../ui/button.tsx';
import { PrintOnly } from '../../ui/printing.ts';
import type { Filters } from './statement-state.ts';

interface FilterBarProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  onClear: () => void;
  ownerRef: Ref<HTMLDivElement>;
}

/** Owner (type-ahead from two characters), deposited range and tag; each acts by itself. */
export function FilterBar({ filters, onChange, onClear, ownerRef }: FilterBarProps) {
  const { owner, remember } = useOwnerChoice(filters.ownerId);
  return (
    <section
      aria-label="Filters"
      data-print="hide"
      className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 pt-2 pb-2.5 shadow-card"
    >
      <div ref={ownerRef} className="w-64">
        <OwnerPicker
          label="Owner"
          reserve={false}
          value={owner}
          onPick={(choice) => {
            remember(choice);
            onChange({ ownerId: choice?.id ?? '' });
          }}
        />
      </div>
      <DepositedRange
        legend="Deposited Date Range"
        from={filters.depositedStartDate}
        to={filters.depositedEndDate}
        onChange={(range) => onChange(depositedChange(range))}
      />
      <TagFilter label="Filter by Tag" tagId={filters.tagId} onChange={(tagId) => onChange({ tagId })} />
      <Button
        className="mt-5"
        variant="ghost"
        icon={<RotateCcw size={14} aria-hidden />}
        onClick={() => {
          remember(null);
          onClear();
        }}
      >
        Clear Filters
      </Button>
    </section>
  );
}

/** The same in words, for paper. */
export function PrintedFilters({ filters, onChange, onClear }: Omit<FilterBarProps, 'ownerRef'>) {
  const { ownerId } = filters;
  return (
    <PrintOnly>
      <FiltersInForce onReset={onClear}>
        {ownerId !== '' && <OwnerChip ownerId={ownerId} onRemove={() => onChange({ ownerId: '' })} />}
        <CommonChips filters={{ ...filters, paymentStatus: '' }} onChange={onChange} />
      </FiltersInForce>
    </PrintOnly>
  );
}
