import { afterEach, expect, test } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { LockChange } from '../../../src/shared/contract/period-lock-acts.ts';
import type { PeriodLock } from '../../../src/shared/contract/period-lock.ts';
import { buildOwner, idOf } from '../support/builders.ts';
import { openEdit, field as formField, formDesk } from '../support/challan-form.ts';
import { paged } from '../support/kept.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, dialog, field, openApp, openAs, page, press, saveKeys, toasts } from '../support/screen.tsx';

afterEach(closeApp);

const { periodLock } = contract;
const locked: PeriodLock = {
  upTo: '2026-10-31',
  lockedBy: 'tarini@demo.example',
  lockedAt: '2026-11-05T06:00:00.000Z',
  openUntil: null,
  liftedBy: '',
  reason: '',
  version: 1,
};
const change: LockChange = {
  id: idOf(9),
  at: '2026-11-06T06:00:00.000Z',
  actor: 'Ravi',
  action: 'Edited',
  changes: [{ field: 'ratePerMT', label: 'Rate per MT', kind: 'money', before: '1000.00', after: '1010.00' }],
  record: 'challan',
  recordId: idOf(1),
  name: 'CH-2627-000001',
  ownerName: 'Owner 01',
  day: '2026-10-12',
  reason: 'A wrong rate',
};

/** A server that keeps the lock. */
function lockDesk(start: PeriodLock) {
  const desk = fakeServer({ owners: [buildOwner(1)] });
  let lock = start;
  const next = (over: Partial<PeriodLock>) => ({ data: (lock = { ...lock, ...over, version: lock.version + 1 }) });
  desk.serve(periodLock.get, () => ({ data: lock }));
  desk.serve(periodLock.lock, ({ body: { upTo } }) => next({ ...locked, upTo }));
  desk.serve(periodLock.lift, ({ body: { reason } }) =>
    next({ openUntil: '2026-11-20T10:00:00.000Z', liftedBy: 'tarini@demo.example', reason }),
  );
  const act = { id: '1', kind: 'lock' as const, upTo: '2026-10-31', by: 'tarini@demo.example', reason: '' };
  const acts = [{ ...act, at: '2026-11-05T06:00:00.000Z', endedAt: null, changedCount: 0 }];
  desk.serve(periodLock.listActs, ({ query }) => paged(acts, query));
  desk.serve(periodLock.listChanges, ({ query }) => paged([change], query));
  return desk;
}

test('by keys: L, the day, Ctrl+Enter locks; a lift needs hours and a reason', async () => {
  const desk = lockDesk({ ...locked, upTo: null, lockedAt: null, lockedBy: '', version: 0 });
  await openApp('/accounting');
  await press('l');
  await expect.element(dialog('Lock Period')).toBeVisible();
  await expect.element(page.getByText('Nothing is locked.')).toBeVisible();
  await expect.element(field('Lock up to')).toHaveFocus();
  await saveKeys();
  await expect.element(page.getByText('Please enter the last day to lock')).toBeVisible();
  await press('31/10/2026');
  await saveKeys();
  await expect.poll(() => desk.writes(periodLock.lock)).toEqual([{ upTo: '2026-10-31', version: 0 }]);
  await expect.element(page.getByText('Books are locked up to 31/10/2026')).toBeVisible();
  await expect.poll(toasts).toContain('Books locked');

  await page.getByRole('combobox', { name: 'Act' }).click();
  await page.getByRole('option', { name: 'Lift the lock for some hours' }).click();
  await saveKeys();
  await expect.element(page.getByText('Please enter a reason')).toBeVisible();
  await field('Hours').fill('73');
  await field('Reason').fill('A wrong rate');
  await saveKeys();
  await expect.element(page.getByText('1 to 72 hours')).toBeVisible();
  await field('Hours').fill('2');
  await saveKeys();
  await expect.poll(() => desk.writes(periodLock.lift)).toEqual([{ hours: 2, reason: 'A wrong rate', version: 1 }]);
  await expect.element(page.getByText(/^Lifted until 20\/11\/2026/)).toBeVisible();
  await expect.element(page.getByText('Rate per MT: ₹1,000.00 → ₹1,010.00')).toBeVisible();
  // Locking again needs no typing.
  await saveKeys();
  await expect.poll(() => desk.writes(periodLock.lock)).toHaveLength(2);
});

test('an accountant sees the lock and does not change it', async () => {
  lockDesk(locked);
  await openAs('accountant', '/accounting');
  await press('l');
  await expect.element(page.getByText('Books are locked up to 31/10/2026')).toBeVisible();
  await expect.element(page.getByText('Only an owner of the business may do this. Ask one of them.')).toBeVisible();
  await expect.element(page.getByText('Rate per MT: ₹1,000.00 → ₹1,010.00')).toBeVisible();
  expect(page.getByRole('button', { name: /^(Lock|Lift Lock)$/ }).elements()).toHaveLength(0);
});

test('the form of a locked challan shows figures and days read-only, and saves the rest', async () => {
  const desk = formDesk();
  desk.serve(periodLock.get, () => ({ data: { ...locked, upTo: '2099-12-31' } }));
  await openEdit();
  for (const label of ['Advance Money', 'Rate per MT', 'Loading Date', 'Deposited On'])
    await expect.poll(() => formField(label).element()).toHaveProperty('readOnly', true);
  for (const label of ['TP No', 'Remarks', 'Driver Name'])
    expect(formField(label).element()).toHaveProperty('readOnly', false);
  expect(document.body.textContent).toContain('Books are locked up to 31/12/2099');
});
