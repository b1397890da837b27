import { useId, useLayoutEffect, useRef, type SyntheticEvent } from 'react';
import { createPortal } from 'react-dom';
import { endSession, type Session } from '../../kit/api/session-store.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { LoginForm } from './login-form.tsx';
import { signInProps } from './sign-in.ts';

/** Keeps the events of this dialog from the screens behind it, which listen on the document and the window. */
const stopEvent = (event: SyntheticEvent): void => event.stopPropagation();

/**
 * The sign-in over the screens whose session has expired. Unlike all other dialogs it is the browser's own modal dialog: it
 * makes everything else inert, including other dialogs, lists and messages, also those that open later.
 */
export function SignInAgain({ session, hasRefusedWrite }: { session: Session; hasRefusedWrite: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    // Dialogs behind this one listen for Escape on the document and would get it first.
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKey, true);
    shown?.showModal();
    shown?.querySelector<HTMLInputElement>('[type="password"]')?.focus();
    return () => {
      window.removeEventListener('keydown', onKey, true);
      // Closing returns the focus to the element that had it.
      shown?.close();
    };
  }, []);

  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handlers only stop events
    <dialog
      ref={dialog}
      // The screens behind check for this role before they treat a lost focus as the end of an edit.
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className="pointer-events-auto m-auto w-full max-w-88 rounded-xl border border-line bg-raised p-6 text-ink shadow-float backdrop:bg-(--scrim) backdrop:backdrop-blur-sm"
      onCancel={(event) => event.preventDefault()}
      onKeyDown={stopEvent}
      onPointerDown={stopEvent}
      onFocus={stopEvent}
      onPaste={stopEvent}
      onDragOver={stopEvent}
      onDrop={stopEvent}
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        Your session has ended
      </h2>
      <p id={`${id}-text`} className="mt-1 mb-4 text-muted">
        Sign in again to continue. This screen stays as you left it.
      </p>
      {hasRefusedWrite && (
        <Alert tone="warn" title="Your last change was not saved" className="mb-4">
          Sign in, then make the change again.
        </Alert>
      )}
      <LoginForm email={session.user.email} {...signInProps[session.role]} submitLabel="Sign in" />
      <Button className="mt-2 h-9 w-full" onClick={() => endSession('expired')}>
        Use another account
      </Button>
    </dialog>,
    document.body,
  );
}
