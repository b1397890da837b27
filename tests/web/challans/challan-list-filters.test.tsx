import { afterEach, expect, test, vi } from 'vitest';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { dayRangeOf } from '../../../src/shared/calc/day-ranges.ts';
import { choose } from '../choose.ts';
import { withoutPause } from '../in-the-gap.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans, coal, idOf, otherOwner } from '../support/builders.ts';
import { foreignAnswer, refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  cellText,
  closeApp,
  focusPlace,
  goTo,
  openApp,
  page,
  press,
  searchNow,
  shownRows,
  toasts,
  totalText,
  userEvent,
} from '../support/screen.tsx';

afterEach(closeApp);

const tpField = () => page.getByRole('textbox', { name: 'TP No', exact: true });

test('opens on the newest ten, and the totals are of the whole filter, not of the page', async () => {
  const stage = fakeServer({
    challans: buildChallans(23, (n) =>
      n === 22 ? { depositedAt: null } : n === 21 ? { netAmountPayable: '-1234567.00' } : {},
    ),
  });
  await openApp('/challans');
  const usual = {
    limit: '10',
    sortBy: 'createdAt',
    sortOrder: 'desc',
    totals: 'later',
    fields: 'id,vehicleNo,tag',
  };
  await vi.waitFor(() =>
    // The next page, too.
    expect(stage.asks(contract.challans.listRows)).toEqual([
      { page: '1', ...usual },
      { page: '2', ...usual },
    ]),
  );
  expect(shownRows()).toEqual(['23', '22', '21', '20', '19', '18', '17', '16', '15', '14']);
  expect(cellText(23, 'depositedAt')).toBe('18/11/26');
  expect(cellText(22, 'depositedAt')).toBe('Pending');
  expect(cellText(21, 'netAmountPayable')).toBe('-₹12,34,567.00');
  expect(getComputedStyle(document.querySelector('.cd-negative') as Element).color).not.toBe(
    getComputedStyle(document.body).color,
  );
  // 22 challans of 800 - n each, and the one far below zero.
  expect(totalText()).toBe('-₹12,17,222.00');
  await expect.element(page.getByText('1-10 of 23 challans')).toBeVisible();
});

test('a row whose details were closed does not take the focus from the field that finds it', async () => {
  fakeServer({ challans: buildChallans(12) });
  await openApp(`/challans?open=${idOf(1)}`);
  await expect.element(page.getByRole('dialog')).toBeInTheDocument();
  await press('{Escape}');
  await vi.waitFor(() => expect(document.querySelector('[role="dialog"]')).toBeNull());
  expect(shownRows()).not.toContain('1');
  await press('/');
  await expect.poll(() => document.activeElement?.getAttribute('placeholder')).toBe('Any part of it');
  await press('TP00001');
  await vi.waitFor(() => expect(shownRows()).toEqual(['1']));
  await press('X');
  await expect.element(page.getByPlaceholder('Any part of it')).toHaveValue('TP00001X');
});

test('the TP filter waits for three characters, and clearing the field takes it away', async () => {
  const gridTop = () => document.querySelector('.cd-grid')?.getBoundingClientRect().top;
  const stage = fakeServer({ challans: buildChallans(12) });
  await openApp('/challans?page=2');
  const topBefore = gridTop();
  await press('/');
  await expect.poll(() => document.activeElement?.getAttribute('placeholder')).toBe('Any part of it');
  await press('TP');
  await expect.element(page.getByText('Type at least 3 characters')).toBeVisible();
  expect(gridTop()).toBe(topBefore);
  await press('00007');
  await vi.waitFor(() => expect(shownRows()).toEqual(['7']));
  expect(searchNow()).toEqual({ tpNo: 'TP00007' });
  const terms = stage.asks(contract.challans.listRows).map((query) => query['tpNo']);
  expect(terms.filter((term) => term !== undefined && term.length < 3)).toEqual([]);
  expect(stage.asks(contract.challans.listRows).at(-1)).toMatchObject({
    tpNo: 'TP00007',
    page: '1',
  });

  // Two characters are no filter, so what is shown is not narrowed by an older one.
  await press('{Control>}a{/Control}TP');
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
  await press('{Control>}a{/Control}0001');
  await vi.waitFor(() => expect(shownRows()).toEqual(['12', '11', '10', '1']));
  await press('{Escape}');
  await vi.waitFor(() => expect(shownRows()).toHaveLength(10));
  expect(searchNow()).toEqual({});
  await expect.element(tpField()).toHaveValue('');
});

