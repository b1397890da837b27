import { afterEach, describe, expect, test, vi } from 'vitest';
import { cleanup } from '@testing-library/react';
import { OwnerChallansPage } from '../../../src/web/features/accounting/owner-challans-page.tsx';
import { choose } from '../choose.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans, coal, idOf, otherOwner, owner } from '../support/builders.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  focusPlace,
  goTo,
  heads,
  openApp,
  page,
  press,
  screenOf,
  searchNow,
  shownRows,
  toasts,
  totalText,
  userEvent,
  openRoutes,
} from '../support/screen.tsx';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const heading = () => page.getByRole('heading', { level: 1 });
const cards = (): Record<string, string | undefined> =>
  Object.fromEntries(
    [...document.querySelectorAll('[aria-label="Summary"] dl')].map((card) => [
      card.querySelector('dt')?.textContent,
      card.querySelector('dd')?.textContent,
    ]),
  );
const dialogTitle = () => document.querySelector('[role="dialog"] h2')?.textContent;
const fields = (): Record<string, string | undefined> =>
  Object.fromEntries(
    [...document.querySelectorAll('[role="dialog"] dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent,
    ]),
  );
/** n of `count` are paid: the lower numbers. */
const someOf = (count: number, paid: number) => buildChallans(count, (n) => ({ paymentStatus: n <= paid }));

describe('the address', () => {
  test.each([
    ['/accounting/owner/not-an-id/challans', 'Invalid owner ID format'],
    ['/accounting/owner/00000000-0000-6000-8000-000000000901/challans', 'Invalid owner ID format'],
    ['/accounting/owner/00000000-0000-4000-c000-000000000901/challans', 'Invalid owner ID format'],
    ['/accounting/owner//challans', 'Owner ID is required'],
    ['/accounting/owner/challans', 'Owner ID is required'],
    ['/accounting/owner/%20/challans', 'Owner ID is required'],
  ])('%s: %s, and back to accounting', async (address, message) => {
    const stage = fakeServer();
    const router = await openApp(address, '.cd-grid');
    await expect.poll(toasts).toEqual([message]);
    expect(router.state.location.pathname).toBe('/accounting');
    await expect.element(heading()).toHaveTextContent('Accounting Management');
    expect(stage.calls(contract.accounting.listOwnerChallans)).toEqual([]);
  });

  test('versions 1 to 5 pass; an owner that is not there says so and has a way back', async () => {
    const stage = fakeServer();
    // The server knows version 4 only.
    for (const call of [contract.accounting.listOwnerChallans, contract.owners.get]) stage.mayBeUnfit(call);
    const router = await openApp(screenOf('00000000-0000-1000-8000-000000000077'), 'h1');
    await expect.element(page.getByText('Owner not found')).toBeVisible();
    expect(toasts()).toEqual([]);
    await router.navigate(screenOf(idOf(77)));
    await expect.element(page.getByText('Owner not found')).toBeVisible();
    expect(stage.calls(contract.accounting.listOwnerChallans)).not.toEqual([]);
    await userEvent.click(page.getByRole('link', { name: 'Back to Accounting' }));
    await expect.poll(() => router.state.location.pathname).toBe('/accounting');
  });

  test('without a session it says so and asks nothing', async () => {
    const stage = fakeServer({ challans: someOf(3, 1) });
    openRoutes([{ path: '/o/:ownerId', element: <OwnerChallansPage /> }], `/o/${owner.id}`);
    await expect.element(page.getByText('Authentication Required')).toBeVisible();
    expect(stage.calls()).toEqual([]);
    cleanup();
  });
});

const tonesOfCards = () =>
  [...document.querySelectorAll('section[aria-label="Summary"] dd')].map((figure) =>
    [...figure.classList].find((name) => /^text-(ink|primary|good|warn|danger)$/.test(name)),
  );

