import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import '../../../src/web/print.css';
import { buildChallans, coal } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, openApp, page, userEvent } from '../support/screen.tsx';
import { openStatement } from '../support/statement-screen.ts';
import { buildOwner, list, ownerId, statementDesk, threeOwners } from '../support/statement.ts';

/** What is drawn for paper while the browser prints (docs/specification.md §19.9), and that it goes with the event. */
const begin = () => window.dispatchEvent(new Event('beforeprint'));
const finish = () => window.dispatchEvent(new Event('afterprint'));
afterEach(async () => {
  finish();
  await closeApp();
});

const heads = () => [...document.querySelectorAll('.cd-print th')].map((item) => item.textContent);
const linesOf = () =>
  [...document.querySelectorAll('.cd-print tbody tr:not([data-headings])')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? ''),
  );
const isOnPaper = (element: Element | null): boolean => element !== null && !element.closest('[data-print="hide"]');

test('the challan list: every column and row, the totals, the filter in words, whose it is and when', async () => {
  fakeServer({ challans: buildChallans(12, (n) => ({ paymentStatus: n === 12, tag: n === 11 ? null : coal })) });
  await openApp('/challans?depositedStartDate=2026-11-01');
  // The event alone draws it: the browser takes what stands when it is over.
  begin();
  expect(heads()).toEqual([
    'Challan No',
    'TP No',
    'Vehicle No',
    'Owner',
    'Tag',
    'Deposited Date',
    'Net Amount',
    'Paid',
    'HSD Verified',
  ]);
  const lines = linesOf();
  expect(lines).toHaveLength(11);
  expect(lines[0]).toEqual([
    'CH-2627-000012',
    'TP00012',
    'OD09AB1012',
    'Ravi Kumar',
    'COAL',
    '18/11/26',
    '₹788.00',
    'Yes',
    'No',
  ]);
  expect(lines[1]?.[4]).toBe('');
  expect(lines.at(-1)).toEqual(['Total of 12', '', '', '', '', '', '₹9,522.00', '', '']);
  expect(document.querySelector('.cd-print-foot')?.textContent).toContain('1-10 of 12 challans');
  expect(document.querySelector('.cd-print-head')?.textContent).toMatch(/Printed \d\d\/\d\d\/\d{4} \d\d:\d\d$/);
  expect(page.getByRole('group', { name: 'Active filters' }).element().textContent).toContain(
    'Deposited from 01/11/2026',
  );
  // What is pressed is not printed.
  for (const name of ['Export CSV', 'Add New Challan', 'Remove filter: Deposited from 01/11/2026']) {
    expect(isOnPaper(page.getByRole('button', { name, exact: true }).element())).toBe(false);
  }
  expect(isOnPaper(document.querySelector('section[aria-label="Filters"]'))).toBe(false);
  finish();
  expect(document.querySelector('.cd-print, .cd-print-head')).toBeNull();
  expect(page.getByRole('group', { name: 'Active filters' }).elements()).toEqual([]);
});

test('a column that was taken from the screen is not on paper either', async () => {
  fakeServer({ challans: buildChallans(1) });
  await openApp('/challans');
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('dialog').getByRole('checkbox', { name: 'Tag', exact: true }));
  begin();
  expect(heads()).not.toContain('Tag');
  expect(heads()).toContain('Net Amount');
});

test('the bank statement: owners and what is expanded of them, with accounts and amounts', async () => {
  statementDesk();
  await openStatement();
  await userEvent.click(page.getByRole('button', { name: 'Expand All' }));
  await expect.poll(() => document.querySelector(`[row-id="${ownerId(1)}"][aria-expanded="true"]`)).not.toBeNull();
  await expect.element(page.getByText('CH-2627-000010')).toBeVisible();
  begin();
  expect(heads()).toContain('Amount');
  const lines = linesOf();
  expect(lines).toHaveLength(13);
  expect(lines[0]?.join(' | ')).toContain('000123451');
  expect(lines[0]?.join(' | ')).toContain('7 challans');
  expect(lines[1]).toContain('CH-2627-000001');
  expect(document.querySelectorAll('.cd-print tr[data-group]')).toHaveLength(3);
  const headings = [...document.querySelectorAll('.cd-print tr[data-headings]')];
  expect(headings.map((row) => row.querySelector('th')?.textContent)).toEqual(Array(3).fill('Challan No'));
  expect(isOnPaper(page.getByRole('button', { name: 'Mark Selected as Paid' }).element())).toBe(false);
});

