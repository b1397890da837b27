import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { idOf } from '../support/builders.ts';
import { refusal, foreignAnswer, speechless } from '../support/fake-server.ts';
import {
  buildMatch,
  buildMismatch,
  buildResult,
  cards,
  cellsOf,
  fileOf,
  number,
  openHsd,
  paste,
  tab,
  toResults,
  verifyButton,
  zone,
} from '../support/hsd.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { closeApp, openApp, page, press, searchNow, toasts, userEvent } from '../support/screen.tsx';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

test('Enter opens the challans of a line of the pump ledger', async () => {
  const desk = fakeServer();
  const none = { billedAmount: '0.00', verifiedAmount: '0.00', openAmount: '0.00', disputedAmount: '0.00' };
  const line = { id: 'one', petrolPump: { id: idOf(40), name: 'Joda Fuels' }, month: '2026-02', rowCount: 3, ...none };
  const pages = {
    currentPage: 1,
    totalPages: 1,
    totalCount: 1,
    limit: 10,
    offset: 0,
    hasNext: false,
    hasPrevious: false,
  };
  desk.serve(contract.hsdVerification.listLedger, () => ({ data: [line], pagination: pages }));
  desk.serveRest();
  await openApp('/hsd-verification/ledger', '.ag-row');
  await userEvent.click(page.getByText('Joda Fuels'));
  await press('{Enter}');
  await expect.poll(searchNow).toEqual({ petrolPumpId: idOf(40), startDate: '2026-02-01', endDate: '2026-02-28' });
});

const question = () => page.getByRole('alertdialog');
const boxes = (): string[] =>
  [...document.querySelectorAll('.ag-row [col-id="grid-select"] .cd-box')].map((box) => box.ariaChecked ?? '');
const waitRows = (column: string, expected: string[]): Promise<void> =>
  vi.waitFor(() => expect(cellsOf(column)).toEqual(expected));
/** Down from the kinds of results into the table, onto its first row. */
async function enterTable(): Promise<void> {
  await vi.waitFor(() => expect(cellsOf('challanNumber').length).toBeGreaterThan(0));
  await vi.waitFor(() => expect(document.activeElement?.role).toBe('tab'));
  await press('{ArrowDown}');
  await vi.waitFor(() => expect(document.activeElement?.closest('[row-id]')?.getAttribute('row-id')).toBe(idOf(1)));
}
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => number(from + index));

const keys = (stage: Desk) => stage.calls(contract.hsdVerification.verify).map(({ key }) => key);

test('cards, the rows set aside, and the four kinds of results with their counts', async () => {
  const errors = Array.from({ length: 250 }, (_, index) => `Row ${index + 2}: TP No is empty`);
  fakeServer({
    hsdResult: buildResult(3, {
      amountMismatch: [buildMismatch(11, '900.00'), buildMismatch(12, '123456.50')],
      alreadyVerified: [
        { challanId: idOf(21), tpNo: 'TP21', challanNumber: number(21), verifiedAt: '2026-11-20T10:00:00.000Z' },
      ],
      tpNotFound: ['000123', '000123', 'KJR/24-25/1'],
      errors,
    }),
  });
  await openHsd();
  await toResults();
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Valid Matches 3'));
  expect(cards()).toEqual({
    'Total Records': '259',
    'Valid Records': '9',
    'Valid Matches': '3',
    Discrepancies: '6',
  });
  await expect.element(page.getByText('Processing Errors (250)')).toBeVisible();
  const list = page.getByRole('list', { name: 'Processing Errors' });
  expect(list.element().scrollHeight).toBeGreaterThan(list.element().clientHeight);
  await userEvent.click(page.getByRole('button', { name: 'Show all 250' }));
  await expect.poll(() => list.element().querySelectorAll('li')).toHaveLength(250);
  await expect.element(list).toHaveFocus();

  await userEvent.click(tab(/^Valid Matches/));
  await waitRows('challanNumber', numbers(1, 3));
  expect(cellsOf('uploadedAmount')[0]).toBe('₹1,001.00');
  await press('{ArrowRight}');
  await waitRows('difference', ['-₹111.00', '+₹1,22,444.50']);
  const signs = [...document.querySelectorAll('[col-id="difference"] span')];
  expect(signs.some((sign) => sign.classList.contains('text-good'))).toBe(true);
  expect(signs.some((sign) => sign.classList.contains('text-danger'))).toBe(true);
  await press('{ArrowRight}');
  await waitRows('verifiedAt', ['20/11/2026 15:30']);
  await press('{ArrowRight}');
  await waitRows('tpNo', ['000123', '000123', 'KJR/24-25/1']);
  await press('{ArrowLeft}');
  await waitRows('challanNumber', [number(21)]);
});

