import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../../src/shared/contract/index.ts';
import { buildChallans, buildOwner, buildTruck, coal, idOf, many, owner, pump } from '../../support/builders.ts';
import { emptiest, refusal } from '../../support/fake-server.ts';
import { fakeServer } from '../../support/records.ts';
import { closeApp, goTo, openApp, page, press, searchNow, userEvent } from '../../support/screen.tsx';

/**
 * The palette on the challan list: its order, the records it finds, and what it says meanwhile
 * (docs/specification.md §19.1).
 */
afterEach(closeApp);

const trucks = [buildTruck(1, owner, { id: idOf(601) })];

const nothingFound = emptiest(contract.palette.search.answer.shape.data);

const options = (): string[] =>
  [...document.querySelectorAll('[role="dialog"] [role="option"]')].map((item) => item.textContent ?? '');
const groups = (): (string | null)[] =>
  [...document.querySelectorAll('[role="dialog"] [role="group"]')].map((group) => group.getAttribute('aria-label'));
const highlighted = (): string | null | undefined =>
  document.querySelector('[role="option"][aria-selected="true"]')?.textContent;
const status = (): string | null | undefined => document.querySelector('[role="dialog"] [role="status"]')?.textContent;

async function openPalette(): Promise<void> {
  await press('{Control>}k{/Control}');
  await expect.element(page.getByRole('combobox', { name: 'Find a screen or an action' })).toHaveFocus();
}
const type = (text: string) => userEvent.fill(page.getByRole('combobox', { name: 'Find a screen or an action' }), text);

test('the screen’s own commands come first, then the ways elsewhere; Logout is last, and none stands there twice', async () => {
  fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  await openPalette();
  await vi.waitFor(() => expect(options().at(-1)).toContain('Logout'));
  const shown = options();
  expect(groups()).toEqual(['Do here', 'Go to', 'Do anywhere']);
  expect(shown.filter((text) => /challan.*AltN$/i.test(text))).toHaveLength(1);
});

test('what one uses most comes first the next time, each person for itself; Logout never does', async () => {
  fakeServer({ challans: buildChallans(2) }).serveRest();
  await openApp('/challans');
  for (const text of ['Owners', 'Owners', 'Tags']) {
    await openPalette();
    await type(text);
    await press('{Enter}');
    await expect.poll(() => document.querySelector('[role="dialog"]')).toBeNull();
  }
  await openPalette();
  expect(groups()[0]).toBe('Used most');
  expect(highlighted()).toContain('Owners');
  expect(options().filter((text) => text.startsWith('Owners'))).toHaveLength(1);
  const [used] = document.querySelectorAll('[role="dialog"] [role="group"]');
  expect(used?.querySelectorAll('[role="option"]')).toHaveLength(1);
  // With the same beginning, too, the one that is used more is the first.
  await type('ow');
  expect(options()[0]).toMatch(/^Owners/);
});

test.each([
  ['pay', 'Bank Statement'],
  ['export', 'Challans'],
  ['backup', 'Profile'],
  ['diesel', 'HSD Verification'],
  ['diesel', 'Petrol Pumps'],
])('%s leads to %s, which says it in other words', async (text, screen) => {
  fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  await openPalette();
  await type(text);
  await expect.poll(() => options().some((option) => option.startsWith(screen))).toBe(true);
});

test('four digits find trucks first, then challans of such vehicles', async () => {
  fakeServer({ challans: buildChallans(2, () => ({ tpNo: 'TP/1001' })), trucks });
  await openApp('/challans');
  await openPalette();
  await type('1001');
  await expect.poll(groups).toEqual(['Trucks', 'Challans']);
  expect(options()[0]).toContain('OD09AB1001');
});

test('the list is cut in the middle of a row, so that one sees it goes on', async () => {
  fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  await openPalette();
  const list = page.getByRole('listbox', { name: 'Found' }).element().getBoundingClientRect();
  const cut = [...document.querySelectorAll('[role="option"]')]
    .map((item) => item.getBoundingClientRect())
    .find(({ top, bottom }) => top < list.bottom && bottom > list.bottom);
  expect(cut).toBeDefined();
  if (cut) expect((list.bottom - cut.top) / cut.height).toBeCloseTo(0.5, 1);
});

