import { useEffect, useRef } from 'react';
import { useAnchored } from '../ui/anchored.ts';

/** One sentence about a cell: why it cannot be changed, or that it was copied. */
export interface Note {
  text: string;
  at: Element | null;
}

const noteMs = 3_000;

export function CellNote({ note, onDone }: { note: Note | undefined; onDone: () => void }) {
  const anchor = useRef<Element | null>(null);
  const isOpen = note?.at !== undefined && note?.at !== null;
  useEffect(() => {
    anchor.current = note?.at ?? null;
    if (!note) return undefined;
    const timer = setTimeout(onDone, noteMs);
    // It lies above everything: not over a dialog that opens, nor beside a cell nobody is at any more.
    const grid = note.at?.closest('.cd-grid');
    const onFocus = ({ target }: FocusEvent): void => {
      if (grid && target instanceof Node && !grid.contains(target)) onDone();
    };
    document.addEventListener('focusin', onFocus);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('focusin', onFocus);
    };
  }, [note, onDone]);
  return (
    <>
      <span role="status" className="sr-only">
        {note?.text}
      </span>
      {isOpen && <Bubble key={note.text} text={note.text} at={note.at} />}
    </>
  );
}

function Bubble({ text, at }: Note) {
  const anchor = useRef<Element | null>(at);
  const floating = useAnchored<HTMLDivElement>(anchor, { isOpen: true, gap: 2 });
  return (
    <div ref={floating} popover="manual" aria-hidden className="floating max-w-80 px-2.5 py-1.5 text-xs">
      {text}
    </div>
  );
}
