import { afterEach, describe, expect, test, vi } from 'vitest';
import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { MOST_CHARACTERS } from '../../../src/shared/contract/preferences.ts';
import { dayRangeOf } from '../../../src/shared/calc/day-ranges.ts';
import { choose } from '../choose.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { closeApp, openApp, page, press, searchNow, toasts, userEvent } from '../support/screen.tsx';

afterEach(async () => {
  await closeApp();
  vi.useRealTimers();
});

const today = dayOf(new Date());
const view = (name: string) => page.getByRole('group', { name: 'Views' }).getByRole('button', { name });
const pressed = (): string[] =>
  [...document.querySelectorAll('[aria-label="Views"] [aria-pressed="true"]')].map((item) => item.textContent ?? '');

test('the shipped views set filter and order, and say which of them is shown', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await expect.poll(pressed).toEqual(['All']);
  await userEvent.click(view('Unpaid over 7 days'));
  await vi.waitFor(() =>
    expect(searchNow()).toEqual({ paymentStatus: 'unpaid', depositedEndDate: addDays(today, -8) }),
  );
  await vi.waitFor(() => expect(stage.asks(contract.challans.listRows).at(-1)).toMatchObject(searchNow()));
  for (const [name, query] of [
    ['HSD not verified', { hsdVerified: 'unverified' }],
    ['No deposit date', { depositedDate: 'none' }],
    ['Same TP twice', { tpUse: 'twice', sortBy: 'tpNo', sortOrder: 'asc' }],
    ['Negative net', { netTo: '-0.01' }],
    ['All', {}],
  ] as const) {
    await userEvent.click(view(name));
    await vi.waitFor(() => expect(searchNow()).toEqual(query));
    await expect.poll(pressed).toEqual([name]);
  }
});

const storedIn = (stage: Desk) =>
  JSON.parse(stage.books.preferences.get('views:challans') ?? '[]') as { name: string; filters: object }[];

test('a view of one’s own is saved with its columns, and opens with them', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await choose(page.getByRole('combobox', { name: 'Deposited days' }), 'Last month');
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Material', exact: true }));
  await press('{Escape}');
  await userEvent.click(page.getByRole('button', { name: 'Save as a view' }));
  await press('Month end{Enter}');
  await expect.poll(pressed).toEqual(['Month end']);
  // The strip is too narrow for all of them, and scrolls to it.
  const edges = () => {
    const current = document.querySelector('[aria-label="Views"] [aria-pressed="true"]');
    return [current, current?.parentElement].map((element) => element?.getBoundingClientRect().right ?? 0);
  };
  await expect.poll(() => Math.round((edges()[0] ?? 0) - (edges()[1] ?? 0))).toBeLessThanOrEqual(0);
  // By its name, so that it follows the calendar.
  expect(storedIn(stage)[0]?.filters).toEqual({ depositedStartDate: '@lastMonth', depositedEndDate: '@lastMonth' });

  await userEvent.click(view('All'));
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('button', { name: 'Reset view' }));
  await press('{Escape}');
  await expect.poll(() => document.querySelector('[col-id="material"]')).toBeNull();
  await userEvent.click(view('Month end'));
  const month = dayRangeOf('lastMonth', today);
  await vi.waitFor(() => expect(searchNow()).toEqual({ depositedStartDate: month.from, depositedEndDate: month.to }));
  await expect.poll(() => document.querySelector('[col-id="material"]')).not.toBeNull();
});

test('a view of one’s own shows that it was changed, and is updated, renamed and deleted', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  const own = { id: 'own', name: 'Month end', filters: { material: 'ore' }, sortBy: 'tpNo', sortOrder: 'asc' };
  stage.books.preferences.set('views:challans', JSON.stringify([own]));
  await openApp('/challans');
  await userEvent.click(view('Month end'));
  await vi.waitFor(() => expect(searchNow()).toEqual({ material: 'ore', sortBy: 'tpNo', sortOrder: 'asc' }));
  await choose(page.getByLabelText('Payment Status'), 'Unpaid');
  await expect.poll(pressed).toEqual(['Month end *, changed']);
  await userEvent.click(page.getByRole('button', { name: 'Update the view Month end' }));
  await expect.poll(pressed).toEqual(['Month end']);
  await vi.waitFor(() => expect(storedIn(stage)[0]?.filters).toMatchObject({ paymentStatus: 'unpaid' }));

  await userEvent.click(page.getByRole('button', { name: 'Rename the view Month end' }));
  await press('{Control>}a{/Control}Closing{Enter}');
  await expect.poll(pressed).toEqual(['Closing']);
  await userEvent.click(page.getByRole('button', { name: 'Delete the view Closing' }));
  await userEvent.click(page.getByRole('button', { name: 'Delete view' }));
  await vi.waitFor(() => expect(stage.books.preferences.has('views:challans')).toBe(false));
  await expect.element(view('Closing')).not.toBeInTheDocument();
});