test.each([
  ['TP0000', 'CH-2627-000002 (TP TP00002)', '/challans', { tpNo: 'TP00002', open: idOf(2) }],
  ['od09ab1001', 'OD09AB1001', '/trucks', { search: 'OD09AB1001', open: idOf(601) }],
  ['ravi', 'Ravi Kumar', '/owners', { search: 'Ravi Kumar', open: owner.id }],
  ['od09ab1002', 'CH-2627-000002 (TP TP00002)', '/challans', { tpNo: 'TP00002', open: idOf(2) }],
  ['798.00', 'CH-2627-000002 (TP TP00002)', '/challans', { tpNo: 'TP00002', open: idOf(2) }],
  ['coal', 'COAL', '/tags', { search: 'COAL', open: coal.id }],
  ['filling', 'Joda Filling Station', '/petrol-pumps', { search: 'Joda Filling Station', open: pump.id }],
])('%s finds %s and leads there', async (text, label, path, query) => {
  fakeServer({ challans: buildChallans(2), trucks });
  const router = await openApp('/challans');
  await openPalette();
  await type(text);
  await expect.poll(() => options().some((option) => option.startsWith(label))).toBe(true);
  await userEvent.click(page.getByRole('option', { name: label }).first());
  await expect.poll(() => router.state.location.pathname).toBe(path);
  expect(searchNow()).toEqual(query);
});

test.each([
  ['TP00002', 'CH-2627-000002', { tpNo: 'TP00002' }],
  ['od09ab1001', 'OD09AB1001', { vehicleNo: 'OD09AB1001' }],
  ['ravi', 'Ravi Kumar', { ownerId: owner.id }],
  ['coal', 'COAL', { tagId: coal.id }],
  ['filling', 'Joda Filling Station', { petrolPumpId: pump.id }],
])('%s: Shift+Enter leads to the list instead', async (text, label, query) => {
  fakeServer({ challans: buildChallans(2), trucks });
  const router = await openApp('/challans');
  await openPalette();
  await type(text);
  await expect.poll(() => options()[0]).toContain(label);
  await press('{Shift>}{Enter}{/Shift}');
  await expect.poll(searchNow).toEqual(query);
  expect(router.state.location.pathname).toBe('/challans');
});

test('a challan says its vehicle, owner, amount and day', async () => {
  fakeServer({ challans: buildChallans(2), trucks });
  await openApp('/challans');
  await openPalette();
  await type('TP00002');
  await expect.poll(() => options()[0]).toContain('OD09AB1002 · ₹798.00 · Ravi Kumar · loaded 15/11/2026');
});

test('of many challans the first five, and the way to all', async () => {
  fakeServer({ challans: buildChallans(8), trucks });
  await openApp('/challans');
  await openPalette();
  await type('TP0');
  await expect.poll(() => options().filter((text) => text.startsWith('CH-'))).toHaveLength(5);
  await userEvent.click(page.getByRole('option', { name: 'All 8 challans with “TP0” in their TP No' }));
  await expect.poll(searchNow).toEqual({ tpNo: 'TP0' });
});

test('two characters ask nobody, and three ask once for everything', async () => {
  const stage = fakeServer({ challans: buildChallans(2), trucks });
  await openApp('/challans');
  await openPalette();
  await type('zq');
  await expect.poll(status).toContain('No results.');
  expect(stage.calls(contract.palette.search)).toEqual([]);
  await type('ravi');
  await expect.poll(() => options().some((text) => text.startsWith('Ravi Kumar'))).toBe(true);
  // Everything in one call.
  const finds = [contract.challans.findByNumber, contract.trucks.search, contract.owners.search];
  expect(stage.calls(contract.palette.search, ...finds).map(({ path, query }) => [path, query])).toEqual([
    ['/palette', { search: 'ravi' }],
  ]);
});

test('a challan is found by its own number, once', async () => {
  fakeServer({ challans: buildChallans(2, (n) => ({ tpNo: `CH-2627-${String(n).padStart(6, '0')}` })), trucks });
  const router = await openApp('/challans');
  await openPalette();
  await type('ch-2627-000002');
  await expect.poll(options).toEqual([expect.stringContaining('CH-2627-000002')]);
  await press('{Enter}');
  await expect.poll(searchNow).toEqual({ tpNo: 'CH-2627-000002', open: idOf(2) });
  expect(router.state.location.pathname).toBe('/challans');
});

