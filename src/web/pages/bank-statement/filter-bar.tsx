import type { Ref } from 'react';
import { RotateCcw } from 'lucide-react';
import { DayRange } from '../../filters/day-range.tsx';
import { FilterChips } from '../../filters/filter-chips.tsx';
import { TagFilter } from '../../filters/tag-filter.tsx';
import { useOwnerChoice } from '../../filters/use-owner-choice.ts';
import { OwnerPicker } from '../../forms/pickers.tsx';
import { Button } from '../../ui/button.tsx';
import { PrintOnly } from '../../ui/printing.ts';
import { screenFilters, type Filters } from './statement-state.ts';

interface FilterBarProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  onClear: () => void;
  ownerRef: Ref<HTMLDivElement>;
  /** Called with what keeps the dates from being applied. */
  onProblem: (problem: string | undefined) => void;
}

/** Owner (type-ahead from two characters), deposited range and tag; each acts by itself. */
export function FilterBar({ filters, onChange, onClear, ownerRef, onProblem }: FilterBarProps) {
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
      <DayRange
        from={filters.depositedStartDate}
        to={filters.depositedEndDate}
        onProblem={onProblem}
        onChange={({ from, to }) =>
          onChange({
            ...(from === undefined ? {} : { depositedStartDate: from }),
            ...(to === undefined ? {} : { depositedEndDate: to }),
          })
        }
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
export function PrintedFilters({ filters, onChange, onClear }: Omit<FilterBarProps, 'ownerRef' | 'onProblem'>) {
  return (
    <PrintOnly>
      <FilterChips table={screenFilters} filters={filters} onChange={onChange} onReset={onClear} />
    </PrintOnly>
  );
}
