import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { refusal } from '../support/fake-server.ts';
import { buildResult, fileOf, openHsd, paste, tab, zone } from '../support/hsd.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, page, userEvent } from '../support/screen.tsx';
import { buildPump } from '../support/builders.ts';

/** The columns of a file that the server does not find are chosen, and the file is sent again (docs/specification.md §11.4). */
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const columns = {
  sheet: '',
  sheets: [],
  readAs: 'Read as text with commas',
  rows: [['Maa Tarini'], ['Slip', 'Litres', 'Value'], ['TP00001', '5', '1001.00']],
  headingRow: 2,
  tpColumns: [],
  amountColumns: [],
};
const message = "The file needs a 'TP No' and an 'Amount' column within its first 20 rows. Seen: Slip, Litres, Value.";
const refused = (data: unknown = columns) => refusal('INVALID_FILE', message, { data });

test('by key alone: the first rows are shown, both columns are chosen, and the same file is compared', async () => {
  const stage = fakeServer({ hsdResult: buildResult(1) });
  await openHsd();
  stage.once(contract.hsdVerification.upload, () => refused());
  paste(fileOf());
  await expect.element(page.getByRole('region', { name: 'Choose the columns' })).toHaveTextContent(message);
  await expect.element(page.getByRole('region', { name: 'First rows of the file' })).toHaveTextContent('Maa Tarini');
  const tp = page.getByRole('combobox', { name: 'TP No' });
  await expect.element(tp).toHaveFocus();
  // Nothing is guessed: without both columns nothing is sent.
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => stage.uploads.files).toEqual(['pump.csv']);
  await userEvent.keyboard('{Enter}{ArrowDown}{Enter}');
  await expect.element(tp).toHaveTextContent('1: Slip');
  await userEvent.keyboard('{Tab}{Enter}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
  await expect.element(page.getByRole('combobox', { name: 'Amount' })).toHaveTextContent('3: Value');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-selected', 'true');
  expect(stage.uploads.files).toEqual(['pump.csv', 'pump.csv']);
  expect(stage.asks(contract.hsdVerification.upload).at(-1)).toEqual({
    detail: 'true',
    headingRow: '2',
    tpColumn: '1',
    amountColumn: '3',
  });
});

test('of two amounts the user is asked for one; Escape goes back to another file', async () => {
  const stage = fakeServer({ hsdResult: buildResult(1) });
  await openHsd();
  stage.once(contract.hsdVerification.upload, () => refused({ ...columns, tpColumns: [1], amountColumns: [2, 3] }));
  paste(fileOf());
  await expect.element(page.getByRole('combobox', { name: 'TP No' })).toHaveTextContent('1: Slip');
  await expect.element(page.getByRole('combobox', { name: 'Amount' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(zone()).toHaveFocus();
  expect(page.getByRole('region', { name: 'Choose the columns' }).elements()).toEqual([]);
  expect(stage.uploads.files).toEqual(['pump.csv']);
});

test('another sheet is asked for, and a choice is sent with the pump it is remembered for', async () => {
  const pump = buildPump(1, { name: 'Tarini HP' });
  const stage = fakeServer({ hsdResult: buildResult(1), petrolPumps: [pump] });
  await openHsd();
  await userEvent.click(page.getByRole('combobox', { name: 'Petrol Pump' }));
  await userEvent.click(page.getByRole('option', { name: 'Tarini HP' }));
  stage.once(contract.hsdVerification.upload, () =>
    refused({ ...columns, sheet: 'Cover', sheets: ['Cover', 'Slips'] }),
  );
  paste(fileOf('pump.xlsx'));
  await expect.element(page.getByText('These columns are remembered for Tarini HP.')).toBeVisible();
  stage.once(contract.hsdVerification.upload, () =>
    refused({ ...columns, sheet: 'Slips', sheets: ['Cover', 'Slips'], tpColumns: [1], amountColumns: [3] }),
  );
  await userEvent.click(page.getByRole('combobox', { name: 'Sheet' }));
  await userEvent.click(page.getByRole('option', { name: 'Slips' }));
  await expect.element(page.getByRole('combobox', { name: 'Amount' })).toHaveTextContent('3: Value');
  await userEvent.click(page.getByRole('button', { name: 'Compare the file' }));
  await vi.waitFor(() => expect(stage.uploads.files).toHaveLength(3));
  expect(stage.asks(contract.hsdVerification.upload).slice(1)).toEqual([
    { petrolPumpId: pump.id, detail: 'true', sheet: 'Slips' },
    { petrolPumpId: pump.id, detail: 'true', sheet: 'Slips', headingRow: '2', tpColumn: '1', amountColumn: '3' },
  ]);
});

test('a file that was saved again meanwhile keeps the choice, and is given once more', async () => {
  const stage = fakeServer({ hsdResult: buildResult(1) });
  await openHsd();
  stage.once(contract.hsdVerification.upload, () => refused({ ...columns, tpColumns: [1], amountColumns: [3] }));
  const file = fileOf();
  paste(file);
  const choice = page.getByRole('region', { name: 'Choose the columns' });
  await expect.element(choice).toHaveTextContent('pump.csv · Read as text with commas');
  vi.spyOn(file, 'slice').mockImplementation(() => {
    throw new DOMException('The file has changed', 'NotReadableError');
  });
  await userEvent.click(page.getByRole('button', { name: 'Compare the file' }));
  await expect.element(choice).toHaveTextContent('The file was saved again since it was read.');
  await expect.element(page.getByRole('combobox', { name: 'Amount' })).toHaveTextContent('3: Value');
  const asked = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => undefined);
  await userEvent.click(page.getByRole('button', { name: 'Read it again' }));
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockRestore();
  paste(fileOf());
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-selected', 'true');
  expect(stage.asks(contract.hsdVerification.upload).at(-1)).toEqual({
    detail: 'true',
    headingRow: '2',
    tpColumn: '1',
    amountColumn: '3',
  });
});
