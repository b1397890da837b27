import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { BankLineAtBank } from '../../../src/shared/contract/bank-answers.ts';
import { choose } from '../choose.ts';
import { buildBankAccount, buildBankLine } from '../support/bank-answers.ts';
import { idOf, many } from '../support/builders.ts';
import { paged } from '../support/kept.ts';
import { refusal, type Handler } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { cellText, closeApp, openApp, page, press, searchNow, shownRows, userEvent } from '../support/screen.tsx';

/** At the Bank (docs/specification.md §25.1). */

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const { listLines } = contract.bankAnswers;

const answerWith =
  (lines: readonly BankLineAtBank[]): Handler<typeof listLines> =>
  ({ query }) => ({ ...paged(lines, query), totals: { lines: lines.length, amount: '123456.50' } });

function stageOf(lines: readonly BankLineAtBank[]): Desk {
  const stage = fakeServer();
  stage.serve(listLines, answerWith(lines));
  stage.serve(contract.bankAccounts.list, ({ query }) => paged(many(2, buildBankAccount), query));
  return stage;
}
const queries = (stage: Desk) => stage.asks(listLines);
const address = '/accounting/bank';
const gridThere = 'section[aria-label="At the Bank"]';

test('lists what has no answer, the oldest first, with its age, state and the sum of the whole filter', async () => {
  const stage = stageOf([
    buildBankLine(1, { days: 9, amount: '120000.00' }),
    buildBankLine(2, { state: 'returned', utr: 'N097262012345678', eventOn: '2026-11-19', reason: 'ACCOUNT CLOSED' }),
  ]);
  await openApp(address);
  expect(queries(stage)).toEqual([{ page: '1', limit: '10', sortBy: 'sentOn', sortOrder: 'asc' }]);
  expect(shownRows()).toEqual(['1', '2']);
  const columns = ['reference', 'name', 'amount', 'state', 'sentOn', 'days'];
  expect(columns.map((column) => cellText(1, column))).toEqual([
    'PAY2627000444-01',
    'Owner 1',
    '₹1,20,000.00',
    'No answer yet',
    '18/11/2026',
    '9',
  ]);
  expect(cellText(2, 'state')).toBe('Returned');
  await vi.waitFor(() => expect(document.querySelector('.ag-row-pinned')?.textContent).toContain('₹1,23,456.50'));
});

test('at 1366 pixels owner, amount, state, UTR and account are whole without scrolling sideways', async () => {
  await page.viewport(1366, 768);
  stageOf([buildBankLine(1, { state: 'executed', utr: 'MAHBR52026112900012345', accountNo: '888888888888888888' })]);
  await openApp(address);
  const right = document.querySelector('.cd-grid .ag-grid-viewport')?.getBoundingClientRect().right;
  for (const column of ['name', 'amount', 'state', 'utr', 'accountNo']) {
    const cell = document.querySelector(`.ag-row [col-id="${column}"]`)!;
    const text = document.createRange();
    text.selectNodeContents(cell);
    const { paddingRight, borderRightWidth } = getComputedStyle(cell);
    const padding = Number.parseFloat(paddingRight) + Number.parseFloat(borderRightWidth);
    const end = Math.floor(text.getBoundingClientRect().right + padding);
    expect(end, column).toBeLessThanOrEqual(cell.getBoundingClientRect().right);
    expect(end, column).toBeLessThanOrEqual(right!);
  }
});

test('while it is loading it says so, and shows no empty words', async () => {
  const stage = stageOf([buildBankLine(1)]);
  const release = stage.hold(listLines);
  await openApp(address, gridThere);
  await vi.waitFor(() => expect(queries(stage)).toHaveLength(1));
  await expect.element(page.getByText('No lines are waiting for an answer')).not.toBeInTheDocument();
  expect(shownRows()).toEqual([]);
  release();
  await expect.poll(shownRows).toEqual(['1']);
});

test('a load that fails says why, and Retry loads it', async () => {
  const stage = stageOf([buildBankLine(1)]);
  stage.once(listLines, () => refusal('INTERNAL_ERROR', ''));
  await openApp(address, '[role="alert"]');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch the lines at the bank');
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.poll(shownRows).toEqual(['1']);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  expect(queries(stage)).toHaveLength(2);
});

