import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HistoryEntry } from '../../../src/shared/contract/history.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { shownChange } from '../../../src/shared/columns/shown-change.ts';
import { ago } from '../../../src/web/kit/history/history-words.ts';
import {
  buildChallans,
  buildOwner,
  buildPump,
  buildSubadmin,
  buildTag,
  buildTruck,
  idOf,
} from '../support/builders.ts';
import { refusal, speechless, type Handler } from '../support/fake-server.ts';
import { paged } from '../support/kept.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { button, closeApp, goTo, openAdmin, openApp, page, press } from '../support/screen.tsx';

afterEach(closeApp);

const entry = (n: number, over: Partial<HistoryEntry> = {}): HistoryEntry => ({
  id: String(n),
  at: '2026-11-20T06:00:00.000Z',
  actor: 'desk@tarini.example',
  screen: 'Edit Challan',
  action: 'Edited',
  reason: '',
  payment: null,
  changes: [{ field: 'ratePerMT', label: 'Rate per MT', kind: 'money', before: '1000.00', after: `${1050 + n}.00` }],
  ...over,
});

const { listChallan } = contract.history;
type Handled = Handler<typeof listChallan>;
/** Answers a page of these. */
const pageOf =
  (entries: readonly HistoryEntry[]): Handled =>
  ({ query }) => ({ ...paged(entries, query), people: [] });

const tab = (name: string) => page.getByRole('tab', { name, exact: true });
const chosenTab = (): string | null | undefined =>
  document.querySelector('[role="tab"][aria-selected="true"]')?.textContent;
const items = (): string[] =>
  [...document.querySelectorAll('section[aria-label="History"] li')].map((item) => item.textContent ?? '');
const focused = (): string | null | undefined => document.activeElement?.textContent;

/** The details of challan 2, opened from the list by keyboard. */
async function openChallan(history: HistoryEntry[]): Promise<Desk> {
  const stage = fakeServer({ challans: buildChallans(3), history });
  await openApp('/challans');
  await goTo(2);
  await press('{Enter}');
  await expect.element(tab('Details')).toBeInTheDocument();
  return stage;
}

