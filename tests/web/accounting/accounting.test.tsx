import { afterEach, describe, expect, test, vi } from 'vitest';
import { cleanup } from '@testing-library/react';
import type { OwnerPayment, OwnerTrip } from '../../../src/shared/contract/accounting.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { AccountingPage } from '../../../src/web/features/accounting/accounting-page.tsx';
import { buildOwner, buildTruck, idOf, many } from '../support/builders.ts';
import { offline, refusal, speechless } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  dialog,
  focusPlace,
  goToCell,
  heads,
  hearing,
  openApp,
  page,
  press,
  search,
  searchNow,
  shownRows,
  toasts,
  userEvent,
  openRoutes,
} from '../support/screen.tsx';

afterEach(closeApp);

const ownersOf = (count: number) => many(count, (n) => buildOwner(n));
const failed = 'Failed to navigate to owner challans';

describe('the list', () => {
  test("title, columns, 'Not provided', trucks and 'a-b of N owners'", async () => {
    const owner = buildOwner(1);
    fakeServer({
      owners: [owner, buildOwner(2, { address: '' }), ...many(13, (n) => buildOwner(n + 2))],
      trucks: [buildTruck(1, owner), buildTruck(2, owner)],
    });
    await openApp('/accounting');
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(/^Accounting Management$/);
    expect(heads()).toEqual([
      'Name',
      'Contact',
      'Address',
      'Trucks Count',
      'Unpaid',
      'Oldest Due',
      'Last Paid',
      'Paid This Month',
      'To Deduct',
      'Actions',
    ]);
    expect([
      cellText(1, 'name'),
      cellText(1, 'contactNumber'),
      cellText(1, 'address'),
      cellText(1, 'trucksCount'),
    ]).toEqual(['Owner 01', '9876543201', 'Plot 1, Joda', '2']);
    expect(cellText(2, 'address')).toBe('Not provided');
    await expect.element(page.getByText('1-10 of 15 owners')).toBeVisible();
    await press('{Alt>}{PageDown}{/Alt}');
    await expect.element(page.getByText('11-15 of 15 owners')).toBeVisible();
    expect(searchNow()).toEqual({ page: '2', limit: '10' });
  });

  test('without a session it says so and loads nothing', async () => {
    const desk = fakeServer({ owners: ownersOf(2) });
    openRoutes([{ path: '*', element: <AccountingPage /> }]);
    await expect.element(page.getByText('Authentication Required')).toBeVisible();
    await expect.element(page.getByText('Please log in to access accounting management.')).toBeVisible();
    expect(desk.calls()).toEqual([]);
    cleanup();
  });

  test('failures are told, with Retry', async () => {
    const desk = fakeServer({ owners: ownersOf(2) });
    desk.once(contract.accounting.listOwners, speechless);
    await openApp('/accounting', '[role="alert"]');
    await expect.poll(toasts).toEqual(['Failed to fetch owners']);
    await userEvent.click(button('Retry'));
    await expect.poll(shownRows).toEqual(['1', '2']);
    desk.once(contract.accounting.listOwners, speechless);
    await search('own');
    await expect.poll(toasts).toContain('Failed to search owners');
  });

  test('without owners it says where they come from', async () => {
    fakeServer({ owners: [] });
    await openApp('/accounting', '.cd-grid .ag-root');
    await expect.element(page.getByText('No owners yet')).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Open Owners' })).toHaveAttribute('href', '/owners');
  });
});

describe('the search', () => {
  test('from two characters after trimming, the newest typing wins; paged, with its count', async () => {
    const desk = fakeServer({ owners: [...ownersOf(12), buildOwner(13, { name: 'Ravi Kumar' })] });
    const searches = () => desk.asks(contract.accounting.listOwners).filter((query) => 'search' in query);
    await openApp('/accounting?page=2');
    const heard = hearing();
    const slow = desk.hold(contract.accounting.listOwners, () => refusal('INTERNAL_ERROR', 'too late'));
    await search(' ra');
    await expect.poll(searches).toHaveLength(1);
    await press('v');
    await expect.element(page.getByText('Found 1 owner(s) matching "rav"')).toBeVisible();
    slow();
    await expect.poll(shownRows).toEqual(['13']);
    expect(searches()).toEqual([
      { search: 'ra', page: '1', limit: '10' },
      { search: 'rav', page: '1', limit: '10' },
    ]);
    await expect.element(page.getByText('1-1 of 1 owners')).toBeVisible();
    await press('x');
    await expect.element(page.getByText('No owners found matching "ravx"')).toBeVisible();
    await press('{Escape}');
    // docs/specification.md §3.3: the page that was left.
    await expect.element(page.getByText('11-13 of 13 owners')).toBeVisible();
    expect(heard).toEqual([]);
  });

  test('those that match are paged', async () => {
    fakeServer({ owners: ownersOf(25) });
    await openApp('/accounting');
    await search('owner');
    await expect.element(page.getByText('Found 25 owner(s) matching "owner"')).toBeVisible();
    await expect.element(page.getByText('1-10 of 25 owners')).toBeVisible();
    await press('{Alt>}{PageDown}{/Alt}');
    await expect.element(page.getByText('11-20 of 25 owners')).toBeVisible();
  });
});

