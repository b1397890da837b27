import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { coal, idOf } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { page, press, toastDetails, toasts, userEvent } from '../support/screen.tsx';
import {
  armed,
  button,
  closeStatement,
  closed,
  continueToPayment,
  confirm,
  dialog,
  focus,
  goTo,
  openStatement,
  openThree,
  tick,
  waitSelection,
} from '../support/statement-screen.ts';
import { buildChallan, buildOwner, ownerId, review, statementDesk, threeOwners } from '../support/statement.ts';

afterEach(closeStatement);

const says = (text: string): Promise<void> => vi.waitFor(() => expect(dialog()?.textContent).toContain(text));
const debtor = () =>
  buildOwner(4, [], {
    name: 'Bijay Mohanta',
    challans: [buildChallan(20, { netAmountPayable: '-500.00' }), buildChallan(21, { netAmountPayable: '100.00' })],
  });

test('both steps say the filter in words, count, owners, amount and what is left out', async () => {
  statementDesk();
  await openStatement(
    `?depositedStartDate=2026-11-01&depositedEndDate=2026-11-30&tagId=${coal.id}&ownerId=${ownerId(1)}`,
  );
  await goTo(ownerId(1));
  await press('{ArrowRight}');
  await tick(idOf(1));
  await tick(idOf(2));
  await press('m');
  await focus('Download CSV');
  const facts = [
    'owner Owner 1 · tag COAL · deposited 01/11/2026 to 30/11/2026',
    'Challans2',
    'Owners1',
    '₹301.00',
    'Rupees three hundred one only',
    '5 challans that match the filter, ₹2,502.50',
  ];
  for (const fact of facts) await says(fact);
  expect(dialog()?.textContent).not.toContain('No filter is set');
  await confirm();
  await focus('No, Cancel');
  for (const fact of facts) await says(fact);
});

test('without a filter both steps warn', async () => {
  await openThree();
  await userEvent.click(button('Select All Matching (10)'));
  await press('m');
  await focus('Download CSV');
  await says('No filter is set');
  await says('This pays every unpaid challan of your business');
  await confirm();
  await focus('No, Cancel');
  await says('No filter is set');
});

test('owners with a negative balance are named in both steps and beside Mark All Matching', async () => {
  statementDesk([...threeOwners(), debtor()]);
  await openStatement();
  const text = 'Owner with a negative balance: Bijay Mohanta (-₹400.00)';
  await expect.element(page.getByText(text)).toBeVisible();
  await userEvent.click(button('Select Page (12)'));
  await expect.element(page.getByText('₹5,505.00 payable')).toBeVisible();
  await press('m');
  await focus('Download CSV');
  await says('1 owner has a negative balance');
  await says(text);
  const way = '12 selected − 2 of 1 owner below zero = 10 · ₹5,505.00';
  await says(way);
  expect(dialog()?.querySelector('dt')?.textContent).toBe('Total');
  await confirm();
  await focus('No, Cancel');
  await says(text);
  await says(way);
  await press('{Escape}');
  await closed();
  await userEvent.click(button(/^Mark All Matching as Paid/));
  await vi.waitFor(() => expect(toastDetails().join()).toContain(text));
});

test('owners to whose account the last transfer failed are named in both steps', async () => {
  const failedTransfer = { state: 'failed', day: '2026-11-20', reason: 'ACCOUNT CLOSED' } as const;
  statementDesk([...threeOwners(), buildOwner(4, [20], { name: 'Bijay Mohanta', failedTransfer })]);
  await openStatement();
  await userEvent.click(button('Select Page (11)'));
  await press('m');
  await focus('Download CSV');
  await says('The last transfer to 1 owner failed');
  await says('Bijay Mohanta (Failed 20/11: ACCOUNT CLOSED)');
  await confirm();
  await focus('No, Cancel');
  await says('Bijay Mohanta (Failed 20/11: ACCOUNT CLOSED)');
});

test('an owner is named by its part of the selection', async () => {
  statementDesk([...threeOwners(), debtor()]);
  await openStatement(`?ownerId=${ownerId(4)}`);
  await goTo(ownerId(4));
  await press('{ArrowRight}');
  await tick(idOf(21));
  await press('m');
  await focus('Download CSV');
  await says('Owners1');
  expect(dialog()?.textContent).not.toContain('negative balance');
});

