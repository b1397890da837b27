import { createElement, Fragment } from 'react';
import { toast } from 'sonner';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { getSession, subscribeSession } from '../api/session-store.ts';
import { RequestId } from '../ui/request-id.tsx';
import { closeMessage, logMessage, type MessageKind } from './message-log.ts';

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

/** A further button of a toast. `key` is the screen's key for the same. */
interface Offer {
  label: string;
  key: string;
  run: () => void;
}

interface Parts {
  text: string;
  /** The second line, for example the result. */
  detail?: string | undefined;
  duration: number;
  merge?: Merge | undefined;
  requestId?: string | undefined;
  /** The button that undoes everything that the toast reports, and further ones beside it. */
  offer?: { label: string; undo: () => void; also?: readonly Offer[] | undefined };
  /** A key in the message log for a toast without `merge`, so that a later `setDetail` replaces the entry. */
  logAs?: string | undefined;
  /** The toast closes when a dialog opens, because it only makes sense on the screen below. */
  isTransient?: boolean | undefined;
  /** The id of an earlier toast whose place this one takes. */
  place?: string | number | undefined;
}

/** The last toast of each kind that is merged, by its key. */
const groups = new Map<string, Toast>();
/** The group that last reported a state (`about`) of a record (`of`). */
const lastGroup = new Map<string, string>();
const transient = new Set<string | number>();
/** The error toasts on the screen. */
const failures = new Set<string | number>();

let undoable: { of: Toast; label: string; undo: () => void } | undefined;
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

/** One toast on the screen, with what it says of one record or of several. */
class Toast {
  readonly #type: MessageKind;
  readonly #parts: Parts;
  /** Toasts with the same key are merged. */
  readonly #key: string | undefined;
  #id: string | number | undefined;
  /** The records that it reports, each with its undo function if Undo is offered. */
  readonly #done: Map<string | symbol, (() => void) | undefined>;
  /** The errors that were open before this success. Alone on the screen, an old error would read as if it still applied. */
  readonly #past: readonly (string | number)[];
  /** It is closed, or another toast has its place. */
  #isOver = false;

