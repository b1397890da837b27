import { divide, multiply, subtract, sum } from '../../../src/shared/calc/money.ts';
import type { TagAnalytics, TagFigures } from '../../../src/shared/contract/accounting.ts';
import type { AnswerOf } from '../../../src/shared/contract/define.ts';
import type { OwnerAgeing, Period, UnpaidByAge } from '../../../src/shared/contract/dashboard.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Today } from '../../../src/shared/contract/today.ts';
import type { CopiedByOthers } from '../../../src/shared/contract/owners.ts';
import { idOf } from './builders.ts';
import { paged } from './kept.ts';
import type { Desk } from './records.ts';

/** The figures of the dashboard, and what a test sees of them. */

const share = (part: string, whole: string): string => divide(multiply(part, '100'), whole) ?? '0.00';

/** A tag with these counts; each challan is worth ₹100, 10 MT loaded and what is given unloaded. */
export function buildFigures(
  n: number,
  paidCount: number,
  unpaidCount: number,
  over: Partial<TagFigures> = {},
): TagFigures {
  const challanCount = paidCount + unpaidCount;
  const worth = (count: number) => multiply(String(count), '100.00');
  return {
    tagId: idOf(800 + n),
    tagName: `TAG ${n}`,
    color: '#3B82F6',
    challanCount,
    challanShare: '0.00',
    totalAmount: worth(challanCount),
    amountShare: '0.00',
    paidCount,
    unpaidCount,
    paidAmount: worth(paidCount),
    unpaidAmount: worth(unpaidCount),
    paidPercent: share(String(paidCount), String(challanCount)),
    averageValue: challanCount === 0 ? '0.00' : '100.00',
    loadingWeight: multiply(String(challanCount), '10.00'),
    unloadingWeight: multiply(String(challanCount), '9.50'),
    differenceWeight: multiply(String(challanCount), '0.50'),
    ...over,
  };
}

function analyticsOf(
  rows: readonly TagFigures[],
  dateRange: TagAnalytics['summary']['dateRange'] = null,
): TagAnalytics {
  const count = (of: (row: TagFigures) => number) => rows.reduce((total, row) => total + of(row), 0);
  const amount = (of: (row: TagFigures) => string) => sum(rows.map(of));
  const challanCount = count((row) => row.challanCount);
  const totalAmount = amount((row) => row.totalAmount);
  const [loadingWeight, unloadingWeight] = [amount((row) => row.loadingWeight), amount((row) => row.unloadingWeight)];
  const paidCount = count((row) => row.paidCount);
  return {
    summary: {
      totalTags: rows.filter(({ tagId }) => tagId).length,
      totalChallans: challanCount,
      totalAmount,
      dateRange,
    },
    tagAnalytics: {
      tagBreakdown: rows.map((row) => ({
        ...row,
        challanShare: share(String(row.challanCount), String(challanCount)),
        amountShare: share(row.totalAmount, totalAmount),
      })),
    },
    totals: {
      challanCount,
      totalAmount,
      paidCount,
      unpaidCount: count((row) => row.unpaidCount),
      paidAmount: amount((row) => row.paidAmount),
      unpaidAmount: amount((row) => row.unpaidAmount),
      paidPercent: share(String(paidCount), String(challanCount)),
      averageValue: divide(totalAmount, String(challanCount)) ?? '0.00',
      loadingWeight,
      unloadingWeight,
      differenceWeight: subtract(loadingWeight, unloadingWeight),
    },
    generatedAt: '2026-11-20T06:12:00.000Z',
  };
}

export function buildPeriod(startDate: string, endDate: string, paidCount: number, unpaidCount: number): Period {
  const worth = (count: number) => multiply(String(count), '100.00');
  return {
    startDate,
    endDate,
    challanCount: paidCount + unpaidCount,
    totalAmount: worth(paidCount + unpaidCount),
    paidCount,
    paidAmount: worth(paidCount),
    unpaidCount,
    unpaidAmount: worth(unpaidCount),
  };
}