test('the bank statement: what is on hold is said on paper too, for the sums contain it', async () => {
  const [first, ...others] = threeOwners();
  if (!first) throw new Error('No owner');
  const challans = first.challans.map((challan, at) =>
    at === 0 ? { ...challan, holdReason: 'Slip missing' } : challan,
  );
  statementDesk([buildOwner(1, [], { challans }), ...others]);
  await openStatement();
  const text = page.getByText('1 challan on hold, ₹100.50: never selected, and not paid.');
  await expect.element(text).toBeVisible();
  begin();
  expect(isOnPaper(text.element())).toBe(true);
  expect(isOnPaper(page.getByRole('button', { name: 'Mark Selected as Paid' }).element())).toBe(false);
  expect(linesOf()[0]?.[0]).toBe('Owner 11 on hold');
});

/** The bank statement with all owners expanded and their challans on their way. */
async function openLoading() {
  const stage = statementDesk();
  const late = stage.hold(list, () => refusal('INTERNAL_ERROR', 'Away'));
  await openStatement();
  await userEvent.click(page.getByRole('button', { name: 'Expand All' }));
  await expect.poll(() => document.querySelector(`[row-id="${ownerId(1)}"][aria-expanded="true"]`)).not.toBeNull();
  return { stage, late };
}
const note = (): string | undefined => document.querySelector('.cd-print-note')?.textContent;

test('the bank statement while challans are being loaded: it says so above the table and in their rows', async () => {
  const { late } = await openLoading();
  begin();
  expect(note()).toBe('Not complete: 10 rows were still being loaded when this was printed. Please print again.');
  expect(linesOf()[1]).toEqual(['Loading…', '₹100.50', 'Loading…', 'Pending']);
  expect(document.querySelector<HTMLTableCellElement>('.cd-print [data-missing]')?.colSpan).toBe(7);
  finish();
  late();
  await expect.element(page.getByRole('alert')).toBeVisible();
  begin();
  expect(note()).toBe('Not complete: 10 rows could not be loaded.');
  expect(linesOf()[1]).toEqual(['Not loaded', '₹100.50', 'Not loaded', 'Not loaded']);
  finish();
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.element(page.getByText('CH-2627-000010')).toBeVisible();
  await expect.poll(() => document.querySelector('section[aria-label="Bank statement"][aria-busy]')).toBeNull();
  begin();
  expect([note(), linesOf()[1]?.[0]]).toEqual([undefined, 'CH-2627-000001']);
});

function pressPrint(): boolean {
  const event = new KeyboardEvent('keydown', { key: 'p', ctrlKey: true, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  return event.defaultPrevented;
}

test('Ctrl+P waits for the rows that are being loaded, and prints them then', async () => {
  const printed = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const { late } = await openLoading();
  expect(pressPrint()).toBe(true);
  await expect
    .element(page.getByRole('status').filter({ hasText: 'Rows are still being loaded. Then they are printed.' }))
    .toBeInTheDocument();
  expect(printed).not.toHaveBeenCalled();
  late();
  await expect.poll(() => printed.mock.calls.length).toBe(1);
  await expect.poll(() => document.querySelector('section[aria-label="Bank statement"][aria-busy]')).toBeNull();
  // Nothing is being loaded: the browser prints by itself.
  expect(pressPrint()).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(printed).toHaveBeenCalledTimes(1);
});

test('a second Ctrl+P prints at once what is there; a print does not wait on another screen', async () => {
  const printed = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const { late } = await openLoading();
  expect([pressPrint(), pressPrint()]).toEqual([true, false]);
  expect(pressPrint()).toBe(true);
  await closeApp();
  late();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(printed).not.toHaveBeenCalled();
});
