import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import { paymentOwnerColumns } from '../../../src/shared/columns/payment-batch-columns.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { PaymentBatch, PaymentLine, PaymentOwner } from '../../../src/shared/contract/payment-batches.ts';
import { buildPayment, coal, idOf, otherOwner, owner } from '../support/builders.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import {
  cellText,
  closeApp,
  focusPlace,
  openApp,
  page,
  press,
  searchNow,
  shownRows,
  toasts,
  userEvent,
} from '../support/screen.tsx';
import { find, holds, paged } from '../support/kept.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const buildLine = (n: number, over: Partial<PaymentLine> = {}): PaymentLine => ({
  challanId: idOf(100 + n),
  challanNumber: `CH-2627-${String(n).padStart(6, '0')}`,
  tpNo: `TP${n}`,
  vehicleNo: 'OD09AB1234',
  ownerId: owner.id,
  ownerName: owner.name,
  amount: `${1000 + n}.00`,
  reversedAt: null,
  ...over,
});

const { list, get, owners, exportCsv, reverse, takeBackCarry } = contract.paymentBatches;
const reads = [list, get, owners] as const;

const totalsOf = (batches: readonly PaymentBatch[]) => ({
  updatedCount: batches.reduce((count, { updatedCount }) => count + updatedCount, 0),
  totalAmount: sum(batches.map(({ totalAmount }) => totalAmount)),
  paidCount: batches.reduce((count, { paidCount }) => count + paidCount, 0),
  paidAmount: sum(batches.map(({ paidAmount }) => paidAmount)),
});

/** The lines under their owners, in their order. */
function ownersOf(lines: readonly PaymentLine[]): PaymentOwner[] {
  return [...new Set(lines.map(({ ownerId }) => ownerId))].map((ownerId) => {
    const own = lines.filter((line) => line.ownerId === ownerId);
    const live = own.filter(({ reversedAt }) => reversedAt === null);
    return {
      ownerId,
      name: own[0]?.ownerName ?? '',
      contactNumber: '9876543210',
      accountNo: '00012345',
      ifsc: 'SBIN0001234',
      branchName: 'Joda',
      challanCount: own.length,
      amount: sum(own.map(({ amount }) => amount)),
      paidCount: live.length,
      paidAmount: sum(live.map(({ amount }) => amount)),
      bankState: null,
      bankFile: null,
      utr: '',
      carries: [],
      challans: own,
    };
  });
}

/** The server with these payments. One that is reversed is shown so from then on. */
function stageOf(batches: PaymentBatch[], lines: PaymentLine[] = [buildLine(1)]): Desk {
  const stage = fakeServer();
  const batchOf = ({ id }: { id: string }) => find('Payment', batches, id);
  stage.serve(list, ({ query }) => ({ ...paged(batches, query), summary: totalsOf(batches) }));
  stage.serve(get, ({ params, query }) => {
    const { data, pagination } = paged(lines, query);
    return { data: { ...batchOf(params), lines: data }, pagination };
  });
  stage.serve(owners, ({ query }) =>
    paged(
      ownersOf(lines).filter(({ name }) => holds(name, query.search)),
      query,
    ),
  );
  stage.serve(exportCsv, ({ params }) => ({ name: `${batchOf(params).number}.csv`, text: 'Owner,Net\r\n' }));
  stage.serve(reverse, ({ params, body: { reason } }) => {
    const live = lines.filter(({ reversedAt }) => reversedAt === null);
    const undone = { reversedCount: live.length, reversedAmount: sum(live.map(({ amount }) => amount)) };
    const batch = Object.assign(batchOf(params), {
      reversedAt: '2026-11-21T05:00:00.000Z',
      reversedReason: reason,
      reversedBy: 'a@b.in',
      paidCount: 0,
      paidAmount: '0.00',
      paidOwnerCount: 0,
    });
    return { data: { ...batch, ...undone } };
  });
  return stage;
}

const dialog = () => page.getByRole('dialog');
const question = () => page.getByRole('alertdialog');
const goTo = async (n: number): Promise<void> => {
  const cell = document.querySelector(`section[aria-label="Payments"] [row-id="${idOf(n)}"] [col-id="createdAt"]`);
  await userEvent.click(cell as Element);
  await vi.waitFor(() => expect(focusPlace()).toBe(`${n} createdAt`));
};

