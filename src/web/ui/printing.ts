import { useSyncExternalStore, type ReactNode } from 'react';
import { flushSync } from 'react-dom';

/**
 * What is printed is not what is scrolled: while the browser prints, the screens draw what belongs on paper. The page must
 * stand when the event is over, so it is drawn within it.
 */
let since: string | undefined;
const listeners = new Set<() => void>();

function set(next: string | undefined): void {
  since = next;
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}
const begin = (): void => set(new Date().toISOString());
const finish = (): void => set(undefined);

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', finish);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', finish);
  };
}

/** While it is printed, since when; else undefined. */
export const usePrinting = (): string | undefined => useSyncExternalStore(subscribe, () => since);

/** What is on paper only. */
export const PrintOnly = ({ children }: { children: ReactNode }): ReactNode =>
  usePrinting() === undefined ? null : children;
