import { afterEach, expect, test, vi } from 'vitest';
import { type BankFile, type CheckedLine } from '../../../src/shared/contract/bank-files.ts';
import type { BankAccount } from '../../../src/shared/contract/bank-accounts.ts';
import type { PaymentBatch } from '../../../src/shared/contract/payment-batches.ts';
import { choose } from '../choose.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { account, buildLine, ownLayout, payment, shipped } from '../support/bank.ts';
import { idOf } from '../support/builders.ts';
import { paged } from '../support/kept.ts';
import { refusal } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { closeApp, focusPlace, openApp, page, hearing, press, userEvent } from '../support/screen.tsx';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const made: BankFile = {
  id: idOf(61),
  number: 'BF-2627-000012',
  createdAt: '2026-11-21T10:00:00.000Z',
  createdBy: 'a@b.in',
  accountName: account.name,
  layoutName: shipped.name,
  fileName: 'MTRL2111.007',
  serial: 7,
  valueOn: '2026-11-21',
  sha256: '0'.repeat(64),
  lineCount: 2,
  amount: '251000.50',
  leftOutCount: 4,
  leftOutAmount: '2500.00',
  payments: [payment.number],
  inFileCount: 2,
  executedCount: 0,
  failedCount: 0,
  returnedCount: 0,
};

/** Two that can be sent, and one for each of four reasons why not. */
const lines: readonly CheckedLine[] = [
  buildLine(1, 'Anil Jena', { amount: '1000.50' }),
  buildLine(2, 'Bijay Sahu', { amount: '250000.00', route: 'RTGS' }),
  buildLine(3, 'Chandra Rout', { hold: 'Papers missing' }),
  buildLine(4, 'Dibya Das', { ifsc: '' }),
  buildLine(5, 'Elina Bag', { amount: '-500.00' }),
  buildLine(6, 'Farid Khan', { sent: { fileNumber: 'BF-2627-000003', state: 'in-file' } }),
];
const answered = (some: readonly CheckedLine[]) => ({
  account,
  lines: [...some],
  amount: '253500.50',
  fileOn: '2026-11-21',
  serial: 7,
});

const summary = { updatedCount: 6, totalAmount: '253500.50', paidCount: 6, paidAmount: '253500.50' };

interface Scene {
  lines?: readonly CheckedLine[];
  accounts?: readonly BankAccount[];
  others?: readonly PaymentBatch[];
}

function stageOf({ lines: some = lines, accounts = [account], others = [] }: Scene = {}): Desk {
  const stage = fakeServer();
  const batches = [payment, ...others];
  // All on one page, more than a file takes.
  const onePage = { page: 1, limit: 100 };
  stage.serve(contract.paymentBatches.list, () => ({ ...paged(batches, onePage), summary }));
  stage.serve(contract.bankAccounts.list, ({ query }) => paged(accounts, query));
  stage.serve(contract.bankLayouts.list, () => ({ data: [shipped, ownLayout] }));
  stage.serve(contract.bankFiles.check, () => ({ data: answered(some) }));
  stage.serve(contract.bankFiles.create, () => ({ data: made }));
  stage.serve(contract.bankFiles.download, () => ({ name: 'bank-file.txt', text: 'bytes' }));
  return stage;
}

const dialog = () => page.getByRole('dialog', { name: `Bank file of ${payment.number}` });
const status = () =>
  dialog()
    .getByRole('status')
    .filter({ hasText: /\d lines?, / });
const make = () => dialog().getByRole('button', { name: 'Make and Download', exact: true });
const contents = () => dialog().getByLabelText('Contents of the file');
const cell = (n: number, column: string): Element | null =>
  document.querySelector(`[role="dialog"] [row-id="${payment.id} ${idOf(500 + n)}"] [col-id="${column}"]`);
const cellText = (n: number, column: string): string => cell(n, column)?.textContent?.trim() ?? 'no cell';
const bodies = (stage: Desk) => stage.writes(contract.bankFiles.create);
/** What the browser was given to save. */
const saves = () => vi.spyOn(URL, 'createObjectURL');

/** Opens the dialog of the payment by its key. */
async function openDialog(): Promise<void> {
  await openApp('/accounting/payments');
  await userEvent.click(document.querySelector(`[row-id="${payment.id}"] [col-id="createdAt"]`) as Element);
  await vi.waitFor(() => expect(focusPlace()).toBe('2 createdAt'));
  await press('b');
}

