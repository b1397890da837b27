import { useContext, useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
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
  /** As the grid's (grid/grid-types.ts). */
  loadPage: (
    page: number,
    limit: number,
    signal: AbortSignal,
  ) => Promise<{ rows: readonly unknown[]; totalCount: number; isCurrent: boolean }>;
  keyOf: (row: unknown) => string;
  /** Puts these rows on paper instead of those that are shown. */
  show: (rows: readonly unknown[]) => void;
}

/** The parts of the screen whose rows are being loaded, each with what says that the print waits. */
const loading = new Map<symbol, () => void>();
/** Ctrl+P was pressed, and the print waits for them. */
let isWaiting = false;

/** The lists of which more can be printed than is shown, each with the dialog that contains it. */
const partLists = new Map<() => PartList, symbol | undefined>();

/** The rest of these lists is to be loaded, and then all is printed (shell/print-job.tsx). */
let started: readonly (() => PartList)[] | undefined;
const startListeners = new Set<() => void>();

function setStarted(lists: typeof started): void {
  started = lists;
  for (const listener of startListeners) listener();
}
export const endPrint = (): void => setStarted(undefined);

function subscribeStarted(listener: () => void): () => void {
  startListeners.add(listener);
  return () => startListeners.delete(listener);
}
export const useStartedPrint = (): typeof started => useSyncExternalStore(subscribeStarted, () => started);

/** If a dialog is open, only the dialog is printed. */
const listsOnPaper = (): (() => PartList)[] =>
  [...partLists.keys()].filter((list) => partLists.get(list) === topDialog());

function begin(): void {
  const lists = listsOnPaper();
  if (lists.length === 0) window.print();
  else setStarted(lists);
}

export const isPrintKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'p';

function onKey(event: KeyboardEvent): void {
  if (!isPrintKey(event)) return;
  if (isWaiting && !event.repeat) {
    isWaiting = false;
    return;
  }
  // Without anything to load, the browser prints by itself.
  if (loading.size === 0 && started === undefined && listsOnPaper().length === 0) return;
  event.preventDefault();
  if (event.repeat || started) return;
  if (loading.size === 0) begin();
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
    if (!list) return undefined;
    const stopListening = listen();
    const current = (): PartList => latest.current ?? list;
    partLists.set(current, dialog);
    return () => {
      stopListening();
      partLists.delete(current);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `list`: the latest is read when it is printed
  }, [isPart, dialog, latest]);
}
