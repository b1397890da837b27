import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compare, formatINR, subtract, sum } from '../../../src/shared/calc/money.ts';
import { bankFileColumns } from '../../../src/shared/columns/bank-statement-columns.ts';
import { challanExportColumns } from '../../../src/shared/columns/challan-export-columns.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { long } from '../../long.ts';
import {
  isWanted,
  openAccountingDesk,
  workOnce,
  type AccountingDesk,
  type Wanted,
} from '../support/accounting-desk.ts';
import { startApi, type Answer, type Api } from '../support/api.ts';
import { assertLedger, assertTotals } from '../support/ledger.ts';
import { randomOf, type Random } from '../support/random.ts';
import { openLink, sendReport } from '../support/shared-link.ts';

/** Summary cards = sum of the pages = sum of the exported rows = ledger, to the paisa, after any history. */
let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { accounting, bankStatement, challans } = contract;

/** A challan as the table and the payment ledger have it, for sums of our own. */
interface Booked {
  id: string;
  ownerId: string;
  tagId: string | null;
  paid: boolean;
  deposited: string | null;
  net: string;
  tds: string;
  /** What the ledger holds of it: payments that were not taken back. */
  ledger: string;
}

function booksOf(desk: AccountingDesk): Promise<Booked[]> {
  return api.inTenant(desk.tenant, async (db) => {
    const { rows } = await db.query<Booked>(
      `SELECT c.id, c.owner_id AS "ownerId", c.tag_id AS "tagId", c.payment_status AS paid, c.deposited_on::text AS deposited,
         c.net_amount_payable AS net, c.tds_amount AS tds, coalesce(l.amount, 0.00)::text AS ledger
       FROM challans c LEFT JOIN (
         SELECT challan_id, sum(CASE kind WHEN 'pay' THEN amount ELSE -amount END) AS amount FROM payment_lines
         WHERE subadmin_id = $1 GROUP BY challan_id) AS l ON l.challan_id = c.id
       WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL`,
      [db.tenantId],
    );
    return rows;
  });
}

const net = (rows: readonly { net: string }[]): string => sum(rows.map((row) => row.net));
const paidOnes = <T extends { paid: boolean }>(rows: readonly T[]): T[] => rows.filter((row) => row.paid);
const unpaidOnes = <T extends { paid: boolean }>(rows: readonly T[]): T[] => rows.filter((row) => !row.paid);

const cell = (columns: readonly { label: string }[], label: string): number =>
  columns.findIndex((column) => column.label === label);
const [netAt, tdsAt, paidAt] = ['Net', 'TDS', 'Paid'].map((label) => cell(challanExportColumns, label)) as [
  number,
  number,
  number,
];

/** The rows of a challan or owner file. */
function linesOf(text: string): { net: string; tds: string; paid: boolean }[] {
  const lines: string[][] = parse(text, { bom: true, from: 2 });
  return lines.map((line) => ({ net: line[netAt] ?? '', tds: line[tdsAt] ?? '', paid: line[paidAt] === 'Yes' }));
}

async function everyPage<T>(
  load: (page: number) => Promise<{ data: T[]; pagination: { hasNext: boolean } }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await load(page);
    all.push(...data);
    if (!pagination.hasNext) return all;
  }
}

function ok<T>(answer: Answer<T>): T {
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  return answer.body;
}

function fileOf(answer: Answer<unknown>): string {
  expect(answer.status).toBe(200);
  return answer.text;
}

function question(desk: AccountingDesk, random: Random): Wanted & { ownerId: string } {
  return {
    ownerId: random.pick(desk.owners),
    paymentStatus: random.pick([undefined, undefined, true, false]),
    tagId: random.pick([undefined, undefined, 'none', ...desk.tags]),
    from: random.pick([undefined, undefined, '2026-04-01', '2026-04-13']),
    to: random.pick([undefined, undefined, '2026-04-13', '2026-05-01']),
  };
}

const daysOf = ({ from, to }: Wanted) => ({
  ...(from === undefined ? {} : { depositedStartDate: from }),
  ...(to === undefined ? {} : { depositedEndDate: to }),
});
const tagOf = ({ tagId }: Wanted) => (tagId === undefined ? {} : { tagId });
const paidOf = ({ paymentStatus }: Wanted) => (paymentStatus === undefined ? {} : { paymentStatus });