test('every line with how it goes or why it is left out; the sums; and the file as it will be', async () => {
  const stage = stageOf();
  await openDialog();
  await expect.element(status()).toHaveTextContent('2 lines, ₹2,51,000.50 · left out: 4 lines, ₹2,500.00');
  expect(stage.writes(contract.bankFiles.check)[0]).toEqual({ batchIds: [payment.id], bankAccountId: account.id });
  await vi.waitFor(() =>
    expect(
      [1, 2, 3, 4, 5, 6].map((n) => [cellText(n, 'name'), cellText(n, 'route'), cellText(n, 'leftOutBecause')]),
    ).toEqual([
      ['Anil Jena', 'NEFT', ''],
      ['Bijay Sahu', 'RTGS', ''],
      ['Chandra Rout', 'NEFT', 'The owner is on hold: Papers missing.'],
      ['Dibya Das', 'NEFT', 'The IFSC is missing.'],
      ['Elina Bag', 'NEFT', 'The amount is -₹500.00; only an amount above 0 can be transferred.'],
      ['Farid Khan', 'NEFT', 'Already in bank file BF-2627-000003.'],
    ]),
  );
  expect(contents().element().textContent).toBe(
    'PAY2627000002-01,Anil Jena,50100000001,1000.50\nPAY2627000002-02,Bijay Sahu,50100000002,250000.00\n',
  );
  await expect.element(dialog().getByText('MTRL2111.007')).toBeVisible();
});

test('a line is left out by hand, and its route is changed only to one that fits', async () => {
  const stage = stageOf();
  await openDialog();
  await expect.element(status()).toHaveTextContent('2 lines');
  await vi.waitFor(() => expect(cell(1, 'name')).not.toBeNull());
  await userEvent.click(cell(1, 'name') as Element);
  // After NEFT: RTGS starts higher, so IMPS; after that an internal transfer is of another bank, so NEFT again.
  await press('r');
  await vi.waitFor(() => expect(cellText(1, 'route')).toBe('IMPS'));
  await press('r');
  await vi.waitFor(() => expect(cellText(1, 'route')).toBe('NEFT'));
  await press('r');
  await vi.waitFor(() => expect(cellText(1, 'route')).toBe('IMPS'));
  await userEvent.click(dialog().getByRole('checkbox', { name: 'Send Bijay Sahu' }));
  await expect.element(status()).toHaveTextContent('1 line, ₹1,000.50 · left out: 5 lines, ₹2,52,500.00');
  expect(contents().element().textContent).toBe('PAY2627000002-01,Anil Jena,50100000001,1000.50\n');
  const saved = saves();
  await userEvent.click(make());
  await expect.element(dialog()).not.toBeInTheDocument();
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(bodies(stage)).toMatchObject([
    {
      batchIds: [payment.id],
      bankAccountId: account.id,
      layoutId: 'A',
      lines: [{ batchId: payment.id, ownerId: idOf(501), amount: '1000.50', route: 'IMPS' }],
    },
  ]);
});

test('a line to an account to which the last transfer failed is sent only once it is ticked itself', async () => {
  const failedTransfer = { state: 'failed', day: '2026-11-20', reason: 'ACCOUNT CLOSED' } as const;
  const stage = stageOf({ lines: [...lines.slice(0, 2), buildLine(3, 'Chandra Rout', { failedTransfer })] });
  await openDialog();
  await expect.element(status()).toHaveTextContent('2 lines, ₹2,51,000.50 · left out: 1 line, ₹2,500.00');
  await expect.element(dialog().getByText(/^Chandra Rout \(Failed 20\/11: ACCOUNT CLOSED\)\./)).toBeVisible();
  await vi.waitFor(() =>
    expect(cellText(3, 'leftOutBecause')).toBe('Failed 20/11: ACCOUNT CLOSED. It is sent again only if you choose it.'),
  );
  const all = dialog().getByRole('checkbox', { name: 'Send all lines' });
  await userEvent.click(all);
  await expect.element(status()).toHaveTextContent('0 lines');
  await userEvent.click(all);
  await expect.element(status()).toHaveTextContent('2 lines, ₹2,51,000.50');
  await userEvent.click(dialog().getByRole('checkbox', { name: 'Send Chandra Rout' }));
  await expect.element(status()).toHaveTextContent('3 lines');
  await vi.waitFor(() => expect(cellText(3, 'leftOutBecause')).toBe(''));
  await userEvent.click(make());
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(bodies(stage)[0]?.lines.map(({ ownerId, isConfirmed }) => [ownerId, isConfirmed])).toEqual([
    [idOf(501), false],
    [idOf(502), false],
    [idOf(503), true],
  ]);
});

