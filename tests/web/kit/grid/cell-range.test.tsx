import { afterEach, expect, test, vi } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from 'vitest/browser';
import type { Column } from '../../../../src/shared/columns/define.ts';
import type { DataGridProps } from '../../../../src/web/kit/grid/data-grid.tsx';
import { DataGrid } from '../../../../src/web/kit/grid/data-grid.tsx';
import { useRowSelection } from '../../../../src/web/kit/grid/row-selection.ts';
import { watchCopies } from '../../support/downloads.ts';
import { focusPlace, idle, showGrid, tripColumns, trips, untilItStands, type Trip } from './grid-fixture.tsx';

afterEach(cleanup);

const cell = (id: string, column: string): HTMLElement =>
  document.querySelector<HTMLElement>(`[row-id="${id}"] [col-id="${column}"]`) ??
  expect.fail(`no cell ${id} ${column}`);
const sums = (): string => document.querySelector('.cd-sums')?.textContent ?? '';
const announced = (): string =>
  [...document.querySelectorAll('[role="status"].sr-only')].map((status) => status.textContent).join('');
/** 'id-1 net': the cells of the range. */
const inRange = (): string[] =>
  [...document.querySelectorAll('.cd-range')].map(
    (one) => `${one.closest('[row-id]')?.getAttribute('row-id')} ${one.getAttribute('col-id')}`,
  );
const net = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `id-${from + at} net`);

function mouse(type: string, at: Element, more: MouseEventInit = {}): void {
  const { left, top, width, height } = at.getBoundingClientRect();
  const place = { clientX: left + width / 2, clientY: top + height / 2 };
  const buttons = type === 'mouseup' ? 0 : 1;
  at.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, buttons, detail: 1, ...place, ...more }));
}

async function drag(from: Element, to: Element): Promise<void> {
  await userEvent.dragAndDrop(from, to);
}

async function start(props: Partial<DataGridProps<Trip>> = {}) {
  const shown = await showGrid(props);
  document.querySelector('button')?.focus();
  await userEvent.keyboard('{Tab}{ArrowRight}{ArrowRight}');
  await expect.poll(focusPlace).toBe('row 0, net');
  return shown;
}

test('a drag over cells selects them, and the footer has their count, sum and average', async () => {
  await start();
  await drag(cell('id-1', 'net'), cell('id-3', 'net'));
  await expect.poll(sums).toBe('Count 3 · Sum ₹6,00,001.50 · Average ₹2,00,000.50');
  expect(inRange()).toEqual(net(1, 3));
  expect(cell('id-1', 'net').dataset['edges']).toBe('top left right');
  await expect.poll(announced).toBe('Count 3, Sum ₹6,00,001.50, Average ₹2,00,000.50');
  // The other way round, over text and over the pinned column.
  await drag(cell('id-4', 'net'), cell('id-3', 'number'));
  await expect.poll(sums).toBe('Count 6 · Sum ₹7,00,001.00 · Average ₹3,50,000.50');
  await expect.poll(() => inRange().length).toBe(6);
});

test('it opens, ticks and selects nothing, also when the mouse comes back to its first cell', async () => {
  const onOpen = vi.fn<(row: Trip) => void>();
  const onToggle = vi.fn<() => void>();
  await start({ onOpen, cells: { paid: { toggle: { isOn: ({ paid }) => paid, onToggle, label: () => 'Paid' } } } });
  await drag(cell('id-1', 'number'), cell('id-2', 'number'));
  await expect.poll(sums).toBe('Count 2');
  const first = cell('id-1', 'number');
  mouse('mousedown', first);
  mouse('mousemove', cell('id-3', 'number'));
  await expect.poll(inRange).toHaveLength(3);
  mouse('mousemove', first);
  mouse('mouseup', first);
  mouse('click', first);
  expect(onOpen).not.toHaveBeenCalled();
  await drag(cell('id-1', 'paid').querySelector('.cd-box') as Element, cell('id-3', 'paid'));
  await expect.poll(inRange).toHaveLength(3);
  expect(onToggle).not.toHaveBeenCalled();
  // A press without a drag is a click as before, and ends the range.
  await userEvent.click(cell('id-2', 'paid').querySelector('.cd-box') as Element);
  expect(onToggle).toHaveBeenCalledTimes(1);
  await userEvent.click(first);
  expect(onOpen).toHaveBeenCalledTimes(1);
  expect([inRange(), sums()]).toEqual([[], '']);
});

