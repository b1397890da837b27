import { afterEach, expect, test, vi } from 'vitest';
import { formatINR } from '../../../src/shared/calc/money.ts';
import { idOf } from '../support/builders.ts';
import { closeApp, page, press, searchNow, toasts, userEvent } from '../support/screen.tsx';
import {
  boxLabel,
  button,
  focusedRow,
  goTo,
  headerBox,
  isExpanded,
  openStatement,
  openThree,
  selectionText,
  shownRows,
  tick,
  waitBox,
  waitSelection,
} from '../support/statement-screen.ts';
import { buildOwner, ownerId, review, statementDesk, threeOwners, twelveOwners } from '../support/statement.ts';

afterEach(closeApp);

test('Select Page counts and takes the challans of collapsed owners too', async () => {
  statementDesk();
  await openStatement('?limit=10');
  expect(shownRows()).toEqual([901, 902, 903]);
  expect(selectionText()).toBe('0 selected, ₹0.00');
  await userEvent.click(button('Select Page (10)'));
  await waitSelection('10 selected, ₹5,505.00');
  for (const m of [1, 2, 3]) await waitBox(ownerId(m), 'true');
  await vi.waitFor(() => expect(headerBox().ariaChecked).toBe('true'));
  await expect.element(page.getByText('Selected Amount').element().parentElement).toHaveTextContent('₹5,505.00');
});

test('the box of an owner takes all of its challans, and says how many of them are chosen', async () => {
  await openThree();
  await tick(ownerId(1));
  await waitSelection('7 selected, ₹2,803.50');
  await waitBox(ownerId(1), 'true');
  await goTo(ownerId(1));
  await press('{ArrowRight}');
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 1, 2, 3, 4, 5, 6, 7, 902, 903]));
  for (const n of [2, 4, 6, 7]) await tick(idOf(n));
  await waitSelection('3 selected, ₹901.50');
  await waitBox(ownerId(1), 'mixed');
  expect(boxLabel(ownerId(1))).toBe('Select Owner 1, mixed, 3 of 7');
  await waitBox(idOf(2), 'false');
  await vi.waitFor(() => expect(headerBox().ariaChecked).toBe('mixed'));
  // From the third state the box takes all again.
  await tick(ownerId(1));
  await waitSelection('7 selected, ₹2,803.50');
  await tick(ownerId(1));
  await waitSelection('0 selected, ₹0.00');
});

test('Shift with the arrows gives back what it took, over the rows of expanded owners too', async () => {
  await openThree();
  await goTo(ownerId(2));
  await press('*');
  await vi.waitFor(() => expect(shownRows()).toHaveLength(13));
  await press('{ArrowUp}{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{/Shift}');
  await vi.waitFor(() => expect(focusedRow()).toBe(903));
  await waitSelection('3 selected, ₹2,401.50');
  await press('{Shift>}{ArrowUp}{ArrowUp}{/Shift}');
  await vi.waitFor(() => expect(focusedRow()).toBe(8));
  await waitSelection('2 selected, ₹1,501.00');
  await press('{Shift>}{ArrowUp}{ArrowUp}{/Shift}');
  await vi.waitFor(() => expect(focusedRow()).toBe(7));
  await waitSelection('1 selected, ₹700.50');
});

test('a Shift range that shrinks over an expanded owner leaves the challans that it did not cover', async () => {
  await openThree();
  await goTo(ownerId(2));
  await press(' *');
  await waitSelection('2 selected, ₹1,701.00');
  await vi.waitFor(() => expect(shownRows()).toHaveLength(13));
  await press('{ArrowUp}{Shift>}{ArrowDown}{ArrowUp}{/Shift}');
  await vi.waitFor(() => expect(focusedRow()).toBe(7));
  await waitSelection('3 selected, ₹2,401.50');
});

test('Space on a row of either kind selects; Shift with the arrows takes a range', async () => {
  await openThree();
  await goTo(ownerId(2));
  await press(' ');
  await waitSelection('2 selected, ₹1,701.00');
  await press('{ArrowRight}');
  await vi.waitFor(() => expect(shownRows()).toEqual([901, 902, 8, 9, 903]));
  await press('{ArrowDown} ');
  await waitSelection('1 selected, ₹900.50');
  expect(focusedRow()).toBe(8);
  await press(' {Shift>}{ArrowDown}{/Shift}');
  await waitSelection('2 selected, ₹1,701.00');
  await waitBox(ownerId(2), 'true');
});

test('Select All Matching: unticked challans are exclusions, with their amounts, and come back when ticked', async () => {
  const stage = statementDesk([
    ...threeOwners(),
    ...Array.from({ length: 9 }, (_, at) => buildOwner(10 + at, [20 + at])),
  ]);
  await openStatement('?limit=10');
  // 5,505.00 and 20 to 28: 9 × 0.50 + 100 × 216
  await userEvent.click(button('Select All Matching (19)'));
  await waitSelection('19 selected, ₹27,109.50 (all 19 matching)');
  await tick(ownerId(3));
  await waitSelection('18 selected, ₹26,109.00 (all 19 matching, 1 excluded)');
  await waitBox(ownerId(3), 'false');
  // On another page, in a page size of its own, and expanded: the selection stays what it was.
  await userEvent.click(button('Next page'));
  await vi.waitFor(() => expect(shownRows()).toEqual([917, 918]));
  await waitBox(ownerId(17), 'true');
  await tick(ownerId(17));
  await waitSelection(`17 selected, ${formatINR('23408.50')} (all 19 matching, 2 excluded)`);
  await userEvent.click(button('Previous page'));
  await vi.waitFor(() => expect(shownRows()).toHaveLength(10));
  await waitBox(ownerId(3), 'false');
  await tick(ownerId(3));
  await waitSelection(`18 selected, ${formatINR('24409.00')} (all 19 matching, 1 excluded)`);
  expect(stage.payments()).toEqual([]);
});

