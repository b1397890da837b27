import { afterEach, expect, test, vi } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { page } from 'vitest/browser';
import { numericKinds, type Column } from '../../../../src/shared/columns/define.ts';
import { DataGrid } from '../../../../src/web/kit/grid/data-grid.tsx';
import type { CellSpec, GridTree } from '../../../../src/web/kit/grid/grid-types.ts';
import { idle } from './grid-fixture.tsx';
import '../../../../src/web/theme.css';

afterEach(cleanup);

interface Line {
  id: string;
  name: string;
}
const sum = '999999999999.99';
const kinds = [...numericKinds];
const draws = ['plain', 'text', 'link', 'blank'] as const;

/** Each kind of figure, drawn by the grid and by a page, too narrow for it; and beside an empty one. */
const columns = [
  { key: 'name', label: 'Name', kind: 'text', width: 90, least: 90 },
  ...kinds.flatMap((kind) =>
    draws.map((draw) => ({
      key: `${kind}-${draw}`,
      label: 'F',
      kind,
      width: 60,
      least: 60,
      value: () => (kind === 'count' ? 999_999_999_999 : sum),
      ...(draw === 'blank' ? {} : { total: kind === 'count' ? 'count' : 'sum' }),
    })),
  ),
  // The kinds and their values belong together; a list built of all of them is more than the compiler follows.
] as unknown as readonly Column<Line>[];

const drawn = '₹9,99,99,99,99,999.99';
const customs: Record<string, CellSpec<Line>> = Object.fromEntries(
  kinds.flatMap((kind): [string, CellSpec<Line>][] => [
    [`${kind}-text`, { render: () => drawn, total: () => drawn }],
    [
      `${kind}-link`,
      {
        render: () => (
          <a href="/x">
            {drawn}
            <span className="ml-1">12</span>
          </a>
        ),
        total: () => <b>{drawn}</b>,
      },
    ],
  ]),
);
const tree: GridTree<Line> = {
  isGroup: ({ id }) => id === 'group',
  isExpanded: () => true,
  onToggle: () => undefined,
  onExpandAll: () => undefined,
  groupIdOf: () => 'group',
  cells: Object.fromEntries(kinds.map((kind) => [`${kind}-plain`, { render: () => <span>{drawn}</span> }])),
};

/** What a reader would take for another figure: its first digit is out of sight, or it ends without a sign that it goes on. */
function faultOf(cell: HTMLElement): string | undefined {
  const contents = document.createRange();
  contents.selectNodeContents(cell);
  const text = contents.getBoundingClientRect();
  if (cell.textContent === '') return undefined;
  const box = cell.getBoundingClientRect();
  const before = cell.previousElementSibling;
  const isFree = before?.textContent === '' && getComputedStyle(cell).overflow === 'visible';
  const left = isFree ? before.getBoundingClientRect().left : box.left;
  if (text.left < left - 0.5) return 'its first digits are hidden';
  const clipper = cell.querySelector('.cd-figure') ?? cell;
  const look = getComputedStyle(clipper);
  const isCut = clipper.scrollWidth > clipper.clientWidth;
  const isMarked = look.textOverflow === 'ellipsis' && look.overflowX === 'hidden' && look.display === 'block';
  if (isCut && !isMarked) return 'it is cut without an ellipsis';
  if (!isCut && text.right > box.right + 0.5) return 'its last digits are hidden';
  return undefined;
}

test.each([60, 130, 220])('a figure is whole or visibly cut, in columns of %s pixels', async (width) => {
  await page.viewport(5_600, 768);
  try {
    render(
      <div style={{ display: 'flex', height: 500, width: 120 + width * kinds.length * draws.length }}>
        <DataGrid<Line>
          label="Figures"
          columns={columns.map((column) => (column.key === 'name' ? column : { ...column, width, least: width }))}
          rows={[
            { id: 'group', name: 'Group' },
            { id: 'one', name: 'One' },
          ]}
          keyOf={({ id }) => id}
          status={idle}
          empty="Nothing"
          cells={customs}
          tree={tree}
          totals={{ sum, count: 999_999_999_999 }}
        />
      </div>,
    );
    const figures = () => [...document.querySelectorAll<HTMLElement>('.ag-cell.cd-right')];
    // Two rows and the totals.
    await vi.waitFor(() => expect(figures()).toHaveLength(3 * kinds.length * draws.length));
    await vi.waitFor(() => expect(document.querySelectorAll('.cd-grid a')).toHaveLength(kinds.length));
    const faults = figures().flatMap((cell) => {
      const fault = faultOf(cell);
      return fault ? [`${cell.getAttribute('col-id')}: ${fault}`] : [];
    });
    expect(faults).toEqual([]);
  } finally {
    await page.viewport(1366, 768);
  }
});

test('a cut figure has all of itself in its title', async () => {
  render(
    <div style={{ display: 'flex', height: 400, width: 700 }}>
      <DataGrid<Line>
        label="Figures"
        columns={columns.slice(0, 4)}
        rows={[{ id: 'one', name: 'One' }]}
        keyOf={({ id }) => id}
        status={idle}
        empty="Nothing"
        cells={customs}
        totals={{ sum, count: 999_999_999_999 }}
      />
    </div>,
  );
  const cell = () => document.querySelector<HTMLElement>('.ag-grid-scrolling-container [col-id="money-text"]');
  await vi.waitFor(() => expect(cell()?.textContent).toBe(drawn));
  cell()?.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
  await vi.waitFor(() => expect(cell()?.title).toBe(drawn));
});
