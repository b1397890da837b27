import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { AgGridReact } from 'ag-grid-react';
import type { CellClickedEvent, ColDef, GridApi } from 'ag-grid-community';
import { isFocusElsewhere } from '../ui/dialog-stack.ts';
import { actionsColumn, buildColumns, selectColumn, shapeOf, toggleOf, type GetProps } from './ag-columns.ts';
import { gridStyle, scrollbarWidth } from './ag-modules.ts';
import {
  describeMember,
  labelRow,
  sortsOf,
  useMutedRows,
  useRepaint,
  useSelectedRows,
  useSort,
  useTree,
} from './ag-effects.ts';
import { watchCellRange, type CellRangeWatch } from './cell-range-start.ts';
import { columnControls, savedColumns, stateOf, type TableControls } from './grid-controls.ts';
import { GridFocus } from './grid-focus.ts';
import { besideIndex, onGridKey, rangeTo, type KeyTools } from './grid-keys.ts';
import type { DataGridProps } from './grid-props.ts';
import { isHeading, withHeadings } from './member-headings.ts';
import { columnMemory, isPhone, viewRestored, rowHeights, type Density } from './grid-settings.ts';
import { useLatest } from '../ui/use-latest.ts';

interface AgTableProps<Row> {
  grid: DataGridProps<Row>;
  density: Density;
  onControls: (controls: TableControls) => void;
  /** Shows a note beside a cell. Screen readers announce it. */
  showNote: (text: string, at: Element | null) => void;
}

