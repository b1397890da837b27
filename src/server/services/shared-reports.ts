import { CSV_BOM } from '../../shared/calc/csv-text.ts';
import { compareDays, dayOf } from '../../shared/calc/dates.ts';
import { ownerChallansFileName } from '../../shared/calc/file-names.ts';
import { hasMobile } from '../../shared/calc/identity.ts';
import { subtract, sum } from '../../shared/calc/money.ts';
import { canRevokeReport } from '../../shared/access.ts';
import { challanExportColumns, type ChallanExportRow } from '../../shared/columns/challan-export-columns.ts';
import { orderOfTexts, usualOrder, type ChallanOrder } from '../../shared/contract/challan-order.ts';
import type { PaymentBatch } from '../../shared/contract/payment-batches.ts';
import type {
  OwnerPage,
  OwnerPayment,
  OwnerTrip,
  SharedReport,
  SharedReportFilters,
} from '../../shared/contract/shared-reports.ts';
import { ownerChallanFilters } from '../../shared/filters/challan-filters.ts';
import { orNull } from '../../shared/filters/define.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { csvHeader, csvRow } from '../files/csv.ts';
import { ownerPageCsv } from '../files/owner-page.ts';
import { chosenWords, paymentMessage, reportMessage } from '../files/owner-messages.ts';
import { freightOf } from '../files/payment-advice.ts';
import type { OwnerChallanFilter } from '../queries/accounting.ts';
import { allOf, type ChosenChallans } from '../queries/challans-bulk.ts';
import { challanExportRows } from '../queries/challans-export.ts';
import { selectCarriedByOwner, selectCarriedByPayment } from '../queries/carries.ts';
import { insertHistory } from '../queries/history.ts';
import { insertPaymentMessage, selectPaidAndOpen } from '../queries/payment-messages.ts';
import { selectNames } from '../queries/records.ts';
import {
  insertSharedReport,
  lockLiveReports,
  lockReportOwner,
  lockSharedReport,
  selectLiveReports,
  selectUtrs,
  updateRevoked,
  type ReportOwner,
} from '../queries/shared-reports.ts';
import { notFound, Refusal } from '../refusal.ts';

/**
 * A frozen file lives in the database for three days, so its size is limited: enough for a year of one owner, also with
 * long remarks.
 */
const mostRows = 20_000;
const mostBytes = 8 * 1024 * 1024;

/**
 * A business reports to its owners every few days; two hundred open files are more than enough. After a payment each of its
 * owners gets one, with few trips.
 */
const mostLive = { report: 200, payment: 1_000 };

export interface ReportLink {
  /** All that is kept of the token. */
  tokenHash: Buffer;
  /** The whole address, which only the message ever holds. */
  address: string;
}

