import { afterEach, expect, test, vi } from 'vitest';
import { cleanup } from '@testing-library/react';
import { contract } from '../../../src/shared/contract/index.ts';
import { endSession } from '../../../src/web/kit/api/session-store.ts';
import { buildChallans, idOf, owner } from '../support/builders.ts';
import { refusal, emptiest } from '../support/fake-server.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { closeApp, goTo, openApp, page, press, screenOf, toasts } from '../support/screen.tsx';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const kept = (): string =>
  Object.entries(sessionStorage)
    .filter(([key]) => key.includes('selection:'))
    .map(([, value]) => String(value))
    .join();
const waitKept = (part: string): Promise<void> => vi.waitFor(() => expect(kept()).toContain(part));
const selected = (text: string) => expect.element(page.getByText(text)).toBeVisible();

/** Says of the asked challans which are still there. */
function answerReviews(stage: Desk): void {
  stage.serve(contract.bankStatement.review, ({ body: { challanIds = [] } }) => {
    const there = stage.books.challans.filter(({ id }) => challanIds.includes(id));
    const named = (isPaid: boolean) =>
      there
        .filter(({ paymentStatus }) => paymentStatus === isPaid)
        .map(({ id, owner: { id: ownerId }, netAmountPayable }) => ({ challanId: id, ownerId, netAmountPayable }));
    const data = {
      ...emptiest(contract.bankStatement.review.answer.shape.data),
      count: named(false).length,
      ownerCount: 1,
      challans: named(false),
      paid: named(true),
      paidCount: named(true).length,
      goneCount: challanIds.length - there.length,
    };
    return { data };
  });
}

async function leave(router: Awaited<ReturnType<typeof openApp>>): Promise<void> {
  await router.navigate('/accounting/payments');
  await vi.waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Payments'));
}

async function selectTwo(): Promise<void> {
  await goTo(4);
  await press('{Shift>}{ArrowDown}{/Shift}');
  await selected('2 selected');
}

test('a selection survives leaving the list, and the server says what of it is left', async () => {
  const stage = fakeServer({ challans: buildChallans(4, (n) => ({ paymentStatus: n === 3 })) });
  answerReviews(stage);
  const router = await openApp('/challans');
  await selectTwo();
  await leave(router);
  stage.books.challans = stage.books.challans.filter(({ id }) => id !== idOf(4));
  await router.navigate(-1);
  await selected('1 selected');
  await vi.waitFor(() =>
    expect(toasts()).toContain('1 challan, ₹797.00, is selected again. It was 2 challans, ₹1,593.00.'),
  );
  expect(stage.calls(contract.bankStatement.review)).toHaveLength(1);
});

test('so does a reload, with ids and amounts alone; Escape and Logout end it', async () => {
  answerReviews(fakeServer({ challans: buildChallans(4) }));
  await openApp('/challans');
  await selectTwo();
  window.dispatchEvent(new PageTransitionEvent('pagehide'));
  expect(kept()).toContain('796.00');
  for (const secret of ['Ravi', '9876543210', 'CH-2627', 'TP0', 'OD09']) expect(kept()).not.toContain(secret);
  cleanup();
  document.querySelector('#root')?.remove();
  await openApp('/challans');
  await selected('2 selected');
  await goTo(4);
  await press('{Escape}');
  await vi.waitFor(() => expect(kept()).toBe(''));
  await selectTwo();
  await waitKept('796.00');
  endSession('logout');
  await vi.waitFor(() => expect(kept()).toBe(''));
});

test('the session expires at the question before a delete: after the sign-in the selection is there', async () => {
  const stage = fakeServer({ challans: buildChallans(4) });
  answerReviews(stage);
  const router = await openApp('/challans');
  await goTo(4);
  await press(' ');
  await selected('1 selected');
  await press('{Delete}');
  await expect.element(page.getByRole('alertdialog')).toBeVisible();
  stage.once(contract.challans.remove, () => refusal('UNAUTHORIZED', 'Session expired or invalid token'));
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Use another account' }).click();
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  await waitKept('796.00');
  cleanup();
  document.querySelector('#root')?.remove();
  await openApp('/challans');
  await selected('1 selected');
});

test('a check that fails is said, and what is kept stays for the next one', async () => {
  const stage = fakeServer({ challans: buildChallans(4) });
  const router = await openApp('/challans');
  await selectTwo();
  await waitKept('796.00');
  await leave(router);
  stage.serve(contract.bankStatement.review, () => refusal('VALIDATION_ERROR', ''));
  await router.navigate(-1);
  await vi.waitFor(() =>
    expect(toasts()).toContain(
      'Your earlier selection (2 challans, ₹1,593.00) could not be checked. Reload to try again.',
    ),
  );
  expect(kept()).toContain('796.00');
});

test('a selection that the browser has no room for is said to be lost', async () => {
  fakeServer({ challans: buildChallans(4) });
  await openApp('/challans');
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError');
  });
  await selectTwo();
  await vi.waitFor(() =>
    expect(toasts()).toContain('This selection is too large to be kept: it is lost when you leave this screen.'),
  );
});

test("an owner's challans have a selection of their own", async () => {
  const stage = fakeServer({ challans: buildChallans(4) });
  answerReviews(stage);
  const router = await openApp(screenOf(owner.id));
  await selectTwo();
  await router.navigate('/challans');
  await vi.waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Challans'));
  await expect.element(page.getByText('2 selected')).not.toBeInTheDocument();
  await router.navigate(-1);
  await selected('2 selected');
});
