import { afterEach, expect, test, vi } from 'vitest';
import { choose } from '../choose.ts';
import { watchDownloads } from '../support/downloads.ts';
import { speechless } from '../support/fake-server.ts';
import { closeApp, page, press, searchNow, toasts, userEvent } from '../support/screen.tsx';
import {
  clickBox,
  goTo,
  openStatement,
  openThree,
  selectionText,
  shownRows,
  tick,
  waitSelection,
} from '../support/statement-screen.ts';
import { listOwners, ownerId, statementDesk, twelveOwners } from '../support/statement.ts';

afterEach(closeApp);

const field = (name: string) => page.getByLabelText(name, { exact: true });

test('Back to another filter ends the selection as a field does', async () => {
  statementDesk();
  const router = await openStatement();
  await router.navigate(`/accounting/bank-statement?ownerId=${ownerId(1)}`);
  await vi.waitFor(() => expect(shownRows()).toEqual([901]));
  await tick(ownerId(1));
  await waitSelection('7 selected, ₹2,803.50');
  await router.navigate(-1);
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 903]));
  await waitSelection('0 selected, ₹0.00');
  await vi.waitFor(() =>
    expect(toasts()).toContain('Selection cleared because the filter changed (7 challans were selected).'),
  );
});

test('a cleared selection does not come back over another filter', async () => {
  statementDesk();
  const router = await openStatement();
  await goTo(ownerId(1));
  await press(' ');
  await waitSelection('7 selected, ₹2,803.50');
  await press('{Escape}');
  await waitSelection('0 selected, ₹0.00');
  await router.navigate(`/accounting/bank-statement?ownerId=${ownerId(2)}`);
  await vi.waitFor(() => expect(shownRows()).toEqual([902]));
  await userEvent.click(page.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => selectionText()).toBe('0 selected, ₹0.00');
});

test('several changes within the pause are one call, of page 1', async () => {
  const stage = statementDesk(twelveOwners());
  await openStatement('?limit=10&page=2');
  const before = stage.lists().length;
  await userEvent.fill(field('Deposited from'), '01/11/2026');
  await userEvent.fill(field('Deposited to'), '30/11/2026');
  // A day counts when its field is left.
  await press('{Tab}');
  await choose(field('Filter by Tag'), 'COAL');
  await vi.waitFor(() => expect(shownRows()).toHaveLength(10));
  await vi.waitFor(() => expect(stage.lists().at(-1)?.query).toHaveProperty('tagId'));
  expect(stage.lists().at(-1)?.query).toMatchObject({
    page: '1',
    limit: '10',
    depositedStartDate: '2026-11-01',
    depositedEndDate: '2026-11-30',
  });
  // Never a call of page 1 with the filter that is being left.
  for (const { query } of stage.lists().slice(before)) expect(query).toHaveProperty('depositedStartDate');
  expect(searchNow()).toMatchObject({ limit: '10', depositedStartDate: '2026-11-01', depositedEndDate: '2026-11-30' });
});

test('nothing can be chosen or paid over a statement that is about to change', async () => {
  const stage = statementDesk();
  const router = await openStatement();
  const late = stage.hold(listOwners, speechless);
  await router.navigate(`/accounting/bank-statement?ownerId=${ownerId(1)}`);
  const wait = 'The statement is being loaded. Please wait a moment.';
  await expect
    .element(page.getByRole('button', { name: /^Mark All Matching as Paid/ }))
    .toHaveAttribute('aria-disabled', 'true');
  clickBox(ownerId(2));
  await vi.waitFor(() => expect(toasts()).toContain(wait));
  expect(selectionText()).toBe('0 selected, ₹0.00');
  await press('m');
  expect(document.querySelector('[role="dialog"]')).toBeNull();
  expect(stage.payments()).toEqual([]);
  late();
});

test('Escape keeps an end date that was typed, and the filter has both', async () => {
  const stage = await openThree();
  await userEvent.click(field('Deposited from'));
  await press('01/11/2026{Tab}30/11/2026{Escape}');
  await vi.waitFor(() =>
    expect(stage.lists().at(-1)?.query).toMatchObject({
      depositedStartDate: '2026-11-01',
      depositedEndDate: '2026-11-30',
    }),
  );
  await expect.element(field('Deposited to')).toHaveValue('30/11/2026');
});

test('text that is not a date goes back with Escape', async () => {
  statementDesk();
  await openStatement('?depositedEndDate=2026-11-30');
  await userEvent.click(field('Deposited to'));
  await press('xyz{Escape}');
  await expect.element(field('Deposited to')).toHaveValue('30/11/2026');
});

test('the pay key never filters: on the tag filter M changes nothing, and Escape and Ctrl+A are not trapped', async () => {
  const stage = await openThree();
  await userEvent.click(field('Deposited to'));
  await press('{Tab}');
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('combobox');
  const before = stage.lists().length;
  await press('c');
  await press('{Control>}a{/Control}');
  await waitSelection('10 selected, ₹5,505.00');
  await press('m');
  await vi.waitFor(() => expect(document.querySelector('[role="dialog"]')).not.toBeNull());
  expect(searchNow()).not.toHaveProperty('tagId');
  expect(
    stage
      .lists()
      .slice(before)
      .filter(({ query }) => query['tagId']),
  ).toEqual([]);
  await press('{Escape}');
});

test('dates in the wrong order: list, cards and payments are marked as not current until they are corrected', async () => {
  const stage = statementDesk();
  await openStatement('?depositedStartDate=2026-11-01&depositedEndDate=2026-11-30');
  await tick(ownerId(2));
  await userEvent.fill(field('Deposited to'), '30/10/2026');
  await press('{Tab}');
  await expect.element(page.getByText('The end date cannot be before the start date')).toBeVisible();
  await expect.element(page.getByText('Not current: these rows do not match the dates above.')).toBeVisible();
  expect(page.getByText('Total Unpaid Amount').element().parentElement?.textContent).toContain('—');
  const all = page.getByRole('button', { name: /^Mark All Matching as Paid/ });
  await expect.element(all).toHaveAttribute('aria-disabled', 'true');
  for (const name of ['Mark Selected as Paid', 'Download Excel', 'Download CSV']) {
    await expect.element(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  }
  await userEvent.click(all, { force: true });
  expect(stage.payments()).toEqual([]);
  await userEvent.fill(field('Deposited to'), '29/11/2026');
  await press('{Tab}');
  await expect.element(all).not.toHaveAttribute('aria-disabled');
});

test('Excel comes before CSV, of the same filter', async () => {
  const stage = statementDesk();
  const names = watchDownloads();
  await openStatement(`?ownerId=${ownerId(1)}`);
  await userEvent.click(page.getByRole('button', { name: 'Download Excel' }));
  await vi.waitFor(() => expect(toasts()).toContain('Excel file downloaded successfully'));
  expect(names).toEqual(['bank_statement_2026-11-20.xlsx']);
  expect(stage.files().map(({ query }) => query)).toEqual([{ ownerId: ownerId(1), format: 'xlsx' }]);
  await press('{Control>}{Shift>}e{/Shift}{/Control}');
  await vi.waitFor(() => expect(names).toHaveLength(2));
  const labels = [...document.querySelectorAll('main button')].map((item) => item.textContent ?? '');
  expect(labels.indexOf('Download Excel')).toBe(labels.indexOf('Download CSV') - 1);
});