test('Down from the filter enters the table; F shows and hides the panel and the count stays in sight', async () => {
  fakeServer({ challans: buildChallans(12) });
  await openApp('/challans?paymentStatus=unpaid&tagId=none', '.cd-grid');
  await openNothing();
  await userEvent.click(page.getByRole('button', { name: 'Reset', exact: true }));
  await vi.waitFor(() => expect(shownRows()).toHaveLength(10));
  await press('/');
  await press('{ArrowDown}');
  await expect.poll(focusPlace).toMatch(/^12 /);
  await press('f');
  await expect.element(tpField()).not.toBeInTheDocument();
  await press('/');
  await expect.element(tpField()).toHaveFocus();
});

const openNothing = () =>
  vi.waitFor(() => expect(document.body.textContent).toContain('No challans match these filters'));

test('every filter goes to the server and into the address; Reset takes all of them away and says so', async () => {
  const stage = fakeServer({
    challans: buildChallans(6, (n) => ({
      paymentStatus: n % 2 === 0,
      ...(n > 3 ? { owner: otherOwner, ownerName: otherOwner.name } : {}),
      tag: n === 1 ? null : coal,
    })),
  });
  await openApp('/challans');
  await choose(page.getByLabelText('Payment Status'), 'Unpaid');
  await vi.waitFor(() => expect(shownRows()).toEqual(['5', '3', '1']));
  await choose(page.getByLabelText('Tag', { exact: true }), 'Without a tag');
  await vi.waitFor(() => expect(shownRows()).toEqual(['1']));
  expect(stage.asks(contract.tags.list)[0]?.['limit']).toBe('100');
  await choose(page.getByLabelText('Tag', { exact: true }), coal.name);
  await vi.waitFor(() => expect(shownRows()).toEqual(['5', '3']));

  await userEvent.click(page.getByRole('combobox', { name: 'Owner' }));
  await press('suni');
  await userEvent.click(page.getByRole('option', { name: /Sunita/ }));
  await vi.waitFor(() => expect(shownRows()).toEqual(['5']));

  await userEvent.fill(page.getByLabelText('Deposited from', { exact: true }), '18/11/2026');
  await press('{Tab}');
  await userEvent.fill(page.getByLabelText('Deposited to', { exact: true }), '18/11/2026');
  await press('{Tab}');
  await vi.waitFor(() =>
    expect(searchNow()).toEqual({
      paymentStatus: 'unpaid',
      tagId: coal.id,
      ownerId: otherOwner.id,
      depositedStartDate: '2026-11-18',
      depositedEndDate: '2026-11-18',
    }),
  );
  await vi.waitFor(() =>
    expect(stage.asks(contract.challans.listRows).at(-1)).toEqual({
      page: '1',
      limit: '10',
      sortBy: 'createdAt',
      sortOrder: 'desc',
      totals: 'later',
      fields: 'id,vehicleNo,tag',
      ...searchNow(),
    }),
  );

  await userEvent.click(page.getByRole('button', { name: 'Reset', exact: true }));
  await vi.waitFor(() => expect(toasts()).toEqual(['Filters reset successfully']));
  expect(searchNow()).toEqual({});
  await vi.waitFor(() => expect(shownRows()).toHaveLength(6));
  await expect.element(page.getByRole('combobox', { name: 'Owner' })).toHaveValue('');
});

test('a range that ends before it begins is said and not sent', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans?depositedStartDate=2026-11-18');
  await userEvent.fill(page.getByLabelText('Deposited to', { exact: true }), '01/11/2026');
  await press('{Tab}');
  await expect.element(page.getByText('The end date cannot be before the start date')).toBeVisible();
  expect(searchNow()).toEqual({ depositedStartDate: '2026-11-18' });
  expect(stage.asks(contract.challans.listRows)).toHaveLength(1);
});

const notCurrent = () => page.getByText('Not current: these rows do not match the dates above.');

