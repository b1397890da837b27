import { createElement } from 'react';
import { toast } from 'sonner';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { getSession, subscribeSession } from '../api/session-store.ts';
import { RequestId } from '../ui/request-id.tsx';
import { logMessage, closeMessage, type MessageKind } from './message-log.ts';

/** docs/specification.md §3.6: success 3 s, the rest 4 s; a toast that offers Undo stays 10 s. */
const successToastMs = 3_000;
export const otherToastMs = 4_000;
const undoToastMs = 10_000;
/** The oldest toast makes room for a new one (docs/specification.md §3.6). */
export const mostToasts = 20;

/** Merges toasts of one kind into one: '12 challans marked paid'. */
interface Merge {
  kind: string;
  many: (count: number) => string;
  /** The id of the record. The same record again (marked, unmarked, marked) is counted once. */
  of?: string;
  /** With `of`: a later toast about the same state of the record replaces this one ('marked as done' and 'unmarked'). */
  about?: string;
}

interface Group {
  id: string | number;
  /** The records that it reports, each with its undo function if Undo is offered. */
  done: Map<string | symbol, (() => void) | undefined>;
  /** Removes a record for which the message is no longer true. */
  drop: (of: string) => void;
  /** Called when a later toast takes this one's place on the screen. */
  end?: () => void;
}

const groups = new Map<string, Group>();
/** The key of the group that last reported a state (`about`) of a record (`of`). */
const lastGroup = new Map<string, string>();

function replaceEarlier({ about, of }: Merge, key: string): void {
  if (about === undefined || of === undefined) return;
  const reported = `${about} ${of}`;
  const earlier = lastGroup.get(reported);
  lastGroup.set(reported, key);
  if (earlier !== undefined && earlier !== key) groups.get(earlier)?.drop(of);
}

/** Toasts that are closed when a dialog opens, such as notes on a selection: they only make sense on the screen below. */
const transient = new Set<string | number>();

let undoable: { id: string | number; label: string; undo: () => void } | undefined;
const undoListeners = new Set<() => void>();

function setUndoable(next: typeof undoable): void {
  undoable = next;
  for (const listener of undoListeners) listener();
}

/** What Ctrl+Z would undo now: the last action whose Undo is still offered. */
export const currentUndo = (): typeof undoable => undoable;
export function subscribeUndo(listener: () => void): () => void {
  undoListeners.add(listener);
  return () => undoListeners.delete(listener);
}

/** The keys of the error toasts on the screen. */
const failures = new Set<string>();

/**
 * Returns a function that closes the error toasts that are open now. A later success calls it when it closes itself: alone
 * on the screen, an old error would read as if it still applied.
 */
function closerOfFailures(): () => void {
  const past = [...failures];
  return () => {
    for (const id of past) toast.dismiss(id);
  };
}

function show(type: MessageKind, text: string, duration: number, merge?: Merge, requestId?: string): void {
  const closeFailures = type === 'success' ? closerOfFailures() : undefined;
  if (!merge) {
    logMessage(type, text);
    const onClose = closeFailures && { onDismiss: closeFailures, onAutoClose: closeFailures };
    const id = toast[type](text, { duration, ...onClose });
    if (type === 'info' || type === 'warning') transient.add(id);
    return;
  }
  const key = `${type}:${merge.kind}`;
  replaceEarlier(merge, key);
  const done: Group['done'] = new Map(groups.get(key)?.done).set(merge.of ?? Symbol('one more'), undefined);
  const forget = (): void => {
    closeFailures?.();
    failures.delete(key);
    if (groups.get(key) !== group) return;
    groups.delete(key);
    closeMessage(key);
  };
  if (type === 'error') failures.add(key);
  const render = (): void => {
    const shown = done.size === 1 ? text : merge.many(done.size);
    logMessage(type, shown, key, requestId);
    toast[type](shown, {
      id: key,
      duration,
      description: requestId && createElement(RequestId, { id: requestId }),
      onDismiss: forget,
      onAutoClose: forget,
    });
  };
  const group: Group = {
    id: key,
    done,
    drop: (of) => {
      if (!done.delete(of)) return;
      if (done.size > 0) return render();
      forget();
      toast.dismiss(key);
    },
  };
  groups.set(key, group);
  render();
  if (type === 'info' || type === 'warning') transient.add(key);
}

interface UndoDetails {
  /** A second line, for example the result. */
  detail?: string;
  /** The toast closes when a dialog opens, because it belongs to the screen below. */
  isTransient?: boolean;
  /** A second button beside Undo. */
  also?: { label: string; run: () => void };
  /** A key in the message log, so that a later `setDetail` replaces the entry. */
  logAs?: string;
  /** An earlier toast whose place this one takes. */
  replaces?: UndoToast | undefined;
}

export interface UndoToast {
  /** Changes the second line. Returns false if the toast is already closed. */
  setDetail: (detail: string) => boolean;
  /** Returns the id of the toast, so that a later one can take its place; undefined if it is already closed. */
  release: () => string | number | undefined;
  dismiss: () => void;
}

