import { useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { AgGridReact, type AgGridReactProps } from 'ag-grid-react';
import type { ColDef, GridApi } from 'ag-grid-community';
import { useAnchored } from '../ui/anchored.ts';
import { gridStyle, scrollbarWidth } from './ag-modules.ts';
import { columnControls, savedColumns, stateOf, type TableControls } from './grid-controls.ts';
import { GridFooter } from './grid-footer.tsx';
import { columnMemory, viewRestored } from './grid-settings.ts';
import type { SheetGridProps } from './sheet-grid-types.ts';
import { areaOf, isInArea } from './cell-area.ts';
import { SheetKeys } from './sheet-keys.ts';
import { SheetNameList } from './sheet-name-list.tsx';
import { useLatest } from '../ui/use-latest.ts';

interface Line {
  key: string;
}
/** The id of the column with the row numbers. */
const numberColumn = '#';

const defaultColDef: ColDef = {
  resizable: true,
  sortable: false,
  suppressMovable: true,
  suppressHeaderMenuButton: true,
  suppressHeaderContextMenu: true,
  wrapHeaderText: true,
  lockPinned: true,
};

/** The only place where the entry sheet uses AG Grid. Keys and mouse are handled in sheet-keys.ts. */
export default function AgSheet({ ref, ...props }: SheetGridProps) {
  const { columns, rowKeys, label, memoryKey, footer } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useLatest(props);
  const [api, setApi] = useState<GridApi<Line>>();
  const [keys] = useState(() => new SheetKeys());
  const [controls, setControls] = useState<Omit<TableControls, 'enter'>>();
  const [getProps] = useState(() => () => latest.current);
  /** Called after each change of the columns in sight or of their order. */
  const [readColumns] = useState(() => (at: GridApi<Line>): void => {
    const all = getProps().columns;
    const inSight = at
      .getAllDisplayedColumns()
      .flatMap((column) => all.find(({ key }) => key === column.getColId()) ?? []);
    keys.setColumns(inSight);
    getProps().onColumns(inSight.map(({ key }) => key));
  });
  const [note, setNote] = useState<{ text: string; at: Element }>();

  // Memoised, because AG Grid treats a new function as a changed option.
  const handlers = useMemo(
    (): AgGridReactProps<Line> => ({
      tabToNextCell: () => false,
      focusGridInnerElement: () => keys.enter(),
      getRowId: ({ data }) => data.key,
      onGridReady: ({ api: at }) => {
        const { memoryKey: place, columns: all } = getProps();
        // Applied before the first render, so that no column visibly moves.
        const saved = columnMemory.read(place);
        if (saved) at.applyColumnState(stateOf(saved));
        readColumns(at);
        const own = columnControls(at, {
          labelOf: (id) => all.find(({ key }) => key === id)?.label,
          memoryKey: place,
          onChange: () => {
            columnMemory.write(place, savedColumns(at));
            readColumns(at);
          },
        });
        const reset = (): void => {
          own.reset();
          readColumns(at);
        };
        setControls({ ...own, reset });
        setApi(at);
      },
      onColumnResized: ({ api: at, source, finished }) => {
        if (finished && (source.startsWith('ui') || source === 'autosizeColumns'))
          columnMemory.write(getProps().memoryKey, savedColumns(at));
      },
      onBodyScroll: () => keys.onScroll(),
      onRowDataUpdated: () => keys.onCellsChanged(),
      onCellMouseDown: ({ event, rowIndex, column }) => {
        if (event instanceof MouseEvent && rowIndex !== null) keys.onMouseDown(event, rowIndex, column.getColId());
      },
      onCellMouseOver: ({ event, rowIndex, column }) => {
        if (event instanceof MouseEvent && rowIndex !== null) keys.onDrag(event, rowIndex, column.getColId());
      },
      onCellMouseOut: () => keys.updateNote(),
      onCellDoubleClicked: () => keys.edit(),
      onColumnHeaderClicked: ({ column }) => {
        if ('getColId' in column) keys.onHeaderClick(column.getColId());
      },
      suppressOverlays: ['loading', 'noRows', 'noMatchingRows'],
    }),
    [getProps, keys, readColumns],
  );
  const rowData = useMemo(() => rowKeys.map((key): Line => ({ key })), [rowKeys]);
  const columnDefs = useMemo(() => {
    const inArea = (row: number | null, id: string): boolean => {
      const column = keys.columns.findIndex(({ key }) => key === id);
      return row !== null && isInArea({ row, column }, areaOf(keys.selection));
    };
    const viewOf = (line: Line | undefined, column: string) => (line ? getProps().view(line.key, column) : undefined);
    const made = columns.map(({ key, label, heading, width, isFigure, isFixed, pin }): ColDef<Line> => ({
      colId: key,
      headerName: heading ?? label,
      width,
      pinned: pin ?? null,
      headerClass: isFigure ? 'cd-header-right' : '',
      cellClass: [isFigure ? 'cd-right' : 'cd-left', isFixed ? 'cd-fixed' : 'cd-typed'],
      cellClassRules: {
        'cd-filled': ({ data }) => viewOf(data, key)?.isFilled ?? false,
        'cd-error': ({ data }) => viewOf(data, key)?.tone === 'error',
        'cd-warning': ({ data }) => viewOf(data, key)?.tone === 'warning',
        'cd-negative': ({ value }) => isFigure && String(value ?? '').startsWith('-'),
        'cd-range': ({ node }) => inArea(node.rowIndex, key),
      },
      valueGetter: ({ data }) => viewOf(data, key)?.text ?? '',
    }));
    const number: ColDef<Line> = {
      colId: numberColumn,
      headerName: 'Row',
      width: 40,
      pinned: 'left',
      resizable: false,
      cellClass: 'cd-row-number',
      cellClassRules: Object.fromEntries(
        (['error', 'warning', 'ready'] as const).map((tone) => [
          `cd-row-${tone}`,
          ({ data }: { data: Line | undefined }) => data !== undefined && getProps().toneOf(data.key) === tone,
        ]),
      ),
      valueGetter: ({ node }) => (node?.rowIndex ?? 0) + 1,
    };
    return [number, ...made];
  }, [columns, getProps, keys]);

  useEffect(() => {
    const element = host.current;
    if (!api || !element) return undefined;
    const root = element.querySelector('[role="grid"], [role="treegrid"]');
    root?.setAttribute('role', 'grid');
    root?.setAttribute('aria-label', label);
    return keys.attach(element, api, getProps, setNote);
  }, [api, label, getProps, keys]);

  useEffect(() => {
    if (!api) return undefined;
    return viewRestored.subscribe((key) => {
      if (key !== memoryKey) return;
      const saved = columnMemory.read(memoryKey);
      if (saved) api.applyColumnState(stateOf(saved));
      else api.resetColumnState();
      readColumns(api);
    });
  }, [api, memoryKey, readColumns]);

  useImperativeHandle(
    ref,
    () => ({
      redraw: (changed) => {
        const rowNodes = [...changed].flatMap((key) => api?.getRowNode(key) ?? []);
        if (rowNodes.length > 0) api?.refreshCells({ rowNodes, force: true });
        keys.updateNote();
      },
      go: (row, column) => api && keys.go({ row, column }),
      show: (wanted) => {
        for (const column of wanted) controls?.show(column, true);
      },
      select: (area) => api && keys.select(area),
      area: () => keys.area,
      goToError: (step) => api && keys.goToError(step),
      saveTyped: () => keys.saveTyped(),
    }),
    [api, controls, keys],
  );

  return (
    <div className="flex h-full flex-col">
      <div ref={host} className="cd-grid cd-sheet relative min-h-0 flex-1" data-density="compact">
        <AgGridReact<Line>
          {...gridStyle}
          columnDefs={columnDefs}
          defaultColDef={defaultColDef}
          rowData={rowData}
          rowHeight={27}
          headerHeight={50}
          scrollbarWidth={scrollbarWidth}
          alwaysShowVerticalScroll
          suppressDragLeaveHidesColumns
          suppressColumnMoveAnimation
          suppressScrollOnNewData
          animateRows={false}
          maintainColumnOrder
          ensureDomOrder
          {...handlers}
        />
        <span role="status" className="sr-only">
          {note?.text}
        </span>
        {note && <Bubble key={note.text} {...note} />}
        <SheetNameList keys={keys} />
      </div>
      <GridFooter pager={undefined} isCounted={false} onSave={undefined} controls={controls}>
        {footer}
      </GridFooter>
    </div>
  );
}

function Bubble({ text, at }: { text: string; at: Element }) {
  const anchor = useLatest<Element | null>(at);
  const floating = useAnchored<HTMLDivElement>(anchor, { isOpen: true, gap: 2 });
  return (
    <div
      ref={floating}
      popover="manual"
      aria-hidden
      className="floating pointer-events-none max-w-96 px-2.5 py-1.5 text-xs"
    >
      {text}
    </div>
  );
}
