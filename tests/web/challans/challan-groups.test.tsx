import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import '../../../src/web/print.css';
import { contract } from '../../../src/shared/contract/index.ts';
import { choose } from '../choose.ts';
import { buildChallans } from '../support/builders.ts';
import { watchDownloads } from '../support/downloads.ts';
import { refusal } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { closeApp, heads, openApp, page, press, searchNow, userEvent } from '../support/screen.tsx';

/** The groups of the challan list (docs/specification.md §33). */

afterEach(closeApp);

const { list } = contract.challanGroups;

/** Three owners' challans of two materials. */
function someChallans() {
  return buildChallans(12).map((challan, index) => ({
    ...challan,
    ownerName: ['Anil Jena', 'Bina Das', 'Chandan Rao'][index % 3]!,
    material: index < 6 ? 'Coal' : 'Iron ore',
    paymentStatus: index % 4 === 0,
  }));
}
const stageOf = (): Desk => fakeServer({ challans: someChallans() });

/** The names in each row, from top to bottom. */
const rows = (): string[] => {
  const cells = (column: string) => [
    ...document.querySelectorAll(`.ag-row[row-id]:not(.ag-row-pinned) [col-id="${column}"]`),
  ];
  const of = (cell: Element, name: string): string => cell.closest('.ag-row')?.getAttribute(name) ?? '';
  return cells('first')
    .toSorted((a, b) => Number(of(a, 'row-index')) - Number(of(b, 'row-index')))
    .map((cell) => {
      const second = cells('second').filter((other) => of(other, 'row-id') === of(cell, 'row-id'));
      return [cell, ...second].map((one) => one.textContent ?? '').join(' | ');
    });
};
const focused = (): string => document.activeElement?.closest('.ag-row')?.getAttribute('row-id') ?? '';
const combobox = (name: string) => page.getByRole('combobox', { name, exact: true });

test('the key groups the list, arrows walk, Enter opens the challans of a group, and Back the groups', async () => {
  const stage = stageOf();
  await openApp('/challans?paymentStatus=unpaid');
  await expect.poll(() => document.querySelector('.ag-row')).not.toBeNull();
  await press('b');
  await vi.waitFor(() => expect(searchNow()).toEqual({ paymentStatus: 'unpaid', groupBy: 'owner' }));
  await expect.poll(focused).toBe('Bina Das');
  expect(heads()).toEqual(expect.arrayContaining(['Owner', 'Challans', 'Freight', 'Net Amount']));
  expect(heads()).not.toContain('Office');
  expect(stage.asks(list).at(-1)).toMatchObject({ groupBy: 'owner', sortBy: 'netAmountPayable', sortOrder: 'desc' });
  await press('{ArrowDown}');
  await expect.poll(focused).toBe('Chandan Rao');
  await press('{Enter}');
  await vi.waitFor(() => expect(searchNow()).toMatchObject({ paymentStatus: 'unpaid', ownerId: expect.any(String) }));
  expect(searchNow()).not.toHaveProperty('groupBy');
  await expect.element(page.getByRole('button', { name: 'Group By' })).toBeVisible();
  history.back();
  await vi.waitFor(() => expect(searchNow()).toMatchObject({ groupBy: 'owner' }));
  await expect.poll(focused).toBe('Chandan Rao');
  await press('{Shift>}b{/Shift}');
  await vi.waitFor(() => expect(searchNow()).toEqual({ paymentStatus: 'unpaid' }));
  // A group that is there no longer leaves the focus to the first row.
  await closeApp();
  const others = stage.books.challans.filter(({ ownerName }) => ownerName !== 'Chandan Rao');
  fakeServer({ challans: others });
  await openApp('/challans?paymentStatus=unpaid&groupBy=owner');
  await expect.poll(focused).toBe('Bina Das');
});

