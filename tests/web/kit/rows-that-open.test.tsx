import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { idOf } from '../support/builders.ts';
import { buildChallan, buildOwner, ownerId, statementDesk } from '../support/statement.ts';
import { boxOf, cellText, focusedRow, goTo, openStatement, shownRows, waitBox } from '../support/statement-screen.ts';
import { closeApp, press } from '../support/screen.tsx';

let copied: string[];
beforeEach(() => {
  copied = [];
  vi.spyOn(navigator.clipboard, 'write').mockImplementation(async (items) => {
    for (const item of items) copied.push(await (await item.getType('text/plain')).text());
  });
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const headings = () => document.querySelectorAll('.ag-grid-scrolling-container .cd-heading-row');
const texts = (row: Element | undefined) =>
  [...(row?.querySelectorAll('.ag-cell:not([col-id="grid-select"])') ?? [])].map((cell) => cell.textContent?.trim());

async function openTwo(): Promise<void> {
  statementDesk([
    buildOwner(1, [1, 2], { challans: [buildChallan(1), buildChallan(2)] }),
    buildOwner(2, [3], { challans: [buildChallan(3)] }),
  ]);
  await openStatement();
  await goTo(ownerId(1));
  await press('{ArrowRight}');
  await vi.waitFor(() => expect(cellText(idOf(1), 'challanNumber')).toBe('CH-2627-000001'));
}

test('an open owner has headings of its challans, and the table those of owners', async () => {
  await openTwo();
  expect(headings()).toHaveLength(1);
  expect(texts(headings()[0])).toEqual([
    'Challan No',
    'TP No',
    'Vehicle No',
    'Material and Route',
    'Loading',
    'Unloading',
    'Deposited',
    'Amount',
    'Tag',
    'Status',
  ]);
  const ofTable = [...document.querySelectorAll('.ag-header-cell-text')].map(({ textContent }) => textContent);
  expect(ofTable).toEqual(expect.arrayContaining(['Name', 'Contact', 'Account Number', 'IFSC', 'Unpaid Amount']));
  expect(ofTable.join()).not.toContain('/');
  await press('{ArrowLeft}');
  await vi.waitFor(() => expect(headings()).toHaveLength(0));
});

test('the keys pass over the headings, and the selection and its copy have the challans only', async () => {
  await openTwo();
  await press('{ArrowDown}');
  expect(focusedRow()).toBe(1);
  // A screen reader hears the heading of the challan, not only that of owners above.
  const described = () => document.activeElement?.getAttribute('aria-description');
  expect(document.activeElement?.getAttribute('col-id')).toBe('challanNumber');
  expect(described()).toBe('Challan No');
  await press('{ArrowRight}');
  expect(described()).toBe('TP No');
  expect(headings()[0]?.getAttribute('aria-label')).toBe('Headings of the rows below');
  await press('{ArrowLeft}{ArrowUp}');
  expect(focusedRow()).toBe(901);
  expect(described()).toBeNull();
  await press('{ArrowDown} ');
  await waitBox(idOf(1), 'true');
  expect(headings()[0]?.getAttribute('aria-selected')).not.toBe('true');
  await press('{Shift>}{ArrowDown}{/Shift}');
  await waitBox(idOf(2), 'true');
  await press('{Shift>}{ArrowUp}{ArrowUp}{/Shift}');
  expect(boxOf(idOf(2))).toBe('false');
  await press('{Control>}a{/Control}{Control>}c{/Control}');
  await vi.waitFor(() => expect(copied).toHaveLength(1));
  const lines = copied[0]?.split('\r\n').map((line) => line.split('\t')) ?? [];
  expect(lines.map(([first]) => first)).toEqual(['Challan No', 'CH-2627-000001', 'CH-2627-000002']);
  expect(lines[0]).toContain('Material and Route');
  expect(shownRows()).toEqual([901, 1, 2, 902]);
});

test('the print has both kinds of headings', async () => {
  await openTwo();
  window.dispatchEvent(new Event('beforeprint'));
  await vi.waitFor(() => expect(document.querySelector('.cd-print')).not.toBeNull());
  const rows = [...document.querySelectorAll('.cd-print tr')].map((row) => row.firstElementChild?.textContent);
  expect(rows.slice(0, 5)).toEqual(['Name', 'Owner 1', 'Challan No', 'CH-2627-000001', 'CH-2627-000002']);
  expect(document.querySelectorAll('.cd-print tr[data-headings]')).toHaveLength(1);
  window.dispatchEvent(new Event('afterprint'));
});
