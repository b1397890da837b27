import { afterEach, expect, test } from 'vitest';
import * as fc from 'fast-check';
import {
  areaOf,
  clamped,
  dataEdge,
  isInArea,
  neighbour,
  paintArea,
  selectionOf,
} from '../../../../src/web/kit/grid/cell-area.ts';

const size = { rows: 5, columns: 4 };
const cells = fc.record({ row: fc.nat(4), column: fc.nat(3) });
const arrows = fc.constantFrom('ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight');

afterEach(() => document.body.replaceChildren());

test('an area has both corners, whichever was first, and all that is between', () => {
  fc.assert(
    fc.property(cells, cells, cells, (active, head, cell) => {
      const area = areaOf({ active, head });
      expect(areaOf({ active: head, head: active })).toEqual(area);
      expect(areaOf(selectionOf(area))).toEqual(area);
      const isBetween = (at: number, a: number, b: number): boolean => (at - a) * (at - b) <= 0;
      expect(isInArea(cell, area)).toBe(
        isBetween(cell.row, active.row, head.row) && isBetween(cell.column, active.column, head.column),
      );
    }),
  );
});

test('a step stays in the table and is one cell at most', () => {
  fc.assert(
    fc.property(cells, arrows, (from, key) => {
      const to = neighbour(from, key, size);
      expect(clamped(to, size)).toEqual(to);
      expect(Math.abs(to.row - from.row) + Math.abs(to.column - from.column)).toBeLessThanOrEqual(1);
    }),
  );
});

test('the edge is the end of a block, or the next filled cell, or the end of the table', () => {
  const filled = [true, true, false, false, true];
  const isEmpty = ({ row }: { row: number }): boolean => !filled[row];
  const down = (row: number): number => dataEdge({ row, column: 1 }, 'ArrowDown', size, isEmpty).row;
  expect([0, 1, 2, 4].map(down)).toEqual([1, 4, 4, 4]);
  expect(dataEdge({ row: 0, column: 1 }, 'ArrowRight', size, () => false)).toEqual({ row: 0, column: 3 });
});

test('cells of the area are marked, and those that have left it no longer', () => {
  const host = document.createElement('div');
  for (const row of ['0', '1', 'b-0']) {
    const line = Object.assign(document.createElement('div'), { className: 'ag-row' });
    line.setAttribute('row-index', row);
    for (const key of ['a', 'b', 'c']) {
      const cell = Object.assign(document.createElement('div'), { className: 'ag-cell', title: row + key });
      cell.setAttribute('col-id', key);
      line.append(cell);
    }
    host.append(line);
  }
  const marked = (): string[] => [...host.querySelectorAll<HTMLElement>('.cd-range')].map(({ title }) => title);
  const columns = ['a', 'b'];
  paintArea(host, { top: 0, bottom: 1, left: 1, right: 5 }, columns);
  expect(marked()).toEqual(['0b', '1b']);
  paintArea(host, { top: 1, bottom: 9, left: 0, right: 0 }, columns);
  expect(marked()).toEqual(['1a']);
  paintArea(host, undefined, columns);
  expect(marked()).toEqual([]);
});
