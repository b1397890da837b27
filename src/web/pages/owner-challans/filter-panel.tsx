import type { Ref } from 'react';
import { DepositedRange } from '../../filters/deposited-range.tsx';
import { CommonChips, FiltersInForce } from '../../filters/filter-chip.tsx';
import { FilterFrame, PaymentStatusFilter } from '../../filters/filter-frame.tsx';
import { depositedChange } from '../../filters/filter-values.ts';
import { TagFilter } from '../../filters/tag-filter.tsx';
import type { ListFilters } from './list-state.ts';

interface FiltersProps {
  filters: ListFilters;
  onChange: (change: Partial<ListFilters>) => void;
  onReset: () => void;
}

interface FilterPanelProps extends FiltersProps {
  onLeaveDown: () => void;
  firstRef: Ref<HTMLSelectElement>;
}

/** Part 2 §2.4. */
export function FilterPanel({ filters, onChange, onReset, onLeaveDown, firstRef }: FilterPanelProps) {
  return (
    <FilterFrame onReset={onReset} onLeaveDown={onLeaveDown}>
      <PaymentStatusFilter
        ref={firstRef}
        label="Payment Status"
        value={filters.paymentStatus}
        onChange={(paymentStatus) => onChange({ paymentStatus })}
      />
      <TagFilter tagId={filters.tagId} onChange={(tagId) => onChange({ tagId })} />
      <DepositedRange
        legend="Deposited Date Range"
        from={filters.depositedStartDate}
        to={filters.depositedEndDate}
        onChange={(range) => onChange(depositedChange(range))}
      />
    </FilterFrame>
  );
}

/** What stands in its place while it is hidden. */
export function FilterChips({ filters, onChange, onReset }: FiltersProps) {
  return (
    <FiltersInForce onReset={onReset}>
      <CommonChips filters={filters} onChange={onChange} />
    </FiltersInForce>
  );
}
