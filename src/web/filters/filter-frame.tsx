import type { KeyboardEvent, ReactNode } from 'react';
import { RotateCcw } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { dispatchKey, useKeyHelp, type KeyTable } from '../ui/key-table.ts';

interface FilterFrameProps {
  onReset: () => void;
  /** Down from a field goes into the grid (docs/keyboard.md §3). */
  onLeaveDown: () => void;
  children: ReactNode;
}

/** In a field over a list (docs/keyboard.md §3). */
export const filterKeys = {
  toTable: { keys: '↓', label: 'From a filter into the table' },
} as const satisfies KeyTable;

/** The panel of filters over a list. Every filter acts by itself; there is no button to apply them. */
export function FilterFrame({ onReset, onLeaveDown, children }: FilterFrameProps) {
  useKeyHelp('Filters', filterKeys);
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.target;
    // A picker's list uses Down itself.
    const isText = target instanceof HTMLInputElement && target.type !== 'checkbox' && target.role !== 'combobox';
    if (!isText || event.defaultPrevented) return;
    if (dispatchKey(filterKeys, event, { toTable: onLeaveDown })) event.preventDefault();
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
