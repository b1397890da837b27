import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { holdForRows } from '../ui/awaited-rows.ts';
import { DialogContext, topDialog } from '../ui/dialog-stack.ts';
import type { TableToWrite } from '../../../shared/contract/tables.ts';
import { matches } from '../ui/key-table.ts';

/**
 * What is done with all rows of a list, not with the page that is shown. Ctrl+P waits for the rows that are being loaded, loads
 * the other pages of the lists on the screen, and prints them (docs/specification.md §19.9). The browser's menu can do neither, so
 * it prints the pages that are shown. Ctrl+Shift+E saves a list as an Excel file (docs/specification.md §13.7).
 */

export interface WholeList {
  /** Its rows in all. */
  count: number;
  /** Whether there are more than those that are shown. */
  isPart: boolean;
  /** As the grid's (grid/grid-types.ts). */
  loadPage: (
    page: number,
    limit: number,
    signal: AbortSignal,
  ) => Promise<{ rows: readonly unknown[]; totalCount: number; isCurrent: boolean }>;
  keyOf: (row: unknown) => string;
  /** Puts these rows on paper instead of those that are shown. */
  show: (rows: readonly unknown[]) => void;
  /** The rows as a table, with the columns that are shown; undefined for a list whose screen makes the file itself. */
  tableOf: ((rows: readonly unknown[]) => TableToWrite) | undefined;
  /** Whether Ctrl+Shift+E saves it. */
  hasKey: boolean;
  element: () => HTMLElement | null;
}

/** What is to be done once the rows are loaded (app/shell/whole-list-job.tsx). */
export type WholeListJob = { kind: 'print' | 'excel'; lists: readonly (() => WholeList)[] };

/** The parts of the screen whose rows are being loaded, each with what says that the print waits. */
const loading = new Map<symbol, () => void>();
/** Ctrl+P was pressed, and the print waits for them. */
let isWaiting = false;

/** The lists on the screen, each with the dialog that contains it. */
const lists = new Map<() => WholeList, symbol | undefined>();

let started: WholeListJob | undefined;
const startListeners = new Set<() => void>();

function setStarted(job: typeof started): void {
  started = job;
  for (const listener of startListeners) listener();
}
export const endJob = (): void => setStarted(undefined);

function subscribeStarted(listener: () => void): () => void {
  startListeners.add(listener);
  return () => startListeners.delete(listener);
}
export const useStartedJob = (): typeof started => useSyncExternalStore(subscribeStarted, () => started);

/** If a dialog is open, only the dialog counts. */
const listsInSight = (): (() => WholeList)[] => [...lists.keys()].filter((list) => lists.get(list) === topDialog());
const listsOnPaper = (): (() => WholeList)[] => listsInSight().filter((list) => list().isPart);

function begin(): void {
  const parts = listsOnPaper();
  if (parts.length === 0) window.print();
  else setStarted({ kind: 'print', lists: parts });
}

/** The list with the focus, or the first that can be saved. */
function listToSave(): (() => WholeList) | undefined {
  const saved = listsInSight().filter((list) => list().hasKey && list().tableOf !== undefined);
  return saved.find((list) => list().element()?.contains(document.activeElement)) ?? saved[0];
}

/** Saves the list as an Excel file. */
function saveList(list: () => WholeList): void {
  // It waits for rows that are being loaded.
  if (!holdForRows(() => saveList(list)) && !started) setStarted({ kind: 'excel', lists: [list] });
}

export const isPrintKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'p';

export const saveKeys = 'Ctrl+Shift+E';

function onKey(event: KeyboardEvent): void {
  const toSave = matches(saveKeys, event) ? listToSave() : undefined;
  if (toSave) {
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) saveList(toSave);
  }
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

/** Has Ctrl+P print all rows of the list, and Ctrl+Shift+E save them. Returns what saves them; undefined without rows. */
export function useWholeList(list: WholeList | undefined): (() => void) | undefined {
  const dialog = useContext(DialogContext);
  // The last list that there was: a job goes on while its rows are being replaced.
  const latest = useRef(list);
  useLayoutEffect(() => {
    if (list) latest.current = list;
  });
  const isThere = list !== undefined;
  const current = useCallback((): WholeList => latest.current!, [latest]);
  useLayoutEffect(() => {
    if (!isThere) return undefined;
    const stopListening = listen();
    lists.set(current, dialog);
    return () => {
      stopListening();
      lists.delete(current);
    };
  }, [isThere, dialog, current]);
  const save = useCallback(() => saveList(current), [current]);
  return list?.tableOf && save;
}