export const notify = {
  success: (text: string, merge?: Merge) => show('success', text, successToastMs, merge),
  info: (text: string, merge?: Merge) => show('info', text, otherToastMs, merge),
  warning: (text: string, merge?: Merge) => show('warning', text, otherToastMs, merge),
  /** Shows a sentence, or the error of a failed call with the screen's default message in the error catalogue. */
  error: (problem: unknown, fallback?: string) => {
    const text = typeof problem === 'string' ? problem : errorText(problem, fallback);
    // If the same error occurs for many rows, they share one toast.
    const merge = { kind: text, many: (count: number) => `${text} (${count} times)` };
    show('error', text, otherToastMs, merge, requestIdOf(problem));
  },
  /**
   * Says what was done and offers Undo for ten seconds; Ctrl+Z does the same. With `merge` several of one kind become one
   * toast, whose Undo undoes all of them, and the ten seconds start again.
   */
  undo: (text: string, undo: () => void, label = 'Undo', merge?: Merge, more: UndoDetails = {}): UndoToast => {
    const closeFailures = closerOfFailures();
    let { detail } = more;
    const key = merge && `undo:${merge.kind}`;
    if (merge && key) {
      replaceEarlier(merge, key);
      // There is one toast of each kind. This one replaces a plain success, because it offers Undo.
      const plain = groups.get(`success:${merge.kind}`);
      if (plain) toast.dismiss(plain.id);
    }
    const earlier = key === undefined ? undefined : groups.get(key);
    const done: Group['done'] = new Map(earlier?.done).set(merge?.of ?? Symbol('one more'), undo);
    earlier?.end?.();
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      closeFailures();
      if (undoable?.id === id) setUndoable(undefined);
      if (key === undefined || groups.get(key)?.id !== id) return;
      groups.delete(key);
      closeMessage(key);
    };
    const act = (): void => {
      if (isOver) return;
      finish();
      toast.dismiss(id);
      for (const one of [...done.values()].toReversed()) one?.();
    };
    const title = (): string => (merge && done.size > 1 ? merge.many(done.size) : text);
    const options = {
      duration: undoToastMs,
      action: { label, onClick: act },
      ...(more.also && { cancel: { label: more.also.label, onClick: more.also.run } }),
      onDismiss: finish,
      onAutoClose: finish,
    };
    const logText = (): string => (detail === undefined ? title() : `${title()} · ${detail}`);
    logMessage('success', logText(), key ?? more.logAs);
    // Reuse the id of the earlier toast, which also starts the ten seconds again. Dismissing it instead would fail when many
    // come at once: a toast that is dismissed before it is rendered stays.
    const place = earlier?.id ?? more.replaces?.release();
    const id = toast.success(title(), { ...options, description: detail, ...(place !== undefined && { id: place }) });
    const drop = (of: string): void => {
      if (isOver || !done.delete(of)) return;
      if (done.size === 0) {
        finish();
        toast.dismiss(id);
        return;
      }
      logMessage('success', title(), key);
      toast.success(title(), { ...options, id });
      if (undoable?.id === id) setUndoable({ id, label: title(), undo: act });
    };
    if (key !== undefined) groups.set(key, { id, done, drop, end: () => (isOver = true) });
    setUndoable({ id, label: title(), undo: act });
    if (more.isTransient) transient.add(id);
    return {
      setDetail: (next) => {
        if (isOver) return false;
        detail = next;
        logMessage('success', logText(), key ?? more.logAs);
        toast.success(title(), { ...options, id, description: next });
        return true;
      },
      release: () => {
        if (isOver) return undefined;
        isOver = true;
        return id;
      },
      dismiss: () => {
        if (!isOver) toast.dismiss(id);
      },
    };
  },
  /** Shows a real link to a new tab, which no browser blocks. The toast stays until the link is followed or it is closed. */
  link: (text: string, { label, href, onFollow }: { label: string; href: string; onFollow: () => void }) => {
    const follow = (): void => {
      toast.dismiss(id);
      onFollow();
    };
    logMessage('info', text);
    const id = toast.info(text, {
      duration: Infinity,
      action: createElement('a', { href, target: '_blank', rel: 'noopener noreferrer', onClick: follow }, label),
    });
  },
  /** Closes transient toasts when a dialog opens: they are about the screen below, and would cover the dialog. */
  dismissTransient: () => {
    for (const id of transient) toast.dismiss(id);
    transient.clear();
  },
  /**
   * Closes all toasts and clears the records about them. The library does not call `onDismiss` for a toast that was never
   * rendered or whose screen is gone.
   */
  dismissAll: () => {
    toast.dismiss();
    for (const key of groups.keys()) closeMessage(key);
    for (const records of [groups, lastGroup, failures, transient]) records.clear();
    setUndoable(undefined);
  },
};

/** Toasts end with the session: the next one must not count them, and Ctrl+Z must not undo anything of the last one. */
let account = getSession()?.user.id;
subscribeSession(() => {
  const now = getSession()?.user.id;
  if (now === account) return;
  account = now;
  notify.dismissAll();
});
