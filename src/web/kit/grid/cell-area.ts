import type { GridArea, CellPosition } from './sheet-grid-types.ts';

/** Rectangles of cells, in the entry sheet and in lists. The selection is the active cell and the opposite corner of the area. */
export interface CellSelection {
  active: CellPosition;
  head: CellPosition;
}

export const singleCell = (at: CellPosition): CellSelection => ({ active: at, head: at });

export const areaOf = ({ active, head }: CellSelection): GridArea => ({
  top: Math.min(active.row, head.row),
  bottom: Math.max(active.row, head.row),
  left: Math.min(active.column, head.column),
  right: Math.max(active.column, head.column),
});

export const isInArea = ({ row, column }: CellPosition, { top, bottom, left, right }: GridArea): boolean =>
  row >= top && row <= bottom && column >= left && column <= right;

/**
 * Marks the area in the cells that are drawn; AG Grid would draw all of its cells again. `mark` is called for each cell of the
 * area, and for each that was in it before.
 */
export function paintArea(
  host: Element,
  area: GridArea | undefined,
  columns: readonly string[],
  mark?: (cell: HTMLElement, at: CellPosition) => void,
): void {
  const places = new Map(columns.map((key, index) => [key, index]));
  for (const row of host.querySelectorAll<HTMLElement>('.ag-row')) {
    const index = Number(row.getAttribute('row-index'));
    const isRowIn = area !== undefined && index >= area.top && index <= area.bottom;
    for (const cell of row.querySelectorAll<HTMLElement>(isRowIn ? '.ag-cell' : '.cd-range')) {
      const at = { row: index, column: places.get(cell.getAttribute('col-id') ?? '') ?? -1 };
      const isIn = isRowIn && isInArea(at, area);
      if (!isIn && !cell.classList.contains('cd-range')) continue;
      cell.classList.toggle('cd-range', isIn);
      mark?.(cell, at);
    }
  }
}

export const selectionOf = ({ top, bottom, left, right }: GridArea): CellSelection => ({
  active: { row: top, column: left },
  head: { row: bottom, column: right },
});

export interface Size {
  rows: number;
  columns: number;
}

export const clamped = ({ row, column }: CellPosition, { rows, columns }: Size): CellPosition => ({
  row: Math.max(0, Math.min(row, rows - 1)),
  column: Math.max(0, Math.min(column, columns - 1)),
});

const steps: Readonly<Record<string, CellPosition>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

const stepped = (from: CellPosition, key: string, by = 1): CellPosition => ({
  row: from.row + (steps[key]?.row ?? 0) * by,
  column: from.column + (steps[key]?.column ?? 0) * by,
});

export const neighbour = (from: CellPosition, key: string, size: Size): CellPosition =>
  clamped(stepped(from, key), size);

/** The target of Ctrl+arrow, as in a spreadsheet: the end of the current block, or the next filled cell, or the edge. */
export function dataEdge(
  from: CellPosition,
  key: string,
  size: Size,
  isEmpty: (at: CellPosition) => boolean,
): CellPosition {
  const isInside = (at: CellPosition): boolean => {
    const { row, column } = clamped(at, size);
    return row === at.row && column === at.column;
  };
  let at = from;
  let next = stepped(at, key);
  const isInBlock = !isEmpty(from) && isInside(next) && !isEmpty(next);
  while (isInside(next)) {
    if (isInBlock && isEmpty(next)) return at;
    at = next;
    if (!isInBlock && !isEmpty(at)) return at;
    next = stepped(at, key);
  }
  return at;
}

/** The target of Tab: the next cell, from the end of a row the first cell of the next; undefined if there is none. */
export function tabTarget(
  { row, column }: CellPosition,
  isBack: boolean,
  { rows, columns }: Size,
): CellPosition | undefined {
  const at = row * columns + column + (isBack ? -1 : 1);
  return at < 0 || at >= rows * columns ? undefined : { row: Math.floor(at / columns), column: at % columns };
}
