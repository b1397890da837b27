import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { OwnerToWrite } from '../../../src/shared/contract/payment-batches.ts';
import { buildPayment, idOf } from '../support/builders.ts';
import { watchTabs } from '../support/downloads.ts';
import { refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, openApp, page, press, searchNow, toasts } from '../support/screen.tsx';
import { paged } from '../support/kept.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const batch = buildPayment(1, { updatedCount: 4, totalAmount: '4000.00', ownerCount: 4 });
const names = ['Asha', 'Bikash', 'Chandan', 'Dipti'];
const waLink = (n: number): string => `https://wa.me/91987654321${n}?text=x`;

/** Four owners; Asha was written to, Chandan has no mobile number. */
function stageOf() {
  const rows = names.map((name, at): OwnerToWrite => ({
    ownerId: idOf(500 + at),
    name,
    contactNumber: name === 'Chandan' ? '0671234567' : `987654321${at}`,
    language: 'Odia',
    challanCount: 1,
    amount: '1000.00',
    utr: '',
    sentAt: name === 'Asha' ? '2026-11-20T11:00:00.000Z' : null,
    sentBy: name === 'Asha' ? 'a@b.in' : null,
    sentCount: name === 'Asha' ? 1 : 0,
  }));
  const stage = fakeServer();
  const calls = contract.paymentBatches;
  stage.serve(calls.list, ({ query }) => ({ ...paged([batch], query), summary: batch }));
  stage.serve(calls.owners, ({ query }) => paged([], query));
  stage.serve(calls.get, ({ query }) => ({ data: { ...batch, lines: [] }, pagination: paged([], query).pagination }));
  stage.serve(calls.listMessages, () => ({ data: rows }));
  stage.serve(calls.writeTo, ({ body: { ownerId } }) => {
    const at = rows.findIndex((row) => row.ownerId === ownerId);
    const row = rows[at];
    if (!row) return refusal('NO_DATA_FOUND', 'Nothing is paid');
    rows[at] = { ...row, sentAt: '2026-11-21T05:00:00.000Z', sentBy: 'a@b.in', sentCount: row.sentCount + 1 };
    return { data: { whatsappUrl: waLink(at), ownerName: row.name } };
  });
  return stage;
}

const dialog = () => page.getByRole('dialog', { name: 'Write to the owners of this payment' });
const focusedOwner = (): string => {
  const id = document.activeElement?.closest('[row-id]')?.getAttribute('row-id') ?? '';
  return names.find((_, at) => idOf(500 + at) === id) ?? '';
};

test('W lists the owners; W and Enter open WhatsApp for one after the other, and each is marked', async () => {
  const stage = stageOf();
  const tabs = watchTabs();
  await openApp(`/accounting/payments?open=${batch.id}`);
  await expect.element(page.getByRole('button', { name: 'Write to Owners' })).toBeVisible();
  await press('w');
  await expect.element(dialog().getByText('1 of 4 owners written to')).toBeVisible();
  await expect.element(dialog().getByText('Chandan (0671234567)')).toBeVisible();
  expect(searchNow()).toEqual({ open: batch.id, write: 'owners' });
  // The first who was not written to.
  await expect.poll(focusedOwner).toBe('Bikash');
  await press('w');
  await expect.poll(toasts).toContain('Message to Bikash opened in WhatsApp');
  expect(tabs.map(({ url, sentTo }) => [url, ...sentTo])).toEqual([['about:blank', waLink(1)]]);
  await expect.element(dialog().getByText('2 of 4 owners written to')).toBeVisible();
  // Chandan cannot be written to, so Dipti is next.
  await expect.poll(focusedOwner).toBe('Dipti');
  await press('{Enter}');
  await expect.element(dialog().getByText('3 of 4 owners written to')).toBeVisible();
  expect(stage.writes(contract.paymentBatches.writeTo)).toEqual([{ ownerId: idOf(501) }, { ownerId: idOf(503) }]);
  await press('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(searchNow()).toEqual({ open: batch.id });
});

test('nobody is asked for an owner without a mobile number, and a failure closes the tab', async () => {
  const stage = stageOf();
  const tabs = watchTabs();
  await openApp(`/accounting/payments?open=${batch.id}&write=owners`);
  await expect.poll(focusedOwner).toBe('Bikash');
  await press('{ArrowDown}');
  await expect.poll(focusedOwner).toBe('Chandan');
  await press('w');
  await expect.poll(toasts).toEqual(['Chandan has no mobile number (0671234567).']);
  expect(tabs).toEqual([]);
  expect(stage.calls(contract.paymentBatches.writeTo)).toEqual([]);
  await press('{ArrowDown}');
  await expect.poll(focusedOwner).toBe('Dipti');
  stage.once(contract.paymentBatches.writeTo, () => refusal('TOO_MANY_REQUESTS', 'Many reports were sent just now.'));
  await press('{Enter}');
  await expect.poll(toasts).toContain('Many reports were sent just now.');
  expect(tabs.map(({ sentTo, closed }) => ({ sentTo, closed }))).toEqual([{ sentTo: [], closed: true }]);
  expect(focusedOwner()).toBe('Dipti');
});

test('only https://wa.me/ is ever opened', async () => {
  const stage = stageOf();
  const tabs = watchTabs();
  stage.once(contract.paymentBatches.writeTo, () => ({
    data: { whatsappUrl: 'https://wa.me.example.com/91', ownerName: 'Bikash' },
  }));
  await openApp(`/accounting/payments?open=${batch.id}&write=owners`);
  await expect.poll(focusedOwner).toBe('Bikash');
  await press('w');
  await expect.poll(toasts).toEqual(['Failed to write to this owner']);
  expect(tabs.map(({ sentTo, closed }) => ({ sentTo, closed }))).toEqual([{ sentTo: [], closed: true }]);
});
