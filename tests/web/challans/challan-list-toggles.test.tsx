import { afterEach, expect, test, vi } from 'vitest';
import { choose } from '../choose.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans, idOf, buildChallan } from '../support/builders.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  boxOf,
  cellText,
  closeApp,
  focusPlace,
  goTo,
  isMuted,
  openApp,
  page,
  press,
  shownRows,
  toasts,
  totalText,
  userEvent,
} from '../support/screen.tsx';

afterEach(closeApp);

const footer = () => page.getByText(/^Paid \d/);

test('Space marks paid at once, sends the one field, and does not ask for the list again', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  const answer = stage.hold(contract.challans.update);
  await openApp('/challans');
  await goTo(3, 'paymentStatus');
  await press(' ');
  await vi.waitFor(() => expect(boxOf(3, 'paymentStatus')).toBe('true'));
  // 799, 798 and 797, of which the last is paid now.
  await expect.element(footer()).toHaveTextContent('Paid 1 · ₹797.00|Unpaid 2 · ₹1,597.00');
  expect(toasts()).toEqual([]);
  answer();
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
  expect(stage.calls(contract.challans.update).map(({ path, body }) => [path, body])).toEqual([
    [`/challans/${idOf(3)}`, { paymentStatus: true }],
  ]);
  expect(boxOf(3, 'paymentStatus')).toBe('true');
  expect(focusPlace()).toBe('3 paymentStatus');
  expect(stage.asks(contract.challans.listRows)).toHaveLength(1);
});

test('Paid On and Payment No come with the answer, without asking for the list, and go with the payment', async () => {
  const stage = fakeServer({ challans: buildChallans(2) });
  const paid = { paidAt: '2026-11-20T06:30:00.000Z', payment: { id: idOf(9), name: 'PAY-2627-000009' } };
  stage.once(contract.challans.update, () => ({
    data: buildChallan(2, { paymentStatus: true, ...paid }),
    warnings: [],
  }));
  await openApp('/challans');
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  for (const name of ['Paid On', 'Payment No']) {
    await userEvent.click(page.getByRole('dialog').getByRole('checkbox', { name, exact: true }));
  }
  await press('{Escape}');
  await goTo(2);
  const shown = () => [cellText(2, 'paidAt'), cellText(2, 'payment')];
  const empty = shown();
  // The columns that were shown just now have their fields from another list.
  const listed = stage.asks(contract.challans.listRows).length;
  await press('p');
  await expect.poll(shown).toEqual(['20/11/2026', 'PAY-2627-000009']);
  await press('p');
  await expect.poll(shown).toEqual(empty);
  expect(stage.asks(contract.challans.listRows)).toHaveLength(listed);
});

test('a refused toggle is taken back, with its own message, and the sums with it', async () => {
  const stage = fakeServer({ challans: buildChallans(2) });
  const answer = stage.hold(contract.challans.update, () => new Response('', { status: 500 }));
  await openApp('/challans');
  await goTo(2);
  await press('p');
  await vi.waitFor(() => expect(boxOf(2, 'paymentStatus')).toBe('true'));
  answer();
  await vi.waitFor(() => expect(boxOf(2, 'paymentStatus')).toBe('false'));
  await expect.element(footer()).toHaveTextContent('Paid 0 · ₹0.00|Unpaid 2 · ₹1,597.00');
  await vi.waitFor(() => expect(toasts()).toHaveLength(1));

  stage.once(contract.challans.update, speechless);
  await press('p');
  await vi.waitFor(() => expect(toasts()).toContain('Failed to update payment status'));
  expect(boxOf(2, 'paymentStatus')).toBe('false');
});

test('a challan that is marked again is not counted as another one', async () => {
  fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  await goTo(2);
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
  await press('p');
  // What is no longer so is not said any more.
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status unmarked']));
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
  await goTo(1);
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['2 challans marked paid']));
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status unmarked', 'Payment status marked as done']));
});

