import { cleanup, render } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router-dom';
import { toast } from 'sonner';
import { expect, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { dayOf } from '../../src/shared/calc/dates.ts';
import { sum } from '../../src/shared/calc/money.ts';
import type { Challan, ChallanSummary } from '../../src/shared/contract/challan.ts';
import type { AnswerOf } from '../../src/shared/contract/define.ts';
import { contract } from '../../src/shared/contract/index.ts';
import type { ErrorBody } from '../../src/shared/contract/errors.ts';
import { makeQueryClient } from '../../src/web/api/query-client.ts';
import { endSession, startSession } from '../../src/web/api/session-store.ts';
import { makeRouter } from '../../src/web/routes.tsx';
import '../../src/web/theme.css';

/**
 * The whole app on a pretend network: `fetch` is the one thing replaced. It answers from challans in memory, checks every
 * body against the contract as the server does, and keeps what was asked.
 */
export interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

type Answer = (asked: Asked) => Response | Promise<Response>;

export interface Stage {
  challans: Challan[];
  /** What the account has arranged, by key. */
  preferences: Map<string, string>;
  asked: Asked[];
  /** The next call of this kind is answered by `answer`. */
  once: (method: string, path: RegExp, answer: Answer) => void;
  /** All calls of these paths are answered by `answer` (another resource's test). */
  serve: (path: RegExp, answer: Answer) => void;
  asks: (method: string, path: RegExp) => Asked[];
  lists: () => Asked[];
}

export const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const owner = { id: idOf(901), name: 'Ravi Kumar', contactNumber: '9876543210', holdReason: '' };
export const otherOwner = { id: idOf(902), name: 'Sunita Jindal', contactNumber: '9876543211', holdReason: '' };
export const coal = { id: idOf(801), name: 'COAL', color: '#3B82F6' };
export const pump = { id: idOf(701), name: 'Joda Filling Station' };
const made = '2026-11-20T10:00:00.000Z';

/** Challan n: 10 MT at ₹100 less n rupees of office charges, so that each net is its own. */
export function buildChallan(n: number, over: Partial<Challan> = {}): Challan {
  return {
    id: idOf(n),
    challanNumber: `CH-2627-${String(n).padStart(6, '0')}`,
    tpNo: `TP${String(n).padStart(5, '0')}`,
    vehicleNo: `OD09AB${1000 + n}`,
    owner,
    ownerName: owner.name,
    ownerContactNumber: owner.contactNumber,
    discounter: null,
    tag: coal,
    petrolPump: pump,
    material: 'Iron ore',
    loadingDate: '2026-11-14T18:30:00.000Z',
    unloadingDate: '2026-11-15T18:30:00.000Z',
    loadingPlace: 'Joda',
    unloadingPlace: 'Paradip',
    loadingWeight: '10.50',
    unloadingWeight: '10.00',
    differenceWeight: '0.50',
    discountWeight: '0.00',
    ratePerMT: '100.00',
    tdsPercentage: '1.0',
    tdsAmount: '10.00',
    hsdPricePerLiter: '90.00',
    hsdInLiters: '1.00',
    hsdAmount: '90.00',
    advanceMoney: '100.00',
    officeCharges: `${n}.00`,
    shortageAmount: '50.00',
    materialShortageAmount: '0.00',
    netAmountPayable: `${800 - n}.00`,
    vehicleType: 'Hyva',
    vehicleWheel: 12,
    driverName: '',
    drivingLicenseNo: '',
    dataEntryBy: 'Mamata',
    remarks: '',
    paymentStatus: false,
    paidAt: null,
    payment: null,
    holdReason: '',
    hsdVerified: false,
    hsdVerifiedAt: null,
    depositedAt: '2026-11-17T18:30:00.000Z',
    createdAt: made,
    updatedAt: made,
    version: 1,
    ...over,
  };
}

export const buildChallans = (count: number, over: (n: number) => Partial<Challan> = () => ({})): Challan[] =>
  Array.from({ length: count }, (_, index) => buildChallan(count - index, over(count - index)));

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

export const failure = (status: number, code: ErrorBody['code'], message: string): Response =>
  json({ success: false, message, code, requestId: 'request-1' } satisfies ErrorBody, status);

/** An answer that waits for `release`. */
export function held(answer: Answer): { answer: Answer; release: () => void } {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { answer: async (asked) => gate.then(() => answer(asked)), release: () => release() };
}

export function matching(challans: readonly Challan[], query: Record<string, string>): Challan[] {
  const { tpNo, paymentStatus, tagId, ownerId, depositedStartDate: from, depositedEndDate: to } = query;
  const { vehicleNo, netFrom, netTo, paidStartDate, paidEndDate } = query;
  return challans.filter((row) => {
    const deposited = row.depositedAt === null ? '' : dayOf(row.depositedAt);
    const paidOn = row.paidAt === null ? '' : dayOf(row.paidAt);
    return (
      (!tpNo || row.tpNo.toLowerCase().includes(tpNo.toLowerCase())) &&
      (!paymentStatus || row.paymentStatus === ['true', 'paid'].includes(paymentStatus)) &&
      (!tagId || (row.tag?.id ?? 'none') === tagId) &&
      (!ownerId || row.owner.id === ownerId) &&
      (!vehicleNo || row.vehicleNo.includes(vehicleNo.toUpperCase())) &&
      (!netFrom || Number(row.netAmountPayable) >= Number(netFrom)) &&
      (!netTo || Number(row.netAmountPayable) <= Number(netTo)) &&
      (!paidStartDate || paidOn >= paidStartDate) &&
      (!paidEndDate || (paidOn !== '' && paidOn <= paidEndDate)) &&
      (!from || deposited >= from) &&
      (!to || (deposited !== '' && deposited <= to))
    );
  });
}

function summaryOf(rows: readonly Challan[]): ChallanSummary {
  const total = (list: readonly Challan[]): string => sum(list.map((row) => row.netAmountPayable));
  const paid = rows.filter((row) => row.paymentStatus);
  const unpaid = rows.filter((row) => !row.paymentStatus);
  return {
    totalCount: rows.length,
    totalAmount: total(rows),
    paidCount: paid.length,
    paidAmount: total(paid),
    unpaidCount: unpaid.length,
    unpaidAmount: total(unpaid),
  };
}

export function listAnswer(challans: readonly Challan[], asked: Asked): Response {
  const parsed = contract.challans.list.query.safeParse(asked.query);
  if (!parsed.success) return failure(400, 'VALIDATION_ERROR', parsed.error.issues[0]?.message ?? 'wrong');
  const { page: current, limit, sortOrder } = parsed.data;
  const rows = matching(challans, asked.query);
  const ordered = sortOrder === 'asc' ? rows.toReversed() : rows;
  const offset = (current - 1) * limit;
  const totalPages = Math.ceil(rows.length / limit);
  const answer: AnswerOf<typeof contract.challans.list> = {
    data: ordered.slice(offset, offset + limit),
    pagination: {
      currentPage: current,
      limit,
      totalPages,
      totalCount: rows.length,
      hasNext: current < totalPages,
      hasPrevious: current > 1,
      offset,
    },
    summary: summaryOf(rows),
  };
  return json({ success: true, ...answer });
}

export const onePage = (count: number) => ({
  currentPage: 1,
  limit: 100,
  totalPages: 1,
  totalCount: count,
  hasNext: false,
  hasPrevious: false,
  offset: 0,
});

function ownerAnswer(item: typeof owner) {
  return {
    ...item,
    address: '',
    accountNo: '001',
    ifsc: '',
    panNo: 'ABCDE1234F',
    branchName: 'Joda',
    subadminId: 'a@b.in',
    createdAt: made,
    updatedAt: made,
    version: 1,
    trucksCount: 0,
    trucks: [],
  };
}

function answerOf(stage: Stage, asked: Asked): Response {
  const { method, path, body } = asked;
  const id = path.split('/').at(-1) ?? '';
  const row = stage.challans.find((item) => item.id === id);
  const gone = (): Response => failure(404, 'NOT_FOUND', 'Challan not found');
  if (method === 'GET' && path === '/challans') return listAnswer(stage.challans, asked);
  if (method === 'POST' && path === '/challans/export-filtered-csv') {
    contract.challans.exportCsv.body.parse(body);
    return new Response('\uFEFFNo\r\nCH-1\r\n', {
      headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="challans_2026-11-20.csv"' },
    });
  }
  if (method === 'POST' && path === '/challans/export-filtered-xlsx') {
    contract.challans.exportXlsx.body.parse(body);
    return new Response('PK', {
      headers: {
        'content-type': contract.challans.exportXlsx.answer.type,
        'content-disposition': 'attachment; filename="challans_2026-11-20.xlsx"',
      },
    });
  }
  if (method === 'PUT' && path.startsWith('/challans/hsd-verification/')) {
    if (!row) return gone();
    row.hsdVerified = contract.challans.setHsdVerified.body.parse(body).hsdVerified;
    return json({ success: true, data: row });
  }
  if (path === '/challans/by-number') {
    const q = (asked.query['q'] ?? '').toUpperCase();
    return json({ success: true, data: stage.challans.filter(({ challanNumber }) => challanNumber === q) });
  }
  if (path === '/preferences') {
    if (method === 'PUT') {
      const { key, value } = contract.preferences.put.body.parse(body);
      if (value === null) stage.preferences.delete(key);
      else stage.preferences.set(key, value);
    }
    const data = [...stage.preferences].map(([key, value]) => ({ key, value, updatedAt: made }));
    return json({ success: true, data: method === 'PUT' ? (data[0] ?? null) : data });
  }
  if (path === '/payment-batches/by-number') return json({ success: true, data: [] });
  if (path.startsWith('/challans/')) {
    if (!row) return gone();
    if (method === 'PUT') row.paymentStatus = contract.challans.update.body.parse(body).paymentStatus ?? false;
    if (method !== 'DELETE') return json({ success: true, data: row });
    stage.challans = stage.challans.filter((item) => item !== row);
    return json({
      success: true,
      message: 'Challan deleted successfully',
      data: { batch: { id: idOf(700), number: 'BATCH-2627-000001' } },
    });
  }
  const tag = { ...coal, description: '', createdAt: made, updatedAt: made, version: 1 };
  const isAsked = (name: string): boolean => name.toLowerCase().includes((asked.query['search'] ?? '').toLowerCase());
  if (path === '/tags') {
    const data = [tag].filter(({ name }) => isAsked(name));
    return json({ success: true, data, pagination: onePage(data.length) });
  }
  if (path === '/petrol-pumps') {
    const place = { address: 'Joda', contactNumber: '9437012345', createdAt: made, updatedAt: made, version: 1 };
    const data = [{ ...pump, ...place }].filter(({ name }) => isAsked(name));
    return json({ success: true, data, pagination: onePage(data.length) });
  }
  if (path === '/owners/search') {
    const found = [owner, otherOwner].filter(({ name }) =>
      name.toLowerCase().includes((asked.query['q'] ?? '').toLowerCase()),
    );
    return json({
      success: true,
      results: found.map(ownerAnswer),
      count: found.length,
      searchTerm: asked.query['q'],
    });
  }
  if (path === `/owners/${otherOwner.id}`) return json({ success: true, data: ownerAnswer(otherOwner) });
  if (path === '/accounting/owners') {
    const summary = {
      totalTrucks: 0,
      unpaidCount: 0,
      unpaidAmount: '0.00',
      carriedAmount: '0.00',
      paidThisMonth: '0.00',
    };
    return json({ success: true, data: [], summary, pagination: onePage(0) });
  }
  if (path === '/owners') {
    const data = [owner, otherOwner].map((item) => ({ owner: ownerAnswer(item), trucksCount: 0, trucks: [] }));
    return json({ success: true, data, pagination: onePage(2), meta: { totalTrucks: 0 } });
  }
  return failure(404, 'NOT_FOUND', `Nothing answers ${method} ${path}`);
}

/** The palette's answer from what the calls of each resource would say. */
async function paletteAnswer(
  { query }: Asked,
  ask: (path: string, query: Record<string, string>) => Promise<Response>,
) {
  const search = query['search'] ?? '';
  const list = async (path: string, asked: Record<string, string>) => {
    const answer = (await (await ask(path, { page: '1', limit: '5', ...asked })).json()) as {
      data?: object[];
      results?: object[];
      count?: number;
      pagination?: { totalCount: number };
    };
    const data = (answer.data ?? answer.results ?? []).slice(0, 5);
    return { data, totalCount: answer.count ?? answer.pagination?.totalCount ?? data.length };
  };
  const isAmount = /^\d+(\.\d\d?)?$/.test(search);
  const isPlate = /[a-z]/i.test(search) && /\d/.test(search);
  const amount = Number(search).toFixed(2);
  const numbered = async (path: string) => (await list(path, { q: search })).data;
  const data = {
    challans: await numbered('/challans/by-number'),
    payments: await numbered('/payment-batches/by-number'),
    byTp: { ...(await list('/challans', { tpNo: search })), isMore: false },
    byAmount: isAmount ? { ...(await list('/challans', { netFrom: amount, netTo: amount })), amount } : null,
    byVehicle: isPlate ? { ...(await list('/challans', { vehicleNo: search })), isMore: false } : null,
    trucks: await list('/trucks/search', { q: search }),
    owners: await list('/owners/search', { q: search }),
    tags: await list('/tags', { search }),
    petrolPumps: await list('/petrol-pumps', { search }),
  };
  return json({ success: true, data });
}

export function makeStage(challans: Challan[]): Stage {
  const special: { method: string; path: RegExp; answer: Answer }[] = [];
  const served: { path: RegExp; answer: Answer }[] = [];
  const stage: Stage = {
    challans,
    preferences: new Map(),
    asked: [],
    once: (method, path, answer) => void special.push({ method, path, answer }),
    serve: (path, answer) => void served.push({ path, answer }),
    asks: (method, path) => stage.asked.filter((item) => item.method === method && path.test(item.path)),
    lists: () => stage.asks('GET', /^\/challans$/),
  };
  vi.stubGlobal('fetch', async (target: string, init: RequestInit) => {
    const url = new URL(target, 'http://here');
    const asked: Asked = {
      method: init.method ?? 'GET',
      path: url.pathname.replace(/^\/api/, ''),
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    stage.asked.push(asked);
    const at = special.findIndex((item) => item.method === asked.method && item.path.test(asked.path));
    const found = at < 0 ? undefined : special.splice(at, 1)[0];
    const own = found ?? served.find((item) => item.path.test(asked.path));
    const ask = async (path: string, query: Record<string, string>): Promise<Response> => {
      const inner: Asked = { method: 'GET', path, query, body: undefined };
      return (served.find((item) => item.path.test(path))?.answer ?? ((one) => answerOf(stage, one)))(inner);
    };
    const usual = () => (asked.path === '/palette' ? paletteAnswer(asked, ask) : answerOf(stage, asked));
    const answer = Promise.resolve(own ? own.answer(asked) : usual());
    const { signal } = init;
    if (!signal) return answer;
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    return Promise.race([answer, aborted]);
  });
  return stage;
}

const home = window.location.href;

/** Opens the app at this address, signed in, and waits for the first rows (or for what stands in their place). */
export async function openApp(
  address: string,
  waitFor: string = '.cd-grid .ag-grid-scrolling-container .ag-row',
  role: 'admin' | 'subadmin' = 'subadmin',
  windowHeight = 450,
) {
  startSession({ token: 'token-of-a-session', role, user: { id: 'a@b.in', email: 'a@b.in', role } });
  // As high as ten rows of a list: what fits into the window is a test of its own.
  vi.stubGlobal('innerHeight', windowHeight);
  window.history.replaceState(null, '', address);
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(root);
  document.documentElement.style.height = '100%';
  const router = makeRouter();
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
    { container: root },
  );
  await vi.waitFor(() => expect(document.querySelector(waitFor)).not.toBeNull(), { timeout: 20_000 });
  return router;
}

export async function closeApp(): Promise<void> {
  if (document.querySelector('[role="alertdialog"]')) await press('{Escape}');
  // While they are shown: merged toasts are counted until they are dismissed. Each by its id and again, since one that is
  // dismissed before it is drawn stays, and without an id the library does not dismiss it a second time.
  await vi.waitFor(() => {
    for (const { id } of toast.getHistory()) toast.dismiss(id);
    expect(document.querySelector('[data-sonner-toast][data-removed="false"]')).toBeNull();
  });
  cleanup();
  document.querySelector('#root')?.remove();
  endSession('logout');
  localStorage.clear();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', home);
}

export const rowOf = (n: number): Element | null =>
  document.querySelector(`.ag-grid-scrolling-container [row-id="${idOf(n)}"]`);
const cellOf = (n: number, column: string): Element | null =>
  document.querySelector(`.ag-row[row-id="${idOf(n)}"] [col-id="${column}"]`);
export const cellText = (n: number, column: string): string => cellOf(n, column)?.textContent?.trim() ?? 'no cell';
export const boxOf = (n: number, column: 'paymentStatus' | 'hsdVerified'): string | null | undefined =>
  cellOf(n, column)?.querySelector('.cd-box')?.getAttribute('aria-checked');
export const isMuted = (n: number): boolean => rowOf(n)?.classList.contains('cd-muted') ?? false;
export const totalText = (): string =>
  document.querySelector('.ag-row-pinned [col-id="netAmountPayable"]')?.textContent?.trim() ?? 'none';
export const shownRows = (): string[] =>
  [...document.querySelectorAll('.ag-grid-scrolling-container .ag-row')]
    .toSorted((a, b) => Number(a.getAttribute('row-index')) - Number(b.getAttribute('row-index')))
    .map((row) => String(Number((row.getAttribute('row-id') ?? '').slice(-6))));
export const toasts = (): string[] =>
  [...document.querySelectorAll('[data-sonner-toast] [data-title]')].map((item) => item.textContent ?? '');
/** Their second lines. */
export const toastDetails = (): string[] =>
  [...document.querySelectorAll('[data-sonner-toast] [data-description]')].map((item) => item.textContent ?? '');
export const press = (keys: string): Promise<void> => userEvent.keyboard(keys);
export const searchNow = (): Record<string, string> => Object.fromEntries(new URLSearchParams(window.location.search));

/** Puts the focus on a cell: a click on the row, then along it with the arrow, since a click on a box would tick it. */
export async function goTo(n: number, column = 'tpNo'): Promise<void> {
  await vi.waitFor(() => expect(cellOf(n, 'tpNo'), `The row of challan ${n}`).not.toBeNull());
  await userEvent.click(cellOf(n, 'tpNo') as Element);
  await vi.waitFor(() => expect(focusPlace()).toBe(`${n} tpNo`));
  for (let steps = 0; steps < 8 && focusPlace() !== `${n} ${column}`; steps += 1) {
    const before = focusPlace();
    await press('{ArrowRight}');
    await vi.waitFor(() => expect(focusPlace()).not.toBe(before));
  }
  expect(focusPlace()).toBe(`${n} ${column}`);
}

/** '12 tpNo': the challan and column that have the focus. */
export function focusPlace(): string {
  const cell = document.activeElement?.closest('.ag-cell');
  if (!cell) return document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '';
  const row = cell.closest('[row-id]')?.getAttribute('row-id') ?? '';
  return `${Number(row.slice(-6))} ${cell.getAttribute('col-id')}`;
}

export { page, userEvent };
