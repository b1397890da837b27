import { afterEach, expect, test, vi } from 'vitest';
import { idOf } from '../support/builders.ts';
import { watchCopies } from '../support/downloads.ts';
import { refusal } from '../support/fake-server.ts';
import { closeApp, page, press, toasts, userEvent } from '../support/screen.tsx';
import {
  boxLabel,
  button,
  cellText,
  closed,
  confirm,
  focusedRow,
  goTo,
  isExpanded,
  openStatement,
  openThree,
  shownRows,
  tick,
  toStepTwo,
  waitBox,
  waitSelection,
} from '../support/statement-screen.ts';
import {
  buildChallan,
  buildOwner,
  list,
  listOwners,
  only,
  ownerId,
  statementDesk,
  statementPage,
  threeOwners,
  twelveOwners,
  type StatementDesk,
} from '../support/statement.ts';

/** What is only shown of a challan is asked for when its owner is expanded (docs/specification.md §10.1). */
afterEach(closeApp);

const numberOf = (n: number) => `CH-2627-${String(n).padStart(6, '0')}`;
const waitNumber = (n: number) =>
  vi.waitFor(() => expect(cellText(idOf(n), 'challanNumber')).toBe(numberOf(n)), { timeout: 5_000 });
const isLoading = (n: number, column: string): boolean | undefined =>
  document.querySelector(`.ag-row[row-id="${idOf(n)}"] [col-id="${column}"]`)?.classList.contains('cd-loading');
/** Without a challan: as if it had been paid elsewhere. */
function take(stage: StatementDesk, n: number): void {
  stage.owners = only(stage.owners, ({ challanId }) => challanId !== idOf(n));
}

/** The three owners with the details of their challans on their way. */
async function openHeld() {
  const stage = statementDesk();
  const late = stage.hold(list, () => refusal('INTERNAL_ERROR', 'Away'));
  await openStatement();
  return { stage, late };
}

test('collapsed owners are chosen and paid without the details of their challans', async () => {
  const stage = await openThree();
  await tick(ownerId(1));
  await waitSelection('7 selected, ₹2,803.50');
  await userEvent.click(button('Select Page (10)'));
  await waitSelection('10 selected, ₹5,505.00');
  await userEvent.click(button(/^Mark All Matching as Paid/));
  await vi.waitFor(() => expect(stage.payments()).toHaveLength(1));
  await expect.element(page.getByText('Nobody is owed anything')).toBeVisible();
  expect(stage.details()).toEqual([]);
});

test('the first owner that is expanded asks for the page under its filter, the next one asks no more', async () => {
  const stage = statementDesk();
  await openStatement(`?limit=10&depositedStartDate=2026-11-01`);
  await userEvent.click(button('Expand All'));
  await waitNumber(10);
  expect(stage.details().map(({ query }) => query)).toEqual([
    { page: '1', limit: '10', depositedStartDate: '2026-11-01' },
  ]);
  await userEvent.click(button('Collapse All'));
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 903]));
  await userEvent.click(button('Expand All'));
  await waitNumber(1);
  expect(stage.details()).toHaveLength(1);
  expect(stage.lists()).toHaveLength(1);
});