test('Alt+Shift with an arrow adds cells and takes them back, Ctrl+Shift goes to the edge, Esc clears', async () => {
  await start();
  await userEvent.keyboard('{Alt>}{Shift>}{ArrowDown}{ArrowDown}{/Shift}{/Alt}');
  await expect.poll(inRange).toEqual(net(1, 3));
  await userEvent.keyboard('{Alt>}{Shift>}{ArrowUp}{/Shift}{/Alt}');
  await expect.poll(inRange).toEqual(net(1, 2));
  await expect.poll(announced).toContain('Count 2');
  expect(focusPlace()).toBe('row 0, net');
  await userEvent.keyboard('{Control>}{Shift>}{ArrowDown}{/Shift}{/Control}');
  await expect.poll(inRange).toEqual(net(1, 10));
  await userEvent.keyboard('{Escape}');
  await expect.poll(inRange).toEqual([]);
  expect(sums()).toBe('');
  // An arrow alone goes to another cell, as in a sheet.
  await userEvent.keyboard('{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}');
  await expect.poll(inRange).toHaveLength(2);
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(inRange).toEqual([]);
});

test('Shift with a click extends the range, and Ctrl+C copies it as text and as HTML', async () => {
  const copies = watchCopies();
  const onOpen = vi.fn<(row: Trip) => void>();
  await start({ onOpen });
  await drag(cell('id-2', 'net'), cell('id-3', 'net'));
  await expect.poll(inRange).toHaveLength(2);
  await userEvent.click(cell('id-3', 'number'), { modifiers: ['Shift'] });
  await expect.poll(inRange).toHaveLength(6);
  expect(onOpen).not.toHaveBeenCalled();
  await userEvent.keyboard('{Control>}c{/Control}');
  await expect.poll(() => copies).toHaveLength(1);
  expect(copies[0]?.text).toBe('CH-2\tOwner 2\t200000.50\r\nCH-3\tOwner 3\t300000.50');
  expect(copies[0]?.html).toMatch(/^<table><tr><td style=[^>]*>CH-2<\/td>.*<td>300000\.50<\/td><\/tr><\/table>$/);
  await expect.poll(() => document.body.textContent).toContain('6 cells copied');
});

const masked = ({ id }: Trip): string => (id === 'id-2' ? '••.••' : '1.25');
const units: readonly Column<Trip>[] = [
  ...tripColumns,
  { key: 'weight', label: 'Weight', kind: 'weight', width: 100, value: () => '1.25' },
];

test('figures of different units are not added, and a masked one is text', async () => {
  await start({ columns: units, cells: { weight: { render: masked, text: masked } } });
  await drag(cell('id-1', 'weight'), cell('id-3', 'weight'));
  await expect.poll(sums).toBe('Count 3 · Sum 2.50 MT · Average 1.25 MT');
  await drag(cell('id-1', 'net'), cell('id-1', 'weight'));
  await expect.poll(sums).toBe('Count 3 · No sum: different units');
});

test('the range stays while its rows are loaded again, and ends with another page or sort', async () => {
  const { change } = await start();
  await drag(cell('id-1', 'net'), cell('id-2', 'net'));
  await expect.poll(sums).toContain('₹3,00,001.00');
  change({ rows: trips(10).map((row) => ({ ...row, net: '5.00' })) });
  await expect.poll(sums).toBe('Count 2 · Sum ₹10.00 · Average ₹5.00');
  change({ rows: trips(10).toReversed() });
  await expect.poll(sums).toBe('');
  expect(inRange()).toEqual([]);
});