describe('the details', () => {
  test('the six fields; closing comes back to the row', async () => {
    fakeServer({ owners: [buildOwner(1, { address: '' }), buildOwner(2)] });
    await openApp('/accounting');
    await goToCell(1, 'contactNumber');
    await press('{Enter}');
    await expect.element(dialog('Owner Details')).toBeVisible();
    const facts = [...document.querySelectorAll('[role="dialog"] dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent,
    ]);
    expect(facts).toEqual([
      ['Owner ID', idOf(1)],
      ['Owner Name', 'Owner 01'],
      ['Contact Number', '9876543201'],
      ['Address', 'Not provided'],
      ['Number of Trucks', '0'],
      ['Created', '14/11/2026 10:30'],
    ]);
    await press('{Escape}');
    await expect.element(dialog('Owner Details')).not.toBeInTheDocument();
    await expect.poll(focusPlace).toBe('1 contactNumber');
  });

  test('one that is gone says so', async () => {
    fakeServer({ owners: ownersOf(1) });
    await openApp(`/accounting?open=${idOf(77)}`);
    await expect.element(dialog('Owner Details').getByText('Owner not found')).toBeVisible();
  });
});

describe('Fetch Challans', () => {
  test('by its button, by C on the row and by C in the details, to the challans of the owner', async () => {
    const desk = fakeServer({ owners: ownersOf(2) });
    const router = await openApp('/accounting');
    const path = (n: number) => `/accounting/owner/${idOf(n)}/challans`;
    const back = async () => {
      await router.navigate('/accounting');
      await vi.waitFor(() => expect(cellText(1, 'name')).toBe('Owner 01'));
    };
    await userEvent.click(button('Fetch Challans').nth(1));
    await expect.poll(() => router.state.location.pathname).toBe(path(2));
    await expect.element(page.getByText('Challan for Owner 02')).toBeVisible();
    expect(desk.asks(contract.accounting.listOwnerChallans).at(-1)).toMatchObject({ ownerId: idOf(2) });

    await back();
    await goToCell(1, 'address');
    await press('c');
    await expect.poll(() => router.state.location.pathname).toBe(path(1));

    await back();
    await goToCell(1, 'address');
    await press('{Enter}');
    await expect.element(dialog('Owner Details')).toBeVisible();
    await press('c');
    await expect.poll(() => router.state.location.pathname).toBe(path(1));
    await expect.element(dialog('Owner Details')).not.toBeInTheDocument();
  });

  test('an owner that is gone, and a server that does not answer: told here, and the list is asked again', async () => {
    const desk = fakeServer({ owners: ownersOf(3) });
    const router = await openApp('/accounting');
    desk.books.owners = desk.books.owners.filter(({ id }) => id !== idOf(2));
    await goToCell(2, 'address');
    await press('c');
    await expect.poll(toasts).toEqual([failed]);
    await expect.poll(shownRows).toEqual(['1', '3']);
    desk.once(contract.owners.get, offline);
    await goToCell(3, 'address');
    await press('c');
    await expect.poll(toasts).toEqual([`${failed} (2 times)`]);
    expect(router.state.location.pathname).toBe('/accounting');
  });
});

const paid = (n: number, over: Partial<OwnerPayment> = {}): OwnerPayment => ({
  batchId: idOf(500 + n),
  number: `PAY-2627-00000${n}`,
  paidOn: `2026-11-0${n}`,
  challanCount: 2,
  amount: '2500.00',
  paidCount: 2,
  paidAmount: '2500.00',
  bankState: 'executed',
  utr: `SBIN00000${n}`,
  ...over,
});
const trip = (n: number, over: Partial<OwnerTrip> = {}): OwnerTrip => ({
  challanId: idOf(n),
  challanNumber: `CH-2627-${String(n).padStart(6, '0')}`,
  tpNo: `TP${n}`,
  vehicleNo: 'OD09AB1001',
  loadingDate: '2026-10-30T18:30:00.000Z',
  route: 'Joda → Paradip',
  amount: '1250.00',
  reversedAt: null,
  ...over,
});

