import type { Ref } from 'react';
import { ClearButton } from '../ui/field-frame.tsx';
import { dispatchKey, useKeyHelp, type KeyTable } from '../ui/key-table.ts';
import { TextField } from '../ui/text-field.tsx';
import { searchLeast, type RecordPlace } from './record-place.ts';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  text: RecordPlace['text'];
  /** The result in words, announced by screen readers. */
  result: string;
  /** Called when ↓ goes into the table (docs/keyboard.md §3). */
  onLeaveDown: () => void;
  ref: Ref<HTMLInputElement>;
}

/** The keys of the search field (docs/keyboard.md §3). */
export const searchKeys = {
  toTable: { keys: '↓', label: 'Go from the search into the table' },
  now: { keys: 'Enter', label: 'Search at once' },
  clear: { keys: 'Esc', label: 'Clear the search; press again to leave it' },
} as const satisfies KeyTable;

/** The search field of a list. It searches as the user types, from two characters on (docs/specification.md §3.3). */
export function SearchField({ label, placeholder, text, result, onLeaveDown, ref }: SearchFieldProps) {
  useKeyHelp('Search', searchKeys);
  const length = text.text.trim().length;
  return (
    <div
      role="search"
      data-print="hide"
      aria-label={label}
      className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1"
    >
      <TextField
        ref={ref}
        label={label}
        hideLabel
        reserve={false}
        className="w-80"
        maxLength={200}
        placeholder={placeholder}
        value={text.text}
        onValueChange={text.setText}
        onKeyDown={(event) => {
          const field = event.currentTarget;
          const isUsed = dispatchKey(searchKeys, event, {
            toTable: onLeaveDown,
            now: () => {
              text.flush();
              return false;
            },
            clear: () => (text.text === '' ? field.blur() : text.setText('')),
          });
          if (isUsed) event.preventDefault();
        }}
        trailing={text.text === '' ? undefined : <ClearButton label="Clear search" onClick={() => text.setText('')} />}
      />
      <p role="status" className="nums text-xs text-muted">
        {length > 0 && length < searchLeast ? `Type at least ${searchLeast} characters` : result}
      </p>
    </div>
  );
}
