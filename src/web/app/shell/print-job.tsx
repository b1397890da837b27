import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { ConfirmButton } from '../../kit/actions/confirm-button.tsx';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { endPrint, isPrintKey, type PartList } from '../../kit/ui/print-key.ts';
import { useDelayed } from '../../kit/ui/skeleton.tsx';

/** Up to this number of rows, all of them are printed unasked. */
const askedAbove = 500;
/** As many rows fit on a sheet of landscape A4: 23 challans, 32 trucks. */
const rowsOnSheet = 25;
/** The most rows that a call may ask for. */
const pageSize = 100;
/** A list that is loaded within this time is printed without a word. */
const showAfterMs = 400;

type State = { kind: 'asking' } | { kind: 'loading'; loaded: number } | { kind: 'failed'; error: unknown };

/** Rows may be missing, or the totals on the screen are not those of the rows. */
class ListChanged extends Error {
  override message = 'The list has changed meanwhile. Retry prints it as it is now.';
}

/** Loads what Ctrl+P prints, asks before that is much, and says when nothing was printed. */
export default function PrintJob({ lists }: { lists: readonly (() => PartList)[] }) {
  const count = lists.reduce((sum, list) => sum + list().count, 0);
  const isLong = count > askedAbove;
  const [state, setState] = useState<State>(isLong ? { kind: 'asking' } : { kind: 'loading', loaded: 0 });
  const isLoading = state.kind === 'loading';
  const isShown = useDelayed(isLoading, showAfterMs) || isLong || !isLoading;
  const cancelButton = useRef<HTMLButtonElement>(null);

  const stop = useCallback((): void => {
    if (isLoading) notify.info('Stopped. Nothing was printed.');
    endPrint();
  }, [isLoading]);

  useEffect(() => {
    if (!isLoading) return undefined;
    const control = new AbortController();
    loadAll(lists, control.signal, (loaded) => setState({ kind: 'loading', loaded })).then(
      (rows) => {
        if (control.signal.aborted) return;
        flushSync(() => lists.forEach((list, at) => list().show(rows[at] ?? [])));
        printShown();
      },
      (error: unknown) => {
        if (!control.signal.aborted) setState({ kind: 'failed', error });
      },
    );
    return () => control.abort();
  }, [isLoading, lists]);

  useLayoutEffect(() => {
    if (!isLoading) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.repeat || (event.key !== 'Escape' && !isPrintKey(event))) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape') stop();
      else printShown();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [isLoading, stop]);

  if (!isShown) return null;
  const isFailed = state.kind === 'failed';
  const rows = `${formatCount(count)} rows`;
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      title={isFailed ? 'Nothing was printed' : isLoading ? `Loading ${rows} to print` : `Print all ${rows}?`}
      onClose={stop}
      initialFocus={cancelButton}
      footer={
        <>
          <Button ref={cancelButton} onClick={stop}>
            Cancel
          </Button>
          <Button onClick={printShown}>Print This Page</Button>
          <ConfirmButton
            label={isFailed ? 'Retry' : 'Print All'}
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
        (state.error instanceof ListChanged ? (
          <p role="alert">{state.error.message}</p>
        ) : (
          <FailureAlert error={state.error} fallback="Failed to load the rows" />
        ))}
    </Dialog>
  );
}

/** Prints what is there. The dialog of the job must not be on paper. */
function printShown(): void {
  flushSync(endPrint);
  window.print();
}

async function loadAll(
  lists: readonly (() => PartList)[],
  signal: AbortSignal,
  onLoaded: (count: number) => void,
): Promise<(readonly unknown[])[]> {
  const all: (readonly unknown[])[] = [];
  let before = 0;
  for (const list of lists) {
    const { count, loadPage, keyOf } = list();
    const rows = new Map<string, unknown>();
    let read = 0;
    for (let page = 1; (page - 1) * pageSize < count; page += 1) {
      const answer = await loadPage(page, pageSize, signal);
      read += answer.rows.length;
      for (const row of answer.rows) rows.set(keyOf(row), row);
      // A row that came twice has pushed another one off its page.
      if (!answer.isCurrent || answer.totalCount !== count || rows.size !== read) throw new ListChanged();
      if (!signal.aborted) onLoaded(before + Math.min(page * pageSize, count));
    }
    before += count;
    all.push([...rows.values()]);
  }
  return all;
}
