import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../../../src/web/print.css';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, openApp, page, userEvent } from '../support/screen.tsx';

/** Ctrl+P prints all rows of a list, not the page that is shown (docs/specification.md §19.9). */

interface Sheet {
  rows: number;
  first: string;
  last: string;
  count: string;
  hasDialog: boolean;
}

/** What is on paper, each time that something is printed. */
const printed: Sheet[] = [];
beforeEach(() => {
  printed.length = 0;
  // As the browser does it: the page is drawn when the event is over.
  vi.spyOn(window, 'print').mockImplementation(() => {
    window.dispatchEvent(new Event('beforeprint'));
    const rows = [...document.querySelectorAll('.cd-print tbody tr:not([data-total])')];
    const textOf = (row: Element | undefined): string => row?.querySelector('td')?.textContent ?? '';
    printed.push({
      rows: rows.length,
      first: textOf(rows[0]),
      last: textOf(rows.at(-1)),
      count: document.querySelector('.cd-print-foot')?.textContent ?? '',
      hasDialog: document.querySelector('[aria-modal]') !== null,
    });
    window.dispatchEvent(new Event('afterprint'));
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const { listRows: list } = contract.challans;
const press = () => userEvent.keyboard('{Control>}p{/Control}');
const dialog = () => page.getByRole('alertdialog');
const whole = (count: number): Sheet => ({
  rows: count,
  first: `CH-2627-${String(count).padStart(6, '0')}`,
  last: 'CH-2627-000001',
  count: expect.stringContaining(`1-${count} of ${count} challans`) as string,
  hasDialog: false,
});
const shown = (count: number): Sheet => ({
  ...whole(count),
  rows: 10,
  last: `CH-2627-${String(count - 9).padStart(6, '0')}`,
  count: expect.stringContaining(`1-10 of ${count} challans`) as string,
});

test('all rows of the list in its order, without a question; the next print from the menu has the page', async () => {
  const stage = fakeServer({ challans: buildChallans(230) });
  await openApp('/challans?depositedStartDate=2026-11-01');
  const before = stage.calls(list).length;
  await press();
  await expect.poll(() => printed).toEqual([whole(230)]);
  const asked = stage
    .asks(list)
    .slice(before)
    .map((query) => [query['page'], query['limit'], query['depositedStartDate']]);
  expect(asked).toEqual(['1', '2', '3'].map((number) => [number, '100', '2026-11-01']));
  await expect.element(dialog()).not.toBeInTheDocument();
  window.print();
  expect(printed[1]).toEqual(shown(230));
});

test('more than 500 are asked about: nothing, this page, or all of them', async () => {
  fakeServer({ challans: buildChallans(501) });
  await openApp('/challans');
  await press();
  await expect.element(dialog()).toHaveTextContent('Print all 501 rows?They fill about 21 sheets of paper.');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await press();
  await userEvent.click(page.getByRole('button', { name: 'Print This Page' }));
  await expect.poll(() => printed).toEqual([shown(501)]);
  await press();
  await expect.element(dialog()).toBeVisible();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => printed[1]).toEqual(whole(501));
  expect(printed).toHaveLength(2);
});

test('a page that cannot be loaded: nothing is printed and it is said; Retry prints all', async () => {
  const stage = fakeServer({ challans: buildChallans(30) });
  await openApp('/challans');
  stage.once(list, () => refusal('INTERNAL_ERROR', 'The books are closed'));
  await press();
  await expect.element(dialog()).toHaveTextContent(/^Nothing was printedThe books are closed/);
  expect(printed).toEqual([]);
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.poll(() => printed).toEqual([whole(30)]);
});

test('Escape stops it, and Ctrl+P again prints the page: what comes later is not printed', async () => {
  const stage = fakeServer({ challans: buildChallans(30) });
  await openApp('/challans');
  const releaseFirst = stage.hold(list);
  await press();
  await expect.element(dialog()).toHaveTextContent('Loading 30 rows to print0 of 30 rows loaded');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByText('Stopped. Nothing was printed.')).toBeVisible();
  await expect.element(dialog()).not.toBeInTheDocument();
  const releaseSecond = stage.hold(list);
  await press();
  await press();
  expect(printed).toEqual([shown(30)]);
  releaseFirst();
  releaseSecond();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(printed).toHaveLength(1);
});

test('a list that got a row between two of its pages is not printed: one may be missing', async () => {
  const stage = fakeServer({ challans: buildChallans(130) });
  await openApp('/challans');
  const before = stage.calls(list).length;
  const releaseFirst = stage.hold(list);
  const releaseSecond = stage.hold(list);
  await press();
  releaseFirst();
  await expect.poll(() => stage.calls(list).length).toBe(before + 2);
  stage.books.challans = buildChallans(131);
  releaseSecond();
  await expect.element(dialog()).toHaveTextContent('Nothing was printedThe list has changed meanwhile.');
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.poll(() => printed).toEqual([whole(131)]);
});

test('a list of one page is left to the browser, and so is an open dialog', async () => {
  fakeServer({ challans: buildChallans(30) });
  await openApp('/challans?limit=50');
  const keys: boolean[] = [];
  const note = (event: KeyboardEvent): void => {
    if (event.key !== 'p') return;
    keys.push(event.defaultPrevented);
    // The test's browser would open its own print dialog.
    event.preventDefault();
  };
  window.addEventListener('keydown', note);
  await press();
  await closeApp();
  fakeServer({ challans: buildChallans(30) });
  await openApp(`/challans?open=${buildChallans(1)[0]!.id}`);
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await press();
  window.removeEventListener('keydown', note);
  expect(keys).toEqual([false, false]);
  expect(printed).toEqual([]);
});
