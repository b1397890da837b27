import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  cell,
  copied,
  focusedAt,
  keys,
  openSheet,
  paste,
  sheetDesk,
  shows,
  tableOf,
  textAt,
} from '../support/challan-sheet.ts';
import { closeApp, toasts } from '../support/screen.tsx';
import { gridColumns } from '../../../src/web/features/challans/sheet/sheet-columns.ts';

/** The columns of the entry sheet: their order, which are in sight, and what is remembered of them. */

beforeEach(() => {
  sheetDesk();
});
afterEach(closeApp);

/** As after a reload of the page: the same storage. */
async function reload(): Promise<void> {
  const kept = { ...localStorage };
  await closeApp();
  sheetDesk();
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, String(value));
  await openSheet();
}
const inSight = (): (string | null)[] =>
  [...document.querySelectorAll('.cd-sheet .ag-header-cell')]
    .map((heading) => [heading.getAttribute('col-id'), heading.getBoundingClientRect().left] as const)
    .toSorted(([, a], [, b]) => a - b)
    .map(([id]) => id);
const openPanel = async (): Promise<void> => {
  await userEvent.click(page.getByRole('button', { name: 'Columns of the sheet' }));
  await expect.element(page.getByRole('checkbox', { name: 'TP No' })).toHaveFocus();
};
const toggle = (name: string): Promise<void> => userEvent.click(page.getByRole('checkbox', { name, exact: true }));
const toSheet = async (): Promise<void> => {
  await keys('{Escape}');
  await userEvent.click(cell(1, 'tpNo')!);
  await expect.poll(focusedAt).toBe('1 tpNo');
};

describe('the columns of the sheet', () => {
  it('that each challan needs are all in sight at 1366 pixels with the sidebar collapsed, with the weights beside the vehicle', async () => {
    await openSheet();
    await expect.element(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible();
    const needed =
      'tpNo loadingDate unloadingDate vehicleNo loadingWeight unloadingWeight material tag loadingPlace unloadingPlace ratePerMT advanceMoney officeCharges tdsPercentage'.split(
        ' ',
      );
    const others =
      'ownerName ownerContactNumber depositedAt hsdInLiters hsdPricePerLiter petrolPump discounter discountWeight materialRate materialShortageAmount driverName drivingLicenseNo vehicleType vehicleWheel remarks dataEntryBy'.split(
        ' ',
      );
    const typed = gridColumns.filter(({ isFixed }) => !isFixed).map(({ key }) => key);
    expect(typed).toEqual([...needed, ...others]);
    expect(inSight().slice(0, needed.length + 1)).toEqual(['#', ...needed]);
    const end = cell(1, 'netAmountPayable')?.getBoundingClientRect();
    expect(window.innerWidth).toBe(1366);
    expect(end?.right).toBeLessThanOrEqual(1366);
    expect(cell(1, 'tdsPercentage')?.getBoundingClientRect().right).toBeLessThanOrEqual(end?.left ?? 0);
  });

  it('are hidden and moved, which is remembered, and what is pasted without headings follows them', async () => {
    await openSheet();
    await openPanel();
    await toggle('Unloading Date');
    await expect.poll(inSight).not.toContain('unloadingDate');
    page.getByRole('checkbox', { name: 'Vehicle No' }).element().focus();
    await keys('{Alt>}{ArrowUp}{/Alt}');
    await expect.poll(() => inSight().slice(1, 5)).toEqual(['tpNo', 'vehicleNo', 'loadingDate', 'loadingWeight']);
    await toSheet();
    paste('TP-1\tOD09AB1001\t20/11/2026\t21.5\r\n');
    await vi.waitFor(() =>
      expect(['tpNo', 'vehicleNo', 'loadingDate', 'loadingWeight'].map((name) => textAt(1, name))).toEqual([
        'TP-1',
        'OD09AB1001',
        '20/11/2026',
        '21.50',
      ]),
    );
    expect(copied()).toBe('TP-1\tOD09AB1001\t20/11/2026\t21.5');
    await keys('{Control>}{Home}{/Control}{ArrowRight}');
    await expect.poll(focusedAt).toBe('1 vehicleNo');
    await keys('OD09AB1002{ArrowRight}');
    await vi.waitFor(() => expect([textAt(1, 'vehicleNo'), focusedAt()]).toEqual(['OD09AB1002', '1 loadingDate']));
    await reload();
    expect(inSight().slice(1, 5)).toEqual(['tpNo', 'vehicleNo', 'loadingDate', 'loadingWeight']);
    await openPanel();
    await userEvent.click(page.getByRole('button', { name: 'Reset view' }));
    await expect.poll(() => inSight().slice(1, 5)).toEqual(['tpNo', 'loadingDate', 'unloadingDate', 'vehicleNo']);
  });

  it('that are hidden are shown again when a table with headings brings a value, or a row has a problem there', async () => {
    await openSheet();
    await openPanel();
    await toggle('Material');
    await toggle('Rate per MT');
    await toggle('Owner Contact Number');
    await expect.poll(inSight).not.toContain('ratePerMT');
    await toSheet();
    paste(tableOf(2, (row) => ({ ...(row === 2 && { Rate: 'x' }) })));
    await shows('1 wrong');
    await vi.waitFor(() => expect([textAt(1, 'material'), textAt(2, 'ratePerMT')]).toEqual(['Iron ore', 'x']));
    await expect.poll(toasts).toContain('Material, Rate per MT are shown again: rows have values or problems there.');
    // The vehicle brought it, and nobody typed it.
    expect(inSight()).not.toContain('ownerContactNumber');
    await openPanel();
    await toggle('Material');
    await expect.poll(inSight).toContain('material');
    await expect.poll(toasts).toContain('Material is shown again: row 1 has a value there.');
  });
});

describe('the list of problems', () => {
  it('is closed and opened by its key, with its counts always in sight, and is remembered', async () => {
    await openSheet();
    await shows('No problems');
    paste(tableOf(2, () => ({ Tag: 'Steel' })));
    await shows('2 mistakes, 1 name not found');
    const list = page.getByRole('complementary', { name: 'Problems' });
    await expect.element(list).toBeVisible();
    await keys('{Control>}{F8}{/Control}');
    await expect.element(list).not.toBeInTheDocument();
    await shows('2 mistakes, 1 name not found');
    expect(focusedAt()).toBe('1 tpNo');
    await reload();
    paste(tableOf(2, () => ({ Tag: 'Steel' })));
    await shows('2 mistakes, 1 name not found');
    await expect.element(list).not.toBeInTheDocument();
    await userEvent.click(page.getByRole('button', { name: 'Show Problems' }));
    await expect.element(list).toBeVisible();
  });
});
