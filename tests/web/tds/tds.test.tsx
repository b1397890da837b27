import { afterEach, expect, test, vi } from 'vitest';
import type { TdsCounted, TdsDeduction, TdsLine, TdsSettings } from '../../../src/shared/contract/tds.ts';
import { shippedDepositRules } from '../../../src/shared/contract/tds-deposits.ts';
import { shippedDeclarationRules, type Declaration } from '../../../src/shared/contract/declarations.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { today } from '../../../src/web/kit/forms/day-field.tsx';
import { idOf } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { cellText, closeApp, focusPlace, openApp, openAs, page, press, toasts, userEvent } from '../support/screen.tsx';
import { paged } from '../support/kept.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const settings: TdsSettings = {
  basis: 'paid',
  section: '194C',
  yearThreshold: '100000.00',
  challanThreshold: null,
  declarations: { ...shippedDeclarationRules, isShipped: true },
  deposits: { ...shippedDepositRules, isShipped: true },
  updatedAt: '2026-11-20T10:00:00.000Z',
  version: 3,
};
const counted: TdsCounted = { year: '2026-27', from: '2026-04-01', to: '2027-03-31', settings };

const buildLine = (n: number, over: Partial<TdsLine> = {}): TdsLine => ({
  id: idOf(n),
  panNo: `BNZPM000${n}Q`,
  ownerNames: [`Owner ${n}`],
  tdsPercentage: '1.0',
  challanCount: 4,
  gross: '250000.00',
  tdsAmount: '2500.00',
  declaredOn: [],
  yearGross: '300000.00',
  crossedOn: null,
  aboveCount: 0,
  ...over,
});
const buildDeduction = (n: number, over: Partial<TdsDeduction> = {}): TdsDeduction => ({
  id: idOf(n),
  challanNumber: `CH-2627-00000${n}`,
  tpNo: `TP${n}`,
  vehicleNo: 'OD09AB1234',
  ownerName: 'Owner 1',
  panNo: 'BNZPM0001Q',
  panWhenPaid: null,
  loadingOn: '2026-05-01',
  depositedOn: '2026-05-03',
  paidOn: '2026-05-10',
  payment: { id: idOf(50), number: 'PAY-2627-000007' },
  day: '2026-05-10',
  gross: '62500.00',
  tdsPercentage: '1.0',
  tdsAmount: '625.00',
  declaredOn: null,
  netAmountPayable: '61875.00',
  ...over,
});
function stageOf(lines: readonly TdsLine[]): Desk {
  const stage = fakeServer();
  const totals = { challanCount: 9, gross: '500000.00', tdsAmount: '5000.00' };
  const { tds } = contract;
  const deductions = [buildDeduction(1), buildDeduction(2, { payment: null, paidOn: null })];
  stage.serve(tds.list, ({ query }) => ({ ...paged(lines, query), totals, counted }));
  stage.serve(tds.listDeductions, ({ query }) => ({ ...paged(deductions, query), totals, counted }));
  stage.serve(tds.getSettings, () => ({ data: settings }));
  stage.serve(tds.updateSettings, ({ body }) => ({
    data: { ...settings, ...body, declarations: settings.declarations, deposits: settings.deposits, version: 4 },
  }));
  return stage;
}

test('the register: PAN, owners, rate and sums; what counts is said; a PAN above the threshold, and none', async () => {
  const stage = stageOf([
    buildLine(1, { ownerNames: ['Anil', 'Bijay', 'Chandra'], crossedOn: '2026-06-14' }),
    buildLine(2, { panNo: null, tdsPercentage: null, tdsAmount: '0.00' }),
  ]);
  await openApp('/accounting/tds?quarter=q1&pan=without');
  expect(stage.asks(contract.tds.list).at(-1)).toMatchObject({ quarter: 'q1', pan: 'without', sortBy: 'ownerName' });
  const row = (n: number) =>
    ['panNo', 'ownerName', 'tdsPercentage', 'gross', 'tdsAmount', 'crossedOn'].map((column) => cellText(n, column));
  expect(row(1)).toEqual(['BNZPM0001Q', 'Anil and 2 more', '1.0 %', '₹2,50,000.00', '₹2,500.00', 'Since 14/06/2026']);
  expect(row(2).slice(0, 2)).toEqual(['No PAN', 'Owner 2']);
  await expect
    .element(page.getByText('01/04/2026 to 31/03/2027, by the day paid · section 194C · threshold ₹1,00,000.00 a year'))
    .toBeVisible();
});

