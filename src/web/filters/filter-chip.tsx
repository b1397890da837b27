import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { formatDate } from '../../shared/calc/dates.ts';
import { Button } from '../ui/button.tsx';
import { useTagNames } from './tag-filter.tsx';
import { useOwnerChoice } from './use-owner-choice.ts';

/** With the panel closed a filter must still be seen: a short list is otherwise taken for the whole. */
export function FiltersInForce({ onReset, children }: { onReset: () => void; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-1.5" role="group" aria-label="Filters in force">
      {children}
      <Button data-print="hide" size="sm" variant="ghost" onClick={onReset}>
        Reset Filters
      </Button>
    </div>
  );
}

interface FilterChipProps {
  label: string;
  onRemove: () => void;
}

export function FilterChip({ label, onRemove }: FilterChipProps) {
  return (
    <span className="inline-flex h-7 max-w-80 items-center gap-1 rounded-full border border-line bg-surface pr-1 pl-2.5 text-xs">
      <span className="truncate" title={label}>
        {label}
      </span>
      <button
        type="button"
        aria-label={`Remove filter: ${label}`}
        data-print="hide"
        className="grid size-5 place-items-center rounded-full text-muted hover:bg-hover hover:text-ink"
        onClick={onRemove}
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}

interface CommonFilters {
  paymentStatus: '' | 'paid' | 'unpaid';
  tagId: string;
  depositedStartDate: string;
  depositedEndDate: string;
}

interface CommonChipsProps {
  filters: CommonFilters;
  onChange: (change: Partial<CommonFilters>) => void;
}

/** The filters that both lists of challans have. */
export function CommonChips({ filters, onChange }: CommonChipsProps) {
  const { paymentStatus, tagId, depositedStartDate, depositedEndDate } = filters;
  return (
    <>
      {paymentStatus !== '' && (
        <FilterChip
          label={paymentStatus === 'paid' ? 'Paid' : 'Unpaid'}
          onRemove={() => onChange({ paymentStatus: '' })}
        />
      )}
      {tagId !== '' && <TagChip tagId={tagId} onRemove={() => onChange({ tagId: '' })} />}
      {(depositedStartDate !== '' || depositedEndDate !== '') && (
        <FilterChip
          label={rangeText(depositedStartDate, depositedEndDate)}
          onRemove={() => onChange({ depositedStartDate: '', depositedEndDate: '' })}
        />
      )}
    </>
  );
}

function rangeText(from: string, to: string): string {
  if (from === '') return `Deposited until ${formatDate(to)}`;
  if (to === '') return `Deposited from ${formatDate(from)}`;
  return from === to ? `Deposited on ${formatDate(from)}` : `Deposited ${formatDate(from)} to ${formatDate(to)}`;
}

function TagChip({ tagId, onRemove }: { tagId: string; onRemove: () => void }) {
  return <FilterChip label={`Tag: ${useTagNames(tagId).nameOf(tagId)}`} onRemove={onRemove} />;
}

export function OwnerChip({ ownerId, onRemove }: { ownerId: string; onRemove: () => void }) {
  return <FilterChip label={`Owner: ${useOwnerChoice(ownerId).owner?.name ?? '…'}`} onRemove={onRemove} />;
}
