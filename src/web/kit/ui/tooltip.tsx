import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { KeyHint } from './key-hint.tsx';
import { useAnchored, type Side } from './anchored.ts';

interface TooltipProps {
  text: ReactNode;
  keys?: string | undefined;
  side?: Side;
  /** false adds no aria-describedby: the tooltip of an icon button repeats its accessible name. */
  describes?: boolean;
  children: ReactNode;
}

const openAfterMs = 450;

/**
 * Shows a tooltip on hover and on keyboard focus; Escape hides it (WCAG 1.4.13). Its single child is the anchor.
 */
export function Tooltip({ text, keys, side = 'below', describes = true, children }: TooltipProps) {
  const id = useId();
  const anchor = useRef<Element | null>(null);
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const floating = useAnchored<HTMLDivElement>(anchor, { isOpen, side, align: 'center', gap: 6 });

  const show = (wrapper: Element, delayMs: number): void => {
    anchor.current = wrapper.firstElementChild;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(true), delayMs);
  };
  const hide = (): void => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    const element = anchor.current;
    if (!isOpen || !describes || !element || element.hasAttribute('aria-describedby')) return undefined;
    element.setAttribute('aria-describedby', id);
    return () => element.removeAttribute('aria-describedby');
  }, [isOpen, describes, id]);

  // The wrapper stays even if there is no text: removing it would remount the child, which would lose its focus.
  const isEmpty = !text && !keys;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the handlers watch its child, which is the control
    <span
      className="contents"
      onMouseEnter={(event) => show(event.currentTarget, openAfterMs)}
      onMouseLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) show(event.currentTarget, 150);
      }}
      onBlur={hide}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) hide();
      }}
    >
      {children}
      {isOpen && !isEmpty && (
        <div
          ref={floating}
          id={id}
          role="tooltip"
          popover="manual"
          className="floating pointer-events-none max-w-72 !rounded-md px-2 py-1 text-xs leading-4"
        >
          <span className="inline-flex items-center gap-2">
            {text}
            {keys && <KeyHint keys={keys} />}
          </span>
        </div>
      )}
    </span>
  );
}
