import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { choose } from '../choose.ts';
import { idOf } from '../support/builders.ts';
import { watchDownloads } from '../support/downloads.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { closeApp, page, press, searchNow, toasts, userEvent } from '../support/screen.tsx';
import {
  button,
  cellText,
  focusedRow,
  goTo,
  isExpanded,
  openStatement,
  openThree,
  shownRows,
} from '../support/statement-screen.ts';
import {
  buildChallan,
  buildOwner,
  exportCsv,
  listOwners,
  ownerId,
  statementDesk,
  twelveOwners,
} from '../support/statement.ts';

afterEach(closeApp);

test('an owner shows name, contact, account, unpaid count and amount; its challans all that the statement names', async () => {
  statementDesk([
    buildOwner(1, [1], {
      name: '=HYPERLINK("http://x")',
      challans: [buildChallan(1, { depositedAt: null, tag: null, netAmountPayable: '1234567.00' })],
    }),
  ]);
  await openStatement();
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Bank Statement - Owner Expandable View');
  const row = document.querySelector(`.ag-grid-scrolling-container [row-id="${ownerId(1)}"]`);
  expect(cellText(ownerId(1), 'challanNumber')).toBe('=HYPERLINK("http://x")');
  for (const text of ['9876543211', '000123451', '1 challan', '₹12,34,567.00']) {
    expect(row?.textContent).toContain(text);
  }
  await goTo(ownerId(1));
  await press('{ArrowRight}');
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 1]));
  await vi.waitFor(() => expect(cellText(idOf(1), 'challanNumber')).toBe('CH-2627-000001'));
  const texts = [...document.querySelectorAll(`.ag-row[row-id="${idOf(1)}"] .ag-cell`)].map((cell) =>
    cell.textContent?.trim(),
  );
  const all = texts.join(' | ');
  for (const text of ['CH-2627-000001', 'TP00001', 'OD09AB1001', 'Iron ore, Joda → Paradip Port', 'Pending']) {
    expect(all).toContain(text);
  }
  expect(all).toMatch(/15\/11\/(20)?26.*16\/11\/(20)?26/);
  expect(all).toContain('₹12,34,567.00');
});

test('an owner of crores: the sum is whole, and each cell of an owner has a heading of its own', async () => {
  const challans = [buildChallan(1, { netAmountPayable: '123456789.00' })];
  statementDesk([buildOwner(1, [1], { challans }), buildOwner(2, [2], { accountNo: '888888888888888888' })]);
  await openStatement();
  const under = (column: string) => [
    document.querySelector(`.ag-header-cell[col-id="${column}"] .ag-header-cell-text`)?.textContent,
    cellText(ownerId(1), column),
  ];
  expect(under('vehicleNo')).toEqual(['Contact', '9876543211']);
  expect(under('trip')).toEqual(['Account Number', '000123451']);
  expect(under('loadingDate')).toEqual(['IFSC', 'SBIN0001234']);
  expect(under('unloadingDate')).toEqual(['Unpaid Count', '1 challan']);
  expect(under('depositedAt')).toEqual(['Oldest Deposit', '18/11/2026']);
  expect(under('tag')).toEqual(['Branch', 'Joda']);
  expect(under('paymentStatus')).toEqual(['Status', 'Ready']);
  const figure = document.querySelector(`[row-id="${ownerId(1)}"] [col-id="netAmountPayable"] .cd-figure`);
  expect(figure?.textContent).toBe('₹12,34,56,789.00');
  expect(figure?.scrollWidth).toBe(figure?.clientWidth);
  const account = document.querySelector(`[row-id="${ownerId(2)}"] [col-id="trip"] .truncate`);
  expect(account?.textContent).toBe('888888888888888888');
  expect(account?.scrollWidth).toBe(account?.clientWidth);
});

test('at 1366 pixels what keeps an owner from being paid, and that nothing is deposited, is whole', async () => {
  statementDesk([
    buildOwner(1, [1], { accountNo: '2345', oldestDeposit: null }),
    buildOwner(2, [2], { failedTransfer: { state: 'returned', day: '2026-11-29', reason: '' } }),
  ]);
  await openStatement();
  const rightOfText = (owner: number, column: string, text: string) => {
    const cell = document.querySelector(`[row-id="${ownerId(owner)}"] [col-id="${column}"]`);
    expect(cell?.textContent).toBe(text);
    const range = document.createRange();
    range.selectNodeContents(cell!);
    return range.getBoundingClientRect().right - cell!.getBoundingClientRect().right;
  };
  expect(rightOfText(1, 'paymentStatus', 'Check account')).toBeLessThanOrEqual(0);
  expect(rightOfText(2, 'paymentStatus', 'Returned 29/11')).toBeLessThanOrEqual(0);
  const deposit = document.querySelector(`[row-id="${ownerId(1)}"] [col-id="depositedAt"] .truncate`);
  expect(deposit?.textContent).toBe('Not deposited');
  expect(deposit?.scrollWidth).toBe(deposit?.clientWidth);
});

