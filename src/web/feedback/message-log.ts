import { useSyncExternalStore } from 'react';
import { getSession, subscribeSession } from '../api/session-store.ts';

/**
 * Messages go after seconds; what they said can be read again (docs/specification.md §19.10). In memory only, and of
 * one session.
 */
const mostMessages = 50;

export type MessageKind = 'success' | 'info' | 'warning' | 'error';

export interface Message {
  at: string;
  kind: MessageKind;
  text: string;
  /** Of a call that failed. */
  requestId: string | undefined;
  /** While its toast is shown: several of one kind are one message, as they are one toast. */
  toast: string | undefined;
}

let messages: readonly Message[] = [];
let account: string | undefined;
const listeners = new Set<() => void>();

function set(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Cleared when the account changes. */
function follow(): void {
  const now = getSession()?.user.id;
  if (now === account) return;
  account = now;
  if (messages.length > 0) set([]);
}
subscribeSession(follow);

/** No PAN, account number or phone stays to be read: only its last four signs do. */
const masked = (text: string): string =>
  text.replace(/\b(?:[A-Za-z]{5}\d{4}[A-Za-z]|\d{9,})\b/g, (number) => `••••${number.slice(-4)}`);

/** Keeps the message, newest first, in place of what its toast has said until now. */
export function keepMessage(kind: MessageKind, text: string, toast?: string, requestId?: string): void {
  follow();
  const message: Message = { at: new Date().toISOString(), kind, text: masked(text), requestId, toast };
  const others = messages.filter((item) => toast === undefined || item.toast !== toast);
  set([message, ...others].slice(0, mostMessages));
}

/** Its toast has gone: the next one like it is another message. */
export function settleMessage(toast: string): void {
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