test('lists the payments: how many, how much, how chosen, and whether and why undone', async () => {
  const stage = stageOf([
    buildPayment(3, { kind: 'filter', updatedCount: 1284, ownerCount: 87, totalAmount: '123456789.50' }),
    buildPayment(2, { reversedAt: '2026-11-20T12:00:00.000Z', reversedReason: 'Paid twice', reversedBy: 'a@b.in' }),
    buildPayment(1, { kind: 'single' }),
  ]);
  await openApp('/accounting/payments');
  expect(stage.asks(...reads)).toEqual([{ page: '1', limit: '10' }]);
  expect(shownRows()).toEqual(['3', '2', '1']);
  const row = (n: number): string[] =>
    ['number', 'createdAt', 'kind', 'updatedCount', 'ownerCount', 'totalAmount', 'reversedAt', 'reversedReason'].map(
      (column) => cellText(n, column),
    );
  expect(row(3)).toEqual([
    'PAY-2627-000003',
    '20/11/2026 15:30',
    'All matching a filter',
    '1,284',
    '87',
    '₹12,34,56,789.50',
    'Paid',
    '',
  ]);
  expect(row(2).slice(-2)).toEqual(['Undone', 'Paid twice']);
  expect(row(1)[2]).toBe('One challan');
});

test('I shows the payment of the focused row beside the list', async () => {
  stageOf([buildPayment(2), buildPayment(1)]);
  await openApp('/accounting/payments');
  await goTo(1);
  await expect.element(page.getByRole('button', { name: 'Details Beside the List' })).toBeVisible();
  await press('i');
  const panel = () => document.getElementById('details-beside');
  await vi.waitFor(() => expect(panel()?.querySelector('h2')?.textContent).toBe('Payment PAY-2627-000001'));
  await vi.waitFor(() => expect(panel()?.querySelector('.ag-row')).not.toBeNull());
  await press('{ArrowUp}');
  await vi.waitFor(() => expect(panel()?.querySelector('h2')?.textContent).toBe('Payment PAY-2627-000002'));
});

/** As many owners as lines, each with a name of its own. */
const linesOf = (count: number): PaymentLine[] =>
  Array.from({ length: count }, (_, index) =>
    buildLine(index + 1, { ownerId: idOf(500 + index), ownerName: `Owner ${index + 1}` }),
  );
const headRow = (n: number) => document.querySelector(`[role="dialog"] [row-id="${idOf(499 + n)}"]`)?.textContent;

/** The cells of these columns that end in sight, before the column of actions. */
const inSight = (within: string, columns: readonly string[]): string[] => {
  const right = (of: string) => document.querySelector(`${within} ${of}`)?.getBoundingClientRect().right ?? NaN;
  const end =
    document.querySelector(`${within} .ag-header-cell[col-id="grid-actions"]`)?.getBoundingClientRect().left ?? 0;
  return columns.filter((column) => right(`.ag-header-cell[col-id="${column}"]`) <= end + 1);
};

test('at 1366 pixels with the details beside it the list shows its sum, and the details each amount', async () => {
  stageOf([buildPayment(1, { ownerCount: 12, updatedCount: 12, totalAmount: '539780799.67' })], linesOf(12));
  await openApp('/accounting/payments');
  await goTo(1);
  await press('i');
  await vi.waitFor(() => expect(document.querySelector('#details-beside .ag-row')).not.toBeNull());
  expect(inSight('#details-beside', ['name', 'amount'])).toEqual(['name', 'amount']);
  expect(inSight('section[aria-label="Payments"]', ['createdAt', 'totalAmount'])).toEqual(['createdAt', 'totalAmount']);
});

test.each([1366, 1920])('the details of a payment show every heading whole at %i pixels', async (width) => {
  await page.viewport(width, 1080);
  onTestFinished(() => page.viewport(1366, 768));
  stageOf([buildPayment(1, { ownerCount: 12, updatedCount: 12 })], linesOf(12));
  await openApp(`/accounting/payments?open=${idOf(1)}`);
  await vi.waitFor(() => expect(document.querySelector('[role="dialog"] .ag-row')).not.toBeNull());
  const columns = paymentOwnerColumns.map(({ key }) => key);
  expect(inSight('[role="dialog"]', columns)).toEqual(columns);
});

test('Shift+B in the details adds up the challans that the payment still pays', async () => {
  stageOf([buildPayment(1)]);
  await openApp(`/accounting/payments?open=${idOf(1)}`);
  await expect.element(dialog().getByText('Total Amount')).toBeVisible();
  await press('{Shift>}b{/Shift}');
  await vi.waitFor(() => expect(location.pathname + location.search).toBe('/challans?groupBy=owner'));
  expect(location.hash).toBe('#paymentIs=PAY-2627-000001');
});

