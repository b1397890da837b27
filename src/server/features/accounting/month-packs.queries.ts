import { ageBuckets, oldestDays, type AgeBucket, type OwnerAgeing } from '../../../shared/contract/dashboard.ts';
import type { PackBalance, PackHsd, PackTransfer } from '../../../shared/columns/month-pack-columns.ts';
import type { MonthPack } from '../../../shared/contract/month-packs.ts';
import type { MonthDays } from '../../../shared/filters/close-checks.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { balancesOn } from './owner-statements.queries.ts';
import { dayIn, isReversalOf } from '../payments/payments.queries.ts';
import { actorName } from '../../sql/actor.ts';
import { selectPage, type Page, type Paging } from '../../sql/paging.ts';
import { fetchInBatches } from '../../sql/statements.ts';

/** Packs of closed months, and what of them no other file has (migration 018). */

const packs = (where: string): string =>
  `SELECT p.id, p.number, to_char(p.month, 'YYYY-MM') AS month, p.challan_count AS "challanCount", p.net_amount AS "netAmount",
     p.size, p.sha256, p.created_at AS "createdAt", ${actorName('a')} AS "createdBy",
     (SELECT count(*)::int FROM month_packs e WHERE e.subadmin_id = $1 AND e.month = p.month AND e.created_at < p.created_at)
       AS "earlierCount"
   FROM month_packs p JOIN accounts a ON a.id = p.created_by WHERE p.subadmin_id = $1 ${where}`;

export const selectMonthPacks = (db: TenantDb, paging: Paging): Promise<Page<MonthPack>> =>
  selectPage(
    db,
    paging,
    'month_packs WHERE subadmin_id = $1',
    packs('ORDER BY p.created_at DESC, p.id DESC LIMIT $2 OFFSET $3'),
    [db.tenantId],
    'select-month-packs',
  );

/** Returns the last pack of a month. */
export async function selectLastPack(db: TenantDb, { from }: MonthDays): Promise<MonthPack | undefined> {
  const [pack] = await db.records<MonthPack>(
    packs('AND p.month = $2::date ORDER BY p.created_at DESC LIMIT 1'),
    [db.tenantId, from],
    'select-last-month-pack',
  );
  return pack;
}

/** Returns when the last pack of another month was made. */
export async function selectOtherPackMadeAt(db: TenantDb, { from }: MonthDays): Promise<string | null> {
  const [row] = await db.records<{ at: string | null }>(
    'SELECT max(created_at) AS at FROM month_packs WHERE subadmin_id = $1 AND month <> $2::date',
    [db.tenantId, from],
    'select-other-pack-made-at',
  );
  return row?.at ?? null;
}

/** The transaction waits for the tables, which another one reads, as long as its call may take. */
export const allowWaiting = (db: TenantDb) => db.query("SET LOCAL idle_in_transaction_session_timeout = '60s'");