describe('the screen', () => {
  test('nothing unpaid needs no warning; the way back to Accounting has its words', async () => {
    fakeServer({ challans: someOf(2, 2) });
    const router = await openApp(screenOf(owner.id));
    await expect.poll(tonesOfCards).toEqual(['text-ink', 'text-good', 'text-ink', 'text-ink']);
    const back = page.getByRole('button', { name: 'Back to Accounting' });
    await expect.element(back).toHaveTextContent('Back to Accounting');
    await userEvent.click(back);
    await expect.poll(() => router.state.location.pathname).toBe('/accounting');
  });

  test('heading, count, cards over the whole filter and the columns; newest first, ten a page', async () => {
    const stage = fakeServer({ challans: someOf(12, 4) });
    await openApp(screenOf(owner.id));
    await expect.element(heading()).toHaveTextContent(/^Challan for Ravi Kumar$/);
    await expect.element(page.getByText('12 challans').first()).toBeVisible();
    expect(cards()).toEqual({
      'Total Amount': '₹9,522.00',
      'Paid Amount': '₹3,190.00',
      'Unpaid Amount': '₹6,332.00',
      'Total TDS': '₹120.00',
    });
    expect(tonesOfCards()).toEqual(['text-ink', 'text-good', 'text-warn', 'text-ink']);
    expect(heads()).toEqual([
      'Challan No.',
      'TP No.',
      'Deposited Date',
      'Vehicle No.',
      'Net Amount',
      'Tag',
      'Payment Status',
      'Paid On',
      'Payment No',
      'Actions',
    ]);
    expect(totalText()).toBe('₹9,522.00');
    await expect.element(page.getByText('Paid 4|Unpaid 8')).toBeVisible();
    expect(shownRows()).toHaveLength(10);
    // The second is fetched ahead.
    const asked = { ownerId: owner.id, limit: '10', sortBy: 'createdAt', sortOrder: 'desc' };
    await expect
      .poll(() => stage.asks(contract.accounting.listOwnerChallans))
      .toEqual([
        { ...asked, page: '1' },
        { ...asked, page: '2' },
      ]);
    expect([cellText(12, 'challanNumber'), cellText(12, 'depositedAt'), cellText(12, 'paymentStatus')]).toEqual([
      'CH-2627-000012',
      '18/11/2026',
      'Unpaid',
    ]);
    await press('{Alt>}{PageDown}{/Alt}');
    await expect.poll(shownRows).toEqual(['2', '1']);
    expect(cellText(1, 'paymentStatus')).toBe('Paid');
    expect(cards()['Total Amount']).toBe('₹9,522.00');
  });

  test('Enter on Payment No leads to the payment with its trips', async () => {
    const payment = { id: idOf(31), name: 'PAY-2627-000031' };
    const stage = fakeServer({ challans: buildChallans(2, (n) => (n === 1 ? { paymentStatus: true, payment } : {})) });
    stage.serveRest();
    stage.once(contract.paymentBatches.get, () => refusal('NOT_FOUND', 'Payment not found'));
    const router = await openApp(screenOf(owner.id));
    expect([cellText(1, 'payment'), cellText(2, 'payment')]).toEqual(['PAY-2627-000031', '']);
    await goTo(1, 'payment');
    await press('{Enter}');
    await expect.poll(() => router.state.location.pathname).toBe('/accounting/payments');
    expect(searchNow()).toEqual({ open: idOf(31) });
    // Closed, it is back where it was asked for; from its own list it closes onto that (payment-batches).
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await press('{Escape}');
    await expect.poll(() => router.state.location.pathname).toBe(`/accounting/owner/${owner.id}/challans`);
    await expect.poll(shownRows).toEqual(['2', '1']);
  });

  test('a name over twelve characters is cut with an ellipsis, the whole of it in the title', async () => {
    fakeServer({ challans: buildChallans(1, () => ({ owner: otherOwner })) });
    await openApp(screenOf(otherOwner.id));
    await expect.element(heading()).toHaveTextContent(/^Challan for Sunita Jinda\.\.\.$/);
    expect(heading().element().querySelector('[title]')?.getAttribute('title')).toBe('Sunita Jindal');
    await expect.element(page.getByText('1 challan', { exact: true }).first()).toBeVisible();
  });

  test("a challan without a deposited date says 'Not deposited'", async () => {
    fakeServer({ challans: buildChallans(1, () => ({ depositedAt: null })) });
    await openApp(screenOf(owner.id));
    expect(cellText(1, 'depositedAt')).toBe('Not deposited');
  });

  test('sorting is asked of the server and stands in the address; the order of entry has a way back', async () => {
    const stage = fakeServer({ challans: someOf(12, 0) });
    await openApp(screenOf(owner.id));
    await userEvent.click(page.getByText('Net Amount', { exact: true }));
    await expect.poll(searchNow).toEqual({ sortBy: 'netAmountPayable' });
    await expect
      .poll(() => stage.asks(contract.accounting.listOwnerChallans).at(-1)?.['sortBy'])
      .toBe('netAmountPayable');
    await userEvent.click(button('Newest first'));
    await expect.poll(searchNow).toEqual({});
  });

  test('a failure is told, with Retry; the cards have no figures then', async () => {
    const stage = fakeServer({ challans: someOf(3, 1) });
    stage.once(contract.accounting.listOwnerChallans, speechless);
    await openApp(screenOf(owner.id), '[role="alert"]');
    await expect.poll(toasts).toEqual(['Failed to fetch challans']);
    expect(Object.values(cards())).toEqual(['—', '—', '—', '—']);
    await userEvent.click(button('Retry'));
    await expect.poll(shownRows).toEqual(['3', '2', '1']);
    expect(cards()['Total Amount']).toBe('₹2,394.00');
  });

  test('a page that is no longer there gives way to the last one', async () => {
    fakeServer({ challans: someOf(12, 0) });
    await openApp(screenOf(owner.id, '?page=9&limit=10'));
    await expect.poll(shownRows).toEqual(['2', '1']);
    expect(searchNow()).toEqual({ page: '2', limit: '10' });
  });

  test('an owner without challans: why, and where to go', async () => {
    fakeServer();
    await openApp(screenOf(owner.id), '.cd-grid');
    await expect.element(page.getByText('This owner has no challans yet')).toBeVisible();
    expect(cards()['Total TDS']).toBe('₹0.00');
  });
});