test('the lines of a payment that was imported as paid are sent only once it is said that they were not', async () => {
  const stage = stageOf({ lines: [buildLine(1, 'Anil Jena', { isImported: true, amount: '253500.50' })] });
  await openDialog();
  await expect.element(dialog().getByText(`${payment.number} was imported as paid`)).toBeVisible();
  await expect.element(make()).toHaveAttribute('aria-disabled', 'true');
  await expect.element(status()).toHaveTextContent('0 lines, ₹0.00 · left out: 1 line, ₹2,53,500.50');
  await userEvent.click(dialog().getByRole('checkbox', { name: 'It was not sent before: send the lines' }));
  await expect.element(status()).toHaveTextContent('1 line, ₹2,53,500.50');
  await userEvent.click(make());
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(bodies(stage)[0]?.lines).toMatchObject([{ ownerId: idOf(501), isConfirmed: true }]);
});

test('without a paying account it says what to do', async () => {
  stageOf({ accounts: [] });
  await openDialog();
  await expect.element(dialog().getByText('No paying account yet')).toBeVisible();
  await expect
    .element(dialog().getByText('Add the bank account that you pay from. A bank file is made for one account.'))
    .toBeVisible();
  await expect
    .element(dialog().getByRole('link', { name: 'Open Bank Accounts' }))
    .toHaveAttribute('href', '/profile/bank-accounts');
  await expect.element(make()).not.toBeInTheDocument();
});

