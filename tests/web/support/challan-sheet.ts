import { expect, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { challanInput } from '../../../src/shared/contract/challan-input.ts';
import type { SheetCheck } from '../../../src/shared/contract/challan-sheet.ts';
import type { BodyOf } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { sum } from '../../../src/shared/calc/money.ts';
import {
  buildBatch,
  buildChallan,
  buildOwner,
  buildTruck,
  coal,
  idOf,
  many,
  owner,
  pump,
  referenceOf,
} from './builders.ts';
import { find } from './kept.ts';
import { fakeServer, type Desk } from './records.ts';
import { openApp } from './screen.tsx';

/** The entry sheet: one owner with trucks, one tag, one pump, and a stored challan. */
export const stored = buildChallan(7, { tpNo: 'TP-STORED' });
type SheetQuestion = BodyOf<typeof contract.challans.checkSheet>;

const lower = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

export function checkSheet({ books }: Desk, { rows }: SheetQuestion): SheetCheck {
  const asked = (pick: (row: (typeof rows)[number]) => (string | undefined)[]): string[] => [
    ...new Set(rows.flatMap(pick).filter((text): text is string => Boolean(text))),
  ];
  return {
    lastTds: [{ ownerId: owner.id, tdsPercentage: '2.0' }],
    declarations: [],
    lastRates: [],
    vehicles: asked((row) => [row.vehicleNo]).map((text) => ({
      asked: text,
      found: text.startsWith('OD')
        ? { owner, vehicle: { truckNumber: text, typeOfVehicle: 'Hyva', noOfWheels: 12 } }
        : null,
    })),
    owners: asked((row) => [row.ownerName, row.discounterName]).map((text) => ({
      asked: text,
      found: books.owners
        .filter(({ name }) => lower(name) === lower(text))
        .map((one) => ({ ...one, address: '', branchName: '', panEnding: '234F' })),
    })),
    tags: asked((row) => [row.tagName]).map((text) => ({
      asked: text,
      found: books.tags.some(({ name }) => lower(name) === lower(text)) ? [coal] : [],
    })),
    petrolPumps: asked((row) => [row.petrolPumpName]).map((text) => ({
      asked: text,
      found: lower(text) === lower(pump.name) ? [{ ...pump, address: 'Joda' }] : [],
    })),
    twins: rows.flatMap(({ key, tpNo }) =>
      tpNo === stored.tpNo ? [{ key, sameTp: [referenceOf(stored)], sameTrip: [] }] : [],
    ),
  };
}

export function sheetDesk(): Desk {
  const desk = fakeServer({
    challans: [stored],
    owners: [buildOwner(1, { ...owner, address: '' })],
    trucks: many(12, (n) => buildTruck(n, owner, { truckNumber: `OD09AB${1000 + n}` })),
  });
  const { serve, books } = desk;
  serve(contract.challans.checkSheet, ({ body }) => ({ data: checkSheet(desk, body) }));
  serve(contract.challans.createMany, ({ body: { rows } }) => {
    const created = rows.map(({ key, ...row }, index) => {
      challanInput.parse(row);
      const netAmountPayable = String(row.netAmountPayable);
      return { key, id: idOf(500 + index), challanNumber: `CH-2627-${500 + index}`, netAmountPayable };
    });
    const batch = buildBatch(books.batches.length, {
      kind: 'sheet',
      number: `Sheet 2627-00000${books.batches.length + 1}`,
      title: created.length === 1 ? '1 challan' : `${created.length} challans`,
      amount: sum(created.map(({ netAmountPayable }) => netAmountPayable)),
      lineCount: created.length,
    });
    books.batches.push(batch);
    return { data: { batch, created, refused: [] }, warnings: [] };
  });
  serve(contract.batches.undo, ({ params }) => {
    const batch = find('Batch', books.batches, params.id);
    return { data: { ...batch, undone: batch.lineCount, leftCount: 0, left: [] } };
  });
  return desk;
}

export const openSheet = async (): Promise<void> => {
  await openApp('/challans/sheet', '.cd-sheet .ag-cell-focus', 'subadmin', 900);
  await vi.waitFor(() => expect(focusedAt()).toBe('1 tpNo'));
};

export const cell = (row: number, column: string): HTMLElement | null =>
  document.querySelector(`.cd-sheet .ag-row[row-index="${row - 1}"] .ag-cell[col-id="${column}"]`);
export const textAt = (row: number, column: string): string => cell(row, column)?.textContent ?? 'no cell';
export const focusedAt = (): string => {
  const isResting = document.activeElement?.matches('.cd-sheet-editor[data-resting]');
  const at = isResting ? document.querySelector('.cd-sheet .ag-cell-focus') : null;
  return at
    ? `${Number(at.closest('.ag-row')?.getAttribute('row-index')) + 1} ${at.getAttribute('col-id')}`
    : 'nothing';
};

/** As Ctrl+V: what the clipboard holds comes to the cell in focus. */
export function paste(text: string, html = ''): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  if (html) clipboardData.setData('text/html', html);
  document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  );
}
/** As Ctrl+C or Ctrl+X. */
export function copied(type: 'copy' | 'cut' = 'copy'): string {
  const clipboardData = new DataTransfer();
  document.activeElement?.dispatchEvent(new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true }));
  return clipboardData.getData('text/plain');
}

/** Commits what is right, and confirms. */
export const create = async (): Promise<void> => {
  await keys('{Control>}s{/Control}');
  await vi.waitFor(() => expect(document.querySelector('[role="alertdialog"]')).not.toBeNull());
  await keys('{Control>}{Enter}{/Control}');
};
export const keys = (text: string): Promise<void> => userEvent.keyboard(text);
export const shows = (text: string | RegExp): Promise<void> =>
  vi.waitFor(() => expect(document.body.textContent).toMatch(text));

const columns = [
  'TP No',
  'Loading Date',
  'Vehicle No',
  'Material',
  'Tag',
  'From',
  'To',
  'Loading MT',
  'Unloading MT',
  'Rate',
  'TDS %',
  'Advance',
  'Office',
];
/** A table as it is copied, with right rows; `over` replaces texts of a row. */
export const tableOf = (
  count: number,
  over: (row: number) => Readonly<Record<string, string>> | undefined = () => undefined,
): string =>
  [
    columns,
    ...Array.from({ length: count }, (_, index) => {
      const row = index + 1;
      const texts: Record<string, string> = {
        'TP No': `TP-${row}`,
        'Loading Date': '20/11/2026',
        'Vehicle No': `OD09AB${1000 + row}`,
        Material: 'Iron ore',
        Tag: 'Coal',
        From: 'Joda',
        To: 'Paradip',
        'Loading MT': '20.00',
        'Unloading MT': '20.00',
        Rate: '1,000.00',
        'TDS %': '1',
        Advance: '0',
        Office: '100',
        ...over(row),
      };
      return columns.map((column) => texts[column] ?? '');
    }),
  ]
    .map((line) => line.join('\t'))
    .join('\r\n');
