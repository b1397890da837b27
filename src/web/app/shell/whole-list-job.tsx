import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { dayOf } from '../../../shared/calc/dates.ts';
import { listFileName } from '../../../shared/calc/file-names.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { ConfirmButton } from '../../kit/actions/confirm-button.tsx';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { fileMessages } from '../../kit/feedback/file-download.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { call, saveFile } from '../../kit/api/client.ts';
import { tables } from '../../resources/tables.ts';
import { mostTableRows } from '../../../shared/contract/tables.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { endJob, isPrintKey, type WholeList, type WholeListJob as Job } from '../../kit/grid/whole-list.ts';
import { useDelayed } from '../../kit/ui/skeleton.tsx';

/** Up to this number of rows, all of them are printed unasked. */
const askedAbove = 500;
/** As many rows fit on a sheet of landscape A4: 23 challans, 32 trucks. */
const rowsOnSheet = 25;
/** The most rows that a call may ask for. */
const pageSize = 100;
/** What is done within this time is done without a word. */
const showAfterMs = 400;

type State = { kind: 'asking' } | { kind: 'loading'; loaded: number } | { kind: 'failed'; error: unknown };

/** What says why nothing was done, where it is not the answer of a call. */
class Stopped extends Error {}

interface Words {
  failed: string;
  stopped: string;
  loading: (rows: string) => string;
  /** The button that begins or begins again. */
  start: string;
  changed: string;
}

const words: Readonly<Record<Job['kind'], Words>> = {
  print: {
    failed: 'Nothing was printed',
    stopped: 'Stopped. Nothing was printed.',
    loading: (rows) => `Loading ${rows} to print`,
    start: 'Print All',
    changed: 'The list has changed meanwhile. Retry prints it as it is now.',
  },
  excel: {
    failed: fileMessages.xlsx.failed,
    stopped: fileMessages.xlsx.cancelled,
    loading: (rows) => `Loading ${rows} for the Excel file`,
    start: 'Download',
    changed: 'The list has changed meanwhile. Retry takes it as it is now.',
  },
};

/** Loads all rows of the lists, then prints or saves them. Asks before much is printed, and says when nothing was done. */
export default function WholeListJob({ job: { kind, lists } }: { job: Job }) {
  const count = lists.reduce((sum, list) => sum + list().count, 0);
  const isAsked = kind === 'print' && count > askedAbove;
  const [state, setState] = useState<State>(isAsked ? { kind: 'asking' } : { kind: 'loading', loaded: 0 });
  const isLoading = state.kind === 'loading';
  const isShown = useDelayed(isLoading, showAfterMs) || isAsked || !isLoading;
  const cancelButton = useRef<HTMLButtonElement>(null);
  const says = words[kind];

  const stop = useCallback((): void => {
    if (isLoading) notify.info(says.stopped);
    endJob();
  }, [isLoading, says]);

  useEffect(() => {
    if (!isLoading) return undefined;
    const control = new AbortController();
    const onLoaded = (loaded: number): void => setState({ kind: 'loading', loaded });
    runs[kind](lists, control.signal, onLoaded).catch((error: unknown) => {
      if (!control.signal.aborted) setState({ kind: 'failed', error });
    });
    return () => control.abort();
  }, [isLoading, kind, lists]);

  useLayoutEffect(() => {
    if (!isLoading) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      const isPrint = kind === 'print' && isPrintKey(event);
      if (event.repeat || (event.key !== 'Escape' && !isPrint)) return;
      event.preventDefault();
      event.stopPropagation();
      if (isPrint) printShown();
      else stop();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [isLoading, kind, stop]);

  if (!isShown) return null;
  const isFailed = state.kind === 'failed';
  const rows = `${formatCount(count)} rows`;
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      title={isFailed ? says.failed : isLoading ? says.loading(rows) : `Print all ${rows}?`}
      onClose={stop}
      initialFocus={cancelButton}
      footer={
        <>
          <Button ref={cancelButton} onClick={stop}>
            Cancel
          </Button>
          {kind === 'print' && <Button onClick={printShown}>Print This Page</Button>}
          <ConfirmButton
            label={isFailed ? 'Retry' : says.start}
            busy={isLoading}
            run={() => setState({ kind: 'loading', loaded: 0 })}
          />
        </>
      }
    >
      {state.kind === 'asking' && <p>They fill about {formatCount(Math.ceil(count / rowsOnSheet))} sheets of paper.</p>}
      {isLoading && (
        <div className="flex items-center gap-3" role="status">
          <progress className="h-1.5 flex-1 accent-primary" aria-label="Loading" max={count} value={state.loaded} />
          <span className="nums whitespace-nowrap">
            {formatCount(state.loaded)} of {rows} loaded
          </span>
        </div>
      )}
      {isFailed &&
        (state.error instanceof Stopped ? (
          <p role="alert">{state.error.message}</p>
        ) : (
          <FailureAlert error={state.error} fallback="Failed to load the rows" />
        ))}
    </Dialog>
  );
}

/** docs/specification.md §13.7; the number is `mostTableRows`. */
const tooMany = 'This file holds at most 50,000 rows, and the list has more. Narrow the filter.';

type Run = (lists: Job['lists'], signal: AbortSignal, onLoaded: (count: number) => void) => Promise<void>;

const runs: Readonly<Record<Job['kind'], Run>> = {
  print: async (lists, signal, onLoaded) => {
    const all: (readonly unknown[])[] = [];
    let before = 0;
    for (const list of lists) {
      const loaded = before;
      all.push(await loadAll(list(), signal, words.print.changed, (count) => onLoaded(loaded + count)));
      before += list().count;
    }
    if (signal.aborted) return;
    flushSync(() => lists.forEach((list, at) => list().show(all[at] ?? [])));
    printShown();
  },
  excel: async ([list], signal, onLoaded) => {
    if (!list) return;
    if (list().count > mostTableRows) throw new Stopped(tooMany);
    const rows = await loadAll(list(), signal, words.excel.changed, onLoaded);
    const body = list().tableOf?.(rows);
    if (!body || signal.aborted) return;
    const file = await call(tables.calls.write, { body }, { signal });
    saveFile(file, listFileName(body.label, dayOf(new Date())));
    notify.success(fileMessages.xlsx.done);
    endJob();
  },
};

/** Prints what is there. The dialog of the job must not be on paper. */
function printShown(): void {
  flushSync(endJob);
  window.print();
}

async function loadAll(
  { count, loadPage, keyOf }: WholeList,
  signal: AbortSignal,
  changed: string,
  onLoaded: (count: number) => void,
): Promise<readonly unknown[]> {
  const rows = new Map<string, unknown>();
  let read = 0;
  for (let page = 1; (page - 1) * pageSize < count; page += 1) {
    const answer = await loadPage(page, pageSize, signal);
    read += answer.rows.length;
    for (const row of answer.rows) rows.set(keyOf(row), row);
    // Rows may be missing, or the totals on the screen are not those of the rows: one that came twice has pushed another off.
    if (!answer.isCurrent || answer.totalCount !== count || rows.size !== read) throw new Stopped(changed);
    if (!signal.aborted) onLoaded(Math.min(page * pageSize, count));
  }
  return [...rows.values()];
}