const kept = { id: 'kept', name: 'Month end', filters: { material: 'ore' }, sortBy: 'tpNo', sortOrder: 'asc' };
const names = (stage: Desk): string[] => storedIn(stage).map(({ name }) => name);
async function saveAs(name: string): Promise<void> {
  await userEvent.click(page.getByRole('button', { name: 'Save as a view' }));
  await press(`${name}{Enter}`);
}

test('a view is saved beside those that the server has, also while they are not known here', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  stage.books.preferences.set('views:challans', JSON.stringify([kept]));
  let answer = (): void => undefined;
  stage.once(contract.preferences.list, async () => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return refusal('INTERNAL_ERROR', 'Something went wrong');
  });
  await openApp('/challans');
  await saveAs('Mine');
  await vi.waitFor(() => expect(names(stage)).toEqual(['Month end', 'Mine']));
  answer();
  await expect.element(view('Month end')).toBeVisible();
});

test('views that are saved one after the other are all kept', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await expect.poll(pressed).toEqual(['All']);
  const answers: (() => void)[] = [];
  stage.once(contract.preferences.put, async ({ body }) => {
    const { key, value } = body as { key: string; value: string };
    await new Promise<void>((resolve) => {
      answers.push(resolve);
    });
    stage.books.preferences.set(key, value);
    return { data: { key, value, updatedAt: '2026-11-20T10:00:00.000Z' } };
  });
  await saveAs('First');
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  await saveAs('Second');
  answers[0]?.();
  await vi.waitFor(() => expect(names(stage)).toEqual(['First', 'Second']));
});

test('a view that cannot be read leaves the others', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  stage.books.preferences.set('views:challans', JSON.stringify([{ id: 7 }, kept]));
  await openApp('/challans');
  await expect.element(view('Month end')).toBeVisible();
});

test('of the columns only those that are shown are kept, so that thirty views have room; too large ones are refused', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await expect.poll(() => document.querySelectorAll('.ag-header-cell').length).toBeGreaterThan(5);
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Material', exact: true }));
  await press('{Escape}');
  await saveAs('Mine');
  await expect.poll(() => names(stage)).toEqual(['Mine']);
  expect(stage.books.preferences.get('views:challans')?.length).toBeLessThan(MOST_CHARACTERS / 30);

  const large = { ...kept, filters: { material: 'x'.repeat(MOST_CHARACTERS - 200) } };
  stage.books.preferences.set('views:challans', JSON.stringify([large]));
  await saveAs('Second');
  await vi.waitFor(() =>
    expect(toasts()).toContain(
      'The views are too large to be kept together: delete one of them, or show fewer columns.',
    ),
  );
  expect(names(stage)).toEqual(['Month end']);
});

test('a view opens with its columns as they were, and a view of an earlier kind too', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  const columns = ['material', { colId: 'tpNo', width: 222, flex: null }, { colId: 'vehicleNo', pinned: 'left' }];
  const earlier = [
    { colId: 'grid-select', width: 42 },
    { colId: 'tpNo', hide: false },
    { colId: 'material', hide: true },
  ];
  stage.books.preferences.set(
    'views:challans',
    JSON.stringify([
      { ...kept, filters: {}, columns },
      { ...kept, id: 'earlier', name: 'Earlier', filters: {}, sortBy: 'netAmountPayable', columns: earlier },
    ]),
  );
  await openApp('/challans');
  const shown = (): string[] =>
    [...document.querySelectorAll('.ag-header-cell')]
      .map((cell) => cell.getAttribute('col-id') ?? '')
      .filter((id) => !id.startsWith('grid-'));
  await expect.poll(() => shown().length).toBeGreaterThan(5);
  await userEvent.click(view('Month end'));
  await expect.poll(shown).toEqual(['vehicleNo', 'material', 'tpNo']);
  await expect.poll(() => document.querySelector<HTMLElement>('.ag-header-cell[col-id="tpNo"]')?.offsetWidth).toBe(222);
  await userEvent.click(view('Earlier'));
  await expect.poll(shown).toEqual(['tpNo']);
});

test('the palette lists the views', async () => {
  fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await expect.poll(pressed).toEqual(['All']);
  await press('{Control>}k{/Control}');
  await userEvent.fill(page.getByRole('combobox', { name: 'Find a screen or an action' }), 'view neg');
  await userEvent.click(page.getByRole('option', { name: /View: Negative net/ }));
  await vi.waitFor(() => expect(searchNow()).toEqual({ netTo: '-0.01' }));
});

