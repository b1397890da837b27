import { createElement } from 'react';
import { toast } from 'sonner';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { getSession, subscribeSession } from '../api/session-store.ts';
import { RequestId } from '../ui/request-id.tsx';
import { keepMessage, settleMessage, type MessageKind } from './message-log.ts';

/** docs/specification.md §3.6: success 3 s, the rest 4 s; a toast that offers Undo stays 10 s. */
const successToastMs = 3_000;
export const otherToastMs = 4_000;
const undoToastMs = 10_000;
/** Older ones give way (docs/specification.md §3.6). */
export const mostToasts = 20;

/** Several of one kind become one: '12 challans marked paid'. */
interface Merge {
  kind: string;
  many: (count: number) => string;
  /** What it was done to: the same one done again (marked, unmarked, marked) is not counted as another. */
  of?: string;
  /** With `of`: a later message about the same thing takes this one's place ('marked as done' and 'unmarked'). */
  about?: string;
}

interface Group {
  id: string | number;
  /** What it reports, each with its undo, where that is offered. */
  done: Map<string | symbol, (() => void) | undefined>;
  /** It is no longer so for one of them. */
  drop: (of: string) => void;
  /** A later message takes this one's place on the screen. */
  end?: () => void;
}

const groups = new Map<string, Group>();
/** By thing and record: the group that reported it last. */
const lastGroup = new Map<string, string>();

function replaceEarlier({ about, of }: Merge, key: string): void {
  if (about === undefined || of === undefined) return;
  const thing = `${about} ${of}`;
  const earlier = lastGroup.get(thing);
  lastGroup.set(thing, key);
  if (earlier !== undefined && earlier !== key) groups.get(earlier)?.drop(of);
}

/** Guards and notes on a selection: they belong to the screen they were said on. */
const passing = new Set<string | number>();

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

/** Failures still on the screen. */
const failures = new Set<string>();

/** A failure goes with the success that came after it: alone, it would read as if it still applied. */
function pastFailures(): () => void {
  const past = [...failures];
  return () => {
    for (const id of past) toast.dismiss(id);
  };
}

