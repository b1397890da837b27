import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { formatDate } from '../../../shared/calc/dates.ts';
import { Button } from '../../ui/button.tsx';
import type { ListFilters } from './list-state.ts';
import { useTagNames } from '../../filters/tag-filter.tsx';
import { useOwnerChoice } from '../../filters/use-owner-choice.ts';

interface FilterChipsProps {
  filters: ListFilters;
  onChange: (change: Partial<ListFilters>) => void;
  onReset: () => void;
}

/** With the panel closed a filter must still be seen: a short list is otherwise taken for the whole. */
export function FilterChips({ filters, onChange, onReset }: FilterChipsProps) {
  const { tpNo, paymentStatus, tagId, ownerId, depositedStartDate, depositedEndDate } = filters;
  return (
    <div className="flex flex-wrap items-center gap-1.5" role="group" aria-label="Filters in force">
      {tpNo !== '' && <Chip label={`TP No contains “${tpNo}”`} onRemove={() => onChange({ tpNo: '' })} />}
      {paymentStatus !== '' && (
        <Chip label={paymentStatus === 'paid' ? 'Paid' : 'Unpaid'} onRemove={() => onChange({ paymentStatus: '' })} />
      )}
      {tagId !== '' && <TagChip tagId={tagId} onRemove={() => onChange({ tagId: '' })} />}
      {ownerId !== '' && <OwnerChip ownerId={ownerId} onRemove={() => onChange({ ownerId: '' })} />}
      {(depositedStartDate !== '' || depositedEndDate !== '') && (
        <Chip
          label={rangeText(depositedStartDate, depositedEndDate)}
          onRemove={() => onChange({ depositedStartDate: '', depositedEndDate: '' })}
        />
      )}
      <Button size="sm" variant="ghost" onClick={onReset}>
        Reset filters
      </Button>
    </div>
  );
}

function rangeText(from: string, to: string): string {
  if (from === '') return `Deposited until ${formatDate(to)}`;
  if (to === '') return `Deposited from ${formatDate(from)}`;
  return from === to ? `Deposited on ${formatDate(from)}` : `Deposited ${formatDate(from)} to ${formatDate(to)}`;
}

function TagChip({ tagId, onRemove }: { tagId: string; onRemove: () => void }) {
  return <Chip label={`Tag: ${useTagNames(tagId).nameOf(tagId)}`} onRemove={onRemove} />;
}

function OwnerChip({ ownerId, onRemove }: { ownerId: string; onRemove: () => void }) {
  return <Chip label={`Owner: ${useOwnerChoice(ownerId).owner?.name ?? '…'}`} onRemove={onRemove} />;
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }): ReactNode {
  return (
    <span className="inline-flex h-7 max-w-80 items-center gap-1 rounded-full border border-line bg-surface pr-1 pl-2.5 text-xs">
      <span className="truncate" title={label}>
        {label}
      </span>
      <button
        type="button"
        aria-label={`Remove filter: ${label}`}
        className="grid size-5 place-items-center rounded-full text-muted hover:bg-hover hover:text-ink"
        onClick={onRemove}
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}
