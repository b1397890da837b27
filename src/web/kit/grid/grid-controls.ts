import type { GridApi } from 'ag-grid-community';
import { columnMemory, isPhone, type SavedColumn } from './grid-settings.ts';

/** What the view menu can do with the columns. */
export interface TableControls {
  /** The columns, in the order of the grid. */
  columns: () => { id: string; label: string; isShown: boolean; isPinned: boolean }[];
  show: (id: string, isShown: boolean) => void;
  pin: (id: string, isPinned: boolean) => void;
  /** Moves the column past the next visible one. Returns false if there is none. */
  move: (id: string, step: 1 | -1) => boolean;
  widen: (id: string, pixels: number) => void;
  reset: () => void;
  /** Focuses the row that was left last, or the first row, also when the rows are drawn only a moment later. */
  enter: () => void;
}

interface ControlOptions {
  /** The label of a column; undefined for one that cannot be chosen, such as the row numbers. */
  labelOf: (id: string) => string | undefined;
  memoryKey: string | undefined;
  /** Called after each change. */
  onChange: () => void;
}

/** The columns of a list or of the entry sheet, for the view menu. */
export function columnControls<Row>(
  api: GridApi<Row>,
  { labelOf, memoryKey, onChange }: ControlOptions,
): Omit<TableControls, 'enter'> {
  return {
    columns: () =>
      api.getColumnState().flatMap(({ colId, hide, pinned }) => {
        const label = labelOf(colId);
        return label === undefined ? [] : [{ id: colId, label, isShown: !hide, isPinned: Boolean(pinned) }];
      }),
    show: (id, isShown) => {
      api.setColumnsVisible([id], isShown);
      onChange();
    },
    pin: (id, isPinned) => {
      const { flex = null } = api.getColumn(id)?.getColDef() ?? {};
      api.applyColumnState({
        state: [{ colId: id, pinned: isPinned ? 'left' : null, flex: isPinned ? null : flex }],
      });
      onChange();
    },
    move: (id, step) => {
      const pinned = api.getColumn(id)?.getPinned();
      const beside = api
        .getAllDisplayedColumns()
        .filter((column) => column.getPinned() === pinned && labelOf(column.getColId()) !== undefined);
      const to = beside[beside.findIndex((column) => column.getColId() === id) + step];
      if (!to || !api.getColumn(id)?.isVisible()) return false;
      api.moveColumns([id], api.getAllGridColumns().indexOf(to));
      onChange();
      return true;
    },
    widen: (id, pixels) => {
      const column = api.getColumn(id);
      const width = Math.max(column?.getMinWidth() ?? 40, (column?.getActualWidth() ?? 100) + pixels);
      api.setColumnWidths([{ key: id, newWidth: width }]);
      onChange();
    },
    reset: () => {
      if (memoryKey !== undefined) columnMemory.write(memoryKey, null);
      api.resetColumnState();
    },
  };
}

export const savedColumns = <Row>(api: GridApi<Row>): SavedColumn[] =>
  api.getColumnState().map(({ colId, width, flex, hide, pinned }) => ({
    colId,
    width: width ?? 100,
    flex: flex ?? null,
    hide: hide ?? false,
    // What a phone remembers leaves the pins of other windows as they are by themselves.
    ...(!isPhone() && { pinned: pinned === true ? 'left' : pinned || null }),
  }));

export const stateOf = (columns: readonly SavedColumn[]) => ({
  state: columns.map((column) => (isPhone() ? { ...column, pinned: undefined } : column)),
  applyOrder: true,
});