test('Enter opens a payment with a page of its owners and their sum; the pages turn inside; Escape comes back', async () => {
  const lines = linesOf(12);
  const stage = stageOf(
    [
      buildPayment(2, {
        kind: 'filter',
        updatedCount: 12,
        ownerCount: 12,
        totalAmount: '12078.00',
        appliedFilters: { ownerId: otherOwner.id, tagId: coal.id, depositedEndDate: '2026-11-13' },
      }),
      buildPayment(1),
    ],
    lines,
  );
  await openApp('/accounting/payments');
  await goTo(2);
  await press('{Enter}');
  await expect.element(dialog()).toHaveTextContent('Payment PAY-2627-000002');
  await expect.element(dialog().getByText('12 challans of 12 owners')).toBeVisible();
  await expect
    .element(dialog().getByText(`All unpaid challans · owner ${otherOwner.name} · tag COAL · deposited to 13/11/2026`))
    .toBeVisible();
  await expect.element(dialog().getByText('1-10 of 12 owners')).toBeVisible();
  await vi.waitFor(() =>
    expect(document.querySelector('[role="dialog"] .ag-row-pinned')?.textContent).toContain('₹12,078.00'),
  );
  await press('{Alt>}{PageDown}{/Alt}');
  await expect.element(dialog().getByText('11-12 of 12 owners')).toBeVisible();
  expect(searchNow()).toEqual({ open: idOf(2), owners: '2' });
  await press('{Control>}{ArrowDown}{/Control}');
  await expect.element(dialog()).toHaveTextContent('Payment PAY-2627-000001');
  expect(searchNow()).toEqual({ open: idOf(1) });
  await press('{Control>}{ArrowDown}{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['This is the last payment on this page']));
  await press('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(focusPlace).toBe('1 createdAt');
  expect(searchNow()).toEqual({});
  expect(stage.asks(...reads).filter(({ page: asked }) => asked === '2')).toHaveLength(1);
});

test('an owner opens to its challans, is found by name, and a challan leads to the list', async () => {
  const lines = [...linesOf(12), buildLine(13, { ownerId: idOf(501), ownerName: 'Owner 2' })];
  const stage = stageOf([buildPayment(2, { updatedCount: 13, ownerCount: 12, totalAmount: '13091.00' })], lines);
  const router = await openApp(`/accounting/payments?open=${idOf(2)}`);
  await vi.waitFor(() => expect(headRow(2)).toContain('Owner 2'));
  // Name, account, IFSC, challans, amount, state and what is still paid.
  for (const text of ['00012345', 'SBIN0001234', '2', '₹2,015.00', 'Paid']) expect(headRow(2)).toContain(text);
  await expect.element(dialog().getByText('CH-2627-000013')).not.toBeInTheDocument();
  await press('/');
  await press('owner 2');
  await expect.element(dialog().getByText('1-1 of 1 owners')).toBeVisible();
  expect(stage.asks(owners).at(-1)).toEqual({ page: '1', limit: '10', search: 'owner 2' });
  await userEvent.click(dialog().getByText('Owner 2', { exact: true }));
  await expect.element(dialog().getByText('CH-2627-000013')).toBeVisible();
  await userEvent.click(dialog().getByText('CH-2627-000013'));
  await vi.waitFor(() => expect(router.state.location.search).toBe(`?open=${idOf(113)}`));
});

test('a carry is a row of its owner, and is taken back only after a question', async () => {
  const minus = [buildLine(1, { amount: '-500.00' })];
  const stage = stageOf([buildPayment(2, { totalAmount: '0.00' })], minus);
  const carry = { kind: 'carry', amount: '500.00', otherId: null, otherNumber: null, isBack: false } as const;
  const carried = ownersOf(minus).map((one) => ({ ...one, amount: '0.00', paidAmount: '0.00', carries: [carry] }));
  stage.once(owners, ({ query }) => paged(carried, query));
  stage.once(takeBackCarry, () => refusal('CARRIED', 'It was deducted by payment PAY-2627-000009 meanwhile.'));
  await openApp(`/accounting/payments?open=${idOf(2)}`);
  // A single owner is open from the start.
  await expect.element(dialog().getByText('Carried into the next payment')).toBeVisible();
  const back = dialog()
    .getByRole('button', { name: /^Take Back the Carry/ })
    .first();
  await userEvent.click(back);
  await expect.element(question()).toHaveTextContent(`Take back the ₹500.00 that ${owner.name} owes?`);
  await press('{Escape}');
  await expect.element(question()).not.toBeInTheDocument();
  expect(stage.writes(takeBackCarry)).toEqual([]);
  await userEvent.click(back);
  await press('{Control>}{Enter}{/Control}');
  await expect.element(question()).toHaveTextContent('It was deducted by payment PAY-2627-000009 meanwhile.');
  stage.once(takeBackCarry, () => ({
    data: { ...buildPayment(2, { paidCount: 0 }), reversedCount: 1, reversedAmount: '-500.00' },
  }));
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['Carry taken back: 1 challan unpaid again']));
  expect(stage.calls(takeBackCarry).map(({ path }) => path)).toEqual(
    Array.from({ length: 2 }, () => `/payment-batches/${idOf(2)}/carries/${owner.id}/take-back`),
  );
});

