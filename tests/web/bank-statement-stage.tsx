import { expect, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { dayOf } from '../../src/shared/calc/dates.ts';
import { add, isNegative, subtract, sum } from '../../src/shared/calc/money.ts';
import type {
  PaymentResult,
  SelectionReview,
  StatementChallan,
  StatementOwner,
} from '../../src/shared/contract/bank-statement.ts';
import type { AnswerOf } from '../../src/shared/contract/define.ts';
import { contract } from '../../src/shared/contract/index.ts';
import type { ErrorBody } from '../../src/shared/contract/errors.ts';
import { coal, idOf } from './support/builders.ts';
import { closeApp, openApp, press } from './support/screen.tsx';

/**
 * The bank statement on a pretend network: unpaid challans in memory, answered by the contract's shapes. Bodies are checked
 * as the server checks them, and one idempotency key pays once.
 */
export interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  key: string | undefined;
}

type Answer = (asked: Asked) => Response | Promise<Response>;

export interface Stage {
  owners: StatementOwner[];
  asked: Asked[];
  once: (method: string, path: RegExp, answer: Answer) => void;
  asks: (method: string, path: RegExp) => Asked[];
  /** The loads of the statement, not its files. */
  lists: () => Asked[];
  /** The loads of the challans of expanded owners. */
  details: () => Asked[];
  files: () => Asked[];
  payments: () => Asked[];
  /** What the next payments answer besides; by default the file comes with the answer. */
  result: Partial<PaymentResult>;
  /** The account's largest payment of the last weeks. */
  largestPayment: string | null;
}

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

export const report = /^\/challans\/bank-report(\/owners)?$/;
export const ownersPath = /^\/challans\/bank-report\/owners$/;
export const detailsPath = /^\/challans\/bank-report$/;
export const reviewPath = /\/bank-report\/selection$/;
export const byIds = /\/bulk-payment$/;
export const byFilter = /\/bulk-payment-status$/;
export const batchId = idOf(500);

/** Challan n of ₹(100 × n).50 */
export function buildChallan(n: number, over: Partial<StatementChallan> = {}): StatementChallan {
  return {
    challanId: idOf(n),
    challanNumber: `CH-2627-${String(n).padStart(6, '0')}`,
    tpNo: `TP${String(n).padStart(5, '0')}`,
    vehicleNo: `OD09AB${1000 + n}`,
    material: 'Iron ore',
    loadingPlace: 'Joda',
    unloadingPlace: 'Paradip Port',
    loadingDate: '2026-11-14T18:30:00.000Z',
    unloadingDate: '2026-11-15T18:30:00.000Z',
    depositedAt: '2026-11-17T18:30:00.000Z',
    netAmountPayable: `${100 * n}.50`,
    tag: coal,
    holdReason: '',
    paymentStatus: false,
    ...over,
  };
}

/** Owner m with the challans of these numbers. */
export function buildOwner(m: number, numbers: readonly number[], over: Partial<StatementOwner> = {}): StatementOwner {
  const challans = numbers.map((n) => buildChallan(n));
  return {
    id: idOf(900 + m),
    name: `Owner ${m}`,
    contactNumber: `98765432${10 + m}`,
    accountNo: `00012345${m}`,
    ifsc: 'SBIN0001234',
    branchName: 'Joda',
    failedTransfer: null,
    holdReason: '',
    heldCount: 0,
    heldAmount: '0.00',
    carriedAmount: '0.00',
    oldestDeposit: '2026-11-18',
    unpaidAmount: sum(challans.map(({ netAmountPayable }) => netAmountPayable)),
    unpaidCount: challans.length,
    challans,
    ...over,
  };
}

/** Ten challans: 1-7 of the first owner, 8 and 9 of the second, 10 of the third. All: 10 challans, ₹5,505.00. */
export const threeOwners = (): StatementOwner[] => [
  buildOwner(1, [1, 2, 3, 4, 5, 6, 7]),
  buildOwner(2, [8, 9]),
  buildOwner(3, [10]),
];

