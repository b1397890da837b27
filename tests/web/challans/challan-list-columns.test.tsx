import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans } from '../support/builders.ts';
import { fakeServer } from '../support/records.ts';
import { cellText, closeApp, goTo, openApp, page, press, searchNow, userEvent } from '../support/screen.tsx';

afterEach(closeApp);

const headings = (): string[] =>
  [...document.querySelectorAll('.ag-header-cell')]
    .toSorted((a, b) => Number(a.getAttribute('aria-colindex')) - Number(b.getAttribute('aria-colindex')))
    .map((cell) => cell.getAttribute('col-id') ?? '')
    .filter((id) => !id.startsWith('grid-'));
const openColumns = () => userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
const columnBox = (name: string) => page.getByRole('dialog').getByRole('checkbox', { name, exact: true });
const own = ['challanNumber', 'tpNo', 'vehicleNo', 'ownerName', 'tag', 'depositedAt', 'netAmountPayable'];

test('every field is offered as a column, is drawn only when shown, and is remembered where it was put', async () => {
  fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await expect.poll(headings).toEqual([...own, 'paymentStatus', 'hsdVerified']);
  expect(document.querySelector('[col-id="material"]')).toBeNull();
  await openColumns();
  for (const name of ['Material', 'Petrol Pump', 'Loading Weight', 'Driver Name', 'Paid On'])
    await expect.element(columnBox(name)).not.toBeChecked();
  await userEvent.click(columnBox('Material'));
  await expect.poll(() => cellText(3, 'material')).toBe('Iron ore');

  // By key: to the left of TP No, kept in sight, wider.
  (columnBox('Vehicle No').element() as HTMLElement).focus();
  await press('{Alt>}{ArrowUp}{/Alt}');
  await expect.poll(() => headings().slice(0, 3)).toEqual(['challanNumber', 'vehicleNo', 'tpNo']);
  const width = () => document.querySelector('.ag-header-cell[col-id="vehicleNo"]')?.getBoundingClientRect().width ?? 0;
  const before = width();
  await press('p');
  await vi.waitFor(() =>
    expect(document.querySelector('.ag-header .ag-grid-pinned-left-cells [col-id="vehicleNo"]')).not.toBeNull(),
  );
  await press('{Alt>}{ArrowRight}{ArrowRight}{ArrowRight}{/Alt}');
  await expect.poll(width).toBeGreaterThan(before);
  await press('{ArrowDown}{ArrowDown} {Escape}');
  await expect.element(page.getByRole('button', { name: 'Columns and density' })).toHaveFocus();
  const chosen = headings();
  await closeKeeping();

  await openApp('/challans');
  await expect.poll(headings).toEqual(chosen);
  expect(document.querySelector('.ag-header .ag-grid-pinned-left-cells [col-id="vehicleNo"]')).not.toBeNull();
  await openColumns();
  await userEvent.click(page.getByRole('button', { name: 'Reset view' }));
  await expect.poll(headings).toEqual([...own, 'paymentStatus', 'hsdVerified']);
  expect(document.querySelector('.ag-header .ag-grid-pinned-left-cells [col-id="vehicleNo"]')).toBeNull();
});

test('on a phone no column is pinned, and what is chosen there leaves the pins of a wide window', async () => {
  fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  const pinned = () =>
    [...document.querySelectorAll('.ag-header .ag-grid-pinned-left-cells .ag-header-cell')]
      .map((cell) => cell.getAttribute('col-id') ?? '')
      .filter((id) => !id.startsWith('grid-'));
  await openColumns();
  (columnBox('Vehicle No').element() as HTMLElement).focus();
  await press('p');
  await expect.poll(pinned).toEqual(['challanNumber', 'vehicleNo']);
  await press('{Escape}');
  await closeKeeping();
  try {
    await page.viewport(360, 740);
    await openApp('/challans');
    await expect.poll(headings).toContain('challanNumber');
    expect(pinned()).toEqual([]);
    await openColumns();
    await userEvent.click(columnBox('Tag'));
    await press('{Escape}');
    await closeKeeping();
  } finally {
    await page.viewport(1366, 768);
  }
  await openApp('/challans');
  await expect.poll(headings).not.toContain('tag');
  expect(pinned()).toEqual(['challanNumber']);
});

