import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { idOf } from '../support/builders.ts';
import { watchDownloads } from '../support/downloads.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { page, press, searchNow, toastDetails, toasts, userEvent } from '../support/screen.tsx';
import {
  armed,
  button,
  closeStatement,
  closed,
  continueToPayment,
  confirm,
  dialog,
  focus,
  focusedRow,
  goTo,
  openStatement,
  openThree,
  shownRows,
  tick,
  toStepTwo,
  waitBox,
  waitSelection,
} from '../support/statement-screen.ts';
import {
  batch,
  buildOwner,
  csvOfPayment,
  markMatchingPaid,
  markPaid,
  ownerId,
  statementDesk,
} from '../support/statement.ts';

afterEach(closeStatement);

const broken = () => refusal('SERVICE_UNAVAILABLE', 'The server is busy');

test.each([
  ['b', 'Bank File', { send: 'bank' }],
  ['w', 'Write to Owners', { write: 'owners' }],
])('after a payment the key %s does what “%s” of its message does', async (key, name, query) => {
  for (const isByKey of [true, false]) {
    const stage = statementDesk();
    stage.serveRest();
    const gone = () => refusal('NOT_FOUND', 'Payment not found');
    stage.serve(contract.paymentBatches.get, gone);
    stage.serve(contract.paymentBatches.owners, gone);
    stage.serve(contract.paymentBatches.listMessages, gone);
    watchDownloads();
    await openStatement();
    await goTo(ownerId(2));
    await press(' m');
    await continueToPayment();
    await confirm();
    await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 2 challans as paid'));
    await expect.element(button('Undo')).toBeVisible();
    await (isByKey ? press(key) : userEvent.click(button(name)));
    await expect.poll(searchNow).toMatchObject({ open: batch.id, ...query });
    await closeStatement();
  }
});

test('nothing selected: the button says what to do first, and no dialog opens', async () => {
  const stage = await openThree();
  await userEvent.click(button('Mark Selected as Paid'));
  await vi.waitFor(() => expect(toasts()).toEqual(['Please select at least one challan to mark as paid']));
  expect(dialog()).toBeNull();
  expect(stage.payments()).toEqual([]);
});

test('two steps: the focus is on the CSV, then on No; Enter never pays, Ctrl+Enter does', async () => {
  const stage = statementDesk();
  const names = watchDownloads();
  await openStatement();
  await goTo(ownerId(2));
  await press(' m');
  await focus('Download CSV');
  expect(dialog()?.textContent).toContain('Step 1 of 2');
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('Owners1'));
  for (const text of ['Challans2', 'Owners1', '₹1,701.00', 'One Thousand Seven Hundred']) {
    expect(dialog()?.textContent?.toLowerCase()).toContain(text.toLowerCase());
  }
  // Enter presses what has the focus: the CSV.
  await press('{Enter}');
  await vi.waitFor(() => expect(toasts()).toContain('CSV file downloaded successfully'));
  expect(names).toEqual(['bank_statement_2026-11-20.csv']);
  expect(dialog()?.textContent).toContain('Step 1 of 2');
  await userEvent.click(button('Continue to Payment'));
  await focus('No, Cancel');
  expect(document.querySelector('[role="alertdialog"]')?.textContent).toContain('Step 2 of 2');
  await press('{Enter}');
  await closed();
  expect(stage.payments()).toEqual([]);
  await waitSelection('2 selected, ₹1,701.00');

  await press('m');
  await continueToPayment();
  await confirm();
  await closed();
  expect(stage.payments().map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/challans/bank-report/bulk-payment', { challanIds: [idOf(8), idOf(9)] }],
  ]);
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 2 challans as paid'));
  // One message says both; the second sentence does not lie over the one with the Undo.
  await vi.waitFor(() =>
    expect(toastDetails()).toEqual([
      '₹1,701.00 · Payment PAY-2627-000012 · Payment summary CSV downloaded automatically',
    ]),
  );
  expect(names.at(-1)).toBe(csvOfPayment.filename);
  // The paid rows are gone, nothing is selected, and the focus is on the next unpaid row.
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 903]));
  await waitSelection('0 selected, ₹0.00');
  await vi.waitFor(() => expect(focusedRow()).toBe(903));
});