const defaultColDef: ColDef = { resizable: true, editable: false, suppressHeaderContextMenu: true };
/** The only place where lists use AG Grid, in a chunk of its own. Everything it shows comes from the props of DataGrid. */
export default function AgTable<Row>({ grid, density, onControls, showNote }: AgTableProps<Row>) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useLatest(grid);
  const [api, setApi] = useState<GridApi<Row>>();
  const repaints = useRef(new Set<() => void>());
  const focus = useRef<GridFocus<Row>>(undefined);
  const cellRange = useRef<CellRangeWatch>(undefined);
  /** Focus requested before the grid was ready: a row, or (as an Element) the first row, with what had the focus then. */
  const pendingFocus = useRef<{ id: string; column: string | undefined } | Element>(undefined);
  const anchor = useRef<{ id: string | undefined }>({ id: undefined });
  /** The element that had the focus when the mouse button was pressed. */
  const pressed = useRef<Element>(null);

  const [getProps] = useState<GetProps<Row>>(() => () => latest.current);
  const [onSelectionChange] = useState(() => (repaint: () => void) => {
    repaints.current.add(repaint);
    return () => void repaints.current.delete(repaint);
  });

  const { memoryKey } = grid;
  const shape = JSON.stringify(shapeOf(grid));
  const { columns } = grid;
  const columnDefs = useMemo(
    () => buildColumns(columns, JSON.parse(shape) as ReturnType<typeof shapeOf>, getProps, onSelectionChange),
    [columns, shape, getProps, onSelectionChange],
  );
  const rowData = useMemo(() => grid.rows && withHeadings(grid.rows, grid.tree), [grid.rows, grid.tree]);
  const hasTotals = grid.totals !== undefined && (grid.rows?.length ?? 0) > 0;
  const totals = JSON.stringify(grid.totals ?? null) + (grid.totalsLabel ?? '');
  // The texts of the totals row come from the props. Its data is only a new object whenever the totals change.
  const pinnedBottomRowData = useMemo(() => (hasTotals ? [{ totals }] : []), [hasTotals, totals]);

  useSort(api, grid);
  useRepaint(api, grid, repaints);
  useSelectedRows(api, host, grid);
  useMutedRows(api, host, grid);
  useTree(api, host, grid);
  // Rows of a tree that were missing have come.
  useEffect(() => {
    if (grid.tree) cellRange.current?.onChange();
  }, [grid.tree]);

  const focusedRow = useCallback((): Row | undefined => {
    const cell = api?.getFocusedCell();
    return cell && !cell.rowPinned ? api?.getDisplayedRowAtIndex(cell.rowIndex)?.data : undefined;
  }, [api]);

  useImperativeHandle(
    grid.ref,
    () => ({
      focusRow: (id, column) => {
        if (focus.current) return focus.current.focusRow(id, column);
        pendingFocus.current = { id, column };
        return false;
      },
      focusFirstRow: (column) => {
        if (focus.current) focus.current.enterWhenLoaded(column);
        else pendingFocus.current = document.activeElement ?? undefined;
      },
      focusedRow,
      activeRow: () => {
        const table = host.current?.closest('section');
        return table?.contains(document.activeElement) ? focusedRow() : undefined;
      },
      focusedCell: () => {
        const cell = document.activeElement?.closest('.ag-cell');
        const index = Number(cell?.closest('.ag-row')?.getAttribute('row-index') ?? Number.NaN);
        const row = cell && host.current?.contains(cell) ? api?.getDisplayedRowAtIndex(index)?.data : undefined;
        return cell && row
          ? { row, column: cell.getAttribute('col-id') ?? '', frame: cell.getBoundingClientRect() }
          : undefined;
      },
      showCell: (id, column) => {
        const index = api?.getRowNode(id)?.rowIndex;
        if (!api || index === undefined || index === null) return undefined;
        api.ensureIndexVisible(index);
        api.ensureColumnVisible(column);
        return (
          host.current?.querySelector(`.ag-row[row-id="${CSS.escape(id)}"] [col-id="${CSS.escape(column)}"]`) ??
          undefined
        );
      },
      shownColumns: () => (api?.getAllDisplayedColumns() ?? []).map((column) => column.getColId()).filter(isData),
      savedColumns: () => (api ? savedColumns(api) : []),
      setColumns: (columns) => {
        api?.applyColumnState(stateOf(columns));
        if (api && memoryKey !== undefined) columnMemory.write(memoryKey, savedColumns(api));
      },
      neighbourId: (id) => {
        const index = api?.getRowNode(id)?.rowIndex;
        if (!api || index === undefined || index === null) return undefined;
        return (api.getDisplayedRowAtIndex(index + 1) ?? api.getDisplayedRowAtIndex(index - 1))?.id;
      },
    }),
    [api, focusedRow, memoryKey],
  );

  useEffect(() => {
    const element = host.current;
    if (!api || !element) return undefined;
    const gridFocus = new GridFocus<Row>(element, api);
    focus.current = gridFocus;
    const stop = gridFocus.watch();
    const wanted = pendingFocus.current;
    if (wanted instanceof Element) {
      // If the user has moved the focus meanwhile, it stays there.
      if (document.activeElement === wanted) gridFocus.enterWhenLoaded();
    } else if (wanted && !isFocusElsewhere(element)) gridFocus.focusRow(wanted.id, wanted.column);
    pendingFocus.current = undefined;
    const range = watchCellRange({ host: element, api, getProps, showNote });
    cellRange.current = range;
    const tools: KeyTools<Row> = {
      api,
      getProps,
      anchor: anchor.current,
      range,
      showNote: (text) => showNote(text, document.activeElement),
    };
    const onKey = (event: KeyboardEvent): void => onGridKey(event, tools);
    element.addEventListener('keydown', onKey, true);
    return () => {
      stop();
      range.stop();
      element.removeEventListener('keydown', onKey, true);
    };
  }, [api, getProps, showNote]);

  const isSelectable = grid.selection !== undefined;
  useEffect(() => {
    if (!api) return;
    const root = host.current?.querySelector('[role="grid"], [role="treegrid"]');
    root?.setAttribute('aria-label', grid.label);
    root?.setAttribute('role', grid.tree ? 'treegrid' : 'grid');
    if (isSelectable) root?.setAttribute('aria-multiselectable', 'true');
  }, [api, grid.label, grid.tree, isSelectable]);

  const save = useCallback((): void => {
    if (api && memoryKey !== undefined) columnMemory.write(memoryKey, savedColumns(api));
  }, [api, memoryKey]);

  useEffect(() => {
    if (!api || memoryKey === undefined) return undefined;
    return viewRestored.subscribe((key) => {
      if (key !== memoryKey) return;
      const saved = columnMemory.read(memoryKey);
      if (saved) api.applyColumnState(stateOf(saved));
      else api.resetColumnState();
    });
  }, [api, memoryKey]);

  useEffect(() => {
    if (!api) return;
    onControls({
      ...columnControls(api, {
        labelOf: (id) => latest.current.columns.find(({ key }) => key === id)?.label,
        memoryKey,
        onChange: save,
      }),
      enter: () => focus.current?.enterWhenLoaded(),
    });
  }, [api, latest, memoryKey, onControls, save]);

  // Save only changes by the user: widths that follow the window are not a choice.
  const onColumnChange = (event: { source: string; finished?: boolean }): void => {
    if (event.finished !== false && (event.source.startsWith('ui') || event.source === 'autosizeColumns')) save();
  };

  const onCellClicked = ({ api: at, column, data, event, node }: CellClickedEvent<Row>): void => {
    const props = getProps();
    const target = event?.target;
    if (data === undefined || node.rowPinned || !(target instanceof Element)) return;
    const id = column.getColId();
    if (id === selectColumn && props.selection) {
      const { selection } = props;
      const reason = selection.disabledReason?.(data);
      if (reason) return showNote(reason, target);
      if (event instanceof MouseEvent && event.shiftKey) {
        const cell = { api: at, anchor: anchor.current, index: node.rowIndex ?? 0, row: data };
        return selection.setRows(rangeTo(cell), true);
      }
      anchor.current.id = node.id;
      return selection.setRows([data], selection.stateOf(data) !== 'all');
    }
    if (props.tree?.isGroup(data) && (!props.tree.opensGroups || target.closest('[data-expand]'))) {
      if (!target.closest('button, a')) props.tree.onToggle(data, !props.tree.isExpanded(data));
      return undefined;
    }
    if (event instanceof MouseEvent && props.editing?.columns.includes(id) && isOnPencil(event, pressed.current)) {
      return props.editing.onEdit(data, id);
    }
    const toggle = toggleOf(props, id);
    if (toggle && target.closest('.cd-box-cell')) {
      const reason = toggle.disabledReason?.(data);
      if (reason) return showNote(reason, target);
      if (!toggle.isPending?.(data)) toggle.onToggle(data, !toggle.isOn(data));
    } else if (
      (isReference(id) || (isPhone() && !target.closest('button, a'))) &&
      event instanceof MouseEvent &&
      event.detail < 2
    ) {
      // The second click of a double click is ignored, because the first has already opened the row.
      props.onOpen?.(data);
    }
    return undefined;
  };
  const isReference = (id: string): boolean => columns.some(({ key, kind }) => key === id && kind === 'reference');

  return (
    <div
      ref={host}
      className="cd-grid h-full"
      data-density={density}
      onMouseOver={setTitleIfTruncated}
      onFocus={(event) => {
        setTitleIfTruncated(event);
        describeMember(event.target, api, grid);
      }}
      onMouseDownCapture={() => {
        pressed.current = document.activeElement;
      }}
    >
      <AgGridReact<Row>
        {...gridStyle}
        columnDefs={columnDefs}
        defaultColDef={defaultColDef}
        rowData={rowData ?? null}
        pinnedBottomRowData={pinnedBottomRowData}
        getRowId={({ data, rowPinned }) =>
          rowPinned ? 'totals' : `${isHeading(data) ? 'headings ' : ''}${getProps().keyOf(data)}`
        }
        rowHeight={rowHeights[density]}
        suppressOverlays={['loading', 'noRows', 'noMatchingRows']}
        suppressDragLeaveHidesColumns
        suppressColumnMoveAnimation
        suppressMultiSort={grid.onSorts === undefined}
        suppressScrollOnNewData
        animateRows={false}
        ensureDomOrder
        maintainColumnOrder
        tabToNextCell={() => false}
        navigateToNextCell={({ nextCellPosition: next, previousCellPosition: { rowIndex: from }, api: at }) =>
          next === null || next.rowPinned || next.rowIndex === from
            ? next
            : { ...next, rowIndex: besideIndex(at, from, next.rowIndex > from ? 1 : -1) }
        }
        // Always reserve the scroll bar, so that it does not cover the last column when more rows are loaded.
        alwaysShowVerticalScroll={grid.tree !== undefined || grid.pager !== undefined}
        scrollbarWidth={scrollbarWidth}
        focusGridInnerElement={() => focus.current?.enter() ?? false}
        rowClassRules={{
          'cd-heading-row': ({ data }) => isHeading(data),
          'cd-group-row': ({ data }) => data !== undefined && (getProps().tree?.isGroup(data) ?? false),
        }}
        processRowPostCreate={(params) => labelRow(params, getProps)}
        onGridReady={(event) => {
          // Applied before the first render, so that no column visibly moves.
          const saved = memoryKey === undefined ? null : columnMemory.read(memoryKey);
          if (saved) event.api.applyColumnState(stateOf(saved));
          setApi(event.api);
        }}
        onColumnMoved={onColumnChange}
        onColumnResized={onColumnChange}
        onCellFocused={() => {
          focus.current?.remember();
          cellRange.current?.onChange();
        }}
        onDisplayedColumnsChanged={() => cellRange.current?.onChange()}
        onRowDataUpdated={() => {
          focus.current?.restore();
          cellRange.current?.onChange();
        }}
        onCellClicked={onCellClicked}
        onCellDoubleClicked={({ data, column, node, event }) => {
          const id = column.getColId();
          const isControl =
            id === selectColumn || id === actionsColumn || isReference(id) || toggleOf(getProps(), id) !== undefined;
          const inButton = event?.target instanceof Element && event.target.closest('button, a') !== null;
          const isToggled = data !== undefined && getProps().tree?.isGroup(data) && !getProps().tree?.opensGroups;
          if (isPhone() || data === undefined || node.rowPinned || isControl || inButton || isToggled) return;
          getProps().onOpen?.(data);
        }}
        onSortChanged={(event) => {
          if (event.source === 'api') return;
          const props = getProps();
          const chosen = sortsOf(event.api, props);
          const [first] = chosen;
          if (first) props.onSort?.(first);
          if (first) props.onSorts?.(() => chosen);
        }}
      />
    </div>
  );
}