test('marking can be undone, by its toast and by Ctrl+Z; the undoing is told and not offered again', async () => {
  const stage = fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  await goTo(2);
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
  await press('{Control>}z{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status unmarked']));
  expect(boxOf(2, 'paymentStatus')).toBe('false');
  expect(page.getByRole('button', { name: 'Undo' }).elements()).toEqual([]);
  await goTo(1);
  await press('v');
  await vi.waitFor(() => expect(toasts()).toContain('HSD verification enabled successfully'));
  await userEvent.click(page.getByRole('button', { name: 'Undo' }));
  await vi.waitFor(() => expect(toasts()).toContain('HSD verification disabled successfully'));
  await vi.waitFor(() => expect(toasts()).not.toContain('HSD verification enabled successfully'));
  expect(boxOf(1, 'hsdVerified')).toBe('false');
  await goTo(1);
  await press('v');
  await vi.waitFor(() => expect(toasts()).toContain('HSD verification enabled successfully'));
  await press('{Control>}z{/Control}');
  await vi.waitFor(() => expect(boxOf(1, 'hsdVerified')).toBe('false'));
  const sent = stage.writes(contract.challans.update, contract.challans.setHsdVerified);
  expect(sent).toEqual([
    { paymentStatus: true },
    { paymentStatus: false },
    { hsdVerified: true },
    { hsdVerified: false },
    { hsdVerified: true },
    { hsdVerified: false },
  ]);
});

test('one call per challan at a time: a second press while the first is under way does nothing', async () => {
  const stage = fakeServer({ challans: buildChallans(2) });
  const answer = stage.hold(contract.challans.update);
  await openApp('/challans');
  await goTo(2, 'paymentStatus');
  await press('ppv ');
  await vi.waitFor(() => expect(boxOf(2, 'paymentStatus')).toBe('true'));
  await press('{ArrowDown}p');
  await vi.waitFor(() => expect(stage.calls(contract.challans.update)).toHaveLength(2));
  answer();
  await vi.waitFor(() => expect(toasts()).toEqual(['2 challans marked paid']));
  expect(stage.calls(contract.challans.update).map(({ path }) => path)).toEqual([
    `/challans/${idOf(2)}`,
    `/challans/${idOf(1)}`,
  ]);
});

test('P and Down, again and again as fast as the keys go, mark each row once', async () => {
  const stage = fakeServer({ challans: buildChallans(10) });
  // Answered together: the message that counts them goes after three seconds, and a slow machine needs longer for the keys.
  const answers = stage.books.challans
    .slice(0, 9)
    .map(({ id }) => stage.hold(contract.challans.update, undefined, { id }));
  await openApp('/challans');
  await goTo(10);
  await press('p{ArrowDown}'.repeat(9));
  await vi.waitFor(() => expect(stage.calls(contract.challans.update)).toHaveLength(9));
  for (const release of answers) release();
  await vi.waitFor(() => expect(toasts()).toEqual(['9 challans marked paid']));
  expect(stage.calls(contract.challans.update).map(({ path }) => path)).toEqual(
    [10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `/challans/${idOf(n)}`),
  );
  expect(focusPlace()).toBe('1 tpNo');
});

test('two toggles, of which one fails, leave the other as it was made', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  const first = stage.hold(contract.challans.update, () => refusal('INTERNAL_ERROR', 'Away'));
  await openApp('/challans');
  await goTo(2);
  await press('{ArrowDown}p{ArrowUp}p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
  expect([boxOf(1, 'paymentStatus'), boxOf(2, 'paymentStatus')]).toEqual(['true', 'true']);
  first();
  await vi.waitFor(() => expect(boxOf(1, 'paymentStatus')).toBe('false'));
  expect(boxOf(2, 'paymentStatus')).toBe('true');
  await expect.element(footer()).toHaveTextContent('Paid 1 · ₹798.00|Unpaid 2 · ₹1,596.00');
});

test('a row that leaves the filter stays, muted, until the next load; the sums are of the filter', async () => {
  fakeServer({ challans: buildChallans(3) });
  await openApp('/challans?paymentStatus=unpaid');
  expect(totalText()).toBe('₹2,394.00');
  await goTo(2);
  await press('p');
  await vi.waitFor(() => expect(isMuted(2)).toBe(true));
  expect(isMuted(3)).toBe(false);
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
  expect(shownRows()).toEqual(['3', '2', '1']);
  await vi.waitFor(() => expect(totalText()).toBe('₹1,596.00'));
  // One number of challans: the totals' and the pager's.
  await expect.element(page.getByText('Total of 2', { exact: true })).toBeVisible();
  await expect.element(page.getByText('1-2 of 2 challans')).toBeVisible();
  await choose(page.getByLabelText('Payment Status'), 'Paid');
  await vi.waitFor(() => expect(shownRows()).toEqual(['2']));
  await choose(page.getByLabelText('Payment Status'), 'Unpaid');
  await vi.waitFor(() => expect(shownRows()).toEqual(['3', '1']));
});