test('until they come the rows are there with their amounts: the focus walks on them, and they can be chosen', async () => {
  const stage = statementDesk([
    buildOwner(1, [1, 2], { challans: [buildChallan(1, { depositedAt: null }), buildChallan(2)] }),
    buildOwner(2, [8, 9]),
  ]);
  const late = stage.hold(list, () => statementPage(stage.owners));
  await openStatement();
  await userEvent.click(button('Expand All'));
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 1, 2, 902, 8, 9]));
  for (const column of ['challanNumber', 'vehicleNo', 'loadingDate', 'depositedAt', 'tag'])
    expect([column, cellText(idOf(1), column), isLoading(1, column)]).toEqual([column, '', true]);
  expect(cellText(idOf(1), 'netAmountPayable')).toBe('₹100.50');
  expect(isLoading(1, 'netAmountPayable')).toBe(false);
  expect(boxLabel(idOf(1))).toBe('Select a challan of Owner 1');
  const first = document.querySelector<HTMLElement>(`.ag-row[row-id="${ownerId(1)}"] [col-id="vehicleNo"]`);
  first?.focus();
  await vi.waitFor(() => expect(focusedRow()).toBe(901));
  await press('{ArrowDown}{ArrowDown}');
  await vi.waitFor(() => expect(focusedRow()).toBe(2));
  await press(' ');
  await waitSelection('1 selected, ₹200.50');
  await press('h');
  await vi.waitFor(() => expect(toasts()).toContain('The challan is being loaded. Please wait a moment.'));
  late();
  await waitNumber(1);
  await waitNumber(2);
  expect(cellText(idOf(1), 'depositedAt')).toBe('Not deposited');
  expect(isLoading(1, 'tag')).toBe(false);
  await vi.waitFor(() => expect(boxLabel(idOf(2))).toBe(`Select ${numberOf(2)}`));
  expect(focusedRow()).toBe(2);
  await waitBox(idOf(2), 'true');
  await press('{ArrowDown}');
  await vi.waitFor(() => expect(focusedRow()).toBe(902));
});

test('details that cannot be had: the rows and a message say so, owners can still be chosen, Retry loads them', async () => {
  const { stage, late } = await openHeld();
  await userEvent.click(button('Expand All'));
  late();
  await expect.element(page.getByRole('alert')).toHaveTextContent('AwayOwners and amounts are current.');
  await vi.waitFor(() => expect(cellText(idOf(1), 'paymentStatus')).toBe('Not loaded'));
  expect([cellText(idOf(1), 'depositedAt'), isLoading(1, 'depositedAt')]).toEqual(['', false]);
  await tick(ownerId(2));
  await waitSelection('2 selected, ₹1,701.00');
  await userEvent.click(button('Retry'));
  await waitNumber(1);
  expect(cellText(idOf(1), 'paymentStatus')).toBe('Pending');
  expect(document.querySelector('[role="alert"]')).toBeNull();
  expect(stage.lists()).toHaveLength(1);
  await waitSelection('2 selected, ₹1,701.00');
});

test('until they come nothing of the challans is copied but what is there, and a message says why', async () => {
  const copies = watchCopies();
  const { late } = await openHeld();
  const note = (text: string) => page.getByRole('status').filter({ hasText: text });
  const copy = () => press('{Control>}c{/Control}');
  await goTo(ownerId(1));
  await press('*');
  await vi.waitFor(() => expect(shownRows()).toHaveLength(13));
  await press('{ArrowDown}');
  await vi.waitFor(() => expect(focusedRow()).toBe(1));
  await copy();
  await expect.element(note('This row is still being loaded. Nothing was copied.')).toBeInTheDocument();
  await press(' {ArrowDown} ');
  await waitSelection('2 selected, ₹301.00');
  await copy();
  await expect.element(note('A selected row is still being loaded. Nothing was copied.')).toBeInTheDocument();
  late();
  await vi.waitFor(() => expect(cellText(idOf(1), 'paymentStatus')).toBe('Not loaded'));
  await copy();
  await expect.element(note('A selected row could not be loaded. Nothing was copied.')).toBeInTheDocument();
  await press('h');
  await vi.waitFor(() => expect(toasts()).toContain('The challan could not be loaded. Please press Retry first.'));
  expect(copies).toEqual([]);
  await press(' {ArrowUp} ');
  await waitSelection('0 selected, ₹0.00');
  // The amount is there: it comes with the owners.
  await press('{ArrowRight}'.repeat(7));
  await copy();
  await vi.waitFor(() => expect(copies.at(-1)?.text).toBe('100.50'));
  await userEvent.click(button('Retry'));
  await waitNumber(1);
  // The click closes the owner: it is opened again.
  await goTo(ownerId(1));
  await press('{ArrowRight}');
  await waitNumber(1);
  await press('{ArrowDown}');
  await vi.waitFor(() => expect(focusedRow()).toBe(1));
  await press(' ');
  await waitSelection('1 selected, ₹100.50');
  await copy();
  await vi.waitFor(() => expect(copies.at(-1)?.text).toContain(`\r\n${numberOf(1)}\tTP00001\t`));
});

