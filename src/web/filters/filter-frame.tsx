import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { RotateCcw } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select-field.tsx';

interface FilterFrameProps {
  onReset: () => void;
  /** Down from a field goes into the grid (design, keyboard.md). */
  onLeaveDown: () => void;
  children: ReactNode;
}

/** The panel of filters over a list. Every filter acts by itself; there is no button to apply them. */
export function FilterFrame({ onReset, onLeaveDown, children }: FilterFrameProps) {
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
      data-print="hide"
      className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 pt-2 pb-2.5 shadow-card"
      onKeyDown={onKeyDown}
    >
      {children}
      <Button className="mt-5" variant="ghost" icon={<RotateCcw size={14} aria-hidden />} onClick={onReset}>
        Reset
      </Button>
    </section>
  );
}

const statusOptions = [
  { value: '', label: 'All' },
  { value: 'paid', label: 'Paid' },
  { value: 'unpaid', label: 'Unpaid' },
] as const;

interface PaymentStatusFilterProps {
  label: string;
  value: '' | 'paid' | 'unpaid';
  onChange: (paymentStatus: '' | 'paid' | 'unpaid') => void;
  ref?: Ref<HTMLSelectElement>;
}

export function PaymentStatusFilter({ label, value, onChange, ref }: PaymentStatusFilterProps) {
  return (
    <Select
      {...(ref ? { ref } : {})}
      label={label}
      reserve={false}
      className="max-w-40 min-w-30 flex-1"
      value={value}
      onValueChange={onChange}
      options={statusOptions}
    />
  );
}
