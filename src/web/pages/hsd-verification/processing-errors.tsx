import { useRef, useState } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';

/** More lines than anybody reads at once would only slow the screen down. */
const shownAtFirst = 200;

/** Rows of the file that were set aside, one sentence each (docs/specification.md §11.1). */
export function ProcessingErrors({ errors }: { errors: readonly string[] }) {
  const [isOpen, setOpen] = useState(true);
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = isWhole ? errors : errors.slice(0, shownAtFirst);
  const count = errors.length.toLocaleString('en-IN');
  if (errors.length === 0) return null;
  return (
    <Alert
      tone="warn"
      className="shrink-0"
      title={
        <span className="flex items-center justify-between gap-3">
          Processing Errors ({count})
          <Button size="sm" variant="ghost" className="-my-1" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        </span>
      }
    >
      {isOpen && (
        <ul
          ref={list}
          aria-label="Processing Errors"
          // Reached by Tab, so that the keyboard can scroll it.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls needs the focus for it
          tabIndex={0}
          // A little more than three lines: half of the fourth shows that there is more.
          className="max-h-17 list-none overflow-y-auto rounded pr-2"
        >
          {shown.map((text, index) => (
            <li key={`${index}-${text}`}>{text}</li>
          ))}
          {shown.length < errors.length && (
            <li className="py-1">
              <Button
                size="sm"
                onClick={() => {
                  // The button goes away with the act; the list keeps the keyboard.
                  list.current?.focus();
                  setWhole(true);
                }}
              >
                Show all {count}
              </Button>
            </li>
          )}
        </ul>
      )}
    </Alert>
  );
}