describe('the filters', () => {
  test('each goes to the server and into the address, and the cards follow; Reset takes all away and says so', async () => {
    const stage = fakeServer({
      challans: buildChallans(6, (n) => ({ paymentStatus: n < 3, tag: n % 2 === 0 ? coal : null })),
    });
    await openApp(screenOf(owner.id));
    await choose(page.getByRole('combobox', { name: 'Payment Status' }), 'Unpaid');
    await expect.poll(shownRows).toEqual(['6', '5', '4', '3']);
    expect(cards()['Paid Amount']).toBe('₹0.00');
    await choose(page.getByRole('combobox', { name: 'Tag' }), 'Without a tag');
    await expect.poll(shownRows).toEqual(['5', '3']);
    await userEvent.fill(page.getByRole('textbox', { name: 'Deposited from' }), '18/11/2026');
    await press('{Tab}');
    await userEvent.fill(page.getByRole('textbox', { name: 'Deposited to' }), '19/11/2026');
    await press('{Tab}');
    const wanted = {
      paymentStatus: 'unpaid',
      tagId: 'none',
      depositedStartDate: '2026-11-18',
      depositedEndDate: '2026-11-19',
    };
    await expect.poll(searchNow).toEqual(wanted);
    await expect.poll(() => stage.asks(contract.accounting.listOwnerChallans).at(-1)).toMatchObject(wanted);
    expect(cards()['Total Amount']).toBe('₹1,592.00');
    await userEvent.click(button('Reset'));
    await expect.poll(toasts).toEqual(['Filters reset successfully']);
    await expect.poll(() => shownRows()).toHaveLength(6);
    expect(searchNow()).toEqual({});
  });

  test('paid days are among the others: in the address, at the server and in the report', async () => {
    const stage = fakeServer({
      challans: buildChallans(3, (n) => ({
        paymentStatus: n < 3,
        paidAt: n < 3 ? `2026-11-${17 + n}T10:00:00.000Z` : null,
      })),
    });
    await openApp(screenOf(owner.id));
    await userEvent.click(button('More filters'));
    await userEvent.fill(page.getByRole('textbox', { name: 'Paid from' }), '19/11/2026');
    await press('{Tab}');
    await expect.poll(searchNow).toEqual({ paidStartDate: '2026-11-19' });
    await expect.poll(shownRows).toEqual(['2']);
    expect(stage.asks(contract.accounting.listOwnerChallans).at(-1)).toMatchObject({ paidStartDate: '2026-11-19' });
    await expect.element(page.getByText('Deposited from').first()).toBeVisible();
  });

  test('hidden, they are still seen and can be taken away one by one; nothing that matches says why', async () => {
    fakeServer({ challans: someOf(3, 0) });
    await openApp(screenOf(owner.id, '?paymentStatus=paid&depositedStartDate=2026-11-01'), '.cd-grid');
    await expect.element(page.getByText('No challans match these filters')).toBeVisible();
    await userEvent.click(button('Hide Filters (2)'));
    await expect.element(page.getByText('Deposited from 01/11/2026')).toBeVisible();
    expect(page.getByRole('region', { name: 'Filters' }).elements()).toHaveLength(0);
    await userEvent.click(button('Remove filter: Paid'));
    await expect.poll(shownRows).toEqual(['3', '2', '1']);
    await press('f');
    await expect.element(page.getByRole('region', { name: 'Filters' })).toBeVisible();
    await press('/');
    await expect
      .poll(() => document.activeElement)
      .toBe(page.getByRole('combobox', { name: 'Payment Status' }).element());
  });
});