/** Freezes an owner's challans as they are now and writes the message that takes the link to the owner. */
export async function shareReport(
  db: TenantDb,
  caller: Caller,
  filter: OwnerChallanFilter,
  order: ChallanOrder,
  link: ReportLink,
): Promise<{ whatsappUrl: string; ownerName: string; recordCount: number }> {
  const filters = await understood(db, filter);
  const { owner, totals, page, expiresAt } = await keepReport(db, caller, link, {
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
 * After a payment: what it pays an owner and what is still owed, as a report of its own, with its message in the owner's
 * language (docs/specification.md §10.9).
 */
export async function sharePayment(
  db: TenantDb,
  caller: Caller,
  batch: PaymentBatch,
  ownerId: string,
  link: ReportLink,
): Promise<{ whatsappUrl: string; ownerName: string }> {
  const { id, owner, page, expiresAt } = await keepReport(db, caller, link, {
    ownerId,
    chosen: { by: 'ids', challanIds: await selectPaidAndOpen(db, batch.id, ownerId) },
    order: orderOfTexts(usualOrder),
    filters: await understood(db, { ownerId }),
    batchId: batch.id,
    // Before the trips are read: there may be thousands.
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

interface Kept {
  ownerId: string;
  chosen: ChosenChallans;
  order: ChallanOrder;
  filters: SharedReportFilters;
  batchId: string | null;
  /** Throws where this owner cannot be written to. */
  check?: (owner: ReportOwner) => void;
}

/** Freezes challans as they are now, and keeps them behind the link. */
async function keepReport(db: TenantDb, caller: Caller, link: ReportLink, what: Kept) {
  const { ownerId, chosen, order, filters, batchId } = what;
  const kind = batchId === null ? 'report' : 'payment';
  // A first check before the work; the one that counts follows under the lock.
  await refuseBeyondMost(db, kind);
  const owner = await lockReportOwner(db, ownerId);
  // Another account's owner is answered like one that does not exist (docs/security.md §1.3).
  if (!owner) throw noData();
  what.check?.(owner);
  const { content, totals, trips } = await freeze(db, chosen, order);
  if (totals.count === 0) throw noData();

  const page = await ownerPage(db, caller, ownerId, owner, totals, trips, chosenWords(filters, owner.language));
  const fileName = ownerChallansFileName(owner.name, dayOf(new Date()));
  await lockLiveReports(db);
  await refuseBeyondMost(db, kind);
  const { id, expiresAt } = await insertSharedReport(db, caller, {
    tokenHash: link.tokenHash,
    ownerId,
    fileName,
    // The file of the specification has remarks; nobody asked for that one here.
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

/** The file of docs/specification.md §13.2 and the sums of exactly its rows. */
async function freeze(
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
    if (totals.count > mostRows || bytes > mostBytes) {
      throw new Refusal(
        'INVALID_REQUEST',
        `This report is too large to share: at most ${mostRows.toLocaleString('en-IN')} challans, or 8 MB, fit into one. Choose fewer with the filters, for example by the deposited date.`,
      );
    }
    parts.push(part);
    trips.push(...rows.map(tripOf));
  }
  totals.unpaid = subtract(totals.payable, totals.paid);
  return { content: parts.join(''), totals, trips };
}

/** What the owner sees of a challan (docs/specification.md §9.7); remarks and the like stay in the business. */
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

/** What is over the trips of the page: their sums and payments. */
async function ownerPage(
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
    const its = carries.get(number);
    // Of a payment with trips that the filter leaves out, the sum of those that are shown is said.
    const carried = its?.challans === amounts.length ? { carried: its.carried } : {};
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

async function understood(db: TenantDb, filter: OwnerChallanFilter): Promise<SharedReportFilters> {
  const { tagId } = filter;
  const { depositedStartDate, depositedEndDate, ...others } = orNull(ownerChallanFilters, filter);
  return {
    ...others,
    tagName: tagId === undefined || tagId === 'none' ? null : await nameOfTag(db, tagId),
    startDate: depositedStartDate,
    endDate: depositedEndDate,
  };
}

/** Ends the link at once. One that has already expired or was revoked stays as it is. */
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

/** Too soon after the others. */
export function tooManyReports(waitSeconds: number): Refusal {
  const wait = waitSeconds === 1 ? '1 second' : `${waitSeconds} seconds`;
  return new Refusal('TOO_MANY_REQUESTS', `Many reports were sent just now. Please try again in ${wait}.`, {
    retryAfterSeconds: waitSeconds,
  });
}

async function refuseBeyondMost(db: TenantDb, kind: 'report' | 'payment'): Promise<void> {
  const { count, secondsToNextEnd } = await selectLiveReports(db, kind);
  if (count < mostLive[kind]) return;
  throw new Refusal(
    'TOO_MANY_REQUESTS',
    `${mostLive[kind].toLocaleString('en-IN')} report links are open, the most at one time. Revoke some on the Shared Reports page, or wait until one has expired.`,
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
 * Always this one address; an owner's contact is ten digits, here of an Indian number
 * (docs/specification.md §9.4).
 */
function whatsappUrl(contactNumber: string, message: string): string {
  return `https://wa.me/91${contactNumber}?text=${encodeURIComponent(message)}`;
}
