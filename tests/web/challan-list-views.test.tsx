import { afterEach, expect, test, vi } from 'vitest';
import { addDays, dayOf } from '../../src/shared/calc/dates.ts';
import { dayRangeOf } from '../../src/shared/calc/day-ranges.ts';
import {
  buildChallans,
  closeApp,
  failure,
  makeStage,
  openApp,
  page,
  press,
  searchNow,
  userEvent,
  type Stage,
} from './challan-list-stage.tsx';
import { choose } from './choose.ts';

afterEach(closeApp);

const today = dayOf(new Date());
const view = (name: string) => page.getByRole('group', { name: 'Views' }).getByRole('button', { name });
const pressed = (): string[] =>
  [...document.querySelectorAll('[aria-label="Views"] [aria-pressed="true"]')].map((item) => item.textContent ?? '');

test('the shipped views set filter and order, and say which of them is shown', async () => {
  const stage = makeStage(buildChallans(3));
  await openApp('/challans');
  await expect.poll(pressed).toEqual(['All']);
  await userEvent.click(view('Unpaid over 7 days'));
  await vi.waitFor(() =>
    expect(searchNow()).toEqual({ paymentStatus: 'unpaid', depositedEndDate: addDays(today, -8) }),
  );
  await vi.waitFor(() => expect(stage.lists().at(-1)?.query).toMatchObject(searchNow()));
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

const storedIn = (stage: Stage) =>
  JSON.parse(stage.preferences.get('views:challans') ?? '[]') as { name: string; filters: object }[];

test('a view of one’s own is saved with its columns, and opens with them', async () => {
  const stage = makeStage(buildChallans(3));
  await openApp('/challans');
  await choose(page.getByRole('combobox', { name: 'Deposited days' }), 'This month');
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Material', exact: true }));
  await press('{Escape}');
  await userEvent.click(page.getByRole('button', { name: 'Save as a view' }));
  await press('Month end{Enter}');
  await expect.poll(pressed).toEqual(['Month end']);
  // By its name, so that it follows the calendar.
  expect(storedIn(stage)[0]?.filters).toEqual({ depositedStartDate: '@thisMonth', depositedEndDate: '@thisMonth' });

  await userEvent.click(view('All'));
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('button', { name: 'Reset view' }));
  await press('{Escape}');
  await expect.poll(() => document.querySelector('[col-id="material"]')).toBeNull();
  await userEvent.click(view('Month end'));
  const month = dayRangeOf('thisMonth', today);
  await vi.waitFor(() => expect(searchNow()).toEqual({ depositedStartDate: month.from, depositedEndDate: month.to }));
  await expect.poll(() => document.querySelector('[col-id="material"]')).not.toBeNull();
});

test('a view of one’s own shows that it was changed, and is updated, renamed and deleted', async () => {
  const stage = makeStage(buildChallans(3));
  const own = { id: 'own', name: 'Month end', filters: { material: 'ore' }, sortBy: 'tpNo', sortOrder: 'asc' };
  stage.preferences.set('views:challans', JSON.stringify([own]));
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
  await vi.waitFor(() => expect(stage.preferences.has('views:challans')).toBe(false));
  await expect.element(view('Closing')).not.toBeInTheDocument();
});

test('the palette lists the views', async () => {
  makeStage(buildChallans(3));
  await openApp('/challans');
  await expect.poll(pressed).toEqual(['All']);
  await press('{Control>}k{/Control}');
  await userEvent.fill(page.getByRole('combobox', { name: 'Find a screen or an action' }), 'view neg');
  await userEvent.click(page.getByRole('option', { name: /View: Negative net/ }));
  await vi.waitFor(() => expect(searchNow()).toEqual({ netTo: '-0.01' }));
});

test('columns and page size follow to another machine, and what is changed there is sent until it gets through', async () => {
  const stage = makeStage(buildChallans(3));
  const layout = {
    columns: ['challanNumber', 'tpNo', 'material', 'netAmountPayable'].map((colId) => ({
      colId,
      hide: false,
      width: 150,
    })),
    pageSize: 20,
  };
  stage.preferences.set('layout:challans', JSON.stringify(layout));
  await openApp('/challans');
  await expect.poll(() => document.querySelector('.ag-row [col-id="material"]')?.textContent).toBe('Iron ore');
  const layouts = () => stage.asks('PUT', /^\/preferences$/).map(({ body }) => (body as { value: string }).value);

  stage.once('PUT', /^\/preferences$/, () => failure(503, 'SERVICE_UNAVAILABLE', 'The database is away'));
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Remarks', exact: true }));
  const isShown = (value = '') =>
    (JSON.parse(value) as typeof layout).columns.some(({ colId, hide }) => colId === 'remarks' && !hide);
  await vi.waitFor(() => expect(layouts().filter(isShown)).toHaveLength(2), { timeout: 15_000 });
  expect(isShown(stage.preferences.get('layout:challans'))).toBe(true);
  expect(document.querySelector('[data-sonner-toast]')).toBeNull();
});