/** Away and back, with what this device remembers. */
async function closeKeeping(): Promise<void> {
  const kept = Object.entries(localStorage);
  await closeApp();
  for (const [key, value] of kept) localStorage.setItem(key, String(value));
  fakeServer({ challans: buildChallans(3) });
}

test('the list is asked for the fields of its columns, and a column that is shown says nothing before its field is there', async () => {
  const first = fakeServer({ challans: buildChallans(3) });
  const fields = (stage = first) => stage.asks(contract.challans.listRows).at(-1)?.['fields'];
  await openApp('/challans');
  await expect.poll(() => cellText(3, 'depositedAt')).toBe('18/11/26');
  expect(fields()).toBe('id,vehicleNo,tag');
  await openColumns();
  await userEvent.click(columnBox('Deposited Date'));
  await userEvent.click(columnBox('Tag'));
  await vi.waitFor(() => expect(fields()).toBe('id,vehicleNo'));
  await closeKeeping();

  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await expect.poll(() => cellText(3, 'vehicleNo')).toBe('OD09AB1003');
  expect(fields(stage)).toBe('id,vehicleNo');
  const answer = stage.hold(contract.challans.listRows);
  await openColumns();
  await userEvent.click(columnBox('Tag'));
  await vi.waitFor(() => expect(fields(stage)).toBe('id,vehicleNo,tag'));
  await expect.poll(() => document.querySelector('.ag-cell[col-id="tag"]')).not.toBeNull();
  expect(cellText(3, 'tag')).toBe('');
  answer();
  await expect.poll(() => cellText(3, 'tag')).toBe('COAL');
});

test('several columns are sorted by: with Shift, and with Shift+S on a cell; the server is asked', async () => {
  const stage = fakeServer({ challans: buildChallans(12) });
  await openApp('/challans');
  const heading = (name: string) => page.getByRole('columnheader', { name });
  await goTo(12, 'netAmountPayable');
  await press('{Shift>}S{/Shift}');
  await vi.waitFor(() => expect(searchNow()).toEqual({ sortBy: 'netAmountPayable' }));
  await vi.waitFor(() =>
    expect(stage.asks(contract.challans.listRows).at(-1)).toMatchObject({
      sortOrder: 'desc',
    }),
  );
  await goTo(12, 'tag');
  await press('{Shift>}S{/Shift}');
  await vi.waitFor(() => expect(searchNow()).toEqual({ sortBy: 'netAmountPayable,tagName', sortOrder: 'desc,asc' }));
  await press('{Shift>}S{/Shift}');
  await vi.waitFor(() =>
    expect(stage.asks(contract.challans.listRows).at(-1)).toMatchObject({
      sortOrder: 'desc,desc',
    }),
  );
  await expect.element(heading('Tag')).toHaveAttribute('aria-sort', 'descending');

  await userEvent.click(heading('Owner'));
  await vi.waitFor(() => expect(searchNow()).toEqual({ sortBy: 'ownerName', sortOrder: 'asc' }));
  await press('{Shift>}');
  await userEvent.click(heading('TP No'));
  await press('{/Shift}');
  await vi.waitFor(() => expect(searchNow()).toEqual({ sortBy: 'ownerName,tpNo', sortOrder: 'asc,asc' }));
  await userEvent.click(page.getByRole('button', { name: 'Newest first' }));
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
});

// Descending is the order that an address does not name.
test('Shift+S twice before anything is drawn sorts and turns the order', async () => {
  fakeServer({ challans: buildChallans(12) });
  await openApp('/challans');
  await goTo(12, 'tag');
  const key = { key: 'S', code: 'KeyS', shiftKey: true, bubbles: true, cancelable: true };
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
  await vi.waitFor(() => expect(searchNow()).toEqual({ sortBy: 'tagName' }));
});
