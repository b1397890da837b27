import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { act, cleanup } from '@testing-library/react';
import { page, userEvent } from 'vitest/browser';
import { focusPlace, idle, showGrid, trips, untilItStands, type Trip } from './grid-fixture.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const enter = async (): Promise<void> => {
  document.querySelector('button')?.focus();
  await userEvent.keyboard('{Tab}');
};
const toggle = (onToggle: (row: Trip, on: boolean) => void, more: object = {}) => ({
  paid: { toggle: { isOn: (row: Trip) => row.paid, onToggle, label: (row: Trip) => `Paid, ${row.number}`, ...more } },
});
const rowOf = (id: string) => document.querySelector(`[row-id="${id}"]`);

test('Tab enters the grid once, at its first row, and leaves it once', async () => {
  await showGrid();
  await enter();
  await expect.poll(focusPlace).toBe('row 0, number');
  await userEvent.keyboard('{ArrowDown}{ArrowRight}');
  await expect.poll(focusPlace).toBe('row 1, owner');
  await userEvent.keyboard('{Tab}');
  await vi.waitFor(() => expect(document.activeElement?.closest('.cd-grid')).toBeNull());
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await expect.poll(focusPlace).toBe('row 1, owner');
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await expect.poll(focusPlace).toBe('Before');
});

test('Home and End go to the ends of the row, with Ctrl to the ends of the page', async () => {
  await showGrid();
  await enter();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{End}');
  await expect.poll(focusPlace).toBe('row 2, paid');
  await userEvent.keyboard('{Home}');
  await expect.poll(focusPlace).toBe('row 2, number');
  await userEvent.keyboard('{Control>}{End}{/Control}');
  await expect.poll(focusPlace).toBe('row 9, paid');
  await userEvent.keyboard('{Control>}{Home}{/Control}');
  await expect.poll(focusPlace).toBe('row 0, number');
});

test('only Space toggles the paid box: Delete, Backspace, Enter, F2 and letters never do', async () => {
  const onToggle = vi.fn<(row: Trip, on: boolean) => void>();
  const onOpen = vi.fn<(row: Trip) => void>();
  await showGrid({ cells: toggle(onToggle), onOpen });
  await enter();
  await userEvent.keyboard('{End}');
  await userEvent.keyboard('{Delete}{Backspace}{F2}xyz0{Enter}{Escape}');
  expect(onToggle).not.toHaveBeenCalled();
  expect(onOpen).toHaveBeenCalledTimes(1);
  expect(document.querySelector('.cd-grid input')).toBeNull();
  await userEvent.keyboard(' ');
  await expect.poll(() => onToggle.mock.calls.map(([row, on]) => [row.id, on])).toEqual([['id-1', true]]);
  await userEvent.keyboard('{ArrowDown} ');
  await expect.poll(() => onToggle.mock.calls.at(-1)?.[1]).toBe(false);
});

test('Space on a box that cannot be changed says why; a pending one is left alone', async () => {
  const onToggle = vi.fn<(row: Trip, on: boolean) => void>();
  const reason = 'No petrol pump on this challan';
  const { change } = await showGrid({
    cells: toggle(onToggle, { disabledReason: (row: Trip) => (row.id === 'id-1' ? reason : undefined) }),
  });
  await enter();
  await userEvent.keyboard('{End} ');
  expect(onToggle).not.toHaveBeenCalled();
  const note = page.getByRole('status').filter({ hasText: reason });
  await expect.element(note).toBeInTheDocument();
  await userEvent.keyboard('{Tab}');
  await expect.element(note).not.toBeInTheDocument();
  await enter();
  await userEvent.keyboard('{End}');
  change({ cells: toggle(onToggle, { isPending: () => true }) });
  await vi.waitFor(() => expect(rowOf('id-2')?.querySelector('.cd-box')).toHaveAttribute('aria-busy'));
  await userEvent.keyboard('{ArrowDown} ');
  expect(onToggle).not.toHaveBeenCalled();
});

test('a click on the box toggles it, a click beside it only moves the focus', async () => {
  const onToggle = vi.fn<(row: Trip, on: boolean) => void>();
  await showGrid({ cells: toggle(onToggle) });
  await userEvent.click(rowOf('id-3')?.querySelector('.cd-box') as Element);
  await expect.poll(() => onToggle.mock.calls.map(([row, on]) => [row.id, on])).toEqual([['id-3', true]]);
  await userEvent.click(rowOf('id-4')?.querySelector('[col-id="owner"]') as Element);
  await expect.poll(() => onToggle).toHaveBeenCalledTimes(1);
  await expect.poll(focusPlace).toBe('row 3, owner');
});