test('Retry keeps the focus while it runs and fails again, and gives it back to the row that was left', async () => {
  const { stage, late } = await openHeld();
  await userEvent.click(button('Expand All'));
  late();
  const retry = button('Retry');
  await expect.element(retry).toBeVisible();
  document.querySelector<HTMLElement>(`.ag-row[row-id="${idOf(1)}"] [col-id="vehicleNo"]`)?.focus();
  await press('{ArrowDown}');
  await vi.waitFor(() => expect(focusedRow()).toBe(2));
  const again = stage.hold(list, () => refusal('INTERNAL_ERROR', 'Away again'));
  retry.element().focus();
  await press('{Enter}');
  await vi.waitFor(() => expect(stage.details()).toHaveLength(2));
  const busy = page.getByRole('alert').getByRole('button');
  await expect.element(busy).toHaveAttribute('aria-busy');
  await expect.element(busy).toHaveFocus();
  again();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Away again');
  await expect.element(retry).toHaveFocus();
  await press('{Enter}');
  await waitNumber(2);
  await vi.waitFor(() => expect(focusedRow()).toBe(2));
});

test('what is selected of collapsed owners is not copied, and a message says so', async () => {
  const copies = watchCopies();
  await openThree();
  const note = (text: string) => page.getByRole('status').filter({ hasText: text });
  const copy = () => press('{Control>}c{/Control}');
  await tick(ownerId(1));
  await tick(ownerId(2));
  await waitSelection('9 selected, ₹4,504.50');
  await goTo(ownerId(2));
  await press('{Home}');
  await copy();
  await expect.element(note('The selected rows are collapsed. Expand them to copy them.')).toBeInTheDocument();
  expect(copies).toEqual([]);
  await press('{ArrowRight}');
  await waitNumber(9);
  await copy();
  await expect.element(note('2 rows copied. Selected rows that are collapsed were not copied.')).toBeInTheDocument();
  await press('*');
  await waitNumber(1);
  await copy();
  await vi.waitFor(() => expect(copies.at(-1)?.text.split('\r\n')).toHaveLength(10));
  await expect.element(note('9 rows copied')).toHaveTextContent(/^9 rows copied$/);
  // In a column of values Ctrl+C still copies the cell of a collapsed owner.
  await userEvent.click(button('Collapse All'));
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 903]));
  await goTo(ownerId(2));
  await copy();
  await vi.waitFor(() => expect(copies.at(-1)?.text).toBe('Owner 2'));
});

test('when both answers fail, one Retry repeats both', async () => {
  const stage = await openThree();
  await userEvent.click(button('Expand All'));
  await waitNumber(10);
  for (const call of [listOwners, list]) stage.once(call, () => refusal('INTERNAL_ERROR', 'Away'));
  await userEvent.click(button(/^Mark All Matching as Paid/));
  await expect.element(page.getByRole('alert')).toHaveTextContent('Away');
  await vi.waitFor(() => expect([stage.lists().length, stage.details().length]).toEqual([2, 2]));
  await userEvent.click(button('Retry'));
  await expect.element(page.getByText('Nobody is owed anything')).toBeVisible();
  expect(document.querySelector('[role="alert"]')).toBeNull();
  expect([stage.lists().length, stage.details().length]).toEqual([3, 3]);
});