export const nothing = { count: 0, amount: '0.00' };
const noDebt: UnpaidByAge = {
  total: nothing,
  days0to7: nothing,
  days8to15: nothing,
  days16to30: nothing,
  days31to45: nothing,
  over45: nothing,
  notDeposited: nothing,
};

export const buildAgeing = (n: number, over: Partial<UnpaidByAge> = {}): OwnerAgeing => ({
  ...noDebt,
  ownerId: idOf(900 + n),
  ownerName: `Owner ${n}`,
  ...over,
});

export interface Figures {
  /** Of each tag. */
  figures: TagFigures[];
  weeks: AnswerOf<typeof contract.dashboard.listWeeks>['data'];
  ageing: OwnerAgeing[];
  ageingTotals: UnpaidByAge;
  copied: CopiedByOthers;
  today: Today;
  unusual: { count: number; effect: string };
}

/** Two tags and one week. */
export const someFigures = (): Figures => ({
  figures: [buildFigures(1, 8, 2), buildFigures(2, 1, 1)],
  weeks: { unit: 'week', periods: [buildPeriod('2026-04-13', '2026-04-19', 9, 3)] },
  ageing: [],
  ageingTotals: noDebt,
  copied: { count: 0, lastAt: null, owners: [] },
  today: {
    yesterday: null,
    due: { unpaid: nothing, afterDays: null, by: [] },
    waiting: { releases: 0, prepared: 0, owners: 0, bankAccounts: 0 },
    bank: { since: '2026-11-14', noAnswer: nothing, failed: nothing, returned: nothing },
    hsd: { since: '2026-10-01', notVerified: nothing, bills: nothing },
    notDeposited: nothing,
    changes: null,
  },
  unusual: { count: 0, effect: '0.00' },
});

export function serveFigures({ serve, books }: Desk): void {
  serve(contract.accounting.getTagAnalytics, ({ query: { startDate = null, endDate = null } }) => ({
    data: analyticsOf(books.figures, startDate === null && endDate === null ? null : { startDate, endDate }),
  }));
  // The first steps count them.
  serve(contract.bankAccounts.list, ({ query }) => paged([], query));
  serve(contract.today.get, () => ({ data: books.today, day: '2026-11-20' }));
  serve(contract.exceptions.getSummary, () => ({ data: books.unusual }));
  serve(contract.owners.getCopiedByOthers, () => ({ data: books.copied }));
  serve(contract.dashboard.listWeeks, () => ({ data: books.weeks }));
  serve(contract.dashboard.listOwnerAgeing, ({ query }) => ({
    ...paged(books.ageing, query),
    meta: { today: '2026-11-20', totals: books.ageingTotals, generatedAt: '2026-11-20T06:12:00.000Z' },
  }));
}

const gridOf = (label: string): Element | null => document.querySelector(`section[aria-label="${label}"]`);
export const cellIn = (grid: string, row: string, column: string): HTMLElement | null =>
  gridOf(grid)?.querySelector<HTMLElement>(`.ag-row[row-id="${row}"] [col-id="${column}"]`) ?? null;
/** A total's cell; the row is pinned. */
export const totalIn = (grid: string, column: string): HTMLElement | null =>
  gridOf(grid)?.querySelector<HTMLElement>(`.ag-row-pinned [col-id="${column}"]`) ?? null;
export const hrefOf = (cell: Element | null, nth = 0): string | undefined =>
  [...(cell?.querySelectorAll('a') ?? [])][nth]?.getAttribute('href') ?? undefined;
export const card = (label: string): string | undefined =>
  [...document.querySelectorAll('dt')].find((item) => item.textContent === label)?.nextElementSibling?.textContent ??
  undefined;
/** What the focused mark of a plot says. */
export const markNow = (): string | null | undefined =>
  document.activeElement?.hasAttribute('data-mark') ? document.activeElement.getAttribute('aria-label') : undefined;
