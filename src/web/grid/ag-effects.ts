import { useEffect, type RefObject } from 'react';
import type { GridApi, ProcessRowParams } from 'ag-grid-community';
import { actionsColumn, selectColumn, type Live } from './ag-columns.ts';
import type { DataGridProps } from './grid-props.ts';
import type { GridSort, GridTree } from './grid-types.ts';

/** What must follow the props without new columns or rows. */
type Api<Row> = GridApi<Row> | undefined;
type Host = RefObject<HTMLElement | null>;

/** Shows by what the server sorted, without asking it again. */
export function useSort<Row>(api: Api<Row>, { sort, sorts, columns }: DataGridProps<Row>): void {
  const shown = JSON.stringify(sorts ?? (sort ? [sort] : []));
  useEffect(() => {
    // As it was written just above.
    const state = (JSON.parse(shown) as GridSort[]).flatMap(({ key, order }, sortIndex) => {
      const column = columns.find(({ sortKey }) => sortKey === key);
      return column ? [{ colId: column.key, sort: order, sortIndex }] : [];
    });
    api?.applyColumnState({ state, defaultState: { sort: null } });
  }, [api, columns, shown]);
}

/** By which columns the grid shows its rows to be sorted, in their order. */
export function sortsOf<Row>(api: GridApi<Row>, { columns }: DataGridProps<Row>): GridSort[] {
  return api
    .getColumnState()
    .toSorted((a, b) => (a.sortIndex ?? 0) - (b.sortIndex ?? 0))
    .flatMap(({ colId, sort: order }) => {
      const key = columns.find((column) => column.key === colId)?.sortKey;
      return key !== undefined && (order === 'asc' || order === 'desc') ? [{ key, order }] : [];
    });
}

/** Redraws what the props changed beside the rows: boxes, buttons, cells of the page. */
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
    // What is not saved has changed; rows that come are drawn with it.
    if (api && editing) api.refreshCells({ force: true, columns: [...editing.columns] });
  }, [api, editing]);

  useEffect(() => {
    if (api && rows && rowActions) api.refreshCells({ force: true, columns: [actionsColumn] });
  }, [api, rows, rowActions]);

  useEffect(() => {
    if (api && rows && tree) api.refreshCells({ force: true });
  }, [api, rows, tree]);
}

/** The elements of one row: one in each of the pinned and the scrolling parts. */
const elementsOf = (host: Host, id: string | undefined): readonly Element[] =>
  id === undefined ? [] : [...(host.current?.querySelectorAll(`[row-id="${CSS.escape(id)}"]`) ?? [])];

export function useMutedRows<Row>(api: Api<Row>, host: Host, { isMuted, rows }: DataGridProps<Row>): void {
  useEffect(() => {
    if (!rows || !isMuted) return;
    for (const { data, id } of api?.getRenderedNodes() ?? []) {
      if (data === undefined) continue;
      for (const row of elementsOf(host, id)) row.classList.toggle('cd-muted', isMuted(data));
    }
  }, [api, host, rows, isMuted]);
}

/**
 * aria-selected and the look of the rows in sight. AG Grid has no selection of its own here: it would tell each row, and
 * announce each, before the next drawing.
 */
export function useSelectedRows<Row>(api: Api<Row>, host: Host, { selection, rows }: DataGridProps<Row>): void {
  useEffect(() => {
    if (!api || !rows || !selection) return;
    for (const row of host.current?.querySelectorAll('.ag-row[row-id]:not(.ag-row-pinned)') ?? []) {
      const data = api.getRowNode(row.getAttribute('row-id') ?? '')?.data;
      if (data !== undefined) markSelected(row, selection.stateOf(data) === 'all');
    }
  }, [api, host, selection, rows]);
}

function markSelected(row: Element, isOn: boolean): void {
  row.classList.toggle('ag-row-selected', isOn);
  row.setAttribute('aria-selected', String(isOn));
}

/** aria-expanded and aria-level of the rows in sight, again whenever a group opens or closes. */
export function useTree<Row>(api: Api<Row>, host: Host, { tree, rows }: DataGridProps<Row>): void {
  useEffect(() => {
    if (!tree || !rows) return;
    for (const { data, id } of api?.getRenderedNodes() ?? []) {
      if (data === undefined) continue;
      for (const row of elementsOf(host, id)) setTreeAttributes(row, tree, data);
    }
  }, [api, host, tree, rows]);
}

/** The same for a row that scrolls into sight. */
export function labelRow<Row>(params: ProcessRowParams<Row>, live: Live<Row>): void {
  const { tree, isMuted, selection } = live();
  const { data } = params.node;
  if (data === undefined || params.node.rowPinned) return;
  for (const row of [params.eRow, params.ePinnedLeftRow, params.ePinnedRightRow]) {
    if (row && tree) setTreeAttributes(row, tree, data);
    if (row && selection) markSelected(row, selection.stateOf(data) === 'all');
    if (row && isMuted) row.classList.toggle('cd-muted', isMuted(data));
  }
}

function setTreeAttributes<Row>(row: Element, tree: GridTree<Row>, data: Row): void {
  const isGroup = tree.isGroup(data);
  row.setAttribute('aria-level', isGroup ? '1' : '2');
  if (isGroup) row.setAttribute('aria-expanded', String(tree.isExpanded(data)));
}