test('B shows the groups of its filters by month, and Back the challans', async () => {
  fakeServer({ challans: someOf(3, 1) });
  await openApp(screenOf(owner.id, '?paymentStatus=unpaid'));
  await press('b');
  await vi.waitFor(() => expect(searchNow()).toEqual({ ownerId: owner.id, paymentStatus: 'unpaid', groupBy: 'month' }));
  await expect.element(page.getByRole('grid', { name: 'Groups of challans' })).toBeVisible();
  history.back();
  await expect.poll(shownRows).toEqual(['3', '2']);
});

describe('the details', () => {
  test('Close stands before the one main button, which edits', async () => {
    fakeServer({ challans: buildChallans(1) });
    await openApp(screenOf(owner.id, `?open=${idOf(1)}`));
    await vi.waitFor(() => expect(dialogTitle()).toBe('Challan Details - CH-2627-000001'));
    const buttons = [...document.querySelectorAll('[role="dialog"] footer button')].filter((item) => item.textContent);
    expect(buttons.map((item) => item.textContent)).toEqual(['Copy', 'Close', 'Edit']);
    expect(buttons.map((item) => item.classList.contains('bg-primary'))).toEqual([false, false, true]);
  });

  test('all fields; remarks and the deposited date only where there are any; Escape comes back to the row', async () => {
    fakeServer({
      challans: buildChallans(2, (n) => (n === 2 ? { remarks: 'Bill with party' } : { depositedAt: null })),
    });
    await openApp(screenOf(owner.id));
    await goTo(2);
    await press('{Enter}');
    await vi.waitFor(() => expect(dialogTitle()).toBe('Challan Details - CH-2627-000002'));
    expect(fields()).toMatchObject({
      'TP No': 'TP00002',
      'Deposited On': '18/11/2026',
      Remarks: 'Bill with party',
      'Payment Status': 'Unpaid',
      'Payment No': '—',
    });
    await press('{Control>}{ArrowDown}{/Control}');
    await vi.waitFor(() => expect(dialogTitle()).toBe('Challan Details - CH-2627-000001'));
    expect(Object.keys(fields())).not.toContain('Deposited On');
    expect(Object.keys(fields())).not.toContain('Remarks');
    expect(fields()).toMatchObject({ 'Driving License No': '—' });
    await press('{Control>}{ArrowDown}{/Control}');
    await expect.poll(toasts).toEqual(['This is the last challan of the list']);
    await press('{Escape}');
    await expect.poll(focusPlace).toBe('1 tpNo');
    expect(searchNow()).toEqual({});
  });

  test('Ctrl+Down goes over the edge of the page, within the filter; E edits', async () => {
    const stage = fakeServer({ challans: someOf(24, 12) });
    const router = await openApp(screenOf(owner.id, `?paymentStatus=paid&open=${idOf(3)}`));
    await vi.waitFor(() => expect(dialogTitle()).toBe('Challan Details - CH-2627-000003'));
    await press('{Control>}{ArrowDown}{/Control}');
    await vi.waitFor(() => expect(dialogTitle()).toBe('Challan Details - CH-2627-000002'));
    expect(searchNow()).toEqual({ paymentStatus: 'paid', page: '2', limit: '10', open: idOf(2) });
    expect(stage.asks(contract.accounting.listOwnerChallans).at(-1)).toMatchObject({
      page: '2',
      paymentStatus: 'paid',
    });
    await press('e');
    await expect.poll(() => router.state.location.pathname).toBe(`/challans/edit/${idOf(2)}`);
  });

  test('one that is gone says so', async () => {
    const stage = fakeServer({ challans: someOf(2, 0) });
    await openApp(screenOf(owner.id));
    stage.once(contract.challans.get, () => refusal('NOT_FOUND', 'Challan not found'));
    await goTo(1);
    await press('{Enter}');
    await expect.element(page.getByRole('dialog').getByText('Challan not found')).toBeVisible();
  });
});

test('while the dates cannot be applied the cards show no figures, and no report is made', async () => {
  const stage = fakeServer({ challans: someOf(3, 1) });
  await openApp(`${screenOf(owner.id)}?depositedStartDate=2026-11-18`);
  await userEvent.fill(page.getByLabelText('Deposited to', { exact: true }), '01/11/2026');
  await press('{Tab}');
  await vi.waitFor(() => expect(Object.values(cards())).toEqual(['—', '—', '—', '—']));
  await expect.element(page.getByText('Not current: these rows do not match the dates above.')).toBeVisible();
  await press('{Alt>}w{/Alt}');
  await vi.waitFor(() => expect(toasts()).toEqual(['Correct the dates first: the rows shown do not match them.']));
  expect(stage.writes()).toEqual([]);
  await userEvent.click(page.getByRole('button', { name: 'Reset' }));
  await vi.waitFor(() => expect(cards()['Paid Amount']).not.toBe('—'));
});
