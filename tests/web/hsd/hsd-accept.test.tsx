import { afterEach, expect, test, vi } from 'vitest';
import type { HsdCandidate, HsdDetail, HsdNotFound } from '../../../src/shared/contract/hsd-verification.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { idOf } from '../support/builders.ts';
import { buildMismatch, buildResult, cellsOf, number, openHsd, tab, toResults } from '../support/hsd.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { closeApp, page, press, toasts, userEvent } from '../support/screen.tsx';

/** Mismatches and near matches are accepted, totals shown as such (docs/specification.md §11.5). */
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const candidate = (n: number, tpNo: string, over: Partial<HsdCandidate> = {}): HsdCandidate => ({
  challanId: idOf(n),
  challanNumber: number(n),
  tpNo,
  why: 'character',
  vehicleNo: 'OD09AB1234',
  loadingDate: '2026-11-02',
  ownerName: `Owner ${n}`,
  challanAmount: '500.00',
  difference: '0.00',
  isWithinTolerance: true,
  ...over,
});
const notFound = (row: number, tpNo: string, near: HsdCandidate[], isUnique = near.length === 1): HsdNotFound => ({
  row,
  tpNo,
  uploadedAmount: '500.00',
  vehicleNo: '',
  date: '',
  near,
  nearCount: near.length,
  isUnique,
});
const uploadId = idOf(900);
function detailed(rows: HsdNotFound[], totals: HsdDetail['totals'] = []) {
  const mismatch = {
    ...buildMismatch(11, '1500.00'),
    row: 4,
    vehicleNo: 'OD14ZZ0001',
    loadingDate: '2026-11-03',
    ownerName: 'Ramesh',
  };
  const result = buildResult(1, { amountMismatch: [mismatch], tpNotFound: rows.map(({ tpNo }) => tpNo) });
  return {
    ...result,
    detail: {
      uploadId,
      readAs: 'Read as text with commas',
      petrolPump: { id: idOf(901), name: 'Tarini HP' },
      totals,
      notFound: rows,
    },
  };
}
const sent = (stage: Desk) => stage.writes(contract.hsdVerification.accept);

test('a mismatch shows row, vehicle, date and owner, and is accepted by key with a reason, which is required', async () => {
  const stage = fakeServer({ hsdResult: detailed([]) });
  await openHsd();
  await toResults();
  await expect.element(page.getByText('Bill of Tarini HP')).toBeVisible();
  await press('{ArrowRight}');
  await vi.waitFor(() => expect(cellsOf('challanNumber')).toEqual([number(11)]));
  const shown = ['row', 'vehicleNo', 'loadingDate', 'ownerName'].map((column) => cellsOf(column)[0]);
  expect(shown).toEqual(['4', 'OD14ZZ0001', '03/11/2026', 'Ramesh']);
  await press('a');
  await vi.waitFor(() => expect(toasts()).toContain('Select rows to accept first'));
  await press('{ArrowDown}');
  await vi.waitFor(() => expect(document.activeElement?.closest('[row-id]')).not.toBeNull());
  await press(' ');
  await expect.element(page.getByText('1 selected')).toBeVisible();
  await press('a');
  const reason = page.getByRole('textbox', { name: 'Reason' });
  await expect.element(reason).toHaveFocus();
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('Please enter a reason')).toBeVisible();
  expect(sent(stage)).toEqual([]);
  await userEvent.keyboard('Rate raised');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('1 row accepted and HSD verified.'));
  expect(sent(stage)).toEqual([
    { uploadId, rows: [{ row: 4, challanId: idOf(11), challanAmount: '1011.00' }], reason: 'Rate raised' },
  ]);
  await vi.waitFor(() => expect(cellsOf('isAccepted')).toEqual(['Accepted']));
});

test('near matches: all that one challan fits at once, and among several the user chooses', async () => {
  const stage = fakeServer({
    hsdResult: detailed([
      notFound(5, '123', [candidate(21, '000123', { why: 'zeros' })]),
      notFound(6, 'KJR-457', [candidate(22, 'KJR-4567')]),
      notFound(7, 'XY-102', [candidate(23, 'XY-101'), candidate(24, 'XY-100')]),
      notFound(8, 'GONE', []),
    ]),
  });
  await openHsd();
  await toResults();
  await userEvent.click(tab(/^TP Not Found/));
  await vi.waitFor(() => expect(cellsOf('nearTp')).toEqual(['000123', 'KJR-4567', '2 challans fit', '—']));
  expect(cellsOf('isAccepted')).toEqual(['Near match', 'Near match', 'Choose one', 'Not found']);
  await userEvent.click(page.getByRole('checkbox', { name: 'Select all rows that one challan fits' }));
  await expect.element(page.getByText('2 selected')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Accept with reason' }));
  // The amounts agree: no reason is needed.
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveFocus();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('2 rows accepted and HSD verified.'));

  await userEvent.click(page.getByRole('checkbox', { name: 'Select row 7' }));
  await userEvent.click(page.getByRole('button', { name: 'Accept with reason' }));
  const choice = page.getByRole('combobox', { name: /^Row 7, TP No XY-102/ });
  await expect.element(choice).toHaveFocus();
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(() => sent(stage)).toHaveLength(1);
  await userEvent.keyboard('{Enter}{ArrowDown}{ArrowDown}{Enter}');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(sent(stage)).toHaveLength(2));
  expect(sent(stage)).toEqual([
    {
      uploadId,
      rows: [
        { row: 5, challanId: idOf(21), challanAmount: '500.00' },
        { row: 6, challanId: idOf(22), challanAmount: '500.00' },
      ],
    },
    { uploadId, rows: [{ row: 7, challanId: idOf(24), challanAmount: '500.00' }] },
  ]);
  await vi.waitFor(() => expect(cellsOf('isAccepted')).toEqual(['Accepted', 'Accepted', 'Accepted', 'Not found']));
});

test('rows of totals are named with what the rows above come to, and are no errors', async () => {
  const totals = [
    { row: 9, text: 'Grand Total', amount: '2000.00', rowsAmount: '2000.00' },
    { row: 10, text: 'Total', amount: '5.00', rowsAmount: '7.00' },
  ];
  fakeServer({ hsdResult: detailed([], totals) });
  await openHsd();
  await toResults();
  await expect.element(page.getByText('2 rows of totals, not compared')).toBeVisible();
  await expect.element(page.getByText('Row 10: Total ₹5.00; the rows above come to ₹7.00')).toBeVisible();
  expect(page.getByText(/Processing Errors/).elements()).toEqual([]);
});
