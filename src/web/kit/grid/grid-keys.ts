import type { GridApi, IRowNode } from 'ag-grid-community';
import { actionsColumn, selectColumn, toggleOf, type GetProps } from './ag-columns.ts';
import { areRowsAwaited, holdForRows } from '../ui/awaited-rows.ts';
import { dispatchKey, isPressed } from '../ui/key-table.ts';
import type { CellRangeWatch } from './cell-range-start.ts';
import { kindLayouts } from './column-kinds.tsx';
import { copyFrom } from './grid-copy.ts';
import { cellKeys, headerKeys, rowKeys } from './grid-key-table.ts';
import type { DataGridProps } from './grid-props.ts';
import { isHeading } from './member-headings.ts';

/**
 * The key handlers of the grid (docs/keyboard.md §3). They run before AG Grid's own, which jumps to the first row on Home and
 * selects on Space where a checkbox is disabled. Ranges and copying exist only in AG Grid's paid version.
 */
export interface KeyTools<Row> {
  api: GridApi<Row>;
  getProps: GetProps<Row>;
  /** Shows a note beside the focused cell. Screen readers announce it. */
  showNote: (text: string) => void;
  /** The first row of a Shift range. Every plain selection moves it. */
  anchor: { id: string | undefined };
  /** The range of cells, which is not the selection of rows. */
  range: CellRangeWatch;
}