test('a challan on hold is marked with the reason although its details cannot be had', async () => {
  const stage = statementDesk([
    buildOwner(1, [1, 2], {
      challans: [buildChallan(1, { holdReason: 'Slip missing' }), buildChallan(2)],
    }),
  ]);
  stage.once(list, () => refusal('INTERNAL_ERROR', 'Away'));
  await openStatement();
  await userEvent.click(button('Expand All'));
  await vi.waitFor(() => expect(cellText(idOf(2), 'paymentStatus')).toBe('Not loaded'));
  expect(cellText(idOf(1), 'paymentStatus')).toBe('On hold: Slip missing');
  // A long reason ends in an ellipsis, and the title has all of it.
  const chip = document.querySelector(`.ag-row[row-id="${idOf(1)}"] [col-id="paymentStatus"] .cd-chip`);
  expect(chip?.classList.contains('cd-clip')).toBe(true);
  // The owner's sum has it, so its row says so too, also while it is collapsed.
  expect(cellText(ownerId(1), 'challanNumber')).toBe('Owner 11 on hold');
  expect(document.querySelector('[title="1 on hold, ₹100.50"]')).not.toBeNull();
});

test('the message about them goes with the last expanded owner, and expanding asks again', async () => {
  const { stage, late } = await openHeld();
  await userEvent.click(button('Expand All'));
  late();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await userEvent.click(button('Collapse All'));
  await vi.waitFor(() => expect(document.querySelector('[role="alert"]')).toBeNull());
  await userEvent.click(button('Expand All'));
  await waitNumber(1);
  expect(stage.details()).toHaveLength(2);
});

test('what was paid elsewhere before an owner is expanded leaves the screen and the selection', async () => {
  const stage = await openThree();
  await tick(ownerId(2));
  await waitSelection('2 selected, ₹1,701.00');
  take(stage, 8);
  await userEvent.click(button('Expand All'));
  await waitSelection('1 selected, ₹900.50');
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 1, 2, 3, 4, 5, 6, 7, 902, 9, 903, 10]));
  await vi.waitFor(() => expect(toasts()).toEqual(['1 selected challan is no longer unpaid and left the selection.']));
  await waitNumber(9);
  // Only the older answer is asked for once again.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([stage.lists().length, stage.details().length]).toEqual([2, 1]);
});

test('what was put on hold elsewhere leaves the selection, and the message does not call it paid', async () => {
  const stage = await openThree();
  await tick(ownerId(1));
  await waitSelection('7 selected, ₹2,803.50');
  take(stage, 7);
  stage.owners = stage.owners.map((owner) => ({
    ...owner,
    challans: owner.challans.map((challan) =>
      challan.challanId === idOf(1) ? { ...challan, holdReason: 'Slip missing' } : challan,
    ),
  }));
  await userEvent.click(button('Expand All'));
  await waitSelection('5 selected, ₹2,002.50');
  await vi.waitFor(() =>
    expect(toasts()).toEqual([
      '1 selected challan is no longer unpaid and left the selection. 1 selected challan is on hold now and left the selection.',
    ]),
  );
});

test('what was recorded elsewhere meanwhile comes with both answers', async () => {
  const stage = await openThree();
  await userEvent.click(button('Expand All'));
  await waitNumber(10);
  // With all collapsed only the owners are asked again, so their answer is newer than the details.
  stage.owners = [...threeOwners().slice(0, 2), buildOwner(3, [10, 11])];
  await userEvent.click(button('Collapse All'));
  await press('r');
  await vi.waitFor(() => expect(cellText(ownerId(3), 'unloadingDate')).toBe('2 challans'));
  await userEvent.click(button('Expand All'));
  await waitNumber(11);
  expect([stage.lists().length, stage.details().length]).toEqual([2, 2]);
});

