import {
  createElement,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefCallback,
  type RefObject,
} from 'react';
import { CircleAlert } from 'lucide-react';
import { clsx } from 'clsx';
import { Alert } from '../ui/alert.tsx';
import { useAnchored } from '../ui/anchored.ts';
import { useAwaitedRows } from '../ui/awaited-rows.ts';
import { besideList, DialogContext } from '../ui/dialog-stack.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { useKeyHelp, type KeyTable } from '../ui/key-table.ts';
import { useLoadedPrint, useWholeList } from './whole-list.ts';
import { RequestId } from '../ui/request-id.tsx';
import { Skeleton, useDelayed } from '../ui/skeleton.tsx';
import type { TableControls } from './grid-controls.ts';
import { GridFooter } from './grid-footer.tsx';
import { shownGridKeys } from './grid-key-table.ts';
import type { DataGridProps } from './grid-props.ts';
import { type GridStatus, pagesOfAll } from './grid-types.ts';
import { isIncomplete, PrintTable } from './print-table.tsx';
import {
  densityChosen,
  densityMemory,
  OnGridContext,
  viewRestored,
  rowHeights,
  type Density,
} from './grid-settings.ts';
import { listTable } from './list-table.ts';

export type { DataGridProps } from './grid-props.ts';

let loadedTable: typeof import('./ag-table.tsx').default | undefined;
// A page that imports this file is about to show a grid, so the chunk loads in parallel with the first data.
const loadingTable = import('./ag-table.tsx').then((part) => {
  loadedTable = part.default;
});
// Without a grid on the screen nobody waits for it.
loadingTable.catch(() => undefined);

/** The table, once its code is loaded. With `lazy` and Suspense React would show it at the earliest 0.3 s after the fallback. */
function useTable(): typeof loadedTable {
  const [table, setTable] = useState(() => loadedTable);
  useEffect(() => {
    const fail = (error: unknown) => (): never => {
      throw error;
    };
    // A failure is thrown while rendering, where the screen's error boundary shows it.
    if (!table)
      loadingTable.then(
        () => setTable(() => loadedTable),
        (error: unknown) => setTable(fail(error)),
      );
  }, [table]);
  return table;
}

/** A grid of one server page with loading, error and empty states, totals, pager and view menu. It hides AG Grid from pages. */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { rows, pager, footer, label } = props;
  const status = useRetriedStatus(props.status);
  const onGrid = useContext(OnGridContext);
  const [density, setDensity] = useState(densityMemory.read);
  const isRemembered = props.memoryKey !== undefined;
  useEffect(() => {
    if (isRemembered) onGrid();
    return viewRestored.subscribe((key) => {
      if (key === undefined) setDensity(densityMemory.read());
    });
  }, [isRemembered, onGrid]);
  const [controls, setControls] = useState<TableControls>();
  // The keys of a list do not wait for a table in the details beside it.
  const isBeside = useContext(DialogContext) === besideList;
  useAwaitedRows(!isBeside && areAwaited(props, controls), props.status.error !== undefined);
  const [note, setNote] = useState<Note>();
  const showNote = useCallback((text: string, at: Element | null) => setNote({ text, at }), []);
  const closeNote = useCallback(() => setNote(undefined), []);
  const section = useRef<HTMLElement>(null);
  useLoadedPrint(
    isIncomplete(props),
    useCallback(() => {
      const at = section.current?.contains(document.activeElement) ? document.activeElement : section.current;
      showNote(printWaits, at?.closest('.ag-cell') ?? section.current?.querySelector('.ag-header') ?? null);
    }, [showNote]),
  );
  const shownColumns = (): readonly string[] | undefined =>
    controls?.columns().flatMap(({ id, isShown }) => (isShown ? [id] : []));
  const { printed, save } = useWholeGrid(props, shownColumns, section);
  const retryButton = useFocusAfterRetry(section, rows?.length === 0, controls);
  const retry = (
    <Button ref={retryButton} size="sm" onClick={status.onRetry} busy={status.isFetching}>
      Retry
    </Button>
  );
  const hasFailedOverRows = status.error !== undefined && rows !== undefined && !status.isLoading && !status.notCurrent;
  useEffect(() => {
    // The message takes room from the rows: the one in focus stays in sight.
    const at = document.activeElement;
    if (hasFailedOverRows && section.current?.contains(at))
      at?.closest('.ag-cell')?.scrollIntoView({ block: 'nearest' });
  }, [hasFailedOverRows]);
  const isRefreshing = useDelayed(status.isFetching && rows !== undefined);
  const keys = JSON.stringify(shownGridKeys(props));
  useKeyHelp(
    'Table',
    useMemo(() => JSON.parse(keys) as KeyTable, [keys]),
  );
  const table = useTable();

  return (
    <>
      <section
        ref={section}
        aria-label={label}
        aria-busy={status.isFetching || undefined}
        className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card"
        style={
          props.leastRows === undefined ? undefined : { flex: '1 0 auto', minHeight: fittingHeight(props, density) }
        }
      >
        <div className={clsx('relative flex-1', props.leastRows === undefined && 'min-h-60')}>
          <div className={clsx('absolute inset-0', status.notCurrent && 'opacity-50')}>
            {table ? (
              createElement(table<Row>, { grid: props, density, onControls: setControls, showNote })
            ) : (
              <Waiting density={density} />
            )}
          </div>
          {isRefreshing && <div aria-hidden className="cd-progress absolute inset-x-0 top-0 h-0.5" />}
          <Overlay {...props} status={status} density={density} retry={retry} />
          <CellNote note={note} onDone={closeNote} />
        </div>
        {hasFailedOverRows && <Failure error={status.error} retry={retry} />}
        <div className={clsx(status.notCurrent && 'opacity-50')}>
          <GridFooter
            pager={pager}
            isCounted={rows !== undefined}
            density={density}
            onDensity={(next) => {
              setDensity(next);
              densityMemory.write(next);
              densityChosen.emit(next);
            }}
            controls={controls}
            onSave={save}
            hasSaveKey={props.ownFile === undefined}
          >
            {footer}
          </GridFooter>
        </div>
      </section>
      <PrintTable grid={printed} visibleColumns={shownColumns} />
    </>
  );
}