test('the box shows what the rows say, also after they changed', async () => {
  const { change } = await showGrid({ cells: toggle(() => undefined) });
  const box = () => rowOf('id-1')?.querySelector('.cd-box')?.getAttribute('aria-checked');
  expect(box()).toBe('false');
  change({ rows: trips(10).map((row) => (row.id === 'id-1' ? { ...row, paid: true } : row)) });
  await vi.waitFor(() => expect(box()).toBe('true'));
});

test('sorting asks the server and shows its order without changing the rows', async () => {
  const onSort = vi.fn<(sort: unknown) => void>();
  const { change } = await showGrid({ onSort, sort: { key: 'owner', order: 'asc' } });
  const header = (id: string) => document.querySelector(`.ag-header-cell[col-id="${id}"]`);
  await vi.waitFor(() => expect(header('owner')).toHaveAttribute('aria-sort', 'ascending'));
  expect(onSort).not.toHaveBeenCalled();
  await userEvent.click(header('net')?.querySelector('.ag-header-cell-label') as Element);
  // Figures are first wanted largest first.
  await expect.poll(() => onSort.mock.calls).toEqual([[{ key: 'net', order: 'desc' }]]);
  expect(rowOf('id-1')).toHaveAttribute('row-index', '0');
  change({ sort: { key: 'net', order: 'desc' } });
  await vi.waitFor(() => expect(header('net')).toHaveAttribute('aria-sort', 'descending'));
});

test('the heading of the last column has no tick after it', async () => {
  await showGrid();
  const tickOf = (cell: Element | undefined) => {
    const handle = cell?.querySelector('.ag-header-cell-resize');
    return handle ? getComputedStyle(handle, '::after').display : 'no handle';
  };
  const heads = [...document.querySelectorAll('.ag-header-cell')].toSorted(
    (a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left,
  );
  expect(tickOf(heads.at(-1))).toBe('none');
  expect(tickOf(heads.at(-2))).toBe('block');
});

test('the totals row shows the sum of the whole filter under its column', async () => {
  await showGrid({ totals: { sum: '123456789.00' } });
  const pinned = document.querySelector('.ag-row-pinned');
  expect(pinned?.querySelector('[col-id="net"]')).toHaveTextContent('₹12,34,56,789.00');
  expect(pinned?.querySelector('[col-id="number"]')).toHaveTextContent('Total');
});

test('the focus stays with its row when the rows are loaded anew, and on its place when the row is gone', async () => {
  const { change } = await showGrid();
  await enter();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowRight}');
  await expect.poll(focusPlace).toBe('row 3, owner');
  change({ rows: [...trips(1, 50), ...trips(10)] });
  await vi.waitFor(() => expect(focusPlace()).toBe('row 4, owner'));
  change({ rows: trips(10).filter((row) => row.id !== 'id-4') });
  await vi.waitFor(() => expect(focusPlace()).toBe('row 4, owner'));
  change({ rows: trips(2, 90) });
  await vi.waitFor(() => expect(focusPlace()).toBe('row 1, owner'));
});

test('a page can put the focus on a row, also on one that is still to come', async () => {
  const { change, handle } = await showGrid();
  handle.current?.focusRow('id-5');
  await vi.waitFor(() => expect(focusPlace()).toBe('row 4, number'));
  expect(handle.current?.focusedRow()?.id).toBe('id-5');
  expect(handle.current?.neighbourId('id-5')).toBe('id-6');
  expect(handle.current?.neighbourId('id-10')).toBe('id-9');
  expect(handle.current?.focusRow('id-12')).toBe(false);
  change({ rows: trips(10, 8) });
  await vi.waitFor(() => expect(handle.current?.focusedRow()?.id).toBe('id-12'));
  await expect.poll(focusPlace).toBe('row 4, number');
});

test('the first row can be asked for before the grid stands; whoever has gone on meanwhile is left alone', async () => {
  const button = (name: string) => page.getByRole('button', { name }).element() as HTMLElement;
  await showGrid({}, (handle) => {
    button('Before').focus();
    handle.focusFirstRow();
  });
  await expect.poll(focusPlace).toBe('row 0, number');
  cleanup();
  const { handle } = await showGrid({}, (early) => {
    button('Before').focus();
    early.focusFirstRow();
    button('After').focus();
  });
  await untilItStands();
  expect(focusPlace()).toBe('After');
  handle.current?.focusFirstRow();
  await expect.poll(focusPlace).toBe('row 0, number');
});