test('without any, each kind says so; the button has its guard', async () => {
  const stage = fakeServer({ hsdResult: buildResult(0) });
  await openHsd();
  await toResults();
  await expect.element(page.getByText('No row of the file matches a challan by TP number and amount.')).toBeVisible();
  await press('{ArrowRight}');
  await expect.element(page.getByText('No amounts differ from their challans.')).toBeVisible();
  await press('{ArrowRight}');
  await expect.element(page.getByText('No challans of the file were already verified.')).toBeVisible();
  await press('{ArrowRight}');
  await expect.element(page.getByText('No TP numbers were missing from the database.')).toBeVisible();
  await expect.element(verifyButton()).toHaveAttribute('aria-disabled', 'true');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('No valid matches to verify'));
  expect(stage.writes(contract.hsdVerification.verify).map(({ challanIds }) => challanIds)).toEqual([]);
});

test('ten rows a page; the selection survives pages and tabs; the button says what it does and does just that', async () => {
  const stage = fakeServer({ hsdResult: buildResult(12) });
  await openHsd();
  await toResults();
  await waitRows('challanNumber', numbers(1, 10));
  await expect.element(verifyButton()).toHaveTextContent('Verify all 12');
  await enterTable();
  await press(' ');
  await expect.element(page.getByText('1 selected', { exact: true })).toBeVisible();
  await press('{Alt>}{Shift>}{PageDown}{/Shift}{/Alt}');
  await waitRows('challanNumber', numbers(11, 12));
  await press('{Shift>}{ArrowDown}{/Shift}');
  await expect.element(verifyButton()).toHaveTextContent('Verify 3 selected');
  await expect.element(page.getByText('₹3,024.00')).toBeVisible();
  // To another kind and another tab, and back: the page and the selection are as they were.
  await userEvent.click(tab(/^TP Not Found/));
  await press('{Alt>}{PageUp}{/Alt}');
  await expect.element(tab('Upload File')).toHaveAttribute('aria-selected', 'true');
  await press('{Alt>}{PageDown}{/Alt}');
  await expect.element(tab(/^TP Not Found/)).toHaveAttribute('aria-selected', 'true');
  await userEvent.click(tab(/^Valid Matches/));
  await waitRows('challanNumber', numbers(11, 12));
  expect(boxes()).toEqual(['true', 'true']);
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Bulk verification completed successfully!'));
  expect(stage.writes(contract.hsdVerification.verify).map(({ challanIds }) => challanIds)).toEqual([
    [idOf(1), idOf(11), idOf(12)],
  ]);
});

test('Ctrl+A takes all matches of all pages, Escape none, the heading those of the page', async () => {
  fakeServer({ hsdResult: buildResult(12) });
  await openHsd();
  await toResults();
  await press('{Control>}a{/Control}');
  await expect.element(verifyButton()).toHaveTextContent('Verify 12 selected');
  await press('{Escape}');
  await expect.element(verifyButton()).toHaveTextContent('Verify all 12');
  await vi.waitFor(() => expect(document.querySelector('.ag-header [col-id="grid-select"] .cd-box')).not.toBeNull());
  document.querySelector<HTMLElement>('.ag-header [col-id="grid-select"] .cd-box')?.click();
  await expect.element(verifyButton()).toHaveTextContent('Verify 10 selected');
});

test('Complete: the two counts; what is verified cannot be chosen again; the rest is verified from the same results', async () => {
  const stage = fakeServer({ hsdResult: buildResult(3) });
  await openHsd();
  await toResults('November.csv');
  await enterTable();
  await press(' ');
  stage.once(contract.hsdVerification.verify, () => ({ data: { verifiedCount: 1234, skippedCount: 56 } }));
  await expect.element(verifyButton()).toHaveTextContent('Verify 1 selected');
  await userEvent.click(verifyButton());
  await expect.element(tab('Verification Complete')).toHaveAttribute('aria-selected', 'true');
  await expect.element(tab('Verification Complete')).toHaveFocus();
  expect(cards()).toEqual({ 'Verified Count': '1,234', 'Skipped Count': '56' });
  await expect.element(page.getByText('2 of 3 valid matches are not verified yet.')).toBeVisible();

  await userEvent.click(page.getByRole('button', { name: 'Back to Verification Results' }));
  await waitRows('isVerified', ['Verified', 'Not verified', 'Not verified']);
  await expect.element(verifyButton()).toHaveTextContent('Verify all 2');
  await enterTable();
  await press(' ');
  const said = (): string[] =>
    [...document.querySelectorAll('main [role="status"]')].map((item) => item.textContent ?? '');
  await vi.waitFor(() => expect(said()).toContain(`${number(1)} is already verified`));
  expect(boxes()).toEqual(['false', 'false', 'false']);
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('Every valid match of the file is verified.')).toBeVisible();
  expect(stage.writes(contract.hsdVerification.verify).map(({ challanIds }) => challanIds)).toEqual([
    [idOf(1)],
    [idOf(2), idOf(3)],
  ]);
  expect(new Set(keys(stage)).size).toBe(2);
});