test('after Refresh an expanded owner shows its challans as they are now, however new the earlier ones are', async () => {
  const stage = await openThree();
  await userEvent.click(button('Expand All'));
  await waitNumber(10);
  // Nothing that the owners' answer has: only what is shown of the challan.
  stage.owners = stage.owners.map((owner) => ({
    ...owner,
    challans: owner.challans.map((challan) =>
      challan.challanId === idOf(10) ? { ...challan, vehicleNo: 'OD09ZZ9999' } : challan,
    ),
  }));
  await press('r');
  await vi.waitFor(() => expect([stage.lists().length, shownRows()]).toEqual([2, [901, 902, 903]]));
  await vi.waitFor(() => expect(button('Refresh').element().getAttribute('aria-busy')).toBeNull());
  await userEvent.click(button('Expand All'));
  await vi.waitFor(() => expect(cellText(idOf(10), 'vehicleNo')).toBe('OD09ZZ9999'));
  expect(stage.details()).toHaveLength(2);
  // Newer than the owners now: expanding again asks for nothing.
  await userEvent.click(button('Collapse All'));
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 903]));
  await userEvent.click(button('Expand All'));
  await waitNumber(10);
  expect(stage.details()).toHaveLength(2);
});

test('details that were read before the owners but arrive after them are asked for once more', async () => {
  const stage = statementDesk();
  const early = statementPage(threeOwners());
  const late = stage.hold(list, () => early);
  await openStatement();
  await userEvent.click(button('Expand All'));
  await vi.waitFor(() => expect(stage.details()).toHaveLength(1));
  stage.owners = [...threeOwners().slice(0, 2), buildOwner(3, [10, 11])];
  await userEvent.click(button('Refresh'));
  await vi.waitFor(() => expect(cellText(ownerId(3), 'unloadingDate')).toBe('2 challans'));
  await userEvent.click(button('Expand All'));
  late();
  await waitNumber(10);
  await waitNumber(11);
  expect(isLoading(11, 'vehicleNo')).toBe(false);
});

test('answers that stay different are not asked for over and over', async () => {
  const stage = statementDesk([buildOwner(1, [1, 2])]);
  await openStatement();
  for (let times = 0; times < 20; times += 1) stage.once(list, () => statementPage([buildOwner(1, [1])]));
  await userEvent.click(button('Expand All'));
  await waitNumber(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(stage.lists().length + stage.details().length).toBeLessThan(5);
  expect(isLoading(2, 'challanNumber')).toBe(true);
});

test('after a payment both are asked again while an owner is expanded', async () => {
  const stage = await openThree();
  await toStepTwo();
  await press('{Escape}');
  await closed();
  await userEvent.click(button('Expand All'));
  await waitNumber(10);
  const before = [stage.lists().length, stage.details().length];
  await press('m');
  await vi.waitFor(() => expect(document.querySelector('[role="dialog"]')).not.toBeNull());
  await confirm();
  await expect.element(button('Yes, Mark Selected as Paid')).not.toHaveAttribute('aria-disabled');
  await confirm();
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 1, 2, 3, 4, 5, 6, 7, 903, 10]));
  await vi.waitFor(() =>
    expect([stage.lists().length, stage.details().length]).toEqual(before.map((count) => count + 1)),
  );
  for (const n of [1, 10]) expect(cellText(idOf(n), 'challanNumber')).toBe(numberOf(n));
});

test('another page asks for its challans when one of its owners is expanded', async () => {
  const stage = statementDesk(twelveOwners());
  await openStatement('?limit=10');
  await goTo(ownerId(1));
  await press('{ArrowRight}');
  await waitNumber(1);
  const asked = stage.details().length;
  await press('{Alt>}{PageDown}{/Alt}');
  await vi.waitFor(() => expect(shownRows()).toEqual([911, 912]));
  expect(stage.details()).toHaveLength(asked);
  await userEvent.click(button('Expand All'));
  await waitNumber(12);
  expect(stage.details().at(-1)?.query).toEqual({ page: '2', limit: '10' });
  await press('{Alt>}{PageUp}{/Alt}');
  await vi.waitFor(() => expect(isExpanded(1)).toBe('true'));
  await waitNumber(1);
});