test('a reload does not take the focus from a field outside', async () => {
  const { change } = await showGrid();
  await enter();
  document.querySelector('button')?.focus();
  change({ rows: trips(10, 3) });
  await vi.waitFor(() => expect(rowOf('id-12')).not.toBeNull());
  await expect.poll(focusPlace).toBe('Before');
});

test.each(['dialog', 'alertdialog'])('a row that was asked for takes no focus from an open %s', async (role) => {
  const dialog = document.createElement('div');
  dialog.setAttribute('role', role);
  dialog.innerHTML = '<button type="button">Save</button>';
  document.body.append(dialog);
  const openDialog = () => dialog.querySelector('button')?.focus();

  // Before the grid stands.
  const { change, handle } = await showGrid({}, (early) => {
    early.focusRow('id-5');
    openDialog();
  });
  await untilItStands();
  expect(focusPlace()).toBe('Save');

  // Before its row is there.
  handle.current?.focusRow('id-12');
  change({ rows: trips(10, 3) });
  await vi.waitFor(() => expect(rowOf('id-12')).not.toBeNull());
  expect(focusPlace()).toBe('Save');
  dialog.remove();
});

test('Enter, a double click and the record’s own number open the details', async () => {
  const onOpen = vi.fn<(row: Trip) => void>();
  await showGrid({ onOpen });
  await enter();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await userEvent.click(rowOf('id-3')?.querySelector('[col-id="number"]') as Element);
  await userEvent.dblClick(rowOf('id-4')?.querySelector('[col-id="owner"]') as Element);
  await expect.poll(() => onOpen.mock.calls.map(([row]) => row.id)).toEqual(['id-2', 'id-3', 'id-4']);
});

test('a double click on the record’s own number opens it once', async () => {
  const onOpen = vi.fn<(row: Trip) => void>();
  await showGrid({ onOpen });
  await userEvent.dblClick(rowOf('id-3')?.querySelector('[col-id="number"]') as Element);
  await expect.poll(() => onOpen.mock.calls.map(([row]) => row.id)).toEqual(['id-3']);
});

test('Enter steps into the buttons of a row, arrows walk them, Escape comes back', async () => {
  const run = vi.fn<(row: Trip) => void>();
  await showGrid({
    rowActions: [
      { id: 'view', label: 'View', icon: 'v', run: () => undefined },
      { id: 'edit', label: 'Edit', icon: 'e', run },
    ],
  });
  await enter();
  await userEvent.keyboard('{ArrowDown}{End}{Enter}');
  await expect.poll(() => document.activeElement).toHaveAccessibleName('View');
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await expect.poll(() => run.mock.calls.map(([row]) => row.id)).toEqual(['id-2']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(focusPlace).toBe('row 1, grid-actions');
});

test('an error keeps the rows and offers Retry with the request id; without rows it stands in their place', async () => {
  const onRetry = vi.fn<() => void>();
  const error = { text: 'Failed to fetch challans', requestId: 'req-7' };
  const { change } = await showGrid({ status: { ...idle, error, onRetry } });
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch challans');
  expect(rowOf('id-1')).not.toBeNull();
  change({ rows: undefined });
  await expect.element(page.getByRole('alert')).toHaveTextContent('Request req-7');
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.poll(() => onRetry).toHaveBeenCalledTimes(1);
});

/** A grid whose load failed, with the focus on Retry; `settle` answers the retry. */
async function openFailed(rows: Trip[] | undefined) {
  const error = { text: 'Away' };
  const failed = { ...idle, error };
  const onRetry = vi.fn<() => void>();
  const { change } = await showGrid();
  act(() => change({ rows, status: { ...failed, onRetry } }));
  const retry = page.getByRole('button', { name: 'Retry' });
  const press = async (): Promise<void> => {
    onRetry.mockClear();
    retry.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => onRetry).toHaveBeenCalledTimes(1);
    // A load that has no rows yet forgets its error when it begins again.
    act(() => change({ status: { ...idle, isLoading: rows === undefined, isFetching: true } }));
  };
  return { change, retry, press, fail: () => act(() => change({ status: { ...failed, onRetry } })) };
}

test('after Retry the focus goes to the first row, when the rows come', async () => {
  const { change, press } = await openFailed(undefined);
  await press();
  expect(document.activeElement).toHaveAccessibleName(/Retry|Working/);
  act(() => change({ rows: trips(10), status: idle }));
  await expect.poll(focusPlace).toBe('row 0, number');
  expect(document.querySelector('[role="alert"]')).toBeNull();
});