const withChallans = (owner: StatementOwner, challans: StatementChallan[]): StatementOwner => ({
  ...owner,
  challans,
  unpaidCount: challans.length,
  unpaidAmount: sum(challans.map(({ netAmountPayable }) => netAmountPayable)),
});

interface Filter {
  ownerId?: string | undefined;
  tagId?: string | undefined;
  depositedStartDate?: string | undefined;
  depositedEndDate?: string | undefined;
}

function matching(owners: readonly StatementOwner[], filter: Filter): StatementOwner[] {
  const { ownerId, tagId, depositedStartDate: from, depositedEndDate: to } = filter;
  return owners
    .filter(({ id }) => !ownerId || id === ownerId)
    .map((owner) =>
      withChallans(
        owner,
        owner.challans.filter((row) => {
          const day = row.depositedAt === null ? '' : dayOf(row.depositedAt);
          const isTagged = !tagId || (row.tag?.id ?? 'none') === tagId;
          return isTagged && (!from || day >= from) && (!to || (day !== '' && day <= to));
        }),
      ),
    )
    .filter(({ challans }) => challans.length > 0);
}

const challansOf = (owners: readonly StatementOwner[]): StatementChallan[] =>
  owners.flatMap(({ challans }) => challans);
const amountOf = (challans: readonly StatementChallan[]): string =>
  sum(challans.map(({ netAmountPayable }) => netAmountPayable));

function negativeOwnersOf(owners: readonly StatementOwner[]) {
  const negativeOwners = owners
    .filter(isNegativeOwner)
    .map(({ id, name, unpaidCount, unpaidAmount, carriedAmount }) => ({
      id,
      name,
      challanCount: unpaidCount,
      amount: subtract(unpaidAmount, carriedAmount),
      carriedAmount,
    }));
  const carriedOf = (isNegative: boolean): string =>
    sum(owners.filter((owner) => isNegativeOwner(owner) === isNegative).map(({ carriedAmount }) => carriedAmount));
  return {
    negativeOwnerCount: negativeOwners.length,
    negativeOwners,
    negativeChallanCount: negativeOwners.reduce((count, { challanCount }) => count + challanCount, 0),
    negativeAmount: sum(negativeOwners.map(({ amount, carriedAmount }) => add(amount, carriedAmount))),
    negativeCarriedAmount: carriedOf(true),
    deductedAmount: carriedOf(false),
  };
}
const isNegativeOwner = ({ unpaidAmount, carriedAmount }: StatementOwner): boolean =>
  isNegative(subtract(unpaidAmount, carriedAmount));
const isFree = ({ holdReason }: StatementOwner, challan: StatementChallan): boolean =>
  holdReason === '' && challan.holdReason === '';

/** What of these owners a payment covers: nothing on hold, and no owner whose sum is negative. */
const payable = (
  owners: readonly StatementOwner[],
  paysNegative: boolean,
  carries: readonly Carried[] = [],
): StatementChallan[] =>
  owners
    .filter((owner) => paysNegative || !isNegativeOwner(owner) || carries.some(({ ownerId }) => ownerId === owner.id))
    .flatMap((owner) => owner.challans.filter((challan) => isFree(owner, challan)));

interface Carried {
  ownerId: string;
  amount: string;
}

/** Less what was carried, of the owners that are paid; what is carried on brings them to nothing. */
const totalOf = (
  owners: readonly StatementOwner[],
  paid: readonly StatementChallan[],
  carries: readonly Carried[],
): string => {
  const ids = new Set(paid.map(({ challanId }) => challanId));
  const deducted = owners.flatMap(({ challans, carriedAmount }) =>
    challans.some(({ challanId }) => ids.has(challanId)) ? [carriedAmount] : [],
  );
  return subtract(sum([amountOf(paid), ...carries.map(({ amount }) => amount)]), sum(deducted));
};

