import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Today } from '../../../src/shared/contract/today.ts';
import { buildOwner } from '../support/builders.ts';
import { nothing, someFigures } from '../support/dashboard-figures.ts';
import { foreignAnswer } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, openApp, openAs, page, press, toasts, userEvent } from '../support/screen.tsx';

/** What the dashboard opens with (docs/specification.md §34). */
afterEach(closeApp);
beforeEach(() => localStorage.clear());

const figure = (count: number, amount: string) => ({ count, amount });
const full: Today = {
  yesterday: {
    day: '2026-11-19',
    count: 12,
    weight: '240.50',
    freight: '312000.00',
    usual: { count: 14, weight: '281.00', freight: '355000.50' },
  },
  due: {
    unpaid: figure(90, '900000.00'),
    afterDays: 12,
    by: [
      { by: '2026-11-20', depositedUntil: '2026-11-08', ...figure(34, '340000.00') },
      { by: '2026-11-22', depositedUntil: '2026-11-10', ...figure(40, '400000.00') },
      { by: '2026-11-27', depositedUntil: '2026-11-15', ...figure(50, '500000.00') },
      { by: '2026-12-05', depositedUntil: '2026-11-23', ...figure(80, '800000.00') },
    ],
  },
  waiting: { releases: 2, prepared: 3, owners: 1, bankAccounts: 0 },
  bank: { since: '2026-11-14', noAnswer: figure(3, '30000.00'), failed: figure(1, '100.00'), returned: nothing },
  hsd: { since: '2026-10-01', notVerified: figure(25, '22500.00'), bills: figure(1, '1250.75') },
  notDeposited: figure(1, '19551.00'),
  changes: {
    since: '2026-11-19T12:50:00.000Z',
    challans: { count: 15, people: ['Sita', 'Ravi', 'Mohan', 'Lata'] },
    payments: { count: 1, people: ['Ravi'] },
  },
};
const lines = () =>
  [...document.querySelectorAll<HTMLElement>('#today li')].map((line) => line.textContent.replaceAll(/\s+/g, ' '));
const links = () => [...document.querySelectorAll<HTMLAnchorElement>('#today li a')];
const linkOf = (text: string) =>
  links()
    .find((link) => link.textContent.includes(text))
    ?.getAttribute('href');
const open = (figures: Partial<Today> = full) => {
  const stage = fakeServer({ today: { ...someFigures().today, ...figures } });
  return openApp('/dashboard', '#today li, #today p + *').then(() => stage);
};

