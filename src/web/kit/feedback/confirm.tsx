import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { ConfirmButton } from '../actions/confirm-button.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureAlert } from './failure-alert.tsx';

interface Question {
  title: string;
  body?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  danger?: boolean;
  /** Runs while the dialog is open. If it fails, the dialog stays open with the reason and offers a retry. */
  act?: () => Promise<unknown>;
  /** The error message where the server gives none. */
  failed?: string;
  /** Places the focus after success. false returns the focus to where it was. */
  placeFocus?: () => boolean;
}

interface OpenQuestion extends Question {
  id: number;
  answer: (yes: boolean) => void;
}

let openQuestion: OpenQuestion | undefined;
let count = 0;
const listeners = new Set<() => void>();

function setOpenQuestion(next: OpenQuestion | undefined): void {
  openQuestion = next;
  for (const listener of listeners) listener();
}

/**
 * Asks before an action that cannot simply be undone. The cancel button has the focus, so that Enter never confirms by
 * accident; Ctrl+Enter confirms. With `act` the answer says whether the action was done.
 */
export function confirm(question: Question): Promise<boolean> {
  openQuestion?.answer(false);
  count += 1;
  const id = count;
  return new Promise((resolve) => {
    setOpenQuestion({
      ...question,
      id,
      answer: (yes) => {
        if (openQuestion?.id === id) setOpenQuestion(undefined);
        resolve(yes);
      },
    });
  });
}

/** Shows the open question. Rendered once, in the shell. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => openQuestion,
  );
  // An open question ends with the session: the next user must not see it.
  useEffect(() => () => openQuestion?.answer(false), []);
  return question ? <Confirmation key={question.id} question={question} /> : null;
}

function Confirmation({ question }: { question: OpenQuestion }) {
  const cancelButton = useRef<HTMLButtonElement>(null);
  const [failure, setFailure] = useState<{ error: unknown }>();
  const [isBusy, setBusy] = useState(false);
  const isDone = useRef(false);
  const { title, body, confirmLabel, cancelLabel = 'Cancel', danger, act, failed = '', placeFocus, answer } = question;

  const onConfirm = async (): Promise<void> => {
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
    }
  };
  const cancel = (): void => {
    if (!isBusy) answer(false);
  };
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      title={title}
      onClose={cancel}
      initialFocus={cancelButton}
      placeFocus={() => isDone.current && (placeFocus?.() ?? false)}
      footer={
        <>
          <Button ref={cancelButton} onClick={cancel}>
            {cancelLabel}
          </Button>
          <ConfirmButton
            label={failure ? 'Retry' : confirmLabel}
            run={() => void onConfirm()}
            variant={danger ? 'danger' : 'primary'}
            busy={isBusy}
          />
        </>
      }
    >
      {body}
      {failure && !isBusy && <FailureAlert className="mt-3" error={failure.error} fallback={failed} />}
    </Dialog>
  );
}
