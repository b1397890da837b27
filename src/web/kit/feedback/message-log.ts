import { useSyncExternalStore } from 'react';
import { getSession, subscribeSession } from '../api/session-store.ts';

/**
 * Toasts disappear after seconds. The log keeps their texts, so that the user can read them again
 * (docs/specification.md §19.10). It is in memory only, and for one session.
 */
const mostMessages = 50;

export type MessageKind = 'success' | 'info' | 'warning' | 'error';

export interface Message {
  at: string;
  kind: MessageKind;
  text: string;
  /** The id of the failed request. */
  requestId: string | undefined;
  /** The key of the toast while it is shown. Messages merged into one toast are one entry of the log. */
  toast: string | undefined;
}

let messages: readonly Message[] = [];
let account: string | undefined;
const listeners = new Set<() => void>();

function set(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

function clearOnAccountChange(): void {
  const now = getSession()?.user.id;
  if (now === account) return;
  account = now;
  if (messages.length > 0) set([]);
}
subscribeSession(clearOnAccountChange);

/** Masks PANs, account numbers and phone numbers: only the last four characters stay readable. */
const masked = (text: string): string =>
  text.replace(/\b(?:[A-Za-z]{5}\d{4}[A-Za-z]|\d{9,})\b/g, (number) => `••••${number.slice(-4)}`);

/** Adds the message as the newest. If it comes from a toast that is already logged, it replaces that entry. */
export function logMessage(kind: MessageKind, text: string, toast?: string, requestId?: string): void {
  clearOnAccountChange();
  const message: Message = { at: new Date().toISOString(), kind, text: masked(text), requestId, toast };
  const others = messages.filter((item) => toast === undefined || item.toast !== toast);
  set([message, ...others].slice(0, mostMessages));
}

/** Call it when the toast has closed: the next toast with this key becomes a new entry. */
export function closeMessage(toast: string): void {
  if (!messages.some((item) => item.toast === toast)) return;
  set(messages.map((item) => (item.toast === toast ? { ...item, toast: undefined } : item)));
}

export const useMessages = (): readonly Message[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => messages,
  );
