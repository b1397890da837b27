import { useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { currentUndo } from '../../kit/feedback/toast.ts';
import { LitersField, MoneyField, PercentField } from '../../kit/forms/amount-fields.tsx';
import { DayField } from '../../kit/forms/day-field.tsx';
import { PendingPickers } from '../../kit/forms/pending-pickers.ts';
import { OwnerPicker, TagPicker, type OwnerChoice, type TagChoice } from './pickers.tsx';
import { hasLeftField } from '../../kit/ui/field-frame.tsx';
import { dispatchKey, useKeyHelp, type KeyTable } from '../../kit/ui/key-table.ts';
import { TextArea, TextField } from '../../kit/ui/text-field.tsx';
import type { CellField, CellValue } from '../../kit/cells/cell-kit.ts';

/**
 * Where the editor goes after a cell is saved. 'stay' closes it and returns the focus to its cell. 'away' closes it because
 * the user has moved the focus elsewhere.
 */
export type Move = 'next' | 'previous' | 'below' | 'above' | 'stay' | 'away';

interface CellEditorProps {
  field: CellField;
  /** The name of the row, for screen readers. */
  rowName: string;
  start: CellValue;
  /** Why an earlier value of this cell is not saved yet. */
  message: string | undefined;
  /** Shown while there is no message. */
  note: string | undefined;
  /** Text that was typed before the editor was loaded. */
  typed: string;
  frame: DOMRect | undefined;
  /** Returns a sentence if the value is not saved; the editor then stays open and shows it. */
  onSave: (value: CellValue, move: Move) => Promise<string | undefined> | string | undefined;
  onLeave: () => void;
}

/** The keys of the cell editor of a list (docs/keyboard.md §3). */
export const cellEditKeys = {
  next: { keys: 'Tab', label: 'Save, and edit the next editable cell of the row' },
  previous: { keys: 'Shift+Tab', label: 'Save, and edit the previous editable cell of the row' },
  below: { keys: 'Enter', label: 'Save, and edit the cell below' },
  above: { keys: 'Shift+Enter', label: 'Save, and edit the cell above; in a text of several lines: a new line' },
  keep: { keys: ['F2', 'Ctrl+Enter', 'Ctrl+S'], label: 'Save, and go back to the table' },
  leave: { keys: 'Esc', label: 'Close without changing the cell' },
  undo: { keys: 'Ctrl+Z', label: 'Before you type: undo the last edit' },
} as const satisfies KeyTable;

/** The editor of one cell, placed over that cell. */
export function CellEditor({ field, rowName, start, message, note, typed, frame, onSave, onLeave }: CellEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const [value, setValue] = useState(start);
  const [error, setError] = useState(message);
  const now = useRef({ value: start, text: '', problem: undefined as string | undefined, isBusy: false });
  const [pickers] = useState(() => new PendingPickers());
  useKeyHelp('Cell', cellEditKeys);
  const input = (): HTMLInputElement | HTMLTextAreaElement | null | undefined =>
    place.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');

  useLayoutEffect(() => {
    input()?.focus();
    input()?.select();
    now.current.text = input()?.value ?? '';
    // This command inserts as typing does: it replaces the selection and keeps the field's own undo.
    if (typed !== '') document.execCommand('insertText', false, typed);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it opens
  }, []);

  const change = (next: CellValue): void => {
    now.current.value = next;
    setValue(next);
    setError(undefined);
  };
  const onProblem = (problem: string | undefined): void => {
    now.current.problem = problem;
    pickers.setProblem(problem);
  };

  const save = (move: Move): void => {
    const state = now.current;
    if (state.isBusy) return;
    state.isBusy = true;
    // A field turns typed text into its value on blur: a date, an amount, a choice.
    input()?.blur();
    const isPending = pickers.isPending();
    const finish = (): Promise<string | undefined> | string | undefined =>
      state.problem === undefined ? onSave(state.value, move) : '';
    const stay = (why: string | undefined): void => {
      state.isBusy = false;
      if (why === undefined) return;
      if (why !== '') setError(why);
      if (move !== 'away') input()?.focus();
    };
    const outcome = isPending ? pickers.settled().then(finish) : finish();
    // Without anything to wait for this runs in the same turn, so that no key is lost between two editors.
    if (outcome instanceof Promise) {
      if (isPending && move !== 'away') input()?.focus();
      void outcome.then(stay);
    } else stay(outcome);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const isMultiLine = field.kind === 'lines';
    const used = dispatchKey(cellEditKeys, event, {
      next: () => save('next'),
      previous: () => save('previous'),
      // One Enter both chooses a picker's match and moves on.
      below: () => save('below'),
      above: () => (isMultiLine ? false : save('above')),
      keep: () => save('stay'),
      leave: () => (event.defaultPrevented ? false : onLeave()),
      undo: () => {
        // While the text is unchanged there is no typing to undo, so Ctrl+Z undoes the last saved edit.
        const undo = input()?.value === now.current.text ? currentUndo() : undefined;
        undo?.undo();
        return undo !== undefined;
      },
    });
    if (!used) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onBlur = (event: FocusEvent<HTMLDivElement>): void => {
    const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
    // If the field is still the active element, the window lost the focus and the user has not left the field.
    if (now.current.isBusy || isInside || !hasLeftField(event) || document.activeElement === input()) return;
    save('away');
  };

  const shared = { label: field.label, hideLabel: true, reserve: false, error: error ?? note };
  const text = typeof value === 'string' ? value : '';
  const textProps = { ...shared, value: text, onValueChange: change };
  const isPicker = field.kind === 'owner' || field.kind === 'tag';
  const pickerProps = { ...shared, onPending: pickers.add, onProblem };
  const { left = 0, top = 0, width = 0, height = 0 } = frame ?? {};
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handler acts on keys of the field inside
    <div
      ref={place}
      role="group"
      aria-label={`${field.label} of ${rowName}`}
      data-owns-escape
      className="cd-cell-editor fixed z-30"
      style={{
        left,
        top: top + (height - 32) / 2,
        width: Math.max(width, isPicker ? 260 : field.kind === 'lines' ? 280 : 150),
        visibility: frame ? 'visible' : undefined,
        opacity: frame ? 1 : 0,
      }}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      {field.kind === 'text' && (
        <TextField {...textProps} onValueChange={(next) => change(field.isUpper ? next.toUpperCase() : next)} />
      )}
      {field.kind === 'lines' && <TextArea {...textProps} rows={3} />}
      {field.kind === 'date' && <DayField {...textProps} onProblem={onProblem} />}
      {field.kind === 'money' && <MoneyField {...textProps} />}
      {field.kind === 'liters' && <LitersField {...textProps} />}
      {field.kind === 'percent' && <PercentField {...textProps} />}
      {field.kind === 'tag' && <TagPicker {...pickerProps} value={value as TagChoice | null} onPick={change} />}
      {field.kind === 'owner' && <OwnerPicker {...pickerProps} value={value as OwnerChoice | null} onPick={change} />}
    </div>,
    // The editor stays inside the main landmark, for screen readers.
    document.getElementById('main') ?? document.body,
  );
}
