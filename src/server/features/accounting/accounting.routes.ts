import { dayOf } from '../../../shared/calc/dates.ts';
import { ownerChallansFileName, type FileFormat } from '../../../shared/calc/file-names.ts';
import { ownerChallanColumns } from '../../../shared/columns/challan-columns.ts';
import type { OwnerReportInput } from '../../../shared/contract/accounting.ts';
import { fileOrder } from '../../../shared/contract/challan-fields.ts';
import { orderOfTexts, usualOrder, type ChallanOrder } from '../../../shared/contract/challan-order.ts';
import type { BodyOf, QueryOf } from '../../../shared/contract/define.ts';
import { contract } from '../../../shared/contract/index.ts';
import { ownerChallanFilters } from '../../../shared/filters/challan-filters.ts';
import { orNull, setFilters } from '../../../shared/filters/define.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { TableFile } from '../../files/table-file.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectOwnerName, selectOwnerSummary, type OwnerChallanFilter } from './accounting.queries.ts';
import { allOf } from '../challans/challans-many.queries.ts';
import { selectChallanPage } from '../challans/challans-list.queries.ts';
import { wholeChallans } from '../challans/challans-row.queries.ts';
import { selectOwnerAccounts, selectOwnerPayments } from './owner-accounts.queries.ts';
import { ownerTable } from '../master-data/owners.queries.ts';
import { paginationOf } from '../../sql/paging.ts';
import { dashboardFilterOf } from '../dashboard/tag-analytics.queries.ts';
import { notFound } from '../../refusal.ts';
import { challansCsv, challansTableFile } from '../challans/challans-file.service.ts';
import { shareReport } from '../shared-reports/shared-reports.service.ts';
import { getTagAnalytics } from '../dashboard/tag-analytics.service.ts';
import { limitReports, newLink, reportsPerAccount } from '../shared-reports/share.routes.ts';

const { accounting } = contract;

export function accountingRoutes(implement: Implementer, publicUrl: string | undefined): void {
  implement.tenant(accounting.listOwners, async ({ db, query }) => {
    const month = `${dayOf(new Date()).slice(0, 7)}-01`;
    const { data, summary, count } = await selectOwnerAccounts(db, query, month);
    return { data, summary, pagination: paginationOf(query, count) };
  });

  implement.tenant(accounting.listOwnerPayments, async ({ db, query }) => {
    const [owner, { data, summary, count }] = await Promise.all([
      ownerTable.get(db, query.ownerId),
      selectOwnerPayments(db, query.ownerId, query),
    ]);
    if (!owner) throw notFound('Owner');
    return { data, meta: { owner }, summary, pagination: paginationOf(query, count) };
  });

  implement.tenant(accounting.listOwnerChallans, async ({ db, query }) => {
    const { ownerId, sortBy, sortOrder } = query;
    const filter = filterOf(query);
    const [ownerName, summary] = await Promise.all([selectOwnerName(db, ownerId), selectOwnerSummary(db, filter)]);
    if (ownerName === null) throw notFound('Owner');
    // The page must come last, because it may end the transaction together with its statements.
    const { challans } = await selectChallanPage(db, filter, {
      ...query,
      order: orderOfTexts(query),
      shape: wholeChallans,
    });
    return {
      data: challans,
      meta: { summary, filters: { ownerId, ...orNull(ownerChallanFilters, query), sortBy, sortOrder } },
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

  implement.files(accounting, async ({ db, body }, format) => {
    const ownerName = await requireOwnerName(db, body.ownerId);
    if (format === 'xlsx' || body.columns !== undefined) return ownerChallansTable(db, format, ownerName, body);
    return challansCsv(db, ownerChallansFileName(ownerName, dayOf(new Date())), reportFilterOf(body), orderOf(body));
  });

  const limitShares = limitReports(reportsPerAccount);
  implement.tenant(accounting.shareOnWhatsapp, async ({ db, caller, body, request }) => {
    limitShares(caller.businessId);
    const link = newLink(request, publicUrl);
    return { data: await shareReport(db, caller, reportFilterOf(body), orderOf(body), link) };
  });

  implement.data(accounting.getTagAnalytics, ({ db, query }) => getTagAnalytics(db, dashboardFilterOf(query)));
}

const filterOf = (query: QueryOf<typeof accounting.getOwnerSummary>): OwnerChallanFilter => ({
  ownerId: query.ownerId,
  ...setFilters(ownerChallanFilters, query),
});

/**
 * Converts the filters of a report's body. There null means "no filter", and the dates mean the deposited date
 * (docs/specification.md §14.12).
 */
function reportFilterOf({ ownerId, filters: { startDate, endDate, ...others } }: OwnerReportInput): OwnerChallanFilter {
  const filters = { ...others, depositedStartDate: startDate, depositedEndDate: endDate };
  return { ownerId, ...setFilters(ownerChallanFilters, filters) };
}

function orderOf({ filters: { sortBy, sortOrder } }: OwnerReportInput): ChallanOrder {
  const { sortBy: by, sortOrder: order } = usualOrder;
  return orderOfTexts({ sortBy: sortBy ?? by, sortOrder: sortOrder ?? order });
}

async function requireOwnerName(db: TenantDb, ownerId: string): Promise<string> {
  const name = await selectOwnerName(db, ownerId);
  if (name === null) throw notFound('Owner');
  return name;
}

/** Returns the table of an owner's challans as a file. Without `columns` it has the columns of the CSV file. */
function ownerChallansTable(
  db: TenantDb,
  format: FileFormat,
  ownerName: string,
  body: BodyOf<typeof accounting.exportXlsx>,
): Promise<TableFile> {
  const now = new Date();
  return challansTableFile(db, format, {
    name: ownerChallansFileName(ownerName, dayOf(now), format),
    title: `Challans of ${ownerName}`,
    chosen: allOf(reportFilterOf(body)),
    inTitle: ['ownerId'],
    order: orderOf(body),
    table: ownerChallanColumns,
    columns: body.columns ?? fileOrder,
    now,
  });
}
