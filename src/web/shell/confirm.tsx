import { useRef, useSyncExternalStore, type ReactNode } from 'react';
import { useActions } from '../actions/registry.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface Question {
  title: string;
  body?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  danger?: boolean;
}

interface Asked extends Question {
  answer: (yes: boolean) => void;
}

let asked: Asked | undefined;
const listeners = new Set<() => void>();

function set(next: Asked | undefined): void {
  asked = next;
  for (const listener of listeners) listener();
}

/**
 * Asks before something that cannot simply be taken back. The safe button has the focus, so that Enter never confirms by
 * accident; Ctrl+Enter does (design, keyboard.md, dialogs).
 */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false);
  return new Promise((resolve) => {
    set({
      ...question,
      answer: (yes) => {
        set(undefined);
        resolve(yes);
      },
    });
  });
}

/** Stands once in the shell. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
  return question ? <Confirmation question={question} /> : null;
}

function Confirmation({ question }: { question: Asked }) {
  const safe = useRef<HTMLButtonElement>(null);
  const { title, body, confirmLabel, cancelLabel = 'Cancel', danger, answer } = question;
  return (
    <Dialog
      open
      role="alertdialog"
      size="sm"
      title={title}
      onClose={() => answer(false)}
      initialFocus={safe}
      footer={
        <>
          <ConfirmKey label={confirmLabel} run={() => answer(true)} />
          <Button ref={safe} onClick={() => answer(false)}>
            {cancelLabel}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} keys="Ctrl+Enter" onClick={() => answer(true)}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {body}
    </Dialog>
  );
}

/** Inside the dialog, so that its key belongs to the dialog. */
function ConfirmKey({ label, run }: { label: string; run: () => void }) {
  useActions([{ id: 'confirm.yes', label, keys: 'Ctrl+Enter', run, scope: 'Dialog' }]);
  return null;
}
