import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans } from '../support/builders.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, openApp, page } from '../support/screen.tsx';

/** As many rows as fit (docs/specification.md §3.4), measured in a window of that size. */
beforeEach(async () => {
  await page.viewport(1920, 1080);
  onTestFinished(() => page.viewport(1366, 768));
});
afterEach(closeApp);

const body = (): Element => {
  const found = document.querySelector('.cd-grid .ag-grid-viewport');
  if (!found) throw new Error('The grid is not drawn');
  return found;
};
/** The element with these words in a cell of the column Owner. */
const inOwnerCell = (words: string): Element | undefined =>
  [...document.querySelectorAll('.ag-row [col-id="ownerName"] span')].find(({ textContent }) => textContent === words);
const ownerWidth = (): number =>
  document.querySelector('.ag-header-cell[col-id="ownerName"]')?.getBoundingClientRect().width ?? 0;

test.each([
  ['comfortable', 20],
  ['compact', 25],
] as const)('%s: at least %i rows at 1080 pixels, whole, without a scroll bar', async (density, least) => {
  localStorage.setItem('challan-desk-view:a@b.in:grid-density', JSON.stringify(density));
  const stage = fakeServer({ challans: buildChallans(60) });
  await openApp('/challans', undefined, 'subadmin', 1080);
  expect(Number(stage.asks(contract.challans.listRows)[0]?.['limit'])).toBeGreaterThanOrEqual(least);
  await vi.waitFor(() => expect(document.querySelectorAll('.ag-row[row-id]').length).toBeGreaterThan(least));
  await expect.poll(() => body().scrollHeight - body().clientHeight).toBe(0);
  expect(body().scrollWidth).toBe(body().clientWidth);
});

test('another density: as many rows as fit now, and the page size goes on following the window', async () => {
  const stage = fakeServer({ challans: buildChallans(60) });
  await openApp('/challans', undefined, 'subadmin', 1080);
  // Without the line of totals.
  const drawn = () => document.querySelectorAll('.ag-row[row-id^="00000000"]').length;
  await vi.waitFor(() => expect(drawn()).toBeGreaterThanOrEqual(20));
  const before = Number(stage.asks(contract.challans.listRows).at(-1)?.['limit']);
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('radio', { name: 'Compact' }));
  await vi.waitFor(() =>
    expect(Number(stage.asks(contract.challans.listRows).at(-1)?.['limit'])).toBeGreaterThanOrEqual(25),
  );
  await vi.waitFor(() => expect(drawn()).toBeGreaterThan(before));
  await expect.poll(() => body().scrollHeight - body().clientHeight).toBe(0);
  await userEvent.click(page.getByRole('radio', { name: 'Comfortable' }));
  // Asked for before, and so known.
  await vi.waitFor(() => expect(drawn()).toBe(before));
});

test('at 1366 pixels the words "On hold" are whole, whatever the name and the reason', async () => {
  await page.viewport(1366, 768);
  const [challan] = buildChallans(1);
  const ownerName = 'Baitarani Carriers Bulk Carriers and Allied Services';
  fakeServer({ challans: [{ ...challan!, ownerName, holdReason: 'PAN is not linked with Aadhaar' }] });
  await openApp('/challans');
  await expect.poll(() => inOwnerCell('· On hold')).toBeDefined();
  const words = inOwnerCell('· On hold')!;
  expect(words.scrollWidth).toBe(words.clientWidth);
  const rightOf = (element: Element | null): number => element?.getBoundingClientRect().right ?? 0;
  expect(rightOf(words)).toBeLessThanOrEqual(rightOf(words.closest('.ag-cell')));
  expect(inOwnerCell(ownerName)?.clientWidth).toBeGreaterThan(50);
});

test('rows beyond the window do not narrow the columns', async () => {
  fakeServer({ challans: buildChallans(3) });
  await openApp('/challans?limit=50', undefined, 'subadmin', 1080);
  await expect.poll(ownerWidth).toBeGreaterThan(0);
  const few = ownerWidth();
  await closeApp();
  fakeServer({ challans: buildChallans(50) });
  await openApp('/challans?limit=50', undefined, 'subadmin', 1080);
  await expect.poll(() => body().scrollHeight - body().clientHeight).toBeGreaterThan(0);
  await expect.poll(ownerWidth).toBe(few);
  expect(body().scrollWidth).toBe(body().clientWidth);
});