test('the filters are in the address and asked of the server, with the sums of all that match', async () => {
  const stage = stageOf([
    buildPayment(3, { totalAmount: '2500.50', owner: { id: owner.id, name: 'Anil Jena' } }),
    buildPayment(2, {
      owner: { id: owner.id, name: 'Anil Jena' },
      challan: { id: idOf(9), challanNumber: 'CH-2627-000009' },
    }),
    buildPayment(1, { ownerCount: 12, updatedCount: 30 }),
  ]);
  await openApp('/accounting/payments?state=paid&amountFrom=500');
  expect(stage.asks(...reads)).toEqual([{ page: '1', limit: '10', state: 'paid', amountFrom: '500' }]);
  expect([3, 2, 1].map((n) => cellText(n, 'paidTo'))).toEqual(['Anil Jena', 'Anil Jena · CH-2627-000009', '12 owners']);
  await vi.waitFor(() => expect(document.querySelector('.ag-row-pinned')?.textContent).toContain('₹4,500.50'));
  await press('/');
  await press('anil');
  await expect.poll(searchNow).toEqual({ state: 'paid', amountFrom: '500', search: 'anil' });
  await expect.poll(() => stage.asks(...reads).at(-1)?.['search']).toBe('anil');
  await userEvent.click(page.getByRole('columnheader', { name: /Total Amount/ }));
  await expect.poll(searchNow).toMatchObject({ sortBy: 'totalAmount' });
  await userEvent.click(page.getByRole('button', { name: 'Reset', exact: true }));
  await expect.poll(() => searchNow()['state']).toBe(undefined);
});

const reason = () => question().getByRole('textbox', { name: 'Reason' });

test('undoing has the reason in hand, stops without one, and nothing that is typed presses a button', async () => {
  const stage = stageOf(
    [buildPayment(2, { updatedCount: 2, ownerCount: 1, totalAmount: '2003.00' }), buildPayment(1)],
    [buildLine(1), buildLine(2)],
  );
  await openApp('/accounting/payments');
  await goTo(2);
  await press('u');
  await expect.element(question()).toHaveTextContent(/2 challans of 1 owner become unpaid again, ₹2,003.00 in all/);
  await expect.element(reason()).toHaveFocus();
  // The key that opened the dialog is no letter of the reason.
  await expect.element(reason()).toHaveValue('');
  await press('{Control>}{Enter}{/Control}');
  await expect.element(question().getByText('Please enter a reason')).toBeVisible();
  await expect.element(reason()).toHaveFocus();
  await press('   ');
  await userEvent.click(question().getByRole('button', { name: 'Undo Payment' }));
  await expect.element(question().getByText('Please enter a reason')).toBeVisible();
  await expect.element(reason()).toHaveFocus();
  expect(stage.writes()).toEqual([]);
  await userEvent.clear(reason());
  await press('wrong tag');
  await expect.element(reason()).toHaveValue('wrong tag');
  await press('{Enter}{Backspace}');
  await expect.element(question()).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() =>
    expect(toasts()).toEqual(['Payment PAY-2627-000002 undone: 2 challans unpaid again, ₹2,003.00']),
  );
  await expect.element(question()).not.toBeInTheDocument();
  expect(stage.calls(reverse).map(({ path, body }) => [path, body])).toEqual([
    [`/payment-batches/${idOf(2)}/reverse`, { reason: 'wrong tag' }],
  ]);
  await vi.waitFor(() => expect(cellText(2, 'reversedAt')).toBe('Undone'));
  expect(cellText(2, 'reversedReason')).toBe('wrong tag');
  await expect.poll(focusPlace).toBe('2 createdAt');
  await press('u');
  await vi.waitFor(() => expect(toasts()).toContain('This payment was reversed already.'));
  await expect.element(question()).not.toBeInTheDocument();
});

