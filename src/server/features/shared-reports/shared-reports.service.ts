import { formatCount } from '../../../shared/calc/count-text.ts';
import { CSV_BOM } from '../../../shared/calc/csv-text.ts';
import { compareDays, dayOf } from '../../../shared/calc/dates.ts';
import { ownerChallansFileName } from '../../../shared/calc/file-names.ts';
import { hasMobile } from '../../../shared/calc/identity.ts';
import { subtract, sum } from '../../../shared/calc/money.ts';
import { canRevokeReport } from '../../../shared/access.ts';
import { challanExportColumns, type ChallanExportRow } from '../../../shared/columns/challan-export-columns.ts';
import { orderOfTexts, usualOrder, type ChallanOrder } from '../../../shared/contract/challan-order.ts';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import type {
  OwnerPage,
  OwnerPayment,
  OwnerTrip,
  SharedReport,
  SharedReportFilters,
} from '../../../shared/contract/shared-reports.ts';
import { ownerChallanFilters } from '../../../shared/filters/challan-filters.ts';
import { orNull } from '../../../shared/filters/define.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { csvHeader, csvRow } from '../../files/csv.ts';
import { ownerPageCsv } from './owner-page.file.ts';
import { describeChosen, paymentMessage, reportMessage } from './owner-messages.file.ts';
import { freightOf } from '../payments/payment-advice.file.ts';
import type { OwnerChallanFilter } from '../accounting/accounting.queries.ts';
import { allOf, type ChosenChallans } from '../challans/challans-many.queries.ts';
import { challanExportRows } from '../challans/challans-export.queries.ts';
import { selectCarriedByOwner, selectCarriedByPayment } from '../payments/carries.queries.ts';
import { takeTurns } from '../../sql/conflicts.ts';
import { insertHistory } from '../history/history.queries.ts';
import { insertPaymentMessage, selectPaidAndOpen } from '../payments/payment-messages.queries.ts';
import { selectNames } from '../master-data/records.queries.ts';
import {
  insertSharedReport,
  lockReportOwner,
  lockSharedReport,
  selectLiveReports,
  selectUtrs,
  updateRevoked,
  type ReportOwner,
} from './shared-reports.queries.ts';
import { notFound, Refusal } from '../../refusal.ts';

/**
 * The snapshot of a report is stored in the database for three days, so its size is limited. The limits are enough for
 * a year of one owner, even with long remarks.
 */
const maxRows = 20_000;
const maxBytes = 8 * 1024 * 1024;

/**
 * How many live reports a business may have. It reports to its owners every few days, so two hundred are more than
 * enough. After a payment each of its owners may get one, with few trips.
 */
const maxLive = { report: 200, payment: 1_000 };

export interface ReportLink {
  /** The hash of the token; nothing else of the token is stored. */
  tokenHash: Buffer;
  /** The whole address. Only the message ever contains it. */
  address: string;
}

/** Stores a snapshot of an owner's challans and writes the message that takes the link to the owner. */
export async function shareReport(
  db: TenantDb,
  caller: Caller,
  filter: OwnerChallanFilter,
  order: ChallanOrder,
  link: ReportLink,
): Promise<{ whatsappUrl: string; ownerName: string; recordCount: number }> {
  const filters = await describeFilters(db, filter);
  const { owner, totals, page, expiresAt } = await storeReport(db, caller, link, {
    ownerId: filter.ownerId,
    chosen: allOf(filter),
    order,
    filters,
    batchId: null,
  });
  const message = reportMessage(page, totals, link.address, expiresAt);
  return { whatsappUrl: whatsappUrl(owner.contactNumber, message), ownerName: owner.name, recordCount: totals.count };
}

/**
 * Shares a payment with an owner: what it pays the owner and what is still owed, as a report of its own with a message
 * in the owner's language (docs/specification.md §10.9).
 */
export async function sharePayment(
  db: TenantDb,
  caller: Caller,
  batch: PaymentBatch,
  ownerId: string,
  link: ReportLink,
): Promise<{ whatsappUrl: string; ownerName: string }> {
  const { id, owner, page, expiresAt } = await storeReport(db, caller, link, {
    ownerId,
    chosen: { by: 'ids', challanIds: await selectPaidAndOpen(db, batch.id, ownerId) },
    order: orderOfTexts(usualOrder),
    filters: await describeFilters(db, { ownerId }),
    batchId: batch.id,
    // This check comes before the trips are read, because there may be thousands.
    check: ({ name, contactNumber }) => {
      if (!hasMobile(contactNumber)) {
        throw new Refusal('VALIDATION_ERROR', `${contactNumber} of ${name} is no mobile number.`);
      }
    },
  });
  const payment = page.payments.find(({ number }) => number === batch.number);
  if (!payment) throw new Refusal('NO_DATA_FOUND', 'This payment pays nothing of this owner any more.');
  await insertPaymentMessage(db, caller, { batchId: batch.id, ownerId, reportId: id });
  const message = paymentMessage(page, payment, link.address, expiresAt);
  return { whatsappUrl: whatsappUrl(owner.contactNumber, message), ownerName: owner.name };
}

