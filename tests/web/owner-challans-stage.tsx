import { vi } from 'vitest';
import { sum } from '../../src/shared/calc/money.ts';
import type { OwnerSummary } from '../../src/shared/contract/accounting.ts';
import type { Challan } from '../../src/shared/contract/challan.ts';
import { contract } from '../../src/shared/contract/index.ts';
import {
  failure,
  json,
  makeStage as makeChallanStage,
  matching,
  otherOwner,
  owner,
  type Asked,
  type Stage,
} from './challan-list-stage.tsx';
import { buildOwner, reply } from './master-data-stage.tsx';

/** An owner's challans on the pretend network of the challan list: its calls answer from the same challans in memory. */
const { accounting, owners } = contract;
export const listPath = /^\/accounting\/owner\/challans$/;
export const csvPath = /^\/accounting\/export-owner-challans-csv$/;
export const sharePath = /^\/accounting\/generate-whatsapp-csv$/;
export const screenOf = (ownerId: string, search = ''): string => `/accounting/owner/${ownerId}/challans${search}`;

export const longName = { ...otherOwner, name: 'Sunita Jindal' };
const names = [owner, longName];

export function summaryOf(rows: readonly Challan[]): OwnerSummary {
  const total = (list: readonly Challan[]): string => sum(list.map((row) => row.netAmountPayable));
  const paid = rows.filter((row) => row.paymentStatus);
  const unpaid = rows.filter((row) => !row.paymentStatus);
  return {
    totalCount: rows.length,
    totalPayableAmount: total(rows),
    totalPaidAmount: total(paid),
    totalUnpaidAmount: total(unpaid),
    totalTds: sum(rows.map((row) => row.tdsAmount)),
    paidCount: paid.length,
    unpaidCount: unpaid.length,
  };
}

function listAnswer(stage: Stage, asked: Asked): Response {
  const parsed = accounting.listOwnerChallans.query.safeParse(asked.query);
  if (!parsed.success) {
    const { message = 'wrong', path = [] } = parsed.error.issues[0] ?? {};
    const fields = { [path.join('.')]: message };
    return json({ success: false, message, code: 'VALIDATION_ERROR', fields, requestId: 'r' }, 400);
  }
  const query = parsed.data;
  if (!names.some(({ id }) => id === query.ownerId)) return failure(404, 'NOT_FOUND', 'Owner not found');
  const rows = matching(stage.challans, asked.query);
  const ordered = query.sortOrder === 'asc' ? rows.toReversed() : rows;
  const offset = (query.page - 1) * query.limit;
  const totalPages = Math.ceil(rows.length / query.limit);
  return reply(accounting.listOwnerChallans, {
    data: ordered.slice(offset, offset + query.limit),
    meta: {
      summary: summaryOf(rows),
      filters: {
        ownerId: query.ownerId,
        paymentStatus: query.paymentStatus ?? null,
        tagId: query.tagId ?? null,
        depositedStartDate: query.depositedStartDate ?? null,
        depositedEndDate: query.depositedEndDate ?? null,
        paidStartDate: query.paidStartDate ?? null,
        paidEndDate: query.paidEndDate ?? null,
        sortBy: query.sortBy,
        sortOrder: query.sortOrder,
      },
    },
    pagination: {
      currentPage: query.page,
      limit: query.limit,
      totalPages,
      totalCount: rows.length,
      hasNext: query.page < totalPages,
      hasPrevious: query.page > 1,
      offset,
    },
  });
}

export const waLink = 'https://wa.me/919876543210?text=Total%20%E2%82%B91%2C00%2C000.00';

export function makeStage(challans: Challan[]): Stage {
  const stage = makeChallanStage(challans);
  stage.serve(listPath, (asked) => listAnswer(stage, asked));
  stage.serve(/^\/owners\/[0-9a-f-]{36}$/, ({ path }) => {
    const found = names.find(({ id }) => path.endsWith(id));
    if (!found) return failure(404, 'NOT_FOUND', 'Owner not found');
    return reply(owners.get, { data: { ...buildOwner(1, found), trucks: [], trucksCount: 0 } });
  });
  stage.serve(csvPath, ({ body }) => {
    accounting.exportCsv.body.parse(body);
    const name = 'attachment; filename="owner_challans_Ravi_Kumar_2026-11-20.csv"';
    return new Response('\uFEFFNo\r\nCH-1\r\n', {
      headers: { 'content-type': 'text/csv', 'content-disposition': name },
    });
  });
  stage.serve(sharePath, ({ body }) => {
    accounting.shareOnWhatsapp.body.parse(body);
    return json({ success: true, data: { whatsappUrl: waLink, ownerName: owner.name, recordCount: challans.length } });
  });
  return stage;
}

/** What the browser was given to save. */
export function watchDownloads(): string[] {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.href.startsWith('blob:')) saved.push(this.download);
  });
  return saved;
}

export interface OpenedTab {
  /** What it was opened on. */
  url: string;
  /** Where it was sent afterwards. */
  sentTo: string[];
  opener: unknown;
  closed: boolean;
  text: string;
}

/** The browser's tabs: each that is asked for is kept; with `isBlocked` none is given. */
export function watchTabs(isBlocked = false): OpenedTab[] {
  const tabs: OpenedTab[] = [];
  vi.spyOn(window, 'open').mockImplementation((url) => {
    if (isBlocked) return null;
    const tab: OpenedTab = { url: String(url), sentTo: [], opener: window, closed: false, text: '' };
    tabs.push(tab);
    const body = {
      set textContent(text: string) {
        tab.text = text;
      },
    };
    const handle = {
      document: { title: '', body },
      location: { replace: (to: string) => void tab.sentTo.push(to) },
      close: () => {
        tab.closed = true;
      },
      get closed() {
        return tab.closed;
      },
      set opener(value: unknown) {
        tab.opener = value;
      },
    };
    // The part of a window that the screen uses.
    return handle as unknown as Window;
  });
  return tabs;
}