/** What the server would answer with everything that is shown of the challans. */
export function listAnswer(
  owners: readonly StatementOwner[],
  query: Asked['query'],
): AnswerOf<typeof contract.bankStatement.list> {
  const { page: current, limit } = contract.bankStatement.list.query.parse(query);
  const found = matching(owners, query);
  const offset = (current - 1) * limit;
  const totalPages = Math.ceil(found.length / limit);
  return {
    data: {
      owners: found.slice(offset, offset + limit),
      summary: {
        totalOwners: found.length,
        totalChallans: challansOf(found).length,
        totalUnpaidAmount: amountOf(challansOf(found)),
        heldCount: challansOf(found).length - payable(found, true).length,
        heldAmount: subtract(amountOf(challansOf(found)), amountOf(payable(found, true))),
        ...negativeOwnersOf(found),
      },
    },
    pagination: {
      currentPage: current,
      limit,
      totalPages,
      totalCount: found.length,
      hasNext: current < totalPages,
      hasPrevious: current > 1,
      offset,
    },
  };
}

export const csvOfPayment = {
  content: '\uFEFFOwner\r\nOwner 1\r\n',
  filename: 'payment_PAY-1.csv',
  contentType: 'text/csv',
};

function payAnswer(
  stage: Stage,
  paid: readonly StatementChallan[],
  skippedCount: number,
  totalAmount: string,
): Response {
  const ids = new Set(paid.map(({ challanId }) => challanId));
  const data: PaymentResult = {
    batchId: ids.size === 0 ? null : batchId,
    number: ids.size === 0 ? null : 'PAY-2627-000012',
    updatedCount: ids.size,
    skippedCount,
    negativeCount: 0,
    totalAmount,
    paymentStatus: true,
    challanIds: [...ids],
    timestamp: '2026-11-20T10:00:00.000Z',
    appliedFilters: null,
    csv: csvOfPayment,
    ...stage.result,
  };
  stage.owners = stage.owners
    .map((owner) =>
      withChallans(
        owner,
        owner.challans.filter(({ challanId }) => !ids.has(challanId)),
      ),
    )
    .filter(({ challans }) => challans.length > 0);
  return json({ success: true, data });
}

function payIds(stage: Stage, body: unknown): Response {
  const { challanIds, paysNegative, carries } = contract.bankStatement.markPaid.body.parse(body);
  const chosen = stage.owners.map((owner) =>
    withChallans(
      owner,
      owner.challans.filter(({ challanId }) => challanIds.includes(challanId)),
    ),
  );
  const paid = payable(chosen, paysNegative, carries);
  return payAnswer(stage, paid, challanIds.length - challansOf(chosen).length, totalOf(chosen, paid, carries));
}

/** The owners of a selection to whose account the last transfer failed. */
function failedOwnersOf(owners: readonly StatementOwner[]) {
  const failedOwners = owners.flatMap(({ id, name, failedTransfer }) =>
    failedTransfer === null ? [] : [{ id, name, failedTransfer }],
  );
  return { failedOwnerCount: failedOwners.length, failedOwners };
}

function reviewAnswer(stage: Stage, body: unknown): Response {
  const { filters, challanIds, excludeChallanIds } = contract.bankStatement.review.body.parse(body);
  const isNamed = ({ challanId }: StatementChallan): boolean => (challanIds ?? excludeChallanIds).includes(challanId);
  const found = matching(stage.owners, filters);
  const covered = found
    .map((owner) =>
      withChallans(
        owner,
        owner.challans.filter((row) => isNamed(row) === (challanIds !== undefined) && isFree(owner, row)),
      ),
    )
    .filter(({ challans }) => challans.length > 0);
  const named = found.flatMap(({ id, challans }) =>
    challans.filter(isNamed).map(({ challanId, netAmountPayable }) => ({ challanId, ownerId: id, netAmountPayable })),
  );
  const data: SelectionReview = {
    count: challansOf(covered).length,
    totalAmount: amountOf(challansOf(covered)),
    ownerCount: covered.length,
    ...negativeOwnersOf(covered),
    challans: named,
    paid: [],
    // What left the stage has been paid.
    paidCount: (challanIds ?? excludeChallanIds).length - named.length,
    goneCount: 0,
    heldCount: 0,
    heldMatchingCount: challansOf(found).length - payable(found, true).length,
    largestPayment: stage.largestPayment,
    incompleteOwnerCount: 0,
    incompleteOwners: [],
    ...failedOwnersOf(covered),
  };
  return json({ success: true, data });
}

