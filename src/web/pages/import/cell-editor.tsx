import { useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';

interface CellEditorProps {
  /** Of the field. */
  label: string;
  text: string;
  error: string | undefined;
  /** Where the cell is in the window. */
  frame: DOMRect;
  onSave: (text: string) => void;
  /** The focus goes back to the cell; not when something else has taken it. */
  onClose: (isFocusFree: boolean) => void;
}

/** A cell of the check while it is edited, over its place: it may be scrolled away with its row, which saves it. */
export function CellEditor({ label, text, error, frame, onSave, onClose }: CellEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef({ onSave, onClose });
  const isDone = useRef(false);
  const errorId = useId();
  const end = (isSaved: boolean, isFocusFree: boolean): void => {
    if (isDone.current) return;
    isDone.current = true;
    const typed = input.current?.value ?? text;
    latest.current.onClose(isFocusFree);
    if (isSaved && typed !== text) latest.current.onSave(typed);
  };
  useLayoutEffect(() => {
    latest.current = { onSave, onClose };
  });
  useLayoutEffect(() => {
    input.current?.select();
    const onMove = (): void => input.current?.blur();
    window.addEventListener('wheel', onMove, { passive: true });
    window.addEventListener('resize', onMove);
    return () => {
      window.removeEventListener('wheel', onMove);
      window.removeEventListener('resize', onMove);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!['Enter', 'Tab', 'Escape', 'F2', 'F8'].includes(event.key) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    end(event.key !== 'Escape', true);
  };
  const { left, top, width, height } = frame;
  return createPortal(
    <div className="fixed z-30" style={{ left, top, width: Math.max(width, 160) }}>
      <input
        ref={input}
        aria-label={label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        defaultValue={text}
        style={{ height }}
        className="w-full rounded-sm border-2 border-primary bg-surface px-2 text-ink"
        onKeyDown={onKeyDown}
        onBlur={() => end(true, false)}
      />
      {error !== undefined && (
        <p id={errorId} className="rounded-b-md border border-line bg-raised px-2 py-1 text-danger shadow-float">
          {error}
        </p>
      )}
    </div>,
    document.body,
  );
}