test('a second level stands behind each group, and both are chosen by the keyboard', async () => {
  stageOf();
  await openApp('/challans?groupBy=owner');
  await expect.poll(rows).toHaveLength(3);
  await press('b');
  expect(document.activeElement?.textContent).toContain('Owner');
  await choose(combobox('Then by'), 'Material');
  await vi.waitFor(() => expect(searchNow()).toEqual({ groupBy: 'owner,material' }));
  await expect.poll(rows).toHaveLength(9);
  expect(rows().slice(0, 3)).toEqual(['Anil Jena | All', 'Anil Jena | Coal', 'Anil Jena | Iron ore']);
  // A range over a group and its parts adds the parts.
  const cellOf = (id: string): Element => document.querySelector(`[row-id="${id}"] [col-id="challanCount"]`)!;
  await userEvent.dragAndDrop(cellOf('Anil Jena'), cellOf('Anil Jena Iron ore'));
  await expect
    .poll(() => document.querySelector('.cd-sums')?.textContent)
    .toBe('Count 3 · Sum of the parts 4 · Average 2');
  await choose(combobox('Group by'), 'Tag');
  await vi.waitFor(() => expect(searchNow()).toEqual({ groupBy: 'tag,material' }));
  await choose(combobox('Then by'), 'Nothing');
  await vi.waitFor(() => expect(searchNow()).toEqual({ groupBy: 'tag' }));
});

test('any figure sorts, by the address; bars show it', async () => {
  const stage = stageOf();
  await openApp('/challans?groupBy=owner');
  await expect.poll(rows).toHaveLength(3);
  await userEvent.click(page.getByRole('columnheader', { name: 'Paid', exact: true }));
  await vi.waitFor(() => expect(searchNow()).toEqual({ groupBy: 'owner', groupSort: 'paidAmount,desc' }));
  await vi.waitFor(() => expect(stage.asks(list).at(-1)).toMatchObject({ sortBy: 'paidAmount', sortOrder: 'desc' }));
  await press('t');
  await expect.poll(heads).toEqual(['Owner', 'Paid', 'Paid, as a Bar', 'Actions']);
  expect(searchNow()).toEqual({ groupBy: 'owner', groupSort: 'paidAmount,desc', groupAs: 'bars' });
  await expect.poll(() => document.querySelectorAll('[col-id="bar"] [style*="width"]').length).toBeGreaterThan(2);
  await press('t');
  await expect.poll(heads).toContain('Freight');
});

test('groups are a view of one’s own, with filter, order and columns, from the list and back', async () => {
  // Wide enough for all columns: the grid draws those that are in sight.
  await page.viewport(2400, 900);
  onTestFinished(() => page.viewport(1366, 768));
  const stage = stageOf();
  await openApp('/challans?groupBy=owner,material&groupSort=unpaidAmount,asc&paymentStatus=unpaid');
  await expect.poll(() => rows().length).toBeGreaterThan(3);
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Office', exact: true }));
  await press('{Escape}');
  await userEvent.click(page.getByRole('button', { name: 'Save as a view' }));
  await press('By owner{Enter}');
  const view = (name: string) => page.getByRole('group', { name: 'Views' }).getByRole('button', { name, exact: true });
  await expect.element(view('By owner')).toHaveAttribute('aria-pressed', 'true');
  expect(JSON.parse(stage.books.preferences.get('views:challans') ?? '[]')).toMatchObject([
    {
      name: 'By owner',
      groupBy: 'owner,material',
      groupSort: 'unpaidAmount,asc',
      filters: { paymentStatus: 'unpaid' },
    },
  ]);
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('button', { name: 'Reset view' }));
  await press('{Escape}');
  await expect.poll(heads).not.toContain('Office');
  await userEvent.click(view('All'));
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
  await expect.poll(heads).toContain('TP No');
  await userEvent.click(view('By owner'));
  await vi.waitFor(() =>
    expect(searchNow()).toEqual({
      groupBy: 'owner,material',
      groupSort: 'unpaidAmount,asc',
      paymentStatus: 'unpaid',
    }),
  );
  await expect.poll(heads).toContain('Office');
  // Opened from the list, it is the current one here: a change can be saved in it at once.
  await userEvent.click(page.getByRole('columnheader', { name: 'Paid', exact: true }));
  await userEvent.click(page.getByRole('button', { name: 'Update the view By owner' }));
  await vi.waitFor(() =>
    expect(JSON.parse(stage.books.preferences.get('views:challans') ?? '[]')).toMatchObject([
      { name: 'By owner', groupSort: 'paidAmount,desc' },
    ]),
  );
});

