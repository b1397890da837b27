import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import {
  shippedLedgers,
  type TallyChanged,
  type TallyExport,
  type TallySettings,
} from '../../../src/shared/contract/tally.ts';
import { buildBankAccount } from '../support/bank-answers.ts';
import { idOf } from '../support/builders.ts';
import { watchDownloads } from '../support/downloads.ts';
import { refusal } from '../support/fake-server.ts';
import { paged } from '../support/kept.ts';
import { fakeServer, type Desk } from '../support/records.ts';
import { cellText, closeApp, openApp, page, press, toasts, userEvent } from '../support/screen.tsx';

const { tally } = contract;
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const buildExport = (n: number, over: Partial<TallyExport> = {}): TallyExport => ({
  id: idOf(n),
  number: `TLY-2627-00000${n}`,
  kind: 'period',
  from: '2026-04-01',
  to: '2026-04-30',
  challanCount: 40,
  transferCount: 3,
  voucherCount: 25,
  amount: '1250000.00',
  createdAt: '2026-05-02T05:30:00.000Z',
  createdBy: 'Sita',
  ...over,
});
const buildChanged = (n: number, over: Partial<TallyChanged> = {}): TallyChanged => ({
  id: idOf(n),
  record: 'challan',
  recordId: idOf(n),
  name: `CH-2627-00000${n}`,
  ownerName: 'Bijay Mohanta',
  change: 'changed',
  day: '2026-04-12',
  amountExported: '19551.00',
  amountNow: '24550.00',
  exportNumber: 'TLY-2627-000001',
  exportedAt: '2026-05-02T05:30:00.000Z',
  ...over,
});
const settings: TallySettings = {
  ledgers: shippedLedgers,
  accounts: [],
  grouping: 'day',
  masterCount: 0,
  updatedAt: null,
  version: 0,
};

function stageOf(files: TallyExport[], changed: TallyChanged[] = []): Desk {
  const stage = fakeServer();
  stage.serve(tally.list, ({ query }) => paged(files, query));
  stage.serve(tally.listChanged, ({ query }) => paged(changed, query));
  stage.serve(contract.bankAccounts.list, ({ query }) => paged([buildBankAccount(7)], query));
  stage.serve(tally.getSettings, () => ({ data: settings }));
  stage.serve(tally.updateSettings, ({ body }) => {
    if (body.version !== 0) throw refusal('VERSION_CONFLICT', 'Changed');
    return { data: { ...settings, ...body, masterCount: body.masters?.length ?? 0, version: 1 } };
  });
  stage.serve(tally.download, () => ({ name: 'tally.xml', text: '<ENVELOPE/>' }));
  stage.serve(tally.create, ({ body }) => {
    const made = buildExport(files.length + 1, { kind: body.what.kind });
    files.unshift(made);
    return { data: made };
  });
  return stage;
}

test('N makes a file of the days that were typed, and the list has it; it says that nobody has certified it', async () => {
  const saved = watchDownloads();
  const stage = stageOf([buildExport(1)]);
  await openApp('/accounting/tally');
  expect(
    ['number', 'kind', 'from', 'voucherCount', 'amount', 'createdBy'].map((column) => cellText(1, column)),
  ).toEqual(['TLY-2627-000001', 'Period', '01/04/2026', '25', '₹12,50,000.00', 'Sita']);
  await press('n');
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText('Not certified by Tally')).toBeVisible();
  const from = dialog.getByRole('textbox', { name: 'From' });
  await userEvent.fill(from, '01/06/2026');
  await userEvent.fill(dialog.getByRole('textbox', { name: 'To' }), '31/05/2026');
  await press('{Control>}{Enter}{/Control}');
  await expect.element(dialog.getByText('The end date cannot be before the start date')).toBeVisible();
  await userEvent.fill(dialog.getByRole('textbox', { name: 'To' }), '30/06/2026');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('TLY-2627-000002 made'));
  expect(stage.writes(tally.create)).toMatchObject([
    { what: { kind: 'period', from: '2026-06-01', to: '2026-06-30' } },
  ]);
  await vi.waitFor(() => expect(cellText(2, 'number')).toBe('TLY-2627-000002'));
  await vi.waitFor(() => expect(saved).toEqual(['tally.xml']));
});

test('S names the ledgers; masters that are read in propose names, which are saved with the version', async () => {
  const stage = stageOf([buildExport(1)]);
  await openApp('/accounting/tally');
  await press('s');
  const freight = page.getByRole('textbox', { name: 'Freight expense' });
  await expect.element(freight).toHaveValue('Freight Charges');
  const xml = `<ENVELOPE><LEDGER NAME="FREIGHT  CHARGES" RESERVEDNAME=""/><LEDGER NAME="TDS Payable &amp; 194C"></LEDGER><LEDGER NAME="ରାମ"/></ENVELOPE>`;
  await userEvent.upload(page.getByLabelText('Masters of Tally'), new File([xml], 'Masters.xml'));
  await expect.element(freight).toHaveValue('FREIGHT  CHARGES');
  await expect.element(page.getByRole('textbox', { name: 'TDS payable' })).toHaveValue('TDS Payable & 194C');
  const advance = page.getByRole('textbox', { name: 'Advances' });
  await userEvent.clear(advance);
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('Please enter the name of the ledger')).toBeVisible();
  await userEvent.fill(advance, 'Cash at Joda');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Ledgers saved'));
  expect(stage.writes(tally.updateSettings)).toMatchObject([
    {
      ledgers: { freight: 'FREIGHT  CHARGES', tds: 'TDS Payable & 194C', advance: 'Cash at Joda' },
      accounts: [{ id: idOf(407), ledger: 'Account 7' }],
      masters: ['FREIGHT  CHARGES', 'TDS Payable & 194C', 'ରାମ'],
      version: 0,
    },
  ]);
});

test('what changed since it was exported, by a filter; N makes a file of what is listed', async () => {
  const stage = stageOf([], [buildChanged(1, { change: 'deleted', amountNow: null })]);
  await openApp('/accounting/tally/changed?change=deleted');
  expect(
    ['name', 'change', 'amountExported', 'amountNow', 'exportNumber'].map((column) => cellText(1, column)),
  ).toEqual(['CH-2627-000001', 'Deleted', '₹19,551.00', '–', 'TLY-2627-000001']);
  expect(stage.asks(tally.listChanged).at(-1)).toMatchObject({ change: 'deleted' });
  await press('n');
  await expect.element(page.getByText('Make a file of 1 change?')).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('TLY-2627-000001 made'));
  expect(stage.writes(tally.create)).toEqual([{ what: { kind: 'changed', change: 'deleted' } }]);
});