interface ReportInput {
  ownerId: string;
  chosen: ChosenChallans;
  order: ChallanOrder;
  filters: SharedReportFilters;
  batchId: string | null;
  /** Throws when no message can be sent to this owner. */
  check?: (owner: ReportOwner) => void;
}

/** Stores a snapshot of the challans behind the link. */
async function storeReport(db: TenantDb, caller: Caller, link: ReportLink, what: ReportInput) {
  const { ownerId, chosen, order, filters, batchId } = what;
  const kind = batchId === null ? 'report' : 'payment';
  // This first check saves the work. The check that counts follows under the lock.
  await refuseTooManyLive(db, kind);
  const owner = await lockReportOwner(db, ownerId);
  // Another account's owner gets the same answer as one that does not exist (docs/security.md §1.3).
  if (!owner) throw noData();
  what.check?.(owner);
  const { content, totals, trips } = await snapshotChallans(db, chosen, order);
  if (totals.count === 0) throw noData();

  const page = await buildOwnerPage(db, caller, ownerId, owner, totals, trips, describeChosen(filters, owner.language));
  const fileName = ownerChallansFileName(owner.name, dayOf(new Date()));
  await takeTurns(db, 'live-reports');
  await refuseTooManyLive(db, kind);
  const { id, expiresAt } = await insertSharedReport(db, caller, {
    tokenHash: link.tokenHash,
    ownerId,
    fileName,
    // The file of a report contains remarks, as the specification says. A shared payment gets the file of the owner's
    // page, which has none.
    content: batchId === null ? content : ownerPageCsv(page, trips),
    recordCount: totals.count,
    filters,
    page,
    trips,
    batchId,
  });
  await insertHistory(db, caller, {
    entity: 'owner',
    entityId: ownerId,
    action: 'report shared',
    changes: { fileName: [null, fileName], recordCount: [null, totals.count] },
  });
  return { id, owner, totals, page, expiresAt };
}

/** Returns the content of the file (docs/specification.md §13.2) and the sums of exactly its rows. */
async function snapshotChallans(
  db: TenantDb,
  chosen: ChosenChallans,
  order: ChallanOrder,
): Promise<{ content: string; totals: ReportTotals; trips: OwnerTrip[] }> {
  const parts = [CSV_BOM + csvHeader(challanExportColumns)];
  const totals: ReportTotals = { count: 0, payable: '0.00', paid: '0.00', unpaid: '0.00', tds: '0.00' };
  const trips: OwnerTrip[] = [];
  let bytes = 0;
  for await (const rows of challanExportRows(db, chosen, order)) {
    totals.count += rows.length;
    totals.payable = sum([totals.payable, ...rows.map((row) => row.netAmountPayable)]);
    totals.paid = sum([totals.paid, ...rows.filter((row) => row.paymentStatus).map((row) => row.netAmountPayable)]);
    totals.tds = sum([totals.tds, ...rows.map((row) => row.tdsAmount)]);
    const part = rows.map((row) => csvRow(challanExportColumns, row)).join('');
    bytes += Buffer.byteLength(part);
    if (totals.count > maxRows || bytes > maxBytes) {
      throw new Refusal(
        'INVALID_REQUEST',
        `This report is too large to share: at most ${formatCount(maxRows)} challans, or 8 MB, fit into one. Choose fewer with the filters, for example by the deposited date.`,
      );
    }
    parts.push(part);
    trips.push(...rows.map(tripOf));
  }
  totals.unpaid = subtract(totals.payable, totals.paid);
  return { content: parts.join(''), totals, trips };
}

/**
 * Returns what the owner sees of a challan (docs/specification.md §9.7). Remarks and other internal fields are not
 * shown.
 */
const tripOf = (row: ChallanExportRow): OwnerTrip => ({
  challanNumber: row.challanNumber,
  tpNo: row.tpNo,
  vehicleNo: row.vehicleNo,
  material: row.material,
  from: row.loadingPlace,
  to: row.unloadingPlace,
  loadedOn: row.loadingDate,
  unloadedOn: row.unloadingDate,
  loadingWeight: row.loadingWeight,
  unloadingWeight: row.unloadingWeight,
  rate: row.ratePerMT,
  freight: freightOf({ ...row, rate: row.ratePerMT }),
  tds: row.tdsAmount,
  hsd: row.hsdAmount,
  advance: row.advanceMoney,
  office: row.officeCharges,
  shortage: row.materialShortageAmount,
  net: row.netAmountPayable,
  paidOn: row.paymentStatus ? row.paidAt : null,
  paymentNumber: row.paymentName,
});