export function onGridKey<Row>(event: KeyboardEvent, tools: KeyTools<Row>): void {
  if (event.isComposing || !(event.target instanceof HTMLElement)) return;
  const used =
    waitsForRows(event) || (event.target.closest('.ag-header') ? onHeaderKey(event, tools) : onBodyKey(event, tools));
  if (!used) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Tab leaves the table and Escape clears the selection at once; the other keys act on rows. */
const { stop: _stop, clear: _clear, ...keysOnRows } = rowKeys;

/** Rows that are about to be replaced take no keys: these wait for the new rows. */
function waitsForRows(event: KeyboardEvent): boolean {
  if (!areRowsAwaited() || !Object.values(keysOnRows).some((entry) => isPressed(entry, event))) return false;
  return event.repeat || holdForRows(event);
}

function onHeaderKey<Row>(event: KeyboardEvent, { getProps }: KeyTools<Row>): boolean {
  if (!(event.target instanceof HTMLElement)) return false;
  if (event.target.closest(`[col-id="${selectColumn}"]`) === null) return false;
  return dispatchKey(headerKeys, event, {
    toggleAll: () => {
      const header = getProps().selection?.header;
      header?.onToggle(header.state !== 'all');
    },
  });
}

interface FocusedCell<Row> extends KeyTools<Row> {
  node: IRowNode<Row>;
  row: Row;
  index: number;
  column: string;
}

function onBodyKey<Row>(event: KeyboardEvent, tools: KeyTools<Row>): boolean {
  const { api, getProps } = tools;
  const { target } = event;
  const focused = api.getFocusedCell();
  if (!focused || !(target instanceof HTMLElement)) return false;
  const inside = target.closest('.ag-cell button, .ag-cell a, .ag-cell input');
  if (inside) return onInnerKey(event, inside, tools);

  const { rowIndex: index, rowPinned } = focused;
  const isEnd = event.key === 'End';
  const node = rowPinned ? undefined : api.getDisplayedRowAtIndex(index);
  /** Calls `act` for the focused row. Without a row, as on the totals, the key is not used. */
  const onRow = (act: (cell: FocusedCell<Row>) => boolean) => (): boolean =>
    node?.data === undefined
      ? false
      : act({ ...tools, node, row: node.data, index, column: focused.column.getColId() });

  return dispatchKey(rowKeys, event, {
    pageEdge: () => focusCell(tools, isEnd ? api.getDisplayedRowCount() - 1 : 0, edgeColumn(tools, isEnd)),
    rowEdge: () => !rowPinned && focusCell(tools, index, edgeColumn(tools, isEnd)),
    open: rowPinned ? () => followLink(target) : onRow((cell) => onEnter(target, cell)),
    edit: onRow(editCell),
    toggle: onRow((cell) => onSpace(event, cell)),
    selectTo: onRow((cell) => onSpace(event, cell)),
    range: onRow((cell) => extendRange(cell, event.key === 'ArrowDown' ? 1 : -1)),
    selectAll: onRow(({ range }) => {
      range.clear();
      getProps().selection?.onSelectAll?.();
      return getProps().selection?.onSelectAll !== undefined;
    }),
    cells: onRow(({ range }) => range.extend(event.key, false)),
    cellsEdge: onRow(({ range }) => range.extend(event.key, true)),
    clear: onRow(({ range }) => range.clear() || (getProps().selection?.onClear?.() ?? false)),
    copy: onRow((cell) => cell.range.copy() || copyFrom(cell)),
    sort: onRow(sortByColumn),
    expand: onRow(onRight),
    collapse: onRow(onLeft),
    expandAll: onRow(() => {
      getProps().tree?.onExpandAll();
      return getProps().tree !== undefined;
    }),
  });
}

/** Handles a key on a button or link inside a cell. */
function onInnerKey<Row>(event: KeyboardEvent, inside: Element, tools: KeyTools<Row>): boolean {
  const cell = inside.closest<HTMLElement>('.ag-cell');
  // The browser presses the button on Enter and Space; AG Grid must not see these keys.
  if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
  return dispatchKey(cellKeys, event, {
    walk: () => {
      const all = [...(cell?.querySelectorAll<HTMLElement>('button, a, input') ?? [])];
      const at = all.findIndex((item) => item === inside);
      all[at + (event.key === 'ArrowRight' ? 1 : -1)]?.focus();
    },
    back: () => cell?.focus(),
    row: () => {
      const focused = tools.api.getFocusedCell();
      cell?.focus();
      if (focused) {
        const step = event.key === 'ArrowDown' ? 1 : -1;
        focusCell(tools, besideIndex(tools.api, focused.rowIndex, step), focused.column.getColId());
      }
    },
  });
}

function onEnter<Row>(target: HTMLElement, cell: FocusedCell<Row>): boolean {
  const { tree, onOpen } = cell.getProps();
  if (cell.column === actionsColumn) {
    target.closest('.ag-cell')?.querySelector<HTMLElement>('button')?.focus();
    return true;
  }
  if (followLink(target)) return true;
  if (tree?.isGroup(cell.row) && !tree.opensGroups) {
    tree.onToggle(cell.row, !tree.isExpanded(cell.row));
    return true;
  }
  onOpen?.(cell.row);
  return onOpen !== undefined;
}

/** Opens the cell's editor. In a cell without one the key is left to the screen. */
function editCell<Row>({ getProps, row, column }: FocusedCell<Row>): boolean {
  const { editing } = getProps();
  if (!editing?.columns.includes(column)) return false;
  editing.onEdit(row, column);
  return true;
}

/** Follows the link in the cell. If there are several, the first gets the focus, as with buttons. */
function followLink(target: HTMLElement): boolean {
  const links = target.closest('.ag-cell')?.querySelectorAll<HTMLElement>('a[href]');
  const first = links?.[0];
  if (!first) return false;
  if (links.length > 1) first.focus();
  else first.click();
  return true;
}

function onSpace<Row>(event: KeyboardEvent, cell: FocusedCell<Row>): boolean {
  const { selection, tree } = cell.getProps();
  const isGroup = tree?.isGroup(cell.row) ?? false;
  const toggle = isGroup || event.shiftKey ? undefined : toggleOf(cell.getProps(), cell.column);
  if (toggle) {
    const reason = toggle.disabledReason?.(cell.row);
    if (reason) cell.showNote(reason);
    else if (!toggle.isPending?.(cell.row) && !event.repeat) toggle.onToggle(cell.row, !toggle.isOn(cell.row));
    return true;
  }
  if (!selection) return true;
  const reason = selection.disabledReason?.(cell.row);
  if (reason) {
    cell.showNote(reason);
    return true;
  }
  if (event.shiftKey) {
    selection.setRows(rangeTo(cell), true);
    return true;
  }
  cell.anchor.id = cell.node.id;
  if (!event.repeat) selection.setRows([cell.row], selection.stateOf(cell.row) !== 'all');
  return true;
}

/** The rows from the anchor to the focused row, both included. */
export function rangeTo<Row>(cell: Pick<FocusedCell<Row>, 'api' | 'anchor' | 'index' | 'row'>): Row[] {
  const anchor = cell.anchor.id === undefined ? undefined : cell.api.getRowNode(cell.anchor.id)?.rowIndex;
  if (anchor === undefined || anchor === null) return [cell.row];
  const rows: Row[] = [];
  for (let index = Math.min(anchor, cell.index); index <= Math.max(anchor, cell.index); index += 1) {
    const row = cell.api.getDisplayedRowAtIndex(index)?.data;
    if (row !== undefined && !isHeading(row)) rows.push(row);
  }
  return rows;
}

/** Shift with an arrow: moving away from the anchor extends the range, moving towards it shrinks the range. */
function extendRange<Row>(cell: FocusedCell<Row>, step: 1 | -1): boolean {
  const { selection } = cell.getProps();
  if (!selection) return false;
  const known = cell.anchor.id === undefined ? undefined : cell.api.getRowNode(cell.anchor.id)?.rowIndex;
  if (known === undefined || known === null || !isInRange(cell, known)) cell.anchor.id = cell.node.id;
  const anchor = known ?? cell.index;
  const nextIndex = besideIndex(cell.api, cell.index, step);
  const next = cell.api.getDisplayedRowAtIndex(nextIndex);
  if (!next || next.data === undefined) {
    if (!isPassedOver(cell.row, cell.getProps())) selection.setRows([cell.row], true);
    return true;
  }
  const isShrinking = Math.abs(nextIndex - anchor) < Math.abs(cell.index - anchor) && cell.anchor.id !== cell.node.id;
  if (!isShrinking) selection.setRows([cell.row, next.data], true);
  else if (!isPassedOver(cell.row, cell.getProps())) selection.setRows([cell.row], false);
  return focusCell(cell, nextIndex, cell.column);
}

/** The row below or above: the headings of members are passed over. */
export function besideIndex<Row>(api: GridApi<Row>, index: number, step: 1 | -1): number {
  return index + (isHeading(api.getDisplayedRowAtIndex(index + step)?.data) ? 2 * step : step);
}

/** A range passes over an expanded group, whose members are rows of their own, and over rows that cannot be selected. */
function isPassedOver<Row>(row: Row, { selection, tree }: DataGridProps<Row>): boolean {
  return (
    isHeading(row) || (tree?.isGroup(row) && tree.isExpanded(row)) || selection?.disabledReason?.(row) !== undefined
  );
}

/** Whether the range from the anchor reaches the focused row: the first row towards the anchor that can say so is selected. */
function isInRange<Row>({ api, getProps, index }: FocusedCell<Row>, anchor: number): boolean {
  const props = getProps();
  const step = Math.sign(anchor - index);
  for (let at = index; at !== anchor; at += step) {
    const row = api.getDisplayedRowAtIndex(at)?.data;
    if (row !== undefined && !isPassedOver(row, props)) return props.selection?.stateOf(row) === 'all';
  }
  const row = api.getDisplayedRowAtIndex(anchor)?.data;
  return row !== undefined && (isPassedOver(row, props) || props.selection?.stateOf(row) === 'all');
}

function sortByColumn<Row>({ getProps, column, showNote }: FocusedCell<Row>): boolean {
  const { columns, onSorts } = getProps();
  if (!onSorts) return false;
  const found = columns.find(({ key }) => key === column);
  const key = found?.sortKey;
  if (key === undefined) showNote('The list cannot be sorted by this column.');
  else {
    const first = kindLayouts[found?.kind ?? 'text'].descFirst ? 'desc' : 'asc';
    onSorts((now) =>
      now.some((sort) => sort.key === key)
        ? now.map((sort) => (sort.key === key ? { key, order: sort.order === 'asc' ? 'desc' : 'asc' } : sort))
        : [...now, { key, order: first }],
    );
  }
  return true;
}

function onRight<Row>(cell: FocusedCell<Row>): boolean {
  const { tree } = cell.getProps();
  if (!tree?.isGroup(cell.row) || tree.isExpanded(cell.row)) return false;
  tree.onToggle(cell.row, true);
  return true;
}

function onLeft<Row>(cell: FocusedCell<Row>): boolean {
  const { tree } = cell.getProps();
  if (!tree) return false;
  if (tree.isGroup(cell.row)) {
    if (!tree.isExpanded(cell.row)) return false;
    tree.onToggle(cell.row, false);
    return true;
  }
  if (cell.column !== edgeColumn(cell, false)) return false;
  const groupId = tree.groupIdOf(cell.row);
  const group = groupId === undefined ? undefined : cell.api.getRowNode(groupId)?.rowIndex;
  return group === undefined || group === null ? false : focusCell(cell, group, cell.column);
}

function edgeColumn<Row>({ api }: Pick<KeyTools<Row>, 'api'>, isEnd: boolean): string {
  const all = api.getAllDisplayedColumns();
  return (isEnd ? all.at(-1) : all[0])?.getColId() ?? '';
}

/** Scrolls to the cell and focuses it. An index outside the page changes nothing; the key counts as used either way. */
export function focusCell<Row>({ api }: Pick<KeyTools<Row>, 'api'>, index: number, column: string): boolean {
  if (index < 0 || index >= api.getDisplayedRowCount()) return true;
  api.ensureIndexVisible(index);
  if (column) api.ensureColumnVisible(column);
  api.setFocusedCell(index, column || edgeColumn({ api }, false));
  return true;
}