async function checkChallanList(desk: AccountingDesk, books: readonly Booked[], wanted: Wanted): Promise<void> {
  const auth = { token: desk.tenant.token };
  const expected = books.filter((row) => isWanted(row, wanted));
  const filters = {
    ...(wanted.ownerId === undefined ? {} : { ownerId: wanted.ownerId }),
    ...tagOf(wanted),
    ...paidOf(wanted),
    ...daysOf(wanted),
  };
  const cards = {
    totalCount: expected.length,
    totalAmount: net(expected),
    paidCount: paidOnes(expected).length,
    paidAmount: sum(expected.map(({ ledger }) => ledger)),
    unpaidCount: unpaidOnes(expected).length,
    unpaidAmount: net(unpaidOnes(expected)),
  };
  const pages = await everyPage(async (page) => {
    const body = ok(await api.call(challans.list, { query: { ...filters, page, limit: 7 } }, auth));
    expect(body.summary).toEqual(cards);
    return body;
  });
  const shown = pages.map((row) => ({ net: row.netAmountPayable, paid: row.paymentStatus }));
  const lines = linesOf(fileOf(await api.call(challans.exportCsv, { body: { filters } }, auth)));
  for (const rows of [shown, lines]) {
    expect([rows.length, net(rows), net(paidOnes(rows)), net(unpaidOnes(rows))]).toEqual([
      cards.totalCount,
      cards.totalAmount,
      cards.paidAmount,
      cards.unpaidAmount,
    ]);
  }
}

async function checkOwner(
  desk: AccountingDesk,
  books: readonly Booked[],
  wanted: Wanted & { ownerId: string },
): Promise<void> {
  const auth = { token: desk.tenant.token };
  const expected = books.filter((row) => isWanted(row, wanted));
  const { ownerId } = wanted;
  const query = { ownerId, ...tagOf(wanted), ...paidOf(wanted), ...daysOf(wanted) };
  const cards = {
    totalCount: expected.length,
    totalPayableAmount: net(expected),
    totalPaidAmount: sum(expected.map(({ ledger }) => ledger)),
    totalUnpaidAmount: net(unpaidOnes(expected)),
    totalTds: sum(expected.map(({ tds }) => tds)),
    paidCount: paidOnes(expected).length,
    unpaidCount: unpaidOnes(expected).length,
  };
  expect(ok(await api.call(accounting.getOwnerSummary, { query }, auth)).data).toEqual(cards);
  const pages = await everyPage(async (page) => {
    const body = ok(await api.call(accounting.listOwnerChallans, { query: { ...query, page, limit: 7 } }, auth));
    expect(body.meta.summary).toEqual(cards);
    return body;
  });
  const shown = pages.map((row) => ({
    net: row.netAmountPayable,
    tds: row.tdsAmount,
    paid: row.paymentStatus,
  }));
  const filters = {
    ...paidOf(wanted),
    ...tagOf(wanted),
    startDate: wanted.from ?? null,
    endDate: wanted.to ?? null,
  };
  const file = fileOf(await api.call(accounting.exportCsv, { body: { ownerId, filters } }, auth));
  for (const rows of [shown, linesOf(file)]) {
    expect([rows.length, net(rows), net(paidOnes(rows)), sum(rows.map(({ tds }) => tds))]).toEqual([
      cards.totalCount,
      cards.totalPayableAmount,
      cards.totalPaidAmount,
      cards.totalTds,
    ]);
  }
  if (expected.length === 0) return;
  // The report that goes to the owner says the same sums, over the same file.
  const sent = await sendReport(api, desk.tenant, ownerId, filters);
  expect((await openLink(api, sent.token)).text).toBe(file);
  expect(sent.text).toContain(
    [
      `Challans: ${cards.totalCount}`,
      `Total: ${formatINR(cards.totalPayableAmount)}`,
      `Paid: ${formatINR(cards.totalPaidAmount)}`,
      `Unpaid: ${formatINR(cards.totalUnpaidAmount)}`,
      `TDS: ${formatINR(cards.totalTds)}`,
    ].join('\n'),
  );
}

