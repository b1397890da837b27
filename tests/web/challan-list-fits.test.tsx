import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { buildChallans, closeApp, makeStage, openApp, page } from './challan-list-stage.tsx';

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
const ownerWidth = (): number =>
  document.querySelector('.ag-header-cell[col-id="ownerName"]')?.getBoundingClientRect().width ?? 0;

test.each([
  ['comfortable', 20],
  ['compact', 25],
] as const)('%s: at least %i rows at 1080 pixels, whole, without a scroll bar', async (density, least) => {
  localStorage.setItem('challan-desk-view:a@b.in:grid-density', JSON.stringify(density));
  const stage = makeStage(buildChallans(60));
  await openApp('/challans', undefined, 'subadmin', 1080);
  expect(Number(stage.lists()[0]?.query['limit'])).toBeGreaterThanOrEqual(least);
  await vi.waitFor(() => expect(document.querySelectorAll('.ag-row[row-id]').length).toBeGreaterThan(least));
  await expect.poll(() => body().scrollHeight - body().clientHeight).toBe(0);
  expect(body().scrollWidth).toBe(body().clientWidth);
});

test('rows beyond the window do not narrow the columns', async () => {
  makeStage(buildChallans(3));
  await openApp('/challans?limit=50', undefined, 'subadmin', 1080);
  await expect.poll(ownerWidth).toBeGreaterThan(0);
  const few = ownerWidth();
  await closeApp();
  makeStage(buildChallans(50));
  await openApp('/challans?limit=50', undefined, 'subadmin', 1080);
  await expect.poll(() => body().scrollHeight - body().clientHeight).toBeGreaterThan(0);
  await expect.poll(ownerWidth).toBe(few);
  expect(body().scrollWidth).toBe(body().clientWidth);
});