test('a failed verification leaves everything as it was; the same press again carries the same key', async () => {
  const stage = fakeServer({ hsdResult: buildResult(2) });
  await openHsd();
  await toResults();
  stage.once(contract.hsdVerification.verify, () => refusal('NOT_FOUND', 'Challan not found'));
  stage.once(contract.hsdVerification.verify, speechless);
  stage.once(contract.hsdVerification.verify, () => foreignAnswer({ success: true }));
  const texts = ['Challan not found', 'Failed to perform bulk HSD verification', 'Failed to perform bulk verification'];
  for (const text of texts) {
    await press('{Control>}{Enter}{/Control}');
    await vi.waitFor(() => expect(toasts()).toContain(text));
    await expect.element(verifyButton()).toHaveTextContent('Verify all 2');
  }
  await press('{Control>}{Enter}{/Control}');
  await expect.element(tab('Verification Complete')).toHaveAttribute('aria-selected', 'true');
  expect(keys(stage)).toHaveLength(4);
  expect(new Set(keys(stage)).size).toBe(1);
  expect(keys(stage)[0]).toMatch(/^[0-9a-f]{32}$/);
});

test('a challan that changed after the upload: nothing is verified, which one is told, and one more press takes the rest', async () => {
  const stage = fakeServer({ hsdResult: buildResult(3) });
  await openHsd();
  await toResults('November.csv');
  const changed = {
    challanId: idOf(2),
    challanNumber: number(2),
    tpNo: 'TP00002',
    matchedAmount: '1002.00',
    challanAmount: '5456.32',
    hasOtherTp: false,
    hasOtherPump: false,
  };
  const said = `Nothing was verified: ${number(2)} has changed since it was compared with the file.`;
  stage.once(contract.hsdVerification.verify, () => refusal('HSD_CHANGED', said, { data: { changed: [changed] } }));
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain(said));
  expect(toasts()).not.toContain('Bulk verification completed successfully!');
  await expect
    .element(page.getByText('1 challan has changed since the file was compared and is not verified'))
    .toBeVisible();
  await expect.element(page.getByText(`${number(2)}: HSD amount ₹1,002.00 → ₹5,456.32`)).toBeVisible();
  await expect.element(page.getByText(/The 2 other matches have not changed and can be verified now/)).toBeVisible();
  await waitRows('isVerified', ['Not verified', 'Changed since', 'Not verified']);
  expect(cellsOf('challanAmount')).toEqual(['₹1,001.00', '₹5,456.32', '₹1,003.00']);
  await expect.element(verifyButton()).toHaveTextContent('Verify all 2');
  // It can no more be chosen than one that is verified.
  await press('{Control>}a{/Control}');
  await expect.element(verifyButton()).toHaveTextContent('Verify 2 selected');
  await press('{Control>}{Enter}{/Control}');
  await expect.element(tab('Verification Complete')).toHaveAttribute('aria-selected', 'true');
  expect(stage.writes(contract.hsdVerification.verify).map(({ challanIds }) => challanIds)).toEqual([
    [idOf(1), idOf(2), idOf(3)],
    [idOf(1), idOf(3)],
  ]);
  await expect.element(page.getByText('1 of 3 valid matches are not verified yet.')).toBeVisible();
  await expect.element(page.getByText(/The rest changed after the file was compared/)).toBeVisible();
  await toResultsAgain();
  await waitRows('isVerified', ['Verified', 'Changed since', 'Verified']);
  await expect.element(verifyButton()).toHaveAttribute('aria-disabled', 'true');
});

const toResultsAgain = () => userEvent.click(page.getByRole('button', { name: 'Back to Verification Results' }));

test('other TP numbers and pumps are named as well; with nothing left there is nothing to press', async () => {
  const stage = fakeServer({ hsdResult: buildResult(2) });
  await openHsd();
  await toResults();
  const changed = [1, 2].map((n) => ({
    challanId: idOf(n),
    challanNumber: number(n),
    tpNo: 'TP-NEW',
    matchedAmount: `100${n}.00`,
    challanAmount: `100${n}.00`,
    hasOtherTp: n === 1,
    hasOtherPump: n === 2,
  }));
  stage.once(contract.hsdVerification.verify, () => refusal('HSD_CHANGED', 'Changed', { data: { changed } }));
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText(`${number(1)}: TP No is TP-NEW now`)).toBeVisible();
  await expect.element(page.getByText(`${number(2)}: another petrol pump, or none`)).toBeVisible();
  await expect.element(verifyButton()).toHaveAttribute('aria-disabled', 'true');
});