/**
 * Whether a click hits the pencil of an editable cell (theme.css). The pencil is shown while the cell has the focus, at the
 * end where its text is not aligned.
 */
function isOnPencil({ target, clientX }: MouseEvent, pressed: Element | null): boolean {
  const cell = target instanceof Element ? target.closest('.ag-cell') : null;
  if (!cell || cell !== pressed) return false;
  const { left, right } = cell.getBoundingClientRect();
  return cell.classList.contains('cd-right') ? clientX < left + 20 : clientX > right - 20;
}

const isData = (id: string): boolean => id !== selectColumn && id !== actionsColumn;

/** Gives a cell with truncated text its full text as title (docs/specification.md §19.8). */
function setTitleIfTruncated(event: { target: EventTarget }): void {
  const cell =
    event.target instanceof Element ? event.target.closest<HTMLElement>('.ag-cell, .ag-header-cell-text') : null;
  if (!cell || cell.querySelector('button')) return;
  const clipped = cell.querySelector<HTMLElement>('.cd-clip, .cd-figure, .ag-cell-value') ?? cell;
  if (cell.closest('.cd-header-edited')) cell.title = `${cell.textContent}: F2 edits the cell`;
  else if (clipped.scrollWidth > clipped.clientWidth) cell.title = clipped.textContent ?? '';
  else cell.removeAttribute('title');
}
