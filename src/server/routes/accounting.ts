import { dayOf } from '../../shared/calc/dates.ts';
import { ownerChallansFileName } from '../../shared/calc/file-names.ts';
import type { OwnerReportInput } from '../../shared/contract/accounting.ts';
import type { QueryOf } from '../../shared/contract/define.ts';
import { contract } from '../../shared/contract/index.ts';
import { csvContentType } from '../files/csv.ts';
import { FileBody } from '../http/file-body.ts';
import type { Implementer } from '../http/implement.ts';
import { selectOwnerName, selectOwnerSummary, type OwnerChallanFilter } from '../queries/accounting.ts';
import { selectChallanPage } from '../queries/challans-list.ts';
import { paginationOf } from '../queries/paging.ts';
import { notFound } from '../refusal.ts';
import { writeChallansFile } from '../services/challans-file.ts';
import { getTagAnalytics } from '../services/tag-analytics.ts';

const { accounting } = contract;

export function accountingRoutes(implement: Implementer): void {
  implement.tenant(accounting.listOwnerChallans, async ({ db, query }) => {
    const filter = filterOf(query);
    const [ownerName, summary] = await Promise.all([
      selectOwnerName(db, query.ownerId),
      selectOwnerSummary(db, filter),
    ]);
    if (ownerName === null) throw notFound('Owner');
    // Last: the page may end the transaction along with its statements.
    const { challans } = await selectChallanPage(db, filter, query);
    return {
      data: challans,
      meta: { summary, filters: understood(query) },
      pagination: paginationOf(query, summary.totalCount),
    };
  });

  implement.tenant(accounting.getOwnerSummary, async ({ db, query }) => {
    const [ownerName, data] = await Promise.all([
      selectOwnerName(db, query.ownerId),
      selectOwnerSummary(db, filterOf(query)),
    ]);
    if (ownerName === null) throw notFound('Owner');
    return { data };
  });

  implement.tenant(accounting.exportCsv, async ({ db, body }) => {
    const ownerName = await selectOwnerName(db, body.ownerId);
    if (ownerName === null) throw notFound('Owner');
    const { sortBy = 'createdAt', sortOrder = 'desc' } = body.filters;
    return new FileBody(ownerChallansFileName(ownerName, dayOf(new Date())), csvContentType, (sink) =>
      writeChallansFile(db, reportFilterOf(body), sink, { sortBy, sortOrder }),
    );
  });

  implement.tenant(accounting.getTagAnalytics, async ({ db, query }) => ({ data: await getTagAnalytics(db, query) }));
}

function filterOf(query: QueryOf<typeof accounting.getOwnerSummary>): OwnerChallanFilter {
  return {
    ownerId: query.ownerId,
    paymentStatus: query.paymentStatus,
    tagId: query.tagId,
    depositedFrom: query.depositedStartDate,
    depositedTo: query.depositedEndDate,
  };
}

/** Of a report's body, where null is "no filter" and the dates mean the deposited date (part 2 §7). */
function reportFilterOf({ ownerId, filters }: OwnerReportInput): OwnerChallanFilter {
  return {
    ownerId,
    paymentStatus: filters.paymentStatus ?? undefined,
    tagId: filters.tagId ?? undefined,
    depositedFrom: filters.startDate ?? undefined,
    depositedTo: filters.endDate ?? undefined,
  };
}

/** The filters as they were understood, for `meta`. */
function understood(query: QueryOf<typeof accounting.listOwnerChallans>) {
  return {
    ownerId: query.ownerId,
    paymentStatus: query.paymentStatus ?? null,
    tagId: query.tagId ?? null,
    depositedStartDate: query.depositedStartDate ?? null,
    depositedEndDate: query.depositedEndDate ?? null,
    sortBy: query.sortBy,
    sortOrder: query.sortOrder,
  };
}
