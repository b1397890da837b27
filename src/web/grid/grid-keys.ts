import type { GridApi, IRowNode } from 'ag-grid-community';
import { actionsColumn, selectColumn, toggleOf, type Live } from './ag-columns.ts';
import { dispatchKey } from '../ui/key-table.ts';
import { kindLooks } from './column-kinds.tsx';
import { copyFrom } from './grid-copy.ts';
import { cellKeys, headerKeys, rowKeys } from './grid-key-table.ts';

/**
 * What the grid's keys do (docs/keyboard.md §3). They are taken before AG Grid sees them, since it jumps to the first row on
 * Home, selects on Space where a box is disabled, and knows neither ranges nor copying without its paid part.
 */
export interface KeyTools<Row> {
  api: GridApi<Row>;
  live: Live<Row>;
  /** Shows and reads out one sentence beside the focused cell. */
  say: (text: string) => void;
  /** Where a range of Shift began; changed by every plain selection. */
  anchor: { id: string | undefined };
}

export function onGridKey<Row>(event: KeyboardEvent, tools: KeyTools<Row>): void {
  if (event.isComposing || !(event.target instanceof HTMLElement)) return;
  const used = event.target.closest('.ag-header') ? onHeaderKey(event, tools) : onBodyKey(event, tools);
  if (!used) return;
  event.preventDefault();
  event.stopPropagation();
}

function onHeaderKey<Row>(event: KeyboardEvent, { live }: KeyTools<Row>): boolean {
  if (!(event.target instanceof HTMLElement)) return false;
  if (event.target.closest(`[col-id="${selectColumn}"]`) === null) return false;
  return dispatchKey(headerKeys, event, {
    toggleAll: () => {
      const header = live().selection?.header;
      header?.onToggle(header.state !== 'all');
    },
  });
}

interface Spot<Row> extends KeyTools<Row> {
  node: IRowNode<Row>;
  row: Row;
  index: number;
  column: string;
}

function onBodyKey<Row>(event: KeyboardEvent, tools: KeyTools<Row>): boolean {
  const { api, live } = tools;
  const { target } = event;
  const focused = api.getFocusedCell();
  if (!focused || !(target instanceof HTMLElement)) return false;
  const inside = target.closest('.ag-cell button, .ag-cell a, .ag-cell input');
  if (inside) return onInnerKey(event, inside, tools);

  const { rowIndex: index, rowPinned } = focused;
  const isEnd = event.key === 'End';
  const node = rowPinned ? undefined : api.getDisplayedRowAtIndex(index);
  /** Does it to the row in focus; on the totals, and where there is none, the key is not used. */
  const onRow = (act: (spot: Spot<Row>) => boolean) => (): boolean =>
    node?.data === undefined
      ? false
      : act({ ...tools, node, row: node.data, index, column: focused.column.getColId() });

  return dispatchKey(rowKeys, event, {
    pageEdge: () => focusCell(tools, isEnd ? api.getDisplayedRowCount() - 1 : 0, edgeColumn(tools, isEnd)),
    rowEdge: () => !rowPinned && focusCell(tools, index, edgeColumn(tools, isEnd)),
    open: rowPinned ? () => followLink(target) : onRow((spot) => onEnter(target, spot)),
    edit: onRow(editCell),
    toggle: onRow((spot) => onSpace(event, spot)),
    selectTo: onRow((spot) => onSpace(event, spot)),
    range: onRow((spot) => extendRange(spot, event.key === 'ArrowDown' ? 1 : -1)),
    selectAll: onRow(() => {
      live().selection?.onSelectAll?.();
      return live().selection?.onSelectAll !== undefined;
    }),
    clear: onRow(() => live().selection?.onClear?.() ?? false),
    copy: onRow(copyFrom),
    sort: onRow(sortByColumn),
    expand: onRow(onRight),
    collapse: onRow(onLeft),
    expandAll: onRow(() => {
      live().tree?.onExpandAll();
      return live().tree !== undefined;
    }),
  });
}

/** Among the buttons of a cell. */
function onInnerKey<Row>(event: KeyboardEvent, inside: Element, tools: KeyTools<Row>): boolean {
  const cell = inside.closest<HTMLElement>('.ag-cell');
  // Enter and Space press the button itself; AG Grid must not see them.
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
        focusCell(tools, focused.rowIndex + (event.key === 'ArrowDown' ? 1 : -1), focused.column.getColId());
      }
    },
  });
}

function onEnter<Row>(target: HTMLElement, spot: Spot<Row>): boolean {
  const { tree, onOpen } = spot.live();
  if (spot.column === actionsColumn) {
    target.closest('.ag-cell')?.querySelector<HTMLElement>('button')?.focus();
    return true;
  }
  if (followLink(target)) return true;
  if (tree?.isGroup(spot.row) && !tree.opensGroups) {
    tree.onToggle(spot.row, !tree.isExpanded(spot.row));
    return true;
  }
  onOpen?.(spot.row);
  return onOpen !== undefined;
}

/** Where the cell has no editor, the key is the screen's. */
function editCell<Row>({ live, row, column }: Spot<Row>): boolean {
  const { editing } = live();
  if (!editing?.columns.includes(column)) return false;
  editing.onEdit(row, column);
  return true;
}

