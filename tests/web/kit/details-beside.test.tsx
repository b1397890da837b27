import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallan, buildChallans, buildOwner, buildTruck, many } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, focusPlace, goToCell, openApp, page, press } from '../support/screen.tsx';

beforeEach(() => page.viewport(1366, 768));
afterEach(closeApp);

const panel = () => document.getElementById('details-beside');
const title = () => panel()?.querySelector('h2')?.textContent;
const button = () => page.getByRole('button', { name: 'Details Beside the List' });

/** Opens a list with the panel, in the second row. */
async function openBeside(path: string, column = 'contactNumber', row = 2): Promise<void> {
  await openApp(path);
  await goToCell(row, column);
  await expect.element(button()).toBeVisible();
  await press('i');
  await vi.waitFor(() => expect(panel()).not.toBeNull());
}

test('the panel follows the arrow keys while the focus stays in the table, and is remembered', async () => {
  fakeServer({ challans: buildChallans(6) });
  await openBeside('/challans', 'tpNo');
  await vi.waitFor(() => expect(title()).toBe('Challan CH-2627-000002'));
  await vi.waitFor(() => expect(panel()?.textContent).toContain('TP00002'));
  const place = focusPlace();
  await press('{ArrowDown}');
  await vi.waitFor(() => expect(title()).toMatch(/CH-2627-00000[13]/));
  expect(focusPlace()).not.toEqual(place);
  expect(document.activeElement?.closest('.cd-grid')).not.toBeNull();
  expect(document.querySelector('[role="dialog"]')).toBeNull();

  await press('go');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Owners' })).toBeVisible();
  await vi.waitFor(() => expect(panel()?.textContent ?? '').toContain('Go to a row'));
  await press('i');
  await vi.waitFor(() => expect(panel()).toBeNull());
});

// Each value is as long as it gets.
test.each([
  ['/owners', 'accountNo', 'Owner 02'],
  ['/challans', 'netAmountPayable', 'Challan CH-2627-000002'],
])('beside the details at 1366 pixels %s shows the whole %s', async (path, column, opened) => {
  fakeServer({
    owners: many(3, (n) => buildOwner(n, { accountNo: '888888888888888888' })),
    challans: many(3, (n) => buildChallan(n, { netAmountPayable: '1888888.88' })),
  });
  await openBeside(path, column);
  await vi.waitFor(() => expect(title()).toBe(opened));
  const inRow = (name: string) => document.querySelector(`.ag-row [col-id="${name}"]`)!;
  // The columns become narrower after the panel has come.
  await vi.waitFor(() => {
    const cell = inRow(column);
    const text = document.createRange();
    text.selectNodeContents(cell);
    const { left, right } = text.getBoundingClientRect();
    const frame = cell.getBoundingClientRect();
    const { paddingRight, borderRightWidth } = getComputedStyle(cell);
    const padding = Number.parseFloat(paddingRight) + Number.parseFloat(borderRightWidth);
    expect(Math.floor(right + padding)).toBeLessThanOrEqual(frame.right);
    expect(left).toBeGreaterThanOrEqual(frame.left + padding);
    expect(frame.right).toBeLessThanOrEqual(inRow('grid-actions').getBoundingClientRect().left);
  });
});

test('rows that are passed while an arrow is held are not loaded', async () => {
  const desk = fakeServer({ owners: many(12, (n) => buildOwner(n)) });
  await openBeside('/owners');
  await vi.waitFor(() => expect(title()).toBe('Owner 02'));
  const { get } = contract.owners;
  const before = desk.calls(get).length;
  await press('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
  await vi.waitFor(() => expect(title()).toBe('Owner 07'));
  expect(desk.calls(get).length - before).toBeLessThan(5);
});

test('Alt+I goes into the panel and back, Escape goes back, and Enter still opens the dialog', async () => {
  fakeServer({ owners: many(3, (n) => buildOwner(n)) });
  await openBeside('/owners');
  await vi.waitFor(() => expect(title()).toBe('Owner 02'));
  const place = focusPlace();
  await press('{Alt>}i{/Alt}');
  expect(panel()?.contains(document.activeElement)).toBe(true);
  await press('{Alt>}i{/Alt}');
  await vi.waitFor(() => expect(focusPlace()).toEqual(place));
  await press('{Alt>}i{/Alt}{Tab}');
  expect(panel()?.contains(document.activeElement)).toBe(true);
  await press('{Escape}');
  await vi.waitFor(() => expect(focusPlace()).toEqual(place));
  await press('{Enter}');
  await expect.element(page.getByRole('dialog')).toBeVisible();
});

test('what cannot be loaded says so, with Retry', async () => {
  const desk = fakeServer({ owners: many(3, (n) => buildOwner(n)) });
  desk.once(contract.owners.get, () => refusal('INTERNAL_ERROR', 'Away'));
  await openBeside('/owners');
  await vi.waitFor(() => expect(panel()?.querySelector('[role="alert"]')).not.toBeNull(), { timeout: 10_000 });
  await page.getByRole('button', { name: 'Retry' }).click();
  await vi.waitFor(() => expect(panel()?.querySelector('[role="alert"]')).toBeNull());
  expect(panel()?.textContent).toContain('SBIN0001234');
});

test('in a narrow window the key opens the dialog', async () => {
  await page.viewport(1100, 768);
  onTestFinished(() => page.viewport(1366, 768));
  fakeServer({ owners: many(3, (n) => buildOwner(n)) });
  await openApp('/owners');
  await goToCell(2, 'contactNumber');
  await expect.element(button()).toBeVisible();
  await press('i');
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(panel()).toBeNull();
});

test('trucks have it too', async () => {
  const owner = buildOwner(1);
  fakeServer({ owners: [owner], trucks: [buildTruck(1, owner), buildTruck(2, owner)] });
  await openBeside('/trucks', 'ownerName', 102);
  await vi.waitFor(() => expect(title()).toMatch(/^Truck /));
});
