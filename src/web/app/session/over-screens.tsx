import { useId, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from 'react';

/** Keeps the events of this dialog from the screens behind it, which listen on the document and the window. */
const stopEvent = (event: SyntheticEvent): void => event.stopPropagation();

interface OverScreensProps {
  title: string;
  text: string;
  /** Absent: Escape does nothing. */
  onEscape?: () => void;
  isWide?: boolean;
  children: ReactNode;
}

/**
 * A dialog over everything, for what stands between the user and the screens. Unlike all other dialogs it is the browser's own
 * modal dialog: it makes everything else inert, including other dialogs, lists and messages, also those that open later.
 */
export function OverScreens({ title, text, onEscape, isWide, children }: OverScreensProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const escape = useRef(onEscape);
  const id = useId();
  useLayoutEffect(() => {
    escape.current = onEscape;
  });
  useLayoutEffect(() => {
    const shown = dialog.current;
    // Dialogs behind this one listen for Escape on the document and would get it first.
    const onKey = (event: KeyboardEvent): void => {
      // Of two such dialogs the one above has the focus.
      if (event.key !== 'Escape' || !shown?.contains(document.activeElement)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      escape.current?.();
    };
    window.addEventListener('keydown', onKey, true);
    shown?.showModal();
    shown?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus();
    return () => {
      window.removeEventListener('keydown', onKey, true);
      // Closing returns the focus to the element that had it.
      shown?.close();
    };
  }, []);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handlers only stop events
    <dialog
      ref={dialog}
      // The screens behind check for this role before they treat a lost focus as the end of an edit.
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className={`pointer-events-auto m-auto w-full ${isWide ? 'max-w-xl' : 'max-w-88'} rounded-xl border border-line bg-raised p-6 text-ink shadow-float backdrop:bg-(--scrim) backdrop:backdrop-blur-sm`}
      onCancel={(event) => event.preventDefault()}
      onKeyDown={stopEvent}
      onPointerDown={stopEvent}
      onFocus={stopEvent}
      onPaste={stopEvent}
      onDragOver={stopEvent}
      onDrop={stopEvent}
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        {title}
      </h2>
      <p id={`${id}-text`} className="mt-1 mb-4 text-muted">
        {text}
      </p>
      {children}
    </dialog>
  );
}