/** 16 challans of 15 owners, of which the first two were unmarked one by one. */
const partly = (): [PaymentBatch, PaymentLine[]] => [
  buildPayment(1, {
    updatedCount: 16,
    ownerCount: 15,
    totalAmount: '211535.17',
    paidCount: 14,
    paidOwnerCount: 14,
    paidAmount: '198592.79',
  }),
  Array.from({ length: 16 }, (_, index) =>
    buildLine(index + 1, index < 2 ? { reversedAt: '2026-11-20T12:00:00.000Z' } : {}),
  ),
];

test('a payment of which challans were unmarked: the list, its details and its undo say what still stands', async () => {
  const [batch, lines] = partly();
  stageOf([batch], lines);
  await openApp('/accounting/payments');
  const figures = ['updatedCount', 'ownerCount', 'totalAmount', 'reversedAt', 'paidAmount'];
  expect(figures.map((column) => cellText(1, column))).toEqual([
    '14 of 16',
    '14 of 15',
    '₹2,11,535.17',
    'Partly undone',
    '₹1,98,592.79',
  ]);
  await goTo(1);
  await press('{Enter}');
  await expect.element(dialog().getByText('16 challans of 15 owners')).toBeVisible();
  await expect.element(dialog().getByText('14 challans of 14 owners')).toBeVisible();
  await expect.element(dialog().getByText('Partly undone: ₹12,942.38 is unpaid again')).toBeVisible();
  await expect
    .element(
      dialog().getByText('Its file shows the payment as it was made. Since then, 2 of its 16 challans were undone.'),
    )
    .toBeVisible();
  // The totals are those of the rows that count.
  const totals = () => document.querySelector('[role="dialog"] .ag-row-pinned')?.textContent ?? '';
  await vi.waitFor(() => expect(totals()).toContain('₹1,98,592.79'));
  expect(totals()).toContain('14 still paid');
  await press('u');
  await expect.element(question()).toHaveTextContent(/14 challans of 14 owners become unpaid again, ₹1,98,592.79/);
  await expect
    .element(question())
    .toHaveTextContent(/It paid 16 challans, ₹2,11,535.17; 2 of them were already undone/);
});

test('the undo states what stands when it opens, not what the list knew; what it undid besides is told', async () => {
  const [batch, lines] = partly();
  const stage = stageOf([batch], lines);
  await openApp('/accounting/payments');
  await goTo(1);
  // Another session unmarks one more while the list stands.
  Object.assign(batch, { paidCount: 13, paidOwnerCount: 13, paidAmount: '187000.00' });
  await press('u');
  await expect.element(question()).toHaveTextContent(/13 challans of 13 owners become unpaid again, ₹1,87,000.00/);
  await press('wrong tag');
  const undone = { ...batch, reversedAt: '2026-11-21T05:00:00.000Z', reversedCount: 12, reversedAmount: '180000.00' };
  stage.once(reverse, () => ({ data: undone }));
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() =>
    expect(toasts()).toEqual(
      expect.arrayContaining([
        'Payment PAY-2627-000001 undone: 12 challans unpaid again, ₹1,80,000.00',
        '13 challans, ₹1,87,000.00 were shown, but part of it had already been undone elsewhere.',
      ]),
    ),
  );
});

test('whoever saves the file of a payment learns what was undone of it since, also elsewhere', async () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const [batch, lines] = partly();
  stageOf([buildPayment(2), batch], lines);
  await openApp('/accounting/payments');
  await goTo(2);
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['CSV file downloaded successfully']));
  await goTo(1);
  await press('{Control>}e{/Control}');
  const note = 'This file shows the payment as it was made. Since then, 2 of its 16 challans were undone.';
  await vi.waitFor(() => expect(toasts()).toContain(note));
  Object.assign(batch, { reversedAt: '2026-11-21T05:00:00.000Z', paidCount: 0 });
  await press('{Control>}e{/Control}');
  await vi.waitFor(() =>
    expect(toasts()).toContain(
      'This file shows the payment as it was made. Since then, all of its 16 challans were undone.',
    ),
  );
});

