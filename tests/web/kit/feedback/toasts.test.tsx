import { afterEach, expect, test, vi } from 'vitest';
import { act, cleanup, render } from '@testing-library/react';
import { page, userEvent } from 'vitest/browser';
import { ApiError } from '../../../../src/web/kit/api/api-error.ts';
import { endSession, startSession } from '../../../../src/web/kit/api/session-store.ts';
import { Toaster } from '../../../../src/web/kit/feedback/toaster.tsx';
import { currentUndo, notify } from '../../../../src/web/kit/feedback/toast.ts';
import { Dialog } from '../../../../src/web/kit/ui/dialog.tsx';
import '../../../../src/web/theme.css';

afterEach(() => {
  notify.dismissAll();
  cleanup();
});

const items = () => [...document.querySelectorAll<HTMLElement>('[data-sonner-toast][data-removed="false"]')];
const toasts = () => items().map((item) => item.querySelector('[data-title]')?.textContent);
const paid = (of: string) => ({
  kind: 'paid',
  many: (count: number) => `${count} challans marked paid`,
  about: 'paymentStatus',
  of,
});
const unpaid = (of: string) => ({ ...paid(of), kind: 'unpaid', many: (count: number) => `${count} challans unmarked` });
const nothing = (): void => undefined;

test('its cross is whole within the window', async () => {
  render(<Toaster />);
  act(() => notify.success('Settings saved'));
  await expect.poll(toasts).toEqual(['Settings saved']);
  const cross = items()[0]?.querySelector('[data-close-button]');
  await expect.poll(() => cross?.getBoundingClientRect().top).toBeGreaterThan(0);
});

test('what is no longer so is not said any more, of one record and of several', async () => {
  render(<Toaster />);
  act(() => {
    notify.undo('Payment status marked as done', nothing, 'Undo', paid('a'));
    notify.undo('Payment status marked as done', nothing, 'Undo', paid('b'));
  });
  await expect.poll(toasts).toEqual(['2 challans marked paid']);
  act(() => notify.success('Payment status unmarked', unpaid('a')));
  await expect.poll(toasts).toEqual(['Payment status unmarked', 'Payment status marked as done']);
  expect(currentUndo()?.label).toBe('Payment status marked as done');
  act(() => notify.success('Payment status unmarked', unpaid('b')));
  await expect.poll(toasts).toEqual(['2 challans unmarked']);
  expect(currentUndo()).toBeUndefined();
});

test('an Undo of several takes back only those it still tells of', async () => {
  render(<Toaster />);
  const done: string[] = [];
  act(() => {
    for (const of of ['a', 'b', 'c']) {
      notify.undo('Payment status marked as done', () => void done.push(of), 'Undo', paid(of));
    }
    notify.success('Payment status unmarked', unpaid('b'));
  });
  await expect.poll(toasts).toContain('2 challans marked paid');
  currentUndo()?.undo();
  expect(done).toEqual(['c', 'a']);
});

test('a message that is said instead of another takes its place, also before that one was drawn', async () => {
  render(<Toaster />);
  const done: string[] = [];
  // The frame that would take the first one away comes before the drawing.
  const frame = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((run) => {
    run(performance.now());
    return 0;
  });
  act(() => {
    const first = notify.undo('TP No of the first saved', () => void done.push('first'));
    notify.undo('TP No of the second saved', () => void done.push('second'), 'Undo', undefined, { replaces: first });
  });
  frame.mockRestore();
  await expect.poll(toasts).toContain('TP No of the second saved');
  expect(toasts()).toEqual(['TP No of the second saved']);
  await userEvent.click(page.getByRole('button', { name: 'Undo' }));
  expect(done).toEqual(['second']);
});

