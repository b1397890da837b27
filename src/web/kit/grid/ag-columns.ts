import type { ColDef, ColSpanParams, ICellRendererParams, ValueGetterParams } from 'ag-grid-community';
import { cellValue, mapCell, type Column } from '../../../shared/columns/define.ts';
import { ActionsCell, CustomCellView, CustomTotalView } from './action-cells.tsx';
import { FigureRenderer, SelectHeader, SelectRenderer, StatusRenderer, TagRenderer, ToggleRenderer } from './cells.ts';
import { cellText, kindLayouts, shownText } from './column-kinds.tsx';
import type { DataGridProps } from './grid-props.ts';
import { initialColumn } from './grid-settings.ts';
import { isHeading, isSpanned } from './member-headings.ts';
import { totalText } from './totals.ts';

export const selectColumn = 'grid-select';
export const actionsColumn = 'grid-actions';

/** Returns the latest props. Cells call it when they render, so that changed handlers and selections need no new columns. */
export type GetProps<Row> = () => DataGridProps<Row>;

/** Whether AG Grid is rendering the pinned totals row. */
const isTotals = (params: { node?: { rowPinned?: unknown } | null }): boolean => Boolean(params.node?.rowPinned);

/** Whether it is rendering the totals or the headings of members. */
const hasNoRecord = (params: Parameters<typeof isTotals>[0] & { data?: unknown }): boolean =>
  isTotals(params) || isHeading(params.data);

interface Shape {
  hasSelection: boolean;
  /** The width of the actions column in pixels; 0 if there is none. */
  actionsWidth: number;
  /** The keys of the columns that the page renders, joined, so that the value changes only when the set changes. */
  custom: string;
  /** The keys of the editable columns. */
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
  getProps: GetProps<Row>,
  onSelectionChange: (repaint: () => void) => () => void,
): ColDef<Row>[] {
  const made = columns.map((column) => dataColumn(column, shape, getProps));
  if (shape.hasSelection) made.unshift(selectDef(getProps, onSelectionChange));
  if (shape.actionsWidth > 0) made.push(actionsDef(shape.actionsWidth, getProps));
  return made;
}

const fixed = {
  sortable: false,
  resizable: false,
  suppressMovable: true,
  lockPinned: true,
  suppressHeaderMenuButton: true,
} satisfies ColDef;

function selectDef<Row>(getProps: GetProps<Row>, onChange: (repaint: () => void) => () => void): ColDef<Row> {
  const selection = () => getProps().selection;
  return {
    ...fixed,
    colId: selectColumn,
    headerName: 'Select',
    width: 36,
    pinned: 'left',
    lockPosition: 'left',
    cellClass: 'cd-center',
    headerComponent: SelectHeader,
    headerComponentParams: { selection, onChange },
    cellRendererSelector: (params) =>
      hasNoRecord(params) ? undefined : { component: SelectRenderer, params: { selection } },
  };
}

/** An icon button is 29 pixels wide; one with a label needs 45 pixels and about 6.5 for each letter. */
function actionsWidth(actions: readonly { label: string; showLabel?: boolean }[]): number {
  if (actions.length === 0) return 0;
  const widths = actions.map(({ label, showLabel }) => (showLabel ? 45 + label.length * 6.5 : 29));
  // The heading needs 70 pixels, the width of two buttons.
  return Math.max(70, 8 + Math.ceil(widths.reduce((sum, width) => sum + width, 0)));
}

function actionsDef<Row>(width: number, getProps: GetProps<Row>): ColDef<Row> {
  return {
    ...fixed,
    colId: actionsColumn,
    headerName: 'Actions',
    width,
    pinned: 'right',
    lockPosition: 'right',
    cellClass: 'cd-actions',
    cellRendererSelector: (params) =>
      hasNoRecord(params)
        ? undefined
        : { component: ActionsCell, params: { actions: () => getProps().rowActions ?? [] } },
  };
}