function payFilter(stage: Stage, body: unknown): Response {
  const { filters, excludeChallanIds, paysNegative, carries, expected } =
    contract.bankStatement.markMatchingPaid.body.parse(body);
  const chosen = matching(stage.owners, filters).map((owner) =>
    withChallans(
      owner,
      owner.challans.filter(({ challanId }) => !excludeChallanIds.includes(challanId)),
    ),
  );
  const paid = payable(chosen, paysNegative, carries);
  const now = { count: paid.length, totalAmount: totalOf(chosen, paid, carries) };
  if (expected && (expected.count !== now.count || expected.totalAmount !== now.totalAmount)) {
    const message = 'The matching challans have changed';
    return json({ success: false, message, code: 'SELECTION_CHANGED', requestId: 'request-1', data: now }, 409);
  }
  return payAnswer(stage, paid, 0, now.totalAmount);
}

const reversed = (count: number) => ({
  id: batchId,
  number: 'PAY-2627-000001',
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: 'a@b.in',
  kind: 'selected',
  paidOn: '2026-11-20',
  owner: null,
  challan: null,
  updatedCount: count,
  totalAmount: '0.00',
  ownerCount: 1,
  paidCount: 0,
  paidAmount: '0.00',
  paidOwnerCount: 0,
  reversedAt: '2026-11-20T10:00:05.000Z',
  reversedReason: 'Undone from the bank statement',
  reversedBy: 'a@b.in',
  appliedFilters: null,
  reversedCount: count,
  reversedAmount: '0.00',
});

