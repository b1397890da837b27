import type { ColDef, ColSpanParams, ICellRendererParams, ValueGetterParams } from 'ag-grid-community';
import { cellValue, mapCell, type Column } from '../../shared/columns/define.ts';
import { ActionsCell, CustomCellView, CustomTotalView } from './action-cells.tsx';
import { FigureRenderer, SelectHeader, SelectRenderer, StatusRenderer, TagRenderer, ToggleRenderer } from './cells.ts';
import { kindLooks, shownText } from './column-kinds.tsx';
import type { DataGridProps } from './grid-props.ts';
import { initialColumn } from './grid-settings.ts';
import { headingOf, totalText } from './totals.ts';

export const selectColumn = 'grid-select';
export const actionsColumn = 'grid-actions';

/** The latest props, read by cells when they draw: changed handlers and selections need no new columns. */
export type Live<Row> = () => DataGridProps<Row>;

/** Whether AG Grid draws the pinned row of totals. */
const isTotals = (params: { node?: { rowPinned?: unknown } | null }): boolean => Boolean(params.node?.rowPinned);

interface Shape {
  hasSelection: boolean;
  /** Pixels of the column of buttons; 0: there is none. */
  actionsWidth: number;
  /** Columns that page code draws, in a form that changes only when their set does. */
  custom: string;
  /** Columns whose cells have editors. */
  edited: readonly string[];
  isSortable: boolean;
  isTree: boolean;
}

export const shapeOf = <Row>(props: DataGridProps<Row>): Shape => ({
  hasSelection: props.selection !== undefined,
  actionsWidth: actionsWidth(props.rowActions ?? []),
  custom: Object.keys(props.cells ?? {}).join(),
  edited: props.editing?.columns ?? [],
  isSortable: props.onSort !== undefined || props.onSorts !== undefined,
  isTree: props.tree !== undefined,
});

export function buildColumns<Row>(
  columns: readonly Column<Row>[],
  shape: Shape,
  live: Live<Row>,
  onSelectionChange: (repaint: () => void) => () => void,
): ColDef<Row>[] {
  const made = columns.map((column) => dataColumn(column, shape, live));
  if (shape.hasSelection) made.unshift(selectDef(live, onSelectionChange));
  if (shape.actionsWidth > 0) made.push(actionsDef(shape.actionsWidth, live));
  return made;
}

const fixed = {
  sortable: false,
  resizable: false,
  suppressMovable: true,
  lockPinned: true,
  suppressHeaderMenuButton: true,
} satisfies ColDef;

function selectDef<Row>(live: Live<Row>, onChange: (repaint: () => void) => () => void): ColDef<Row> {
  const selection = () => live().selection;
  return {
    ...fixed,
    colId: selectColumn,
    headerName: 'Select',
    width: 42,
    pinned: 'left',
    lockPosition: 'left',
    cellClass: 'cd-center',
    headerComponent: SelectHeader,
    headerComponentParams: { selection, onChange },
    cellRendererSelector: (params) =>
      isTotals(params) ? undefined : { component: SelectRenderer, params: { selection } },
  };
}

/** A sign is 29 pixels wide; one with its words about seven more for each letter. */
function actionsWidth(actions: readonly { label: string; showLabel?: boolean }[]): number {
  if (actions.length === 0) return 0;
  const widths = actions.map(({ label, showLabel }) => (showLabel ? 45 + label.length * 6.5 : 29));
  // The heading needs as much as two buttons and a half.
  return Math.max(76, 16 + Math.ceil(widths.reduce((sum, width) => sum + width, 0)));
}

function actionsDef<Row>(width: number, live: Live<Row>): ColDef<Row> {
  return {
    ...fixed,
    colId: actionsColumn,
    headerName: 'Actions',
    width,
    pinned: 'right',
    lockPosition: 'right',
    cellClass: 'cd-actions',
    cellRendererSelector: (params) =>
      isTotals(params) ? undefined : { component: ActionsCell, params: { actions: () => live().rowActions ?? [] } },
  };
}

