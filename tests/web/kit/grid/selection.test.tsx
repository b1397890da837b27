import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { page, userEvent } from 'vitest/browser';
import { DataGrid } from '../../../../src/web/kit/grid/data-grid.tsx';
import { useRowSelection } from '../../../../src/web/kit/grid/row-selection.ts';
import { watchCopies } from '../../support/downloads.ts';
import { focusPlace, idle, showGrid, tripColumns, trips, untilItStands, type Trip } from './grid-fixture.tsx';

const keyOf = (row: Trip): string => row.id;
const labelOf = (row: Trip): string => `Select ${row.number}`;
const notSeven = (row: Trip): string | undefined => (row.id === 'id-7' ? 'Already paid' : undefined);
const rows = trips(10);
let ids: ReadonlySet<string> = new Set();

function Selectable() {
  const chosen = useRowSelection(rows, { keyOf, labelOf, disabledReason: notSeven });
  // oxlint-disable-next-line react/globals -- read by the tests
  ids = chosen.ids;
  return (
    <div style={{ display: 'flex', flexDirection: 'column', height: 600, width: 1000 }}>
      <button type="button">Before</button>
      <DataGrid<Trip>
        label="Trips"
        columns={tripColumns}
        rows={rows}
        keyOf={keyOf}
        status={idle}
        empty="Nothing"
        selection={chosen.selection}
      />
    </div>
  );
}

const sorted = (): string[] => [...ids].map((id) => id.slice(3)).sort((a, b) => Number(a) - Number(b));

async function start(): Promise<void> {
  render(<Selectable />);
  await untilItStands();
  document.querySelector('button')?.focus();
  await userEvent.keyboard('{Tab}{ArrowRight}');
  await expect.poll(focusPlace).toBe('row 0, number');
}

beforeEach(() => {
  ids = new Set();
});
afterEach(cleanup);

test('Space selects and takes back, on any cell that is no toggle', async () => {
  await start();
  await userEvent.keyboard(' ');
  await expect.poll(sorted).toEqual(['1']);
  await vi.waitFor(() => expect(document.querySelector('[row-id="id-1"]')).toHaveAttribute('aria-selected', 'true'));
  await userEvent.keyboard('{ArrowRight} ');
  await expect.poll(sorted).toEqual([]);
});

test('Shift+Space selects the range from the last chosen row', async () => {
  await start();
  await userEvent.keyboard('{ArrowDown} {ArrowDown}{ArrowDown}{Shift>} {/Shift}');
  await expect.poll(sorted).toEqual(['2', '3', '4']);
});

test('Shift with an arrow grows the range, and gives back on the way home', async () => {
  await start();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await expect.poll(sorted).toEqual(['3', '4', '5']);
  await expect.poll(focusPlace).toMatch(/^row 4/);
  await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}');
  await expect.poll(sorted).toEqual(['3', '4']);
  await userEvent.keyboard('{Shift>}{ArrowUp}{ArrowUp}{/Shift}');
  await expect.poll(sorted).toEqual(['2', '3']);
});

test('a range gives back on both sides of a row that cannot be selected', async () => {
  await start();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{/Shift}');
  await expect.poll(sorted).toEqual(['5', '6', '8']);
  await userEvent.keyboard('{Shift>}{ArrowUp}{ArrowUp}{ArrowUp}{/Shift}');
  await expect.poll(sorted).toEqual(['5']);
});

