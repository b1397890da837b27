import { afterEach, expect, test } from 'vitest';
import { act } from '@testing-library/react';
import { endSession, startSession } from '../../../../src/web/kit/api/session-store.ts';
import { logMessage } from '../../../../src/web/kit/feedback/message-log.ts';
import { notify } from '../../../../src/web/kit/feedback/toast.ts';
import { fakeServer } from '../../support/records.ts';
import { closeApp, openApp, page, press } from '../../support/screen.tsx';

/** What toasts have said can be read again (docs/specification.md §19.10). */
afterEach(closeApp);

const dialog = () => page.getByRole('dialog', { name: 'Messages' });
const read = (): string[][] =>
  [...document.querySelectorAll('[role="dialog"] tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? ''),
  );
const texts = () => read().map(([, , text]) => text);

async function openMessages(): Promise<void> {
  await press('gm');
  await expect.element(dialog()).toBeInTheDocument();
}

test('newest first, with time and kind; several of a kind are one; found by key and palette', async () => {
  fakeServer();
  await openApp('/challans', 'h1');
  act(() => {
    notify.error('Failed to fetch tags');
    for (const of of ['1', '2', '3']) {
      notify.success('Payment status marked as done', { kind: 'paid', many: (n) => `${n} challans marked paid`, of });
    }
    notify.undo('Selection cleared', () => undefined);
  });
  await openMessages();
  expect(read().map(([, kind, text]) => [kind, text])).toEqual([
    ['Done', 'Selection cleared'],
    ['Done', '3 challans marked paid'],
    ['Error', 'Failed to fetch tags'],
  ]);
  expect(read()[0]?.[0]).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/);
  await press('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await press('{Control>}k{/Control}');
  await press('notif');
  await press('{Enter}');
  await expect.element(dialog()).toBeInTheDocument();
});

test('the last fifty are kept, and no PAN, account number or phone in full', async () => {
  fakeServer();
  await openApp('/challans', 'h1');
  act(() => {
    for (let n = 1; n <= 54; n += 1) logMessage('info', `Note ${n}`);
    notify.error('ABCDE1234F and 001234567890 of 9876543210, CH-2627-000012, ₹12,34,567.00');
  });
  await openMessages();
  expect(texts()).toHaveLength(50);
  expect(texts()[0]).toBe('••••234F and ••••7890 of ••••3210, CH-2627-000012, ₹12,34,567.00');
  expect(texts().at(-1)).toBe('Note 6');
});

test('a session’s end takes them along', async () => {
  fakeServer();
  await openApp('/challans', 'h1');
  act(() => notify.success('Owner created successfully'));
  act(() => {
    endSession('logout');
    const user = { id: 'a@b.in', email: 'a@b.in', role: 'subadmin' } as const;
    startSession({ token: 'another-token', role: 'subadmin', user });
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeInTheDocument();
  await openMessages();
  await expect.element(dialog()).toHaveTextContent('No messages yet');
});
