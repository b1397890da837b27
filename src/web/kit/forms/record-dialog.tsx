import { useEffect, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { ConfirmButtons } from '../actions/confirm-button.tsx';
import { confirm } from '../feedback/confirm.tsx';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { useLeaveGuard } from '../feedback/leave-guard.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ConflictList } from './conflict-list.tsx';
import { KeptEntriesNotice } from './kept-entries-notice.tsx';
import type { FieldSpec, FieldTable } from './record-fields.tsx';
import type { Conflict, RecordForm, TextValues } from './record-form.ts';

interface RecordDialogProps<V extends TextValues> {
  title: string;
  saveLabel: string;
  record: RecordForm<V>;
  isBusy: boolean;
  onSave: () => void;
  onClose: () => void;
  size?: 'sm' | 'md' | 'lg';
  children: ReactNode;
}

/** The dialog around every create and edit form. Ctrl+Enter or Ctrl+S saves. Escape closes, and asks first if the form is dirty. */
export function RecordDialog<V extends TextValues>(props: RecordDialogProps<V>) {
  const { title, saveLabel, record, isBusy, onSave, onClose, size = 'md', children } = props;
  const { kept, form, failure, closeFailure } = record;
  const { isDirty } = form.formState;
  useLeaveGuard(isDirty);
  const isOpen = useDelayedOpen(kept !== undefined);
  const firstField = useRef<HTMLElement>(null);
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
  if (!isOpen) return null;
  return (
    <Dialog
      size={size}
      title={title}
      onClose={() => void close()}
      initialFocus={kept && firstField}
      returnFocus={() => document.getElementById('main')?.focus()}
      footer={<ConfirmButtons onCancel={() => void close()} label={saveLabel} run={onSave} busy={isBusy} isSave />}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // React events bubble through the component tree: without this, a dialog opened from a form would submit that form too.
          event.stopPropagation();
          onSave();
        }}
      >
        <KeptEntriesNotice kept={kept} onDiscard={onClose} />
        <div
          className="contents"
          ref={(fields) => {
            // The first field, not the notice above it, whose button discards the entries.
            firstField.current = fields?.querySelector<HTMLElement>('input, textarea') ?? null;
          }}
        >
          {failure && <FailureAlert className="mb-3" isOfFields {...failure} onClose={closeFailure} />}
          {children}
        </div>
        {/* With a submit button in the form, the browser submits on Enter in a one-line field. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}

interface RecordConflictsProps<V extends TextValues> {
  noun: string;
  record: RecordForm<V>;
  fields: FieldTable<keyof V & string>;
  /** Readable values for a field that holds ids or the like. */
  shown?: (conflict: Conflict) => Partial<Pick<Conflict, 'mine' | 'theirs'>>;
  onTheirs?: (field: string) => void;
}

/** The conflicts of this form, with the labels of its fields. */
export function RecordConflicts<V extends TextValues>(props: RecordConflictsProps<V>) {
  const { noun, record, fields, shown, onTheirs = record.takeTheirs } = props;
  return (
    <ConflictList
      noun={noun}
      rows={record.conflicts.map((conflict) => ({
        ...conflict,
        // Safe: a conflict has the name of one of the form's values.
        ...inWords(fields[conflict.field as keyof V & string], conflict),
        ...shown?.(conflict),
      }))}
      onTheirs={onTheirs}
    />
  );
}

/** Adds a field's label, and turns 'true' and 'false' into the field's words. */
function inWords(
  { label, words }: FieldSpec,
  { mine, theirs }: Conflict,
): Pick<Conflict, 'mine' | 'theirs'> & { label: string } {
  const worded = (text: string): string => (words ? words[text === 'true' ? 0 : 1] : text);
  return { label, mine: worded(mine), theirs: worded(theirs) };
}

/**
 * A dialog that opens by itself waits one task, until the screen and any dialog below it are open. So the last dialog is on
 * top, and the focus has a place to return to.
 */
function useDelayedOpen(isDelayed: boolean): boolean {
  const [isOpen, setOpen] = useState(!isDelayed);
  useEffect(() => {
    if (isOpen) return undefined;
    const timer = setTimeout(() => flushSync(() => setOpen(true)));
    return () => clearTimeout(timer);
  }, [isOpen]);
  return isOpen;
}