describe('the tab', () => {
  test('asks for nothing until it is opened, and then tells who, when, where and what', async () => {
    const stage = await openChallan([
      entry(2, {
        action: 'Marked paid',
        screen: 'Bank Statement',
        payment: { id: idOf(77), number: 'PAY-2627-000012', amount: '120000.50' },
        changes: [{ field: 'paymentStatus', label: 'Payment Status', kind: 'text', before: 'Unpaid', after: 'Paid' }],
      }),
      entry(1, { reason: 'Cleared by a change of TP No' }),
      entry(0, { action: 'Created', screen: '', changes: [] }),
    ]);
    expect(chosenTab()).toBe('Details');
    expect(stage.asks(listChallan)).toEqual([]);

    await press('{Alt>}{PageDown}{/Alt}');
    await expect.poll(items).toHaveLength(3);
    expect(stage.calls(listChallan)).toMatchObject([
      { path: `/challans/${idOf(2)}/history`, query: { page: '1', limit: '20' } },
    ]);
    const [paid, edited, created] = items();
    expect(paid).toContain('Marked paid by desk@tarini.example on Bank Statement');
    expect(paid).toContain('Unpaid → Paid');
    expect(paid).toContain('PAY-2627-000012, ₹1,20,000.50');
    expect(page.getByRole('link', { name: 'PAY-2627-000012' }).element().getAttribute('href')).toBe(
      `/accounting/payments?open=${idOf(77)}`,
    );
    expect(edited).toContain('Rate per MT₹1,000.00 → ₹1,051.00');
    expect(edited).toContain('ReasonCleared by a change of TP No');
    expect(created).toMatch(/Created by desk@tarini\.example$/);
    const time = document.querySelector('section[aria-label="History"] time');
    expect([time?.getAttribute('datetime'), time?.getAttribute('title')]).toEqual([
      '2026-11-20T06:00:00.000Z',
      '20/11/2026 11:30',
    ]);
  });

  test('is reached by Alt+PgDn and by the arrows, keeps the focus on the tab, and Alt+PgUp comes back', async () => {
    await openChallan([entry(1)]);
    await press('{Alt>}{PageDown}{/Alt}');
    await expect.poll(chosenTab).toBe('History');
    expect(focused()).toBe('History');
    await press('{Alt>}{PageUp}{/Alt}');
    await expect.poll(chosenTab).toBe('Details');
    expect(focused()).toBe('Details');
    await press('{ArrowRight}');
    await expect.poll(chosenTab).toBe('History');
    await press('{ArrowLeft}');
    await expect.poll(chosenTab).toBe('Details');
    // The list behind has the same keys: it has not turned its page.
    await expect.element(page.getByText('2 of 3 on this page')).toBeInTheDocument();
    await press('{Escape}');
    await vi.waitFor(() => expect(document.querySelector('[role="dialog"]')).toBeNull());
  });

  test('stays open from challan to challan, each with its own history', async () => {
    const stage = await openChallan([]);
    stage.once(listChallan, pageOf([entry(1)]), { id: idOf(2) });
    const release = stage.hold(listChallan, pageOf([]), { id: idOf(1) });
    await press('{Alt>}{PageDown}{/Alt}');
    await expect.poll(items).toHaveLength(1);
    await press('{Control>}{ArrowDown}{/Control}');
    await expect.element(page.getByRole('img', { name: 'Loading history' })).toBeInTheDocument();
    expect(items()).toEqual([]);
    release();
    await expect.element(page.getByText('No changes recorded yet')).toBeInTheDocument();
    expect(chosenTab()).toBe('History');
  });

  test('shows older ones page by page, moves the focus to them, and tells an entry once', async () => {
    const entries = Array.from({ length: 45 }, (_, n) => entry(45 - n));
    const stage = await openChallan(entries);
    // Another desk makes a change between the first page and the second: the last of the first comes again.
    stage.once(listChallan, pageOf(entries.slice(1)));
    await press('{Alt>}{PageDown}{/Alt}');
    await expect.poll(items).toHaveLength(20);
    await expect.element(page.getByText('20 of 44 shown')).toBeInTheDocument();
    button('Show older').element().focus();
    await press('{Enter}');
    await expect.poll(items).toHaveLength(39);
    expect(items().filter((text) => text.includes('₹1,075.00'))).toHaveLength(1);
    expect(document.activeElement?.tagName).toBe('LI');
    expect(focused()).toContain('₹1,074.00');
    button('Show older').element().focus();
    await press('{Enter}');
    await expect.poll(() => stage.asks(listChallan).map(({ page: asked }) => asked)).toContain('3');
    await expect.poll(() => items().at(-1)).toContain('₹1,051.00');
    expect(focused()).toContain('₹1,055.00');
  });

  test('older ones that come late leave the focus where somebody has gone on to', async () => {
    const entries = Array.from({ length: 45 }, (_, n) => entry(45 - n));
    const stage = await openChallan(entries);
    await press('{Alt>}{PageDown}{/Alt}');
    await expect.poll(items).toHaveLength(20);
    const release = stage.hold(listChallan);
    button('Show older').element().focus();
    await press('{Enter}');
    await expect.poll(() => stage.asks(listChallan).map(({ page: asked }) => asked)).toContain('2');
    (tab('History').element() as HTMLElement).focus();
    release();
    await expect.poll(items).toHaveLength(40);
    await expect.element(tab('History')).toHaveFocus();
  });

  test('that fails says so, and Retry brings it', async () => {
    const stage = await openChallan([entry(1)]);
    stage.once(listChallan, speechless);
    await press('{Alt>}{PageDown}{/Alt}');
    await expect.element(page.getByText('Failed to fetch history')).toBeInTheDocument();
    await button('Retry').click();
    await expect.poll(items).toHaveLength(1);
    expect(page.getByText('Failed to fetch history').elements()).toHaveLength(0);
  });

  test('is fresh after a change made while it is open', async () => {
    const stage = await openChallan([entry(0)]);
    await press('{Alt>}{PageDown}{/Alt}');
    await expect.poll(items).toHaveLength(1);
    stage.once(listChallan, pageOf([entry(1, { action: 'Marked paid' }), entry(0)]));
    await press('p');
    await expect.poll(items).toHaveLength(2);
    expect(items()[0]).toContain('Marked paid');
  });
});

test('where several people changed a record, By shows what one of them did', async () => {
  const stage = await openChallan([]);
  const people = [
    { id: idOf(901), name: 'Ravi Behera' },
    { id: idOf(902), name: 'Mina Das' },
  ];
  const entries = people.map(({ name }, n) => entry(n, { actor: name }));
  stage.serve(listChallan, ({ query }) => ({
    ...paged(
      entries.filter((_, n) => query.personId === undefined || query.personId === people[n]?.id),
      query,
    ),
    people,
  }));
  await tab('History').click();
  await vi.waitFor(() => expect(items()).toHaveLength(2));
  await page.getByRole('combobox', { name: 'By', exact: true }).click();
  await page.getByRole('option', { name: 'Mina Das', exact: true }).click();
  await vi.waitFor(() => expect(items()).toHaveLength(1));
  expect(items()[0]).toContain('by Mina Das');
  expect(stage.calls(listChallan).at(-1)).toMatchObject({ query: { personId: idOf(902), page: '1' } });
});

