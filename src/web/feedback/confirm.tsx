import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { ConfirmKey } from '../actions/confirm-key.ts';
import { isApiError } from '../api/api-error.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureAlert } from './failure-alert.tsx';

interface Question {
  title: string;
  body?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  danger?: boolean;
  /** What is confirmed, done while the dialog is open: where it fails, the dialog stays with the reason and can try again. */
  act?: () => Promise<unknown>;
  /** Why it failed, where the server says nothing. */
  failed?: string;
  /** Where the focus goes once it is done; false: back to where it was. */
  placeFocus?: () => boolean;
}

interface Asked extends Question {
  id: number;
  answer: (yes: boolean) => void;
}

let asked: Asked | undefined;
let count = 0;
const listeners = new Set<() => void>();

function set(next: Asked | undefined): void {
  asked = next;
  for (const listener of listeners) listener();
}

/**
 * Asks before something that cannot simply be taken back. The safe button has the focus, so that Enter never confirms by
 * accident; Ctrl+Enter does. With `act` the answer is whether it was done.
 */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false);
  count += 1;
  const id = count;
  return new Promise((resolve) => {
    set({
      ...question,
      id,
      answer: (yes) => {
        if (asked?.id === id) set(undefined);
        resolve(yes);
      },
    });
  });
}

/** Once in the shell. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
  // A question is not asked of whoever signs in next.
  useEffect(() => () => asked?.answer(false), []);
  return question ? <Confirmation key={question.id} question={question} /> : null;
}

function Confirmation({ question }: { question: Asked }) {
  const safe = useRef<HTMLButtonElement>(null);
  const [failure, setFailure] = useState<{ error: unknown }>();
  const [isBusy, setBusy] = useState(false);
  const isDone = useRef(false);
  const { title, body, confirmLabel, cancelLabel = 'Cancel', danger, act, failed = '', placeFocus, answer } = question;

  const confirmIt = async (): Promise<void> => {
    if (isBusy) return;
    if (!act) {
      answer(true);
      return;
    }
    setBusy(true);
    try {
      await act();
      isDone.current = true;
      answer(true);
    } catch (error) {
      setBusy(false);
      setFailure({ error });
      // The sign-in screen says what happened.
      if (isApiError(error, 'UNAUTHORIZED')) answer(false);
    }
  };
  const cancel = (): void => {
    if (!isBusy) answer(false);
  };
  return (
    <Dialog
      open
      role="alertdialog"
      size="sm"
      title={title}
      onClose={cancel}
      initialFocus={safe}
      placeFocus={() => isDone.current && (placeFocus?.() ?? false)}
      footer={
        <>
          <ConfirmKey label={confirmLabel} run={() => void confirmIt()} />
          <Button ref={safe} onClick={cancel}>
            {cancelLabel}
          </Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            keys="Ctrl+Enter"
            busy={isBusy}
            onClick={() => void confirmIt()}
          >
            {failure ? 'Retry' : confirmLabel}
          </Button>
        </>
      }
    >
      {body}
      {failure && !isBusy && <FailureAlert className="mt-3" error={failure.error} fallback={failed} />}
    </Dialog>
  );
}