test('a payment with a line in a bank file is undone once it is said that the line fails', async () => {
  const stage = stageOf([buildPayment(1)]);
  await openApp('/accounting/payments');
  await goTo(1);
  await press('u');
  const said =
    'The line of Anil Jena is in bank file BF-2627-000001. Withdraw the file, or record what the bank answered.';
  const data = { fileNumber: 'BF-2627-000001', lineCount: 1, state: 'in-file' };
  stage.once(reverse, () => refusal('LINE_AT_BANK', said, { data }));
  await userEvent.fill(reason(), 'Wrong owner');
  await press('{Control>}{Enter}{/Control}');
  await expect.element(question().getByRole('alert')).toHaveTextContent(said);
  await userEvent.click(question().getByRole('checkbox', { name: /mark them as failed/ }));
  await press('{Control>}{Enter}{/Control}');
  await expect.element(question()).not.toBeInTheDocument();
  expect(stage.writes(reverse)).toEqual([{ reason: 'Wrong owner' }, { reason: 'Wrong owner', bankLines: 'failed' }]);
});

test('undone by somebody else meanwhile: the sentence of the server, and the list as it is now', async () => {
  const batches = [buildPayment(1)];
  const stage = stageOf(batches);
  await openApp('/accounting/payments');
  await goTo(1);
  await press('u');
  const said = 'This payment was already reversed. Its challans are unpaid again.';
  stage.once(reverse, () => {
    Object.assign(batches[0] ?? {}, { reversedAt: '2026-11-21T05:00:00.000Z', reversedReason: 'Other' });
    return refusal('ALREADY_REVERSED', said);
  });
  await userEvent.fill(reason(), 'Mine');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual([said]));
  await expect.element(question()).not.toBeInTheDocument();
  await vi.waitFor(() => expect(cellText(1, 'reversedReason')).toBe('Other'));
});

test('the file of a payment is saved again, from the list and from the details', async () => {
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.download) names.push(this.download);
  });
  const stage = stageOf([buildPayment(1)]);
  await openApp('/accounting/payments');
  await goTo(1);
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['CSV file downloaded successfully']));
  stage.once(exportCsv, speechless);
  await press('{Enter}');
  await expect.element(dialog()).toHaveTextContent('Payment PAY-2627-000001');
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Failed to download CSV'));
  expect(names).toEqual(['PAY-2627-000001.csv']);
});

test('a link opens a payment; one that is not there says so, and its challans lead to the list', async () => {
  stageOf([
    buildPayment(1, {
      kind: 'single',
      reversedAt: '2026-11-20T12:00:00.000Z',
      reversedReason: 'Payment status unmarked',
    }),
  ]);
  const router = await openApp(`/accounting/payments?open=${idOf(1)}`);
  await expect.element(dialog().getByText('Reason: Payment status unmarked')).toBeVisible();
  await expect.element(dialog().getByText('One challan')).toBeVisible();
  await userEvent.click(dialog().getByText('CH-2627-000001'));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/challans'));
  expect(router.state.location.search).toBe(`?open=${idOf(101)}`);
  await closeApp();
  stageOf([buildPayment(1)]);
  await openApp(`/accounting/payments?open=${idOf(66)}`);
  await expect.element(dialog().getByText('Payment not found')).toBeVisible();
});

test('details that could not be loaded say so, and are asked for again', async () => {
  const stage = stageOf([buildPayment(1)]);
  stage.once(get, () => refusal('INTERNAL_ERROR', 'The database is away'));
  await openApp(`/accounting/payments?open=${idOf(1)}`);
  await expect.element(dialog().getByText('The database is away')).toBeVisible();
  await userEvent.click(dialog().getByRole('button', { name: 'Retry' }));
  await expect.element(dialog().getByText('The database is away')).not.toBeInTheDocument();
  await expect.element(dialog().getByText('Total Amount')).toBeVisible();
});

test('no payments yet, and a list that fails', async () => {
  const stage = stageOf([]);
  await openApp('/accounting/payments', '.cd-grid');
  await expect.element(page.getByText('No payments yet')).toBeVisible();
  await closeApp();
  const batches = [buildPayment(1)];
  const other = stageOf(batches);
  other.once(list, () => refusal('SERVICE_UNAVAILABLE', 'The database is away'));
  other.once(list, () => refusal('SERVICE_UNAVAILABLE', 'The database is away'));
  await openApp('/accounting/payments', '[role="alert"]');
  await expect.element(page.getByRole('alert')).toHaveTextContent('The database is away');
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await vi.waitFor(() => expect(shownRows()).toEqual(['1']));
  expect(stage.asks(...reads)).toHaveLength(1);
});