describe('each kind of record', () => {
  test.each([
    ['/owners', buildOwner(1).id, 'Owner 01'],
    ['/trucks', buildTruck(1, buildOwner(1)).id, 'Truck OD09AB1001'],
    ['/tags', buildTag(1).id, 'Usage Statistics: TAG 01'],
    ['/petrol-pumps', buildPump(1).id, 'Pump 01'],
  ])('%s has it beside its details', async (address, id, title) => {
    const owner = buildOwner(1);
    fakeServer({
      owners: [owner],
      trucks: [buildTruck(1, owner)],
      tags: [buildTag(1)],
      petrolPumps: [buildPump(1)],
      history: [entry(1, { action: 'Edited', screen: 'Owners' })],
    });
    await openApp(`${address}?open=${id}`);
    await expect.element(page.getByRole('dialog', { name: title })).toBeInTheDocument();
    await tab('History').click();
    await expect.poll(items).toHaveLength(1);
    await expect.element(page.getByRole('tabpanel', { name: 'History' })).toBeInTheDocument();
  });

  test('an admin sees that of an account', async () => {
    const history = [
      entry(1, {
        action: 'Deactivated',
        actor: 'admin',
        screen: 'Subadmins',
        changes: [{ field: 'isActive', label: 'Status', kind: 'text', before: 'Active', after: 'Inactive' }],
      }),
    ];
    fakeServer({ subadmins: [buildSubadmin(1)], history });
    await openAdmin(`/admin/subadmins?open=${idOf(1)}`);
    await tab('History').click();
    await expect.poll(items).toHaveLength(1);
    expect(items()[0]).toContain('Deactivated by admin on Subadmins');
    expect(items()[0]).toContain('StatusActive → Inactive');
  });

  test('a challan that is edited has it behind a button, which gets the focus back', async () => {
    fakeServer({ challans: buildChallans(1), history: [entry(1)] });
    await openApp(`/challans/edit/${idOf(1)}`, 'form [name="tpNo"]');
    await button('History').click();
    await expect.element(page.getByRole('dialog', { name: 'History of CH-2627-000001' })).toBeInTheDocument();
    await expect.poll(items).toHaveLength(1);
    await press('{Escape}');
    await expect.poll(focused).toBe('History');
  });

  test('a challan that was deleted says so, and has it, which is asked for once', async () => {
    const stage = fakeServer({ challans: buildChallans(1), history: [entry(1, { action: 'Deleted' })] });
    await openApp(`/challans?open=${idOf(7)}`);
    await expect.element(page.getByRole('dialog').getByText('This challan was deleted')).toBeVisible();
    await expect.poll(items).toHaveLength(1);
    expect(stage.asks(listChallan)).toHaveLength(1);
  });

  test('a challan that never was says so once', async () => {
    const stage = fakeServer({ challans: buildChallans(1) });
    stage.serve(listChallan, () => refusal('NOT_FOUND', 'Challan not found'));
    await openApp(`/challans?open=${idOf(7)}`);
    const words = page.getByRole('dialog').getByText('Challan not found');
    await expect.element(words.first()).toBeVisible();
    await expect.poll(() => document.querySelector('[aria-busy="true"]')).toBeNull();
    expect(words.elements()).toHaveLength(1);
  });
});

describe('in words', () => {
  const change = (
    kind: 'money' | 'weight' | 'liters' | 'percent' | 'date' | 'text',
    before: string | null,
    after: string,
  ) => Object.values(shownChange({ field: 'x', label: 'X', kind, before, after })).join(' → ');

  test('figures and dates read the Indian way', () => {
    expect([
      change('money', '-100000.5', '1234567.00'),
      change('weight', null, '1025.10'),
      change('liters', '0.00', '50.00'),
      change('percent', '1.0', '0.1'),
      change('date', '2026-04-11T18:30:00.000Z', '2026-04-12T18:30:00.000Z'),
      change('date', '2026-04-11T18:30:00.000Z', '2026-04-12T04:05:00.000Z'),
      change('text', '', 'x'),
    ]).toEqual([
      '-₹1,00,000.50 → ₹12,34,567.00',
      '— → 1,025.10 MT',
      '0.00 L → 50.00 L',
      '1.0 % → 0.1 %',
      '12/04/2026 → 13/04/2026',
      '12/04/2026 00:00 → 12/04/2026 09:35',
      ' → x',
    ]);
  });

  test('how long ago it was, up to a month', () => {
    const at = '2026-11-20T06:00:00.000Z';
    const after = (minutes: number): string => ago(at, Date.parse(at) + minutes * 60_000);
    const day = 24 * 60;
    expect([-5, 0.9, 1, 59, 60, 125, day, 3 * day, 30 * day, 31 * day].map(after)).toEqual([
      'just now',
      'just now',
      '1 minute ago',
      '59 minutes ago',
      '1 hour ago',
      '2 hours ago',
      'yesterday',
      '3 days ago',
      '30 days ago',
      '',
    ]);
  });

  test('a write says from which screen it comes, a read does not', async () => {
    const stage = fakeServer({ challans: buildChallans(1) });
    const sent = vi.spyOn(globalThis, 'fetch');
    await openApp('/challans');
    await goTo(1);
    await press('p');
    await expect.poll(() => stage.calls(contract.challans.update)).toHaveLength(1);
    const screens = sent.mock.calls.map(([, init]) => [init?.method, new Headers(init?.headers).get('x-screen')]);
    expect(screens.filter(([method]) => method === 'PUT')).toEqual([['PUT', 'Challans']]);
    expect(screens.filter(([method]) => method === 'GET').every(([, screen]) => screen === null)).toBe(true);
  });
});