test('columns and page size follow to another machine, and what is changed there is sent until it gets through', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  const layout = {
    columns: ['challanNumber', 'tpNo', 'material', 'netAmountPayable'].map((colId) => ({
      colId,
      hide: false,
      width: 150,
    })),
    pageSize: 20,
  };
  stage.books.preferences.set('layout:challans', JSON.stringify(layout));
  await openApp('/challans');
  await expect.poll(() => document.querySelector('.ag-row [col-id="material"]')?.textContent).toBe('Iron ore');
  const layouts = () => stage.calls(contract.preferences.put).map(({ body }) => (body as { value: string }).value);

  stage.once(contract.preferences.put, () => refusal('SERVICE_UNAVAILABLE', 'The database is away'));
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Remarks', exact: true }));
  const isShown = (value = '') =>
    (JSON.parse(value) as typeof layout).columns.some(({ colId, hide }) => colId === 'remarks' && !hide);
  await vi.waitFor(() => expect(layouts().filter(isShown)).toHaveLength(2));
  expect(isShown(stage.books.preferences.get('layout:challans'))).toBe(true);
  expect(document.querySelector('[data-sonner-toast]')).toBeNull();
});

describe('on 30 November, when this month is the last 30 days', () => {
  const days = { depositedStartDate: '2026-11-01', depositedEndDate: '2026-11-30' };
  const atNoonOf = (day: string): void =>
    void vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${day}T12:00+05:30`) });
  const range = page.getByRole('combobox', { name: 'Deposited days' });
  const named = (name: string) => ({ depositedStartDate: `@${name}`, depositedEndDate: `@${name}` });
  const nowDays = () => {
    const { depositedStartDate, depositedEndDate } = searchNow();
    return { depositedStartDate, depositedEndDate };
  };

  test.each([
    ['This month', 'thisMonth', { depositedStartDate: '2027-02-01', depositedEndDate: '2027-02-28' }],
    ['Last 30 days', 'last30Days', { depositedStartDate: '2027-01-04', depositedEndDate: '2027-02-02' }],
  ])('a view keeps “%s” as it was chosen', async (label, name, later) => {
    atNoonOf('2026-11-30');
    const stage = fakeServer({ challans: buildChallans(3) });
    await openApp('/challans');
    await choose(range, label === 'This month' ? 'Last 30 days' : 'This month');
    await choose(range, label);
    await vi.waitFor(() => expect(nowDays()).toEqual(days));
    await expect.element(range).toHaveTextContent(label);
    // Another filter leaves the name.
    await choose(page.getByLabelText('Payment Status'), 'Unpaid');
    await saveAs('Mine');
    await vi.waitFor(() => expect(storedIn(stage)[0]?.filters).toEqual({ ...named(name), paymentStatus: 'unpaid' }));
    await expect.poll(pressed).toEqual(['Mine']);

    const stored = stage.books.preferences.get('views:challans')!;
    const reopen = async (path: string): Promise<void> => {
      await closeApp();
      fakeServer({ challans: buildChallans(3) }).books.preferences.set('views:challans', stored);
      await openApp(path);
    };
    await reopen(`${window.location.pathname}${window.location.search}`);
    await expect.element(range).toHaveTextContent(label);
    await expect.poll(pressed).toEqual(['Mine']);

    atNoonOf('2027-02-02');
    await reopen('/challans');
    await userEvent.click(view('Mine'));
    await vi.waitFor(() => expect(nowDays()).toEqual(later));
    await expect.element(range).toHaveTextContent(label);
  });

  test('a view opens by its own name, and is changed by the choice of the other one', async () => {
    atNoonOf('2026-11-30');
    const stage = fakeServer({ challans: buildChallans(3) });
    const own = ['last30Days', 'thisMonth'].map((name) => ({ ...kept, id: name, name, filters: named(name) }));
    stage.books.preferences.set('views:challans', JSON.stringify(own));
    await openApp('/challans');
    for (const [name, label] of [
      ['thisMonth', 'This month'],
      ['last30Days', 'Last 30 days'],
    ] as const) {
      await userEvent.click(view(name));
      await expect.element(range).toHaveTextContent(label);
      await expect.poll(pressed).toEqual([name]);
    }
    await userEvent.click(page.getByRole('button', { name: 'Delete the view last30Days' }));
    await userEvent.click(page.getByRole('button', { name: 'Delete view' }));
    await expect.poll(() => names(stage)).toEqual(['thisMonth']);
    await userEvent.click(view('thisMonth'));
    await choose(range, 'Last 30 days');
    await expect.poll(pressed).toEqual(['thisMonth *, changed']);
    await userEvent.click(page.getByRole('button', { name: 'Update the view thisMonth' }));
    await vi.waitFor(() => expect(storedIn(stage)[0]?.filters).toEqual(named('last30Days')));
    await expect.poll(pressed).toEqual(['thisMonth']);
  });

  test('days that were typed or come with a link are this month', async () => {
    atNoonOf('2026-11-30');
    const stage = fakeServer({ challans: buildChallans(3) });
    await openApp(`/challans?${new URLSearchParams(days).toString()}`);
    await expect.element(range).toHaveTextContent('This month');
    await saveAs('Mine');
    await vi.waitFor(() => expect(storedIn(stage)[0]?.filters).toEqual(named('thisMonth')));
  });
});
