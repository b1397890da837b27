import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { confirm } from '../feedback/confirm.tsx';
import { notify } from '../feedback/toast.ts';
import { isFromElsewhere } from '../filters/url-state.ts';
import { hasKeptEntries } from '../forms/kept-entries.ts';
import { isFocusElsewhere, topDialog } from '../ui/dialog-stack.ts';
import type { RecordGrid } from './record-grid.ts';
import { useLatest } from '../ui/use-latest.ts';

/** The dialogs of a list of records (details, create and edit, delete), and where the focus goes after each. */

interface Listed<Row> {
  grid: RecordGrid<Row>;
  rows: readonly Row[] | undefined;
}

interface OpenOptions<Row, Mode extends string> extends Listed<Row> {
  /** The record in the URL whose details are open; '' for none. */
  openId: string;
  /** The dialogs of a record. The first is the default. */
  modes: readonly Mode[];
  setUrl: (change: { open: string; mode: Mode }, options?: { replace: boolean }) => void;
}

/** Keeps the details dialog in the URL. Opening it pushes a history entry, and closing goes back. */
export function useOpenRecord<Row extends { id: string }, Mode extends string>(options: OpenOptions<Row, Mode>) {
  const { grid, rows, openId, modes, setUrl } = options;
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const latestRows = useLatest(rows);
  // Safe: every list has at least one dialog.
  const defaultMode = modes[0]!;

  /** The number of history entries pushed here. */
  const steps = useRef(0);
  const open = useCallback(
    (id: string, mode: Mode = defaultMode) => {
      steps.current += 1;
      setUrl({ open: id, mode });
    },
    [setUrl, defaultMode],
  );
  const close = useCallback(() => {
    if (steps.current === 0 && !isFromElsewhere(state)) {
      setUrl({ open: '', mode: defaultMode }, { replace: true });
      return;
    }
    steps.current = Math.max(0, steps.current - 1);
    void navigate(-1);
  }, [navigate, setUrl, defaultMode, state]);
  useEffect(() => {
    // The browser's Back closes the dialog too.
    if (openId === '') steps.current = 0;
  }, [openId]);

  /** Checks the rows first, because the grid would keep waiting for a row that it does not have. */
  const focusRow = useCallback(
    (id: string | undefined): boolean => {
      if (id === undefined || !latestRows.current?.some((row) => row.id === id)) return false;
      return grid.handle.current?.focusRow(id) ?? false;
    },
    [grid, latestRows],
  );
  /** If another dialog has opened meanwhile, the focus stays there. */
  const placeFocus = useCallback((): boolean => topDialog() !== undefined || focusRow(openId), [focusRow, openId]);
  return { open, close, focusRow, placeFocus };
}

/**
 * The create and edit dialog. After saving, the record's row gets the focus if it is on the page. A form that was open when
 * the session expired opens by itself; its kept entries say which record it edits.
 */
export function useRecordForms<Row extends { id: string }>({ grid, rows }: Listed<Row>, entriesKey: string) {
  const [form, setForm] = useState<{ row: Row | undefined } | undefined>(() =>
    hasKeptEntries(entriesKey) ? { row: undefined } : undefined,
  );
  /** The saved record, until the rows are reloaded after the save. */
  const saved = useRef<{ id: string; before: readonly Row[] | undefined }>(undefined);

  useLayoutEffect(() => {
    if (form || !saved.current) return undefined;
    // If the user does something else meanwhile, the reloaded rows must not move the focus.
    const forget = (event: Event): void => {
      // Key repeats are ignored, because the save key may still be held down.
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
    // The closing dialog restores the focus first. This runs after that and before the next key press.
    queueMicrotask(() => {
      if (!isFocusElsewhere(null) && rows?.some((row) => row.id === wanted.id))
        grid.handle.current?.focusRow(wanted.id);
    });
  }, [rows, form, grid]);

  return {
    form,
    create: useCallback(() => setForm({ row: undefined }), []),
    edit: useCallback((row: Row) => setForm({ row }), []),
    /** The props of the form, besides the record. */
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
  /** Checks beforehand why the delete would be refused, so that the user is not asked in vain. */
  refusal?: ((row: Row) => Promise<string | undefined>) | undefined;
  done: string;
  /** The error message where the server gives none. */
  failed: string;
  /** Shows a refusal that is known beforehand; the default is a toast. */
  reportError?: ((problem: string) => void) | undefined;
}

/**
 * Asks, deletes the record, and focuses the neighbouring row. If the delete fails, the dialog stays open with the reason and
 * Retry.
 */
export function useRemoval<Row extends { id: string }>(
  { grid }: Listed<Row>,
  removal: Removal<Row> | undefined,
  after: { focusRow: (id: string | undefined) => boolean; onRemoved: (id: string) => void },
) {
  const latest = useLatest({ removal, after });
  const isAsking = useRef(false);
  /** The record that was deleted last, and the row that gets its focus. */
  const deleted = useRef<{ id: string; next: string | undefined }>(undefined);

  const ask = useCallback(
    async (row: Row): Promise<void> => {
      const { removal: now } = latest.current;
      if (!now || isAsking.current) return;
      isAsking.current = true;
      // If this check fails, go on: the server will refuse the delete itself.
      const refusal = await now.refusal?.(row).catch(() => undefined);
      isAsking.current = false;
      if (refusal !== undefined) {
        (now.reportError ?? notify.error)(refusal);
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
      deleted.current = { id: row.id, next };
      notify.success(now.done);
      latest.current.after.onRemoved(row.id);
    },
    [grid, latest],
  );
  return {
    remove: useCallback((row: Row) => void ask(row), [ask]),
    /** When the details of a deleted record close, focuses the neighbouring row. */
    focusNeighbourOf: (id: string): boolean => deleted.current?.id === id && after.focusRow(deleted.current.next),
  };
}
