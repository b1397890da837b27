import { afterEach, expect, test, vi } from 'vitest';
import {
  boxOf,
  buildChallans,
  cellText,
  closeApp,
  failure,
  focusPlace,
  goTo,
  held,
  idOf,
  isMuted,
  json,
  makeStage,
  openApp,
  page,
  press,
  shownRows,
  toasts,
  totalText,
  userEvent,
} from './challan-list-stage.tsx';
import { choose } from './choose.ts';

afterEach(closeApp);

const update = /^\/challans\/[^/]+$/;
const verify = /^\/challans\/hsd-verification\//;
const footer = () => page.getByText(/^Paid \d/);

test('Space marks paid at once, sends the one field, and does not ask for the list again', async () => {
  const stage = makeStage(buildChallans(3));
  const answer = held(() => json({ success: true, data: { ...stage.challans[0], paymentStatus: true } }));
  stage.once('PUT', update, answer.answer);
  await openApp('/challans');
  await goTo(3, 'paymentStatus');
  await press(' ');
  await vi.waitFor(() => expect(boxOf(3, 'paymentStatus')).toBe('true'));
  // 799, 798 and 797, of which the last is paid now.
  await expect.element(footer()).toHaveTextContent('Paid 1 · ₹797.00|Unpaid 2 · ₹1,597.00');
  expect(toasts()).toEqual([]);
  answer.release();
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
  expect(stage.asks('PUT', update).map(({ path, body }) => [path, body])).toEqual([
    [`/challans/${idOf(3)}`, { paymentStatus: true }],
  ]);
  expect(boxOf(3, 'paymentStatus')).toBe('true');
  expect(focusPlace()).toBe('3 paymentStatus');
  expect(stage.lists()).toHaveLength(1);
});

test('Paid On and Payment No come with the answer, without asking for the list, and go with the payment', async () => {
  const stage = makeStage(buildChallans(2));
  const paid = { paidAt: '2026-11-20T06:30:00.000Z', payment: { id: idOf(9), name: 'PAY-2627-000009' } };
  stage.once('PUT', update, () =>
    json({ success: true, data: { ...stage.challans[0], paymentStatus: true, ...paid } }),
  );
  await openApp('/challans');
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  for (const name of ['Paid On', 'Payment No']) {
    await userEvent.click(page.getByRole('dialog').getByRole('checkbox', { name, exact: true }));
  }
  await press('{Escape}');
  await goTo(2);
  const shown = () => [cellText(2, 'paidAt'), cellText(2, 'payment')];
  const empty = shown();
  await press('p');
  await expect.poll(shown).toEqual(['20/11/2026', 'PAY-2627-000009']);
  await press('p');
  await expect.poll(shown).toEqual(empty);
  expect(stage.lists()).toHaveLength(1);
});

test('a refused toggle is taken back, with its own message, and the sums with it', async () => {
  const stage = makeStage(buildChallans(2));
  const answer = held(() => new Response('', { status: 500 }));
  stage.once('PUT', update, answer.answer);
  await openApp('/challans');
  await goTo(2);
  await press('p');
  await vi.waitFor(() => expect(boxOf(2, 'paymentStatus')).toBe('true'));
  answer.release();
  await vi.waitFor(() => expect(boxOf(2, 'paymentStatus')).toBe('false'));
  await expect.element(footer()).toHaveTextContent('Paid 0 · ₹0.00|Unpaid 2 · ₹1,597.00');
  await vi.waitFor(() => expect(toasts()).toHaveLength(1));

  stage.once('PUT', update, () => json({ success: false, code: 'INTERNAL_ERROR', requestId: 'r' }, 500));
  await press('p');
  await vi.waitFor(() => expect(toasts()).toContain('Failed to update payment status'));
  expect(boxOf(2, 'paymentStatus')).toBe('false');
});

test('a challan that is marked again is not counted as another one', async () => {
  makeStage(buildChallans(2));
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
  const stage = makeStage(buildChallans(2));
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
  const sent = stage.asks('PUT', /./).map(({ body }) => body);
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
  const stage = makeStage(buildChallans(2));
  const answer = held(() => json({ success: true, data: stage.challans[0] }));
  stage.once('PUT', update, answer.answer);
  await openApp('/challans');
  await goTo(2, 'paymentStatus');
  await press('ppv ');
  await vi.waitFor(() => expect(boxOf(2, 'paymentStatus')).toBe('true'));
  await press('{ArrowDown}p');
  await vi.waitFor(() => expect(stage.asks('PUT', /./)).toHaveLength(2));
  answer.release();
  await vi.waitFor(() => expect(toasts()).toEqual(['2 challans marked paid']));
  expect(stage.asks('PUT', update).map(({ path }) => path)).toEqual([`/challans/${idOf(2)}`, `/challans/${idOf(1)}`]);
});

test('P and Down, again and again as fast as the keys go, mark each row once', async () => {
  const stage = makeStage(buildChallans(10));
  // Answered together: the message that counts them goes after three seconds, and a slow machine needs longer for the keys.
  const answers = stage.challans.slice(0, 9).map((row) => {
    const answer = held(() => json({ success: true, data: { ...row, paymentStatus: true } }));
    stage.once('PUT', new RegExp(`/${row.id}$`), answer.answer);
    return answer;
  });
  await openApp('/challans');
  await goTo(10);
  await press('p{ArrowDown}'.repeat(9));
  await vi.waitFor(() => expect(stage.asks('PUT', update)).toHaveLength(9));
  for (const { release } of answers) release();
  await vi.waitFor(() => expect(toasts()).toEqual(['9 challans marked paid']));
  expect(stage.asks('PUT', update).map(({ path }) => path)).toEqual(
    [10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `/challans/${idOf(n)}`),
  );
  expect(focusPlace()).toBe('1 tpNo');
});

