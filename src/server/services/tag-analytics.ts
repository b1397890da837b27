import { divide, multiply, subtract, sum } from '../../shared/calc/money.ts';
import type { TagAnalytics, TagFigures } from '../../shared/contract/accounting.ts';
import type { TenantDb } from '../db/tenant.ts';
import { selectTagSums, type TagAnalyticsFilter, type TagSums } from '../queries/tag-analytics.ts';

/** Challans without a tag are a value of their own (ruling 49), so they have a name and a colour. */
const withoutATag = { tagName: 'Without a tag', color: '#6B7280' };

/** Counts, amounts and weights by tag over a range of deposited days (part 1 §2, Dashboard). */
export async function getTagAnalytics(db: TenantDb, filter: TagAnalyticsFilter): Promise<TagAnalytics> {
  const tags = await selectTagSums(db, filter);
  const totalChallans = tags.reduce((count, tag) => count + tag.challanCount, 0);
  const totalAmount = sum(tags.map((tag) => tag.totalAmount));
  const { startDate = null, endDate = null } = filter;
  return {
    summary: {
      totalTags: tags.filter(({ tagId }) => tagId !== null).length,
      totalChallans,
      totalAmount,
      dateRange: startDate === null && endDate === null ? null : { startDate, endDate },
    },
    tagAnalytics: { tagBreakdown: tags.map((tag) => figuresOf(tag, totalChallans, totalAmount)) },
    generatedAt: new Date().toISOString(),
  };
}

function figuresOf(tag: TagSums, totalChallans: number, totalAmount: string): TagFigures {
  const challans = String(tag.challanCount);
  return {
    ...tag,
    tagName: tag.tagName ?? withoutATag.tagName,
    color: tag.color ?? withoutATag.color,
    challanShare: percentOf(challans, String(totalChallans)),
    amountShare: percentOf(tag.totalAmount, totalAmount),
    // By count, not by amount; without challans 0 % (ruling 49).
    paidPercent: percentOf(String(tag.paidCount), challans),
    averageValue: divide(tag.totalAmount, challans) ?? '0.00',
    // Signed, loading − unloading (ruling 22).
    differenceWeight: subtract(tag.loadingWeight, tag.unloadingWeight),
  };
}

function percentOf(part: string, whole: string): string {
  return divide(multiply(part, '100'), whole) ?? '0.00';
}
