import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { shippedDeclarationRules } from '../../../src/shared/contract/declarations.ts';
import { shippedDepositRules, type TdsDeposit } from '../../../src/shared/contract/tds-deposits.ts';
import type { TdsMonth } from '../../../src/shared/contract/tds.ts';
import { today } from '../../../src/web/kit/forms/day-field.tsx';
import { idOf } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  dialog,
  fill,
  openApp,
  openAs,
  page,
  press,
  toasts,
  userEvent,
} from '../support/screen.tsx';
import { paged } from '../support/kept.ts';

/** The screen of deposits of TDS (docs/specification.md §30.3). */
afterEach(closeApp);

const { tds, tdsDeposits } = contract;
const counted = {
  year: '2026-27',
  from: '2026-04-01',
  to: '2027-03-31',
  settings: {
    basis: 'paid' as const,
    section: '',
    yearThreshold: null,
    challanThreshold: null,
    declarations: { ...shippedDeclarationRules, isShipped: true },
    deposits: { ...shippedDepositRules, isShipped: true },
    updatedAt: null,
    version: 0,
  },
};
const april: TdsMonth = {
  from: '2026-04-01',
  to: '2026-04-30',
  challanCount: 4,
  tdsAmount: '900.00',
  covered: '900.00',
  open: '0.00',
  dueOn: '2026-05-07',
  isLate: false,
};
const may: TdsMonth = {
  ...april,
  from: '2026-05-01',
  to: '2026-05-31',
  covered: '100.50',
  open: '799.50',
  dueOn: '2026-06-07',
  isLate: true,
};
const buildDeposit = (n: number, over: Partial<TdsDeposit> = {}): TdsDeposit => ({
  id: idOf(n),
  depositedOn: '2026-05-06',
  bsrCode: '0510308',
  serialNo: `0004${n}`,
  amount: '1000.00',
  deductedFrom: '2026-04-01',
  deductedTo: '2026-04-30',
  note: '',
  year: '2026-27',
  quarter: 'q1',
  covered: '900.00',
  challanCount: 4,
  createdAt: '2026-05-06T10:00:00.000Z',
  updatedAt: '2026-05-06T10:00:00.000Z',
  version: 2,
  ...over,
});

function stageOf(deposits: TdsDeposit[], months: TdsMonth[] = [april, may]): Desk {
  const stage = fakeServer();
  stage.serve(tds.listMonths, () => ({ data: months, counted }));
  stage.serve(tdsDeposits.list, ({ query }) => ({
    ...paged(deposits, query),
    totals: { amount: '1000.00', covered: '900.00' },
  }));
  stage.serve(tdsDeposits.create, ({ body }) => ({ data: buildDeposit(9, body) }));
  stage.serve(tdsDeposits.remove, () => ({ message: 'Deposit deleted successfully!' }));
  return stage;
}

const monthRow = (month: string) => page.getByRole('row', { name: new RegExp(`^${month}`) });

test('the months say what is open and late, the list what a deposit covers', async () => {
  const stage = stageOf([buildDeposit(1), buildDeposit(2, { covered: '1000.00' })]);
  await openApp('/accounting/tds/deposits?quarter=q1');
  await expect.element(monthRow('04/2026')).toHaveTextContent('04/2026₹900.00₹900.00₹0.00Deposited');
  await expect.element(monthRow('05/2026')).toHaveTextContent('05/2026₹900.00₹100.50₹799.5007/06/2026, lateDeposit');
  expect([cellText(1, 'depositedOn'), cellText(1, 'serialNo'), cellText(1, 'quarter'), cellText(1, 'spare')]).toEqual([
    '06/05/2026',
    '00041',
    'Q1 2026-27',
    '₹100.00 spare',
  ]);
  expect(cellText(2, 'spare')).toBe('All used');
  expect(stage.asks(tdsDeposits.list).at(-1)).toMatchObject({
    quarter: 'q1',
    sortBy: 'depositedOn',
    sortOrder: 'desc',
  });
  expect(stage.asks(tds.listMonths).at(-1)).toEqual({ quarter: 'q1' });
  await expect.element(page.getByText(/nobody has certified it/)).toBeVisible();
});

test('D opens the form with the first open month; the refusal stands at its field', async () => {
  const stage = stageOf([buildDeposit(1)]);
  await openApp('/accounting/tds/deposits');
  await expect.element(monthRow('05/2026')).toBeVisible();
  await press('d');
  await expect.element(dialog('Add Deposit')).toBeVisible();
  await fill({ 'BSR Code': '0510308', 'Challan Serial No': '00077' });
  const message = 'From 01/05/2026 to 31/05/2026 ₹800.00 is not deposited yet, more than ₹799.50.';
  stage.once(tdsDeposits.create, () => refusal('VALIDATION_ERROR', message, { fields: { amount: message } }));
  await press('{Control>}s{/Control}');
  await expect.element(dialog('Add Deposit').getByText(message)).toBeVisible();
  await press('{Control>}s{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Deposit saved'));
  expect(stage.writes(tdsDeposits.create).at(-1)).toEqual({
    depositedOn: today(),
    bsrCode: '0510308',
    serialNo: '00077',
    amount: '799.50',
    deductedFrom: '2026-05-01',
    deductedTo: '2026-05-31',
    note: '',
  });
});

test('the button of a month does the same; where nothing is open D says so', async () => {
  stageOf([], [may]);
  await openApp('/accounting/tds/deposits', 'main table');
  await userEvent.click(button('Deposit 05/2026'));
  await expect.element(dialog('Add Deposit').getByRole('textbox', { name: 'Deducted To' })).toHaveValue('31/05/2026');
  await closeApp();
  stageOf([], [april]);
  await openApp('/accounting/tds/deposits', 'main table');
  await expect.element(monthRow('04/2026')).toBeVisible();
  await press('d');
  await vi.waitFor(() => expect(toasts()).toContain('Nothing is open in this period'));
});

test('Delete asks and says what is open again', async () => {
  const stage = stageOf([buildDeposit(1)]);
  await openApp('/accounting/tds/deposits');
  await userEvent.click(page.getByRole('gridcell', { name: '00041' }));
  await press('{Delete}');
  await expect.element(page.getByText('The ₹900.00 that it covers is open again.')).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(stage.writes(tdsDeposits.remove)).toHaveLength(1));
});

test('months that cannot be loaded are asked for again', async () => {
  const stage = stageOf([buildDeposit(1)]);
  stage.once(tds.listMonths, () => refusal('INTERNAL_ERROR', 'The database is away'));
  await openApp('/accounting/tds/deposits');
  await expect.element(page.getByText('The database is away')).toBeVisible();
  await userEvent.click(button('Retry'));
  await expect.element(monthRow('04/2026')).toBeVisible();
});

test('the working is of the filter', async () => {
  const stage = stageOf([buildDeposit(1)]);
  stage.serve(tds.exportReturnCsv, () => ({ name: 'return.csv', text: 'x' }));
  await openApp('/accounting/tds/deposits?year=2025-26&quarter=q4');
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(stage.asks(tds.exportReturnCsv)[0]).toEqual({ year: '2025-26', quarter: 'q4' }));
  await vi.waitFor(() => expect(toasts()).toContain('CSV file downloaded successfully'));
});

test('an auditor reads: the buttons say why nothing is entered', async () => {
  stageOf([buildDeposit(1)]);
  await openAs('auditor', '/accounting/tds/deposits');
  await expect.element(monthRow('05/2026')).toBeVisible();
  await expect.element(button('Deposit 05/2026')).toHaveAttribute('aria-disabled', 'true');
});