const undone = { paidCount: 0, paidAmount: '0.00', bankState: null, utr: '' };

/** Two owners; the first is owed money, was paid twice, and waits. */
function moneyDesk(): Desk {
  return fakeServer({
    owners: [buildOwner(1, { holdReason: 'No papers' }), buildOwner(2)],
    accounts: new Map([
      [
        idOf(1),
        {
          unpaidCount: 3,
          unpaidAmount: '123456.50',
          carriedAmount: '450.00',
          openingBalance: '-800.00',
          oldestDue: '2026-09-04',
          lastPaidOn: '2026-11-02',
          paidThisMonth: '2500.00',
          payments: [paid(2), paid(1, undone)],
        },
      ],
      [idOf(2), { unpaidAmount: '-10.00', unpaidCount: 1, oldestDue: '2026-11-01' }],
    ]),
  });
}

function servePayments(desk: Desk): void {
  const data = [
    { ...paid(2), trips: [trip(11), trip(12)] },
    { ...paid(1, undone), trips: [trip(11, { reversedAt: '2026-11-01T10:00:00.000Z' })] },
  ];
  const { id, name, contactNumber } = buildOwner(1);
  desk.once(contract.accounting.listOwnerPayments, () => ({
    data,
    meta: { owner: { id, name, contactNumber, holdReason: 'No papers' } },
    summary: { challanCount: 3, amount: '3750.00', paidCount: 2, paidAmount: '2500.00' },
    pagination: {
      currentPage: 1,
      limit: 10,
      totalPages: 1,
      totalCount: 2,
      hasNext: false,
      hasPrevious: false,
      offset: 0,
    },
  }));
}
const rowText = (id: string, column: string): string =>
  document.querySelector(`.ag-row[row-id="${id}"] [col-id="${column}"]`)?.textContent?.trim() ?? 'no cell';
const focusedRow = (): string =>
  document.activeElement?.closest('[row-id]')?.getAttribute('row-id') ?? document.activeElement?.tagName ?? '';
const line = `${idOf(1)}:${idOf(502)}`;

