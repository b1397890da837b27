import { CommonChips, FilterChip, FiltersInForce, OwnerChip } from '../../filters/filter-chip.tsx';
import type { ListFilters } from './list-state.ts';

interface FilterChipsProps {
  filters: ListFilters;
  onChange: (change: Partial<ListFilters>) => void;
  onReset: () => void;
}

export function FilterChips({ filters, onChange, onReset }: FilterChipsProps) {
  const { tpNo, ownerId, depositedDate } = filters;
  return (
    <FiltersInForce onReset={onReset}>
      {tpNo !== '' && <FilterChip label={`TP No contains “${tpNo}”`} onRemove={() => onChange({ tpNo: '' })} />}
      <CommonChips filters={filters} onChange={onChange} />
      {depositedDate !== '' && <NotDepositedChip onRemove={() => onChange({ depositedDate: '' })} />}
      {ownerId !== '' && <OwnerChip ownerId={ownerId} onRemove={() => onChange({ ownerId: '' })} />}
    </FiltersInForce>
  );
}

/** Set by a link (the dashboard's ageing): the panel has no field for it. */
export function NotDepositedChip({ onRemove }: { onRemove: () => void }) {
  return <FilterChip label="Not deposited" onRemove={onRemove} />;
}