/** A figure that is a link: Enter on its cell follows it; of several, the first takes the focus, as buttons do. */
function followLink(target: HTMLElement): boolean {
  const links = target.closest('.ag-cell')?.querySelectorAll<HTMLElement>('a[href]');
  const first = links?.[0];
  if (!first) return false;
  if (links.length > 1) first.focus();
  else first.click();
  return true;
}

function onSpace<Row>(event: KeyboardEvent, spot: Spot<Row>): boolean {
  const { selection, tree } = spot.live();
  const isGroup = tree?.isGroup(spot.row) ?? false;
  const toggle = isGroup || event.shiftKey ? undefined : toggleOf(spot.live(), spot.column);
  if (toggle) {
    const reason = toggle.disabledReason?.(spot.row);
    if (reason) spot.say(reason);
    else if (!toggle.isPending?.(spot.row) && !event.repeat) toggle.onToggle(spot.row, !toggle.isOn(spot.row));
    return true;
  }
  if (!selection) return true;
  const reason = selection.disabledReason?.(spot.row);
  if (reason) {
    spot.say(reason);
    return true;
  }
  if (event.shiftKey) {
    selection.setRows(rangeTo(spot), true);
    return true;
  }
  spot.anchor.id = spot.node.id;
  if (!event.repeat) selection.setRows([spot.row], selection.stateOf(spot.row) !== 'all');
  return true;
}

/** The rows from the anchor to the focused row, both included. */
export function rangeTo<Row>(spot: Pick<Spot<Row>, 'api' | 'anchor' | 'index' | 'row'>): Row[] {
  const anchor = spot.anchor.id === undefined ? undefined : spot.api.getRowNode(spot.anchor.id)?.rowIndex;
  if (anchor === undefined || anchor === null) return [spot.row];
  const rows: Row[] = [];
  for (let index = Math.min(anchor, spot.index); index <= Math.max(anchor, spot.index); index += 1) {
    const row = spot.api.getDisplayedRowAtIndex(index)?.data;
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Shift with an arrow: the range grows away from its anchor and shrinks towards it, and the focus goes along. */
function extendRange<Row>(spot: Spot<Row>, step: 1 | -1): boolean {
  const { selection } = spot.live();
  if (!selection) return false;
  const known = spot.anchor.id === undefined ? undefined : spot.api.getRowNode(spot.anchor.id)?.rowIndex;
  if (known === undefined || known === null || selection.stateOf(spot.row) !== 'all') spot.anchor.id = spot.node.id;
  const anchor = known ?? spot.index;
  const next = spot.api.getDisplayedRowAtIndex(spot.index + step);
  if (!next || next.data === undefined) {
    selection.setRows([spot.row], true);
    return true;
  }
  const isShrinking =
    Math.abs(spot.index + step - anchor) < Math.abs(spot.index - anchor) && spot.anchor.id !== spot.node.id;
  if (isShrinking) selection.setRows([spot.row], false);
  else selection.setRows([spot.row, next.data], true);
  return focusCell(spot, spot.index + step, spot.column);
}

function sortByColumn<Row>({ live, column, say }: Spot<Row>): boolean {
  const { columns, onSorts } = live();
  if (!onSorts) return false;
  const found = columns.find(({ key }) => key === column);
  const key = found?.sortKey;
  if (key === undefined) say('The list cannot be sorted by this column.');
  else {
    const first = kindLooks[found?.kind ?? 'text'].descFirst ? 'desc' : 'asc';
    onSorts((now) =>
      now.some((sort) => sort.key === key)
        ? now.map((sort) => (sort.key === key ? { key, order: sort.order === 'asc' ? 'desc' : 'asc' } : sort))
        : [...now, { key, order: first }],
    );
  }
  return true;
}

function onRight<Row>(spot: Spot<Row>): boolean {
  const { tree } = spot.live();
  if (!tree?.isGroup(spot.row) || tree.isExpanded(spot.row)) return false;
  tree.onToggle(spot.row, true);
  return true;
}

function onLeft<Row>(spot: Spot<Row>): boolean {
  const { tree } = spot.live();
  if (!tree) return false;
  if (tree.isGroup(spot.row)) {
    if (!tree.isExpanded(spot.row)) return false;
    tree.onToggle(spot.row, false);
    return true;
  }
  if (spot.column !== edgeColumn(spot, false)) return false;
  const groupId = tree.groupIdOf(spot.row);
  const group = groupId === undefined ? undefined : spot.api.getRowNode(groupId)?.rowIndex;
  return group === undefined || group === null ? false : focusCell(spot, group, spot.column);
}

function edgeColumn<Row>({ api }: Pick<KeyTools<Row>, 'api'>, isEnd: boolean): string {
  const all = api.getAllDisplayedColumns();
  return (isEnd ? all.at(-1) : all[0])?.getColId() ?? '';
}

/** Scrolls there and puts the focus on the cell. true when there is such a row. */
export function focusCell<Row>({ api }: Pick<KeyTools<Row>, 'api'>, index: number, column: string): boolean {
  if (index < 0 || index >= api.getDisplayedRowCount()) return true;
  api.ensureIndexVisible(index);
  if (column) api.ensureColumnVisible(column);
  api.setFocusedCell(index, column || edgeColumn({ api }, false));
  return true;
}
