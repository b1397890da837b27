import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { Eye, Pencil, Trash2 } from 'lucide-react';
import type { RowAction } from '../grid/grid-types.ts';
import { hasKept } from '../forms/kept-entries.ts';
import { confirm } from '../shell/confirm.tsx';
import { notify } from '../shell/toast.ts';
import { topDialog } from '../ui/dialog-stack.ts';
import type { RecordGrid } from './record-grid.ts';

const nothingOpen = { open: '' };

/** The row action beside Enter and double click, which do the same. */
export const viewAction = <Row,>(run: (row: Row) => void): RowAction<Row> => ({
  id: 'view',
  label: 'View',
  icon: <Eye size={15} aria-hidden />,
  keys: 'Enter',
  run,
});

interface OpenOptions<Row> {
  grid: RecordGrid<Row>;
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  /** The record whose details the address has open; '' for none. */
  openId: string;
  setUrl: (change: { open: string }, options?: { replace: boolean }) => void;
  /** What the address says when the details are closed, where it is more than that nothing is open. */
  closed?: { open: string };
}

/** The details dialog in the address: opening is a step of the history, and closing takes it back. */
export function useOpenRecord<Row>({ grid, rows, keyOf, openId, setUrl, closed = nothingOpen }: OpenOptions<Row>) {
  const navigate = useNavigate();
  const latest = useRef({ rows, keyOf });
  useEffect(() => {
    latest.current = { rows, keyOf };
  });

  const steps = useRef(0);
  const open = useCallback(
    <Change extends { open: string }>(change: Change) => {
      steps.current += 1;
      setUrl(change);
    },
    [setUrl],
  );
  const close = useCallback(() => {
    if (steps.current === 0) {
      setUrl(closed, { replace: true });
      return;
    }
    steps.current -= 1;
    void navigate(-1);
  }, [closed, navigate, setUrl]);
  useEffect(() => {
    // Back closes it too.
    if (openId === '') steps.current = 0;
  }, [openId]);

  /** Asked of the rows first: the table would go on waiting for one it does not have. */
  const focusRow = useCallback(
    (id: string | undefined): boolean => {
      const { rows: now, keyOf: idOf } = latest.current;
      if (id === undefined || !now?.some((row) => idOf(row) === id)) return false;
      return grid.handle.current?.focusRow(id) ?? false;
    },
    [grid],
  );
  /** Where another dialog has taken over, the focus is its own. */
  const placeFocus = (): boolean => topDialog() !== undefined || focusRow(openId);
  return { open, close, focusRow, placeFocus };
}

interface ScreenOptions<Row> extends OpenOptions<Row> {
  /** Where what is typed into its form is kept over the end of the session. */
  keepAs: string;
  removal: {
    send: (call: { params: { id: string } }) => Promise<unknown>;
    question: (row: Row) => { title: string; body: ReactNode };
    /** Why it would be refused, where one call tells: then nobody is asked about what cannot be. */
    refusal?: (row: Row) => Promise<string | undefined>;
    done: string;
    /** The default of the error catalogue. */
    failed: string;
    /** Where a refusal is told; a toast unless the screen has its own place (part 1 §8). */
    tell?: (error: unknown, fallback: string) => void;
  };
}

