import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildResult, openHsd, toResults } from '../support/hsd.ts';
import { foreignAnswer, speechless } from '../support/fake-server.ts';
import { buildChallans, buildOwner, many } from '../support/builders.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, openApp, press, toasts } from '../support/screen.tsx';
import * as statement from '../support/statement-screen.ts';
import { listOwners, markMatchingPaid, statementDesk } from '../support/statement.ts';

/** Messages and labels of challans, accounting and profile that no screen's own test asserts letter for letter. */

afterEach(async () => {
  for (let presses = 0; presses < 2 && statement.dialog(); presses += 1) await press('{Escape}');
  await closeApp();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('challans that cannot be listed: the default, in the place of the rows and in the toast', async () => {
  fakeServer({ challans: buildChallans(3) }).once(contract.challans.listRows, speechless);
  await openApp('/challans', '[role="alert"]');
  await expect.element(page.getByRole('alert').getByText('Failed to fetch challans')).toBeVisible();
  await vi.waitFor(() => expect(toasts()).toEqual(['Failed to fetch challans']));
});

test('each owner of accounting has Fetch Challans', async () => {
  fakeServer({ owners: many(2, (n) => buildOwner(n)) });
  await openApp('/accounting');
  await expect.element(button('Fetch Challans').nth(1)).toBeVisible();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Accounting Management');
});

test('the buttons of the bank statement carry their counts, its challans are Pending', async () => {
  statementDesk();
  await statement.openStatement('?depositedStartDate=2026-11-01');
  await expect.element(button('Select Page (10)')).toBeVisible();
  await expect.element(button('Select All Matching (10)')).toBeVisible();
  await expect.element(button('Mark All Matching as Paid (10 · ₹5,505.00)')).toBeVisible();
  await userEvent.click(button('Expand All'));
  await vi.waitFor(() =>
    expect(statement.cellText('00000000-0000-4000-8000-000000000008', 'paymentStatus')).toBe('Pending'),
  );
});

/** To step 1 with everything that matches. */
async function toStepOne(): Promise<void> {
  await userEvent.click(button('Select All Matching (10)'));
  await press('m');
  await vi.waitFor(() => expect(statement.focusText()).toBe('Download CSV'));
}

test('the two steps have their buttons', async () => {
  const stage = statementDesk();
  await statement.openStatement();
  await toStepOne();
  await expect.element(button('Continue to Payment')).toBeVisible();
  await userEvent.click(button('Continue to Payment'));
  await expect.element(button('Yes, Mark Selected as Paid')).toBeVisible();
  await userEvent.click(button('No, Cancel'));
  await vi.waitFor(() => expect(statement.dialog()).toBeNull());
  expect(stage.payments()).toEqual([]);
});

test('where nothing is left of what was to be paid, the dialog says so and does not go on', async () => {
  const stage = statementDesk();
  await statement.openStatement();
  await toStepOne();
  stage.owners = [];
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(statement.focusText()).toBe('No, Cancel'));
  await statement.armed();
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByRole('dialog')).toHaveTextContent('The matching challans have changed meanwhile');
  const goOn = button('Continue to Payment');
  await expect.element(goOn).toHaveAttribute('aria-disabled', 'true');
  (goOn.element() as HTMLElement).focus();
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('No challans selected for payment');
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(() => stage.payments()).toHaveLength(1);
  expect(statement.dialog()?.textContent).toContain('Step 1 of 2');
});

test('without an unpaid challan Mark All Matching is blocked, says why and sends nothing', async () => {
  const stage = statementDesk([]);
  await statement.openStatement('', 'h1');
  await expect.element(page.getByText('Nobody is owed anything')).toBeVisible();
  const all = page.getByRole('button', { name: /^Mark All Matching as Paid/ });
  await expect.element(all).toHaveAttribute('aria-disabled', 'true');
  (all.element() as HTMLElement).focus();
  await press('{Tab}{Shift>}{Tab}{/Shift}');
  // Its own: the pointer may rest on another button, which then shows one too.
  await expect.element(all).toHaveAccessibleDescription(/No unpaid challans found matching current filters/);
  const nothing = 'No unpaid challans found matching current filters';
  await press('{Enter}');
  await vi.waitFor(() => expect(toasts()).toEqual([nothing]));
  await press('m');
  await vi.waitFor(() => expect(toasts()).toEqual([nothing, nothing]));
  expect(stage.payments()).toEqual([]);
});

test('a statement that cannot be had is said in a toast too', async () => {
  const stage = statementDesk([]);
  stage.once(listOwners, speechless);
  await statement.openStatement('', '[role="alert"]');
  const failed = 'Failed to fetch bank statement';
  await expect.element(page.getByRole('alert').getByText(failed)).toBeVisible();
  await vi.waitFor(() => expect(toasts()).toEqual([failed]));
});

test('a payment that fails without a sentence has its default, in the dialog and in the toast', async () => {
  const stage = statementDesk();
  await statement.openStatement();
  stage.once(markMatchingPaid, speechless);
  await userEvent.click(button('Mark All Matching as Paid (10 · ₹5,505.00)'));
  await vi.waitFor(() => expect(toasts()).toEqual(['Failed to update payment status']));
  await toStepOne();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(statement.focusText()).toBe('No, Cancel'));
  await statement.armed();
  stage.once(markMatchingPaid, speechless);
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByRole('alert').getByText('Failed to update payment status')).toBeVisible();
});

test('a verification that fails: the default of the call, and that of the screen for an answer that is none', async () => {
  const stage = fakeServer({ hsdResult: buildResult(2) });
  await openHsd();
  await toResults();
  stage.once(contract.hsdVerification.verify, speechless);
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Failed to perform bulk HSD verification'));
  stage.once(contract.hsdVerification.verify, () => foreignAnswer({ success: true }));
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Failed to perform bulk verification'));
});