test('the rows scroll while the mouse is held below them', async () => {
  await start({ rows: trips(100) });
  const viewport = document.querySelector('.ag-grid-viewport') as Element;
  mouse('mousedown', cell('id-1', 'net'));
  mouse('mousemove', cell('id-2', 'net'));
  mouse('mousemove', cell('id-2', 'net'), { clientY: viewport.getBoundingClientRect().bottom + 200 });
  await expect.poll(sums, { timeout: 10_000 }).toContain('Count 100');
  expect(inRange()).toContain('id-100 net');
  mouse('mouseup', document.body);
  const { scrollTop } = viewport;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(viewport.scrollTop).toBe(scrollTop);
});

const keyOf = ({ id }: Trip): string => id;
const rows = trips(10);
let ids: ReadonlySet<string> = new Set();
function Selectable() {
  const chosen = useRowSelection(rows, { keyOf, labelOf: ({ number }) => number });
  // oxlint-disable-next-line react/globals -- read by the tests
  ids = chosen.ids;
  return (
    <div style={{ display: 'flex', height: 600, width: 1000 }}>
      <DataGrid<Trip>
        label="Trips"
        columns={tripColumns}
        rows={rows}
        keyOf={keyOf}
        status={idle}
        empty="Nothing"
        selection={chosen.selection}
        footer={<p>Selected rows</p>}
      />
    </div>
  );
}

test('the selection of rows has its own keys and clicks', async () => {
  render(<Selectable />);
  await untilItStands();
  await userEvent.click(cell('id-1', 'net'));
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await expect.poll(() => [...ids]).toEqual(['id-1', 'id-2']);
  await drag(cell('id-4', 'net'), cell('id-5', 'net'));
  await expect.poll(inRange).toHaveLength(2);
  expect([...ids]).toEqual(['id-1', 'id-2']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(inRange).toEqual([]);
  expect(ids.size).toBe(2);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => ids.size).toBe(0);
  // From a checkbox no range begins.
  await drag(cell('id-1', 'grid-select'), cell('id-3', 'grid-select'));
  expect(inRange()).toEqual([]);
  await userEvent.click(cell('id-2', 'grid-select').querySelector('.cd-box') as Element);
  await userEvent.click(cell('id-4', 'grid-select').querySelector('.cd-box') as Element, { modifiers: ['Shift'] });
  await expect.poll(() => [...ids].toSorted()).toEqual(['id-2', 'id-3', 'id-4']);
});

test('a tree: an owner whose trips are in the range too is not added, and missing rows are said', async () => {
  let missing: 'loading' | undefined;
  const lines = [{ ...trips(1)[0]!, id: 'g-1' }, ...trips(3)];
  const { change } = await start();
  const tree: NonNullable<DataGridProps<Trip>['tree']> = {
    isGroup: ({ id }) => id === 'g-1',
    isExpanded: () => true,
    onToggle: () => undefined,
    onExpandAll: () => undefined,
    groupIdOf: () => 'g-1',
    missing: () => missing,
    cells: { net: { kind: 'money', render: () => '₹9.00', text: () => '9.00' } },
  };
  change({ rows: lines, tree });
  await expect.poll(() => document.querySelector('[row-id="g-1"] [col-id="net"]')?.textContent).toBe('₹9.00');
  await drag(cell('g-1', 'net'), cell('id-2', 'net'));
  await expect.poll(sums).toBe('Count 3 · Sum of opened rows ₹3,00,001.00 · Average ₹1,50,000.50');
  missing = 'loading';
  change({ tree: { ...tree } });
  await expect.poll(sums).toBe('Count 3 · No sum: not all rows are loaded');
});