test('a key held down does not run through both steps', async () => {
  const stage = await openThree();
  await goTo(ownerId(2));
  await press(' m');
  await focus('Download CSV');
  for (let times = 0; times < 6; times += 1) {
    const held = { key: 'Enter', code: 'Enter', ctrlKey: true, repeat: times > 0, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', held));
  }
  await focus('No, Cancel');
  expect(stage.payments()).toEqual([]);
});

test('Undo in the toast takes the payment back', async () => {
  const stage = await openThree();
  await toStepTwo();
  await confirm();
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 903]));
  await userEvent.click(button('Undo'));
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 903]));
  expect(stage.reversals().map(({ path, body }) => [path, body])).toEqual([
    [`/payment-batches/${batch.id}/reverse`, { reason: 'Undone from the bank statement' }],
  ]);
  await vi.waitFor(() => expect(toasts()).toContain('Payment PAY-2627-000012 undone: 2 challans unpaid again'));
});

test('a retry after a failure carries the same key; pressing twice sends once', async () => {
  const stage = await openThree();
  await toStepTwo();
  stage.once(markPaid, broken);
  await confirm();
  await expect.element(page.getByRole('alertdialog')).toHaveTextContent('The server is busy');
  expect(dialog()?.textContent).toContain('You can try again');
  const slow = stage.hold(markPaid, () => broken());
  await confirm();
  await confirm();
  await press('{Escape}');
  await expect.poll(() => stage.payments()).toHaveLength(2);
  // What is under way cannot be closed away.
  expect(dialog()).not.toBeNull();
  slow();
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('You can try again'));
  await userEvent.click(button('Yes, Mark Selected as Paid'));
  await closed();
  const keys = stage.payments().map(({ key }) => key);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f-]{32,36}$/);
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 903]));
});

test('a new dialog has a new key', async () => {
  const stage = await openThree();
  await toStepTwo();
  stage.once(markPaid, () => refusal('NOT_FOUND', 'Challan not found'));
  await confirm();
  await expect.element(page.getByRole('alertdialog')).toHaveTextContent('Challan not found');
  await press('{Escape}');
  await closed();
  await press('m');
  await continueToPayment();
  await confirm();
  await closed();
  const [first, second] = stage.payments();
  expect(first?.key).not.toBe(second?.key);
});

test('all matching with exclusions goes by the filter, with what the user saw', async () => {
  const stage = statementDesk();
  await openStatement('?depositedStartDate=2026-11-01');
  await userEvent.click(button('Select All Matching (10)'));
  await tick(ownerId(2));
  await waitSelection('8 selected, ₹3,804.00 (all 10 matching, 2 excluded)');
  const all = button(/^Mark All Matching as Paid/);
  await expect.element(all).toHaveTextContent('Mark All Matching as Paid (10 · ₹5,505.00)');
  await expect.element(all).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(all, { force: true });
  expect(stage.payments()).toEqual([]);
  await press('{Tab}{Shift>}{Tab}{/Shift}');
  await expect.element(page.getByRole('tooltip')).toHaveTextContent(/2 challans are excluded/);

  await userEvent.click(button('Mark Selected as Paid'));
  await focus('Download CSV');
  expect(dialog()?.textContent).toContain('Challans8');
  expect(dialog()?.textContent).toContain('Owners2');
  await confirm();
  await focus('No, Cancel');
  await armed();
  await confirm();
  await closed();
  expect(stage.payments().map(({ method, body }) => [method, body])).toEqual([
    [
      'PUT',
      {
        filters: { depositedStartDate: '2026-11-01' },
        excludeChallanIds: [idOf(8), idOf(9)],
        paymentStatus: true,
        expected: { count: 8, totalAmount: '3804.00' },
      },
    ],
  ]);
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 8 challans as paid, 2 excluded'));
  await vi.waitFor(() => expect(shownRows()).toEqual([902]));
  await waitSelection('0 selected, ₹0.00');
});

test('matching challans that changed meanwhile: old and new are shown, nothing is paid, the selection is kept', async () => {
  const stage = await openThree();
  await userEvent.click(button('Select All Matching (10)'));
  await waitSelection('10 selected, ₹5,505.00 (all 10 matching)');
  await userEvent.click(button('Mark Selected as Paid'));
  await continueToPayment();
  // After the check of step 1.
  stage.owners = [...stage.owners, buildOwner(4, [11])];
  await confirm();
  await expect.element(page.getByRole('dialog')).toHaveTextContent('The matching challans have changed meanwhile');
  for (const text of ['10 challans', '₹5,505.00', '11 challans', '₹6,605.50', 'Nothing was paid']) {
    expect(dialog()?.textContent).toContain(text);
  }
  expect(stage.owners).toHaveLength(4);
  await confirm();
  await focus('No, Cancel');
  await armed();
  await confirm();
  await closed();
  const [first, second] = stage.payments();
  expect(second?.body).toMatchObject({ expected: { count: 11, totalAmount: '6605.50' } });
  expect(second?.key).not.toBe(first?.key);
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 11 challans as paid'));
  await expect.element(page.getByText('Nobody is owed anything')).toBeVisible();
});

