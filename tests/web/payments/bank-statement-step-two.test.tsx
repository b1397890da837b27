import { afterEach, expect, test, vi } from 'vitest';
import { page, press, toasts, userEvent } from '../support/screen.tsx';
import {
  armed,
  button,
  closeStatement,
  closed,
  confirm,
  dialog,
  focus,
  goTo,
  openThree,
  toStepTwo,
} from '../support/statement-screen.ts';
import { buildChallan, buildOwner, ownerId } from '../support/statement.ts';

/** Step 2 and what comes of it: read before it can be confirmed, and told where something else was paid. */
afterEach(closeStatement);

test('the confirming key or click twice in a hurry stops at step 2, which is there to be read', async () => {
  const stage = await openThree();
  await goTo(ownerId(2));
  await press(' m');
  await focus('Download CSV');
  // Both presses within one turn, so that no slow machine puts time between them.
  for (let times = 0; times < 2; times += 1) {
    const shape = { key: 'Enter', code: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', shape));
    document.activeElement?.dispatchEvent(new KeyboardEvent('keyup', shape));
  }
  await focus('No, Cancel');
  expect(dialog()?.textContent).toContain('Step 2 of 2');
  expect(stage.payments()).toEqual([]);
  expect(toasts()).toEqual([]);
  await press('{Escape}');
  await closed();

  await press('m');
  await focus('Download CSV');
  const pressButton = (text: string): void =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text)?.click();
  pressButton('Continue to Payment');
  pressButton('Yes, Mark Selected as Paid');
  await focus('No, Cancel');
  expect(stage.payments()).toEqual([]);
  // Once it could be read, one press pays.
  await armed();
  await confirm();
  await closed();
  expect(stage.payments()).toHaveLength(1);
});

/** Owner 2 with one challan of another amount than the plan has; its second one as it was. */
const withOtherAmount = () => [
  buildOwner(1, [1, 2, 3, 4, 5, 6, 7]),
  buildOwner(2, [], {
    challans: [buildChallan(8, { netAmountPayable: '700.50' }), buildChallan(9)],
  }),
  buildOwner(3, [10]),
];

test('an amount that changed after it was confirmed: both figures stay on the screen, with Undo at hand', async () => {
  const stage = await openThree();
  await toStepTwo();
  // Another session adds an advance.
  stage.owners = withOtherAmount();
  await confirm();
  await expect.element(page.getByRole('alertdialog')).toHaveTextContent('What was paid is not what you confirmed');
  for (const text of ['You confirmed2 challans₹1,701.00', 'Paid2 challans₹1,601.00']) {
    expect(dialog()?.textContent).toContain(text);
  }
  await focus('Keep the Payment');
  await vi.waitFor(() => expect(toasts()).toContain('Successfully marked 2 challans as paid'));
  await userEvent.click(button('Undo Payment'));
  await vi.waitFor(() => expect(stage.reversals()).toHaveLength(1));
  await closed();
  expect(stage.reversals()[0]?.body).toEqual({ reason: 'Undone from the bank statement' });
  await vi.waitFor(() => expect(toasts()).toContain('Payment PAY-2627-000012 undone: 2 challans unpaid again'));
  // The toast's own Undo is the same act, done once.
  await press('{Control>}z{/Control}');
  await expect.poll(() => stage.reversals()).toHaveLength(1);
});

test('kept, the payment of other figures stands', async () => {
  const stage = await openThree();
  await toStepTwo();
  stage.owners = withOtherAmount();
  await confirm();
  await focus('Keep the Payment');
  await vi.waitFor(async () => {
    if (dialog()) await press('{Escape}');
    expect(dialog()).toBeNull();
  });
  expect(stage.reversals()).toEqual([]);
  expect(stage.payments()).toHaveLength(1);
});