/** What the master-data screens share: details in the address, create and edit dialogs, delete, and where the focus goes. */
export function useRecordScreen<Row>(options: ScreenOptions<Row>) {
  const { grid, rows, keyOf, openId } = options;
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const { open, close: closeView, focusRow, placeFocus } = useOpenRecord(options);
  const forms = useForms(options);
  const { edit } = forms;

  const inFlight = useRef(new Set<string>());
  const isAsking = useRef(false);
  const [removing, setRemoving] = useState<ReadonlySet<string>>(new Set());
  /** What was deleted last, and the row that takes over the focus from it. */
  const gone = useRef<{ id: string; next: string | undefined }>(undefined);
  const setBusy = useCallback((id: string, isBusy: boolean) => {
    if (isBusy) inFlight.current.add(id);
    else inFlight.current.delete(id);
    setRemoving(new Set(inFlight.current));
  }, []);

  const send = useCallback(
    async (row: Row): Promise<void> => {
      const { removal, keyOf: idOf } = latest.current;
      const id = idOf(row);
      const tell = removal.tell ?? notify.error;
      if (inFlight.current.has(id) || isAsking.current) return;
      isAsking.current = true;
      try {
        const refusal = await removal.refusal?.(row);
        if (refusal !== undefined) {
          tell(refusal, removal.failed);
          return;
        }
      } catch {
        // Not known beforehand: the server says so then.
      } finally {
        isAsking.current = false;
      }
      if (!(await confirm({ ...removal.question(row), confirmLabel: 'Delete', danger: true }))) return;
      const next = grid.handle.current?.neighbourId(id);
      gone.current = { id, next };
      setBusy(id, true);
      try {
        await removal.send({ params: { id } });
        notify.success(removal.done);
        focusRow(next);
        if (latest.current.openId === id) closeView();
      } catch (error) {
        (latest.current.removal.tell ?? notify.error)(error, removal.failed);
      } finally {
        setBusy(id, false);
      }
    },
    [grid, focusRow, closeView, setBusy],
  );
  const remove = useCallback((row: Row) => void send(row), [send]);

  const rowActions = useMemo<RowAction<Row>[]>(
    () => [
      { id: 'edit', label: 'Edit', icon: <Pencil size={15} aria-hidden />, keys: 'E', run: edit },
      { id: 'delete', label: 'Delete', icon: <Trash2 size={15} aria-hidden />, keys: 'Delete', run: remove },
    ],
    [edit, remove],
  );

  return {
    ...forms,
    open,
    show: useCallback((row: Row) => open({ open: keyOf(row) }), [open, keyOf]),
    remove,
    isMuted: useCallback((row: Row) => removing.has(keyOf(row)), [removing, keyOf]),
    rowActions,
    /** The row the details were opened on, as the list shows it. */
    openRow: openId === '' ? undefined : rows?.find((row) => keyOf(row) === openId),
    /** What the details dialog needs beside the record. */
    view: {
      onClose: closeView,
      placeFocus: () => placeFocus() || (gone.current?.id === openId && focusRow(gone.current.next)),
    },
  };
}

/**
 * The create and edit dialogs. After saving, the focus is on the record's row where the page has it. The form that was open
 * when the session ended opens by itself; which record it is about it knows from what was kept.
 */
function useForms<Row>({ grid, rows, keyOf, keepAs }: ScreenOptions<Row>) {
  const [form, setForm] = useState<{ row: Row | undefined } | undefined>(() =>
    hasKept(keepAs) ? { row: undefined } : undefined,
  );
  /** What was saved, until the rows that came after it are there. */
  const saved = useRef<{ id: string; before: readonly Row[] | undefined }>(undefined);

  useEffect(() => {
    const wanted = saved.current;
    if (!wanted || form || rows === wanted.before) return undefined;
    saved.current = undefined;
    // The closing dialog gives the focus back in a task of its own; this comes after it.
    const timer = setTimeout(() => {
      const at = document.activeElement;
      const isElsewhere = at instanceof HTMLInputElement || at?.closest('[role="dialog"]');
      if (!isElsewhere && rows?.some((row) => keyOf(row) === wanted.id)) grid.handle.current?.focusRow(wanted.id);
    });
    return () => clearTimeout(timer);
  }, [rows, form, grid, keyOf]);

  return {
    form,
    create: useCallback(() => setForm({ row: undefined }), []),
    edit: useCallback((row: Row) => setForm({ row }), []),
    /** What the form needs beside the record. */
    formProps: {
      keepAs,
      onClose: useCallback(() => setForm(undefined), []),
      onSaved: (record: { id: string }) => {
        saved.current = { id: record.id, before: rows };
        setForm(undefined);
      },
    },
  };
}