/** Whether the rows that keys and buttons act on are still to come, or are there but not drawn. */
const areAwaited = <Row,>({ rows, status }: DataGridProps<Row>, controls: TableControls | undefined): boolean =>
  status.error === undefined &&
  (status.isLoading || status.isOutdated === true || (controls === undefined && (rows?.length ?? 0) > 0));

const printWaits = 'Rows are still being loaded. Then they are printed. Ctrl+P again prints what is there now.';

const placeholderRows = 8;

/** The height of headings, rows, totals, footer and borders, limited to the window below the app's header. */
function fittingHeight<Row>({ rows, leastRows = 0 }: DataGridProps<Row>, density: Density): string {
  const around = 36 + rowHeights[density] + 48;
  const count = Math.max(leastRows, rows?.length ?? placeholderRows);
  return `min(${around + count * rowHeights[density]}px, max(20rem, 100dvh - 7rem))`;
}

/** The error stays while Retry runs, so that its button keeps the focus and nothing moves twice. */
function useRetriedStatus(status: GridStatus): GridStatus {
  const { error, isFetching, onRetry } = status;
  const [retried, setRetried] = useState<GridStatus['error']>();
  const [wasFetching, setWasFetching] = useState(isFetching);
  const hasEnded = !isFetching && (wasFetching || error === undefined);
  if (wasFetching !== isFetching) setWasFetching(isFetching);
  if (retried !== undefined && hasEnded) setRetried(undefined);
  return {
    ...status,
    error: error ?? (isFetching ? retried : undefined),
    onRetry: () => {
      setRetried(error);
      onRetry();
    },
  };
}

/**
 * Returns a ref for the Retry button. When the button is removed while it has the focus, the focus goes to the rows, where the
 * user was before.
 */
function useFocusAfterRetry(
  section: RefObject<HTMLElement | null>,
  isEmpty: boolean,
  controls: TableControls | undefined,
): RefCallback<HTMLButtonElement> {
  const shown = useRef<HTMLButtonElement>(null);
  const isLost = useRef(false);
  useEffect(() => {
    if (!isLost.current) return;
    isLost.current = false;
    if (document.activeElement !== document.body) return;
    if (shown.current) shown.current.focus();
    else if (isEmpty || !controls) focusOnce(section.current);
    else controls.enter();
  });
  return useCallback((button: HTMLButtonElement) => {
    shown.current = button;
    return () => {
      isLost.current ||= button === document.activeElement;
      if (shown.current === button) shown.current = null;
    };
  }, []);
}

/** Focuses what otherwise takes no focus. Not for good: a click on the footer would then leave the keys of the screen to a row. */
function focusOnce(element: HTMLElement | null): void {
  if (!element) return;
  element.tabIndex = -1;
  element.focus();
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
}

interface OverlayProps<Row> extends DataGridProps<Row> {
  density: Density;
  retry: ReactNode;
}

function Overlay<Row>({ rows, status, empty, density, retry }: OverlayProps<Row>) {
  const { error, notCurrent } = status;
  if (error && rows === undefined) {
    return (
      <div role="alert" className="absolute inset-x-0 top-9 bottom-0 z-10 grid place-items-center bg-surface">
        <EmptyState title={error.text} actions={retry}>
          <RequestId id={error.requestId} />
        </EmptyState>
      </div>
    );
  }
  if (status.isLoading) return <Waiting density={density} />;
  return (
    <>
      {rows?.length === 0 && (
        <div className="absolute inset-x-0 top-9 bottom-0 z-10 grid place-items-center overflow-auto bg-surface">
          {empty}
        </div>
      )}
      {notCurrent && <Alert tone="warn" title={notCurrent} className="absolute inset-x-4 top-11 z-10 shadow-float" />}
    </>
  );
}

