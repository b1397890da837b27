import { useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { useLatest } from '../../kit/ui/use-latest.ts';

interface CellEditorProps {
  /** The label of the field. */
  label: string;
  text: string;
  error: string | undefined;
  /** The place of the cell in the window. */
  frame: DOMRect;
  onSave: (text: string) => void;
  /** `isFocusFree` is true if the focus should return to the cell, and false if something else has taken it. */
  onClose: (isFocusFree: boolean) => void;
}

/**
 * The editor of one cell, drawn over the cell. Scrolling or resizing the window moves the cell away, so it closes and
 * saves the editor.
 */
export function CellEditor({ label, text, error, frame, onSave, onClose }: CellEditorProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const handlers = useLatest({ onSave, onClose });
  const isClosed = useRef(false);
  const errorId = useId();
  const finish = (isSaved: boolean, isFocusFree: boolean): void => {
    if (isClosed.current) return;
    isClosed.current = true;
    const typed = inputRef.current?.value ?? text;
    handlers.current.onClose(isFocusFree);
    if (isSaved && typed !== text) handlers.current.onSave(typed);
  };
  useLayoutEffect(() => {
    inputRef.current?.select();
    const onMove = (): void => inputRef.current?.blur();
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
    finish(event.key !== 'Escape', true);
  };
  const { left, top, width, height } = frame;
  return createPortal(
    <div className="fixed z-30" style={{ left, top, width: Math.max(width, 160) }}>
      <input
        ref={inputRef}
        aria-label={label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        defaultValue={text}
        style={{ height }}
        className="w-full rounded-sm border-2 border-primary bg-surface px-2 text-ink"
        onKeyDown={onKeyDown}
        onBlur={() => finish(true, false)}
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
