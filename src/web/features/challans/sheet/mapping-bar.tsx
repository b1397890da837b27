import { useState } from 'react';
import { clsx } from 'clsx';
import type { SheetColumn } from '../../../../shared/sheet/challan-sheet-fields.ts';
import type { Source } from '../../../../shared/sheet/sheet.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Select } from '../../../kit/ui/select-field.tsx';
import { sheetLabels } from './sheet-columns.ts';

interface MappingBarProps {
  source: Source;
  onChange: (columns: readonly (SheetColumn | null)[]) => void;
  onLeaveOut: () => void;
}

const unused = '';
const options = [
  { value: unused, label: 'Not used' },
  ...Object.entries(sheetLabels).map(([value, label]) => ({ value, label })),
];

/**
 * Shows after a paste with headings which column became which field, and lets the user change it. It asks for columns that are
 * not used and could be fields that would be filled in.
 */
export function MappingBar({ source, onChange, onLeaveOut }: MappingBarProps) {
  const [isOpen, setOpen] = useState(false);
  const { headings, columns, inDoubt } = source;
  const used = columns.filter((name) => name !== null).length;
  const unusedHeadings = headings.filter((heading, index) => columns[index] === null && heading !== '');
  const doubts = inDoubt.map((name) => sheetLabels[name]).join(', ');
  const assign = (index: number, value: string): void => {
    const name = (value === unused ? null : value) as SheetColumn | null;
    // A field has only one column: if it had another column before, that column becomes unused.
    onChange(columns.map((old, at) => (at === index ? name : old === name ? null : old)));
  };
  return (
    <section
      aria-label="Columns of the table"
      className={clsx(
        'rounded-lg border bg-surface px-3 py-2 shadow-card',
        doubts === '' ? 'border-line' : 'border-warn',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="font-medium">
          {used} of {columns.length} columns recognised
        </p>
        {unusedHeadings.length > 0 && (
          <p className="min-w-0 truncate text-muted">Not used: {unusedHeadings.join(', ')}</p>
        )}
        <span className="ml-auto flex gap-2">
          {doubts !== '' && (
            <Button size="sm" onClick={onLeaveOut}>
              Leave them out
            </Button>
          )}
          <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide columns' : 'Change columns'}
          </Button>
        </span>
      </div>
      {doubts !== '' && (
        <p role="status" className="text-warn">
          Choose what the columns are that are not used, or leave them out. Until then nothing is filled in for {doubts}
          .
        </p>
      )}
      {isOpen && (
        <div className="mt-2 grid max-h-56 grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-3 overflow-y-auto">
          {columns.map((name, index) => (
            <Select
              key={`${index}-${headings[index] ?? ''}`}
              label={headings[index] || `Column ${index + 1}`}
              value={name ?? unused}
              options={options}
              onValueChange={(value) => assign(index, value)}
            />
          ))}
        </div>
      )}
    </section>
  );
}