export function selectPackContent(
  db: TenantDb,
  id: string,
): Promise<{ number: string; month: string; content: Buffer } | undefined> {
  return db.first<{ number: string; month: string; content: Buffer }>(
    `SELECT number, to_char(month, 'YYYY-MM') AS month, content FROM month_packs WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id],
    'select-month-pack-content',
  );
}

export async function insertMonthPack(
  db: TenantDb,
  caller: Caller,
  { from }: MonthDays,
  pack: { number: string; challanCount: number; netAmount: string; content: Buffer; sha256: string },
): Promise<void> {
  await db.query(
    `INSERT INTO month_packs (subadmin_id, number, month, challan_count, net_amount, content, sha256, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [db.tenantId, pack.number, from, pack.challanCount, pack.netAmount, pack.content, pack.sha256, caller.accountId],
    'insert-month-pack',
  );
}

/** Yields what was transferred in the month and what came back, with the UTR of the line that was sent last. */
export const transferRows = (db: TenantDb, { from, to }: MonthDays): AsyncGenerator<PackTransfer[]> =>
  fetchInBatches<PackTransfer>(
    db,
    'pack_transfers',
    `SELECT t.number, t.day, t.back_on IS NOT NULL AS "cameBack", o.name AS "ownerName", o.account_no AS "accountNo", o.ifsc,
       round(t.amount, 2) AS amount, b.name AS "accountName", t.reference, t.utr
     FROM tally_transfers AS t
       JOIN payment_batch_owners AS o ON o.subadmin_id = $1 AND o.batch_id = t.batch_id AND o.owner_id = t.owner_id
       LEFT JOIN bank_accounts AS b ON b.subadmin_id = $1 AND b.id = t.bank_account_id
     WHERE t.subadmin_id = $1 AND t.day BETWEEN $2::date AND $3::date
     ORDER BY t.day, t.number, lower(o.name), t.source_id`,
    [db.tenantId, from, to],
  );

/** Yields the closing balances of all owners' statements of a day. */
export const balanceRows = (db: TenantDb, to: string): AsyncGenerator<PackBalance[]> =>
  fetchInBatches<PackBalance>(
    db,
    'pack_balances',
    `SELECT o.name AS "ownerName", o.contact_number AS "contactNumber", o.pan_no AS "panNo",
       round(b.payable, 2) AS payable, round(b.paid, 2) AS paid, round(b.payable - b.paid, 2) AS balance
     FROM (${balancesOn('$2')}) AS b JOIN owners AS o ON o.subadmin_id = $1 AND o.id = b.owner_id
     ORDER BY lower(o.name), o.id`,
    [db.tenantId, to],
  );

/** SQL: the challans `c` of each bucket of owner ageing, by the days until $2. */
const isIn = (bucket: AgeBucket | 'total'): string => {
  if (bucket === 'total') return 'true';
  if (bucket === 'notDeposited') return 'c.deposited_on IS NULL';
  const ends = Object.values(oldestDays);
  const at = Object.keys(oldestDays).indexOf(bucket);
  const age = '$2::date - c.deposited_on';
  return bucket === 'over45'
    ? `${age} > ${ends.at(-1)}`
    : `${age} <= ${ends[at]}${at === 0 ? '' : ` AND ${age} > ${ends[at - 1]}`}`;
};
const aged = ['total' as const, ...ageBuckets]
  .map(
    (bucket) =>
      `json_build_object('count', count(*) FILTER (WHERE ${isIn(bucket)}), 'amount',
         round(coalesce(sum(c.net_amount_payable) FILTER (WHERE ${isIn(bucket)}), 0), 2)::text) AS "${bucket}"`,
  )
  .join(', ');

/** Yields what of each owner's challans was unpaid at the end of a day, by days since the deposit. */
export const ageingRows = (db: TenantDb, to: string): AsyncGenerator<OwnerAgeing[]> =>
  fetchInBatches<OwnerAgeing>(
    db,
    'pack_ageing',
    `SELECT o.id AS "ownerId", o.name AS "ownerName", ${aged}
     FROM challans AS c JOIN owners AS o ON o.subadmin_id = $1 AND o.id = c.owner_id
     WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND coalesce(c.deposited_on, ${dayIn('c.created_at')}) <= $2::date
       AND NOT EXISTS (
         SELECT FROM payment_lines AS l JOIN payment_batches AS b ON b.subadmin_id = $1 AND b.id = l.batch_id
         WHERE l.subadmin_id = $1 AND l.challan_id = c.id AND l.kind = 'pay' AND b.paid_on <= $2::date
           AND NOT EXISTS (SELECT FROM payment_lines AS back
             WHERE ${isReversalOf('l')} AND ${dayIn('back.created_at')} <= $2::date))
     GROUP BY o.id, o.name ORDER BY lower(o.name), o.id`,
    [db.tenantId, to],
  );

type OwnHsd = Pick<PackHsd, 'pumpName' | 'challanCount' | 'hsdAmount' | 'verifiedAmount'> & { pumpId: string };

/** Returns the diesel of the month's challans by pump. A challan without a deposited day counts on its loading day. */
export async function selectHsdOfPumps(db: TenantDb, { from, to }: MonthDays): Promise<OwnHsd[]> {
  const { rows } = await db.query<OwnHsd>(
    `SELECT p.id AS "pumpId", p.name AS "pumpName", count(*)::int AS "challanCount", sum(c.hsd_amount) AS "hsdAmount",
       round(coalesce(sum(c.hsd_amount) FILTER (WHERE c.hsd_verified), 0), 2) AS "verifiedAmount"
     FROM challans AS c JOIN petrol_pumps AS p ON p.subadmin_id = $1 AND p.id = c.petrol_pump_id
     WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND coalesce(c.deposited_on, c.loading_on) BETWEEN $2::date AND $3::date
     GROUP BY p.id, p.name ORDER BY lower(p.name), p.id`,
    [db.tenantId, from, to],
  );
  return rows;
}