async function checkBankStatement(desk: AccountingDesk, books: readonly Booked[], wanted: Wanted): Promise<void> {
  const auth = { token: desk.tenant.token };
  const expected = unpaidOnes(books).filter((row) => isWanted(row, { ...wanted, paymentStatus: undefined }));
  const query = {
    ...(wanted.ownerId === undefined ? {} : { ownerId: wanted.ownerId }),
    ...tagOf(wanted),
    ...daysOf(wanted),
  };
  const cards = {
    totalOwners: new Set(expected.map(({ ownerId }) => ownerId)).size,
    totalChallans: expected.length,
    totalUnpaidAmount: net(expected),
  };
  const negative = [...new Set(expected.map(({ ownerId }) => ownerId))]
    .map((id) => [id, net(expected.filter(({ ownerId }) => ownerId === id))] as const)
    .filter(([, amount]) => amount.startsWith('-'))
    .sort(([a, one], [b, other]) => compare(one, other) || (a < b ? -1 : 1));
  const owners = await everyPage(async (page) => {
    const { data, pagination } = ok(await api.call(bankStatement.list, { query: { ...query, page, limit: 1 } }, auth));
    expect(data.summary).toMatchObject(cards);
    expect(data.summary.negativeOwners.map(({ id, amount }) => [id, amount])).toEqual(negative);
    expect(data.summary.negativeOwnerCount).toBe(negative.length);
    return { data: data.owners, pagination };
  });
  expect(owners.length).toBe(cards.totalOwners);
  for (const owner of owners) {
    const own = expected.filter(({ ownerId }) => ownerId === owner.id);
    expect([owner.unpaidCount, owner.unpaidAmount]).toEqual([own.length, net(own)]);
    expect(sum(owner.challans.map(({ netAmountPayable }) => netAmountPayable))).toBe(owner.unpaidAmount);
  }
  expect(sum(owners.map(({ unpaidAmount }) => unpaidAmount))).toBe(cards.totalUnpaidAmount);

  const file = fileOf(await api.call(bankStatement.exportCsv, { query: { ...query, format: 'csv' } }, auth));
  const lines: string[][] = parse(file, { bom: true, from: 2 });
  const at = cell(bankFileColumns, 'Net');
  const accountAt = cell(bankFileColumns, 'Account');
  const rows = lines.filter((line) => line[accountAt] !== '').map((line) => line[at] ?? '');
  const sums = lines.filter((line) => line[accountAt] === '').map((line) => line[at] ?? '');
  expect([rows.length, sum(rows)]).toEqual([cards.totalChallans, cards.totalUnpaidAmount]);
  expect(sums.at(-1)).toBe(cards.totalUnpaidAmount);
  expect(sum(sums.slice(0, -1))).toBe(cards.totalUnpaidAmount);
}

it('agree after random histories', { timeout: 300_000 }, async () => {
  const seed = testSeed('exports: sums');
  // A history is one number an act: what shrinks when it fails is the list of acts.
  const history = fc.array(fc.nat(), { minLength: 10, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(history, fc.nat(), async (acts, asked) => {
      const desk = await openAccountingDesk(api);
      for (const act of acts) await workOnce(api, desk, randomOf(act));
      const books = await booksOf(desk);
      const random = randomOf(asked);
      for (let round = 0; round < 4; round += 1) {
        const wanted = question(desk, random);
        const anyOwner = random.chance(0.5) ? { ...wanted, ownerId: undefined } : wanted;
        await checkChallanList(desk, books, anyOwner);
        await checkOwner(desk, books, wanted);
        await checkBankStatement(desk, books, anyOwner);
      }
      await checkChallanList(desk, books, {});
      await checkBankStatement(desk, books, {});
      // And the books themselves: each paid challan by exactly one living line of its amount, the roll-ups as the table.
      for (const row of books) expect(subtract(row.paid ? row.net : '0.00', row.ledger)).toBe('0.00');
      await api.inTenant(desk.tenant, async (db) => {
        await assertTotals(db);
        await assertLedger(db);
      });
    }),
    { seed, numRuns: long(8) },
  );
});
