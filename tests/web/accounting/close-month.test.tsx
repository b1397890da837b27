import { afterEach, expect, test, vi } from 'vitest';
import { addDays, formatDate } from '../../../src/shared/calc/dates.ts';
import { monthText } from '../../../src/shared/columns/hsd-verification-columns.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { daysOfMonth, type CheckResult, type MonthPack } from '../../../src/shared/contract/month-packs.ts';
import type { PeriodLock } from '../../../src/shared/contract/period-lock.ts';
import { closeCheckIds } from '../../../src/shared/filters/close-checks.ts';
import { today } from '../../../src/web/kit/forms/day-field.tsx';
import { idOf } from '../support/builders.ts';
import { watchDownloads } from '../support/downloads.ts';
import { refusal } from '../support/fake-server.ts';
import { paged } from '../support/kept.ts';
import { fakeServer, type Desk } from '../support/records.ts';
import { cellText, closeApp, openApp, page, press, toasts, userEvent } from '../support/screen.tsx';

const { monthPacks, periodLock } = contract;
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const lastMonth = addDays(`${today().slice(0, 8)}01`, -1).slice(0, 7);
const { to } = daysOfMonth(lastMonth);

const buildPack = (n: number, over: Partial<MonthPack> = {}): MonthPack => ({
  id: idOf(n),
  number: `MP-2627-00000${n}`,
  month: lastMonth,
  challanCount: 40,
  netAmount: '1250000.00',
  size: 20_480,
  sha256: 'ab'.repeat(32),
  earlierCount: 0,
  createdAt: '2026-11-02T05:30:00.000Z',
  createdBy: 'Sita',
  ...over,
});
const checks: CheckResult[] = closeCheckIds.map((id) => ({ id, count: 0, amount: '0.00' }));
const unlocked: PeriodLock = {
  upTo: null,
  lockedBy: '',
  lockedAt: null,
  openUntil: null,
  liftedBy: '',
  reason: '',
  version: 0,
};

function stageOf(packs: MonthPack[], open: Partial<Record<CheckResult['id'], Partial<CheckResult>>> = {}): Desk {
  const stage = fakeServer();
  stage.serve(monthPacks.checks, ({ query }) => ({
    data: checks.map((check) => ({ ...check, ...open[check.id] })),
    ...daysOfMonth(query.month),
  }));
  stage.serve(monthPacks.list, ({ query }) => paged(packs, query));
  stage.serve(periodLock.get, () => ({ data: unlocked }));
  stage.serve(monthPacks.download, () => ({ name: 'pack.zip', text: 'PK' }));
  stage.serve(monthPacks.create, ({ body: { month } }) => {
    const made = buildPack(packs.length + 1, { month, earlierCount: packs.length });
    packs.unshift(made);
    return { data: made };
  });
  return stage;
}

test('what is open has its count, amount and list; what is done has a tick and no link', async () => {
  stageOf([buildPack(1)], {
    negativeNets: { count: 2, amount: '-1500.00' },
    missingPans: { count: 1, amount: '90.00' },
  });
  await openApp('/accounting/close');
  const table = page.getByRole('table', { name: 'Open before closing' });
  await expect.element(table.getByText('2 challans')).toBeVisible();
  await expect.element(table.getByText('-₹1,500.00')).toBeVisible();
  await expect
    .element(table.getByRole('link', { name: 'Unpaid challans below zero' }))
    .toHaveAttribute('href', `/challans?paymentStatus=unpaid&depositedEndDate=${to}&netTo=-0.01`);
  await expect
    .element(table.getByRole('link', { name: 'Owners paid or due in the month without a PAN' }))
    .toBeVisible();
  expect(table.getByRole('link').elements()).toHaveLength(2);
  expect(table.getByText('Done').elements()).toHaveLength(closeCheckIds.length - 2);
});

test('L and Ctrl+Enter close the last month: it says what is locked and still open, and saves the pack', async () => {
  const saved = watchDownloads();
  const stage = stageOf([buildPack(1)], { bankLines: { count: 3, amount: '900.00' } });
  await openApp('/accounting/close');
  await expect.element(page.getByText('3 lines')).toBeVisible();
  await press('l');
  const dialog = page.getByRole('alertdialog');
  await expect.element(dialog.getByText(`Close ${monthText(lastMonth)}?`)).toBeVisible();
  await expect.element(dialog.getByText(`Closing locks the books up to ${formatDate(to)}.`)).toBeVisible();
  await expect.element(dialog.getByText('1 line of the list above is still open.')).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain(`MP-2627-000002 of ${monthText(lastMonth)} is ready`));
  expect(stage.writes(monthPacks.create)).toEqual([{ month: lastMonth }]);
  await vi.waitFor(() => expect(saved).toEqual(['pack.zip']));
  await vi.waitFor(() => expect(cellText(2, 'number')).toBe('MP-2627-000002'));
  expect(['earlierCount', 'challanCount', 'netAmount', 'size'].map((column) => cellText(2, column))).toEqual([
    'Differs from earlier',
    '40',
    '₹12,50,000.00',
    '20 kB',
  ]);
  expect(cellText(1, 'earlierCount')).toBe('First of the month');
});

test('M chooses another month, and a refusal stays in the question', async () => {
  const stage = stageOf([]);
  stage.once(monthPacks.create, () => refusal('VALIDATION_ERROR', 'The month is not over yet'));
  await openApp('/accounting/close', 'main h1');
  await expect.element(page.getByText('No packs yet')).toBeVisible();
  await press('m');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  const before = addDays(`${lastMonth}-01`, -1).slice(0, 7);
  await vi.waitFor(() => expect(stage.asks(monthPacks.checks).at(-1)).toEqual({ month: before }));
  await press('l');
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByRole('alertdialog').getByText('The month is not over yet')).toBeVisible();
});

test('what is open can be fetched again after an error', async () => {
  const stage = stageOf([buildPack(1)]);
  stage.once(monthPacks.checks, () => refusal('INTERNAL_ERROR', ''));
  await openApp('/accounting/close');
  await expect.element(page.getByText('Failed to fetch what is open')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.element(page.getByRole('table', { name: 'Open before closing' })).toBeVisible();
});
