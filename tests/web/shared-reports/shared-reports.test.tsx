import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { SharedReport } from '../../../src/shared/contract/shared-reports.ts';
import { choose } from '../choose.ts';
import { idOf } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
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
import { find, paged } from '../support/kept.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const address = '/accounting/shared-reports';
const everything = {
  paymentStatus: null,
  tagId: null,
  tagName: null,
  startDate: null,
  endDate: null,
  paidStartDate: null,
  paidEndDate: null,
};

function buildReport(n: number, over: Partial<SharedReport> = {}): SharedReport {
  return {
    id: idOf(n),
    ownerId: idOf(901),
    ownerName: `Owner ${n}`,
    fileName: `owner_challans_report_Owner_${n}_2026-11-20.csv`,
    recordCount: n,
    paymentNumber: null,
    filters: everything,
    createdAt: '2026-11-20T10:00:00.000Z',
    createdBy: 'a@b.in',
    expiresAt: '2026-11-23T10:00:00.000Z',
    revokedAt: null,
    status: 'active',
    ...over,
  };
}
const buildReports = (count: number): SharedReport[] =>
  Array.from({ length: count }, (_, index) => buildReport(count - index));

/** The reports of the pretend server; a revoked one stays revoked. */
function stageOf(reports: SharedReport[]) {
  const stage = fakeServer();
  stage.serve(contract.sharedReports.list, ({ query }) => paged(reports, query));
  stage.serve(contract.sharedReports.revoke, ({ params }) => {
    const report = find('Shared report', reports, params.id);
    if (report.status === 'active') Object.assign(report, { status: 'revoked', revokedAt: '2026-11-21T05:00:00.000Z' });
    return { data: report };
  });
  const revoked = (): string[] => stage.calls(contract.sharedReports.revoke).map((asked) => asked.path);
  return { stage, revoked };
}

const question = () => page.getByRole('alertdialog');
const goTo = async (n: number): Promise<void> => {
  await userEvent.click(document.querySelector(`.ag-row[row-id="${idOf(n)}"] [col-id="filters"]`) as Element);
  await vi.waitFor(() => expect(focusPlace()).toBe(`${n} filters`));
};
const disabledReasonOf = async (n: number): Promise<string | null> => {
  const button = document.querySelector(`.ag-row[row-id="${idOf(n)}"] button[aria-label="Revoke link"]`);
  return button?.getAttribute('aria-disabled') ?? null;
};

