import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import type { Statement, StatementLine, StatementPrint } from '../../../src/shared/contract/owner-statements.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { idOf, owner } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { closeApp, openApp, page, press, toasts, userEvent } from '../support/screen.tsx';
import { paged } from '../support/kept.ts';

/** The screen of docs/specification.md §26.5 on a pretend network. */
const address = `/accounting/owner/${owner.id}/statement`;
const today = dayOf(new Date());

const line = (n: number, over: Partial<StatementLine>): StatementLine => ({
  id: String(n),
  kind: 'challan',
  day: '2026-04-12',
  recordId: idOf(n),
  number: `CH-2627-00000${n}`,
  tpNo: '0012',
  vehicleNo: 'OD09AB1234',
  loadingPlace: 'Joda',
  unloadingPlace: 'Paradip Port',
  challanCount: null,
  utr: '',
  note: '',
  freight: '1000.00',
  tds: '10.00',
  hsd: '0.00',
  advance: '0.00',
  office: '0.00',
  shortage: '0.00',
  payable: '990.00',
  paid: null,
  balance: '1090.00',
  ...over,
});
const none = { freight: null, tds: null, hsd: null, advance: null, office: null, shortage: null };
const statement: Statement = {
  owner: { id: owner.id, name: owner.name, contactNumber: owner.contactNumber },
  startDate: null,
  endDate: '2026-11-20',
  opening: '100.00',
  closing: '-900.00',
  totals: {
    freight: '1000.00',
    tds: '10.00',
    hsd: '0.00',
    advance: '0.00',
    office: '0.00',
    shortage: '0.00',
    payable: '990.00',
    paid: '1990.00',
  },
  lines: [
    line(1, {}),
    line(2, { ...none, kind: 'hold', payable: null, note: 'Papers missing' }),
    line(3, {
      ...none,
      kind: 'payment',
      number: 'PAY-2627-000007',
      challanCount: 2,
      utr: 'N0972620001',
      payable: null,
      paid: '1990.00',
      balance: '-900.00',
    }),
  ],
};
const print = (n: number, over: Partial<StatementPrint> = {}): StatementPrint => ({
  id: idOf(n),
  number: `ST-2627-00000${n}`,
  ownerId: owner.id,
  ownerName: owner.name,
  startDate: null,
  endDate: '2026-11-20',
  opening: '100.00',
  closing: '-900.00',
  lineCount: 3,
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: 'a@b.in',
  changedAt: null,
  ...over,
});