test('unmarking goes at once and can be undone', async () => {
  const stage = fakeServer({ challans: buildChallans(1, () => ({ paymentStatus: true })) });
  await openApp('/challans');
  await goTo(1);
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status unmarked']));
  expect(boxOf(1, 'paymentStatus')).toBe('false');
  await press('{Control>}z{/Control}');
  await vi.waitFor(() => expect(boxOf(1, 'paymentStatus')).toBe('true'));
  await vi.waitFor(() => expect(stage.books.challans[0]?.paymentStatus).toBe(true));
  expect(stage.writes(contract.challans.update)).toEqual([{ paymentStatus: false }, { paymentStatus: true }]);
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
});

test('several unmarked in a row are one message, and its Undo takes all of them back', async () => {
  const stage = fakeServer({ challans: buildChallans(4, () => ({ paymentStatus: true })) });
  await openApp('/challans');
  await goTo(4);
  await press('p{ArrowDown}p{ArrowDown}p');
  await vi.waitFor(() => expect(toasts()).toEqual(['3 challans unmarked']));
  await userEvent.click(page.getByRole('button', { name: 'Undo' }));
  await vi.waitFor(() => expect(stage.books.challans.every((row) => row.paymentStatus)).toBe(true));
  await vi.waitFor(() => expect(toasts()).toEqual(['3 challans marked paid']));
  await goTo(1);
  await press('p');
  await vi.waitFor(() => expect(toasts()).toContain('Payment status unmarked'));
});

test('HSD is verified only with a petrol pump: Space on the other box says why and sends nothing', async () => {
  const stage = fakeServer({ challans: buildChallans(2, (n) => (n === 2 ? { petrolPump: null } : {})) });
  await openApp('/challans');
  await goTo(2, 'hsdVerified');
  await press(' ');
  await expect
    .element(page.getByRole('status').filter({ hasText: 'This challan has no petrol pump.' }))
    .toBeInTheDocument();
  await press('v');
  await vi.waitFor(() =>
    expect(toasts()).toEqual(['This challan has no petrol pump. Choose one before verifying its HSD.']),
  );
  expect(stage.calls(contract.challans.update)).toEqual([]);
  expect(document.querySelector('.ag-row-selected')).toBeNull();

  await press('{ArrowDown} ');
  await vi.waitFor(() => expect(toasts()).toContain('HSD verification enabled successfully'));
  expect(boxOf(1, 'hsdVerified')).toBe('true');
  await press('v');
  await vi.waitFor(() => expect(toasts()).toContain('HSD verification disabled successfully'));
  expect(stage.calls(contract.challans.setHsdVerified).map(({ path, body }) => [path, body])).toEqual([
    [`/challans/hsd-verification/${idOf(1)}`, { hsdVerified: true }],
    [`/challans/hsd-verification/${idOf(1)}`, { hsdVerified: false }],
  ]);
  stage.once(contract.challans.setHsdVerified, speechless);
  await press('v');
  await vi.waitFor(() => expect(toasts()).toContain('Failed to toggle HSD verification'));
  expect(boxOf(1, 'hsdVerified')).toBe('false');
});

test('a challan deleted elsewhere is told of, and the list is asked again', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await goTo(2);
  stage.books.challans = stage.books.challans.filter(({ id }) => id !== idOf(2));
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Challan not found']));
  await vi.waitFor(() => expect(shownRows()).toEqual(['3', '1']));
});

test('the letters act only on the row in hand: elsewhere on the screen they change nothing', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await goTo(2);
  await userEvent.click(page.getByRole('heading', { name: 'Challans' }));
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Choose a challan in the table first']));
  await userEvent.click(page.getByRole('textbox', { name: 'TP No', exact: true }));
  await press('pv{Delete}');
  expect(stage.calls(contract.challans.update)).toEqual([]);
  expect(stage.calls(contract.challans.remove)).toEqual([]);
  await expect.element(page.getByRole('textbox', { name: 'TP No', exact: true })).toHaveValue('pv');
});
