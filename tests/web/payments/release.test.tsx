import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { PreparedPayment } from '../../../src/shared/contract/prepared-payments.ts';
import { answerDesk, buildBankAccount } from '../support/bank-answers.ts';
import { idOf } from '../support/builders.ts';
import { fakeServer } from '../support/records.ts';
import { paged } from '../support/kept.ts';
import {
  cellText,
  closeApp,
  dialog,
  field,
  goToCell,
  openApp,
  page,
  press,
  question,
  toasts,
  userEvent,
} from '../support/screen.tsx';

afterEach(async () => {
  await closeApp();
});

const { preparedPayments } = contract;
const buildPrepared = (n: number, over: Partial<PreparedPayment> = {}): PreparedPayment => ({
  id: idOf(n),
  number: `PRP-2627-00000${n}`,
  isReversal: false,
  challanCount: 6,
  ownerCount: 2,
  amount: '600000.00',
  preparedBy: 'Ravi Behera',
  createdAt: '2026-11-20T05:30:00.000Z',
  expiresAt: '2026-11-27T05:30:00.000Z',
  state: 'prepared',
  reason: '',
  leftOut: null,
  decidedBy: null,
  decidedAt: null,
  payment: null,
  unusual: [],
  isOwn: false,
  cannotRelease: null,
  ...over,
});

test('what waits is released after a question, sent back with a reason, and one’s own is not released', async () => {
  const own = 'You prepared this yourself. Somebody else releases it.';
  const rows = [
    buildPrepared(1, { unusual: ['1 owner never paid before'] }),
    buildPrepared(2),
    buildPrepared(3, { isOwn: true, cannotRelease: own }),
  ];
  const stage = fakeServer();
  stage.serve(preparedPayments.list, () => ({
    data: rows.filter(({ state }) => state === 'prepared'),
    pagination: {
      currentPage: 1,
      limit: 20,
      totalPages: 1,
      totalCount: rows.length,
      hasNext: false,
      hasPrevious: false,
      offset: 0,
    },
  }));
  const decide = (id: string, change: Partial<PreparedPayment>) => {
    const row = rows.find((one) => one.id === id)!;
    return { data: Object.assign(row, change) };
  };
  stage.serve(preparedPayments.release, ({ params }) =>
    decide(params.id, { state: 'released', payment: { id: idOf(9), number: 'PAY-2627-000009' } }),
  );
  stage.serve(preparedPayments.sendBack, ({ params, body }) => decide(params.id, { state: 'sent-back', ...body }));
  stage.serveRest();
  await openApp('/accounting/to-release');
  expect([cellText(1, 'what'), cellText(1, 'state'), cellText(1, 'amount')]).toEqual([
    'Payment',
    'To release',
    '₹6,00,000.00',
  ]);
  await goToCell(3, 'state');
  await press('r');
  await vi.waitFor(() => expect(toasts()).toContain(own));
  await goToCell(1, 'state');
  await press('{Enter}');
  await expect.element(dialog('PRP-2627-000001').getByText('20/11/2026 11:00 by Ravi Behera')).toBeVisible();
  await press('r');
  await vi.waitFor(() => expect(question()).toContain('6 challans of 2 owners, ₹6,00,000.00 are marked as paid.'));
  expect(question()).toContain('1 owner never paid before');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('PRP-2627-000001 released: PAY-2627-000009'));
  await expect.element(dialog('PRP-2627-000001')).not.toBeInTheDocument();
  // The rows below move up when it leaves the list.
  await expect.element(page.getByRole('gridcell', { name: 'PRP-2627-000001' })).not.toBeInTheDocument();
  await goToCell(2, 'state');
  await press('b');
  await expect.element(dialog('Send PRP-2627-000002 back?')).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('Please enter a reason')).toBeVisible();
  await userEvent.fill(field('Reason'), 'Which owner?');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('PRP-2627-000002 sent back to Ravi Behera'));
});

