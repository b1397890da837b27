import { useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { currentUndo } from '../feedback/toast.ts';
import { DayField, LitersField, MoneyField, PercentField } from '../forms/fields.tsx';
import { PendingPickers } from '../forms/pending-pickers.ts';
import { OwnerPicker, TagPicker, type OwnerChoice, type TagChoice } from '../forms/pickers.tsx';
import { isLeft } from '../ui/field-frame.tsx';
import { dispatchKey, useKeyHelp } from '../ui/key-table.ts';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { cellEditKeys } from './cell-keys.ts';
import type { CellField, CellValue } from './cell-kit.ts';

/** Where the editor goes after a cell is saved; 'stay': back to its cell, 'away': somebody has gone elsewhere. */
export type Move = 'next' | 'previous' | 'below' | 'above' | 'stay' | 'away';

interface CellEditorProps {
  field: CellField;
  /** Names the row beside the field. */
  of: string;
  start: CellValue;
  /** Why it is not saved yet. */
  message: string | undefined;
  /** Keys that came before the editor was there. */
  typed: string;
  frame: DOMRect | undefined;
  /** A sentence: it is not saved, and the editor stays. */
  onSave: (value: CellValue, move: Move) => Promise<string | undefined> | string | undefined;
  onLeave: () => void;
}

/** The editor of one cell, over its place. */
export function CellEditor({ field, of, start, message, typed, frame, onSave, onLeave }: CellEditorProps) {
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
    // As typing does: over the selection, with the field's own undo.
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
    // A field settles what is typed when it is left: a date, an amount, a pick.
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
    // At once where nothing is waited for: no key may fall between two editors.
    if (outcome instanceof Promise) {
      if (isPending && move !== 'away') input()?.focus();
      void outcome.then(stay);
    } else stay(outcome);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const isLines = field.kind === 'lines';
    const used = dispatchKey(cellEditKeys, event, {
      next: () => save('next'),
      previous: () => save('previous'),
      // A picker that has taken its match is left by the same key.
      below: () => save('below'),
      above: () => (isLines ? false : save('above')),
      keep: () => save('stay'),
      leave: () => (event.defaultPrevented ? false : onLeave()),
      undo: () => {
        // In a text that was not touched there is nothing else to undo.
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
    // The window lost the focus, not the field.
    if (now.current.isBusy || isInside || !isLeft(event) || document.activeElement === input()) return;
    save('away');
  };

  const shared = { label: field.label, hideLabel: true, reserve: false, error };
  const text = typeof value === 'string' ? value : '';
  const typing = { ...shared, value: text, onValueChange: change };
  const isPicker = field.kind === 'owner' || field.kind === 'tag';
  const picking = { ...shared, onPending: pickers.add, onProblem };
  const { left = 0, top = 0, width = 0, height = 0 } = frame ?? {};
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys are those of its field
    <div
      ref={place}
      role="group"
      aria-label={`${field.label} of ${of}`}
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
        <TextField {...typing} onValueChange={(next) => change(field.isUpper ? next.toUpperCase() : next)} />
      )}
      {field.kind === 'lines' && <TextArea {...typing} rows={3} />}
      {field.kind === 'date' && <DayField {...typing} onProblem={onProblem} />}
      {field.kind === 'money' && <MoneyField {...typing} />}
      {field.kind === 'liters' && <LitersField {...typing} />}
      {field.kind === 'percent' && <PercentField {...typing} />}
      {field.kind === 'tag' && <TagPicker {...picking} value={value as TagChoice | null} onPick={change} />}
      {field.kind === 'owner' && <OwnerPicker {...picking} value={value as OwnerChoice | null} onPick={change} />}
    </div>,
    // Inside the landmark of the screen.
    document.getElementById('main') ?? document.body,
  );
}
