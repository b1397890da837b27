import { afterEach, expect, test } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildCard, buildTruck, idOf, many } from '../support/builders.ts';
import { speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  dialog,
  focusPlace,
  goToCell,
  heads,
  openApp,
  page,
  press,
  search,
  searchNow,
  shownRows,
  toasts,
  userEvent,
} from '../support/screen.tsx';

afterEach(closeApp);

const cardsOf = (count: number) =>
  many(count, (n) => {
    const trucks = many(n % 3, (at) => buildTruck(n * 3 + at, { id: idOf(400 + n), name: `Owner ${n}` }));
    return buildCard(n, { trucks, trucksCount: trucks.length });
  });
const copyButton = (count: number) => button(`Copy Selected Owners (${count})`);
async function chooseOnPage(numbers: readonly number[]): Promise<void> {
  for (const n of numbers) {
    await goToCell(400 + n, 'ifsc');
    await press(' ');
  }
}

test('shows trucks, banking details to their last four, and the business they belong to', async () => {
  fakeServer({ cards: cardsOf(3) });
  await openApp('/owners/copy');
  expect(heads()).toEqual([
    'Name',
    'Your List',
    'Contact',
    'Trucks',
    'Account Number',
    'IFSC',
    'Branch',
    'PAN',
    'Subadmin',
    'Actions',
  ]);
  const keys = ['name', 'contactNumber', 'trucks', 'accountNo', 'ifsc', 'branchName', 'panNo', 'bannerName'];
  expect(keys.map((key) => cellText(402, key))).toEqual([
    'Owner 02',
    '••••3202',
    '2: OD09AB1007, OD09AB1008',
    '••••7802',
    'SBIN0001234',
    'Joda',
    '••••202F',
    'Shree Balaji Carriers',
  ]);
  expect(cellText(403, 'trucks')).toBe('No trucks');
  await expect.element(copyButton(0)).toHaveAttribute('aria-disabled', 'true');
  await userEvent.hover(copyButton(0));
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('Select the owners to copy first');
});

test('the selection survives paging and search, and the confirmation counts all of it', async () => {
  const desk = fakeServer({ cards: [...cardsOf(12), buildCard(20, { name: 'Ravi Kumar' })] });
  await openApp('/owners/copy');
  await chooseOnPage([1, 2]);
  await press('{Alt>}{PageDown}{/Alt}');
  await expect.poll(shownRows).toEqual(['411', '412', '420']);
  await chooseOnPage([11]);
  await search('ravi');
  await expect.poll(shownRows).toEqual(['420']);
  await chooseOnPage([20]);
  await expect.element(copyButton(4)).toBeInTheDocument();
  expect(desk.asks(contract.owners.listAllSystem).at(-1)).toEqual({ page: '1', limit: '10', search: 'ravi' });
  await press('/');
  await press('{Escape}');
  await expect.poll(() => shownRows()).toHaveLength(3);

  await userEvent.click(copyButton(4));
  const asking = dialog('Copy Selected Owners');
  await expect
    .element(asking)
    .toHaveTextContent(
      'The selected owners and their trucks are copied to your account. The originals stay unchanged with the businesses they belong to.',
    );
  await expect.element(asking).toHaveTextContent('Owners4Trucks5From businesses1');
  await expect.element(button('Cancel')).toHaveFocus();
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Successfully copied 4 owners and 5 trucks']);
  expect(desk.writes(contract.owners.copy)).toEqual([{ ownerIds: [idOf(401), idOf(402), idOf(411), idOf(420)] }]);
  await expect.element(copyButton(0)).toBeInTheDocument();
});

test('in the confirmation names, businesses and trucks stand in columns', async () => {
  fakeServer({ cards: cardsOf(5) });
  await openApp('/owners/copy');
  await chooseOnPage([1, 2, 3]);
  await userEvent.click(copyButton(3));
  const rows = [...page.getByRole('list', { name: 'Selected owners' }).element().querySelectorAll('li')];
  expect(rows).toHaveLength(3);
  const sides = rows.map(({ children: [name, business, trucks] }) => [
    name?.getBoundingClientRect().left,
    business?.getBoundingClientRect().left,
    trucks?.getBoundingClientRect().right,
  ]);
  expect(new Set(sides.map((side) => side.join())).size).toBe(1);
});

