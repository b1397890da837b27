import type { Ref } from 'react';
import { X } from 'lucide-react';
import { TextField } from '../ui/text-field.tsx';
import { searchLeast, type RecordPlace } from './record-place.ts';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  text: RecordPlace['text'];
  /** What the search found, read out politely. */
  result: string;
  /** Down goes into the table (docs/keyboard.md §3). */
  onLeaveDown: () => void;
  ref: Ref<HTMLInputElement>;
}

/** The search of a list: it acts by itself, from two characters on (docs/specification.md §3.3). */
export function SearchField({ label, placeholder, text, result, onLeaveDown, ref }: SearchFieldProps) {
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
          const isPlain = !event.altKey && !event.ctrlKey && !event.shiftKey && !event.metaKey;
          if (event.key === 'Enter') text.flush();
          if (event.key === 'ArrowDown' && isPlain) {
            event.preventDefault();
            onLeaveDown();
          }
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (text.text === '') event.currentTarget.blur();
          else text.setText('');
        }}
        trailing={
          text.text === '' ? undefined : (
            <button
              type="button"
              tabIndex={-1}
              aria-label="Clear search"
              className="grid size-6 place-items-center rounded hover:bg-hover hover:text-ink"
              onClick={() => text.setText('')}
            >
              <X size={14} aria-hidden />
            </button>
          )
        }
      />
      <p role="status" className="nums text-xs text-muted">
        {length > 0 && length < searchLeast ? `Type at least ${searchLeast} characters` : result}
      </p>
    </div>
  );
}
