import { dayOf } from '../../shared/calc/dates.ts';
import { ownerChallansFileName } from '../../shared/calc/file-names.ts';
import type { OwnerReportInput } from '../../shared/contract/accounting.ts';
import type { QueryOf } from '../../shared/contract/define.ts';
import { contract } from '../../shared/contract/index.ts';
import { csvContentType } from '../files/csv.ts';
import { Throttle } from '../http/address-throttle.ts';
import { FileBody } from '../http/file-body.ts';
import type { Implementer } from '../http/implement.ts';
import { hashToken, newToken } from '../http/tokens.ts';
import { selectOwnerName, selectOwnerSummary, type OwnerChallanFilter } from '../queries/accounting.ts';
import { selectChallanPage, type ChallanOrder } from '../queries/challans-list.ts';
import { paginationOf } from '../queries/paging.ts';
import { notFound } from '../refusal.ts';
import { writeChallansFile } from '../services/challans-file.ts';
import { shareReport, tooManyReports } from '../services/shared-reports.ts';
import { getTagAnalytics } from '../services/tag-analytics.ts';

const { accounting } = contract;

/** Twenty owners in one go, then one every 15 s: each report is a file made and kept (safety.md, rule 28). */
const reportsPerAccount = { burst: 20, perSecond: 1 / 15 };

/** `publicUrl`: where owners reach the app, for links; absent: as the sender does. */
export function accountingRoutes(implement: Implementer, publicUrl: string | undefined): void {
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
    return new FileBody(ownerChallansFileName(ownerName, dayOf(new Date())), csvContentType, (sink) =>
      writeChallansFile(db, reportFilterOf(body), sink, orderOf(body)),
    );
  });

  const throttle = new Throttle(reportsPerAccount);
  implement.tenant(accounting.shareOnWhatsapp, async ({ db, caller, body, request }) => {
    const waitSeconds = throttle.take(caller.accountId);
    if (waitSeconds > 0) throw tooManyReports(waitSeconds);
    const token = newToken();
    const base = publicUrl ?? `${request.protocol}://${request.host}`;
    const link = { tokenHash: hashToken(token), address: `${base}/share/${token}` };
    return { data: await shareReport(db, caller, reportFilterOf(body), orderOf(body), link) };
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

function orderOf({ filters: { sortBy = 'createdAt', sortOrder = 'desc' } }: OwnerReportInput): ChallanOrder {
  return { sortBy, sortOrder };
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