test('with nothing at the bank it says what would be here, and where to go', async () => {
  stageOf([]);
  await openApp(address, gridThere);
  await expect.element(page.getByText('No lines are waiting for an answer')).toBeVisible();
  await expect
    .element(
      page.getByText('Lines of bank files are listed here until the bank has executed, refused or returned them.'),
    )
    .toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Open Payments' }))
    .toHaveAttribute('href', '/accounting/payments');
});

test('age, state, search and order are in the address and asked of the server; Reset leaves none of them', async () => {
  const stage = stageOf([buildBankLine(1)]);
  await openApp(`${address}?age=8%2B&state=failed`);
  expect(queries(stage)).toEqual([
    { page: '1', limit: '10', sortBy: 'sentOn', sortOrder: 'asc', age: '8+', state: 'failed' },
  ]);
  await choose(page.getByRole('combobox', { name: 'Age', exact: true }), '2 to 3 days');
  await expect.poll(searchNow).toEqual({ age: '2-3', state: 'failed' });
  await expect.poll(() => queries(stage).at(-1)).toMatchObject({ age: '2-3', state: 'failed' });
  await choose(page.getByRole('combobox', { name: 'State', exact: true }), 'All');
  await expect.poll(searchNow).toEqual({ age: '2-3', state: 'all' });
  await press('/');
  await expect.element(page.getByRole('searchbox').or(page.getByRole('textbox')).first()).toHaveFocus();
  const search = page.getByRole('textbox', { name: 'Search', exact: true });
  await expect.element(search).toHaveAccessibleDescription('Reference, owner, UTR or payment');
  await press('anil');
  await expect.element(search).not.toHaveAccessibleDescription('Reference, owner, UTR or payment');
  await expect.poll(searchNow).toEqual({ age: '2-3', state: 'all', search: 'anil' });
  await expect.poll(() => queries(stage).at(-1)).toMatchObject({ age: '2-3', state: 'all', search: 'anil' });
  await userEvent.click(page.getByRole('columnheader', { name: 'Amount' }));
  await expect.poll(searchNow).toMatchObject({ sortBy: 'amount' });
  await expect.poll(() => queries(stage).at(-1)?.['sortBy']).toBe('amount');
  await userEvent.click(page.getByRole('button', { name: 'Reset', exact: true }));
  await expect.poll(() => ['age', 'state', 'search'].filter((name) => name in searchNow())).toEqual([]);
});

test('an age that is none is left out of what is asked', async () => {
  const stage = stageOf([buildBankLine(1)]);
  await openApp(`${address}?age=yesterday&state=lost`);
  expect(queries(stage)).toEqual([{ page: '1', limit: '10', sortBy: 'sentOn', sortOrder: 'asc' }]);
});

test('of several paying accounts one is chosen, and is in the address; an account that is gone is still named', async () => {
  const stage = stageOf([buildBankLine(1)]);
  const from = page.getByRole('combobox', { name: 'Paid from', exact: true });
  await openApp(address);
  await expect.element(from).toHaveTextContent('All accounts');
  await choose(from, 'Account 2 …1232');
  await expect.poll(searchNow).toEqual({ account: idOf(402) });
  await expect.poll(() => queries(stage).at(-1)).toMatchObject({ account: idOf(402) });
  await choose(from, 'All accounts');
  await expect.poll(searchNow).toEqual({});
  await closeApp();
  stageOf([buildBankLine(1)]);
  await openApp(`${address}?account=${idOf(499)}`);
  await expect.element(from).toHaveTextContent('Unknown account');
});

test('its links lead to the answer and to what was accepted', async () => {
  stageOf([buildBankLine(1)]);
  await openApp(address);
  const link = (name: string) => page.getByRole('main').getByRole('link', { name });
  await expect.element(link('Enter the bank’s answer')).toHaveAttribute('href', '/accounting/bank/answer');
  await expect.element(link('Accepted answers')).toHaveAttribute('href', '/accounting/bank/answers');
});
