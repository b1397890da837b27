import { toast } from 'sonner';
import { errorText } from '../api/api-error.ts';

/** Ruling 47: success 3 s, the rest 4 s; a toast that offers Undo stays 10 s (rulings 27, 36). */
const successToastMs = 3_000;
export const otherToastMs = 4_000;
const undoToastMs = 10_000;
/** Part 1 §9. */
export const mostToasts = 20;

/** Several of one kind become one: '12 challans marked paid'. */
export interface Merge {
  kind: string;
  many: (count: number) => string;
}

const merged = new Map<string, { id: string; count: number }>();
let undoable: { id: string | number; label: string; undo: () => void } | undefined;
const undoListeners = new Set<() => void>();

function setUndoable(next: typeof undoable): void {
  undoable = next;
  for (const listener of undoListeners) listener();
}

/** What Ctrl+Z would take back now: the last act whose Undo is still offered. */
export const currentUndo = (): typeof undoable => undoable;
export function subscribeUndo(listener: () => void): () => void {
  undoListeners.add(listener);
  return () => undoListeners.delete(listener);
}

function show(type: 'success' | 'info' | 'warning' | 'error', text: string, duration: number, merge?: Merge): void {
  if (!merge) {
    toast[type](text, { duration });
    return;
  }
  const key = `${type}:${merge.kind}`;
  const known = merged.get(key);
  const entry = { id: key, count: (known?.count ?? 0) + 1 };
  merged.set(key, entry);
  const forget = (): void => {
    if (merged.get(key)?.id === key) merged.delete(key);
  };
  toast[type](entry.count === 1 ? text : merge.many(entry.count), {
    id: key,
    duration,
    onDismiss: forget,
    onAutoClose: forget,
  });
}

export const notify = {
  success: (text: string, merge?: Merge) => show('success', text, successToastMs, merge),
  info: (text: string, merge?: Merge) => show('info', text, otherToastMs, merge),
  warning: (text: string, merge?: Merge) => show('warning', text, otherToastMs, merge),
  /** A sentence, or a failed call with the screen's own default of the error catalogue. */
  error: (problem: unknown, fallback?: string) => {
    const text = typeof problem === 'string' ? problem : errorText(problem, fallback);
    // The same failure of many rows is one message, not a column of twenty.
    show('error', text, otherToastMs, { kind: text, many: (count) => `${text} (${count} times)` });
  },
  /** Says what was done and offers to take it back for ten seconds; Ctrl+Z does the same. */
  undo: (text: string, undo: () => void, label = 'Undo') => {
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      if (undoable?.id === id) setUndoable(undefined);
    };
    const act = (): void => {
      if (isOver) return;
      finish();
      toast.dismiss(id);
      undo();
    };
    const id = toast.success(text, {
      duration: undoToastMs,
      action: { label, onClick: act },
      onDismiss: finish,
      onAutoClose: finish,
    });
    setUndoable({ id, label: text, undo: act });
  },
  dismissAll: () => toast.dismiss(),
};