test('each error is told by itself; where nothing was copied there is no success', async () => {
  const desk = fakeServer({ cards: cardsOf(2) });
  desk.once(contract.owners.copy, () => ({
    meta: {
      totalOwnersCopied: 0,
      totalTrucksCopied: 0,
      errors: [
        { ownerId: idOf(401), message: '"Owner 01" was copied before and is in your list' },
        { ownerId: idOf(402), message: 'Owner not found' },
      ],
    },
  }));
  await openApp('/owners/copy');
  await goToCell(401, 'ifsc');
  await press('{Control>}a{/Control}');
  await press('c');
  await userEvent.click(button('Copy 2 owners'));
  await expect
    .poll(() => toasts().toSorted())
    .toEqual([
      'Owner copy failed: "Owner 01" was copied before and is in your list',
      'Owner copy failed: Owner not found',
    ]);
  const left = dialog('Not everything was copied');
  await expect.element(left).toHaveTextContent('0 owners and 0 trucks copied. Left out:');
  expect(left.getByRole('listitem').elements()).toHaveLength(2);
  await expect.element(button('Close').last()).toHaveFocus();
  await press('{Enter}');
  await expect.poll(focusPlace).toBe('401 ifsc');
  await expect.element(copyButton(0)).toBeInTheDocument();
});

test('after a failure the dialog stays, and asking again uses the same key', async () => {
  const desk = fakeServer({ cards: cardsOf(1) });
  desk.once(contract.owners.copy, speechless);
  await openApp('/owners/copy');
  await chooseOnPage([1]);
  await press('c');
  await userEvent.click(button('Copy 1 owner'));
  await expect.poll(toasts).toEqual(['Failed to copy owners']);
  await userEvent.click(button('Copy 1 owner'));
  await expect.poll(toasts).toContain('Successfully copied 1 owners and 1 trucks');
  const keys = () => desk.calls(contract.owners.copy).map(({ key }) => key);
  expect(keys()).toHaveLength(2);
  expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys()[1]).toBe(keys()[0]);
  await chooseOnPage([1]);
  await press('c');
  await userEvent.click(button('Copy 1 owner'));
  await expect.element(copyButton(0)).toBeInTheDocument();
  expect(keys()).toHaveLength(3);
  expect(keys()[2]).not.toBe(keys()[0]);
});

test('at most a hundred at once', async () => {
  fakeServer({ cards: cardsOf(110) });
  await openApp('/owners/copy?limit=100');
  await goToCell(401, 'ifsc');
  await press('{Control>}a{/Control}');
  await expect.element(copyButton(100)).toBeInTheDocument();
  await press('{Alt>}{PageDown}{/Alt}');
  await expect.poll(() => shownRows()).toHaveLength(10);
  await goToCell(501, 'ifsc');
  await press(' ');
  await expect.poll(toasts).toEqual(['At most 100 owners can be copied at once']);
  await expect.element(copyButton(100)).toBeInTheDocument();
  await press('{Escape}');
  await expect.element(copyButton(0)).toBeInTheDocument();
});

test('Enter shows the owner with its trucks; S selects it there', async () => {
  fakeServer({ cards: cardsOf(3) });
  await openApp('/owners/copy');
  await goToCell(402, 'ifsc');
  await press('{Enter}');
  const shown = dialog('Owner 02');
  await expect.element(shown).toHaveTextContent('Belongs to Shree Balaji Carriers');
  await expect.element(shown.getByText('••••••••7802')).toBeInTheDocument();
  await expect.element(shown.getByRole('listitem').first()).toHaveTextContent('OD09AB1007 12 wheels, Hyva');
  expect(searchNow()).toEqual({ open: idOf(402) });
  await press('s');
  await expect.element(button('Remove from selection')).toBeInTheDocument();
  await press('{Escape}');
  await expect.poll(focusPlace).toBe('402 ifsc');
  await expect.element(copyButton(1)).toBeInTheDocument();
});

