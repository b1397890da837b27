import { afterEach, expect, test, vi, onTestFinished } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Exception } from '../../../src/shared/contract/exceptions.ts';
import { idOf } from '../support/builders.ts';
import { paged } from '../support/kept.ts';
import { fakeServer, type Desk } from '../support/records.ts';
import { searchNow, cellText, closeApp, openApp, page, press, toasts } from '../support/screen.tsx';

/** The screen of exceptions (docs/specification.md §35.2). */
const { exceptions } = contract;
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const buildException = (n: number, over: Partial<Exception> = {}): Exception => ({
  id: idOf(n),
  kind: 'shortage',
  subject: idOf(n),
  pattern: `OD09AB100${n} joda → paradip port`,
  challanId: idOf(n),
  challanNumber: `CH-2627-00000${n}`,
  tpNo: `24090000${n}`,
  day: '2026-11-20',
  route: 'Joda → Paradip Port',
  vehicleNo: `OD09AB100${n}`,
  driverName: null,
  ownerId: idOf(50),
  ownerName: 'Bikash Mohanta',
  tripCount: 1,
  usual: '0.20',
  actual: '1.45',
  otherNumber: null,
  effect: '1250.00',
  fine: null,
  ...over,
});

function stageOf(rows: Exception[]): Desk {
  const stage = fakeServer();
  stage.serve(exceptions.list, ({ query }) => {
    const shown = rows.filter(
      ({ kind, route, fine }) =>
        (query.kind === undefined || kind === query.kind) &&
        (query.route === undefined || route?.toLowerCase() === query.route.toLowerCase()) &&
        (query.fine === 'also' || (fine !== null) === (query.fine === 'only')),
    );
    return {
      ...paged(shown, query),
      totals: { effect: '4250.00' },
      routes: [
        { route: 'Joda → Paradip Port', challanCount: 40, amount: '90000.00' },
        { route: 'Barbil → Dhamra', challanCount: 7, amount: '12000.00' },
      ],
    };
  });
  stage.serve(exceptions.setFine, ({ body: { items, reason } }) => {
    const fine = { id: idOf(90), reason, createdBy: 'Sita', createdAt: '2026-11-28T05:30:00.000Z' };
    for (const row of rows)
      if (items.some(({ kind, subject }) => kind === row.kind && [row.subject, row.pattern].includes(subject)))
        row.fine = fine;
    return { data: { count: items.length } };
  });
  stage.serve(exceptions.takeBack, ({ body: { ids } }) => {
    for (const row of rows) if (row.fine && ids.includes(row.fine.id)) row.fine = null;
    return { data: { count: ids.length } };
  });
  return stage;
}

test('says what is usual and what it is; Enter opens the challan, or the challans of the driver', async () => {
  stageOf([
    buildException(1),
    buildException(2, {
      kind: 'driverShortage',
      subject: 'ravi nayak',
      pattern: null,
      challanId: null,
      challanNumber: null,
      tripCount: 31,
      driverName: 'Ravi Nayak',
    }),
  ]);
  await openApp('/exceptions');
  await expect.poll(() => cellText(1, 'usual')).toBe('0.20 MT');
  expect(cellText(1, 'actual')).toBe('1.45 MT');
  expect(cellText(2, 'challanNumber')).toBe('31 trips');
  await press('{ArrowDown}');
  await press('{ArrowDown}');
  await press('{Enter}');
  await expect.poll(() => window.location.pathname).toBe('/challans');
  expect(searchNow()).toMatchObject({ driverIs: 'ravi nayak' });
});

test('F remembers a row as fine with a reason, U takes it back', async () => {
  const rows = [buildException(1)];
  stageOf(rows);
  await openApp('/exceptions');
  await expect.poll(() => cellText(1, 'usual')).toBe('0.20 MT');
  await press('{ArrowDown}');
  await press('f');
  await expect.element(page.getByRole('dialog', { name: 'Fine, because …' })).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('Please enter a reason')).toBeVisible();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Wet ore');
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toContain('1 exception remembered as fine');
  await expect.element(page.getByText('Nothing unusual')).toBeVisible();
});

test('what is fine is shown on demand, and U takes it back', async () => {
  const fine = { id: idOf(90), reason: 'Wet ore', createdBy: 'Sita', createdAt: '2026-11-28T05:30:00.000Z' };
  const rows = [buildException(1, { fine })];
  stageOf(rows);
  // The column of the reason is the last one.
  await page.viewport(1920, 900);
  onTestFinished(() => page.viewport(1366, 768));
  await openApp('/exceptions?fine=also');
  await expect.poll(() => cellText(1, 'fine')).toBe('Wet ore (Sita, 28/11/2026)');
  await press('{ArrowDown}');
  await press('u');
  await expect.poll(toasts).toContain('No longer remembered as fine');
  expect(rows[0]!.fine).toBeNull();
});

test('a bar shows only its route, and once more all', async () => {
  stageOf([buildException(1), buildException(2, { route: 'Barbil → Dhamra' })]);
  await openApp('/exceptions');
  const bar = page.getByRole('button', { name: /^Barbil → Dhamra/ });
  await bar.click();
  await expect.poll(() => cellText(2, 'route')).toBe('Barbil → Dhamra');
  await expect.element(bar).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'All Routes' }).click();
  await expect.poll(() => cellText(1, 'route')).toBe('Joda → Paradip Port');
});