test('two toggles, of which one fails, leave the other as it was made', async () => {
  const stage = makeStage(buildChallans(3));
  const first = held(() => failure(500, 'INTERNAL_ERROR', 'Away'));
  stage.once('PUT', /1$/, first.answer);
  await openApp('/challans');
  await goTo(2);
  await press('{ArrowDown}p{ArrowUp}p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
  expect([boxOf(1, 'paymentStatus'), boxOf(2, 'paymentStatus')]).toEqual(['true', 'true']);
  first.release();
  await vi.waitFor(() => expect(boxOf(1, 'paymentStatus')).toBe('false'));
  expect(boxOf(2, 'paymentStatus')).toBe('true');
  await expect.element(footer()).toHaveTextContent('Paid 1 · ₹798.00|Unpaid 2 · ₹1,596.00');
});

test('a row that leaves the filter stays, muted, until the next load; the sums are of the filter', async () => {
  makeStage(buildChallans(3));
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
  const stage = makeStage(buildChallans(1, () => ({ paymentStatus: true })));
  await openApp('/challans');
  await goTo(1);
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status unmarked']));
  expect(boxOf(1, 'paymentStatus')).toBe('false');
  await press('{Control>}z{/Control}');
  await vi.waitFor(() => expect(boxOf(1, 'paymentStatus')).toBe('true'));
  await vi.waitFor(() => expect(stage.challans[0]?.paymentStatus).toBe(true));
  expect(stage.asks('PUT', update).map(({ body }) => body)).toEqual([
    { paymentStatus: false },
    { paymentStatus: true },
  ]);
  await vi.waitFor(() => expect(toasts()).toEqual(['Payment status marked as done']));
});

test('several unmarked in a row are one message, and its Undo takes all of them back', async () => {
  const stage = makeStage(buildChallans(4, () => ({ paymentStatus: true })));
  await openApp('/challans');
  await goTo(4);
  await press('p{ArrowDown}p{ArrowDown}p');
  await vi.waitFor(() => expect(toasts()).toEqual(['3 challans unmarked']));
  await userEvent.click(page.getByRole('button', { name: 'Undo' }));
  await vi.waitFor(() => expect(stage.challans.every((row) => row.paymentStatus)).toBe(true));
  await vi.waitFor(() => expect(toasts()).toEqual(['3 challans marked paid']));
  await goTo(1);
  await press('p');
  await vi.waitFor(() => expect(toasts()).toContain('Payment status unmarked'));
});

test('HSD is verified only with a petrol pump: Space on the other box says why and sends nothing', async () => {
  const stage = makeStage(buildChallans(2, (n) => (n === 2 ? { petrolPump: null } : {})));
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
  expect(stage.asks('PUT', /./)).toEqual([]);
  expect(document.querySelector('.ag-row-selected')).toBeNull();

  await press('{ArrowDown} ');
  await vi.waitFor(() => expect(toasts()).toContain('HSD verification enabled successfully'));
  expect(boxOf(1, 'hsdVerified')).toBe('true');
  await press('v');
  await vi.waitFor(() => expect(toasts()).toContain('HSD verification disabled successfully'));
  expect(stage.asks('PUT', verify).map(({ path, body }) => [path, body])).toEqual([
    [`/challans/hsd-verification/${idOf(1)}`, { hsdVerified: true }],
    [`/challans/hsd-verification/${idOf(1)}`, { hsdVerified: false }],
  ]);
  stage.once('PUT', verify, () => json({ success: false, code: 'INTERNAL_ERROR', requestId: 'r' }, 500));
  await press('v');
  await vi.waitFor(() => expect(toasts()).toContain('Failed to toggle HSD verification'));
  expect(boxOf(1, 'hsdVerified')).toBe('false');
});

test('a challan deleted elsewhere is told of, and the list is asked again', async () => {
  const stage = makeStage(buildChallans(3));
  await openApp('/challans');
  await goTo(2);
  stage.challans = stage.challans.filter(({ id }) => id !== idOf(2));
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Challan not found']));
  await vi.waitFor(() => expect(shownRows()).toEqual(['3', '1']));
});

test('the letters act only on the row in hand: elsewhere on the screen they change nothing', async () => {
  const stage = makeStage(buildChallans(3));
  await openApp('/challans');
  await goTo(2);
  await userEvent.click(page.getByRole('heading', { name: 'Challans' }));
  await press('p');
  await vi.waitFor(() => expect(toasts()).toEqual(['Choose a challan in the table first']));
  await userEvent.click(page.getByRole('textbox', { name: 'TP No', exact: true }));
  await press('pv{Delete}');
  expect(stage.asks('PUT', /./)).toEqual([]);
  expect(stage.asks('DELETE', /./)).toEqual([]);
  await expect.element(page.getByRole('textbox', { name: 'TP No', exact: true })).toHaveValue('pv');
});