function show(type: MessageKind, text: string, duration: number, merge?: Merge, requestId?: string): void {
  const endPast = type === 'success' ? pastFailures() : undefined;
  if (!merge) {
    keepMessage(type, text);
    const id = toast[type](text, { duration, ...(endPast && { onDismiss: endPast, onAutoClose: endPast }) });
    if (type === 'info' || type === 'warning') passing.add(id);
    return;
  }
  const key = `${type}:${merge.kind}`;
  replaceEarlier(merge, key);
  const done: Group['done'] = new Map(groups.get(key)?.done).set(merge.of ?? Symbol('one more'), undefined);
  const forget = (): void => {
    endPast?.();
    failures.delete(key);
    if (groups.get(key) !== group) return;
    groups.delete(key);
    settleMessage(key);
  };
  if (type === 'error') failures.add(key);
  const render = (): void => {
    const shown = done.size === 1 ? text : merge.many(done.size);
    keepMessage(type, shown, key, requestId);
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
  if (type === 'info' || type === 'warning') passing.add(key);
}

interface UndoDetails {
  /** A second line: what it came to. */
  detail?: string;
  /** It belongs to the screen behind, and goes when a dialog opens over it. */
  isPassing?: boolean;
  /** What else may follow on it, beside Undo. */
  also?: { label: string; run: () => void };
  /** Under this name a second line that comes later replaces the message in the log. */
  logAs?: string;
  /** What this one says instead, in the same place. */
  insteadOf?: UndoToast | undefined;
}

export interface UndoToast {
  /** Another second line; false when the message has gone already. */
  say: (detail: string) => boolean;
  /** Its place for a later message; undefined when it has gone already. */
  giveWay: () => string | number | undefined;
  dismiss: () => void;
}

export const notify = {
  success: (text: string, merge?: Merge) => show('success', text, successToastMs, merge),
  info: (text: string, merge?: Merge) => show('info', text, otherToastMs, merge),
  warning: (text: string, merge?: Merge) => show('warning', text, otherToastMs, merge),
  /** A sentence, or a failed call with the screen's own default of the error catalogue. */
  error: (problem: unknown, fallback?: string) => {
    const text = typeof problem === 'string' ? problem : errorText(problem, fallback);
    // The same failure of many rows is one message, not a column of twenty.
    const merge = { kind: text, many: (count: number) => `${text} (${count} times)` };
    show('error', text, otherToastMs, merge, requestIdOf(problem));
  },
  /**
   * Says what was done and offers to take it back for ten seconds; Ctrl+Z does the same. With `merge` several of a kind
   * become one message, whose Undo takes all of them back, and the ten seconds start again.
   */
  undo: (text: string, undo: () => void, label = 'Undo', merge?: Merge, more: UndoDetails = {}): UndoToast => {
    const endPast = pastFailures();
    let { detail } = more;
    const key = merge && `undo:${merge.kind}`;
    if (merge && key) {
      replaceEarlier(merge, key);
      // Of one kind there is one message: this one, which still offers something.
      const plain = groups.get(`success:${merge.kind}`);
      if (plain) toast.dismiss(plain.id);
    }
    const earlier = key === undefined ? undefined : groups.get(key);
    const done: Group['done'] = new Map(earlier?.done).set(merge?.of ?? Symbol('one more'), undo);
    earlier?.end?.();
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      endPast();
      if (undoable?.id === id) setUndoable(undefined);
      if (key === undefined || groups.get(key)?.id !== id) return;
      groups.delete(key);
      settleMessage(key);
    };
    const act = (): void => {
      if (isOver) return;
      finish();
      toast.dismiss(id);
      for (const one of [...done.values()].toReversed()) one?.();
    };
    const words = (): string => (merge && done.size > 1 ? merge.many(done.size) : text);
    const options = {
      duration: undoToastMs,
      action: { label, onClick: act },
      ...(more.also && { cancel: { label: more.also.label, onClick: more.also.run } }),
      onDismiss: finish,
      onAutoClose: finish,
    };
    const said = (): string => (detail === undefined ? words() : `${words()} · ${detail}`);
    keepMessage('success', said(), key ?? more.logAs);
    // In the earlier one's place, which starts the ten seconds again: of many at once, one whose dismissal came before it
    // was drawn would stay.
    const place = earlier?.id ?? more.insteadOf?.giveWay();
    const id = toast.success(words(), { ...options, description: detail, ...(place !== undefined && { id: place }) });
    const drop = (of: string): void => {
      if (isOver || !done.delete(of)) return;
      if (done.size === 0) {
        finish();
        toast.dismiss(id);
        return;
      }
      keepMessage('success', words(), key);
      toast.success(words(), { ...options, id });
      if (undoable?.id === id) setUndoable({ id, label: words(), undo: act });
    };
    if (key !== undefined) groups.set(key, { id, done, drop, end: () => (isOver = true) });
    setUndoable({ id, label: words(), undo: act });
    if (more.isPassing) passing.add(id);
    return {
      say: (next) => {
        if (isOver) return false;
        detail = next;
        keepMessage('success', said(), key ?? more.logAs);
        toast.success(words(), { ...options, id, description: next });
        return true;
      },
      giveWay: () => {
        if (isOver) return undefined;
        isOver = true;
        return id;
      },
      dismiss: () => {
        if (!isOver) toast.dismiss(id);
      },
    };
  },
  /** Says it with a real link to a new tab, which no browser blocks; it stays until it is followed or closed. */
  link: (text: string, { label, href, onFollow }: { label: string; href: string; onFollow: () => void }) => {
    const follow = (): void => {
      toast.dismiss(id);
      onFollow();
    };
    keepMessage('info', text);
    const id = toast.info(text, {
      duration: Infinity,
      action: createElement('a', { href, target: '_blank', rel: 'noopener noreferrer', onClick: follow }, label),
    });
  },
  /** A dialog opens: messages about the screen behind are over, and would cover the dialog. */
  dismissPassing: () => {
    for (const id of passing) toast.dismiss(id);
    passing.clear();
  },
  /** Forgets them as well: one whose screen is gone, or that was never drawn, is not said by the library to be dismissed. */
  dismissAll: () => {
    toast.dismiss();
    for (const key of groups.keys()) settleMessage(key);
    for (const kept of [groups, lastGroup, failures, passing]) kept.clear();
    setUndoable(undefined);
  },
};

/** Toasts go with the screens of a session: in the next one nothing of them is counted, and Ctrl+Z takes nothing back. */
let account = getSession()?.user.id;
subscribeSession(() => {
  const now = getSession()?.user.id;
  if (now === account) return;
  account = now;
  notify.dismissAll();
});
