import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { clsx } from 'clsx';
import { IconButton } from './button.tsx';
import { DialogContext, pushDialog, topDialog } from './dialog-stack.ts';
import { doublePressMs } from './double-press.ts';
import { useKeyHelp, type KeyTable } from './key-table.ts';

interface DialogProps {
  open: boolean;
  /** Asked to close by Escape, the cross or a click outside; the caller decides (a dirty form asks first). */
  onClose: () => void;
  title: ReactNode;
  /** Read out with the title. */
  description?: ReactNode;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** Buttons, always in sight below the scrolling body. */
  footer?: ReactNode;
  /** What has the focus first; else the first field or button of the body. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** Where the focus goes when the opener is no longer there (a grid's row). */
  returnFocus?: (() => void) | undefined;
  /** Asked first on closing; true: it has placed the focus itself (a dialog that walked on to another row of its list). */
  placeFocus?: (() => boolean) | undefined;
  /** A click outside closes it: for dialogs that only show something. */
  closeOnOutside?: boolean;
  role?: 'dialog' | 'alertdialog';
  children?: ReactNode;
}

/** Of every dialog; Radix handles them. */
export const dialogKeys = {
  close: { keys: 'Esc', label: 'Close', by: 'library' },
  walk: { keys: ['Tab', 'Shift+Tab'], label: 'Next and previous field or button, within the dialog', by: 'library' },
} as const satisfies KeyTable;

const widths = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl', xl: 'max-w-5xl' };

export function Dialog(props: DialogProps) {
  const { open, onClose } = props;
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      {open && (
        <Radix.Portal>
          <DialogBody {...props} />
        </Radix.Portal>
      )}
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
  // Dialogs opened from a grid have no trigger element: remember where the focus was, and give it back.
  const [opener] = useState(() => document.activeElement);
  // With the drawing, here and below: a key that comes right after it belongs to what is on top by then.
  useLayoutEffect(() => pushDialog(id), [id]);
  useKeyHelp('Every dialog', dialogKeys, id);
  /** false: there is nothing in it to take the focus. */
  const takeFocus = (): boolean => {
    const first =
      initialFocus?.current ??
      body.current?.querySelector<HTMLElement>(
        'input:not([type=hidden]):not([readonly]), textarea, button:not([tabindex="-1"]), a[href], [tabindex="0"]',
      );
    // A dialog starts at its top, also when what has the focus is longer than its body.
    first?.focus({ preventScroll: true });
    return first !== undefined && first !== null;
  };
  useLayoutEffect(() => {
    // The dialog below would take the focus back: there Radix takes it, once it has the keys.
    if (!isOver && !body.current?.parentElement?.contains(document.activeElement)) takeFocus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it opens
  }, []);
  useEffect(() => {
    // Radix keeps the focus inside from the first move it sees, and the one above came before it looked.
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
  const isPressedAway = useRef(false);
  const key = useRef<KeyboardEvent>(undefined);
  const giveBack = useRef<() => void>(() => undefined);
  useLayoutEffect(() => {
    giveBack.current = () => {
      if (placeFocus?.()) return;
      if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
      else returnFocus?.();
    };
  });
  useLayoutEffect(
    () => () => {
      const { current: give } = giveBack;
      // Once the dialog is out of the document, and before the next key: Radix does it a task later.
      queueMicrotask(() => {
        if (body.current) return;
        // The key that closed it is still on its way: it must not act on what has the focus now, too.
        if (key.current && key.current.eventPhase !== Event.NONE) key.current.preventDefault();
        give();
      });
    },
    [],
  );

  return (
    <DialogContext value={id}>
      {/*
        As high as the dialogs: one that opens over another dims it too. Not Radix's: that one locks the scrolling of the
        window, which never scrolls, by a style sheet of its own, for which the whole window is styled again.
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
          key.current = event.nativeEvent;
        }}
        onOpenAutoFocus={(event) => {
          if (takeFocus()) event.preventDefault();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          // A press beside it takes the focus along.
          if (isPressedAway.current) giveBack.current();
        }}
        onEscapeKeyDown={(event) => {
          // An open list or calendar inside takes Escape first (innermost first).
          const target = event.target instanceof Element ? event.target : null;
          if (
            target?.closest('[role="combobox"][aria-expanded="true"]:not([data-list-always-open]), [data-owns-escape]')
          )
            event.preventDefault();
        }}
        onInteractOutside={(event) => {
          const target = event.target instanceof Element ? event.target : null;
          // The second press of the double click that opened it lands outside.
          const isOpening = performance.now() - openedAt < doublePressMs;
          if (!closeOnOutside || isOpening || target?.closest('[data-sonner-toaster], [popover]')) {
            event.preventDefault();
          } else isPressedAway.current = true;
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
