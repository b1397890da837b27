import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { confirm } from '../feedback/confirm.tsx';
import { notify } from '../feedback/toast.ts';
import { isFromElsewhere } from '../filters/url-state.ts';
import { hasKeptEntries } from '../forms/kept-entries.ts';
import { isFocusElsewhere, topDialog } from '../ui/dialog-stack.ts';
import type { RecordGrid } from './record-grid.ts';

/** The dialogs of a list of records: details, create and edit, delete; and where the focus goes after each. */

interface Listed<Row> {
  grid: RecordGrid<Row>;
  rows: readonly Row[] | undefined;
}

interface OpenOptions<Row, Mode extends string> extends Listed<Row> {
  /** The record whose details the address has open; '' for none. */
  openId: string;
  /** Which of its dialogs; the first is the usual one. */
  modes: readonly Mode[];
  setUrl: (change: { open: string; mode: Mode }, options?: { replace: boolean }) => void;
}

/** The details dialog in the address: opening is a step of the history, and closing takes it back. */
export function useOpenRecord<Row extends { id: string }, Mode extends string>(options: OpenOptions<Row, Mode>) {
  const { grid, rows, openId, modes, setUrl } = options;
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const latestRows = useRef(rows);
  useEffect(() => {
    latestRows.current = rows;
  });
  // Every list has at least one dialog.
  const usual = modes[0]!;

  const steps = useRef(0);
  const open = useCallback(
    (id: string, mode: Mode = usual) => {
      steps.current += 1;
      setUrl({ open: id, mode });
    },
    [setUrl, usual],
  );
  const close = useCallback(() => {
    if (steps.current === 0 && !isFromElsewhere(state)) {
      setUrl({ open: '', mode: usual }, { replace: true });
      return;
    }
    steps.current = Math.max(0, steps.current - 1);
    void navigate(-1);
  }, [navigate, setUrl, usual, state]);
  useEffect(() => {
    // Back closes it too.
    if (openId === '') steps.current = 0;
  }, [openId]);

  /** The rows are asked first: the table would go on waiting for one it does not have. */
  const focusRow = useCallback(
    (id: string | undefined): boolean => {
      if (id === undefined || !latestRows.current?.some((row) => row.id === id)) return false;
      return grid.handle.current?.focusRow(id) ?? false;
    },
    [grid],
  );
  /** Where another dialog has taken over, the focus is its own. */
  const placeFocus = useCallback((): boolean => topDialog() !== undefined || focusRow(openId), [focusRow, openId]);
  return { open, close, focusRow, placeFocus };
}

/**
 * The create and edit dialog. After saving, the focus is on the record's row where the page has it. The form that was open
 * when the session ended opens by itself; which record it is about it knows from what was kept.
 */
export function useRecordForms<Row extends { id: string }>({ grid, rows }: Listed<Row>, entriesKey: string) {
  const [form, setForm] = useState<{ row: Row | undefined } | undefined>(() =>
    hasKeptEntries(entriesKey) ? { row: undefined } : undefined,
  );
  /** What was saved, until the rows that came after it are there. */
  const saved = useRef<{ id: string; before: readonly Row[] | undefined }>(undefined);

  useLayoutEffect(() => {
    if (form || !saved.current) return undefined;
    // Whoever has gone on meanwhile is not called back by the rows.
    const forget = (event: Event): void => {
      // The key that saved may be held down still.
      if (!(event instanceof KeyboardEvent && event.repeat)) saved.current = undefined;
    };
    window.addEventListener('keydown', forget, true);
    window.addEventListener('pointerdown', forget, true);
    return () => {
      window.removeEventListener('keydown', forget, true);
      window.removeEventListener('pointerdown', forget, true);
    };
  }, [form]);
  useEffect(() => {
    const wanted = saved.current;
    if (!wanted || form || rows === wanted.before) return;
    saved.current = undefined;
    // The closing dialog gives the focus back with its going; this comes after it, and before the next key.
    queueMicrotask(() => {
      if (!isFocusElsewhere(null) && rows?.some((row) => row.id === wanted.id))
        grid.handle.current?.focusRow(wanted.id);
    });
  }, [rows, form, grid]);

  return {
    form,
    create: useCallback(() => setForm({ row: undefined }), []),
    edit: useCallback((row: Row) => setForm({ row }), []),
    /** What the form needs beside the record. */
    formProps: {
      entriesKey,
      onClose: useCallback(() => setForm(undefined), []),
      onSaved: (record: { id: string }) => {
        saved.current = { id: record.id, before: rows };
        setForm(undefined);
      },
    },
  };
}

export interface Removal<Row> {
  send: (call: { params: { id: string } }) => Promise<unknown>;
  question: (row: Row) => { title: string; body: ReactNode };
  /** Why it would be refused, where one call says so: then nobody is asked about what cannot be done. */
  refusal?: ((row: Row) => Promise<string | undefined>) | undefined;
  done: string;
  /** Where the server says nothing. */
  failed: string;
  /** Where a refusal that is known beforehand is shown; a toast unless the screen has its own place for it. */
  tell?: ((problem: string) => void) | undefined;
}

/** Asks, deletes, and gives the focus to the neighbour. A delete that fails stays in its dialog, with the reason and Retry. */
export function useRemoval<Row extends { id: string }>(
  { grid }: Listed<Row>,
  removal: Removal<Row> | undefined,
  after: { focusRow: (id: string | undefined) => boolean; onRemoved: (id: string) => void },
) {
  const latest = useRef({ removal, after });
  useEffect(() => {
    latest.current = { removal, after };
  });
  const isAsking = useRef(false);
  /** What was deleted last, and the row that takes over the focus from it. */
  const gone = useRef<{ id: string; next: string | undefined }>(undefined);

  const ask = useCallback(
    async (row: Row): Promise<void> => {
      const { removal: now } = latest.current;
      if (!now || isAsking.current) return;
      isAsking.current = true;
      // Not known beforehand: the server says so then.
      const refusal = await now.refusal?.(row).catch(() => undefined);
      isAsking.current = false;
      if (refusal !== undefined) {
        (now.tell ?? notify.error)(refusal);
        return;
      }
      const next = grid.handle.current?.neighbourId(row.id);
      const isDone = await confirm({
        ...now.question(row),
        confirmLabel: 'Delete',
        danger: true,
        act: () => now.send({ params: { id: row.id } }),
        failed: now.failed,
        placeFocus: () => latest.current.after.focusRow(next),
      });
      if (!isDone) return;
      gone.current = { id: row.id, next };
      notify.success(now.done);
      latest.current.after.onRemoved(row.id);
    },
    [grid],
  );
  return {
    remove: useCallback((row: Row) => void ask(row), [ask]),
    /** The details of a record that is gone give the focus to its neighbour. */
    focusNeighbourOf: (id: string): boolean => gone.current?.id === id && after.focusRow(gone.current.next),
  };
}
