import type { ReactNode } from 'react';
import { useActions } from '../actions/registry.ts';
import { confirm } from '../shell/confirm.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface RecordDialogProps {
  title: string;
  saveLabel: string;
  isDirty: boolean;
  isBusy: boolean;
  onSave: () => void;
  onClose: () => void;
  size?: 'sm' | 'md' | 'lg';
  children: ReactNode;
}

/** The frame of every create and edit dialog: Ctrl+Enter or Ctrl+S saves, Escape closes and asks where something was typed. */
export function RecordDialog(props: RecordDialogProps) {
  const { title, saveLabel, isDirty, isBusy, onSave, onClose, size = 'md', children } = props;
  const close = async (): Promise<void> => {
    if (isBusy) return;
    const leaves =
      !isDirty ||
      (await confirm({
        title: 'Close without saving?',
        body: 'What you have typed in this form is not saved.',
        confirmLabel: 'Close without saving',
        cancelLabel: 'Keep editing',
        danger: true,
      }));
    if (leaves) onClose();
  };
  return (
    <Dialog
      open
      size={size}
      title={title}
      onClose={() => void close()}
      footer={
        <>
          <SaveKeys label={saveLabel} onSave={onSave} />
          <Button onClick={() => void close()}>Cancel</Button>
          <Button variant="primary" keys="Ctrl+Enter" busy={isBusy} onClick={onSave}>
            {saveLabel}
          </Button>
        </>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog opened from a form stands inside it for React: its events stay here.
          event.stopPropagation();
          onSave();
        }}
      >
        {children}
        {/* Enter in a one-line field saves: the browser asks for a submit button before it does that. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}

/** Inside the dialog, so that its keys belong to the dialog. */
function SaveKeys({ label, onSave }: { label: string; onSave: () => void }) {
  useActions([{ id: 'dialog.save', label, keys: ['Ctrl+Enter', 'Ctrl+S'], run: onSave, scope: 'Dialog' }]);
  return null;
}