test('Ctrl+A selects all that can be, Escape clears; a row that cannot be says why', async () => {
  await start();
  await userEvent.keyboard('{Control>}a{/Control}');
  await expect.poll(sorted).toEqual(['1', '2', '3', '4', '5', '6', '8', '9', '10']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(sorted).toEqual([]);
  await userEvent.keyboard('{Control>}{End}{/Control}{ArrowUp}{ArrowUp}{ArrowUp} ');
  await expect.poll(sorted).toEqual([]);
  await expect.element(page.getByRole('status').filter({ hasText: 'Already paid' })).toBeInTheDocument();
});

test('the box in the heading has three states and acts by mouse and Space', async () => {
  await start();
  const header = () => document.querySelector('.ag-header-cell[col-id="grid-select"] [role="checkbox"]');
  await userEvent.keyboard(' ');
  await vi.waitFor(() => expect(header()).toHaveAttribute('aria-checked', 'mixed'));
  await userEvent.click(header() as Element);
  await expect.poll(sorted).toHaveLength(9);
  await vi.waitFor(() => expect(header()).toHaveAttribute('aria-checked', 'true'));
  await userEvent.keyboard(' ');
  await expect.poll(sorted).toHaveLength(0);
});

test('a click on a box selects, with Shift the range', async () => {
  await start();
  const box = (id: string) => document.querySelector(`[row-id="${id}"] .cd-box`) as Element;
  await userEvent.click(box('id-2'));
  await userEvent.click(box('id-5'), { modifiers: ['Shift'] });
  await expect.poll(sorted).toEqual(['2', '3', '4', '5']);
});

test('a selected row has its ground from its parts, so that its cells need not be styled again', async () => {
  await start();
  const row = document.querySelector('[row-id="id-1"]') as Element;
  const cell = row.querySelector('.ag-cell') as Element;
  const ground = () => getComputedStyle(row.querySelector('.ag-grid-scrolling-cells') as Element, '::before');
  // AG Grid's variable is inherited by every cell of the row.
  const inherited = () => getComputedStyle(cell).getPropertyValue('--ag-internal-row-overlay-color');
  const before = inherited();
  await userEvent.click(row.querySelector('.cd-box') as Element);
  await vi.waitFor(() => expect(row).toHaveAttribute('aria-selected', 'true'));
  expect(inherited()).toBe(before);
  const soft = document.createElement('i');
  soft.style.backgroundColor = 'var(--primary-soft)';
  row.append(soft);
  // The pointer is still on it: the colour of that, over that of the selection.
  expect(ground().backgroundImage).toContain(getComputedStyle(soft).backgroundColor);
  await userEvent.hover(document.querySelector('[row-id="id-4"]') as Element);
  await vi.waitFor(() => expect(ground().backgroundColor).toBe(getComputedStyle(soft).backgroundColor));
});

test('Ctrl+C copies the cell raw, or the selected rows with their heading', async () => {
  const copies = watchCopies();
  await start();
  await userEvent.keyboard('{End}{ArrowLeft}{Control>}c{/Control}');
  await expect.poll(() => copies).toEqual([{ text: '100000.50', html: '' }]);
  await userEvent.keyboard(' {ArrowDown} {Control>}c{/Control}');
  await expect.poll(() => copies).toHaveLength(2);
  expect(copies[1]?.text).toBe(
    'Challan No\tOwner\tNet\tPaid\r\nCH-1\tOwner 1\t100000.50\tUnpaid\r\nCH-2\tOwner 2\t200000.50\tPaid',
  );
  expect(copies[1]?.html).toContain('<td>200000.50</td>');
});

test('without a clipboard, as on an insecure origin, Ctrl+C says so', async () => {
  const none = vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never);
  await start();
  await userEvent.keyboard('{Control>}c{/Control}');
  await expect.poll(() => document.body.textContent).toContain('The browser did not allow copying');
  none.mockRestore();
});

interface Line extends Trip {
  group?: string;
}

test('a tree: Right and Left open and close, Left on a member goes to its group, * opens all', async () => {
  const onToggle = vi.fn<(row: Trip, expanded: boolean) => void>();
  const onExpandAll = vi.fn<() => void>();
  const lines: Line[] = [
    { ...trips(1, 100)[0]!, id: 'g-1' },
    ...trips(2).map((row) => ({ ...row, group: 'g-1' })),
    { ...trips(1, 200)[0]!, id: 'g-2' },
  ];
  const isGroup = (row: Trip): boolean => row.id.startsWith('g-');
  await showGrid({
    rows: lines,
    tree: {
      isGroup,
      isExpanded: (row) => row.id === 'g-1',
      onToggle,
      onExpandAll,
      groupIdOf: (row) => (row as Line).group,
      cells: { owner: { render: (row) => `Group ${row.id}`, text: (row) => row.id, span: 2 } },
    },
  });
  const group = document.querySelector('[row-id="g-1"]');
  await vi.waitFor(() => expect(document.querySelector('[role="treegrid"]')).toHaveAccessibleName('Trips'));
  await vi.waitFor(() => expect(group).toHaveAttribute('aria-expanded', 'true'));
  expect(group).toHaveTextContent('Group g-1');
  expect(group?.querySelector('[col-id="net"]')).toBeNull();
  expect(document.querySelector('[row-id="id-1"]')).toHaveAttribute('aria-level', '2');

  document.querySelector('button')?.focus();
  await userEvent.keyboard('{Tab}{ArrowDown}{ArrowDown}{ArrowLeft}');
  await expect.poll(focusPlace).toBe('row 0, number');
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(() => onToggle.mock.calls.at(-1)).toEqual([lines[0], false]);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowRight}');
  await expect.poll(() => onToggle.mock.calls.at(-1)).toEqual([lines[3], true]);
  await userEvent.keyboard('{Enter}*');
  await expect.poll(() => onToggle).toHaveBeenCalledTimes(3);
  expect(onExpandAll).toHaveBeenCalledTimes(1);
});