test('Enter opens the deductions of a line, of the same period; there P opens the payment', async () => {
  const stage = stageOf([buildLine(1)]);
  await openApp('/accounting/tds?year=2025-26&quarter=q3&search=Owner');
  await userEvent.click(page.getByRole('gridcell', { name: 'Owner 1' }));
  await vi.waitFor(() => expect(focusPlace()).toBe('1 ownerName'));
  await press('{Enter}');
  await vi.waitFor(() => expect(location.pathname).toBe('/accounting/tds/deductions'));
  await vi.waitFor(() =>
    expect(stage.asks(contract.tds.listDeductions).at(-1)).toMatchObject({
      line: idOf(1),
      year: '2025-26',
      quarter: 'q3',
      sortBy: 'day',
    }),
  );
  expect(stage.asks(contract.tds.listDeductions).at(-1)).not.toHaveProperty('search');
  await expect.element(page.getByText('One line of the register')).toBeVisible();
});

test('S opens the settings; they are saved with the version that was read', async () => {
  const stage = stageOf([buildLine(1)]);
  await openApp('/accounting/tds');
  await press('s');
  const field = page.getByRole('textbox', { name: 'Section' });
  await expect.element(field).toHaveValue('194C');
  await userEvent.fill(field, '194H');
  await userEvent.clear(page.getByRole('textbox', { name: 'Threshold of a PAN in a financial year' }));
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(stage.writes(contract.tds.updateSettings)).toHaveLength(1));
  expect(stage.writes(contract.tds.updateSettings)[0]).toEqual({
    basis: 'paid',
    section: '194H',
    yearThreshold: null,
    challanThreshold: null,
    version: 3,
  });
  await vi.waitFor(() => expect(toasts()).toContain('TDS settings saved'));
});

test('the days until which tax is deposited are saved together, and only when they were changed', async () => {
  const stage = stageOf([buildLine(1)]);
  await openApp('/accounting/tds');
  await press('s');
  const dueDay = page.getByRole('textbox', { name: 'Due on this day of the next month' });
  await expect.element(dueDay).toHaveValue('7');
  await userEvent.fill(dueDay, '32');
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('must be at most 31')).toBeVisible();
  await userEvent.fill(dueDay, '10');
  await userEvent.fill(page.getByRole('textbox', { name: 'Source of the due days' }), 'Our accountant');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(stage.writes(contract.tds.updateSettings)).toHaveLength(1));
  expect(stage.writes(contract.tds.updateSettings)[0]).toMatchObject({
    deposits: { dueDay: 10, marchDueDay: 30, holdsFrom: '2026-04-01', source: 'Our accountant' },
  });
});

test('settings that could not be loaded are asked for again', async () => {
  const stage = stageOf([buildLine(1)]);
  stage.once(contract.tds.getSettings, () => refusal('INTERNAL_ERROR', 'The database is away'));
  await openApp('/accounting/tds');
  await press('s');
  await expect.element(page.getByText('The database is away')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.element(page.getByRole('textbox', { name: 'Section' })).toHaveValue('194C');
});

test('the profile leads to the settings; closed, the register is there', async () => {
  stageOf([buildLine(1)]);
  await openApp('/accounting/tds?settings=open&quarter=q1');
  await expect.element(page.getByRole('textbox', { name: 'Section' })).toHaveValue('194C');
  await press('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(location.search).toBe('?quarter=q1');
  expect(cellText(1, 'panNo')).toBe('BNZPM0001Q');
});

test('settings that somebody else has changed are not written over', async () => {
  const stage = stageOf([buildLine(1)]);
  await openApp('/accounting/tds');
  await press('s');
  await expect.element(page.getByRole('textbox', { name: 'Section' })).toHaveValue('194C');
  stage.once(contract.tds.updateSettings, () => refusal('VERSION_CONFLICT', 'Changed'));
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('Somebody else has changed the settings')).toBeVisible();
});

test('the files are of the filter', async () => {
  const stage = stageOf([buildLine(1)]);
  stage.serve(contract.tds.exportCsv, () => ({ name: 'tds.csv', text: 'x' }));
  await openApp('/accounting/tds?quarter=q2&deducted=yes');
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(stage.asks(contract.tds.exportCsv)[0]).toEqual({ quarter: 'q2', deducted: 'yes' }));
  await vi.waitFor(() => expect(toasts()).toContain('CSV file downloaded successfully'));
});

