import { useId, useLayoutEffect, useRef, type SyntheticEvent } from 'react';
import { createPortal } from 'react-dom';
import { endSession, type Session } from '../api/session-store.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { LoginForm } from './login-form.tsx';
import { signInOf } from './sign-in.ts';

/** The screens behind listen on the document and the window: what happens in here is none of theirs. */
const keep = (event: SyntheticEvent): void => event.stopPropagation();

/**
 * The sign-in over the screens whose session has ended. The browser's own modal dialog, unlike all others: it makes
 * everything else inert, also other dialogs, lists and messages, and those that open later.
 */
export function SignInAgain({ session, hasRefusedWrite }: { session: Session; hasRefusedWrite: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    // Dialogs below listen for Escape on the document, before the keys arrive here.
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
      // Gives the focus back to what had it.
      shown?.close();
    };
  }, []);

  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- they act on nothing, they only end here
    <dialog
      ref={dialog}
      // The elements behind look for this role before they take a lost focus for the end of their work.
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className="pointer-events-auto m-auto w-full max-w-88 rounded-xl border border-line bg-raised p-6 text-ink shadow-float backdrop:bg-(--scrim) backdrop:backdrop-blur-sm"
      onCancel={(event) => event.preventDefault()}
      onKeyDown={keep}
      onPointerDown={keep}
      onFocus={keep}
      onPaste={keep}
      onDragOver={keep}
      onDrop={keep}
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        Your session has ended
      </h2>
      <p id={`${id}-text`} className="mt-1 mb-4 text-muted">
        Sign in again to go on. This screen stays as you left it.
      </p>
      {hasRefusedWrite && (
        <Alert tone="warn" title="Your last change was not saved" className="mb-4">
          Make it again after signing in.
        </Alert>
      )}
      <LoginForm email={session.user.email} {...signInOf[session.role]} submitLabel="Sign in" />
      <Button className="mt-2 h-9 w-full" onClick={() => endSession('expired')}>
        Use another account
      </Button>
    </dialog>,
    document.body,
  );
}
