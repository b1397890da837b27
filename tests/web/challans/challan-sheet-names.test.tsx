import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import {
  create,
  focusedAt,
  keys,
  openSheet,
  paste,
  sheetDesk,
  shows,
  tableOf,
  textAt,
} from '../support/challan-sheet.ts';
import { type Desk } from '../support/records.ts';
import { closeApp } from '../support/screen.tsx';
import { checkSheet } from '../support/challan-sheet.ts';
import { paged } from '../support/kept.ts';

let stage: Desk;
beforeEach(() => {
  stage = sheetDesk();
});
afterEach(closeApp);

const options = (): string[] =>
  [...document.querySelectorAll('.cd-sheet [role="option"]')].map(({ textContent }) => textContent);
const marked = (): string | undefined =>
  document.querySelector(`#${CSS.escape(document.activeElement?.getAttribute('aria-activedescendant') ?? 'none')}`)
    ?.textContent;
const lists = (count: number): Promise<void> => vi.waitFor(() => expect(options()).toHaveLength(count));
const order =
  'tpNo loadingDate unloadingDate vehicleNo loadingWeight unloadingWeight material tag loadingPlace unloadingPlace ratePerMT advanceMoney officeCharges tdsPercentage ownerName ownerContactNumber'.split(
    ' ',
  );
const goTo = async (row: number, column: string): Promise<void> => {
  await keys('{Control>}{Home}{/Control}');
  await keys('{ArrowDown}'.repeat(row - 1) + '{ArrowRight}'.repeat(order.indexOf(column)));
  await vi.waitFor(() => expect(focusedAt()).toBe(`${row} ${column}`));
};

describe('names while a cell is typed into', () => {
  it('are listed with what tells them apart; the marked one is taken by Enter', async () => {
    await openSheet();
    await goTo(1, 'vehicleNo');
    await keys('b10');
    await lists(8);
    expect(options()[0]).toBe('OD09AB1001Ravi Kumar');
    expect(document.querySelector('.cd-sheet [popover]')?.textContent).toContain('8 of 12 results');
    expect([marked(), document.activeElement?.getAttribute('aria-expanded')]).toEqual([undefined, 'true']);
    await keys('{ArrowDown}{ArrowDown}');
    await vi.waitFor(() => expect(marked()).toBe('OD09AB1002Ravi Kumar'));
    await keys('{Enter}');
    await expect.poll(() => focusedAt()).toBe('2 vehicleNo');
    await vi.waitFor(() =>
      expect([textAt(1, 'vehicleNo'), textAt(1, 'ownerName')]).toEqual(['OD09AB1002', 'Ravi Kumar']),
    );
    await lists(0);
    await keys('{Control>}z{/Control}');
    await vi.waitFor(() => expect(textAt(1, 'vehicleNo')).toBe(''));
  });

  it('need no key more where the text can mean one only, also when it is left before they come', async () => {
    await openSheet();
    await goTo(1, 'vehicleNo');
    await keys('1003');
    await vi.waitFor(() => expect(marked()).toBe('OD09AB1003Ravi Kumar'));
    await keys('{Enter}');
    await vi.waitFor(() => expect(textAt(1, 'vehicleNo')).toBe('OD09AB1003'));
    // A slow machine may ask after each letter.
    const late = Array.from({ length: 3 }, () => stage.hold(contract.tags.list));
    await goTo(2, 'tag');
    await keys('oal{Enter}');
    await vi.waitFor(() => expect([textAt(2, 'tag'), focusedAt()]).toEqual(['oal', '3 tag']));
    for (const release of late) release();
    await vi.waitFor(() => expect(textAt(2, 'tag')).toBe('COAL'));
  });

  it('leave free text free: an owner is taken only by hand, and Esc closes the list', async () => {
    await openSheet();
    await goTo(1, 'ownerName');
    await keys('Ravi');
    await lists(1);
    expect(options()[0]).toBe('Ravi Kumar9876543210 · Joda');
    await keys('{Enter}');
    await vi.waitFor(() => expect([textAt(1, 'ownerName'), textAt(1, 'ownerContactNumber')]).toEqual(['Ravi', '']));
    await goTo(2, 'vehicleNo');
    await keys('b10');
    await lists(8);
    await keys('{ArrowDown}{Escape}');
    await lists(0);
    await keys('{Enter}');
    await vi.waitFor(() => expect(textAt(2, 'vehicleNo')).toBe('B10'));
    await goTo(3, 'ownerName');
    await keys('Ravi');
    await lists(1);
    await keys('{ArrowDown}{Tab}');
    await vi.waitFor(() =>
      expect([textAt(3, 'ownerName'), textAt(3, 'ownerContactNumber')]).toEqual(['Ravi Kumar', '9876543210']),
    );
  });

  it('are listed by Alt+Down without typing, and taken with the mouse', async () => {
    await openSheet();
    await goTo(1, 'tag');
    await keys('{Alt>}{ArrowDown}{/Alt}');
    await lists(1);
    document.querySelector<HTMLElement>('.cd-sheet [role="option"]')?.click();
    await vi.waitFor(() => expect([textAt(1, 'tag'), focusedAt()]).toEqual(['COAL', '1 tag']));
    // Not that of the cell alone.
    await goTo(1, 'vehicleNo');
    await keys('b1001{Enter}{ArrowUp}');
    await vi.waitFor(() => expect(textAt(1, 'vehicleNo')).toBe('OD09AB1001'));
    stage.once(contract.trucks.list, ({ query }) => paged([], query));
    await keys('{F4}');
    await vi.waitFor(() => expect(stage.calls(contract.trucks.list)).toHaveLength(1));
    await keys('{Escape}');
    await goTo(1, 'material');
    await keys('Co');
    expect(document.activeElement?.getAttribute('role')).toBeNull();
  });
});

describe('Tab', () => {
  it('goes to the cells that a challan like the one before needs, and the arrows to all', async () => {
    stage.serve(contract.challans.checkSheet, ({ body }) => ({ data: { ...checkSheet(stage, body), lastTds: [] } }));
    await openSheet();
    paste(tableOf(1));
    await shows('1 right');
    await create();
    await shows('Sheet 2627-000001');
    await vi.waitFor(() => expect(focusedAt()).toBe('1 tpNo'));
    const places: string[] = [];
    for (const text of ['TP-9', '1004', '20', '19.9']) {
      await keys(text);
      if (text === '1004') await vi.waitFor(() => expect(marked()).toBeDefined());
      await keys('{Tab}');
      places.push(focusedAt());
    }
    expect(places).toEqual(['1 vehicleNo', '1 loadingWeight', '1 unloadingWeight', '2 tpNo']);
    await shows('1 right');
    await keys('{Shift>}{Tab}{/Shift}');
    await expect.poll(() => focusedAt()).toBe('1 unloadingWeight');
    await keys('{ArrowRight}');
    await expect.poll(() => focusedAt()).toBe('1 material');
    // Another day was typed in the row above: the next row's day is asked for.
    await goTo(1, 'loadingDate');
    await keys('3/11{Enter}');
    await goTo(2, 'tpNo');
    await keys('TP-10{Tab}');
    await expect.poll(() => focusedAt()).toBe('2 loadingDate');
  });
});