test('accounts that cannot be fetched say why, and are asked for again', async () => {
  const stage = stageOf();
  stage.once(contract.bankAccounts.list, () => refusal('INTERNAL_ERROR', 'The accounts are away'));
  await openDialog();
  await expect.element(dialog().getByText('The accounts are away')).toBeVisible();
  await userEvent.click(dialog().getByRole('button', { name: 'Retry' }));
  await expect.element(status()).toHaveTextContent('2 lines, ₹2,51,000.50');
  await press('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await vi.waitFor(() => expect(focusPlace()).toBe('2 createdAt'));
});

test('nothing is made while the lines are being checked', async () => {
  const stage = stageOf();
  const late = stage.hold(contract.bankFiles.check, () => ({ data: answered(lines) }));
  await openDialog();
  await expect.element(make()).toHaveAttribute('aria-disabled', 'true');
  await userEvent.hover(make());
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('The lines are still being checked');
  await press('{Control>}{Enter}{/Control}');
  late();
  await expect.element(make()).not.toHaveAttribute('aria-disabled');
  expect(stage.calls(contract.bankFiles.create)).toEqual([]);
});

test('lines that cannot be checked say why, and are asked for again', async () => {
  const stage = stageOf();
  stage.once(contract.bankFiles.check, () => refusal('INTERNAL_ERROR', 'The lines are away'));
  await openDialog();
  await expect.element(dialog().getByText('The lines are away')).toBeVisible();
  await expect.element(make()).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(dialog().getByRole('button', { name: 'Retry' }));
  await expect.element(status()).toHaveTextContent('2 lines, ₹2,51,000.50');
});

test('a payment that pays nothing any more makes no file', async () => {
  stageOf({ lines: [] });
  await openDialog();
  await expect.element(dialog().getByText('This payment no longer pays anything')).toBeVisible();
  await expect.element(dialog().getByText('No line can be sent.')).toBeVisible();
  await expect.element(make()).toHaveAttribute('aria-disabled', 'true');
});

test('an owner whose name the bank’s letters cannot write is left out alone, with the reason', async () => {
  stageOf({ lines: [buildLine(1, 'اردو'), buildLine(2, 'Vijay')] });
  await openDialog();
  await expect.element(status()).toHaveTextContent('1 line, ₹1,000.00 · left out: 1 line');
  await expect
    .element(dialog().getByText('The name cannot be written in the letters that the bank accepts.').first())
    .toBeInTheDocument();
  await expect.element(make()).not.toHaveAttribute('aria-disabled');
});

test('other details of an owner today are said before the file is made, and used when they are ticked', async () => {
  const today = { name: 'Anil Jena', accountNo: '60200000009', ifsc: 'SBIN0004321', branch: '', failedTransfer: null };
  const stage = stageOf({ lines: [buildLine(1, 'Anil Jena', { accountNo: '12', today })] });
  await openDialog();
  await expect
    .element(dialog().getByText('1 owner has different details today than when they were paid'))
    .toBeVisible();
  await expect.element(status()).toHaveTextContent('0 lines, ₹0.00');
  await userEvent.click(
    dialog().getByRole('checkbox', {
      name: 'Anil Jena, ₹1,000.00: account 60200000009 in place of 12, IFSC SBIN0004321 in place of HDFC0001234',
    }),
  );
  await expect.element(status()).toHaveTextContent('1 line, ₹1,000.00');
  await userEvent.click(make());
  await vi.waitFor(() =>
    expect(stage.writes(contract.bankFiles.create)[0]?.lines).toMatchObject([
      { corrected: { name: 'Anil Jena', accountNo: '60200000009', ifsc: 'SBIN0004321' } },
    ]),
  );
});

test('a changed owner with a long name is read as a whole when the keyboard comes to its box', async () => {
  const name = 'Shri Maa Mangala Bulk Carriers and Earth Movers Private Limited';
  const today = {
    name: `${name} of Barbil`,
    accountNo: '60200000009',
    ifsc: 'SBIN0004321',
    branch: '',
    failedTransfer: null,
  };
  stageOf({ lines: [1, 2, 3, 4, 5].map((nth) => buildLine(nth, name, { today })) });
  await openDialog();
  const boxes = dialog().getByRole('checkbox', { name: /in place of/ });
  await expect.element(boxes.nth(4)).toBeInTheDocument();
  const last = boxes.nth(4).element() as HTMLElement;
  last.focus();
  const list = last.closest('.overflow-y-auto')!.getBoundingClientRect();
  expect(last.parentElement!.getBoundingClientRect().bottom).toBeLessThanOrEqual(list.bottom + 1);
});

test('the sum above the limit of the account keeps the file from being made, and says so', async () => {
  const stage = stageOf();
  stage.once(contract.bankFiles.check, () => ({
    data: { ...answered(lines), account: { ...account, fileLimit: '250000.00' } },
  }));
  await openDialog();
  const said =
    'The lines come to ₹2,51,000.50; a file of this account is limited to ₹2,50,000.00. Leave some lines for another file.';
  await expect.element(dialog().getByText(said)).toBeVisible();
  await expect.element(make()).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(dialog().getByRole('checkbox', { name: 'Send Anil Jena' }));
  await expect.element(dialog().getByText(said)).not.toBeInTheDocument();
  await expect.element(make()).not.toHaveAttribute('aria-disabled');
});

test('other payments of the day go into the same file', async () => {
  const other = { ...payment, id: idOf(3), number: 'PAY-2627-000003' };
  const stage = stageOf({ others: [other, { ...payment, id: idOf(4), paidOn: '2026-11-19' }] });
  await openDialog();
  await userEvent.click(dialog().getByRole('checkbox', { name: 'Together with 1 more payment of 20/11/2026' }));
  await expect.element(page.getByRole('dialog', { name: 'Bank file of PAY-2627-000002 and 1 more' })).toBeVisible();
  await vi.waitFor(() =>
    expect(stage.writes(contract.bankFiles.check).at(-1)).toMatchObject({ batchIds: [payment.id, other.id] }),
  );
});

test('payments that were selected, over filters too, go into one file; once it is made nothing is selected', async () => {
  const others = [3, 4, 5].map((n) => ({
    ...payment,
    id: idOf(n),
    number: `PAY-2627-00000${n}`,
    paidOn: '2026-11-10',
    ...(n === 5 && { paidCount: 0, paidAmount: '0.00' }),
  }));
  const stage = stageOf({ others });
  const selected = () => page.getByRole('status').filter({ hasText: 'selected' });
  const box = (n: number) => page.getByRole('checkbox', { name: `Select PAY-2627-00000${n}`, exact: true });
  await openApp('/accounting/payments');
  await userEvent.click(box(4));
  await expect.element(selected()).toHaveTextContent('1 selected');
  stage.once(contract.paymentBatches.list, () => ({
    ...paged([payment, others[2] ?? payment], { page: 1, limit: 10 }),
    summary,
  }));
  await choose(page.getByRole('combobox', { name: 'Status', exact: true }), 'Paid');
  await expect.element(selected()).toHaveTextContent('1 selected (1 not on this page)');
  // It pays nothing any more.
  await expect.element(box(5)).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(document.querySelector(`[row-id="${payment.id}"] [col-id="createdAt"]`) as Element);
  await vi.waitFor(() => expect(focusPlace()).toBe('2 createdAt'));
  await press(' ');
  await expect.element(selected()).toHaveTextContent('2 selected (1 not on this page)');
  await press('b');
  const both = page.getByRole('dialog', { name: 'Bank file of PAY-2627-000004 and 1 more' });
  await expect.element(both.getByRole('status').filter({ hasText: 'line' })).toHaveTextContent('2 lines');
  await expect.element(both.getByRole('checkbox', { name: 'Together with' })).not.toBeInTheDocument();
  expect(stage.writes(contract.bankFiles.check).at(-1)).toMatchObject({ batchIds: [idOf(4), payment.id] });
  await press('{Escape}');
  await expect.element(both).not.toBeInTheDocument();
  await expect.element(selected()).toHaveTextContent('2 selected');
  await press('b');
  await expect.element(both.getByRole('status').filter({ hasText: 'line' })).toHaveTextContent('2 lines');
  const saved = saves();
  await press('{Control>}{Enter}{/Control}');
  await expect.element(both).not.toBeInTheDocument();
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(bodies(stage).map(({ batchIds }) => batchIds)).toEqual([[idOf(4), payment.id]]);
  await expect.element(selected()).not.toBeInTheDocument();
});

test('more payments than a file takes are said, and no file is begun', async () => {
  const others = Array.from({ length: 50 }, (_, n) => ({ ...payment, id: idOf(100 + n), number: `PAY-2627-0001${n}` }));
  const stage = stageOf({ others });
  const heard = hearing();
  await openApp('/accounting/payments');
  await userEvent.click(document.querySelector(`[row-id="${payment.id}"] [col-id="createdAt"]`) as Element);
  await vi.waitFor(() => expect(focusPlace()).toBe('2 createdAt'));
  await press('{Control>}a{/Control}');
  await expect.element(page.getByRole('status').filter({ hasText: 'selected' })).toHaveTextContent('51 selected');
  await press('b');
  await vi.waitFor(() => expect(heard).toContain('A bank file takes at most 50 payments. Deselect some.'));
  expect(stage.calls(contract.bankFiles.check)).toEqual([]);
});

test('a file that is refused keeps the dialog with the reason, and the lines are checked again', async () => {
  const stage = stageOf();
  const said = 'The payments have changed meanwhile. Check the lines again, then make the file.';
  stage.once(contract.bankFiles.create, () => refusal('SELECTION_CHANGED', said));
  await openDialog();
  await expect.element(status()).toHaveTextContent('2 lines');
  const fewer = stage.hold(contract.bankFiles.check, () => ({
    data: { ...answered(lines.slice(1)), amount: '252500.00' },
  }));
  await userEvent.click(make());
  await expect.element(dialog().getByText(said)).toBeVisible();
  await vi.waitFor(() => expect(stage.calls(contract.bankFiles.check)).toHaveLength(2));
  fewer();
  await expect.element(status()).toHaveTextContent('1 line, ₹2,50,000.00 · left out: 4 lines, ₹2,500.00');
  const saved = saves();
  await userEvent.click(make());
  await expect.element(dialog()).not.toBeInTheDocument();
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(bodies(stage).map((body) => body.lines.length)).toEqual([2, 1]);
});

test('two presses send once, and the dialog stays until the answer', async () => {
  const stage = stageOf();
  const late = stage.hold(contract.bankFiles.create, () => ({ data: made }));
  const saved = saves();
  await openDialog();
  await expect.element(status()).toHaveTextContent('2 lines');
  const pressed = make().element() as HTMLElement;
  pressed.click();
  pressed.click();
  await vi.waitFor(() => expect(pressed.getAttribute('aria-busy')).toBe('true'));
  await press('{Control>}{Enter}{/Control}');
  await press('{Escape}');
  await expect.element(dialog()).toBeVisible();
  late();
  await expect.element(dialog()).not.toBeInTheDocument();
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(stage.calls(contract.bankFiles.create)).toHaveLength(1);
});

test('a file that was made but cannot be downloaded keeps the dialog, and is downloaded again, not made again', async () => {
  const stage = stageOf();
  const heard = hearing();
  stage.once(contract.bankFiles.download, () => refusal('INTERNAL_ERROR', 'The file is away'));
  const saved = saves();
  await openDialog();
  await expect.element(status()).toHaveTextContent('2 lines');
  await userEvent.click(make());
  await expect.element(dialog().getByText('Bank file BF-2627-000012 was made but not downloaded')).toBeVisible();
  await vi.waitFor(() => expect(heard).toContain('The file is away'));
  expect(saved).not.toHaveBeenCalled();
  await userEvent.click(dialog().getByRole('button', { name: 'Download Again' }));
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(saved).toHaveBeenCalledOnce();
  expect(stage.calls(contract.bankFiles.create)).toHaveLength(1);
});
