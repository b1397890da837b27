import { useSyncExternalStore, type ReactNode } from 'react';
import { flushSync } from 'react-dom';

/**
 * A printed page differs from the screen: while the browser prints, the screens render what belongs on paper. The browser
 * prints right after the `beforeprint` event, so the listeners render synchronously.
 */
let printedAt: string | undefined;
const listeners = new Set<() => void>();

function set(next: string | undefined): void {
  printedAt = next;
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

/** While the browser prints, the time when that began; otherwise undefined. */
export const usePrinting = (): string | undefined => useSyncExternalStore(subscribe, () => printedAt);

/** Renders its children on paper only. */
export const PrintOnly = ({ children }: { children: ReactNode }): ReactNode =>
  usePrinting() === undefined ? null : children;