const buildDeclaration = (n: number, over: Partial<Declaration> = {}): Declaration => ({
  id: idOf(n),
  ownerId: idOf(901),
  owner: { id: idOf(901), name: `Owner ${n}`, panNo: 'BNZPM0001Q' },
  receivedOn: '2026-04-04',
  carriages: 4,
  panNo: 'BNZPM0001Q',
  note: '',
  validUntil: '2027-03-31',
  withdrawnOn: null,
  validFrom: '2026-04-04',
  validTo: '2027-03-31',
  truckCount: 4,
  mostCarriages: 10,
  state: 'valid',
  createdAt: '2026-04-04T10:00:00.000Z',
  updatedAt: '2026-04-04T10:00:00.000Z',
  version: 1,
  ...over,
});

test('declarations: what does not fit, what differs with a link to the list; W withdraws from today', async () => {
  const stage = fakeServer();
  const { declarations, challans } = contract;
  const rows = [
    buildDeclaration(1, { panNo: 'ABCPD1234E', truckCount: 12, state: 'lapsing' }),
    buildDeclaration(2, { withdrawnOn: '2026-06-15', validTo: '2026-06-14', state: 'withdrawn' }),
  ];
  stage.serve(declarations.list, ({ query }) => paged(rows, query));
  stage.serve(declarations.update, ({ body }) => ({ data: { ...rows[0]!, ...body, version: 2 } as Declaration }));
  stage.serve(challans.getSums, ({ query }) => ({
    data: {
      totalCount: query.tdsDeclared ? 3 : 0,
      totalAmount: '10.00',
      paidCount: 1,
      paidAmount: '4.00',
      unpaidCount: 2,
      unpaidAmount: '6.00',
    },
  }));
  await openApp('/accounting/tds/declarations');
  await vi.waitFor(() => expect(cellText(1, 'state')).toBe('Lapses on 31/03/2027'));
  expect(cellText(1, 'warnings')).toBe(
    'The owner’s PAN is BNZPM0001Q; The list has 12 trucks of this PAN, more than 10; The list has 12 trucks of this PAN, 4 are declared',
  );
  expect([cellText(2, 'state'), cellText(2, 'year')]).toEqual(['Withdrawn on 15/06/2026', '2026-27']);
  await expect
    .element(page.getByRole('link', { name: '3 challans deducted although declared' }))
    .toHaveAttribute('href', '/challans?tdsDeclared=over');
  await expect
    .element(page.getByRole('link', { name: '1 challan paid with this deduction' }))
    .toHaveAttribute('href', '/challans?tdsDeclared=over&paymentStatus=paid');
  await userEvent.click(page.getByRole('gridcell', { name: 'Owner 1' }));
  await press('w');
  await expect.element(page.getByText(/Challans that were saved stay as they are/)).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(stage.writes(declarations.update)).toEqual([{ withdrawnOn: today(), version: 1 }]));
  await vi.waitFor(() => expect(toasts()).toContain('Declaration withdrawn'));
});

test('declarations: an auditor adds, edits, withdraws and deletes none, and is told why', async () => {
  const stage = fakeServer();
  stage.serve(contract.declarations.list, ({ query }) => paged([buildDeclaration(1)], query));
  stage.serveRest();
  await openAs('auditor', '/accounting/tds/declarations');
  for (const name of ['Add Declaration', 'Edit', 'Withdraw', 'Delete'])
    await expect.element(page.getByRole('button', { name, exact: true })).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(page.getByRole('gridcell', { name: 'Owner 1' }));
  await press('w');
  const reason = 'An auditor reads and does not change anything. Ask somebody of the business.';
  await vi.waitFor(() => expect(toasts()).toContain(reason));
  expect(page.getByRole('dialog').elements()).toEqual([]);
  expect(stage.writes()).toEqual([]);
});