  constructor(type: MessageKind, parts: Parts) {
    const { merge, offer } = parts;
    this.#type = type;
    this.#parts = parts;
    this.#past = type === 'success' ? [...failures] : [];
    this.#key = merge && `${offer ? 'undo' : type}:${merge.kind}`;
    if (merge && this.#key !== undefined) this.#replaceEarlier(merge, this.#key);
    const earlier = this.#key === undefined ? undefined : groups.get(this.#key);
    this.#done = new Map(earlier ? earlier.#done : []).set(merge?.of ?? Symbol('one more'), offer?.undo);
    // Takes the place of the earlier toast, which also starts its time again. Dismissing that one instead would fail when many
    // come at once: a toast that is dismissed before it is rendered stays.
    this.#id = earlier?.release() ?? parts.place;
    if (this.#key !== undefined) groups.set(this.#key, this);
    const id = this.#draw();
    if (type === 'error') failures.add(id);
    if (parts.isTransient) transient.add(id);
    if (offer) setUndoable({ of: this, label: this.#title(), undo: this.#undo });
  }

  /** A record is reported by one toast, and there is one of each kind. */
  #replaceEarlier({ about, of, kind }: Merge, key: string): void {
    if (about !== undefined && of !== undefined) {
      const reported = `${about} ${of}`;
      const before = lastGroup.get(reported);
      lastGroup.set(reported, key);
      const other = before === undefined || before === key ? undefined : groups.get(before);
      if (other) other.#drop(of);
    }
    // This one replaces a plain success, because it offers Undo.
    if (this.#parts.offer) groups.get(`success:${kind}`)?.dismiss();
  }

  #title(): string {
    const { text, merge } = this.#parts;
    return merge && this.#done.size > 1 ? merge.many(this.#done.size) : text;
  }

  /** Draws the toast, or draws it again with what has changed. */
  #draw(): string | number {
    const { detail, duration, offer, requestId, logAs } = this.#parts;
    const title = this.#title();
    logMessage(this.#type, detail === undefined ? title : `${title} · ${detail}`, this.#key ?? logAs, requestId);
    this.#id = toast[this.#type](title, {
      ...(this.#id !== undefined && { id: this.#id }),
      duration,
      description: requestId ? createElement(RequestId, { id: requestId }) : detail,
      ...(offer && { action: { label: offer.label, onClick: this.#undo } }),
      ...(offer?.also && { cancel: createElement(Fragment, null, ...offer.also.map(this.#button)) }),
      onDismiss: this.#end,
      onAutoClose: this.#end,
    });
    if (undoable?.of === this) setUndoable({ ...undoable, label: title });
    return this.#id;
  }

  /** Looks as the library's own second button, of which there is only one. */
  readonly #button = ({ label, key, run }: Offer) =>
    createElement(
      'button',
      {
        key: label,
        type: 'button',
        'data-button': true,
        'data-cancel': true,
        title: key,
        'aria-keyshortcuts': key,
        onClick: () => {
          toast.dismiss(this.#id);
          run();
        },
      },
      label,
    );

  readonly #end = (): void => {
    this.#isOver = true;
    for (const id of this.#past) toast.dismiss(id);
    if (this.#id !== undefined) failures.delete(this.#id);
    if (undoable?.of === this) setUndoable(undefined);
    if (this.#key === undefined || groups.get(this.#key) !== this) return;
    groups.delete(this.#key);
    closeMessage(this.#key);
  };

  readonly #undo = (): void => {
    if (this.#isOver) return;
    this.#end();
    toast.dismiss(this.#id);
    for (const undo of [...this.#done.values()].toReversed()) undo?.();
  };

  /** Removes a record for which the message is no longer true. */
  #drop(of: string): void {
    if (this.#isOver || !this.#done.delete(of)) return;
    if (this.#done.size > 0) {
      this.#draw();
      return;
    }
    this.#end();
    toast.dismiss(this.#id);
  }

  /** Changes the second line. Returns false if the toast is already closed. */
  setDetail(detail: string): boolean {
    if (this.#isOver) return false;
    this.#parts.detail = detail;
    this.#draw();
    return true;
  }

  /** Returns the id of the toast, so that a later one can take its place; undefined if it is already closed. */
  release(): string | number | undefined {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    return this.#id;
  }

  dismiss(): void {
    if (!this.#isOver) toast.dismiss(this.#id);
  }
}

export type UndoToast = Pick<Toast, 'setDetail' | 'release' | 'dismiss'>;

interface UndoDetails extends Pick<Parts, 'detail' | 'isTransient' | 'logAs'> {
  /** Further buttons beside Undo. */
  also?: readonly Offer[];
  /** An earlier toast whose place this one takes. */
  replaces?: UndoToast | undefined;
}

export const notify = {
  success: (text: string, merge?: Merge) => void new Toast('success', { text, merge, duration: successToastMs }),
  info: (text: string, merge?: Merge) =>
    void new Toast('info', { text, merge, duration: otherToastMs, isTransient: true }),
  warning: (text: string, merge?: Merge) =>
    void new Toast('warning', { text, merge, duration: otherToastMs, isTransient: true }),
  /** Shows a sentence, or the error of a failed call with the screen's default message in the error catalogue. */
  error: (problem: unknown, fallback?: string) => {
    const text = typeof problem === 'string' ? problem : errorText(problem, fallback);
    // If the same error occurs for many rows, they share one toast.
    const merge = { kind: text, many: (count: number) => `${text} (${count} times)` };
    void new Toast('error', { text, merge, duration: otherToastMs, requestId: requestIdOf(problem) });
  },
  /**
   * Says what was done and offers Undo for ten seconds; Ctrl+Z does the same. With `merge` several of one kind become one
   * toast, whose Undo undoes all of them, and the ten seconds start again.
   */
  undo: (text: string, undo: () => void, label = 'Undo', merge?: Merge, more: UndoDetails = {}): UndoToast => {
    const { also, replaces, ...others } = more;
    const place = replaces?.release();
    return new Toast('success', { ...others, text, merge, place, duration: undoToastMs, offer: { label, undo, also } });
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