test('while the dates cannot be applied the rows are marked as not current, and their export is refused', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans?depositedStartDate=2026-11-18');
  const end = page.getByLabelText('Deposited to', { exact: true });
  await userEvent.fill(end, '01/11/2026');
  await press('{Tab}');
  await expect.element(notCurrent()).toBeVisible();
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['Correct the dates first: the rows shown do not match them.']));
  expect(stage.writes()).toEqual([]);
  await userEvent.fill(end, '20/11/2026');
  await press('{Tab}');
  await expect.element(notCurrent()).not.toBeInTheDocument();
  await userEvent.fill(end, '31/02/2026');
  await press('{Tab}');
  await expect.element(notCurrent()).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Reset' }));
  await expect.element(notCurrent()).not.toBeInTheDocument();
  await expect.element(end).toHaveValue('');
});

test('hiding the filters takes dates that cannot be applied away, and the rows are current again', async () => {
  fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await userEvent.fill(page.getByLabelText('Deposited from', { exact: true }), '31/02/2026');
  await press('{Tab}');
  await expect.element(notCurrent()).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Filters', exact: true }));
  await expect.element(notCurrent()).not.toBeInTheDocument();
});

test('a link opens the same list, with the owner by name; what is no filter in it is left out', async () => {
  const stage = fakeServer({ challans: buildChallans(30, () => ({ owner: otherOwner })) });
  await openApp(
    `/challans?ownerId=${otherOwner.id}&tagId=rubbish&depositedEndDate=2026-02-31&sortBy=netAmountPayable&sortOrder=asc&page=2&limit=20`,
  );
  expect(stage.asks(contract.challans.listRows)).toEqual([
    {
      page: '2',
      limit: '20',
      sortBy: 'netAmountPayable',
      sortOrder: 'asc',
      totals: 'later',
      fields: 'id,vehicleNo,tag',
      ownerId: otherOwner.id,
    },
  ]);
  await expect.element(page.getByRole('combobox', { name: 'Owner' })).toHaveValue(otherOwner.name);
  await expect.element(page.getByText('21-30 of 30 challans')).toBeVisible();
});

test('sorting is asked of the server, Back undoes it, and the order of entry has a way back', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await userEvent.click(
    document.querySelector('.ag-header-cell[col-id="netAmountPayable"] .ag-header-cell-label') as Element,
  );
  await vi.waitFor(() => expect(searchNow()).toEqual({ sortBy: 'netAmountPayable' }));
  await vi.waitFor(() =>
    expect(stage.asks(contract.challans.listRows).at(-1)).toMatchObject({
      sortBy: 'netAmountPayable',
      sortOrder: 'desc',
    }),
  );
  window.history.back();
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
  window.history.forward();
  await userEvent.click(page.getByRole('button', { name: 'Newest first' }));
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
});

test('pages turn with Alt+Page Down, and the page size is remembered', async () => {
  const stage = fakeServer({ challans: buildChallans(45) });
  await openApp('/challans');
  await goTo(45);
  await press('{Alt>}{PageDown}{/Alt}');
  await vi.waitFor(() => expect(shownRows()[0]).toBe('35'));
  expect(searchNow()).toMatchObject({ page: '2' });
  await choose(page.getByLabelText('Rows per page'), '20');
  await vi.waitFor(() => expect(searchNow()).toEqual({ limit: '20' }));
  // Not first the page that was left, in the new size; the next page is fetched ahead.
  const pagesOf20 = () =>
    stage.asks(contract.challans.listRows).flatMap((query) => (query['limit'] === '20' ? [query['page']] : []));
  await vi.waitFor(() => expect(pagesOf20()).toEqual(['1', '2']));
});

test('the rows of the next page are there before its key', async () => {
  const stage = fakeServer({ challans: buildChallans(45) });
  await openApp('/challans');
  await vi.waitFor(() =>
    expect(stage.asks(contract.challans.listRows).map((query) => query['page'])).toEqual(['1', '2']),
  );
  await expect.poll(() => document.querySelector('[aria-busy="true"]')).toBeNull();
  stage.serve(contract.challans.listRows, () => new Promise<Response>(() => undefined));
  await press('{Alt>}{PageDown}{/Alt}');
  await vi.waitFor(() => expect(shownRows()[0]).toBe('35'));
});

test('a page past the end steps back to the last there is', async () => {
  fakeServer({ challans: buildChallans(12) });
  await openApp('/challans?page=9');
  await vi.waitFor(() => expect(shownRows()).toEqual(['2', '1']));
  expect(searchNow()).toEqual({ page: '2' });
});

