import { useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { AgGridReact, type AgGridReactProps } from 'ag-grid-react';
import type { ColDef, GridApi } from 'ag-grid-community';
import { useAnchored } from '../ui/anchored.ts';
import { gridStyle, scrollbarWidth } from './ag-modules.ts';
import type { SheetGridProps } from './sheet-grid-types.ts';
import { areaOf, isInArea } from './cell-area.ts';
import { SheetKeys } from './sheet-keys.ts';
import { SheetNameList } from './sheet-name-list.tsx';
import { useLatest } from '../ui/use-latest.ts';

interface Line {
  key: string;
}
/** The id of the column with the row numbers. */
export const numberColumn = '#';

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
  const { columns, rowKeys, label } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useLatest(props);
  const [api, setApi] = useState<GridApi<Line>>();
  const [keys] = useState(() => new SheetKeys());
  const [note, setNote] = useState<{ text: string; at: Element }>();

  // Memoised, because AG Grid treats a new function as a changed option.
  const handlers = useMemo(
    (): AgGridReactProps<Line> => ({
      tabToNextCell: () => false,
      focusGridInnerElement: () => keys.enter(),
      getRowId: ({ data }) => data.key,
      onGridReady: (event) => setApi(event.api),
      onBodyScroll: () => keys.onScroll(),
      onRowDataUpdated: () => keys.onRowsChanged(),
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
    [keys],
  );
  const rowData = useMemo(() => rowKeys.map((key): Line => ({ key })), [rowKeys]);
  const columnDefs = useMemo(() => {
    const getProps = () => latest.current;
    const inArea = (row: number | null, column: number): boolean =>
      row !== null && isInArea({ row, column }, areaOf(keys.selection));
    const viewOf = (line: Line | undefined, column: number) => (line ? getProps().view(line.key, column) : undefined);
    const made = columns.map(({ key, label: headerName, width, isFigure, isFixed, pin }, index): ColDef<Line> => ({
      colId: key,
      headerName,
      width,
      pinned: pin ?? null,
      headerClass: isFigure ? 'cd-header-right' : '',
      cellClass: [isFigure ? 'cd-right' : 'cd-left', isFixed ? 'cd-fixed' : 'cd-typed'],
      cellClassRules: {
        'cd-filled': ({ data }) => viewOf(data, index)?.isFilled ?? false,
        'cd-error': ({ data }) => viewOf(data, index)?.tone === 'error',
        'cd-warning': ({ data }) => viewOf(data, index)?.tone === 'warning',
        'cd-negative': ({ value }) => isFigure && String(value ?? '').startsWith('-'),
        'cd-range': ({ node }) => inArea(node.rowIndex, index),
      },
      valueGetter: ({ data }) => viewOf(data, index)?.text ?? '',
    }));
    const number: ColDef<Line> = {
      colId: numberColumn,
      headerName: 'Row',
      width: 52,
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
  }, [columns, keys, latest]);

  useEffect(() => {
    const element = host.current;
    if (!api || !element) return undefined;
    const root = element.querySelector('[role="grid"], [role="treegrid"]');
    root?.setAttribute('role', 'grid');
    root?.setAttribute('aria-label', label);
    return keys.attach(element, api, () => latest.current, setNote);
  }, [api, label, keys, latest]);

  useImperativeHandle(
    ref,
    () => ({
      redraw: (changed) => {
        const rowNodes = [...changed].flatMap((key) => api?.getRowNode(key) ?? []);
        if (rowNodes.length > 0) api?.refreshCells({ rowNodes, force: true });
        keys.updateNote();
      },
      go: (row, column) => api && keys.go({ row, column }),
      select: (area) => api && keys.select(area),
      area: () => keys.area,
      goToError: (step) => api && keys.goToError(step),
      saveTyped: () => keys.saveTyped(),
    }),
    [api, keys],
  );

  return (
    <div ref={host} className="cd-grid cd-sheet relative h-full" data-density="compact">
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
        ensureDomOrder
        {...handlers}
      />
      <span role="status" className="sr-only">
        {note?.text}
      </span>
      {note && <Bubble key={note.text} {...note} />}
      <SheetNameList keys={keys} />
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