test('a statement that cannot be had has no sums: the cards say so and wait no longer', async () => {
  const stage = statementDesk();
  for (let tries = 0; tries < 5; tries += 1) stage.once(listOwners, () => refusal('INTERNAL_ERROR', 'Away'));
  await openStatement('', '[role="alert"]');
  const cards = () => [...document.querySelectorAll('main dl dd')].map((card) => card.textContent);
  await vi.waitFor(() => expect(cards()).toEqual(['—', '—', '—', '₹0.00']));
  expect(document.querySelector('main dl .skeleton')).toBeNull();
});

test('at 1366 pixels every column is in sight without scrolling sideways', async () => {
  // More rows than fit: the scroll bar takes its share.
  await openThree();
  await userEvent.click(button('Expand All'));
  await vi.waitFor(() => expect(shownRows()).toHaveLength(13));
  expect(window.innerWidth).toBe(1366);
  const cells = [...document.querySelectorAll(`.ag-row[row-id="${idOf(1)}"] .ag-cell`)];
  let body = cells[1]?.parentElement;
  while (body && !/auto|scroll/.test(getComputedStyle(body).overflowY)) body = body.parentElement;
  const edge = (body?.getBoundingClientRect().left ?? 0) + (body?.clientWidth ?? 0);
  expect(edge).toBeGreaterThan(1_000);
  expect(cells.some((cell) => cell.getAttribute('col-id') === 'paymentStatus')).toBe(true);
  for (const cell of cells) expect(cell.getBoundingClientRect().right).toBeLessThanOrEqual(edge + 1);
  // Identifiers, amounts and dates are never cut.
  for (const column of [
    'challanNumber',
    'vehicleNo',
    'loadingDate',
    'depositedAt',
    'netAmountPayable',
    'paymentStatus',
  ]) {
    const cell = cells.find((item) => item.getAttribute('col-id') === column);
    expect(cell?.scrollWidth, column).toBeLessThanOrEqual(cell?.clientWidth ?? 0);
  }
  // No heading is broken within a word.
  const headings = [...document.querySelectorAll('.ag-header-cell-text')];
  expect(headings.map(({ textContent }) => textContent)).toContain('Unpaid Count');
  for (const heading of headings) {
    const lines = Math.round(
      heading.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(heading).lineHeight),
    );
    expect(lines, heading.textContent ?? '').toBeLessThanOrEqual(heading.textContent?.split(' ').length ?? 1);
  }
});

test('Right and Left open and close an owner, * all of them, Refresh closes all', async () => {
  const stage = await openThree();
  expect([1, 2, 3].map(isExpanded)).toEqual(['false', 'false', 'false']);
  await goTo(ownerId(2));
  await press('{ArrowRight}');
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 8, 9, 903]));
  expect(isExpanded(2)).toBe('true');
  await press('{ArrowDown}{ArrowDown}');
  await vi.waitFor(() => expect(focusedRow()).toBe(9));
  await press('{Home}{ArrowLeft}');
  await vi.waitFor(() => expect(focusedRow()).toBe(902));
  await press('{ArrowLeft}');
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 903]));
  await press('*');
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 1, 2, 3, 4, 5, 6, 7, 902, 8, 9, 903, 10]));
  expect(stage.lists()).toHaveLength(1);
  await press('r');
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 903]));
  await vi.waitFor(() => expect(stage.lists()).toHaveLength(2));
});

test('Expand All and Collapse All', async () => {
  await openThree();
  await userEvent.click(button('Expand All'));
  await vi.waitFor(() => expect(shownRows()).toHaveLength(13));
  await userEvent.click(button('Collapse All'));
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 903]));
});

test('pages and their size are in the address; a new size returns to page 1', async () => {
  const stage = statementDesk(twelveOwners());
  await openStatement('?limit=10&page=2');
  expect(shownRows()).toEqual([911, 912]);
  await choose(page.getByRole('combobox', { name: /page|rows/i }), '20');
  await vi.waitFor(() => expect(shownRows()).toHaveLength(12));
  expect(searchNow()).toEqual({ limit: '20' });
  expect(stage.lists().at(-1)?.query).toEqual({ page: '1', limit: '20' });
});

test('Shift+B shows the groups of the unpaid challans of its filters', async () => {
  statementDesk();
  await openStatement(`?ownerId=${ownerId(2)}`);
  await press('{Shift>}b{/Shift}');
  await vi.waitFor(() =>
    expect(searchNow()).toEqual({ ownerId: ownerId(2), paymentStatus: 'unpaid', groupBy: 'owner' }),
  );
});

test('the CSV carries the filters, is named by the server, and says so', async () => {
  const stage = statementDesk();
  const names = watchDownloads();
  await openStatement(`?ownerId=${ownerId(2)}`);
  await userEvent.click(button('Download CSV'));
  await vi.waitFor(() => expect(toasts()).toEqual(['CSV file downloaded successfully']));
  expect(names).toEqual(['bank_statement_2026-11-20.csv']);
  expect(stage.files().map(({ query }) => query)).toEqual([{ ownerId: ownerId(2), format: 'csv' }]);
});