let stage: Desk;
/** Names of the files that were saved. */
let saved: string[];
beforeEach(() => {
  stage = fakeServer();
  const calls = contract.ownerStatements;
  const fileOf = (id: string, format: string) => ({ name: `statement_ST-2627-00000${Number(id.slice(-6))}.${format}` });
  stage.serve(calls.current, () => ({ data: statement }));
  stage.serve(calls.pdf, ({ params }) => fileOf(params.id, 'pdf'));
  stage.serve(calls.xlsx, ({ params }) => fileOf(params.id, 'xlsx'));
  stage.serve(calls.print, () => ({ data: print(9) }));
  stage.serve(calls.list, ({ query }) => paged([print(2), print(1)], query));
  saved = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const cell = (row: number, column: string): string =>
  document.querySelector(`.ag-row[row-id="${row}"] [col-id="${column}"]`)?.textContent?.trim() ?? 'no cell';
const card = (label: string): string =>
  [...document.querySelectorAll('[aria-label="Summary"] dl')].find((item) => item.textContent?.startsWith(label))
    ?.lastElementChild?.textContent ?? 'no card';

test('says what is owed and why: balances, each deduction, payments with UTR, holds with their reason', async () => {
  await openApp(address);
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Statement of Ravi Kumar');
  expect(stage.asks(contract.ownerStatements.current)).toEqual([{ ownerId: owner.id, endDate: today }]);
  expect(['Opening Balance', 'Payable', 'Paid', 'Closing Balance'].map(card)).toEqual([
    '₹100.00',
    '₹990.00',
    '₹1,990.00',
    '-₹900.00',
  ]);
  await expect.element(page.getByText('owed by the owner on 20/11/2026')).toBeVisible();
  expect(['day', 'kind', 'number', 'freight', 'tds'].map((column) => cell(1, column))).toEqual([
    '12/04/2026',
    'Challan',
    'CH-2627-000001',
    '₹1,000.00',
    '₹10.00',
  ]);
  expect([cell(2, 'kind'), cell(3, 'kind'), cell(3, 'details')]).toEqual([
    'Put on hold',
    'Payment',
    '2 challans · UTR N0972620001',
  ]);
});

test('asks for the days of the address, and never for one that is to come', async () => {
  await openApp(`${address}?startDate=2026-04-01&endDate=2190-04-30`);
  expect(stage.asks(contract.ownerStatements.current)).toEqual([
    { ownerId: owner.id, startDate: '2026-04-01', endDate: today },
  ]);
});

test('a failed call can be tried again, and days in which nothing happened say so', async () => {
  stage.once(contract.ownerStatements.current, () => refusal('INTERNAL_ERROR', 'Something went wrong'));
  await openApp(address, '[role="alert"]');
  stage.once(contract.ownerStatements.current, () => ({ data: { ...statement, lines: [] } }));
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.element(page.getByText('No entries in this period')).toBeVisible();
});

test('an owner of nobody here is said', async () => {
  stage.once(contract.ownerStatements.current, () => refusal('NOT_FOUND', 'Owner not found'));
  await openApp(address, 'main h1');
  await expect.element(page.getByText('Owner not found')).toBeVisible();
});

test('P prints what is shown and saves its PDF; a try after a lost answer is the same print', async () => {
  await openApp(`${address}?startDate=2026-04-01&endDate=2026-04-30`);
  const keys: (string | null)[] = [];
  const send = window.fetch;
  vi.spyOn(window, 'fetch').mockImplementation((input, init) => {
    const key = new Headers(init?.headers).get('idempotency-key');
    if (key !== null) keys.push(key);
    return send(input, init);
  });
  stage.once(contract.ownerStatements.print, () => refusal('SERVICE_UNAVAILABLE', 'The server is busy'));
  await press('p');
  await vi.waitFor(() => expect(toasts()).toContain('The server is busy'));
  const answer = stage.hold(contract.ownerStatements.print, () => ({ data: print(9) }));
  await press('p');
  await vi.waitFor(() => expect(stage.calls(contract.ownerStatements.print)).toHaveLength(2));
  // While it is under way a second press does nothing.
  await press('p');
  answer();
  await vi.waitFor(() => expect(saved).toEqual(['statement_ST-2627-000009.pdf']));
  await vi.waitFor(() => expect(toasts()).toContain('Statement ST-2627-000009 printed, closing balance -₹900.00'));
  const body = { ownerId: owner.id, startDate: '2026-04-01', endDate: '2026-04-30' };
  expect(stage.calls(contract.ownerStatements.print).map((asked) => asked.body)).toEqual([body, body]);
  expect(new Set(keys).size).toBe(1);
});

test('L lists what was printed: Enter saves the PDF again, Ctrl+Shift+E the workbook', async () => {
  await openApp(address);
  await press('l');
  const dialog = page.getByRole('dialog', { name: 'Printed statements' });
  await expect.element(dialog.getByText('ST-2627-000002')).toBeVisible();
  await userEvent.click(dialog.getByText('The beginning').first());
  await vi.waitFor(() => expect(document.activeElement?.closest('.ag-cell')).not.toBeNull());
  await press('{Enter}');
  await vi.waitFor(() => expect(saved).toEqual(['statement_ST-2627-000002.pdf']));
  await press('{Control>}{Shift>}e{/Shift}{/Control}');
  await vi.waitFor(() => expect(saved).toEqual(['statement_ST-2627-000002.pdf', 'statement_ST-2627-000002.xlsx']));
});

test('B corrects the opening balance: what is missing is said, who owes gives the sign', async () => {
  const entry = { entryNo: 1, asOf: '2026-03-31', amount: '500.00', note: 'Old book' };
  const kept = { ...entry, createdAt: '2026-11-20T10:00:00.000Z', createdBy: 'a@b.in' };
  stage.serve(contract.ownerStatements.setOpenings, () => ({ data: { count: 1 } }));
  stage.serve(contract.ownerStatements.listOpenings, ({ query }) => paged([kept], query));
  await openApp(address);
  await press('b');
  const dialog = page.getByRole('dialog', { name: 'Opening balance' });
  await expect.element(dialog.getByText('₹500.00, we owe the owner')).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await expect.element(dialog.getByText('Please enter the day')).toBeVisible();
  await expect.element(dialog.getByText('Please enter the balance')).toBeVisible();
  await userEvent.fill(dialog.getByRole('textbox', { name: 'At the end of' }), '31/03/2026');
  await userEvent.click(dialog.getByRole('combobox', { name: 'Who owes' }));
  await userEvent.click(page.getByRole('option', { name: 'The owner owes us' }));
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Balance' }), '450.5');
  await press('{Tab}');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Opening balance saved: ₹450.50, the owner owes us'));
  const entries = [{ ownerId: owner.id, asOf: '2026-03-31', amount: '-450.50', note: '' }];
  expect(stage.writes(contract.ownerStatements.setOpenings)).toEqual([{ entries }]);
  await expect.element(dialog).not.toBeInTheDocument();
  // The statement is asked again.
  await vi.waitFor(() => expect(stage.calls(contract.ownerStatements.current)).toHaveLength(2));
});

test('an opening balance that is corrected after a lost answer is a request of its own; the same one again is not', async () => {
  stage.serve(contract.ownerStatements.setOpenings, () => refusal('SERVICE_UNAVAILABLE', 'The database is away'));
  stage.serve(contract.ownerStatements.listOpenings, ({ query }) => paged([], query));
  const keys = () => stage.calls(contract.ownerStatements.setOpenings).map(({ key }) => key);
  await openApp(address);
  await press('b');
  const dialog = page.getByRole('dialog', { name: 'Opening balance' });
  await userEvent.fill(dialog.getByRole('textbox', { name: 'At the end of' }), '31/03/2026');
  const save = async (balance: string, times: number): Promise<void> => {
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Balance' }), balance);
    await press('{Tab}');
    await press('{Control>}{Enter}{/Control}');
    await vi.waitFor(() => expect(keys()).toHaveLength(times));
    await expect.element(dialog.getByRole('button', { name: 'Working' })).not.toBeInTheDocument();
  };
  await save('450.5', 1);
  await save('450.5', 2);
  await save('540.5', 3);
  expect(keys()[1]).toBe(keys()[0]);
  expect(keys()[2]).not.toBe(keys()[0]);
});

test('opening balances of many owners are pasted, checked by name, and saved when every row is right', async () => {
  const candidate = (n: number, name: string) => ({
    id: idOf(n),
    name,
    contactNumber: '9876543210',
    address: '',
    branchName: '',
    panEnding: '234F',
  });
  let letSlowAnswer: () => void = () => undefined;
  stage.serve(contract.challans.checkSheet, async ({ body: { rows } }) => {
    if (rows[0]?.ownerName === 'Slow') await new Promise<void>((resolve) => (letSlowAnswer = resolve));
    const found = (name = '') =>
      ({ Ravi: [candidate(901, 'Ravi')], Twin: [candidate(3, 'Twin'), candidate(4, 'Twin')] })[name] ?? [];
    const data = {
      vehicles: [],
      owners: rows.map(({ ownerName }) => ({ asked: ownerName ?? '', found: found(ownerName) })),
      tags: [],
      petrolPumps: [],
      lastTds: [],
      declarations: [],
      lastRates: [],
      twins: [],
    };
    return { data };
  });
  stage.serve(contract.ownerStatements.setOpenings, () => ({ data: { count: 1 } }));
  await openApp('/accounting/opening-balances', '[aria-label="Opening balances"]');
  const paste = (text: string) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  };
  paste(
    'Owner\tDay\tBalance\nRavi\t31/03/2026\t450 Dr\nTwin\t31/03/2026\t1\nNobody\t31/03/2026\t2\nRavi\t31/03/2026\t3',
  );
  await vi.waitFor(() =>
    expect([2, 3, 4, 5].map((row) => cell(row, 'problem'))).toEqual([
      'Right',
      "2 owners have this name. Enter the balance in the owner's statement.",
      'No owner has this name',
      'This owner is already in row 2',
    ]),
  );
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() =>
    expect(toasts()).toContain('3 rows are wrong. Correct them in the spreadsheet and paste again.'),
  );
  expect(stage.calls(contract.ownerStatements.setOpenings)).toEqual([]);
  // The owners of an earlier paste are found after those of a later one, and do not replace its rows.
  paste('Slow\t31/03/2026\t1');
  await vi.waitFor(() => expect(stage.calls(contract.challans.checkSheet).length).toBe(2));
  paste('Ravi\t31/03/2026\t450 Dr\tOld book');
  await vi.waitFor(() => expect(cell(1, 'problem')).toBe('Right'));
  letSlowAnswer();
  await expect.element(page.getByRole('button', { name: 'Save Opening Balances' })).toBeEnabled();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('1 opening balance saved'));
  const entries = [{ ownerId: idOf(901), asOf: '2026-03-31', amount: '-450.00', note: 'Old book' }];
  expect(stage.writes(contract.ownerStatements.setOpenings)).toEqual([{ entries }]);
});
