import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { HsdUploadRow } from '../../../src/shared/contract/hsd-verification.ts';
import { refusal, foreignAnswer, offline, speechless } from '../support/fake-server.ts';
import { idOf } from '../support/builders.ts';
import {
  buildMatch,
  buildMismatch,
  buildResult,
  buildUpload,
  cellsOf,
  drop,
  fileOf,
  openHsd,
  paste,
  tab,
  toResults,
  zone,
} from '../support/hsd.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, dialog, page, press, searchNow, toasts, userEvent } from '../support/screen.tsx';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

test('opens on Upload File with the drop zone in hand; the other tabs say why they are closed', async () => {
  fakeServer();
  await openHsd();
  await expect.element(zone()).toHaveFocus();
  await expect
    .element(zone())
    .toHaveAccessibleDescription(
      "Accepts .csv, .xlsx, .xls, max 10MB, needing 'TP No' and 'Amount' columns; .ods and .txt as well",
    );
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(tab('Verification Results')).toHaveAccessibleDescription('Upload a file first');
  await expect.element(tab('Verification Complete')).toHaveAccessibleDescription('Verify the valid matches first');

  await press('{Alt>}{PageDown}{/Alt}');
  await vi.waitFor(() => expect(toasts()).toEqual(['Upload a file first']));
  (tab('Upload File').element() as HTMLElement).focus();
  await press('{ArrowRight}');
  await expect.element(tab('Verification Results')).toHaveFocus();
  await press('{ArrowRight}');
  await expect.element(tab('Verification Complete')).toHaveFocus();
  await press('{Enter}');
  await vi.waitFor(() => expect(toasts()).toContain('Verify the valid matches first'));
  await expect.element(tab('Upload File')).toHaveAttribute('aria-selected', 'true');
});

test('Enter on the drop zone opens the file box; the chosen file goes to the server in the field "file"', async () => {
  const stage = fakeServer();
  await openHsd();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('There is no file box');
  expect(input.accept).toBe('.csv,.xlsx,.xls,.ods,.txt');
  const opened = vi.spyOn(input, 'click').mockImplementation(() => undefined);
  await expect.element(zone()).toHaveFocus();
  await press('{Enter}');
  await expect.poll(() => opened).toHaveBeenCalledOnce();

  await userEvent.upload(input, fileOf('November.CSV'));
  await vi.waitFor(() => expect(toasts()).toEqual(['File uploaded and processed successfully!']));
  expect(stage.uploads.files).toEqual(['November.CSV']);
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-selected', 'true');
});

test.each([
  ['photo.png', 4, '"photo.png" is not a .csv, .xlsx, .xls, .ods or .txt file.'],
  ['bill.xlsx.exe', 4, '"bill.xlsx.exe" is not a .csv, .xlsx, .xls, .ods or .txt file.'],
  ['empty.xls', 0, '"empty.xls" is empty.'],
  ['big.csv', 10 * 1024 * 1024 + 1, '"big.csv" is a little over 10 MB. A file may have at most 10MB.'],
  ['huge.csv', 13 * 1024 * 1024, '"huge.csv" is 13.0 MB. A file may have at most 10MB.'],
])('%s of %i bytes is refused in one sentence before anything is sent', async (name, size, sentence) => {
  const stage = fakeServer();
  await openHsd();
  drop(new File([new Uint8Array(size)], name));
  await expect.element(page.getByRole('alert')).toHaveTextContent(sentence);
  await expect.element(page.getByRole('button', { name: 'Upload again' })).not.toBeInTheDocument();
  expect(stage.uploads.files).toEqual([]);
});