describe('what owners are owed and were paid', () => {
  test('is in their rows, added up below, with the hold and its reason', async () => {
    moneyDesk();
    await openApp('/accounting');
    expect(
      ['unpaidAmount', 'carriedAmount', 'oldestDue', 'lastPaidOn', 'paidThisMonth'].map((key) => cellText(1, key)),
    ).toEqual(['₹1,23,456.50', '₹450.00', '04/09/2026', '02/11/2026', '₹2,500.00']);
    expect(cellText(1, 'name')).toContain('On hold: No papers');
    expect(cellText(2, 'name')).toBe('Owner 02');
    await expect
      .poll(() => document.querySelector('.ag-row-pinned [col-id="unpaidAmount"]')?.textContent)
      .toBe('₹1,23,446.50');
    expect(document.querySelector('.ag-row-pinned [col-id="carriedAmount"]')?.textContent).toBe('₹450.00');
    expect(document.querySelector('.ag-row-pinned [col-id="paidThisMonth"]')?.textContent).toBe('₹2,500.00');
  });

  test('has the opening balances in a column that is offered', async () => {
    moneyDesk();
    await openApp('/accounting');
    await expect.poll(() => cellText(1, 'carriedAmount')).toBe('₹450.00');
    expect(heads()).not.toContain('Opening Balance');
    await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
    await userEvent.click(page.getByRole('dialog').getByRole('checkbox', { name: 'Opening Balance' }));
    await expect
      .poll(() => [cellText(1, 'openingBalance'), cellText(2, 'openingBalance')])
      .toEqual(['-₹800.00', '₹0.00']);
    await expect
      .poll(() => document.querySelector('.ag-row-pinned [col-id="openingBalance"]')?.textContent)
      .toBe('-₹800.00');
  });

  test('A asks for the balances as on a day: a column with their sum, in the address and in the Excel file', async () => {
    const stage = moneyDesk();
    await openApp('/accounting');
    await press('a');
    await userEvent.keyboard('31/10/2026{Enter}');
    await expect.poll(() => heads()).toContain('Balance 31/10/26');
    expect(searchNow()).toEqual({ asOn: '2026-10-31' });
    expect(stage.asks(contract.accounting.listOwners).at(-1)).toMatchObject({ asOn: '2026-10-31' });
    await expect.poll(() => cellText(1, 'balanceAsOn')).toBe('₹1,23,456.50');
    await expect
      .poll(() => document.querySelector('.ag-row-pinned [col-id="balanceAsOn"]')?.textContent)
      .toBe('₹1,23,446.50');
    await userEvent.click(page.getByRole('button', { name: 'Download Excel' }));
    await vi.waitFor(() => expect(stage.calls(contract.tables.write)).toHaveLength(1));
    const file = stage.calls(contract.tables.write)[0]?.body as {
      columns: { label: string; kind: string }[];
      rows: string[][];
    };
    const at = file.columns.findIndex(({ label }) => label === 'Balance 31/10/26');
    expect(file.columns[at]).toMatchObject({ kind: 'money' });
    expect(file.rows.map((row) => [row[0], row[at]])).toEqual([
      ['Owner 01', '123456.50'],
      ['Owner 02', '-10.00'],
    ]);
    const due = file.columns.findIndex(({ label }) => label === 'Oldest Due');
    expect([file.columns[due]?.kind, file.rows[0]?.[due]]).toEqual(['date', '2026-09-04']);
  });

  test('is sorted by the server, the order in the address', async () => {
    const desk = moneyDesk();
    await openApp('/accounting');
    await userEvent.click(page.getByRole('columnheader', { name: 'Unpaid' }));
    await expect.poll(searchNow).toEqual({ sortBy: 'unpaidAmount', sortOrder: 'desc' });
    await expect
      .poll(() => desk.asks(contract.accounting.listOwners).at(-1))
      .toMatchObject({ sortBy: 'unpaidAmount', sortOrder: 'desc' });
  });

  test('Right shows the newest payments, Enter opens one with its trips, Escape comes back to its line', async () => {
    const desk = moneyDesk();
    await openApp('/accounting');
    await goToCell(1, 'contactNumber');
    await press('{ArrowRight}');
    await expect.poll(() => rowText(line, 'name')).toBe('PAY-2627-000002');
    expect(
      ['contactNumber', 'address', 'trucksCount', 'lastPaidOn', 'paidThisMonth'].map((key) => rowText(line, key)),
    ).toEqual(['SBIN000002', 'Paid · Executed', '2', '02/11/2026', '₹2,500.00']);
    expect(rowText(`${idOf(1)}:${idOf(501)}`, 'address')).toBe('Undone');
    await press('{ArrowDown}');
    await expect.poll(focusedRow).toBe(line);
    servePayments(desk);
    await press('{Enter}');
    await expect.element(dialog('Payments of Owner 01')).toBeVisible();
    await expect.poll(focusedRow).toBe(idOf(502));
    expect(rowText(`${idOf(502)}:${idOf(11)}`, 'number')).toBe('CH-2627-000011');
    expect(rowText(`${idOf(501)}:${idOf(11)}`, 'status')).toBe('Undone');
    await press('{Escape}');
    await expect.element(dialog('Payments of Owner 01')).not.toBeInTheDocument();
    await expect.poll(focusedRow).toBe(line);
    await press('{Home}{ArrowLeft}');
    await expect.poll(focusedRow).toBe(idOf(1));
    await press('{ArrowLeft}');
    await expect.poll(() => rowText(line, 'name')).toBe('no cell');
  });

  test('P shows the payments of the owner in the row, and Enter on a trip leads to its challan', async () => {
    const desk = moneyDesk();
    const router = await openApp('/accounting');
    await goToCell(1, 'address');
    servePayments(desk);
    await press('p');
    await expect.poll(focusedRow).toBe(idOf(502));
    await press('{ArrowDown}');
    await expect.poll(focusedRow).toBe(`${idOf(502)}:${idOf(11)}`);
    await press('{Enter}');
    await expect.poll(() => router.state.location.pathname).toBe('/challans');
    expect(searchNow()).toEqual({ open: idOf(11) });
  });

  test('an owner that is gone says so', async () => {
    moneyDesk();
    await openApp(`/accounting?payments=${idOf(77)}`);
    await expect.element(page.getByText('Owner not found')).toBeVisible();
  });
});

test('the way to the shared reports', async () => {
  fakeServer({ owners: ownersOf(1) });
  const router = await openApp('/accounting');
  await userEvent.click(button('Shared Reports'));
  await expect.poll(() => router.state.location.pathname).toBe('/accounting/shared-reports');
});
