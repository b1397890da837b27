import { createElement } from 'react';
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
  /** What it was done to: the same one done again (marked, unmarked, marked) is not counted as another. */
  of?: string;
}

const merged = new Map<string, { id: string; done: ReadonlySet<string | symbol> }>();
const mergedUndos = new Map<string, { id: string | number; undos: ReadonlyMap<string | symbol, () => void> }>();
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
  const done = new Set(known?.done).add(merge.of ?? Symbol('one more'));
  merged.set(key, { id: key, done });
  const forget = (): void => {
    if (merged.get(key)?.id === key) merged.delete(key);
  };
  toast[type](done.size === 1 ? text : merge.many(done.size), {
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
  /**
   * Says what was done and offers to take it back for ten seconds; Ctrl+Z does the same. With `merge` several of a kind
   * become one message, whose Undo takes all of them back, and the ten seconds begin anew.
   */
  undo: (text: string, undo: () => void, label = 'Undo', merge?: Merge) => {
    const earlier = merge && mergedUndos.get(merge.kind);
    const undos = new Map(earlier?.undos).set(merge?.of ?? Symbol('one more'), undo);
    if (earlier) toast.dismiss(earlier.id);
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      if (undoable?.id === id) setUndoable(undefined);
      if (merge && mergedUndos.get(merge.kind)?.id === id) mergedUndos.delete(merge.kind);
    };
    const act = (): void => {
      if (isOver) return;
      finish();
      toast.dismiss(id);
      for (const one of [...undos.values()].toReversed()) one();
    };
    const shown = merge && undos.size > 1 ? merge.many(undos.size) : text;
    const id = toast.success(shown, {
      duration: undoToastMs,
      action: { label, onClick: act },
      onDismiss: finish,
      onAutoClose: finish,
    });
    if (merge) mergedUndos.set(merge.kind, { id, undos });
    setUndoable({ id, label: shown, undo: act });
  },
  /** Says it with a real link to a new tab, which no browser blocks; it stays until it is followed or closed. */
  link: (text: string, { label, href, onFollow }: { label: string; href: string; onFollow: () => void }) => {
    const follow = (): void => {
      toast.dismiss(id);
      onFollow();
    };
    const id = toast.info(text, {
      duration: Infinity,
      action: createElement('a', { href, target: '_blank', rel: 'noopener noreferrer', onClick: follow }, label),
    });
  },
  dismissAll: () => toast.dismiss(),
};