/** Returns what the page shows above the trips: their sums and payments. */
async function buildOwnerPage(
  db: TenantDb,
  caller: Caller,
  ownerId: string,
  owner: ReportOwner,
  totals: ReportTotals,
  trips: readonly OwnerTrip[],
  chosen: string,
): Promise<Omit<OwnerPage, 'asOf' | 'validUntil'>> {
  const paidBy = new Map<string, { paidOn: string; amounts: string[] }>();
  for (const { paymentNumber, paidOn, net } of trips) {
    if (paymentNumber === null || paidOn === null) continue;
    const payment = paidBy.get(paymentNumber);
    if (payment) payment.amounts.push(net);
    else paidBy.set(paymentNumber, { paidOn, amounts: [net] });
  }
  const banks = await selectUtrs(db, ownerId, [...paidBy.keys()]);
  const carries = await selectCarriedByPayment(db, ownerId, [...paidBy.keys()]);
  const payments = [...paidBy].map(([number, { paidOn, amounts }]): OwnerPayment => {
    const carry = carries.get(number);
    // When the filter leaves out trips of a payment, only the sum of the shown trips is given.
    const carried = carry?.challans === amounts.length ? { carried: carry.carried } : {};
    return {
      number,
      paidOn,
      count: amounts.length,
      amount: sum([...amounts, ...Object.values(carried)]),
      ...carried,
      utr: banks.get(number)?.utr ?? '',
      bankOn: banks.get(number)?.bankOn ?? null,
    };
  });
  const deducted = chosen === '' ? (await selectCarriedByOwner(db, [ownerId])).get(ownerId) : undefined;
  return {
    language: owner.language,
    business: caller.bannerName,
    owner: owner.name,
    account: owner.account,
    chosen,
    count: totals.count,
    total: totals.payable,
    paid: totals.paid,
    unpaid: subtract(totals.unpaid, deducted ?? '0.00'),
    ...(deducted !== undefined && { carried: deducted }),
    tds: totals.tds,
    payments: payments.sort((a, b) => compareDays(b.paidOn, a.paidOn) || b.number.localeCompare(a.number)),
  };
}

async function nameOfTag(db: TenantDb, id: string): Promise<string | null> {
  return (await selectNames(db, 'tags', [id])).get(id) ?? null;
}

async function describeFilters(db: TenantDb, filter: OwnerChallanFilter): Promise<SharedReportFilters> {
  const { tagId } = filter;
  const { depositedStartDate, depositedEndDate, ...others } = orNull(ownerChallanFilters, filter);
  return {
    ...others,
    tagName: tagId === undefined || tagId === 'none' ? null : await nameOfTag(db, tagId),
    startDate: depositedStartDate,
    endDate: depositedEndDate,
  };
}

/** Ends the link at once. A link that has expired or was revoked already stays as it is. */
export async function revokeReport(db: TenantDb, caller: Caller, id: string): Promise<SharedReport> {
  const report = await lockSharedReport(db, id);
  if (!report) throw notFound('Shared report');
  if (!canRevokeReport(report).allowed) return report;
  await updateRevoked(db, id);
  await insertHistory(db, caller, {
    entity: 'owner',
    entityId: report.ownerId,
    action: 'report link revoked',
    changes: { fileName: [report.fileName, null] },
  });
  const revoked = await lockSharedReport(db, id);
  if (!revoked) throw new Error('A report that was locked is still there');
  return revoked;
}

async function refuseTooManyLive(db: TenantDb, kind: 'report' | 'payment'): Promise<void> {
  const { count, secondsToNextEnd } = await selectLiveReports(db, kind);
  if (count < maxLive[kind]) return;
  throw new Refusal(
    'TOO_MANY_REQUESTS',
    `${formatCount(maxLive[kind])} report links are open, the most at one time. Revoke some on the Shared Reports page, or wait until one has expired.`,
    { retryAfterSeconds: secondsToNextEnd },
  );
}

function noData(): Refusal {
  return new Refusal('NO_DATA_FOUND', 'No challans found for the specified criteria');
}

interface ReportTotals {
  count: number;
  payable: string;
  paid: string;
  unpaid: string;
  tds: string;
}

/**
 * Returns the WhatsApp link. The host never varies; an owner's contact is a number of ten digits, taken as an Indian
 * one (docs/specification.md §9.4).
 */
function whatsappUrl(contactNumber: string, message: string): string {
  return `https://wa.me/91${contactNumber}?text=${encodeURIComponent(message)}`;
}