function dataColumn<Row>(column: Column<Row>, shape: Shape, live: Live<Row>): ColDef<Row> {
  const look = kindLooks[column.kind];
  const isSortable = shape.isSortable && column.sortKey !== undefined;
  const isFigure = look.align === 'right';
  const isEdited = shape.edited.includes(column.key);
  const heading = headingOf(live(), column);
  const { pinned, hide } = initialColumn(column);
  const groupCell = (row: Row) => {
    const tree = live().tree;
    return tree?.isGroup(row) ? { cell: tree.cells[column.key] } : undefined;
  };
  return {
    colId: column.key,
    headerName: heading,
    ...widthOf({ ...column, label: heading }, isSortable),
    wrapHeaderText: true,
    pinned,
    // Not drawn and not filled until it is shown.
    initialHide: hide,
    lockPinned: true,
    sortable: isSortable,
    // The server sorts (docs/specification.md §3.4); the grid only shows by what.
    comparator: () => 0,
    sortingOrder: look.descFirst ? ['desc', 'asc'] : ['asc', 'desc'],
    suppressHeaderMenuButton: true,
    headerClass: [
      look.align === 'right' ? 'cd-header-right' : look.align === 'center' ? 'cd-header-center' : '',
      isEdited ? 'cd-header-edited' : '',
    ],
    cellClass: [look.className ?? '', `cd-${look.align}`, isEdited ? 'cd-edited' : ''],
    cellClassRules: {
      ...(isEdited && {
        'cd-not-saved': ({ node, data }) =>
          data !== undefined && live().editing?.problemOf(node.id ?? '', column.key) !== undefined,
      }),
      'cd-empty': (params) => !isTotals(params) && params.data !== undefined && isEmptyCell(column, params.data, live),
      'cd-custom': (params) => !isTotals(params) && customOf(live(), column.key) !== undefined,
      'cd-negative': (params) => look.align === 'right' && String(params.value ?? '').startsWith('-'),
      // What a sum beside it may reach over.
      'cd-blank': (params) =>
        isTotals(params) && (params.value ?? '') === '' && customOf(live(), column.key)?.total === undefined,
      'cd-group-cell': (params) =>
        params.data !== undefined && !isTotals(params) && groupCell(params.data) !== undefined,
    },
    valueGetter: (params: ValueGetterParams<Row>) => {
      if (isTotals(params)) return totalText(column, live());
      return params.data === undefined ? '' : textOf(column, params.data, live);
    },
    ...(shape.isTree
      ? {
          colSpan: (params) => {
            const span = params.data !== undefined && !isTotals(params) ? (groupCell(params.data)?.cell?.span ?? 1) : 1;
            return span > 1 ? freeSpan(params, span, live) : 1;
          },
        }
      : {}),
    cellRendererSelector: (params: ICellRendererParams<Row>) => {
      if (isTotals(params) && customOf(live(), column.key)?.total) {
        return { component: CustomTotalView, params: { cell: () => customOf(live(), column.key), isFigure } };
      }
      if (isTotals(params)) return isFigure ? { component: FigureRenderer } : undefined;
      if (params.data === undefined) return undefined;
      const group = groupCell(params.data);
      if (group)
        return group.cell
          ? { component: CustomCellView, params: { cell: () => groupCellNow(column, live), isFigure } }
          : undefined;
      const spec = live().cells?.[column.key];
      if (spec && 'toggle' in spec) {
        return { component: ToggleRenderer, params: { toggle: () => toggleOf(live(), column.key) } };
      }
      if (spec) return { component: CustomCellView, params: { cell: () => customOf(live(), column.key), isFigure } };
      const valueOf = (row: Row) => cellValue(column, row);
      if (column.kind === 'tag') return { component: TagRenderer, params: { valueOf } };
      if (column.kind === 'status') return { component: StatusRenderer, params: { valueOf } };
      return undefined;
    },
  };
}

/** The heading's longest word with its sort arrow, if any, about 7 px a letter at 12 px: headings may take two lines. */
const headingWidth = (label: string, isSortable: boolean): number =>
  Math.ceil(Math.max(...label.split(' ').map((word) => word.length)) * 7.2) + (isSortable ? 30 : 26);

/**
 * Every column shrinks in a narrow window, down to what it needs; in a wide one the columns of words take what is left
 * over, in proportion. Pinned columns cannot share: they keep their width.
 */
function widthOf<Row>(
  column: Column<Row>,
  isSortable: boolean,
): Pick<ColDef, 'width' | 'flex' | 'minWidth' | 'maxWidth'> {
  const { kind, label, width, least: ownLeast } = column;
  const { flex } = initialColumn(column);
  const { grows, least: kindLeast } = kindLooks[kind];
  const least = ownLeast ?? (kindLeast <= 1 ? Math.round(width * kindLeast) : kindLeast);
  if (flex === null) return { width };
  const minWidth = Math.max(headingWidth(label, isSortable), least);
  return { flex, minWidth, ...(grows ? {} : { maxWidth: Math.max(minWidth, Math.round(width * 1.15)) }) };
}

/** A group's cell reaches over empty ones only: the user may have moved or hidden what once stood behind it. */
function freeSpan<Row>({ api, column }: ColSpanParams<Row>, span: number, live: Live<Row>): number {
  const cells = live().tree?.cells ?? {};
  let free = 1;
  let next = api.getDisplayedColAfter(column);
  while (free < span && next && next.getPinned() === column.getPinned() && !(next.getColId() in cells)) {
    free += 1;
    next = api.getDisplayedColAfter(next);
  }
  return free;
}

const groupCellNow = <Row>(column: Column<Row>, live: Live<Row>) => live().tree?.cells[column.key];

export function toggleOf<Row>(props: DataGridProps<Row>, key: string) {
  const spec = props.cells?.[key];
  return spec && 'toggle' in spec ? spec.toggle : undefined;
}

function customOf<Row>(props: DataGridProps<Row>, key: string) {
  const spec = props.cells?.[key];
  return spec && 'render' in spec ? spec : undefined;
}

/** The cell as text: what the grid compares to know whether it must be drawn again. */
function textOf<Row>(column: Column<Row>, row: Row, live: Live<Row>): string {
  const tree = live().tree;
  if (tree?.isGroup(row)) return tree.cells[column.key]?.text?.(row) ?? '';
  return mapCell(shownText, column, row) || (column.empty ?? '');
}

function isEmptyCell<Row>(column: Column<Row>, row: Row, live: Live<Row>): boolean {
  return column.empty !== undefined && !live().tree?.isGroup(row) && mapCell(shownText, column, row) === '';
}