test('a CSV that fails, and one that cannot be saved', async () => {
  const stage = await openThree();
  stage.once(exportCsv, speechless);
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Failed to download CSV'));
  const click = vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    throw new Error('no room');
  });
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Failed to download CSV file'));
  click.mockRestore();
});

test('a load that fails shows its message with Retry, which loads it', async () => {
  const stage = statementDesk();
  for (let times = 0; times < 4; times += 1) {
    stage.once(listOwners, speechless);
  }
  await openStatement('', '[role="alert"]');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch bank statement');
  while (shownRows().length === 0) {
    // Pressed where it is: it goes as soon as the rows are there.
    const [retry] = button('Retry').elements();
    if (retry instanceof HTMLElement) retry.click();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(shownRows()).toEqual([901, 902, 903]);
  expect(document.querySelector('[role="alert"]')).toBeNull();
});

test('a refused load shows the server’s own sentence', async () => {
  const stage = statementDesk();
  stage.once(listOwners, () => refusal('FORBIDDEN', 'Not for you'));
  await openStatement('', '[role="alert"]');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Not for you');
});

test('while it loads it says so, and everything cannot be paid', async () => {
  const stage = statementDesk();
  const answer = stage.hold(listOwners, () => refusal('VALIDATION_ERROR', 'late'));
  await openStatement('', '[role="status"][aria-label="Loading"]');
  await expect.element(button(/^Mark All Matching as Paid/)).toHaveAttribute('aria-disabled', 'true');
  answer();
  await expect.element(page.getByRole('alert')).toHaveTextContent('late');
});

test('nobody is owed anything', async () => {
  statementDesk([]);
  await openStatement('', 'h1');
  await expect.element(page.getByText('Nobody is owed anything')).toBeVisible();
  await expect.element(button(/^Select Page/)).toHaveAttribute('aria-disabled', 'true');
  await expect.element(button(/^Mark All Matching as Paid/)).toHaveAttribute('aria-disabled', 'true');
  // A blocked command of a key says why.
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts().join()).toContain('No data available for CSV generation'));
});

test('without a single challan it says so, with the way to record one', async () => {
  statementDesk([]).books.challans = [];
  const router = await openStatement('', 'h1');
  await expect.element(page.getByText('No challans yet')).toBeVisible();
  expect(page.getByText('Every challan is marked as paid.').elements()).toEqual([]);
  await userEvent.click(button('Add New Challan'));
  await expect.poll(() => router.state.location.pathname).toBe('/challans/create');
});

test('a filter that matches nothing says so and can be cleared there', async () => {
  statementDesk();
  await openStatement('?tagId=none', 'h1');
  await expect.element(page.getByText('No unpaid challans found matching current filters')).toBeVisible();
  await userEvent.click(
    page.getByRole('region', { name: 'Bank statement' }).getByRole('button', { name: 'Clear Filters' }),
  );
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 903]));
  expect(searchNow()).toEqual({});
});

test('whoever cannot be paid by transfer says why in the status', async () => {
  statementDesk([
    buildOwner(1, [1], { accountNo: '' }),
    buildOwner(2, [2], { ifsc: '' }),
    buildOwner(3, [3], { challans: [buildChallan(3, { netAmountPayable: '-100.00' })] }),
    buildOwner(4, [4], { failedTransfer: { state: 'failed', day: '2026-11-27', reason: 'ACCOUNT CLOSED' } }),
    // What is on hold is not paid, so it does not make up for the rest.
    buildOwner(5, [5, 6], {
      challans: [
        buildChallan(5, { netAmountPayable: '900.00', holdReason: 'No papers' }),
        buildChallan(6, { netAmountPayable: '-100.00' }),
      ],
    }),
    // As a clerk sees them.
    buildOwner(7, [7], { accountNo: '•••••0284', ifsc: '•••••••5675' }),
    buildOwner(8, [8], { accountNo: '•2345', ifsc: '•••••••5675' }),
  ]);
  await openStatement();
  expect([1, 2, 3, 4, 5, 7, 8].map((m) => cellText(ownerId(m), 'paymentStatus'))).toEqual([
    'No account',
    'No IFSC',
    'Negative',
    'Failed 27/11: ACCOUNT CLOSED',
    'Negative',
    'Ready',
    'Check account',
  ]);
  expect(cellText(ownerId(1), 'trip')).toBe('No account number');
});

test('at 200 % of a 1920 screen the first owner is on the first screen', async () => {
  statementDesk();
  await page.viewport(960, 540);
  onTestFinished(() => page.viewport(1366, 768));
  await openStatement();
  const row = document.querySelector(`.ag-grid-scrolling-container [row-id="${ownerId(1)}"]`);
  expect(row?.getBoundingClientRect().bottom).toBeLessThan(500);
});