test('lists who got which file, chosen how, until when, and whether its link still works', async () => {
  const tagged = { ...everything, paymentStatus: false, tagId: idOf(801), tagName: 'COAL' };
  const range = { ...everything, paymentStatus: true, startDate: '2026-11-01', endDate: '2026-11-15' };
  const { stage } = stageOf([
    buildReport(4, { recordCount: 12_345 }),
    buildReport(3, { filters: tagged, status: 'expired' }),
    buildReport(2, { filters: range, status: 'revoked', revokedAt: '2026-11-20T12:00:00.000Z' }),
    buildReport(1, { filters: { ...everything, tagId: 'none' } }),
  ]);
  await openApp(address);
  expect(stage.asks(contract.sharedReports.list)).toEqual([{ page: '1', limit: '10' }]);
  expect(shownRows()).toEqual(['4', '3', '2', '1']);
  const row = (n: number): string[] =>
    ['ownerName', 'filters', 'recordCount', 'createdAt', 'expiresAt', 'status', 'fileName', 'createdBy'].map((column) =>
      cellText(n, column),
    );
  expect(row(4)).toEqual([
    'Owner 4',
    'All challans',
    '12,345',
    '20/11/2026 15:30',
    '23/11/2026 15:30',
    'Active',
    '…Owner_4_2026-11-20.csv',
    'a@b.in',
  ]);
  // What all names share is left out, not what tells them apart; the whole of it is its title.
  const name = document.querySelector(`.ag-row[row-id="${idOf(4)}"] [col-id="fileName"] [title]`);
  expect(name?.getAttribute('title')).toBe('owner_challans_report_Owner_4_2026-11-20.csv');
  expect(name?.scrollWidth).toBeLessThanOrEqual(name?.clientWidth ?? 0);
  expect(cellText(3, 'filters')).toBe('Unpaid only, Tag COAL');
  expect(cellText(2, 'filters')).toBe('Paid only, Deposited 01/11/2026 to 15/11/2026');
  expect(cellText(1, 'filters')).toBe('Without a tag');
  expect([4, 3, 2].map((n) => cellText(n, 'status'))).toEqual(['Active', 'Expired', 'Revoked']);
  expect(document.body.textContent).not.toMatch(/https?:\/\/|\/share\//);
});

test('R asks with owner and file, the safe button first; Ctrl+Enter revokes and the row says so', async () => {
  const { revoked } = stageOf(buildReports(3));
  await openApp(address);
  await goTo(2);
  await press('r');
  await expect.element(question()).toHaveTextContent('Revoke the link sent to Owner 2?');
  await expect.element(question()).toHaveTextContent('owner_challans_report_Owner_2_2026-11-20.csv');
  await expect.element(question()).toHaveTextContent('valid until 23/11/2026 15:30, will stop working at once');
  expect(document.activeElement?.textContent).toBe('Cancel');
  await press('{Enter}');
  await expect.element(question()).not.toBeInTheDocument();
  expect(revoked()).toEqual([]);
  await expect.poll(focusPlace).toBe('2 filters');

  await press('r');
  await expect.element(question()).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(() => cellText(2, 'status')).toBe('Revoked');
  expect(revoked()).toEqual([`/accounting/shared-reports/${idOf(2)}/revoke`]);
  await expect.poll(toasts).toEqual(['The link sent to Owner 2 no longer works']);
  expect(cellText(3, 'status')).toBe('Active');
});

test('a link that has ended cannot be revoked, and says why', async () => {
  const { revoked } = stageOf([buildReport(2, { status: 'expired' }), buildReport(1, { status: 'revoked' })]);
  await openApp(address);
  expect(await disabledReasonOf(2)).toBe('true');
  await goTo(2);
  await press('r');
  await expect.poll(toasts).toEqual(['This link has expired already.']);
  await goTo(1);
  await press('r');
  await expect.poll(toasts).toContain('This link was revoked already.');
  await expect.element(question()).not.toBeInTheDocument();
  expect(revoked()).toEqual([]);
});

test('a link that ran out while the question stood says so; a refusal is shown', async () => {
  const reports = buildReports(2);
  const { stage } = stageOf(reports);
  await openApp(address);
  await goTo(2);
  await press('r');
  await expect.element(question()).toBeVisible();
  Object.assign(reports[0] ?? {}, { status: 'expired' });
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['This link has expired already.']);
  await expect.poll(() => cellText(2, 'status')).toBe('Expired');

  stage.once(contract.sharedReports.revoke, () => refusal('SERVICE_UNAVAILABLE', 'The server is busy.'));
  await goTo(1);
  await press('r');
  await expect.element(question()).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await expect.element(question().getByRole('alert')).toHaveTextContent('The server is busy.');
  expect(cellText(1, 'status')).toBe('Active');
  // And once more, from the same question.
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(() => cellText(1, 'status')).toBe('Revoked');
});

test('while one is under way another key press sends nothing', async () => {
  const { stage, revoked } = stageOf(buildReports(2));
  await openApp(address);
  const slow = stage.hold(contract.sharedReports.revoke, ({ params }) => ({
    data: buildReport(2, { status: 'revoked', id: params.id }),
  }));
  await goTo(2);
  await press('r');
  await expect.element(question()).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(() => revoked().length).toBe(1);
  await press('{Control>}{Enter}{/Control}');
  await press('{Escape}');
  await expect.element(question()).toBeVisible();
  slow();
  await expect.element(question()).not.toBeInTheDocument();
  await expect.poll(toasts).toEqual(['The link sent to Owner 2 no longer works']);
  expect(revoked()).toHaveLength(1);
});

test('pages in the address; one past the end gives way to the last', async () => {
  const { stage } = stageOf(buildReports(23));
  await openApp(`${address}?page=9`);
  await expect.poll(shownRows).toEqual(['3', '2', '1']);
  expect(searchNow()['page']).toBe('3');
  await goTo(3);
  await press('{Alt>}{PageUp}{/Alt}');
  await expect.poll(() => shownRows()[0]).toBe('13');
  await choose(page.getByLabelText('Rows per page'), '50');
  await expect.poll(() => shownRows().length).toBeGreaterThan(10);
  expect(stage.asks(contract.sharedReports.list).at(-1)).toEqual({ page: '1', limit: '50' });
});

test('Enter opens the challans of the owner', async () => {
  stageOf(buildReports(1));
  await openApp(address);
  await goTo(1);
  await press('{Enter}');
  await expect.poll(() => window.location.pathname).toBe(`/accounting/owner/${idOf(901)}/challans`);
});

test('without any, it says what will stand here', async () => {
  stageOf([]);
  await openApp(address, 'a[href="/accounting"]');
  await expect.element(page.getByText('No shared reports yet')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Open Accounting' })).toBeVisible();
});

test('a failure is said, and Retry asks again', async () => {
  const { stage } = stageOf(buildReports(2));
  stage.once(contract.sharedReports.list, () => refusal('FORBIDDEN', 'Not now.'));
  await openApp(address, '[role="alert"], .cd-grid button');
  await expect.element(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await expect.poll(shownRows).toEqual(['2', '1']);
});