test('a payment is found by its number, with amount and day, and opens', async () => {
  const stage = fakeServer({ challans: buildChallans(2), trucks });
  const payment = { id: idOf(31), number: 'PAY-2627-000031', createdAt: '2026-11-20T10:00:00.000Z' };
  stage.serve(contract.palette.search, () => ({
    data: { ...nothingFound, payments: [{ ...payment, updatedCount: 3, totalAmount: '123456.00' }] },
  }));
  stage.serveRest();
  stage.once(contract.paymentBatches.get, () => refusal('NOT_FOUND', 'Payment not found'));
  const router = await openApp('/challans');
  await openPalette();
  await type('PAY-2627-000031');
  await expect.poll(options).toEqual([expect.stringContaining('PAY-2627-000031₹1,23,456.00, 20/11/2026')]);
  await press('{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/accounting/payments');
  expect(searchNow()).toEqual({ open: idOf(31) });
});

test('owners of one name are told apart by phone and place, and of many there is the way to all', async () => {
  const stage = fakeServer({ challans: buildChallans(2), trucks });
  const twin = (n: number) =>
    buildOwner(n, {
      name: owner.name,
      id: idOf(910 + n),
      contactNumber: `943700000${n}`,
      address: n === 1 ? 'Main Road, Barbil' : '',
    });
  stage.serve(contract.palette.search, () => ({
    data: { ...nothingFound, owners: { data: many(5, twin), totalCount: 1200 } },
  }));
  const router = await openApp('/challans');
  await openPalette();
  await type('ravi');
  // Five owners, each with its payments, and the way to all.
  await expect.poll(() => options().length).toBe(11);
  expect(options()[0]).toContain('Ravi Kumar9437000001 · Main Road, Barbil');
  expect(options()[2]).toContain('9437000002 · Joda');
  await userEvent.click(page.getByRole('option', { name: 'All 1,200 owners that match “ravi”' }));
  await expect.poll(() => router.state.location.pathname).toBe('/owners');
  expect(searchNow()).toMatchObject({ search: 'ravi' });
});

test('it says that it searches, and takes the call back when typing goes on', async () => {
  const stage = fakeServer({ challans: buildChallans(2), trucks });
  await openApp('/challans');
  const first = stage.hold(contract.palette.search, () => refusal('INTERNAL_ERROR', 'too late'));
  await openPalette();
  await type('rav');
  await expect.poll(status).toContain('Searching challans, payments, trucks and owners');
  await expect.poll(() => stage.calls(contract.palette.search)).toHaveLength(1);
  await type('ravi');
  await expect.poll(() => options().some((text) => text.startsWith('Ravi Kumar'))).toBe(true);
  expect(stage.asks(contract.palette.search).map((query) => query['search'])).toEqual(['rav', 'ravi']);
  const shown = options();
  first();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(options()).toEqual(shown);
});

test('what is found comes under the highlighted entry, all kinds at once', async () => {
  const stage = fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  const release = stage.hold(contract.palette.search, () => ({
    data: { ...nothingFound, trucks: { data: [buildTruck(1, owner, { truckNumber: 'CHA 1' })], totalCount: 1 } },
  }));
  await openPalette();
  await type('cha');
  const before = options();
  await press('{ArrowDown}');
  const chosen = highlighted();
  expect(chosen).toBe(before[1]);
  await expect.poll(() => stage.calls(contract.palette.search)).toHaveLength(1);
  expect(options()).toEqual(before);
  release();
  await expect.poll(() => options().at(-1)).toContain('CHA 1');
  expect(options().slice(0, before.length)).toEqual(before);
  expect(highlighted()).toBe(chosen);
});