test('a failed list keeps its filters, offers Retry and is told of; 404 is not', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  stage.once(contract.challans.listRows, () => refusal('INTERNAL_ERROR', 'The database is away'));
  await openApp('/challans?paymentStatus=unpaid', '[role="alert"]');
  await expect.element(page.getByRole('alert')).toHaveTextContent('The database is away');
  await vi.waitFor(() => expect(toasts()).toEqual(['The database is away']));
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await vi.waitFor(() => expect(shownRows()).toHaveLength(3));
  expect(stage.asks(contract.challans.listRows).every((query) => query['paymentStatus'] === 'unpaid')).toBe(true);
  await closeApp();

  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  fakeServer({ challans: buildChallans(3) }).once(contract.challans.listRows, () =>
    foreignAnswer({ success: false, code: 'NOT_FOUND', message: 'Not Found' }, 404),
  );
  await openApp('/challans', '[role="alert"]');
  await expect.element(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  expect(toasts()).toEqual([]);
  expect(log.mock.calls.flat()).toContain('Not Found');
  log.mockRestore();
});

test('an empty list says why and what to do next', async () => {
  fakeServer();
  await openApp('/challans', '.cd-grid');
  await expect.element(page.getByText('No challans yet')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Paste or open a file' }))
    .toHaveAttribute('href', '/challans/sheet');
  await closeApp();
  fakeServer({ challans: buildChallans(3) });
  await openApp(`/challans?ownerId=${idOf(5)}`, '.cd-grid');
  await openNothing();
  await userEvent.click(page.getByRole('button', { name: 'Reset Filters' }));
  await vi.waitFor(() => expect(shownRows()).toHaveLength(3));
});

test('more than twenty tags are searched, those without a tag among them, and a letter alone filters nothing', async () => {
  const stage = fakeServer({ challans: buildChallans(3, (n) => ({ tag: n === 1 ? null : coal })) });
  const made = {
    description: '',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    version: 1,
  };
  const tags = [
    coal,
    ...Array.from({ length: 24 }, (_, n) => ({ id: idOf(500 + n), name: `ROUTE ${n}`, color: '#3b82f6' })),
  ];
  stage.books.tags = tags.map((tag) => ({ ...tag, ...made }));
  await openApp('/challans');
  const tag = page.getByRole('combobox', { name: 'Tag', exact: true });
  await expect.element(tag).toHaveAttribute('placeholder', 'All tags');
  tag.element().focus();
  await press('r');
  await expect.element(page.getByText('10 of 26 results · type to narrow')).toBeVisible();
  expect(page.getByRole('option').elements()[0]?.textContent).toBe('Without a tag');
  await press('{Escape}');
  await expect.poll(() => searchNow()).toEqual({});
  await press('with{Enter}');
  await vi.waitFor(() => expect(shownRows()).toEqual(['1']));
  await expect.element(tag).toHaveValue('Without a tag');
  await userEvent.fill(tag, 'coal');
  await press('{Enter}');
  await vi.waitFor(() => expect(shownRows()).toEqual(['3', '2']));
});

test('starts with as many rows as fit into the window, until another size is chosen, and comes back to it', async () => {
  const stage = fakeServer({ challans: buildChallans(60) });
  const router = await openApp('/challans', undefined, 'subadmin', 1080);
  const sizes = page.getByRole('combobox', { name: 'Rows per page' });
  await expect.element(sizes).toHaveTextContent('Fit to window');
  const fitting = Number(stage.asks(contract.challans.listRows)[0]?.['limit']);
  expect(fitting).toBeGreaterThan(15);
  expect(fitting).toBeLessThan(30);
  await expect.element(page.getByText(`1-${fitting} of 60 challans`)).toBeVisible();
  await choose(sizes, '10');
  await vi.waitFor(() => expect(searchNow()).toEqual({ limit: '10' }));
  await expect.element(sizes).toHaveTextContent('10');
  // Also where only the memory has the size, not the address.
  await router.navigate('/challans');
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
  await expect.element(sizes).toHaveTextContent('10');
  await choose(sizes, 'Fit to window');
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
  await expect.element(page.getByText(`1-${fitting} of 60 challans`)).toBeVisible();
  // The pages that are turned keep their number of rows in the address: a link shows the same in another window.
  await press('{Alt>}{PageDown}{/Alt}');
  await vi.waitFor(() => expect(searchNow()).toEqual({ page: '2', limit: String(fitting) }));
  await expect.element(sizes).toHaveTextContent('Fit to window');
});

test('a low window shows ten rows all the same', async () => {
  const stage = fakeServer({ challans: buildChallans(12) });
  await openApp('/challans', undefined, 'subadmin', 300);
  expect(stage.asks(contract.challans.listRows)[0]?.['limit']).toBe('10');
});

test('the rarer filters are behind a button, go to the server, and stay in sight as chips when it is closed', async () => {
  const stage = fakeServer({ challans: buildChallans(6) });
  await openApp('/challans');
  expect(page.getByRole('textbox', { name: 'Material' }).query()).toBeNull();
  await userEvent.click(page.getByRole('button', { name: 'More filters' }));
  await userEvent.fill(page.getByRole('textbox', { name: 'Material' }), 'coal');
  await choose(page.getByLabelText('HSD', { exact: true }), 'HSD not verified');
  await userEvent.fill(page.getByRole('textbox', { name: 'Net amount from' }), '1,00,000');
  await press('{Enter}');
  await vi.waitFor(() =>
    expect(searchNow()).toEqual({ material: 'coal', hsdVerified: 'unverified', netFrom: '100000.00' }),
  );
  await vi.waitFor(() => expect(stage.asks(contract.challans.listRows).at(-1)).toMatchObject(searchNow()));

  // A reversed range is said and not applied.
  await userEvent.fill(page.getByRole('textbox', { name: 'Net amount to' }), '-5');
  await press('{Tab}');
  await expect.element(page.getByText('The highest amount cannot be below the lowest')).toBeVisible();
  expect(searchNow()).not.toHaveProperty('netTo');
  await userEvent.fill(page.getByRole('textbox', { name: 'Net amount from' }), '');
  await press('{Tab}');
  await vi.waitFor(() => expect(searchNow()).toEqual({ material: 'coal', hsdVerified: 'unverified', netTo: '-5.00' }));

  await userEvent.click(page.getByRole('button', { name: 'Fewer filters' }));
  await userEvent.click(page.getByRole('button', { name: 'Remove filter: Net amount to -₹5.00' }));
  await userEvent.click(page.getByRole('button', { name: 'Remove filter: HSD not verified' }));
  await vi.waitFor(() => expect(searchNow()).toEqual({ material: 'coal' }));
});

test('ranges of days are chosen by name, by key, and "Not deposited" is one of them', async () => {
  const stage = fakeServer({ challans: buildChallans(6) });
  await openApp('/challans');
  const named = page.getByRole('combobox', { name: 'Deposited days' });
  await expect.element(named).toHaveTextContent('All dates');
  (named.element() as HTMLElement).focus();
  await withoutPause(() => press('{Enter}last m{Enter}'));
  // On the 30th this month may be the last 30 days as well.
  const month = dayRangeOf('lastMonth', dayOf(new Date()));
  await vi.waitFor(() => expect(searchNow()).toEqual({ depositedStartDate: month.from, depositedEndDate: month.to }));
  await expect.element(named).toHaveTextContent('Last month');
  await choose(named, 'Not deposited');
  await vi.waitFor(() => expect(searchNow()).toEqual({ depositedDate: 'none' }));
  await vi.waitFor(() =>
    expect(stage.asks(contract.challans.listRows).at(-1)).toMatchObject({
      depositedDate: 'none',
    }),
  );
  await userEvent.fill(page.getByLabelText('Deposited from', { exact: true }), '18/11/2026');
  await press('{Enter}');
  await vi.waitFor(() => expect(searchNow()).toEqual({ depositedStartDate: '2026-11-18' }));
  await expect.element(named).toHaveTextContent('Chosen days');

  // Two presses before the address has followed the first: the second steps on from it.
  const from = page.getByRole('textbox', { name: 'Deposited from' });
  const step = (key: string): boolean =>
    from.element().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  await userEvent.click(from);
  step('+');
  step('+');
  await vi.waitFor(() => expect(searchNow()).toEqual({ depositedStartDate: '2026-11-20' }));
  await expect.element(from).toHaveValue('20/11/2026');
  step('+');
  step('-');
  step('-');
  await vi.waitFor(() => expect(searchNow()).toEqual({ depositedStartDate: '2026-11-19' }));
  await expect.element(from).toHaveValue('19/11/2026');

  await choose(named, 'All dates');
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
});