test('ids chosen on several pages stay chosen while paging', async () => {
  statementDesk(twelveOwners());
  await openStatement('?limit=10');
  await userEvent.click(button('Select Page (10)'));
  await waitSelection('10 selected, ₹5,505.00');
  await userEvent.click(button('Next page'));
  await vi.waitFor(() => expect(shownRows()).toEqual([911, 912]));
  await vi.waitFor(() => expect(headerBox().ariaChecked).toBe('false'));
  expect(selectionText()).toBe('10 selected, ₹5,505.00');
  await tick(ownerId(11));
  await waitSelection('11 selected, ₹6,605.50');
  await userEvent.click(button('Previous page'));
  await vi.waitFor(() => expect(shownRows()).toHaveLength(10));
  await vi.waitFor(() => expect(headerBox().ariaChecked).toBe('true'));
});

test('Ctrl+A takes the page, pressed again all that matches; Escape clears and offers it back', async () => {
  statementDesk(twelveOwners());
  await openStatement('?limit=10');
  await goTo(ownerId(4));
  await press('{Control>}a{/Control}');
  await waitSelection('10 selected, ₹5,505.00');
  await press('{Control>}a{/Control}');
  await waitSelection('12 selected, ₹7,806.00 (all 12 matching)');
  await vi.waitFor(() => expect(toasts()).toEqual(['All 12 matching challans selected, ₹7,806.00']));
  expect(focusedRow()).toBe(904);
  await press('{Escape}');
  await waitSelection('0 selected, ₹0.00');
  await vi.waitFor(() => expect(toasts()).toContain('Selection cleared'));
  await press('{Control>}z{/Control}');
  await waitSelection('12 selected, ₹7,806.00 (all 12 matching)');
});

test('the box of the heading takes and leaves the page', async () => {
  await openThree();
  await userEvent.click(headerBox());
  await waitSelection('10 selected, ₹5,505.00');
  await userEvent.click(headerBox());
  await waitSelection('0 selected, ₹0.00');
});

test('changing a filter clears the selection, says so and goes to page 1', async () => {
  const stage = statementDesk(twelveOwners());
  await openStatement('?limit=10&page=2');
  await userEvent.click(button('Select All Matching (12)'));
  await waitSelection('12 selected, ₹7,806.00 (all 12 matching)');
  const owner = page.getByRole('combobox', { name: 'Owner', exact: true });
  await userEvent.click(owner);
  await userEvent.type(owner, 'Owner 12');
  await userEvent.click(page.getByRole('option', { name: /Owner 12/ }));
  await vi.waitFor(() => expect(shownRows()).toEqual([912]));
  expect(selectionText()).toBe('0 selected, ₹0.00');
  await vi.waitFor(() =>
    expect(toasts()).toContain('Selection cleared because the filter changed (12 challans were selected).'),
  );
  expect(stage.lists().at(-1)?.query).toEqual({ page: '1', limit: '10', ownerId: ownerId(12) });
  expect(searchNow()).toEqual({ limit: '10', ownerId: ownerId(12) });

  await userEvent.click(button('Clear Filters'));
  await vi.waitFor(() => expect(shownRows()).toHaveLength(10));
  expect(searchNow()).toEqual({ limit: '10' });
});

test('what someone else has paid meanwhile leaves the selection at a refresh, and that is said', async () => {
  const stage = await openThree();
  await userEvent.click(button('Select Page (10)'));
  await waitSelection('10 selected, ₹5,505.00');
  stage.owners = [buildOwner(1, [1, 2, 3, 4, 5, 6]), buildOwner(2, [8, 9]), buildOwner(3, [10])];
  await userEvent.click(button('Refresh'));
  await waitSelection('9 selected, ₹4,804.50');
  await vi.waitFor(() => expect(toasts()).toContain('1 selected challan is no longer unpaid and left the selection.'));
  expect(isExpanded(1)).toBe('false');
});

test('an excluded challan that is on hold for a while is excluded again after that, and never asked to be paid', async () => {
  const stage = await openThree();
  await userEvent.click(button('Select All Matching (10)'));
  await tick(ownerId(3));
  await waitSelection('9 selected, ₹4,504.50 (all 10 matching, 1 excluded)');
  stage.owners = [...threeOwners().slice(0, 2), buildOwner(3, [10], { holdReason: 'No papers' })];
  await userEvent.click(button('Refresh'));
  await waitSelection('9 selected, ₹4,504.50 (all 9 matching)');
  await userEvent.click(button('Mark Selected as Paid'));
  await expect.element(button('Cancel')).toBeVisible();
  // The card of the selection asks too, for what of it is payable.
  const reviews = stage.calls(review);
  expect(reviews.length).toBeGreaterThan(0);
  for (const { body } of reviews) expect(body).toMatchObject({ excludeChallanIds: [idOf(10)] });
  await userEvent.click(button('Cancel'));
  stage.owners = threeOwners();
  await userEvent.click(button('Refresh'));
  await waitSelection('9 selected, ₹4,504.50 (all 10 matching, 1 excluded)');
  await waitBox(ownerId(3), 'false');
  // The message of Select All Matching may still be shown; nothing was said about challans that left the selection.
  expect(toasts().filter((text) => text.includes('left the selection'))).toEqual([]);
});
