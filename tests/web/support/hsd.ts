import { expect, vi } from 'vitest';
import { subtract } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type {
  HsdMatch,
  HsdUpload,
  HsdUploadResult,
  HsdUploadRow,
} from '../../../src/shared/contract/hsd-verification.ts';
import { idOf } from './builders.ts';
import { emptiest } from './fake-server.ts';
import { paged } from './kept.ts';
import type { Desk } from './records.ts';
import { openApp, page } from './screen.tsx';

/** The verification of pump bills: what the server answers, and what a test does on the screen. */

export interface HsdBooks {
  /** What the next files say. */
  hsdResult: HsdUploadResult;
  hsdUploads: HsdUpload[];
  /** Of every upload. */
  hsdUploadRows: HsdUploadRow[];
}

export const someHsd = (): HsdBooks => ({ hsdResult: buildResult(3), hsdUploads: [], hsdUploadRows: [] });

export function keepHsd({ serve, books }: Desk): void {
  const calls = contract.hsdVerification;
  serve(calls.listUploads, ({ query }) => paged(books.hsdUploads, query));
  serve(calls.listUploadRows, ({ query }) => paged(books.hsdUploadRows, query));
  serve(calls.getPumpSettings, () => emptiest(calls.getPumpSettings.answer));
  serve(calls.upload, () => ({ data: books.hsdResult }));
  serve(calls.verify, ({ body }) => ({ data: { verifiedCount: body.challanIds.length, skippedCount: 0 } }));
  serve(calls.review, ({ body }) => ({ data: { openIds: body.challanIds, verifiedIds: [], changed: [] } }));
  serve(calls.accept, ({ body }) => ({ data: { verifiedCount: body.rows.length, skippedCount: 0 } }));
}

export const number = (n: number): string => `CH-2627-${String(n).padStart(6, '0')}`;
export const buildMatch = (n: number): HsdMatch => ({
  challanId: idOf(n),
  tpNo: `TP${String(n).padStart(5, '0')}`,
  challanNumber: number(n),
  uploadedAmount: `${1000 + n}.00`,
  challanAmount: `${1000 + n}.00`,
});

/** Matches 1…count, and what else the file said. */
export function buildResult(
  count: number,
  rest: Partial<HsdUploadResult['results']['discrepancies']> & { errors?: string[] } = {},
): HsdUploadResult {
  const { errors = [], amountMismatch = [], alreadyVerified = [], tpNotFound = [] } = rest;
  const totalDiscrepancies = amountMismatch.length + alreadyVerified.length + tpNotFound.length;
  const validRecords = count + totalDiscrepancies;
  return {
    totalRecords: validRecords + errors.length,
    validRecords,
    summary: { validMatches: count, totalDiscrepancies },
    results: {
      validMatches: Array.from({ length: count }, (_, index) => buildMatch(index + 1)),
      discrepancies: { amountMismatch, alreadyVerified, tpNotFound },
    },
    processingErrors: errors,
  };
}

export const buildMismatch = (n: number, uploadedAmount: string) => {
  const match = buildMatch(n);
  return { ...match, uploadedAmount, difference: subtract(uploadedAmount, match.challanAmount) };
};

export const buildUpload = (n: number, over: Partial<HsdUpload> = {}): HsdUpload => ({
  id: idOf(600 + n),
  fileName: `pump-${n}.csv`,
  sha256: `${n}`.padStart(64, 'a'),
  totalRecords: 1234,
  validRecords: 1200,
  validMatches: 1000,
  totalDiscrepancies: 200,
  verifiedCount: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: 'a@b.in',
  ...over,
});

export const zone = () => page.getByRole('button', { name: /Choose the petrol pump's file/ });
export const openHsd = (search = '') =>
  openApp(`/hsd-verification${search}`, 'section[aria-label="Past Verifications"]');
export const tab = (name: string | RegExp) => page.getByRole('tab', { name });
export const fileOf = (name = 'pump.csv', text = 'TP No,Amount\nTP00001,1001.00\n'): File => new File([text], name);

/** Pastes these files anywhere on the screen. */
export function paste(...files: File[]): void {
  const clipboardData = new DataTransfer();
  for (const file of files) clipboardData.items.add(file);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}

export function drop(...files: File[]): void {
  const dataTransfer = new DataTransfer();
  for (const file of files) dataTransfer.items.add(file);
  const shape = { dataTransfer, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new DragEvent('dragover', shape));
  document.body.dispatchEvent(new DragEvent('drop', shape));
}

/** Uploads a file and waits for its results. */
export async function toResults(name = 'pump.csv'): Promise<void> {
  await expect.element(zone()).toBeVisible();
  paste(fileOf(name));
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-selected', 'true');
  await vi.waitFor(() => expect(document.querySelector('section[aria-label="Valid Matches"]')).not.toBeNull());
}

/** The label of a stat card → its figure. */
export const cards = (): Record<string, string> =>
  Object.fromEntries(
    [...document.querySelectorAll('main dl')].map((card) => [
      card.querySelector('dt')?.textContent ?? '',
      card.querySelector('dd')?.textContent ?? '',
    ]),
  );

export const cellsOf = (column: string): string[] =>
  [...document.querySelectorAll(`.ag-grid-scrolling-container .ag-row [col-id="${column}"]`)]
    .toSorted(
      (a, b) =>
        Number(a.closest('.ag-row')?.getAttribute('row-index')) -
        Number(b.closest('.ag-row')?.getAttribute('row-index')),
    )
    .map((cell) => cell.textContent?.trim() ?? '');

export const verifyButton = () => page.getByRole('button', { name: /^Verify / });
