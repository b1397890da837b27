import { createElement, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { clsx } from 'clsx';
import { IconButton } from './button.tsx';
import { DialogContext, DialogPlace, pushDialog, topDialog, type DialogProps } from './dialog-stack.ts';
import { doublePressMs } from './double-press.ts';
import { useKeyHelp, type KeyTable } from './key-table.ts';

/** The keys of every dialog. Radix handles them. */
export const dialogKeys = {
  close: { keys: 'Esc', label: 'Close', by: 'library' },
  walk: { keys: ['Tab', 'Shift+Tab'], label: 'Next and previous field or button, within the dialog', by: 'library' },
} as const satisfies KeyTable;

const widths = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl', xl: 'max-w-5xl', '2xl': 'max-w-7xl' };

/** A modal dialog. Render it only while it is open. */
export function Dialog(props: DialogProps) {
  const Elsewhere = useContext(DialogPlace);
  if (Elsewhere) return createElement(Elsewhere, props);
  return (
    <Radix.Root
      open
      onOpenChange={(next) => {
        if (!next) props.onClose();
      }}
    >
      <Radix.Portal>
        <DialogBody {...props} />
      </Radix.Portal>
    </Radix.Root>
  );
}

function DialogBody(props: DialogProps) {
  const { onClose, title, description, size = 'md', footer, initialFocus, returnFocus, closeOnOutside, role } = props;
  const [id] = useState(() => Symbol('dialog'));
  const { placeFocus } = props;
  const [openedAt] = useState(() => performance.now());
  const body = useRef<HTMLDivElement>(null);
  const [isOver] = useState(() => topDialog() !== undefined);
  // Dialogs opened from a grid have no trigger element, so remember where the focus was in order to return it.
  const [opener] = useState(() => document.activeElement);
  // Layout effects, here and below: they run before the next key press, which already belongs to the topmost dialog.
  useLayoutEffect(() => pushDialog(id), [id]);
  useKeyHelp('Every dialog', dialogKeys, id);
  /** Returns false if nothing in the dialog can take the focus. */
  const takeFocus = (): boolean => {
    const first =
      initialFocus?.current ??
      body.current?.querySelector<HTMLElement>(
        'input:not([type=hidden]):not([readonly]), textarea, button:not([tabindex="-1"]), a[href], [tabindex="0"]',
      );
    // preventScroll keeps the dialog at its top, even if the focused element is taller than the body.
    first?.focus({ preventScroll: true });
    return first !== undefined && first !== null;
  };
  useLayoutEffect(() => {
    // Over another dialog, that dialog's focus trap would take the focus back. There Radix moves the focus later itself.
    if (!isOver && !body.current?.parentElement?.contains(document.activeElement)) takeFocus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once, when it opens
  }, []);
  useEffect(() => {
    // Radix's focus trap starts with the first focus event that it sees, and the focus above was moved before. Until it sees
    // one, this keeps the focus inside.
    const first = document.activeElement;
    const inside = body.current?.parentElement;
    if (!(first instanceof HTMLElement) || !inside?.contains(first)) return undefined;
    const stop = new AbortController();
    const onMove = ({ target }: FocusEvent): void => {
      if (target instanceof Node && inside.contains(target)) stop.abort();
      else if (topDialog() === id) first.focus();
    };
    document.addEventListener('focusin', onMove, { signal: stop.signal });
    return () => stop.abort();
  }, [id]);
  const isPressedOutside = useRef(false);
  const lastKey = useRef<KeyboardEvent>(undefined);
  const restoreFocus = useRef<() => void>(() => undefined);
  useLayoutEffect(() => {
    restoreFocus.current = () => {
      if (placeFocus?.()) return;
      if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
      else returnFocus?.();
    };
  });
  useLayoutEffect(
    () => () => {
      const { current: restore } = restoreFocus;
      // Runs when the dialog is out of the document, but before the next key press. Radix would do it a task later.
      queueMicrotask(() => {
        if (body.current) return;
        // If the key that closed the dialog is still being dispatched, it must not also act on the newly focused element.
        if (lastKey.current && lastKey.current.eventPhase !== Event.NONE) lastKey.current.preventDefault();
        restore();
      });
    },
    [],
  );

  return (
    <DialogContext value={id}>
      {/*
        The overlay has the z-index of the dialogs, so that a dialog over another dims that one too. Radix's own overlay is not
        used: it locks the scrolling of the window, which never scrolls, by adding a style sheet, and the browser then
        recalculates the styles of the whole window.
      */}
      <div className="pointer-events-auto fixed inset-0 z-50 bg-(--scrim)" />
      <Radix.Content
        role={role ?? 'dialog'}
        aria-modal
        {...(description ? {} : { 'aria-describedby': undefined })}
        className={clsx(
          'fixed left-1/2 top-[6vh] z-50 flex max-h-[88vh] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-xl border border-line bg-raised shadow-float focus:outline-none',
          widths[size],
        )}
        onKeyDownCapture={(event) => {
          lastKey.current = event.nativeEvent;
        }}
        onOpenAutoFocus={(event) => {
          if (takeFocus()) event.preventDefault();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          // A click outside has moved the focus, so it is restored here again.
          if (isPressedOutside.current) restoreFocus.current();
        }}
        onEscapeKeyDown={(event) => {
          // Escape closes the innermost thing first: an open list or calendar inside the dialog handles it itself.
          const target = event.target instanceof Element ? event.target : null;
          if (
            target?.closest('[role="combobox"][aria-expanded="true"]:not([data-list-always-open]), [data-owns-escape]')
          )
            event.preventDefault();
        }}
        onInteractOutside={(event) => {
          const target = event.target instanceof Element ? event.target : null;
          // The second press of the double click that opened the dialog lands outside and must not close it.
          const isOpening = performance.now() - openedAt < doublePressMs;
          if (!closeOnOutside || isOpening || target?.closest('[data-sonner-toaster], [popover]')) {
            event.preventDefault();
          } else isPressedOutside.current = true;
        }}
      >
        <header className="flex items-start gap-3 border-b border-line px-5 py-3">
          <div className="min-w-0 flex-1 py-1">
            <Radix.Title className="text-sm font-semibold break-words">{title}</Radix.Title>
            {description && <Radix.Description className="mt-0.5 text-xs text-muted">{description}</Radix.Description>}
          </div>
          <IconButton label="Close" icon={<X size={16} aria-hidden />} onClick={onClose} />
        </header>
        <div ref={body} className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
          {props.children}
        </div>
        {footer && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
        )}
      </Radix.Content>
    </DialogContext>
  );
}
