import { divide, multiply, subtract, sum } from '../../../shared/calc/money.ts';
import { percentOfCounts } from '../../../shared/calc/dashboard.ts';
import type { TagAnalytics, TagFigures, TagTotals } from '../../../shared/contract/accounting.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { selectTagSums, type DashboardFilter, type TagSums } from './tag-analytics.queries.ts';

/** Challans without a tag are a value of their own (docs/specification.md §4.2), so they have a name and a colour. */
const withoutATag = { tagName: 'Without a tag', color: '#6B7280' };

/** Returns counts, amounts and weights by tag over a range of deposited days (docs/specification.md §4.2). */
export async function getTagAnalytics(db: TenantDb, filter: DashboardFilter): Promise<TagAnalytics> {
  const tags = await selectTagSums(db, filter);
  const totals = totalsOf(tags);
  const { challanCount: totalChallans, totalAmount } = totals;
  const { depositedStartDate: startDate = null, depositedEndDate: endDate = null } = filter;
  return {
    summary: {
      totalTags: tags.filter(({ tagId }) => tagId !== null).length,
      totalChallans,
      totalAmount,
      dateRange: startDate === null && endDate === null ? null : { startDate, endDate },
    },
    tagAnalytics: { tagBreakdown: tags.map((tag) => figuresOf(tag, totalChallans, totalAmount)) },
    totals,
    generatedAt: new Date().toISOString(),
  };
}

function figuresOf(tag: TagSums, totalChallans: number, totalAmount: string): TagFigures {
  return {
    ...tag,
    tagName: tag.tagName ?? withoutATag.tagName,
    color: tag.color ?? withoutATag.color,
    challanShare: percentOfCounts(tag.challanCount, totalChallans),
    amountShare: divide(multiply(tag.totalAmount, '100'), totalAmount) ?? '0.00',
    ...derivedOf(tag),
  };
}

function totalsOf(tags: readonly TagSums[]): TagTotals {
  const count = (of: (tag: TagSums) => number): number => tags.reduce((total, tag) => total + of(tag), 0);
  const amount = (of: (tag: TagSums) => string): string => sum(tags.map(of));
  const sums = {
    challanCount: count((tag) => tag.challanCount),
    totalAmount: amount((tag) => tag.totalAmount),
    paidCount: count((tag) => tag.paidCount),
    unpaidCount: count((tag) => tag.unpaidCount),
    paidAmount: amount((tag) => tag.paidAmount),
    unpaidAmount: amount((tag) => tag.unpaidAmount),
    loadingWeight: amount((tag) => tag.loadingWeight),
    unloadingWeight: amount((tag) => tag.unloadingWeight),
  };
  return { ...sums, ...derivedOf(sums) };
}

type Summed = Pick<TagSums, 'challanCount' | 'paidCount' | 'totalAmount' | 'loadingWeight' | 'unloadingWeight'>;

function derivedOf(summed: Summed): Pick<TagFigures, 'paidPercent' | 'averageValue' | 'differenceWeight'> {
  return {
    // By count and not by amount. Without challans it is 0 % (docs/specification.md §4.2).
    paidPercent: percentOfCounts(summed.paidCount, summed.challanCount),
    averageValue: divide(summed.totalAmount, String(summed.challanCount)) ?? '0.00',
    // Signed, loading − unloading (docs/specification.md §3.5).
    differenceWeight: subtract(summed.loadingWeight, summed.unloadingWeight),
  };
}