test('a failed list says so, an empty one why', async () => {
  const desk = fakeServer();
  desk.once(contract.owners.listAllSystem, speechless);
  await openApp('/owners/copy', '[role="alert"]');
  await expect.poll(toasts).toEqual(['Failed to fetch system owners']);
  await userEvent.click(button('Retry'));
  await expect.element(page.getByText('No owners to copy')).toBeInTheDocument();
});

test('where the admin has switched the directory off it says so, and C says why', async () => {
  fakeServer({ isDirectoryOn: false, copying: { perDay: 0, left: 0 } });
  await openApp('/owners/copy', 'h1');
  await expect.element(page.getByText('The directory of owners is switched off')).toBeVisible();
  await expect.element(copyButton(0)).toHaveAttribute('aria-disabled', 'true');
  await userEvent.hover(copyButton(0));
  const reason = 'The admin has switched off copying owners, for all businesses or for yours.';
  await expect.element(page.getByRole('tooltip')).toHaveTextContent(reason);
  await expect.element(page.getByText(/copies left today/)).not.toBeInTheDocument();
});

test('leads to what was copied: from whom to whom, when and by whom', async () => {
  fakeServer({ cards: cardsOf(1) });
  await openApp('/owners/copy');
  await userEvent.click(page.getByRole('link', { name: 'Copied owners' }));
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Copied Owners');
  await expect.element(page.getByRole('gridcell', { name: 'Asha Roadlines', exact: true })).toBeVisible();
  expect(heads()).toEqual(['Owner Name', 'From', 'To', 'Copied At', 'Copied By']);
  for (const text of ['Maa Tarini Transport', 'Shree Balaji Carriers', '20/11/2026 11:00', 'desk@balaji.test']) {
    await expect.element(page.getByRole('gridcell', { name: text, exact: true })).toBeVisible();
  }
});

test('what one has already is marked with the reason, and cannot be selected in any way', async () => {
  fakeServer({
    cards: [
      buildCard(1, { inYourList: 'copied' }),
      buildCard(2, { inYourList: 'same-pan' }),
      buildCard(3, { name: 'Ravi Kumar' }),
    ],
  });
  await openApp('/owners/copy');
  expect([401, 402, 403].map((row) => cellText(row, 'inYourList'))).toEqual(['Copied before', 'Same PAN', '']);
  await chooseOnPage([1]);
  await expect
    .element(page.getByRole('status').filter({ hasText: 'This owner was copied before and is in your list' }))
    .toBeInTheDocument();
  await press('{Control>}a{/Control}');
  await expect.element(copyButton(1)).toBeInTheDocument();
  await goToCell(402, 'ifsc');
  await press('{Enter}');
  const choose = button('Select for copying');
  await expect.element(choose).toHaveAttribute('aria-disabled', 'true');
  await press('s');
  await press('{Escape}');
  await expect.element(copyButton(1)).toBeInTheDocument();
});

test('says how many copies are left today, and why more are not copied', async () => {
  fakeServer({ cards: cardsOf(3), copying: { perDay: 100, left: 2 } });
  await openApp('/owners/copy');
  await expect.element(page.getByText('2 of 100 copies left today')).toBeVisible();
  await chooseOnPage([1, 2]);
  await expect.element(copyButton(2)).not.toHaveAttribute('aria-disabled');
  await chooseOnPage([3]);
  await expect.element(copyButton(3)).toHaveAttribute('aria-disabled', 'true');
  await userEvent.hover(copyButton(3));
  const reason =
    'Your business may copy 2 more today (at most 100 owners a day); select fewer, or ask the admin to raise the limit.';
  await expect.element(page.getByRole('tooltip')).toHaveTextContent(reason);
  // The selection can still be cleared.
  await press('{Escape}');
  await expect.element(copyButton(0)).toBeInTheDocument();
});
