import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { historyEntries } from '../history-entries.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans, coal, idOf } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  boxOf,
  closeApp,
  focusPlace,
  goTo,
  openApp,
  page,
  press,
  searchNow,
  shownRows,
  toasts,
  userEvent,
} from '../support/screen.tsx';

let copied: string[];
beforeEach(() => {
  copied = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const dialog = () => page.getByRole('dialog');
const title = () => document.querySelector('[role="dialog"] h2')?.textContent;

test('Enter shows every field, with the sum line by line, and Escape comes back to the row', async () => {
  fakeServer({
    challans: buildChallans(3, () => ({
      remarks: 'Bill with party',
      drivingLicenseNo: 'OD1420110002873',
      loadingDate: '2026-11-14T04:05:00.000Z',
    })),
  });
  await openApp('/challans');
  await goTo(2);
  await press('{Enter}');
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000002'));
  expect(searchNow()).toEqual({ open: idOf(2) });
  await expect.element(dialog().getByText('Bill with party')).toBeVisible();
  const fields: Record<string, string> = {};
  for (const term of document.querySelectorAll('[role="dialog"] dt')) {
    fields[term.textContent ?? ''] = term.nextElementSibling?.textContent ?? '';
  }
  expect(fields).toEqual({
    'TP No': 'TP00002',
    'Vehicle No': 'OD09AB1002',
    'Loading Date': '14/11/2026 09:35',
    'Unloading Date': '16/11/2026',
    Material: 'Iron ore',
    Tag: coal.name,
    'Owner Name': 'Ravi Kumar',
    'Owner Contact Number': '9876543210',
    Discounter: '—',
    'Petrol Pump': 'Joda Filling Station',
    'Loading Place': 'Joda',
    'Unloading Place': 'Paradip',
    'Loading Weight': '10.50 MT',
    'Unloading Weight': '10.00 MT',
    'Difference Weight': '0.50 MT',
    'Discount Weight': '0.00 MT',
    'Rate per MT': '₹100.00',
    'TDS Percentage': '1.0 %',
    'HSD Price per Liter': '₹90.00',
    'HSD in Liters': '1.00 L',
    'Driver Name': '—',
    'Driving License No': 'OD1420110002873',
    'Vehicle Type': 'Hyva',
    'Vehicle Wheels': '12',
    'Data Entry By': 'Mamata',
    'Deposited On': '18/11/2026',
    Remarks: 'Bill with party',
    'Payment Status': 'Unpaid',
    'Payment No': '—',
    'On Hold': '—',
    'HSD Verified': 'Not verified',
    Created: '20/11/2026 15:30',
    'Last Updated': '20/11/2026 15:30',
  });
  const sum = [...document.querySelectorAll('[role="dialog"] tr')].map((row) => [
    row.querySelector('th')?.firstChild?.textContent,
    row.querySelector('td')?.textContent,
  ]);
  expect(sum).toEqual([
    ['Freight', '₹1,000.00'],
    ['TDS Amount', '− ₹10.00'],
    ['HSD Amount', '− ₹90.00'],
    ['Advance Money', '− ₹100.00'],
    ['Material Shortage Amount', '₹0.00'],
    ['Office Charges', '− ₹2.00'],
    ['Net Amount Payable', '₹798.00'],
    ['Shortage Amount', '₹50.00'],
  ]);
  await press('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(focusPlace).toBe('2 tpNo');
  expect(searchNow()).toEqual({});
});

test('Ctrl+Down and Ctrl+Up walk on without closing, over the edge of the page too; Escape returns to where it ended', async () => {
  fakeServer({ challans: buildChallans(12) });
  await openApp('/challans');
  await goTo(4, 'ownerName');
  await press('{Enter}');
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000004'));
  await press('{Control>}{ArrowDown}{/Control}');
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000003'));
  await press('{Control>}{ArrowDown}{/Control}');
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000002'));
  expect(searchNow()).toEqual({ page: '2', limit: '10', open: idOf(2) });
  await expect.element(page.getByText('1 of 2 on this page')).toBeVisible();
  await press('{Control>}{ArrowDown}{/Control}');
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000001'));
  await press('{Control>}{ArrowDown}{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['This is the last challan of the list']));
  await press('{Control>}{ArrowUp}{/Control}');
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000002'));
  await press('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(focusPlace).toBe('2 ownerName');
  expect(searchNow()).toEqual({ page: '2', limit: '10' });
});

test('closed while the next page loads, the details stay closed', async () => {
  const stage = fakeServer({ challans: buildChallans(12) });
  await openApp('/challans?page=2&limit=10');
  await goTo(2);
  await press('{Enter}');
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000002'));
  const release = stage.hold(contract.challans.listRows);
  const askedSoFar = stage.asks(contract.challans.listRows).length;
  await press('{Control>}{ArrowUp}{/Control}');
  await vi.waitFor(() => expect(stage.asks(contract.challans.listRows)).toHaveLength(askedSoFar + 1));
  await press('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  release();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(searchNow()).toEqual({ page: '2', limit: '10' });
});

test('Back closes the details, Forward opens them; closing leaves no second entry behind', async () => {
  fakeServer({ challans: buildChallans(3) });
  // A new entry drops those that an earlier test left ahead of this one.
  window.history.pushState(null, '', '/');
  await openApp('/challans');
  const before = historyEntries();
  await goTo(3);
  await press('{Enter}');
  await expect.element(dialog()).toBeVisible();
  window.history.back();
  await expect.element(dialog()).not.toBeInTheDocument();
  window.history.forward();
  await expect.element(dialog()).toBeVisible();
  window.history.back();
  await expect.element(dialog()).not.toBeInTheDocument();
  await press('{Enter}');
  await expect.element(dialog()).toBeVisible();
  await press('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(historyEntries()).toBe(before + 1);
  expect(searchNow()).toEqual({});
});

test('Ctrl+C copies all of it as text, unless text is marked', async () => {
  fakeServer({ challans: buildChallans(1) });
  await openApp(`/challans?open=${idOf(1)}`);
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000001'));
  await press('{Control>}c{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['Challan CH-2627-000001 copied as text']));
  expect(copied).toHaveLength(1);
  expect(copied[0]?.split('\n').slice(0, 4)).toEqual([
    'Challan CH-2627-000001',
    '',
    'Basic Information',
    'TP No: TP00001',
  ]);
  expect(copied[0]).toContain('TDS Amount: − ₹10.00 (1.0% of 10.00 MT × ₹100.00)');
  expect(copied[0]).toContain('Net Amount Payable: ₹799.00');
  window.getSelection()?.selectAllChildren(document.querySelector('[role="dialog"] dd') as Element);
  await press('{Control>}c{/Control}');
  await expect.poll(() => copied).toHaveLength(1);
});

test('the keys of the list work on the open challan: P and V toggle, E edits, D duplicates', async () => {
  const stage = fakeServer({ challans: buildChallans(2) });
  const router = await openApp(`/challans?open=${idOf(2)}`);
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000002'));
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
  await expect.element(dialog().getByRole('checkbox', { name: 'Paid' })).toBeChecked();
  expect(boxOf(2, 'paymentStatus')).toBe('true');
  await vi.waitFor(() => expect(toasts()).toHaveLength(1));
  await press('v');
  await expect.element(dialog().getByRole('checkbox', { name: 'HSD verified' })).toBeChecked();
  expect(stage.writes()).toHaveLength(2);
  // Paid by now: it cannot be deleted, and the key says why.
  await press('{Delete}');
  await vi.waitFor(() =>
    expect(toasts()).toContain('This challan is marked as paid. Unmark the payment before deleting it.'),
  );
  await press('d');
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/challans/create'));
  expect(router.state.location.state).toEqual({ copyFrom: idOf(2) });
});

test('a link to a challan that is not on the page shows it; one that is gone says so', async () => {
  fakeServer({ challans: buildChallans(30) });
  await openApp(`/challans?open=${idOf(3)}`);
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000003'));
  await press('{Control>}{ArrowDown}{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['This challan is not on the current page of the list']));
  await closeApp();
  fakeServer({ challans: buildChallans(3) });
  await openApp(`/challans?open=${idOf(77)}`);
  await expect.element(dialog().getByText('Challan not found')).toBeVisible();
  await userEvent.click(dialog().getByRole('button', { name: 'Close' }).first());
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(searchNow()).toEqual({});
});

test('details that cannot be fetched show what the list has, and Retry', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  stage.once(contract.challans.get, () => refusal('INTERNAL_ERROR', 'The database is away'));
  await goTo(1);
  await press('{Enter}');
  await expect.element(dialog().getByText('The database is away')).toBeVisible();
  await expect.element(dialog().getByText('TP00001')).toBeVisible();
  await userEvent.click(dialog().getByRole('button', { name: 'Retry' }));
  await expect.element(dialog().getByText('The database is away')).not.toBeInTheDocument();
});

test('E leaves for the form; coming back finds the filters, the page and the row again', async () => {
  fakeServer({ challans: buildChallans(25) });
  const router = await openApp('/challans?page=2&limit=10&sortBy=tpNo');
  await goTo(9);
  await press('e');
  await vi.waitFor(() => expect(router.state.location.pathname).toBe(`/challans/edit/${idOf(9)}`));
  await vi.waitFor(() => expect(document.querySelector('section[aria-label="Challans"]')).toBeNull());
  await router.navigate('/challans');
  await vi.waitFor(() => expect(shownRows()[0]).toBe('15'));
  expect(searchNow()).toEqual({ page: '2', limit: '10', sortBy: 'tpNo' });
  await expect.poll(focusPlace).toMatch(/^9 /);
  // Reached another way it begins anew.
  await router.navigate('/dashboard');
  await vi.waitFor(() => expect(document.querySelector('section[aria-label="Challans"]')).toBeNull());
  await router.navigate('/challans');
  await vi.waitFor(() => expect(shownRows()[0]).toBe('25'));
  expect(searchNow()).toEqual({});
});

test('the foot of the details: Delete at the left, then the others, Close, and Edit as the main one', async () => {
  fakeServer({ challans: buildChallans(1) });
  await openApp(`/challans?open=${idOf(1)}`);
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000001'));
  const buttons = [...document.querySelectorAll('[role="dialog"] footer button')].filter((item) => item.textContent);
  expect(buttons.map((item) => item.textContent)).toEqual(['Delete', 'Copy', 'Duplicate', 'Close', 'Edit']);
  expect(buttons.map((item) => item.classList.contains('bg-primary'))).toEqual([false, false, false, false, true]);
});
