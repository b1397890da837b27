import { useEffect, type RefObject } from 'react';
import type { GridApi, ProcessRowParams } from 'ag-grid-community';
import { actionsColumn, selectColumn, type GetProps } from './ag-columns.ts';
import type { DataGridProps } from './grid-props.ts';
import type { GridSort, GridTree } from './grid-types.ts';
import { isHeading } from './member-headings.ts';

/** Effects that update the grid after changed props, without new columns or rows. */
type Api<Row> = GridApi<Row> | undefined;
type Host = RefObject<HTMLElement | null>;

/** Shows the server's sort order without triggering a new request. */
export function useSort<Row>(api: Api<Row>, { sort, sorts, columns }: DataGridProps<Row>): void {
  const shown = JSON.stringify(sorts ?? (sort ? [sort] : []));
  useEffect(() => {
    // Safe: `shown` was serialised just above.
    const state = (JSON.parse(shown) as GridSort[]).flatMap(({ key, order }, sortIndex) => {
      const column = columns.find(({ sortKey }) => sortKey === key);
      return column ? [{ colId: column.key, sort: order, sortIndex }] : [];
    });
    api?.applyColumnState({ state, defaultState: { sort: null } });
  }, [api, columns, shown]);
}

/** The sort order that the grid shows now. */
export function sortsOf<Row>(api: GridApi<Row>, { columns }: DataGridProps<Row>): GridSort[] {
  return api
    .getColumnState()
    .toSorted((a, b) => (a.sortIndex ?? 0) - (b.sortIndex ?? 0))
    .flatMap(({ colId, sort: order }) => {
      const key = columns.find((column) => column.key === colId)?.sortKey;
      return key !== undefined && (order === 'asc' || order === 'desc') ? [{ key, order }] : [];
    });
}

/** Re-renders the cells that depend on other props than the rows: checkboxes, buttons, and cells of the page. */
export function useRepaint<Row>(
  api: Api<Row>,
  { rows, cells, editing, rowActions, selection, tree }: DataGridProps<Row>,
  repaints: RefObject<Set<() => void>>,
): void {
  useEffect(() => {
    if (!api || !rows || !selection) return;
    api.refreshCells({ force: true, columns: [selectColumn] });
    for (const repaint of repaints.current) repaint();
  }, [api, rows, selection, repaints]);

  useEffect(() => {
    if (api && rows && cells) api.refreshCells({ force: true, columns: Object.keys(cells) });
  }, [api, rows, cells]);

  useEffect(() => {
    // The unsaved cells have changed. New rows are rendered with them anyway, so `rows` is no dependency.
    if (api && editing) api.refreshCells({ force: true, columns: [...editing.columns] });
  }, [api, editing]);

  useEffect(() => {
    if (api && rows && rowActions) api.refreshCells({ force: true, columns: [actionsColumn] });
  }, [api, rows, rowActions]);

  useEffect(() => {
    if (api && rows && tree) api.refreshCells({ force: true });
  }, [api, rows, tree]);
}

/** The elements of one row: one in each pinned part and one in the scrolling part. */
const elementsOf = (host: Host, id: string | undefined): readonly Element[] =>
  id === undefined ? [] : [...(host.current?.querySelectorAll(`[row-id="${CSS.escape(id)}"]`) ?? [])];

export function useMutedRows<Row>(api: Api<Row>, host: Host, { isMuted, rows }: DataGridProps<Row>): void {
  useEffect(() => {
    if (!rows || !isMuted) return;
    for (const { data, id } of api?.getRenderedNodes() ?? []) {
      if (data === undefined || isHeading(data)) continue;
      for (const row of elementsOf(host, id)) row.classList.toggle('cd-muted', isMuted(data));
    }
  }, [api, host, rows, isMuted]);
}

/**
 * Sets aria-selected and the selected style on the rendered rows. AG Grid's own selection is not used: it would notify and
 * announce every row before the next frame.
 */
export function useSelectedRows<Row>(api: Api<Row>, host: Host, { selection, rows }: DataGridProps<Row>): void {
  useEffect(() => {
    if (!api || !rows || !selection) return;
    for (const row of host.current?.querySelectorAll('.ag-row[row-id]:not(.ag-row-pinned)') ?? []) {
      const data = api.getRowNode(row.getAttribute('row-id') ?? '')?.data;
      if (data !== undefined && !isHeading(data)) markSelected(row, selection.stateOf(data) === 'all');
    }
  }, [api, host, selection, rows]);
}

function markSelected(row: Element, isOn: boolean): void {
  row.classList.toggle('ag-row-selected', isOn);
  row.setAttribute('aria-selected', String(isOn));
}

/** Sets aria-expanded and aria-level on the rendered rows whenever a group opens or closes. */
export function useTree<Row>(api: Api<Row>, host: Host, { tree, rows }: DataGridProps<Row>): void {
  useEffect(() => {
    if (!tree || !rows) return;
    for (const { data, id } of api?.getRenderedNodes() ?? []) {
      if (data === undefined) continue;
      for (const row of elementsOf(host, id)) setTreeAttributes(row, tree, data);
    }
  }, [api, host, tree, rows]);
}

/** Sets the same attributes and styles on a virtual row when it is rendered. */
export function labelRow<Row>(params: ProcessRowParams<Row>, getProps: GetProps<Row>): void {
  const { tree, isMuted, selection } = getProps();
  const { data } = params.node;
  if (data === undefined || params.node.rowPinned) return;
  for (const row of [params.eRow, params.ePinnedLeftRow, params.ePinnedRightRow]) {
    if (row && tree) setTreeAttributes(row, tree, data);
    if (isHeading(data)) continue;
    if (row && selection) markSelected(row, selection.stateOf(data) === 'all');
    if (row && isMuted) row.classList.toggle('cd-muted', isMuted(data));
  }
}

/** Gives a member's cell that gets the focus its own heading, because the one of its column is that of groups. */
export function describeMember<Row>(target: EventTarget, api: Api<Row>, { tree }: DataGridProps<Row>): void {
  const cell = target instanceof Element ? target.closest('.ag-cell') : null;
  const heading = tree?.headings?.[cell?.getAttribute('col-id') ?? ''];
  const data = api?.getRowNode(cell?.closest('[row-id]')?.getAttribute('row-id') ?? '')?.data;
  if (cell && heading !== undefined && data !== undefined && !tree?.isGroup(data))
    cell.setAttribute('aria-description', heading);
}

function setTreeAttributes<Row>(row: Element, tree: GridTree<Row>, data: Row): void {
  const isGroup = tree.isGroup(data);
  row.setAttribute('aria-level', isGroup ? '1' : '2');
  if (isGroup) row.setAttribute('aria-expanded', String(tree.isExpanded(data)));
  if (isHeading(data)) row.setAttribute('aria-label', 'Headings of the rows below');
}
