import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { AgGridReact } from 'ag-grid-react';
import type { CellClickedEvent, ColDef, GridApi } from 'ag-grid-community';
import { isFocusElsewhere } from '../ui/dialog-stack.ts';
import { actionsColumn, buildColumns, selectColumn, shapeOf, toggleOf, type Live } from './ag-columns.ts';
import { gridLook, gutter } from './ag-modules.ts';
import { labelRow, sortsOf, useMutedRows, useRepaint, useSelectedRows, useSort, useTree } from './ag-effects.ts';
import { GridFocus } from './grid-focus.ts';
import { onGridKey, rangeTo, type KeyTools } from './grid-keys.ts';
import type { DataGridProps } from './grid-props.ts';
import { columnMemory, looksTaken, rowHeights, type Density, type SavedColumn } from './grid-settings.ts';

/** What the view menu may ask of the table. */
export interface TableControls {
  /** In the grid's order. */
  columns: () => { id: string; label: string; isShown: boolean; isPinned: boolean }[];
  show: (id: string, isShown: boolean) => void;
  pin: (id: string, isPinned: boolean) => void;
  /** Past the next shown column; false: there is none. */
  move: (id: string, step: 1 | -1) => boolean;
  widen: (id: string, pixels: number) => void;
  reset: () => void;
}

interface AgTableProps<Row> {
  grid: DataGridProps<Row>;
  density: Density;
  storagePrefix: string;
  onControls: (controls: TableControls) => void;
  /** One sentence beside a cell, read out too. */
  say: (text: string, at: Element | null) => void;
}

