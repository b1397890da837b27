import { useContext, useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { DialogContext, topDialog } from './dialog-stack.ts';
import { useLatest } from './use-latest.ts';

/**
 * Ctrl+P waits for the rows that are being loaded, loads the other pages of the lists on the screen, and prints them
 * (docs/specification.md §19.9). The browser's menu can do neither, so it prints the pages that are shown.
 */

/** A list that shows one page of several. */
export interface PartList {
  /** Its rows in all. */
  count: number;
  /** Loads all rows, and reports how many it has so far. Returns what puts them on paper. */
  load: (signal: AbortSignal, onLoaded: (count: number) => void) => Promise<() => void>;
}

/** What Ctrl+P is doing. A job ends before anything is printed. */
export type PrintJob =
  | { state: 'asking'; count: number }
  /** A long one was asked about, and shows itself at once. */
  | { state: 'loading'; count: number; loaded: number; isLong: boolean }
  | { state: 'failed'; count: number; error: unknown }
  | { state: 'stopped' };

/** Up to this number of rows, all of them are printed unasked. */
const askedAbove = 500;

/** The parts of the screen whose rows are being loaded, each with what says that the print waits. */
const loading = new Map<symbol, () => void>();
/** Ctrl+P was pressed, and the print waits for them. */
let isWaiting = false;

/** The lists of which more can be printed than is shown, each with the dialog that contains it. */
const partLists = new Map<symbol | undefined, Set<() => PartList>>();
let printed: readonly (() => PartList)[] = [];
let job: PrintJob | undefined;
let running: AbortController | undefined;
const jobListeners = new Set<() => void>();

function setJob(next: PrintJob | undefined): void {
  job = next;
  for (const listener of jobListeners) listener();
}

function subscribeJob(listener: () => void): () => void {
  jobListeners.add(listener);
  return () => jobListeners.delete(listener);
}
export const usePrintJob = (): PrintJob | undefined => useSyncExternalStore(subscribeJob, () => job);

/** Ends what Ctrl+P is doing. Nothing is printed. */
export function stopPrint(): void {
  running?.abort();
  setJob(job?.state === 'loading' ? { state: 'stopped' } : undefined);
}
export const endPrintJob = (): void => setJob(undefined);

/** Prints the pages that are shown. */
export function printShown(): void {
  running?.abort();
  // The dialog that asks must not be on paper.
  flushSync(endPrintJob);
  window.print();
}

/** Loads all rows of the lists, and prints them. */
export async function printAll(): Promise<void> {
  const lists = printed.map((list) => list());
  const control = new AbortController();
  running = control;
  const count = countOf(lists);
  let before = 0;
  const report = (loaded: number): void => {
    if (control.signal.aborted) return;
    setJob({ state: 'loading', count, loaded: before + loaded, isLong: count > askedAbove });
  };
  report(0);
  try {
    const shows: (() => void)[] = [];
    for (const list of lists) {
      shows.push(await list.load(control.signal, report));
      before += list.count;
    }
    if (control.signal.aborted) return;
    flushSync(() => shows.forEach((show) => show()));
    printShown();
  } catch (error) {
    if (!control.signal.aborted) setJob({ state: 'failed', count, error });
  }
}

const countOf = (lists: readonly PartList[]): number => lists.reduce((sum, { count }) => sum + count, 0);

/** If a dialog is open, only the dialog is printed. */
const listsOnPaper = (): (() => PartList)[] => [...(partLists.get(topDialog()) ?? [])];

function begin(): void {
  printed = listsOnPaper();
  const count = countOf(printed.map((list) => list()));
  if (count === 0) window.print();
  else if (count <= askedAbove) void printAll();
  else setJob({ state: 'asking', count });
}

function onKey(event: KeyboardEvent): void {
  if (event.key === 'Escape' && job?.state === 'loading') {
    event.preventDefault();
    event.stopPropagation();
    stopPrint();
    return;
  }
  const isPrint =
    (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'p';
  if (!isPrint) return;
  if (isWaiting && !event.repeat) {
    isWaiting = false;
    return;
  }
  // Without anything to load, the browser prints by itself.
  if (loading.size === 0 && job === undefined && listsOnPaper().length === 0) return;
  event.preventDefault();
  if (event.repeat) return;
  if (job) {
    if (job.state === 'loading') printShown();
  } else if (loading.size === 0) begin();
  else {
    isWaiting = true;
    for (const onWait of loading.values()) onWait();
  }
}

/** One answer may be the start of another load, so the print begins when nothing has been loaded for this time. */
const settleMs = 50;

function printWhenSettled(): void {
  if (!isWaiting || loading.size > 0) return;
  setTimeout(() => {
    if (!isWaiting || loading.size > 0) return;
    isWaiting = false;
    if (!document.hidden) begin();
  }, settleMs);
}

let users = 0;
/** Listens while something on the screen needs it. */
function listen(): () => void {
  users += 1;
  if (users === 1) window.addEventListener('keydown', onKey, true);
  return () => {
    users -= 1;
    if (users === 0) window.removeEventListener('keydown', onKey, true);
  };
}

/**
 * While `isLoading`, Ctrl+P waits and then prints what was loaded. Pressed again, it prints at once: a load may take long. The
 * browser's menu cannot wait, so a page must also say itself what it lacks. `onWait` says that the print waits.
 */
export function useLoadedPrint(isLoading: boolean, onWait: () => void): void {
  useLayoutEffect(() => {
    if (!isLoading) return undefined;
    const id = Symbol('loading');
    const stopListening = listen();
    loading.set(id, onWait);
    return () => {
      loading.delete(id);
      stopListening();
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

/** Has Ctrl+P print all rows of a list that shows only some; undefined: it shows all. */
export function usePartList(list: PartList | undefined): void {
  const dialog = useContext(DialogContext);
  const latest = useLatest(list);
  const isPart = list !== undefined;
  useLayoutEffect(() => {
    if (!isPart) return undefined;
    const stopListening = listen();
    const lists = partLists.get(dialog) ?? new Set();
    partLists.set(dialog, lists);
    const current = (): PartList => latest.current ?? { count: 0, load: () => Promise.resolve(() => undefined) };
    lists.add(current);
    return () => {
      stopListening();
      lists.delete(current);
      if (lists.size === 0) partLists.delete(dialog);
    };
  }, [isPart, dialog, latest]);
}
