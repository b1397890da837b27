import { useEffect, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useActions } from '../actions/registry.ts';
import { confirm } from '../feedback/confirm.tsx';
import { useLeaveGuard } from '../feedback/leave-guard.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ClashList } from './clash-list.tsx';
import { KeptNote } from './kept-note.tsx';
import type { FieldSpec, FieldTable } from './record-fields.tsx';
import type { Clash, RecordForm, TextValues } from './record-form.ts';

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

/** The frame of every create and edit dialog: Ctrl+Enter or Ctrl+S saves, Escape closes and asks where something was typed. */
export function RecordDialog<V extends TextValues>(props: RecordDialogProps<V>) {
  const { title, saveLabel, record, isBusy, onSave, onClose, size = 'md', children } = props;
  const { kept, form } = record;
  const { isDirty } = form.formState;
  useLeaveGuard(isDirty);
  const isUp = useOpening(kept !== undefined);
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
  return (
    <Dialog
      open={isUp}
      size={size}
      title={title}
      onClose={() => void close()}
      initialFocus={kept && firstField}
      returnFocus={() => document.getElementById('main')?.focus()}
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
          // For React a dialog opened from a form is inside it: its events stay here.
          event.stopPropagation();
          onSave();
        }}
      >
        <KeptNote kept={kept} onDiscard={onClose} />
        <div
          className="contents"
          ref={(fields) => {
            // Past the note, whose button throws away what was kept.
            firstField.current = fields?.querySelector<HTMLElement>('input, textarea') ?? null;
          }}
        >
          {children}
        </div>
        {/* Enter in a one-line field saves: the browser asks for a submit button before it does that. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}

interface RecordClashesProps<V extends TextValues> {
  noun: string;
  record: RecordForm<V>;
  fields: FieldTable<keyof V & string>;
  /** Where a field holds something else than what a person reads. */
  shown?: (clash: Clash) => Partial<Pick<Clash, 'mine' | 'theirs'>>;
  onTheirs?: (field: string) => void;
}

/** A conflict of this form, under the names of its fields. */
export function RecordClashes<V extends TextValues>(props: RecordClashesProps<V>) {
  const { noun, record, fields, shown, onTheirs = record.takeTheirs } = props;
  return (
    <ClashList
      noun={noun}
      rows={record.clashes.map((clash) => ({
        ...clash,
        // Safe: a clash carries the name of one of the form's own values.
        ...inWords(fields[clash.field as keyof V & string], clash),
        ...shown?.(clash),
      }))}
      onTheirs={onTheirs}
    />
  );
}

/** A field's own name, and the words of a yes or no. */
function inWords(
  { label, words }: FieldSpec,
  { mine, theirs }: Clash,
): Pick<Clash, 'mine' | 'theirs'> & { label: string } {
  const worded = (text: string): string => (words ? words[text === 'true' ? 0 : 1] : text);
  return { label, mine: worded(mine), theirs: worded(theirs) };
}

/**
 * What opens by itself opens after the screen, and after the dialog below it: each has its own turn, so that the last
 * one is on top, and the focus has a place to go back to.
 */
function useOpening(opensItself: boolean): boolean {
  const [isUp, setUp] = useState(!opensItself);
  useEffect(() => {
    if (isUp) return undefined;
    const timer = setTimeout(() => flushSync(() => setUp(true)));
    return () => clearTimeout(timer);
  }, [isUp]);
  return isUp;
}

/** Inside the dialog, so that its keys belong to the dialog. */
function SaveKeys({ label, onSave }: { label: string; onSave: () => void }) {
  useActions([{ id: 'dialog.save', label, keys: ['Ctrl+Enter', 'Ctrl+S'], run: onSave, scope: 'Dialog' }]);
  return null;
}