test('after Retry over rows the focus goes to the cell that was left', async () => {
  const { change, press } = await openFailed(trips(10));
  await userEvent.click(page.getByText('Owner 4', { exact: true }));
  await expect.poll(focusPlace).toBe('row 3, owner');
  await press();
  act(() => change({ rows: trips(10), status: idle }));
  await expect.poll(focusPlace).toBe('row 3, owner');
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(focusPlace).toBe('row 4, owner');
});

test.each([[undefined], [trips(10)]])(
  'after a Retry that fails again the focus is still on it (rows: %#)',
  async (rows) => {
    const { retry, press, fail } = await openFailed(rows);
    await press();
    await expect.element(page.getByRole('alert')).toHaveTextContent('Away');
    fail();
    await expect.element(retry).toHaveFocus();
    await press();
    fail();
    await expect.element(retry).toHaveFocus();
  },
);

test('after Retry the focus stays where the user has put it meanwhile, and an empty grid takes it itself', async () => {
  const { change, press, fail } = await openFailed(undefined);
  await press();
  page.getByRole('button', { name: 'After' }).element().focus();
  act(() => change({ rows: trips(10), status: idle }));
  await vi.waitFor(() => expect(rowOf('id-1')).not.toBeNull());
  await expect.element(page.getByRole('button', { name: 'After' })).toHaveFocus();
  act(() => change({ rows: undefined }));
  fail();
  await press();
  act(() => change({ rows: [], status: idle }));
  await expect.element(page.getByRole('region', { name: 'Trips' })).toHaveFocus();
});

test('an error is forgotten when something else is loaded than what Retry asked for', async () => {
  const { change, press, fail } = await openFailed(trips(10));
  await press();
  fail();
  act(() => change({ status: { ...idle, isFetching: true } }));
  expect(document.querySelector('[role="alert"]')).toBeNull();
});

test('an error over rows covers none of them, and the row in focus stays in sight', async () => {
  const { change } = await showGrid({ rows: trips(40) });
  await enter();
  await userEvent.keyboard('{ArrowDown}'.repeat(30));
  await expect.poll(focusPlace).toBe('row 30, number');
  const before = document.activeElement?.getBoundingClientRect();
  act(() => change({ status: { ...idle, error: { text: 'Away', shown: 'Only amounts are current.' } } }));
  const alert = page.getByRole('alert');
  await expect.element(alert).toHaveTextContent('AwayOnly amounts are current.');
  const top = alert.element().getBoundingClientRect().top;
  expect(document.querySelector('.cd-grid')?.getBoundingClientRect().bottom).toBeLessThanOrEqual(top + 1);
  await vi.waitFor(() => expect(document.activeElement?.getBoundingClientRect().bottom).toBeLessThanOrEqual(top + 1));
  expect(focusPlace()).toBe('row 30, number');
  expect(before?.height).toBe(document.activeElement?.getBoundingClientRect().height);
});

test('no rows: the empty state of the page', async () => {
  await showGrid({ rows: [], empty: <p>No challans match</p> });
  await expect.element(page.getByText('No challans match')).toBeVisible();
});

test('rows on paper that are not all or not the right ones: a sentence above them says so', async () => {
  onTestFinished(() => void window.dispatchEvent(new Event('afterprint')));
  const { change } = await showGrid();
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  const paper = (): [string | undefined, number] => [
    document.querySelector('.cd-print-note')?.textContent,
    document.querySelectorAll('.cd-print tbody tr').length,
  ];
  expect(paper()).toEqual([undefined, 10]);
  const error = { text: 'Away' };
  const loading = { ...idle, isLoading: true, isFetching: true };
  const cases: [Parameters<typeof change>[0], string, number][] = [
    [
      { status: { ...idle, isFetching: true } },
      'Newer rows were being loaded when this was printed. Please print again.',
      10,
    ],
    [{ status: { ...idle, error } }, 'Away. These rows were loaded earlier.', 10],
    [{ status: { ...idle, notCurrent: 'Not these' } }, 'Not current: these rows belong to an earlier filter.', 10],
    [{ status: { ...idle, error }, rows: undefined }, 'Away. There are no rows to print.', 0],
    [
      { status: loading, rows: undefined },
      'The rows were still being loaded when this was printed. Please print again.',
      0,
    ],
  ];
  for (const [props, text, count] of cases) {
    act(() => change(props));
    expect(paper()).toEqual([text, count]);
  }
});