test('a session that ended leaves nothing to take back or to count on', async () => {
  const user = { id: 'a@b.in', email: 'a@b.in', role: 'subadmin' } as const;
  startSession({ token: 'token-of-a-session', role: 'subadmin', user });
  const first = render(<Toaster />);
  act(() => void notify.undo('Payment status marked as done', nothing, 'Undo', paid('a')));
  await expect.poll(toasts).toEqual(['Payment status marked as done']);
  // As with the sign-in page, which has no toasts: they end no more by themselves.
  act(() => {
    first.unmount();
    endSession('expired');
  });
  expect(currentUndo()).toBeUndefined();
  // Its answer was on the way.
  act(() => notify.success('Payment status marked as done', paid('b')));
  startSession({ token: 'token-of-the-next', role: 'subadmin', user });
  render(<Toaster />);
  act(() => notify.success('Payment status marked as done', paid('c')));
  await expect.poll(toasts).toEqual(['Payment status marked as done']);
  endSession('logout');
});

test('a dialog that opens ends guards and notes, not what offers an Undo or says what failed', async () => {
  render(<Toaster />);
  act(() => {
    notify.info('Choose a challan in the table first');
    notify.warning('This challan is marked as paid.', { kind: 'paid', many: () => 'This challan is marked as paid.' });
    notify.undo('Selection cleared', nothing);
    notify.error('Failed to delete challan');
  });
  await expect.poll(items).toHaveLength(4);
  render(
    <Dialog onClose={nothing} title="Details">
      Body
    </Dialog>,
  );
  await expect.poll(() => toasts().toSorted()).toEqual(['Failed to delete challan', 'Selection cleared']);
  act(() => notify.info('There is no challan after it'));
  await expect.poll(toasts).toContain('There is no challan after it');
});

test.each([683, 960, 1366])(
  '%s pixels wide: a toast stands at the right edge, and the sidebar and its button stay free',
  async (width) => {
    await page.viewport(width, 600);
    try {
      render(<Toaster />);
      act(() => notify.error('Failed to fetch owners'));
      await expect.poll(items).toHaveLength(1);
      const { left, right } = items()[0]!.getBoundingClientRect();
      // The collapsed sidebar and its button.
      expect(left).toBeGreaterThanOrEqual(80 + 50);
      expect(width - right).toBeGreaterThanOrEqual(0);
      expect(width - right).toBeLessThanOrEqual(16);
      expect(right - left).toBeGreaterThan(300);
    } finally {
      await page.viewport(1366, 768);
    }
  },
);

test('toasts keep to the header: one line, several behind each other, and open under the pointer', async () => {
  render(<Toaster />);
  act(() => {
    for (let index = 1; index <= 5; index += 1) notify.error(`Owner ${index} cannot be deleted: it has challans`);
    notify.undo('HSD verification disabled successfully', nothing);
  });
  const bottom = () =>
    Math.max(
      ...items()
        .filter((item) => getComputedStyle(item).opacity !== '0')
        .map((item) => item.getBoundingClientRect().bottom),
    );
  await expect.poll(items).toHaveLength(6);
  // The header is 48 high, and 16 more are free above the headings.
  await expect.poll(bottom).toBeLessThanOrEqual(64);
  const front = items().find((item) => item.dataset['front'] === 'true');
  expect(front?.textContent).toContain('HSD verification disabled successfully');
  expect(front?.getBoundingClientRect().bottom).toBeLessThanOrEqual(48);
  await userEvent.hover(page.getByText('HSD verification disabled successfully'));
  await expect.poll(bottom).toBeGreaterThan(200);
  await userEvent.unhover(page.getByText('HSD verification disabled successfully'));
});

test('a failed call is told with the number of its request', async () => {
  render(<Toaster />);
  act(() => notify.error(new ApiError({ status: 500, code: 'INTERNAL_ERROR', text: 'It failed', requestId: 'req-7' })));
  await expect.poll(toasts).toEqual(['It failed']);
  await expect.element(page.getByText('Request req-7')).toBeInTheDocument();
  getSelection()?.selectAllChildren(page.getByText('req-7', { exact: true }).element());
  expect(String(getSelection())).toBe('req-7');
});