const defaultColDef: ColDef = { resizable: true, editable: false, suppressHeaderContextMenu: true };
/** The one place where AG Grid is used; its own chunk. Everything it shows and does comes from the props of DataGrid. */
export default function AgTable<Row>({ grid, density, storagePrefix, onControls, say }: AgTableProps<Row>) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(grid);
  const [api, setApi] = useState<GridApi<Row>>();
  const repaints = useRef(new Set<() => void>());
  const focus = useRef<GridFocus<Row>>(undefined);
  /** What was asked for before the grid stood: a row, or the first one and from where. */
  const early = useRef<{ id: string; column: string | undefined } | Element>(undefined);
  const anchor = useRef<{ id: string | undefined }>({ id: undefined });
  /** The cell that had the focus before the mouse was pressed. */
  const pressed = useRef<Element>(null);

  useLayoutEffect(() => {
    latest.current = grid;
  });

  const [live] = useState<Live<Row>>(() => () => latest.current);
  const [onSelectionChange] = useState(() => (repaint: () => void) => {
    repaints.current.add(repaint);
    return () => void repaints.current.delete(repaint);
  });

  const { memoryKey } = grid;
  const shape = JSON.stringify(shapeOf(grid));
  const { columns } = grid;
  const columnDefs = useMemo(
    () => buildColumns(columns, JSON.parse(shape) as ReturnType<typeof shapeOf>, live, onSelectionChange),
    [columns, shape, live, onSelectionChange],
  );
  const rowData = useMemo(() => (grid.rows ? [...grid.rows] : undefined), [grid.rows]);
  const hasTotals = grid.totals !== undefined && (grid.rows?.length ?? 0) > 0;
  const totals = JSON.stringify(grid.totals ?? null) + (grid.totalsLabel ?? '');
  // The pinned row's texts come from the props; its data only has to be a new object when they change.
  const pinnedBottomRowData = useMemo(() => (hasTotals ? [{ totals }] : []), [hasTotals, totals]);

  useSort(api, grid);
  useRepaint(api, grid, repaints);
  useSelectedRows(api, host, grid);
  useMutedRows(api, host, grid);
  useTree(api, host, grid);

  const focusedRow = useCallback((): Row | undefined => {
    const cell = api?.getFocusedCell();
    return cell && !cell.rowPinned ? api?.getDisplayedRowAtIndex(cell.rowIndex)?.data : undefined;
  }, [api]);

  useImperativeHandle(
    grid.ref,
    () => ({
      focusRow: (id, column) => {
        if (focus.current) return focus.current.focusRow(id, column);
        early.current = { id, column };
        return false;
      },
      focusFirstRow: (column) => {
        if (focus.current) focus.current.enter(column);
        else early.current = document.activeElement ?? undefined;
      },
      focusedRow,
      rowInHand: () => {
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
        api?.applyColumnState({ state: [...columns], applyOrder: true });
        if (api && memoryKey !== undefined) columnMemory.write(storagePrefix, memoryKey, savedColumns(api));
      },
      neighbourId: (id) => {
        const index = api?.getRowNode(id)?.rowIndex;
        if (!api || index === undefined || index === null) return undefined;
        return (api.getDisplayedRowAtIndex(index + 1) ?? api.getDisplayedRowAtIndex(index - 1))?.id;
      },
    }),
    [api, focusedRow, memoryKey, storagePrefix],
  );

  useEffect(() => {
    const element = host.current;
    if (!api || !element) return undefined;
    const place = new GridFocus<Row>(element, api);
    focus.current = place;
    const stop = place.watch();
    if (early.current instanceof Element) {
      // Whoever has gone on from there meanwhile stays where they are.
      if (document.activeElement === early.current) place.enter();
    } else if (early.current && !isFocusElsewhere(element)) place.focusRow(early.current.id, early.current.column);
    early.current = undefined;
    const tools: KeyTools<Row> = {
      api,
      live,
      anchor: anchor.current,
      say: (text) => say(text, document.activeElement),
    };
    const onKey = (event: KeyboardEvent): void => onGridKey(event, tools);
    element.addEventListener('keydown', onKey, true);
    return () => {
      stop();
      element.removeEventListener('keydown', onKey, true);
    };
  }, [api, live, say]);

  const isSelectable = grid.selection !== undefined;
  useEffect(() => {
    if (!api) return;
    const root = host.current?.querySelector('[role="grid"], [role="treegrid"]');
    root?.setAttribute('aria-label', grid.label);
    root?.setAttribute('role', grid.tree ? 'treegrid' : 'grid');
    if (isSelectable) root?.setAttribute('aria-multiselectable', 'true');
  }, [api, grid.label, grid.tree, isSelectable]);

  const save = useCallback((): void => {
    if (api && memoryKey !== undefined) columnMemory.write(storagePrefix, memoryKey, savedColumns(api));
  }, [api, memoryKey, storagePrefix]);

  useEffect(() => {
    if (!api || memoryKey === undefined) return undefined;
    return looksTaken.subscribe((key) => {
      if (key !== memoryKey) return;
      const saved = columnMemory.read(storagePrefix, memoryKey);
      if (saved) api.applyColumnState({ state: saved, applyOrder: true });
      else api.resetColumnState();
    });
  }, [api, memoryKey, storagePrefix]);

  useEffect(() => {
    if (!api) return;
    onControls({
      columns: () =>
        api.getColumnState().flatMap(({ colId, hide, pinned }) => {
          const column = latest.current.columns.find(({ key }) => key === colId);
          return column ? [{ id: colId, label: column.label, isShown: !hide, isPinned: Boolean(pinned) }] : [];
        }),
      show: (id, isShown) => {
        api.setColumnsVisible([id], isShown);
        save();
      },
      pin: (id, isPinned) => {
        const { flex = null } = api.getColumn(id)?.getColDef() ?? {};
        api.applyColumnState({
          state: [{ colId: id, pinned: isPinned ? 'left' : null, flex: isPinned ? null : flex }],
        });
        save();
      },
      move: (id, step) => {
        const place = api.getColumn(id)?.getPinned();
        const beside = api
          .getAllDisplayedColumns()
          .filter((column) => column.getPinned() === place && isData(column.getColId()));
        const to = beside[beside.findIndex((column) => column.getColId() === id) + step];
        if (!to || !api.getColumn(id)?.isVisible()) return false;
        api.moveColumns([id], api.getAllGridColumns().indexOf(to));
        save();
        return true;
      },
      widen: (id, pixels) => {
        const column = api.getColumn(id);
        const width = Math.max(column?.getMinWidth() ?? 40, (column?.getActualWidth() ?? 100) + pixels);
        api.setColumnWidths([{ key: id, newWidth: width }]);
        save();
      },
      reset: () => {
        if (memoryKey !== undefined) columnMemory.write(storagePrefix, memoryKey, null);
        api.resetColumnState();
      },
    });
  }, [api, memoryKey, onControls, save, storagePrefix]);

  // Only what the user did: widths that follow the window are not a choice.
  const onColumnChange = (event: { source: string; finished?: boolean }): void => {
    if (event.finished !== false && (event.source.startsWith('ui') || event.source === 'autosizeColumns')) save();
  };

  const onCellClicked = ({ api: at, column, data, event, node }: CellClickedEvent<Row>): void => {
    const props = live();
    const target = event?.target;
    if (data === undefined || node.rowPinned || !(target instanceof Element)) return;
    const id = column.getColId();
    if (id === selectColumn && props.selection) {
      const { selection } = props;
      const reason = selection.disabledReason?.(data);
      if (reason) return say(reason, target);
      if (event instanceof MouseEvent && event.shiftKey) {
        const spot = { api: at, anchor: anchor.current, index: node.rowIndex ?? 0, row: data };
        return selection.setRows(rangeTo(spot), true);
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
      if (reason) return say(reason, target);
      if (!toggle.isPending?.(data)) toggle.onToggle(data, !toggle.isOn(data));
    } else if (isReference(id) && event instanceof MouseEvent && event.detail < 2) {
      // The first click of a double click has opened it already.
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
      onMouseOver={titleWhenCut}
      onFocus={titleWhenCut}
      onMouseDownCapture={() => {
        pressed.current = document.activeElement;
      }}
    >
      <AgGridReact<Row>
        {...gridLook}
        columnDefs={columnDefs}
        defaultColDef={defaultColDef}
        rowData={rowData ?? null}
        pinnedBottomRowData={pinnedBottomRowData}
        getRowId={({ data, rowPinned }) => (rowPinned ? 'totals' : live().keyOf(data))}
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
        // Rows that come make the grid longer: its last column must not come to lie under a new scroll bar.
        alwaysShowVerticalScroll={grid.tree !== undefined || grid.pager !== undefined}
        scrollbarWidth={gutter}
        focusGridInnerElement={() => focus.current?.enter() ?? false}
        rowClassRules={{
          'cd-group-row': ({ data }) => data !== undefined && (live().tree?.isGroup(data) ?? false),
        }}
        processRowPostCreate={(params) => labelRow(params, live)}
        onGridReady={(event) => {
          // Before the first drawing, so that no column is seen moving to its place.
          const saved = memoryKey === undefined ? null : columnMemory.read(storagePrefix, memoryKey);
          if (saved) event.api.applyColumnState({ state: saved, applyOrder: true });
          setApi(event.api);
        }}
        onColumnMoved={onColumnChange}
        onColumnResized={onColumnChange}
        onCellFocused={() => focus.current?.remember()}
        onRowDataUpdated={() => focus.current?.restore()}
        onCellClicked={onCellClicked}
        onCellDoubleClicked={({ data, column, node, event }) => {
          const id = column.getColId();
          const isControl =
            id === selectColumn || id === actionsColumn || isReference(id) || toggleOf(live(), id) !== undefined;
          const inButton = event?.target instanceof Element && event.target.closest('button, a') !== null;
          const isToggled = data !== undefined && live().tree?.isGroup(data) && !live().tree?.opensGroups;
          if (data === undefined || node.rowPinned || isControl || inButton || isToggled) return;
          live().onOpen?.(data);
        }}
        onSortChanged={(event) => {
          if (event.source === 'api') return;
          const props = live();
          const chosen = sortsOf(event.api, props);
          const [first] = chosen;
          if (first) props.onSort?.(first);
          if (first) props.onSorts?.(() => chosen);
        }}
      />
    </div>
  );
}

/** The sign of a cell that can be edited (theme.css): it is there while the cell has the focus, where no text ends. */
function isOnPencil({ target, clientX }: MouseEvent, pressed: Element | null): boolean {
  const cell = target instanceof Element ? target.closest('.ag-cell') : null;
  if (!cell || cell !== pressed) return false;
  const { left, right } = cell.getBoundingClientRect();
  return cell.classList.contains('cd-right') ? clientX < left + 20 : clientX > right - 20;
}

const isData = (id: string): boolean => id !== selectColumn && id !== actionsColumn;

const savedColumns = <Row,>(api: GridApi<Row>): SavedColumn[] =>
  api.getColumnState().map(({ colId, width, flex, hide, pinned }) => ({
    colId,
    width: width ?? 100,
    flex: flex ?? null,
    hide: hide ?? false,
    pinned: pinned === true ? 'left' : pinned || null,
  }));

/** A cell whose text does not fit shows all of it in its title (docs/specification.md §19.8). */
function titleWhenCut(event: { target: EventTarget }): void {
  const cell =
    event.target instanceof Element ? event.target.closest<HTMLElement>('.ag-cell, .ag-header-cell-text') : null;
  if (!cell || cell.querySelector('button')) return;
  const clipped = cell.querySelector<HTMLElement>('.cd-clip, .cd-figure, .ag-cell-value') ?? cell;
  if (cell.closest('.cd-header-edited')) cell.title = `${cell.textContent}: F2 edits the cell`;
  else if (clipped.scrollWidth > clipped.clientWidth) cell.title = clipped.textContent ?? '';
  else cell.removeAttribute('title');
}