test('Start New Verification asks while matches are open, and begins anew', async () => {
  fakeServer({ hsdResult: buildResult(2) });
  await openHsd();
  await toResults('November.csv');
  await press('n');
  await expect.element(question()).toHaveTextContent(/2 valid matches of November.csv are not verified yet/);
  await press('{Escape}');
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(verifyButton()).toHaveTextContent('Verify all 2');
  await press('n');
  await expect.element(question()).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await expect.element(zone()).toHaveFocus();
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(page.getByRole('button', { name: 'Start New Verification' })).not.toBeInTheDocument();
});

test('Start New Verification does not ask when all is verified; another file asks before it replaces open results', async () => {
  const stage = fakeServer({ hsdResult: buildResult(1) });
  await openHsd();
  await toResults('one.csv');
  await userEvent.click(verifyButton());
  await expect.element(tab('Verification Complete')).toHaveAttribute('aria-selected', 'true');
  await userEvent.click(page.getByRole('button', { name: 'Start New Verification' }));
  await expect.element(zone()).toHaveFocus();
  expect(question().elements()).toEqual([]);

  await toResults('two.csv');
  await userEvent.click(tab('Upload File'));
  paste(fileOf('three.csv'));
  await expect.element(question()).toHaveTextContent(/1 valid match of two.csv is not verified yet/);
  await press('{Escape}');
  await expect.element(question()).not.toBeInTheDocument();
  expect(stage.uploads.files).toEqual(['one.csv', 'two.csv']);
  paste(fileOf('three.csv'));
  await expect.element(question()).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(stage.uploads.files).toEqual(['one.csv', 'two.csv', 'three.csv']));
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-selected', 'true');
});

test("Enter opens a match's challan beside the screen, so that the results stay", async () => {
  fakeServer({ hsdResult: buildResult(2) });
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  await openHsd();
  await toResults();
  await enterTable();
  await press('{Enter}');
  await expect.poll(() => open).toHaveBeenCalledWith(`/challans?open=${buildMatch(1).challanId}`, '_blank', 'noopener');
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-selected', 'true');
});

test('results and selection survive leaving the screen, the selection a reload too', async () => {
  fakeServer({ hsdResult: buildResult(3) });
  const router = await openHsd();
  await toResults();
  await enterTable();
  await press(' ');
  await expect.element(page.getByText('1 selected', { exact: true })).toBeVisible();
  await router.navigate('/accounting/payments');
  await vi.waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Payments'));
  await router.navigate(-1);
  await expect.element(page.getByText('1 selected', { exact: true })).toBeVisible();
  await vi.waitFor(() => expect(toasts().join()).toContain('1 match selected again'));
  await expect.element(verifyButton()).toHaveTextContent('Verify 1 selected');
  const kept = Object.entries(sessionStorage).find(([key]) => key.endsWith('selection:hsd'))?.[1];
  expect(kept).toContain(idOf(1));
  expect(kept).not.toContain('CH-2627');
});

test('a selection is checked when one comes back: what was verified or changed meanwhile is said and left out', async () => {
  const stage = fakeServer({ hsdResult: buildResult(4) });
  const router = await openHsd();
  await toResults();
  await enterTable();
  await press('{Control>}a{/Control}');
  await expect.element(page.getByText('4 selected', { exact: true })).toBeVisible();
  await router.navigate('/accounting/payments');
  await vi.waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Payments'));
  const { tpNo, challanNumber } = buildMatch(3);
  const changed = { challanId: idOf(3), challanNumber, tpNo, hasOtherTp: false, hasOtherPump: false };
  const amounts = { matchedAmount: '1003.00', challanAmount: '1500.00' };
  stage.once(contract.hsdVerification.review, () => ({
    data: { openIds: [idOf(1), idOf(4)], verifiedIds: [idOf(2)], changed: [{ ...changed, ...amounts }] },
  }));
  await router.navigate(-1);
  await vi.waitFor(() =>
    expect(toasts().join()).toContain(
      '2 matches selected again, ₹2,005.00. 1 of 4 was verified meanwhile; 1 of 4 was changed since the file was compared.',
    ),
  );
  expect(stage.writes(contract.hsdVerification.review)).toEqual([{ challanIds: [idOf(1), idOf(2), idOf(3), idOf(4)] }]);
  await expect.element(page.getByText('2 selected', { exact: true })).toBeVisible();
  await expect.element(verifyButton()).toHaveTextContent('Verify 2 selected');
});
