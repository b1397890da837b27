import { afterEach, expect, test, vi } from 'vitest';
import '../../../src/web/print.css';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  boxOf,
  button,
  closeApp,
  goTo,
  openApp,
  page,
  press,
  shownRows,
  toasts,
  totalText,
} from '../support/screen.tsx';

/** The rows are there before their sums are counted (docs/specification.md §3.4). */

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const { listRows, getSums, update } = contract.challans;
const stageOf = (count: number) => fakeServer({ challans: buildChallans(count), isCountedLater: true });
const pages = () => page.getByRole('navigation', { name: 'Pages' });
const range = () => pages().getByRole('status');
const sumsLine = () => page.getByText(/^Paid \d/);
const label = (): string =>
  document.querySelector('.ag-row-pinned [col-id="challanNumber"]')?.textContent?.trim() ?? '';
async function expectLastPageRefused(reason: string): Promise<void> {
  await expect.element(button('Last page')).toHaveAttribute('aria-disabled', 'true');
  await button('Last page').hover();
  await expect.element(page.getByRole('tooltip')).toHaveTextContent(reason);
}

test('the rows are there while the challans are counted, and nothing names a wrong sum', async () => {
  const stage = stageOf(23);
  const count = stage.hold(getSums);
  await openApp('/challans?material=coal');
  expect(shownRows()).toHaveLength(10);
  await expect.element(range()).toHaveTextContent('1-10, counting …');
  await expect.poll(() => [label(), totalText()]).toEqual(['Counting …', '']);
  await expect.element(sumsLine()).not.toBeInTheDocument();
  await expectLastPageRefused('Still counting');
  count();
  await expect.element(range()).toHaveTextContent('1-10 of 23 challans');
  await expect.poll(label).toBe('Total of 23');
  await expect.element(sumsLine()).toHaveTextContent('Paid 0 · ₹0.00|Unpaid 23 · ₹18,124.00');
  expect(stage.asks(getSums)).toEqual([{ material: 'coal' }]);
});

test('pages can be turned while they are counted; another page or order does not count again', async () => {
  const stage = stageOf(33);
  const count = stage.hold(getSums);
  await openApp('/challans');
  await press('{Alt>}{PageDown}{/Alt}');
  await expect.element(range()).toHaveTextContent('11-20, counting …');
  await button('Next page').click();
  await expect.element(range()).toHaveTextContent('21-30, counting …');
  await vi.waitFor(() => expect(shownRows()[0]).toBe('13'));
  count();
  await expect.element(range()).toHaveTextContent('21-30 of 33 challans');
  await button('Last page').click();
  await expect.element(range()).toHaveTextContent('31-33 of 33 challans');
  await button('First page').click();
  await vi.waitFor(() => expect(shownRows()[0]).toBe('33'));
  await page.getByRole('columnheader', { name: 'TP No' }).click();
  await vi.waitFor(() => expect(stage.asks(listRows).at(-1)).toMatchObject({ sortBy: 'tpNo' }));
  expect(stage.asks(getSums)).toHaveLength(1);
});

test('another filter stops the count of the one before', async () => {
  const stage = stageOf(23);
  const stopped: boolean[] = [];
  const send = window.fetch;
  vi.stubGlobal('fetch', (target: string, init: RequestInit) => {
    if (target.includes('/sums')) init.signal?.addEventListener('abort', () => stopped.push(true));
    return send(target, init);
  });
  const first = stage.hold(getSums);
  await openApp('/challans');
  await expect.element(range()).toHaveTextContent('1-10, counting …');
  await page.getByRole('button', { name: 'HSD not verified' }).click();
  await expect.poll(() => stopped).toEqual([true]);
  await expect.element(range()).toHaveTextContent('1-10 of 23 challans');
  first();
  expect(stage.asks(getSums)).toEqual([{}, { hsdVerified: 'unverified' }]);
});