const onePage = {
  currentPage: 1,
  limit: 100,
  totalPages: 1,
  totalCount: 1,
  hasNext: false,
  hasPrevious: false,
  offset: 0,
};
const kept = { createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z', version: 1 };

function ownerAnswer({ id, name, contactNumber, accountNo, ifsc, branchName }: StatementOwner) {
  const own = { id, name, contactNumber, accountNo, ifsc, branchName, address: '', panNo: 'ABCDE1234F' };
  return { ...own, ...kept, subadminId: 'a@b.in', trucksCount: 0, trucks: [] };
}

export function makeStage(owners: StatementOwner[]): Stage {
  const special: { method: string; path: RegExp; answer: Answer }[] = [];
  const everyOwner = owners;
  const answered = new Map<string, string>();
  const stage: Stage = {
    owners,
    asked: [],
    result: {},
    largestPayment: null,
    once: (method, path, answer) => void special.push({ method, path, answer }),
    asks: (method, path) => stage.asked.filter((item) => item.method === method && path.test(item.path)),
    lists: () => stage.asks('GET', ownersPath),
    details: () => stage.asks('GET', detailsPath).filter(({ query }) => query['format'] === undefined),
    files: () => stage.asks('GET', detailsPath).filter(({ query }) => query['format'] !== undefined),
    payments: () => [...stage.asks('POST', byIds), ...stage.asks('PUT', byFilter)],
  };
  const answerOf = async (asked: Asked): Promise<Response> => {
    const { method, path, query, body } = asked;
    if (method === 'GET' && ownersPath.test(path)) {
      const answer = contract.bankStatement.listOwners.answer.parse(listAnswer(stage.owners, query));
      return json({ success: true, ...answer });
    }
    if (method === 'GET' && detailsPath.test(path)) {
      if (query['format'] === undefined) return json({ success: true, ...listAnswer(stage.owners, query) });
      if (query['format'] === 'xlsx') {
        contract.bankStatement.exportXlsx.query.parse(query);
        return new Response('PK', {
          headers: { 'content-disposition': 'attachment; filename="bank_statement_2026-11-20.xlsx"' },
        });
      }
      contract.bankStatement.exportCsv.query.parse(query);
      return new Response('\uFEFFOwner\r\nOwner 1\r\n', {
        headers: {
          'content-type': 'text/csv',
          'content-disposition': 'attachment; filename="bank_statement_2026-11-20.csv"',
        },
      });
    }
    if (reviewPath.test(path)) return reviewAnswer(stage, body);
    if (byIds.test(path) || byFilter.test(path)) {
      const key = asked.key ?? '';
      const before = answered.get(key);
      if (before !== undefined) return json(JSON.parse(before));
      const answer = byIds.test(path) ? payIds(stage, body) : payFilter(stage, body);
      if (answer.ok) answered.set(key, await answer.clone().text());
      return answer;
    }
    if (path === `/payment-batches/${batchId}/reverse`) {
      contract.paymentBatches.reverse.body.parse(body);
      const before = challansOf(stage.owners).length;
      stage.owners = everyOwner;
      return json({ success: true, data: reversed(challansOf(everyOwner).length - before) });
    }
    if (path === `/payment-batches/${batchId}/csv`) {
      return new Response('\uFEFFOwner\r\n', {
        headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="payment_large.csv"' },
      });
    }
    if (path === '/tags')
      return json({ success: true, data: [{ ...coal, description: '', ...kept }], pagination: onePage });
    if (path === '/owners/search') {
      const term = (query['q'] ?? '').toLowerCase();
      const results = everyOwner.filter(({ name }) => name.toLowerCase().includes(term)).map(ownerAnswer);
      return json({ success: true, results, count: results.length, searchTerm: query['q'] });
    }
    const single = everyOwner.find(({ id }) => path === `/owners/${id}`);
    if (single) return json({ success: true, data: ownerAnswer(single) });
    if (path === '/owners') {
      const data = everyOwner.map((item) => ({ owner: ownerAnswer(item), trucksCount: 0, trucks: [] }));
      return json({ success: true, data, pagination: onePage, meta: { totalTrucks: 0 } });
    }
    return failure(404, 'NOT_FOUND', `Nothing answers ${method} ${path}`);
  };
  vi.stubGlobal('fetch', async (target: string, init: RequestInit) => {
    const url = new URL(target, 'http://here');
    const asked: Asked = {
      method: init.method ?? 'GET',
      path: url.pathname.replace(/^\/api/, ''),
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      key: new Headers(init.headers).get('idempotency-key') ?? undefined,
    };
    stage.asked.push(asked);
    const at = special.findIndex((item) => item.method === asked.method && item.path.test(asked.path));
    const found = at < 0 ? undefined : special.splice(at, 1)[0];
    const answer = found ? Promise.resolve(found.answer(asked)) : answerOf(asked);
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

export const openStatement = (search = '', waitFor?: string) => openApp(`/accounting/bank-statement${search}`, waitFor);

/** The statement with the three owners of `threeOwners`. */
export async function openThree(): Promise<Stage> {
  const stage = makeStage(threeOwners());
  await openStatement();
  return stage;
}

/** The names of the files the page saves from here on. */
export function watchFiles(): string[] {
  const names: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.download) names.push(this.download);
  });
  onTestFinished(() => click.mockRestore());
  return names;
}

export const ownerId = (m: number): string => idOf(900 + m);
const cell = (id: string, column: string): Element | null =>
  document.querySelector(`.ag-row[row-id="${id}"] [col-id="${column}"]`);
export const cellText = (id: string, column: string): string => cell(id, column)?.textContent?.trim() ?? 'no cell';
export const boxOf = (id: string): string => cell(id, 'grid-select')?.querySelector('.cd-box')?.ariaChecked ?? 'no box';
export const waitBox = (id: string, state: string): Promise<void> => vi.waitFor(() => expect(boxOf(id)).toBe(state));
export const boxLabel = (id: string): string =>
  cell(id, 'grid-select')?.querySelector('.cd-box')?.getAttribute('aria-label') ?? 'no box';
export const headerBox = (): Element => {
  const box = document.querySelector('.ag-header [col-id="grid-select"] .cd-box');
  if (!box) throw new Error('The header has no box');
  return box;
};
/** Owners by their number, challans by theirs. */
export const shownRows = (): number[] =>
  [...document.querySelectorAll('.ag-grid-scrolling-container .ag-row')]
    .toSorted((a, b) => Number(a.getAttribute('row-index')) - Number(b.getAttribute('row-index')))
    .map((row) => Number((row.getAttribute('row-id') ?? '').slice(-6)));
export const isExpanded = (m: number): string | null | undefined =>
  document.querySelector(`.ag-row[row-id="${ownerId(m)}"]`)?.getAttribute('aria-expanded');
export const focusedRow = (): number | string => {
  const row = document.activeElement?.closest('.ag-cell')?.closest('[row-id]')?.getAttribute('row-id');
  return row ? Number(row.slice(-6)) : (document.activeElement?.textContent ?? '');
};
/** What is selected, as the live region says it. */
export const selectionText = (): string =>
  [...document.querySelectorAll('main [role="status"]')]
    .map((item) => item.textContent ?? '')
    .find((text) => / selected/.test(text)) ?? '';
export const waitSelection = (text: string): Promise<void> => vi.waitFor(() => expect(selectionText()).toBe(text));
export const dialog = (): HTMLElement | null => document.querySelector('[role="dialog"], [role="alertdialog"]');
export const focusText = (): string => document.activeElement?.textContent?.trim() ?? '';

/** Step 2 may be confirmed: the moment to read it is over. */
export const armed = (): Promise<void> =>
  vi.waitFor(() => {
    const yes = [...document.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Yes, Mark Selected as Paid',
    );
    expect(yes?.getAttribute('aria-disabled')).toBeNull();
  });

export function clickBox(id: string): void {
  const box = cell(id, 'grid-select')?.querySelector<HTMLElement>('.cd-box');
  if (!box) throw new Error(`No box of ${id}`);
  // Not by its label: that says what is selected, and changes with the click.
  box.click();
}

/** Clicks the box of an owner or challan and waits for the selection: the grid tells it in a task of its own. */
export async function tick(id: string): Promise<void> {
  // A row is there before its box is.
  await vi.waitFor(() => expect(boxOf(id)).not.toBe('no box'));
  const before = boxOf(id);
  clickBox(id);
  await vi.waitFor(() => expect(boxOf(id)).not.toBe(before));
}

/** Puts the focus into the grid, on the row of this owner or challan; what the click opens is closed again. */
export async function goTo(id: string): Promise<void> {
  const start = await vi.waitUntil(() => cell(id, 'challanNumber'), { timeout: 20_000 });
  const wasExpanded = start.closest('[row-id]')?.getAttribute('aria-expanded');
  await userEvent.click(start);
  await vi.waitFor(() => expect(focusedRow()).toBe(Number(id.slice(-6))));
  const expanded = (): string | null | undefined =>
    document.querySelector(`.ag-row[row-id="${id}"]`)?.getAttribute('aria-expanded');
  if (wasExpanded !== 'false') return;
  await vi.waitFor(() => expect(expanded()).toBe('true'));
  await press('{ArrowLeft}');
  await vi.waitFor(() => expect(expanded()).toBe('false'));
}

export { press };

export const button = (name: string | RegExp) => page.getByRole('button', { name });
export const focus = (text: string): Promise<void> => vi.waitFor(() => expect(focusText()).toBe(text));
export const confirm = (): Promise<void> => press('{Control>}{Enter}{/Control}');
export const closed = (): Promise<void> => vi.waitFor(() => expect(dialog()).toBeNull());
/** Closes what is open, a payment's dialog too. */
export async function closeStatement(): Promise<void> {
  for (let presses = 0; presses < 2 && dialog(); presses += 1) await press('{Escape}');
  await closeApp();
}
export const reversals = (stage: Stage) => stage.asks('POST', /\/reverse$/);

/** To step 2 with the challans of owner 2 selected, by the keyboard alone. */
export async function toStepTwo(): Promise<void> {
  await goTo(ownerId(2));
  await press(' ');
  await waitSelection('2 selected, ₹1,701.00');
  await press('m');
  await focus('Download CSV');
  await confirm();
  await focus('No, Cancel');
  await armed();
}