test('some owners are left out with a reason, the rest is released, and the menu counts what may be released', async () => {
  const row = buildPrepared(1);
  const own = buildPrepared(2, { cannotRelease: 'You prepared this yourself. Somebody else releases it.' });
  const owners = ['Bijay Mohanta', 'Sanjay Naik'].map((name, at) => ({
    ownerId: idOf(40 + at),
    name,
    challanCount: 3,
    amount: '300000.00',
    unusual: at === 0 ? ['Never paid before'] : [],
    isLeftOut: false,
  }));
  const stage = fakeServer();
  stage.serve(preparedPayments.list, ({ query }) => paged([row, own], query));
  stage.serve(contract.waiting.get, () => ({ data: { releases: 1 } }));
  stage.serve(preparedPayments.owners, ({ query }) => paged(owners, query));
  stage.serve(preparedPayments.release, () => ({
    data: { ...row, state: 'released' as const, payment: { id: idOf(9), number: 'PAY-2627-000009' } },
  }));
  stage.serveRest();
  await openApp('/accounting/to-release');
  await goToCell(1, 'state');
  await press('o');
  const owned = dialog('Owners of PRP-2627-000001');
  await expect.element(owned.getByText('Never paid before')).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Choose the owners to leave out first'));
  await press(' ');
  await expect.element(owned.getByText('1 selected to leave out')).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await expect.element(owned.getByText('Please enter a reason')).toBeVisible();
  await userEvent.fill(field('Reason'), 'Not confirmed');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() =>
    expect(question()).toContain(
      '3 challans of 1 owner, ₹3,00,000.00 are marked as paid. Left out, back to Ravi Behera: Bijay Mohanta.',
    ),
  );
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('PRP-2627-000001 released without 1 owner: PAY-2627-000009'));
  await expect.element(owned).not.toBeInTheDocument();
  await expect.element(page.getByLabelText('1 payment to release')).toHaveTextContent('1');
  expect(stage.calls(preparedPayments.release)).toMatchObject([
    { body: { leaveOut: { ownerIds: [idOf(40)], reason: 'Not confirmed' } } },
  ]);
});

test('an owner whose account was changed says so in the row, and is confirmed there', async () => {
  const stage = fakeServer();
  const [owner] = stage.books.owners;
  const waiting = {
    record: 'owner' as const,
    id: owner!.id,
    name: owner!.name,
    changedBy: 'Ravi',
    changedAt: '2026-11-26T04:42:00.000Z',
    isBlocking: true,
    isOwn: false,
  };
  let accounts = [waiting];
  stage.serve(preparedPayments.listAccounts, () => ({ data: accounts }));
  stage.serve(preparedPayments.confirmAccount, () => {
    accounts = [];
    return { message: 'Account confirmed' };
  });
  stage.serveRest();
  await openApp('/owners');
  await expect
    .element(page.getByText(/Not confirmed: account changed 26\/11\/2026 10:12 by Ravi/).first())
    .toBeVisible();
  await userEvent.click(page.getByRole('gridcell', { name: owner!.name }).first());
  await press('c');
  await expect.element(dialog(`Confirm the account of ${owner!.name}?`)).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('Please type the last four digits')).toBeVisible();
  await userEvent.fill(field('Last four digits'), '4321');
  await userEvent.fill(field('Number called'), '9876543210');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain(`The account of ${owner!.name} is confirmed`));
  expect(stage.calls(preparedPayments.confirmAccount)).toMatchObject([
    { body: { lastFour: '4321', called: '9876543210' } },
  ]);
});

test('a paying account that was changed says so in its row, and is confirmed there', async () => {
  const account = buildBankAccount();
  const stage = answerDesk([], [account]);
  stage.serve(preparedPayments.listAccounts, () => ({
    data: [
      {
        record: 'bank-account' as const,
        id: account.id,
        name: account.name,
        changedBy: 'Ravi',
        changedAt: '2026-11-26T04:42:00.000Z',
        isBlocking: true,
        isOwn: false,
      },
    ],
  }));
  stage.serveRest();
  await openApp('/profile/bank-accounts');
  await expect
    .element(page.getByText(/Not confirmed: account changed 26\/11\/2026 10:12 by Ravi/).first())
    .toBeVisible();
  await userEvent.click(page.getByRole('checkbox', { name: 'Only accounts that you may confirm' }));
  await vi.waitFor(() => expect(stage.asks(contract.bankAccounts.list).at(-1)).toMatchObject({ toConfirm: 'yes' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Only accounts that you may confirm' }));
  await goToCell(401, 'ifsc');
  await press('c');
  await expect.element(dialog(`Confirm the account of ${account.name}?`)).toBeVisible();
  await expect.element(page.getByText('Call the branch of the bank on a number that you know')).toBeVisible();
});