test('a count that fails says so with Retry, and the rows stay', async () => {
  const stage = stageOf(23);
  stage.once(getSums, () => refusal('INTERNAL_ERROR', 'The database is away'));
  await openApp('/challans');
  await expect.element(range()).toHaveTextContent('1-10, could not be counted');
  // The row of the sums is drawn after the footer.
  await expect.poll(() => [shownRows().length, label(), totalText()]).toEqual([10, 'Not counted', '']);
  await expectLastPageRefused('The rows could not be counted');
  await goTo(23);
  await press('{Control>}a{/Control}');
  await press('{Control>}a{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['The matching challans could not be counted.']));
  const count = stage.hold(getSums);
  await pages().getByRole('button', { name: 'Retry' }).click();
  await expect.element(range()).toHaveTextContent('1-10, counting …');
  // The button is gone, and the focus is beside it.
  await expect.element(range()).toHaveFocus();
  count();
  await expect.element(range()).toHaveTextContent('1-10 of 23 challans');

  // Sums that could not be counted again after a change are not shown any more.
  stage.once(getSums, () => refusal('INTERNAL_ERROR', 'The database is away'));
  await goTo(23);
  // The page is selected.
  await press('{Escape}');
  await press('p');
  await expect.element(range()).toHaveTextContent('1-10, could not be counted');
  await expect.element(sumsLine()).not.toBeInTheDocument();
});

test('selecting all that match waits for the count, and the export does not', async () => {
  const stage = stageOf(14);
  const count = stage.hold(getSums);
  await openApp('/challans');
  await goTo(14);
  await press('{Control>}a{/Control}');
  await press('{Control>}a{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['The matching challans are still counted.']));
  await expect.element(page.getByText('10 selected')).toBeVisible();
  await button('Export CSV').click();
  await vi.waitFor(() => expect(toasts()).toContain('CSV export completed successfully!'));
  count();
  await expect.element(range()).toHaveTextContent('1-10 of 14 challans');
  await press('{Control>}a{/Control}');
  await expect.element(page.getByText('14 selected')).toBeVisible();
});

test('a challan that is marked paid while they are counted: the count begins again, and has it', async () => {
  const stage = stageOf(12);
  const old = stage.hold(getSums);
  await openApp('/challans?paymentStatus=unpaid');
  await goTo(12);
  await press('p');
  await vi.waitFor(() => expect(boxOf(12, 'paymentStatus')).toBe('true'));
  await expect.element(range()).toHaveTextContent('1-10 of 11 challans');
  old();
  await expect.element(sumsLine()).toHaveTextContent('Paid 0 · ₹0.00|Unpaid 11 · ₹8,734.00');

  // Counted ones are corrected at once, and taken back if the call fails.
  const answer = stage.hold(update, () => refusal('INTERNAL_ERROR', 'No'));
  await goTo(11);
  await press('p');
  await expect.element(range()).toHaveTextContent('1-10 of 10 challans');
  answer();
  await expect.element(range()).toHaveTextContent('1-10 of 11 challans');
  await expect.element(sumsLine()).toHaveTextContent('Paid 0 · ₹0.00|Unpaid 11 · ₹8,734.00');
  expect(stage.asks(listRows).filter(({ page: asked }) => asked === '1')).toHaveLength(1);
});

test('Ctrl+P waits for the count, and then prints all; what has changed meanwhile is seen on the last page', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => {
    window.dispatchEvent(new Event('beforeprint'));
    printed.push(document.querySelector('.cd-print')?.textContent ?? '');
    window.dispatchEvent(new Event('afterprint'));
  });
  const printed: string[] = [];
  const stage = stageOf(130);
  const count = stage.hold(getSums);
  await openApp('/challans');
  await press('{Control>}p{/Control}');
  expect(print).not.toHaveBeenCalled();
  count();
  await expect.poll(() => printed.length).toBe(1);
  expect(printed[0]).toContain('1-130 of 130 challans');

  window.print();
  expect(printed[1]).toContain('1-10 of 130 challans');

  Object.assign(stage.books.challans[0]!, { paymentStatus: true });
  await press('{Control>}p{/Control}');
  await expect
    .element(page.getByRole('alertdialog'))
    .toHaveTextContent('The list has changed meanwhile. Retry prints it as it is now.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => printed.length).toBe(3);
});

test('what is printed before the count says that it is one page', async () => {
  const printed: string[] = [];
  vi.spyOn(window, 'print').mockImplementation(() => {
    window.dispatchEvent(new Event('beforeprint'));
    printed.push(document.querySelector('.cd-print')?.textContent ?? '');
    window.dispatchEvent(new Event('afterprint'));
  });
  stageOf(23).once(getSums, () => refusal('INTERNAL_ERROR', 'The database is away'));
  await openApp('/challans');
  await expect.element(range()).toHaveTextContent('1-10, could not be counted');
  window.print();
  expect(printed[0]).toContain('Not complete: the rows were not counted, so this is one page of them.');
  expect(printed[0]).not.toContain('Total');
});
