import { useLayoutEffect, useRef, type RefObject } from 'react';

export type Side = 'below' | 'above' | 'right';

interface AnchoredOptions {
  isOpen: boolean;
  side?: Side;
  /** 'start' and 'end' align one edge; 'fill' is at least as wide as the anchor. */
  align?: 'start' | 'center' | 'end' | 'fill';
  gap?: number;
}

const margin = 8;

/**
 * Shows an element in the browser's top layer beside its anchor, where no scroll container cuts it off. The element stays
 * where it is in the DOM, so a list inside a modal dialog is still inside it for the focus trap and for screen readers.
 */
export function useAnchored<T extends HTMLElement>(
  anchor: RefObject<Element | null>,
  { isOpen, side = 'below', align = 'start', gap = 4 }: AnchoredOptions,
): RefObject<T | null> {
  const floating = useRef<T>(null);
  useLayoutEffect(() => {
    const element = floating.current;
    if (!isOpen || !element) return undefined;
    if (!element.matches(':popover-open')) element.showPopover();
    const updatePosition = (): void => {
      if (anchor.current) place(element, anchor.current.getBoundingClientRect(), { side, align, gap });
    };
    updatePosition();
    // Scroll events of inner containers do not bubble, so they are captured.
    window.addEventListener('scroll', updatePosition, true);
    window.addEventListener('resize', updatePosition);
    const observer = new ResizeObserver(updatePosition);
    observer.observe(element);
    return () => {
      window.removeEventListener('scroll', updatePosition, true);
      window.removeEventListener('resize', updatePosition);
      observer.disconnect();
      if (element.isConnected && element.matches(':popover-open')) element.hidePopover();
    };
  }, [isOpen, side, align, gap, anchor]);
  return floating;
}

function place(
  element: HTMLElement,
  at: DOMRect,
  { side, align, gap }: Required<Omit<AnchoredOptions, 'isOpen'>>,
): void {
  const width = document.documentElement.clientWidth;
  const height = document.documentElement.clientHeight;
  element.style.minWidth = align === 'fill' ? `${at.width}px` : '';
  element.style.maxWidth = `${width - 2 * margin}px`;
  const room = side === 'right' ? height - 2 * margin : Math.max(height - at.bottom, at.top) - gap - margin;
  element.style.maxHeight = `${Math.max(120, room)}px`;
  const own = element.getBoundingClientRect();

  if (side === 'right') {
    element.style.left = `${Math.min(at.right + gap, width - own.width - margin)}px`;
    element.style.top = `${clamp(at.top + (at.height - own.height) / 2, height - own.height)}px`;
    return;
  }
  const fitsBelow = at.bottom + gap + own.height + margin <= height;
  const fitsAbove = at.top - gap - own.height - margin >= 0;
  const isBelow = side === 'below' ? fitsBelow || !fitsAbove : fitsBelow && !fitsAbove;
  const wanted =
    align === 'end' ? at.right - own.width : align === 'center' ? at.left + (at.width - own.width) / 2 : at.left;
  element.style.left = `${clamp(wanted, width - own.width)}px`;
  element.style.top = `${isBelow ? at.bottom + gap : at.top - gap - own.height}px`;
}

const clamp = (value: number, most: number): number => Math.max(margin, Math.min(value, most - margin));
