import { useState } from 'react';
import type { SheetColumn } from '../../../shared/sheet/challan-sheet-fields.ts';
import type { Source } from '../../../shared/sheet/sheet.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select-field.tsx';
import { sheetLabels } from './sheet-columns.ts';

interface MappingBarProps {
  source: Source;
  onChange: (columns: readonly (SheetColumn | null)[]) => void;
}

const unused = '';
const options = [
  { value: unused, label: 'Not used' },
  ...Object.entries(sheetLabels).map(([value, label]) => ({ value, label })),
];

/** Shows after a paste with headings which column became which field, and lets the user change it. */
export function MappingBar({ source, onChange }: MappingBarProps) {
  const [isOpen, setOpen] = useState(false);
  const { headings, columns } = source;
  const used = columns.filter((name) => name !== null).length;
  const unusedHeadings = headings.filter((heading, index) => columns[index] === null && heading !== '');
  const assign = (index: number, value: string): void => {
    const name = (value === unused ? null : value) as SheetColumn | null;
    // A field has only one column: if it had another column before, that column becomes unused.
    onChange(columns.map((old, at) => (at === index ? name : old === name ? null : old)));
  };
  return (
    <section
      aria-label="Columns of the table"
      className="rounded-lg border border-line bg-surface px-3 py-2 shadow-card"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="font-medium">
          {used} of {columns.length} columns recognised
        </p>
        {unusedHeadings.length > 0 && (
          <p className="min-w-0 truncate text-muted">Not used: {unusedHeadings.join(', ')}</p>
        )}
        <Button size="sm" className="ml-auto" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide columns' : 'Change columns'}
        </Button>
      </div>
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