function dataColumn<Row>(column: Column<Row>, shape: Shape, getProps: GetProps<Row>): ColDef<Row> {
  const look = kindLayouts[column.kind];
  const isSortable = shape.isSortable && column.sortKey !== undefined;
  const isFigure = look.align === 'right';
  const isEdited = shape.edited.includes(column.key);
  const { pinned, hide } = initialColumn(column);
  const groupCell = (row: Row) => {
    const tree = getProps().tree;
    return tree?.isGroup(row) ? { cell: tree.cells[column.key] } : undefined;
  };
  return {
    colId: column.key,
    headerName: column.label,
    ...widthOf(column, isSortable),
    wrapHeaderText: true,
    pinned,
    // A hidden column costs nothing until it is shown.
    initialHide: hide,
    lockPinned: true,
    sortable: isSortable,
    // The server sorts (docs/specification.md §3.4); the grid only shows the sort order.
    comparator: () => 0,
    sortingOrder: look.descFirst ? ['desc', 'asc'] : ['asc', 'desc'],
    suppressHeaderMenuButton: true,
    headerClass: [
      look.align === 'right' ? 'cd-header-right' : look.align === 'center' ? 'cd-header-center' : '',
      isEdited ? 'cd-header-edited' : '',
      isSpanned(getProps().tree, column.key) ? 'cd-header-spanned' : '',
    ],
    cellClass: [
      look.className ?? '',
      `cd-${look.align}`,
      isEdited ? 'cd-edited' : '',
      column === getProps().columns[0] ? 'cd-first' : '',
    ],
    cellClassRules: {
      ...(isEdited && {
        'cd-not-saved': ({ node, data }) =>
          data !== undefined && getProps().editing?.problemOf(node.id ?? '', column.key) !== undefined,
      }),
      'cd-empty': (params) =>
        !hasNoRecord(params) && params.data !== undefined && isEmptyCell(column, params.data, getProps),
      'cd-loading': (params) =>
        params.data !== undefined && !hasNoRecord(params) && isLoadingCell(column, params.data, getProps),
      'cd-custom': (params) => !hasNoRecord(params) && customOf(getProps(), column.key) !== undefined,
      'cd-negative': (params) => look.align === 'right' && String(params.value ?? '').startsWith('-'),
      // A long sum in the cell beside it may overflow into this blank cell.
      'cd-blank': (params) =>
        isTotals(params) && (params.value ?? '') === '' && customOf(getProps(), column.key)?.total === undefined,
      'cd-group-cell': (params) =>
        params.data !== undefined && !isTotals(params) && groupCell(params.data) !== undefined,
    },
    valueGetter: (params: ValueGetterParams<Row>) => {
      if (isTotals(params)) return totalText(column, getProps());
      return params.data === undefined ? '' : textOf(column, params.data, getProps);
    },
    ...(shape.isTree
      ? {
          colSpan: (params) => {
            const span = params.data !== undefined && !isTotals(params) ? (groupCell(params.data)?.cell?.span ?? 1) : 1;
            return span > 1 ? freeSpan(params, span, getProps) : 1;
          },
        }
      : {}),
    cellRendererSelector: (params: ICellRendererParams<Row>) => {
      if (isTotals(params) && customOf(getProps(), column.key)?.total) {
        return { component: CustomTotalView, params: { cell: () => customOf(getProps(), column.key), isFigure } };
      }
      if (isTotals(params)) return isFigure ? { component: FigureRenderer } : undefined;
      if (params.data === undefined || hasNoRecord(params)) return undefined;
      const group = groupCell(params.data);
      if (group)
        return group.cell
          ? { component: CustomCellView, params: { cell: () => groupCellNow(column, getProps), isFigure } }
          : undefined;
      const spec = getProps().cells?.[column.key];
      if (spec && 'toggle' in spec) {
        return { component: ToggleRenderer, params: { toggle: () => toggleOf(getProps(), column.key) } };
      }
      if (spec)
        return { component: CustomCellView, params: { cell: () => customOf(getProps(), column.key), isFigure } };
      const valueOf = (row: Row) => cellValue(column, row);
      if (column.kind === 'tag') return { component: TagRenderer, params: { valueOf } };
      if (column.kind === 'status') return { component: StatusRenderer, params: { valueOf } };
      return undefined;
    },
  };
}

/** The width of the heading's longest word, at about 7 pixels a letter, with its sort arrow. Headings may take two lines. */
const headingWidth = (label: string, isSortable: boolean): number =>
  Math.ceil(Math.max(...label.split(' ').map((word) => word.length)) * 7.2) + (isSortable ? 24 : 20);

/**
 * In a narrow window every column shrinks down to its minimum. In a wide one the text columns share the remaining width in
 * proportion. Pinned columns do not take part and keep their width.
 */
function widthOf<Row>(
  column: Column<Row>,
  isSortable: boolean,
): Pick<ColDef, 'width' | 'flex' | 'minWidth' | 'maxWidth'> {
  const { kind, label, width, least: ownLeast } = column;
  const { flex } = initialColumn(column);
  const { grows, least: kindLeast } = kindLayouts[kind];
  const least = ownLeast ?? (kindLeast <= 1 ? Math.round(width * kindLeast) : kindLeast);
  if (flex === null) return { width };
  const minWidth = Math.max(headingWidth(label, isSortable), least);
  return { flex, minWidth, ...(grows ? {} : { maxWidth: Math.max(minWidth, Math.round(width * 1.15)) }) };
}

/** A group's cell spans empty columns only: the user may have moved or hidden the columns that originally followed it. */
function freeSpan<Row>({ api, column }: ColSpanParams<Row>, span: number, getProps: GetProps<Row>): number {
  const cells = getProps().tree?.cells ?? {};
  let free = 1;
  let next = api.getDisplayedColAfter(column);
  while (free < span && next && next.getPinned() === column.getPinned() && !(next.getColId() in cells)) {
    free += 1;
    next = api.getDisplayedColAfter(next);
  }
  return free;
}

const groupCellNow = <Row>(column: Column<Row>, getProps: GetProps<Row>) => getProps().tree?.cells[column.key];

export function toggleOf<Row>(props: DataGridProps<Row>, key: string) {
  const spec = props.cells?.[key];
  return spec && 'toggle' in spec ? spec.toggle : undefined;
}

function customOf<Row>(props: DataGridProps<Row>, key: string) {
  const spec = props.cells?.[key];
  return spec && 'render' in spec ? spec : undefined;
}

/** The cell as text. The grid compares it to decide whether to render the cell again. */
function textOf<Row>(column: Column<Row>, row: Row, getProps: GetProps<Row>): string {
  const tree = getProps().tree;
  if (isHeading(row)) return tree?.headings?.[column.key] ?? '';
  if (tree?.isGroup(row)) return tree.cells[column.key]?.text?.(row) ?? '';
  return cellText(column, row, tree);
}

function isEmptyCell<Row>(column: Column<Row>, row: Row, getProps: GetProps<Row>): boolean {
  const tree = getProps().tree;
  if (column.empty === undefined || tree?.isGroup(row) || tree?.missing?.(row) !== undefined) return false;
  return mapCell(shownText, column, row) === '';
}

function isLoadingCell<Row>(column: Column<Row>, row: Row, getProps: GetProps<Row>): boolean {
  return getProps().tree?.missing?.(row) === 'loading' && mapCell(shownText, column, row) === '';
}
