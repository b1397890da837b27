import { afterEach, expect, test, vi } from 'vitest';
import { cleanup } from '@testing-library/react';
import { endSession } from '../../../src/web/kit/api/session-store.ts';
import { coal } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { page, toasts, userEvent } from '../support/screen.tsx';
import {
  boxOf,
  button,
  closeStatement,
  confirm,
  openStatement,
  openThree,
  selectionText,
  shownRows,
  tick,
  toStepTwo,
  waitBox,
  waitSelection,
} from '../support/statement-screen.ts';
import { buildOwner, markPaid, ownerId, review, statementDesk } from '../support/statement.ts';

afterEach(closeStatement);

const grid = '.cd-grid .ag-grid-scrolling-container .ag-row';
const kept = (): string =>
  Object.entries(sessionStorage)
    .filter(([key]) => key.endsWith('selection:bank-statement'))
    .map(([, value]) => String(value))
    .join();
const waitKept = (part: string): Promise<void> => vi.waitFor(() => expect(kept()).toContain(part));
const waitToast = (text: string): Promise<void> => vi.waitFor(() => expect(toasts()).toContain(text));
const leave = async (router: Awaited<ReturnType<typeof openStatement>>): Promise<void> => {
  await router.navigate('/accounting/payments');
  await vi.waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Payments'));
};

test('a selection survives leaving the screen, and the server is asked before it is used', async () => {
  const stage = statementDesk();
  const router = await openStatement();
  await userEvent.click(button('Select Page (10)'));
  await waitSelection('10 selected, ₹5,505.00');
  await leave(router);
  stage.owners = [buildOwner(1, [1, 2, 3, 4, 5, 6, 7])];
  await router.navigate(-1);
  await waitSelection('7 selected, ₹2,803.50');
  await waitToast('7 challans are selected again, ₹2,803.50. 3 of 10 were paid meanwhile.');
  await waitBox(ownerId(1), 'true');
  expect(stage.calls(review)).toHaveLength(1);
});

test('so does all matching with its exclusions, which goes by what matches now', async () => {
  const stage = statementDesk();
  const router = await openStatement();
  await userEvent.click(button('Select All Matching (10)'));
  await tick(ownerId(3));
  await waitSelection('9 selected, ₹4,504.50 (all 10 matching, 1 excluded)');
  await leave(router);
  stage.owners = [...stage.owners, buildOwner(4, [11])];
  await router.navigate(-1);
  await waitSelection('10 selected, ₹5,605.00 (all 11 matching, 1 excluded)');
  await waitToast('10 challans are selected again, ₹5,605.00. It was 9 challans, ₹4,504.50.');
  await waitBox(ownerId(3), 'false');
});

test('a reload gives it back, and only ids and amounts were kept', async () => {
  await openThree();
  await tick(ownerId(2));
  await waitSelection('2 selected, ₹1,701.00');
  window.dispatchEvent(new PageTransitionEvent('pagehide'));
  const stored = kept();
  expect(stored).toContain('800.50');
  for (const secret of ['Owner 2', '9876543212', '000123452', 'SBIN', 'CH-2627', 'TP0', 'OD09']) {
    expect(stored).not.toContain(secret);
  }
  cleanup();
  document.querySelector('#root')?.remove();
  await openStatement();
  await waitSelection('2 selected, ₹1,701.00');
  await waitToast('2 challans are selected again, ₹1,701.00.');
});

test('the session expires at Yes: nothing is paid, and after the sign-in the selection is there', async () => {
  const stage = statementDesk();
  const router = await openStatement();
  await toStepTwo();
  stage.once(markPaid, () => refusal('UNAUTHORIZED', 'Session expired or invalid token'));
  await confirm();
  await userEvent.click(button('Use another account'));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  await waitKept('800.50');
  cleanup();
  document.querySelector('#root')?.remove();
  await openStatement();
  await waitSelection('2 selected, ₹1,701.00');
  expect(stage.owners).toHaveLength(3);
});

test('Logout takes it along', async () => {
  await openThree();
  await tick(ownerId(2));
  await waitKept('800.50');
  endSession('logout');
  await vi.waitFor(() => expect(document.querySelector(grid)).toBeNull());
  expect(kept()).toBe('');
});

test('under another filter it waits, is named, and comes back with its own', async () => {
  statementDesk();
  const router = await openStatement(`?tagId=${coal.id}`);
  await tick(ownerId(2));
  await waitSelection('2 selected, ₹1,701.00');
  await leave(router);
  await router.navigate('/accounting/bank-statement');
  await expect.element(page.getByText('You left a selection of 2 challans, ₹1,701.00')).toBeVisible();
  await expect.element(page.getByText('It was made under another filter: tag COAL.')).toBeVisible();
  expect(selectionText()).toBe('0 selected, ₹0.00');
  await expect.element(button('Show It')).toBeVisible();
  await userEvent.click(button('Show It'));
  await waitSelection('2 selected, ₹1,701.00');
  expect(router.state.location.search).toContain(coal.id);
});

test('a changed filter ends it, and so does Discard', async () => {
  statementDesk();
  const router = await openStatement();
  await tick(ownerId(2));
  await waitKept('800.50');
  await router.navigate(`/accounting/bank-statement?ownerId=${ownerId(1)}`);
  await vi.waitFor(() => expect(shownRows()).toEqual([901]));
  await vi.waitFor(() => expect(kept()).toBe(''));
  await tick(ownerId(1));
  await waitKept('100.50');
  await leave(router);
  await router.navigate('/accounting/bank-statement');
  await expect.element(button('Discard It')).toBeVisible();
  await userEvent.click(button('Discard It'));
  await expect.element(button('Discard It')).not.toBeInTheDocument();
  expect(kept()).toBe('');
});

test('a check that fails is said, and can be tried again', async () => {
  const stage = statementDesk();
  const router = await openStatement();
  await tick(ownerId(2));
  await waitSelection('2 selected, ₹1,701.00');
  await leave(router);
  stage.once(review, () => refusal('VALIDATION_ERROR', 'No'));
  await router.navigate(-1);
  await expect
    .element(page.getByText('Your earlier selection (2 challans, ₹1,701.00) could not be checked'))
    .toBeVisible();
  expect(boxOf(ownerId(2))).toBe('false');
  await userEvent.click(button('Retry'));
  await waitSelection('2 selected, ₹1,701.00');
});

test('a payment ends it', async () => {
  statementDesk();
  const router = await openStatement();
  await toStepTwo();
  await confirm();
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 903]));
  await leave(router);
  await router.navigate(-1);
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 903]));
  expect([kept(), selectionText()]).toEqual(['', '0 selected, ₹0.00']);
});