test('what was paid by someone else is named in step 1, and leaves the payment and the selection', async () => {
  const stage = await openThree();
  await userEvent.click(button('Select Page (10)'));
  await waitSelection('10 selected, ₹5,505.00');
  stage.owners = [buildOwner(1, [1, 2, 3, 4, 5, 6, 7])];
  await press('m');
  await says('The selected challans have changed meanwhile');
  await says('3 of 10 were paid meanwhile');
  for (const text of ['10 challans', '₹5,505.00', '7 challans', '₹2,803.50']) await says(text);
  await continueToPayment();
  await confirm();
  await closed();
  expect(stage.payments().map(({ body }) => body)).toEqual([{ challanIds: [1, 2, 3, 4, 5, 6, 7].map(idOf) }]);
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 7 challans as paid'));
});

test('Continue waits for the check; without it there is no second step', async () => {
  const stage = await openThree();
  await tick(ownerId(2));
  const late = stage.hold(review, () => refusal('VALIDATION_ERROR', 'The check failed'));
  await press('m');
  await focus('Download CSV');
  await confirm();
  expect(dialog()?.textContent).toContain('Step 1 of 2');
  late();
  await says('The check failed');
  await says('Nothing was paid');
  expect(dialog()?.textContent).toContain('Step 1 of 2');
  await expect.element(button('Continue to Payment')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(button('Retry'));
  await says('Owners1');
  await userEvent.click(button('Continue to Payment'));
  await focus('No, Cancel');
});

test('the offer to bring a cleared selection back goes with the next selection, and with the dialog', async () => {
  await openThree();
  await goTo(ownerId(2));
  await press(' ');
  await waitSelection('2 selected, ₹1,701.00');
  await press('{Escape}');
  await vi.waitFor(() => expect(toasts()).toContain('Selection cleared'));
  await press(' ');
  await vi.waitFor(() => expect(toasts()).not.toContain('Selection cleared'));
  await press('{Escape}');
  await vi.waitFor(() => expect(toasts()).toContain('Selection cleared'));
  await press('{Control>}z{/Control}');
  await waitSelection('2 selected, ₹1,701.00');
});

test('Mark Selected is blue only when something is selected', async () => {
  await openThree();
  const mark = button('Mark Selected as Paid');
  await expect.element(mark).not.toHaveClass('bg-primary');
  await tick(ownerId(2));
  await expect.element(mark).toHaveClass('bg-primary');
});

test('negative owners are left out, unless their challans are to be paid too', async () => {
  const stage = statementDesk([...threeOwners(), debtor()]);
  await openStatement();
  await userEvent.click(button('Select Page (12)'));
  await press('m');
  await says('Challans10');
  for (const text of ['Owners3', '₹5,505.00', 'They are left out', '2 challans that match the filter, -₹400.00']) {
    await says(text);
  }
  await userEvent.click(page.getByRole('checkbox', { name: 'Mark their challans as paid too' }));
  for (const text of ['Challans12', 'Owners4', '₹5,105.00', 'Nothing that matches the filter']) await says(text);
  await confirm();
  await focus('No, Cancel');
  await armed();
  await confirm();
  await closed();
  expect(stage.payments().map(({ body }) => (body as { paysNegative?: boolean }).paysNegative)).toEqual([true]);
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 12 challans as paid'));
});

test('what a negative owner owes is carried into its next payment, by the keyboard', async () => {
  const stage = statementDesk([...threeOwners(), debtor()]);
  await openStatement();
  await userEvent.click(button('Select Page (12)'));
  await press('m');
  await says('Challans10');
  const choice = page.getByRole('checkbox', { name: 'Bijay Mohanta: Carry ₹400.00 into the next payment' });
  // By Tab from the CSV, which has the focus.
  for (let at = 0; at < 10 && document.activeElement !== choice.element(); at += 1) await press('{Tab}');
  await press(' ');
  for (const text of [
    'What they owe is carried into their next payments.',
    'Challans12',
    'Owners4',
    '₹5,505.00',
    'Carried₹400.00 into the next payment of 1 owner',
    'Nothing that matches the filter',
  ]) {
    await says(text);
  }
  await press(' ');
  for (const text of ['Challans10', 'They are left out']) await says(text);
  await press(' ');
  await says('Challans12');
  await confirm();
  await focus('No, Cancel');
  await says('Carried₹400.00 into the next payment of 1 owner');
  await armed();
  await confirm();
  await closed();
  const carries = [{ ownerId: ownerId(4), amount: '400.00' }];
  expect(stage.payments().map(({ body }) => (body as { carries?: unknown }).carries)).toEqual([carries]);
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 12 challans as paid'));
});

test('what earlier payments carried is deducted, and said; one call for all that matches expects it too', async () => {
  const [first, second, third] = threeOwners();
  const stage = statementDesk([
    { ...first!, carriedAmount: '300.00' },
    { ...second!, carriedAmount: '9000.00' },
    third!,
  ]);
  await openStatement();
  await expect.element(page.getByText('₹300.00 carried from earlier payments is deducted.')).toBeVisible();
  await userEvent.click(button('Select Page (10)'));
  await press('m');
  // The second comes to less than was carried: it is left out.
  for (const text of [
    'Challans8',
    '₹3,504.00',
    'Deducted₹300.00 carried from earlier payments',
    'Owner 2 (-₹7,299.00)',
  ]) {
    await says(text);
  }
  await press('{Escape}');
  await closed();
  await userEvent.click(button('Clear Selection'));
  await userEvent.click(button(/^Mark All Matching as Paid \(8 · ₹3,504.00\)/));
  await vi.waitFor(() => expect(stage.payments()).toHaveLength(1));
  expect(stage.payments()[0]?.body).toMatchObject({ expected: { count: 8, totalAmount: '3504.00' } });
});

test('a sum above the largest payment of the last weeks is called unusual', async () => {
  const stage = await openThree();
  stage.largestPayment = '5504.99';
  await userEvent.click(button('Select All Matching (10)'));
  await press('m');
  await says('₹5,505.00 is more than your largest payment of the last twelve weeks, ₹5,504.99.');
  await press('{Escape}');
  await closed();
  stage.largestPayment = '5505.00';
  await press('m');
  await says('Owners3');
  expect(dialog()?.textContent).not.toContain('unusual');
});

const waiting = () => [
  buildOwner(1, [1, 2]),
  buildOwner(2, [8, 9], { holdReason: 'No papers' }),
  buildOwner(3, [], {
    challans: [buildChallan(10), buildChallan(11, { holdReason: 'Accident' })],
  }),
];

test('what is on hold is listed with its reason, is in no selection, and is counted beside it', async () => {
  const stage = statementDesk(waiting());
  await openStatement();
  await expect.element(page.getByText('On hold: No papers').first()).toBeVisible();
  await expect.element(page.getByText(/3 challans on hold, ₹2,801.50: never selected/)).toBeVisible();
  await userEvent.click(button('Select Page (3)'));
  await waitSelection('3 selected, ₹1,301.50');
  await userEvent.click(button('Select All Matching (3)'));
  await waitSelection('3 selected, ₹1,301.50 (all 3 matching)');
  await goTo(ownerId(3));
  await press('{ArrowRight}');
  await expect.element(page.getByText('On hold: Accident').first()).toBeVisible();
  await press('m');
  for (const text of ['Challans3', 'On hold3 challans']) await says(text);
  await press('{Escape}');
  await closed();
  await userEvent.click(button(/^Mark All Matching as Paid \(3 · ₹1,301.50\)/));
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 3 challans as paid'));
  expect(stage.payments().map(({ body }) => body)).toMatchObject([{ expected: { count: 3, totalAmount: '1301.50' } }]);
});

test('H puts the owner of the row on hold with a reason, at the version that was read', async () => {
  const stage = await openThree();
  Object.assign(stage.books.owners[1] ?? {}, { version: 3 });
  await goTo(ownerId(2));
  await press('h');
  await says('Put Owner 2 on hold?');
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveFocus();
  await press('{Control>}{Enter}{/Control}');
  await says('Please enter a reason');
  await press('No papers');
  await press('{Control>}{Enter}{/Control}');
  await closed();
  expect(stage.calls(contract.owners.setHold).map(({ path, body }) => [path, body])).toEqual([
    [`/owners/${ownerId(2)}/hold`, { reason: 'No papers', version: 3 }],
  ]);
  await vi.waitFor(() => expect(toasts()).toContain('Owner 2 is on hold'));
});