/** Below the rows, because it must neither cover them nor move them under the mouse: a tick would meet another row. */
function Failure({ error, retry }: { error: GridStatus['error']; retry: ReactNode }) {
  if (!error) return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-danger/40 bg-danger-soft px-3 py-1.5"
    >
      <CircleAlert size={16} aria-hidden className="shrink-0 text-danger" />
      <p className="font-semibold text-danger">{error.text}</p>
      <p>{error.shown ?? 'The rows shown were loaded earlier.'}</p>
      <RequestId id={error.requestId} />
      <span className="ml-auto">{retry}</span>
    </div>
  );
}

const bars = ['w-2/3', 'w-1/2', 'w-3/4', 'w-2/5', 'w-3/5', 'w-1/2', 'w-2/3', 'w-1/3', 'w-3/4', 'w-1/2'];

/** Skeleton rows with the height of real rows, shown after a short delay. */
function Waiting({ density }: { density: Density }) {
  const isLate = useDelayed(true);
  return (
    <div
      className="absolute inset-x-0 top-9 bottom-0 z-10 overflow-hidden bg-surface"
      role="status"
      aria-label="Loading"
    >
      {isLate &&
        bars.map((width, index) => (
          <div
            key={`${index}-${width}`}
            className="flex items-center gap-8 border-b border-line px-3"
            style={{ height: rowHeights[density] }}
          >
            <Skeleton className="h-3 w-32" />
            <span className="flex-1">
              <Skeleton className={`h-3 ${width}`} />
            </span>
            <Skeleton className="h-3 w-24" />
          </div>
        ))}
    </div>
  );
}

/** A sentence about a cell: why it cannot be changed, or that it was copied. */
interface Note {
  text: string;
  at: Element | null;
}

const noteMs = 3_000;

function CellNote({ note, onDone }: { note: Note | undefined; onDone: () => void }) {
  const anchor = useRef<Element | null>(null);
  const isOpen = note?.at !== undefined && note?.at !== null;
  useEffect(() => {
    anchor.current = note?.at ?? null;
    if (!note) return undefined;
    const timer = setTimeout(onDone, noteMs);
    // The note is in the top layer, so it closes when a dialog opens or the focus leaves the grid.
    const grid = note.at?.closest('.cd-grid');
    const onFocus = ({ target }: FocusEvent): void => {
      if (grid && target instanceof Node && !grid.contains(target)) onDone();
    };
    document.addEventListener('focusin', onFocus);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('focusin', onFocus);
    };
  }, [note, onDone]);
  return (
    <>
      <span role="status" className="sr-only">
        {note?.text}
      </span>
      {isOpen && <Bubble key={note.text} text={note.text} at={note.at} />}
    </>
  );
}

function Bubble({ text, at }: Note) {
  const anchor = useRef<Element | null>(at);
  const floating = useAnchored<HTMLDivElement>(anchor, { isOpen: true, gap: 2 });
  return (
    <div ref={floating} popover="manual" aria-hidden className="floating max-w-80 px-2.5 py-1.5 text-xs">
      {text}
    </div>
  );
}

interface WholeGrid<Row> {
  /** The grid as it is printed: with all rows of the list once Ctrl+P has loaded them, else with those of the screen. */
  printed: DataGridProps<Row>;
  /** Saves all rows as an Excel file; undefined where the screen does it itself, or without rows. */
  save: (() => void) | undefined;
}

/** Has all rows of the list printed and saved, not only those of the page that is shown. */
function useWholeGrid<Row>(
  grid: DataGridProps<Row>,
  shownColumns: () => readonly string[] | undefined,
  section: RefObject<HTMLElement | null>,
): WholeGrid<Row> {
  const { rows, keyOf, pager, loadPage, status } = grid;
  const [all, setAll] = useState<{ rows: readonly Row[]; shown: typeof rows }>();
  const count = pager ? pager.totalCount : rows?.length;
  const canLoad = rows !== undefined && status.notCurrent === undefined && (!pager || loadPage !== undefined);
  const save = useWholeList(
    canLoad && count
      ? {
          count,
          isPart: pager !== undefined && count > pager.limit,
          loadPage: (pager && loadPage) ?? pagesOfAll(rows),
          // Safe here and below: these rows are those of `loadPage`.
          keyOf: keyOf as (row: unknown) => string,
          show: (loaded) => setAll({ rows: loaded as readonly Row[], shown: rows }),
          tableOf:
            grid.ownFile === 'list' ? undefined : (loaded) => listTable(grid, loaded as readonly Row[], shownColumns()),
          hasKey: grid.ownFile === undefined,
          element: () => section.current,
        }
      : undefined,
  );
  const hasAll = all !== undefined;
  useEffect(() => {
    if (!hasAll) return undefined;
    const drop = (): void => setAll(undefined);
    window.addEventListener('afterprint', drop);
    return () => window.removeEventListener('afterprint', drop);
  }, [hasAll]);
  // Not after the list was loaded again: its rows may be others now.
  if (!pager || !all || all.shown !== rows) return { printed: grid, save };
  return {
    printed: {
      ...grid,
      rows: all.rows,
      cells: grid.printedCells?.(all.rows) ?? grid.cells,
      pager: { ...pager, page: 1, limit: Math.max(1, count ?? 0) },
    },
    save,
  };
}
