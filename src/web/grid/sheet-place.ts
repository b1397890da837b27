import type { GridArea, Spot } from './sheet-grid-types.ts';

/** Where one is in the sheet: the cell that is typed into, and the other corner of what is selected. */
export interface SheetPlace {
  active: Spot;
  head: Spot;
}

export const onlyCell = (at: Spot): SheetPlace => ({ active: at, head: at });

export const areaOf = ({ active, head }: SheetPlace): GridArea => ({
  top: Math.min(active.row, head.row),
  bottom: Math.max(active.row, head.row),
  left: Math.min(active.column, head.column),
  right: Math.max(active.column, head.column),
});

export const placeOf = ({ top, bottom, left, right }: GridArea): SheetPlace => ({
  active: { row: top, column: left },
  head: { row: bottom, column: right },
});

export interface Size {
  rows: number;
  columns: number;
}

export const within = ({ row, column }: Spot, { rows, columns }: Size): Spot => ({
  row: Math.max(0, Math.min(row, rows - 1)),
  column: Math.max(0, Math.min(column, columns - 1)),
});

const steps: Readonly<Record<string, Spot>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

const stepped = (from: Spot, key: string, by = 1): Spot => ({
  row: from.row + (steps[key]?.row ?? 0) * by,
  column: from.column + (steps[key]?.column ?? 0) * by,
});

export const neighbour = (from: Spot, key: string, size: Size): Spot => within(stepped(from, key), size);

/** As in a spreadsheet: the end of the block one is in, else the next cell with something in it, else the end. */
export function dataEdge(from: Spot, key: string, size: Size, isEmpty: (at: Spot) => boolean): Spot {
  const isInside = (at: Spot): boolean => {
    const { row, column } = within(at, size);
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

/** To the next cell, and from the end of a row to the beginning of the next; undefined: there is none. */
export function tabbed({ row, column }: Spot, isBack: boolean, { rows, columns }: Size): Spot | undefined {
  const at = row * columns + column + (isBack ? -1 : 1);
  return at < 0 || at >= rows * columns ? undefined : { row: Math.floor(at / columns), column: at % columns };
}