test('the toast counts what the answer says, also what had been paid before', async () => {
  const stage = await openThree();
  await tick(ownerId(2));
  await userEvent.click(button('Mark Selected as Paid'));
  await continueToPayment();
  stage.owners = [buildOwner(1, [1, 2, 3, 4, 5, 6, 7]), buildOwner(2, [8]), buildOwner(3, [10])];
  await confirm();
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 1 challan as paid, 1 had been paid before'));
  // And what the rest came to, where two were confirmed.
  for (const text of ['1 challan had been paid before', 'You confirmed2 challans₹1,701.00', 'Paid1 challan₹800.50']) {
    expect(dialog()?.textContent).toContain(text);
  }
});

test('nothing was left to pay: that is said, without Undo and without a file', async () => {
  const stage = statementDesk();
  const names = watchDownloads();
  await openStatement();
  await tick(ownerId(3));
  await userEvent.click(button('Mark Selected as Paid'));
  await continueToPayment();
  stage.owners = stage.owners.slice(0, 2);
  await confirm();
  await vi.waitFor(() => expect(toasts().join()).toContain('1 challan had been paid before'));
  expect(names).toEqual([]);
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

test('Mark All Matching goes at once, with what its label says, and can be undone', async () => {
  const stage = statementDesk();
  const names = watchDownloads();
  // A large payment's file comes by its own call.
  stage.result = { csv: undefined, challanIds: undefined, csvUrl: `/api/payment-batches/${batch.id}/csv` };
  await openStatement();
  await userEvent.click(button('Mark All Matching as Paid (10 · ₹5,505.00)'));
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 10 challans as paid'));
  expect(dialog()).toBeNull();
  expect(stage.payments().map(({ body }) => body)).toEqual([
    {
      filters: {},
      excludeChallanIds: [],
      paymentStatus: true,
      expected: { count: 10, totalAmount: '5505.00' },
    },
  ]);
  expect(stage.payments()[0]?.key).toMatch(/^[0-9a-f-]{32,36}$/);
  await vi.waitFor(() => expect(names).toEqual(['payment_large.csv']));
  await vi.waitFor(() =>
    expect(toastDetails()).toEqual([
      '₹5,505.00 · Payment PAY-2627-000012 · Payment summary CSV downloaded automatically',
    ]),
  );
  await expect.element(page.getByText('Nobody is owed anything')).toBeVisible();
  await press('{Control>}z{/Control}');
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 903]));
  expect(stage.reversals()).toHaveLength(1);
});

test('Mark All Matching that fails can be pressed again with the same key; changed challans are shown first', async () => {
  const stage = await openThree();
  const all = button(/^Mark All Matching as Paid/);
  stage.once(markMatchingPaid, () => refusal('SERVICE_UNAVAILABLE', 'The server is busy'));
  await userEvent.click(all);
  await vi.waitFor(() => expect(toasts()).toContain('The server is busy'));
  stage.owners = [...stage.owners, buildOwner(4, [11])];
  await userEvent.click(all);
  await expect.element(page.getByRole('dialog')).toHaveTextContent('The matching challans have changed meanwhile');
  const [first, second] = stage.payments();
  expect(second?.key).toBe(first?.key);
  expect(stage.owners).toHaveLength(4);
});

test('after a payment by the owner’s challans the focus is on the next challan that stays', async () => {
  await openThree();
  await goTo(ownerId(1));
  await press('{ArrowRight}');
  await vi.waitFor(() => expect(shownRows()).toHaveLength(10));
  await press('{ArrowDown}{ArrowDown}{Shift>}{ArrowDown}{/Shift}');
  await waitSelection('2 selected, ₹501.00');
  await press('m');
  await continueToPayment();
  await confirm();
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 1, 4, 5, 6, 7, 902, 903]));
  await vi.waitFor(() => expect(focusedRow()).toBe(4));
  await waitBox(ownerId(1), 'false');
});

test('the file that cannot be saved is said, the payment stands', async () => {
  const stage = statementDesk();
  stage.result = { csv: undefined };
  stage.once(contract.paymentBatches.exportCsv, speechless);
  await openStatement();
  await toStepTwo();
  await confirm();
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 2 challans as paid'));
  await vi.waitFor(() => expect(toasts()).toContain('Failed to download CSV file'));
});