test('two files at once are refused; exactly 10 MB is sent; a drop does not replace the app', async () => {
  const stage = fakeServer();
  await openHsd();
  drop(fileOf('a.csv'), fileOf('b.csv'));
  await expect.element(page.getByRole('alert')).toHaveTextContent('2 files were given. Choose one file at a time.');
  const dropped = new DragEvent('drop', { dataTransfer: new DataTransfer(), bubbles: true, cancelable: true });
  dropped.dataTransfer?.items.add(new File([new Uint8Array(10 * 1024 * 1024)], 'full.xlsx'));
  document.body.dispatchEvent(dropped);
  expect(dropped.defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(stage.uploads.files).toEqual(['full.xlsx']));
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('while it is on its way: how much, then that it is read; the tabs are closed; the results come by themselves', async () => {
  const stage = fakeServer();
  await openHsd();
  const release = stage.holdUploads([0.25]);
  paste(new File([new Uint8Array(8 * 1024 * 1024)], 'pump.xlsx'));
  await expect.element(page.getByText('2.0 MB of 8.0 MB (25 %)')).toBeVisible();
  await expect.element(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await expect.element(tab('Upload File')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(tab('Upload File')).toHaveAccessibleDescription('A file is being uploaded');
  await expect.element(tab('Verification Results')).toHaveAccessibleDescription('A file is being uploaded');
  paste(fileOf('second.csv'));
  expect(stage.uploads.files).toEqual(['pump.xlsx']);
  release();
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-selected', 'true');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Valid Matches/));
});

test('once all bytes are sent it says that the file is read; Escape cancels and the drop zone is back in hand', async () => {
  const stage = fakeServer();
  await openHsd();
  stage.holdUploads([0.5, 1]);
  paste(fileOf());
  await expect.element(page.getByText('Reading pump.csv')).toBeVisible();
  await press('{Escape}');
  await vi.waitFor(() => expect(toasts()).toEqual(['Upload cancelled']));
  await expect.element(zone()).toHaveFocus();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  expect(stage.calls(contract.hsdVerification.upload)).toEqual([]);
});

test("the server's sentence stays on the screen; what it may take later can be sent again", async () => {
  const stage = fakeServer();
  await openHsd();
  const sentence = "The file needs a 'TP No' and an 'Amount' column within its first 20 rows.";
  stage.once(contract.hsdVerification.upload, () => refusal('INVALID_FILE', sentence));
  paste(fileOf());
  await expect.element(page.getByRole('alert')).toHaveTextContent(sentence);
  await expect.element(zone()).toHaveFocus();
  await expect.element(page.getByRole('button', { name: 'Upload again' })).not.toBeInTheDocument();

  // A busy server may take it a moment later.
  stage.once(contract.hsdVerification.upload, () => refusal('TOO_MANY_REQUESTS', 'Too many files are being read.'));
  paste(fileOf());
  await expect.element(page.getByRole('alert')).toHaveTextContent('Too many files are being read.');
  await userEvent.click(page.getByRole('button', { name: 'Upload again' }));
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-selected', 'true');
  expect(stage.uploads.files).toEqual(['pump.csv', 'pump.csv', 'pump.csv']);
});

test('a refusal without words has the default of the call, what fails on this side that of the screen', async () => {
  const stage = fakeServer();
  await openHsd();
  const alert = page.getByRole('alert');
  stage.once(contract.hsdVerification.upload, speechless);
  paste(fileOf());
  await expect.element(alert).toHaveTextContent('Failed to upload HSD verification file');
  stage.once(contract.hsdVerification.upload, () => foreignAnswer({ success: true, data: { totalRecords: 'many' } }));
  paste(fileOf());
  await expect.element(alert).toHaveTextContent('Failed to upload file');
  await userEvent.click(alert.getByRole('button', { name: 'Close' }));
  await expect.element(alert).not.toBeInTheDocument();
  // Moved or deleted since it was chosen: the browser refuses to read it, and nothing is sent.
  vi.spyOn(Blob.prototype, 'slice').mockImplementationOnce(() => {
    throw new DOMException('The file is gone', 'NotReadableError');
  });
  paste(fileOf());
  await expect.element(alert).toHaveTextContent('Failed to upload file');
  expect(stage.uploads.files).toHaveLength(2);
});

test('a network that fails says so', async () => {
  const stage = fakeServer();
  await openHsd();
  stage.once(contract.hsdVerification.upload, offline);
  paste(fileOf());
  await expect.element(page.getByRole('alert')).toHaveTextContent('Network Error');
});

test('past verifications: which file, when, by whom, with what result, and no hash; pages by key', async () => {
  fakeServer({
    hsdResult: buildResult(1),
    hsdUploads: Array.from({ length: 12 }, (_, index) =>
      buildUpload(12 - index, index === 0 ? { verifiedCount: 990 } : {}),
    ),
  });
  await openHsd();
  await vi.waitFor(() => expect(cellsOf('fileName')).toHaveLength(10));
  const first = ['fileName', 'createdAt', 'createdBy', 'totalRecords', 'validMatches', 'verifiedCount'].map(
    (column) => cellsOf(column)[0],
  );
  expect(first).toEqual(['pump-12.csv', '20/11/2026 15:30', 'a@b.in', '1,234', '1,000', '990']);
  expect(cellsOf('verifiedCount')[1]).toBe('—');
  expect(page.getByText('SHA-256').elements()).toEqual([]);
  await press('{Alt>}{Shift>}{PageDown}{/Shift}{/Alt}');
  await vi.waitFor(() => expect(cellsOf('fileName')).toEqual(['pump-2.csv', 'pump-1.csv']));
  expect(searchNow()).toEqual({ page: '2', limit: '10' });
});

test('past verifications: nothing yet, and a failure with its Retry; an upload adds its line', async () => {
  const stage = fakeServer({ hsdResult: buildResult(1) });
  stage.once(contract.hsdVerification.listUploads, speechless);
  await openHsd();
  await expect.element(page.getByText('Failed to fetch past verifications')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.element(page.getByText('No file has been verified yet')).toBeVisible();
  stage.books.hsdUploads.push(buildUpload(1));
  await toResults();
  await userEvent.click(tab('Upload File'));
  await vi.waitFor(() => expect(cellsOf('fileName')).toEqual(['pump-1.csv']));
});

test('Enter opens the rows of a past verification, page by page, and from them the challan; Escape goes back to its line', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  const none = { challanId: null, challanNumber: null, challanAmount: null, difference: null };
  const decided = { isVerified: false, isAccepted: false, billVehicle: '', remark: '' };
  const stage = fakeServer({
    hsdUploads: [buildUpload(1)],
    hsdUploadRows: [
      { ...decided, row: 2, found: 'mismatch', ...buildMismatch(1, '1010.00'), billDate: '2026-11-03' },
      { ...decided, row: 3, found: 'not-found', tpNo: 'GONE', uploadedAmount: '5.00', ...none, billDate: '03/04/26' },
      ...Array.from({ length: 19 }, (_, index): HsdUploadRow => {
        const challan = { ...buildMatch(index + 2), difference: '0.00' };
        return { ...decided, row: index + 4, found: 'match', ...challan, isVerified: true, billDate: '' };
      }),
    ],
  });
  stage.once(contract.hsdVerification.listUploadRows, speechless);
  await openHsd();
  await userEvent.click(page.getByText('pump-1.csv'));
  await press('{Enter}');
  const shown = dialog('pump-1.csv');
  await expect.element(shown.getByText('Failed to fetch the rows of the file')).toBeVisible();
  await userEvent.click(shown.getByRole('button', { name: 'Retry' }));
  await vi.waitFor(() => expect(cellsOf('found').slice(0, 3)).toEqual(['Amount differs', 'TP not found', 'Verified']));
  expect(cellsOf('difference').slice(0, 3)).toEqual(['+₹9.00', '', '₹0.00']);
  expect(cellsOf('billDate').slice(0, 3)).toEqual(['03/11/2026', '03/04/26', '']);
  await userEvent.click(shown.getByText('TP00001'));
  await press('{Enter}');
  expect(opened).toHaveBeenCalledWith(`/challans?open=${idOf(1)}`, '_blank', 'noopener');
  await press('{ArrowDown}{Enter}');
  await vi.waitFor(() => expect(toasts()).toEqual(['This row has no challan']));
  expect(opened).toHaveBeenCalledTimes(1);
  await press('{Alt>}{PageDown}{/Alt}');
  await vi.waitFor(() => expect(cellsOf('tpNo')).toEqual(['TP00020']));
  await press('{Escape}');
  await expect.element(shown).not.toBeInTheDocument();
  expect(document.activeElement?.textContent).toBe('pump-1.csv');
});

test('a past verification without rows says why; its button opens it too', async () => {
  fakeServer({ hsdUploads: [buildUpload(1)] });
  await openHsd();
  await userEvent.click(page.getByRole('button', { name: /^Rows/ }));
  await expect.element(dialog('pump-1.csv').getByText('No rows were kept of this file')).toBeVisible();
});