describe('the lines of today', () => {
  test('say each figure in a sentence, and open its list with the filter', async () => {
    await open();
    await vi.waitFor(() => expect(lines()).toHaveLength(7));
    expect(lines()).toEqual([
      'Yesterday:12 trips, 240.50 MT, ₹3,12,000.00 freight (a usual Thursday: 14 trips, 281.00 MT, ₹3,55,000.50 freight)',
      'Due to be paid:₹3,40,000.00 today; ₹4,00,000.00 by Sunday; ₹5,00,000.00 in 7 days; ₹8,00,000.00 in 15 days (due 12 days after the deposit, as paid in the last 90 days)',
      'Waits for you:2 of 3 prepared payments to release; 1 owner account to confirm',
      'At the bank:3 lines without an answer, ₹30,000.00; 1 failed in the last 7 days, ₹100.00',
      'HSD:25 challans not verified, ₹22,500.00; 1 month of pump bills with differences, ₹1,250.75 (since 01/10/2026)',
      'No deposited day:1 challan, ₹19,551.00',
      'Since you last looked:15 challans changed by Sita, Ravi and 2 others; 1 payment made by Ravi (since 19/11/2026 18:20)',
    ]);
    expect(links().map((link) => link.getAttribute('href'))).toEqual([
      '/challans?startDate=2026-11-19&endDate=2026-11-19',
      '/accounting/bank-statement?depositedEndDate=2026-11-08',
      '/accounting/bank-statement?depositedEndDate=2026-11-10',
      '/accounting/bank-statement?depositedEndDate=2026-11-15',
      '/accounting/bank-statement?depositedEndDate=2026-11-23',
      '/accounting/to-release',
      '/owners?toConfirm=yes',
      '/accounting/bank',
      '/accounting/bank?state=failed&answeredStartDate=2026-11-14',
      '/challans?hsdVerified=unverified&depositedStartDate=2026-10-01',
      '/hsd-verification/ledger?differences=with&startDate=2026-10-01',
      '/challans?depositedDate=none',
      '/profile/activity?startDate=2026-11-19',
      '/accounting/payments?startDate=2026-11-19',
    ]);
  });

  test('have the exceptions last, which are loaded after the others and move nothing', async () => {
    const stage = fakeServer({ today: { ...full, changes: null }, unusual: { count: 19, effect: '36155.60' } });
    const counted = stage.hold(contract.exceptions.getSummary);
    await openApp('/dashboard', '#today li');
    await vi.waitFor(() => expect(lines()).toHaveLength(6));
    await vi.waitFor(() => expect(stage.asks(contract.exceptions.getSummary)).toHaveLength(1));
    const height = () => document.querySelector<HTMLElement>('#today')?.offsetHeight;
    const waiting = height();
    counted();
    await vi.waitFor(() =>
      expect(lines().at(-1)).toBe('Exceptions:19 exceptions, ₹36,155.60 in what was entered in the last 7 days'),
    );
    expect(linkOf('19 exceptions')).toBe('/exceptions?days=entered');
    expect(height()).toBe(waiting);
    const tab = { opener: {}, document: { title: '', body: document.createElement('p') }, closed: false };
    const replace = vi.fn();
    const opened = vi.spyOn(window, 'open').mockReturnValue({ ...tab, location: { replace } } as unknown as Window);
    await press('w');
    const text = new URL(String(replace.mock.calls[0]?.[0])).searchParams.get('text');
    expect(text).toContain('Exceptions: 19 exceptions, ₹36,155.60 in what was entered in the last 7 days');
    opened.mockRestore();
  });

  test('keep the place of the exceptions where there are none, and say in it that they could not be counted', async () => {
    const stage = fakeServer({ today: { ...full, changes: null } });
    const failed = stage.hold(contract.exceptions.getSummary, () => foreignAnswer({ success: false }, 500));
    await openApp('/dashboard', '#today li');
    const height = () => document.querySelector<HTMLElement>('#today')?.offsetHeight;
    await vi.waitFor(() => expect(document.querySelector('#today [aria-busy="true"]')).not.toBeNull());
    const waiting = height();
    failed();
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to count the exceptions' });
    await userEvent.click(alert.getByRole('button', { name: 'Retry' }));
    await vi.waitFor(() => expect(document.querySelector('#today [role="alert"]')).toBeNull());
    expect([lines().length, height()]).toEqual([6, waiting]);
  });

  test('are reached by T and Tab, and Enter opens the list, which has the filter as a chip', async () => {
    await open();
    await vi.waitFor(() => expect(links()).not.toEqual([]));
    await press('t');
    await expect.poll(() => document.activeElement).toBe(links()[0]);
    await press('{Tab}');
    expect(document.activeElement).toBe(links()[1]);
    links()[0]!.focus();
    await press('{Enter}');
    await expect.element(page.getByRole('button', { name: 'Remove filter: Loaded on 19/11/2026' })).toBeVisible();
  });

  test('leave out what is at zero, and say so where all is', async () => {
    await open({ notDeposited: nothing });
    await expect.element(page.getByText('Nothing is due, waits or is missing.')).toBeVisible();
    expect(lines()).toEqual([]);
    await press('w');
    await vi.waitFor(() => expect(toasts()).toContain('Nothing to send: there are no lines today.'));
    await press('t');
    await vi.waitFor(() => expect(toasts()).toContain('Nothing to go to: there are no lines today.'));
  });

  test('without a rhythm say only what is unpaid; on a Sunday the week is over', async () => {
    const stage = await open({ due: { unpaid: figure(90, '900000.00'), afterDays: null, by: [] } });
    await vi.waitFor(() => expect(lines()).toEqual(['Due to be paid:₹9,00,000.00 of 90 challans is unpaid']));
    expect(linkOf('unpaid')).toBe('/accounting/bank-statement');
    const [now, sunday, week] = full.due.by;
    const refreshed = async (day: string, by: Today['due']['by']) => {
      stage.serve(contract.today.get, () => ({ data: { ...someFigures().today, due: { ...full.due, by } }, day }));
      await press('r');
    };
    const byThatDay = full.due.by.map((due) => ({ ...due, by: '2026-11-22' })).with(3, week!);
    await refreshed('2026-11-22', byThatDay);
    await vi.waitFor(() => expect(lines()[0]).toContain('₹3,40,000.00 today; ₹5,00,000.00 in 7 days and in 15 days ('));
    await refreshed('2026-11-20', [now!, sunday!, sunday!, sunday!]);
    await vi.waitFor(() => expect(lines()[0]).toContain('₹4,00,000.00 by Sunday, in 7 days and in 15 days ('));
  });

  test('name what was begun on this device and not saved', async () => {
    const savedAt = new Date().toISOString();
    const keep = (key: string) =>
      localStorage.setItem(`challan-desk:a@b.in:draft:${key}`, JSON.stringify({ value: { rows: [1] }, savedAt }));
    for (const key of ['challan.sheet', 'challan.create', 'challan.edit.7']) keep(key);
    await open({});
    await vi.waitFor(() =>
      expect(lines()).toEqual([
        'Waits for you:1 new challan begun and not saved; 1 entry sheet begun and not saved; 1 changed challan begun and not saved',
      ]),
    );
    expect(linkOf('changed challan')).toBe('/challans/edit/7');
  });

  test('ask for what changed since the look before, which lasts half an hour', async () => {
    const looked = '2026-11-18T05:00:00.000Z';
    localStorage.setItem('challan-desk-view:a@b.in:today-looked', JSON.stringify(looked));
    const stage = await open();
    await vi.waitFor(() => expect(stage.asks(contract.today.get).at(-1)).toEqual({ since: looked }));
    const kept = (key: string): string => JSON.parse(localStorage.getItem(`challan-desk-view:a@b.in:${key}`) ?? '""');
    const now = kept('today-looked');
    expect([kept('today-since'), now > looked]).toEqual([looked, true]);
    // Soon after, the same changes are still news.
    await closeApp();
    localStorage.setItem('challan-desk-view:a@b.in:today-since', JSON.stringify(looked));
    localStorage.setItem('challan-desk-view:a@b.in:today-looked', JSON.stringify(now));
    const again = await open();
    await vi.waitFor(() => expect(again.asks(contract.today.get).at(-1)).toEqual({ since: looked }));
  });

  test('of a first look have nothing since the one before', async () => {
    const stage = await open();
    await vi.waitFor(() => expect(stage.asks(contract.today.get)).toEqual([{}]));
  });

  test('are sent to WhatsApp as a text by W', async () => {
    const tab = {
      opener: {},
      document: { title: '', body: document.createElement('p') },
      closed: false,
      location: { replace: vi.fn() },
    };
    const opened = vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
    await open({ notDeposited: full.notDeposited, hsd: full.hsd });
    await vi.waitFor(() => expect(lines()).toHaveLength(2));
    await press('w');
    const href = String(tab.location.replace.mock.calls[0]?.[0]);
    expect(href.startsWith('https://wa.me/?text=')).toBe(true);
    expect(new URL(href).searchParams.get('text')).toBe(
      [
        'a@b.in, Friday 20/11/2026',
        'HSD: 25 challans not verified, ₹22,500.00; 1 month of pump bills with differences, ₹1,250.75 (since 01/10/2026)',
        'No deposited day: 1 challan, ₹19,551.00',
      ].join('\n'),
    );
    await vi.waitFor(() => expect(toasts()).toContain('WhatsApp has the text of today'));
    opened.mockRestore();
  });

  test('keep their height while they load, and a failure says so in their place, with Retry', async () => {
    localStorage.setItem('challan-desk-view:a@b.in:today-lines', '7');
    const stage = fakeServer({ today: full });
    const late = stage.hold(contract.today.get, () => foreignAnswer({ success: false }, 500));
    await openApp('/dashboard', '#today');
    const height = () => document.querySelector<HTMLElement>('#today')?.offsetHeight;
    const waiting = height();
    expect(document.querySelector('#today [aria-busy="true"]')).not.toBeNull();
    late();
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to fetch the lines of today' });
    await userEvent.click(alert.getByRole('button', { name: 'Retry' }));
    await vi.waitFor(() => expect(lines()).toHaveLength(7));
    expect(height()).toBeGreaterThanOrEqual(waiting!);
  });

  test('lead a clerk to no screen that a clerk does not see', async () => {
    fakeServer({ today: { ...full, waiting: null, bank: null } });
    await openAs('clerk', '/dashboard');
    await vi.waitFor(() => expect(lines()).toHaveLength(5));
    expect(linkOf('changed by')).toBe('/challans');
  });
});

test('a business without challans sees its first steps above everything else instead', async () => {
  fakeServer({ figures: [], weeks: { unit: 'week', periods: [] }, owners: [buildOwner(1)], today: full });
  await openApp('/dashboard', '#first-steps');
  await expect.poll(() => document.querySelector('#today')).toBeNull();
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect.element(steps.getByText(/^\d of 6 done$/)).toBeVisible();
  for (const [name, href] of [
    ['Owners: Copy from other businesses', '/owners/copy'],
    ['Owners: Opening balances', '/accounting/opening-balances'],
    ['Bank account: Type', '/profile/bank-accounts'],
  ])
    await expect.element(steps.getByRole('link', { name })).toHaveAttribute('href', href);
  const above = document
    .querySelector('#first-steps')!
    .compareDocumentPosition(document.querySelector('#tag-analytics')!);
  expect(above & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});