test('a search that fails says so in the list and can be repeated there', async () => {
  const stage = fakeServer({ challans: buildChallans(2), trucks });
  await openApp('/challans');
  stage.once(contract.palette.search, () => refusal('INTERNAL_ERROR', ''));
  await openPalette();
  await type('ravi');
  await expect.poll(options).toEqual([expect.stringContaining('Failed to search: search again')]);
  await press('{Enter}');
  await expect
    .poll(options)
    .toEqual([expect.stringContaining('Ravi Kumar'), expect.stringContaining('Payments of Ravi Kumar')]);
});

test('opened again it asks again', async () => {
  const stage = fakeServer({ challans: buildChallans(2), trucks });
  await openApp('/challans');
  for (const times of [1, 2]) {
    await openPalette();
    await type('ravi');
    await expect.poll(() => options().some((text) => text.startsWith('Ravi Kumar'))).toBe(true);
    expect(stage.calls(contract.palette.search)).toHaveLength(times);
    await press('{Escape}');
    await expect.poll(() => document.querySelector('[role="dialog"]')).toBeNull();
  }
});

test('“Payments of …” is under its owner: Enter opens them with their trips, Shift+Enter the list of payments', async () => {
  fakeServer({ challans: buildChallans(2), trucks });
  const router = await openApp('/challans');
  await openPalette();
  await type('ravi');
  await expect.poll(() => options()[1]).toContain('Payments of Ravi Kumar');
  await press('{ArrowDown}{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/accounting');
  expect(searchNow()).toEqual({ search: 'Ravi Kumar', payments: owner.id });
  await closeApp();
  fakeServer({ challans: buildChallans(2), trucks }).serveRest();
  const again = await openApp('/challans');
  await openPalette();
  await type('ravi');
  await expect.poll(() => options()[1]).toContain('Payments of Ravi Kumar');
  await press('{ArrowDown}{Shift>}{Enter}{/Shift}');
  await expect.poll(() => again.state.location.pathname).toBe('/accounting/payments');
  expect(searchNow()).toEqual({ ownerId: owner.id });
});

test('the admin’s palette asks for no records', async () => {
  const stage = fakeServer();
  await openApp('/dashboard', 'h1', 'admin');
  await openPalette();
  await type('ravi');
  await expect.poll(status).toBe('No results.');
  expect(stage.calls().filter(({ path }) => /palette|search|challans/.test(path))).toEqual([]);
});

test('? in a dialog lists the keys of that dialog, and closing it leaves the dialog open', async () => {
  fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  await goTo(2);
  await press('{Enter}');
  await expect.element(page.getByRole('dialog', { name: 'Challan CH-2627-000002' })).toBeInTheDocument();
  await press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts of this dialog' });
  await expect.element(help).toBeInTheDocument();
  const keys: Record<string, string> = {};
  for (const term of help.element().querySelectorAll('dt')) {
    keys[term.textContent ?? ''] = [...(term.nextElementSibling?.querySelectorAll('kbd') ?? [])]
      .map((key) => key.textContent)
      .join(' ');
  }
  expect(keys).toMatchObject({
    'Previous challan': 'Ctrl ↑',
    'Next challan': 'Ctrl ↓',
    'Edit challan': 'E F2',
    'Duplicate into a new challan': 'D',
    'Mark paid, or unmark': 'P',
    'Mark HSD verified, or unmark': 'V',
    'Copy all fields as text': 'Ctrl C',
    'Previous tab': 'Alt PgUp',
    'Next tab': 'Alt PgDn',
    Help: '?',
    Close: 'Esc',
  });
  expect(Object.keys(keys)).not.toContain('Export CSV');
  // Once more changes nothing: it is open.
  await press('?');
  await expect.poll(() => page.getByRole('dialog', { name: /^Keyboard shortcuts/ }).elements()).toHaveLength(1);
  await press('{Escape}');
  await expect.element(help).not.toBeInTheDocument();
  await expect.element(page.getByRole('dialog', { name: 'Challan CH-2627-000002' })).toBeInTheDocument();
});

test('a second skip link leads into the table, where there is one', async () => {
  fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  page.getByRole('link', { name: 'Skip to main content' }).element().focus();
  await press('{Tab}');
  await expect.element(page.getByRole('button', { name: 'Skip to table' })).toHaveFocus();
  await press('{Enter}');
  expect(document.activeElement?.closest('.cd-grid')).not.toBeNull();
});