test('the files have the columns and the order of the table', async () => {
  const stage = stageOf();
  const saved = watchDownloads();
  await openApp('/challans?groupBy=owner&groupSort=challanCount,asc#material=coal');
  await expect.poll(rows).toHaveLength(3);
  await press('{Control>}e{/Control}');
  await expect.poll(() => saved).toEqual(['challan_groups_owner.csv']);
  const { body } = stage.calls(contract.challanGroups.exportCsv).at(-1) as never as { body: Record<string, unknown> };
  expect(body).toMatchObject({
    filters: { material: 'coal' },
    groupBy: 'owner',
    sortBy: 'challanCount',
    sortOrder: 'asc',
  });
  expect(body['columns']).toEqual(
    expect.arrayContaining(['first', 'challanCount', 'freight', 'netAmountPayable', 'paidAmount']),
  );
  await press('{Control>}{Shift>}e{/Shift}{/Control}');
  await expect.poll(() => saved).toContain('challan_groups_owner.xlsx');
});

test('all rows are printed, with the sums, as the table shows them', async () => {
  stageOf();
  const printed: string[][] = [];
  const print = vi.spyOn(window, 'print').mockImplementation(() => {
    window.dispatchEvent(new Event('beforeprint'));
    printed.push(
      [...document.querySelectorAll('.cd-print tbody tr')].map((row) =>
        [...row.querySelectorAll('td')]
          .slice(0, 3)
          .map((cell) => cell.textContent ?? '')
          .join(' | '),
      ),
    );
    window.dispatchEvent(new Event('afterprint'));
  });
  await openApp('/challans?groupBy=owner,material&limit=10');
  await expect.poll(rows).toHaveLength(9);
  await press('{Control>}p{/Control}');
  window.print();
  await vi.waitFor(() => expect(printed.at(-1)).toHaveLength(10));
  expect(printed.at(-1)?.[0]).toBe('Anil Jena | All | 4');
  expect(printed.at(-1)?.[1]).toBe('Anil Jena | Coal | 2');
  expect(printed.at(-1)?.at(-1)).toContain('Total of 12');
  print.mockRestore();
});

test('bars on paper have the scale of all rows, not that of the page', async () => {
  const challans = buildChallans(12).map((challan, index) => ({
    ...challan,
    ownerName: `Owner ${index}`,
    netAmountPayable: index === 11 ? '9000.00' : '900.00',
  }));
  fakeServer({ challans });
  const widths: string[] = [];
  const print = vi.spyOn(window, 'print').mockImplementation(() => {
    window.dispatchEvent(new Event('beforeprint'));
    const bars = document.querySelectorAll<HTMLElement>('.cd-print [style*="width"]');
    widths.push(...[...bars].map(({ style }) => style.width));
    window.dispatchEvent(new Event('afterprint'));
  });
  await openApp('/challans?groupBy=owner&groupSort=netAmountPayable,asc&groupAs=bars&limit=10');
  await expect.poll(rows).toHaveLength(10);
  await press('{Control>}p{/Control}');
  await vi.waitFor(() => expect(widths).toEqual([...Array.from({ length: 11 }, () => '10%'), '100%']));
  print.mockRestore();
});

test('an error offers Retry, no match a reset, and an address that names no group is the list', async () => {
  const stage = stageOf();
  stage.once(list, () => refusal('INTERNAL_ERROR', 'The database is away'));
  await openApp('/challans?groupBy=owner&netFrom=99999999', '[role="alert"]');
  stage.books.challans = [];
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.element(page.getByText('No challans match these filters')).toBeVisible();
  await closeApp();
  stageOf();
  await openApp('/challans?groupBy=panNo');
  await vi.waitFor(() => expect(searchNow()).toEqual({}));
});
