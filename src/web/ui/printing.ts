import { useEffect, useLayoutEffect, useSyncExternalStore, type ReactNode } from 'react';
import { flushSync } from 'react-dom';

/**
 * A printed page differs from the screen: while the browser prints, the screens render what belongs on paper. The browser
 * prints right after the `beforeprint` event, so the listeners render synchronously.
 */
let printedAt: string | undefined;
const listeners = new Set<() => void>();

/** The parts of the screen that are being loaded and belong on paper. */
const loading = new Set<symbol>();
/** Ctrl+P was pressed, and the print waits for them. */
let isWaiting = false;
const waitListeners = new Set<() => void>();

function set(next: string | undefined): void {
  printedAt = next;
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}
function begin(): void {
  isWaiting = false;
  set(new Date().toISOString());
}
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

function onPrintKey(event: KeyboardEvent): void {
  const isPrint =
    (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'p';
  if (!isPrint) return;
  if (isWaiting && !event.repeat) {
    isWaiting = false;
    return;
  }
  event.preventDefault();
  if (event.repeat) return;
  isWaiting = true;
  for (const listener of waitListeners) listener();
}

/** One answer may be the start of another load, so the print begins when nothing has been loaded for this time. */
const settleMs = 50;

function printWhenSettled(): void {
  if (!isWaiting || loading.size > 0) return;
  setTimeout(() => {
    if (!isWaiting || loading.size > 0) return;
    isWaiting = false;
    if (!document.hidden) window.print();
  }, settleMs);
}

/**
 * While `isLoading`, Ctrl+P waits and then prints what was loaded. Pressed again, it prints at once: a load may take long. The
 * browser's menu cannot wait, so a page must also say itself what it lacks. `onWait` says that the print waits.
 */
export function useLoadedPrint(isLoading: boolean, onWait: () => void): void {
  useLayoutEffect(() => {
    if (!isLoading) return undefined;
    const id = Symbol('loading');
    if (loading.size === 0) window.addEventListener('keydown', onPrintKey, true);
    loading.add(id);
    waitListeners.add(onWait);
    return () => {
      loading.delete(id);
      waitListeners.delete(onWait);
      if (loading.size === 0) window.removeEventListener('keydown', onPrintKey, true);
    };
  }, [isLoading, onWait]);
  useEffect(() => {
    if (!isLoading) printWhenSettled();
  }, [isLoading]);
  useEffect(
    () => () => {
      // The screen was left: what was to be printed is gone.
      if (loading.size === 0) isWaiting = false;
    },
    [],
  );
}
