import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import type { TenantDb } from '../../../src/server/db/tenant.ts';

/**
 * The invariants of the payment ledger, for one tenant:
 * a challan is paid exactly when it has one live line ('pay' in its present cycle, not reversed); the line's amount is the
 * challan's net; each earlier cycle is a payment and its reversal of the same batch and amount; a batch's count, sum and
 * owners are those of its 'pay' lines, numbered 1 to n; each owner of a batch has a snapshot; numbers have no gap.
 */
export async function assertLedger(db: TenantDb): Promise<void> {
  const { rows } = await db.query<{ rule: string; wrong: string }>(
    `WITH live AS (
       SELECT l.* FROM payment_lines l JOIN challans c ON c.subadmin_id = $1 AND c.id = l.challan_id
       WHERE l.subadmin_id = $1 AND l.kind = 'pay' AND l.pay_cycle = c.pay_cycle
         AND NOT EXISTS (SELECT FROM payment_lines r WHERE r.subadmin_id = $1 AND r.challan_id = l.challan_id
           AND r.pay_cycle = l.pay_cycle AND r.kind = 'reverse')
     ), sums AS (
       SELECT batch_id, count(*) AS lines, sum(amount) AS amount, count(DISTINCT owner_id) AS owners,
         min(line_no) AS first_line, max(line_no) AS last_line, count(DISTINCT line_no) AS line_nos
       FROM payment_lines WHERE subadmin_id = $1 AND kind = 'pay' GROUP BY batch_id
     )
     SELECT 'paid without exactly one live line of its net' AS rule, c.challan_number AS wrong FROM challans c
       WHERE c.subadmin_id = $1 AND c.payment_status AND (SELECT count(*) FROM live
         WHERE live.challan_id = c.id AND live.amount = c.net_amount_payable AND live.created_at = c.paid_at) <> 1
     UNION ALL
     SELECT 'unpaid with a live line', c.challan_number FROM challans c
       WHERE c.subadmin_id = $1 AND NOT c.payment_status AND EXISTS (SELECT FROM live WHERE live.challan_id = c.id)
     UNION ALL
     SELECT 'paid and deleted', c.challan_number FROM challans c
       WHERE c.subadmin_id = $1 AND c.payment_status AND c.deleted_at IS NOT NULL
     UNION ALL
     SELECT 'line of a cycle to come', l.challan_number FROM payment_lines l
       JOIN challans c ON c.subadmin_id = $1 AND c.id = l.challan_id
       WHERE l.subadmin_id = $1 AND (l.pay_cycle > c.pay_cycle OR (l.kind = 'reverse' AND l.pay_cycle = c.pay_cycle))
     UNION ALL
     SELECT 'earlier cycle without payment and reversal', c.challan_number || ' ' || cycle FROM challans c,
       generate_series(0, c.pay_cycle - 1) AS cycle
       WHERE c.subadmin_id = $1 AND NOT EXISTS (SELECT FROM payment_lines p
         JOIN payment_lines r ON r.subadmin_id = $1 AND r.challan_id = p.challan_id AND r.pay_cycle = p.pay_cycle
         WHERE p.subadmin_id = $1 AND p.challan_id = c.id AND p.pay_cycle = cycle AND p.kind = 'pay'
           AND r.kind = 'reverse' AND r.batch_id = p.batch_id AND r.amount = p.amount AND r.owner_id = p.owner_id
           AND r.line_no = p.line_no)
     UNION ALL
     SELECT 'batch does not agree with its lines', b.number FROM payment_batches b
       LEFT JOIN sums s ON s.batch_id = b.id
       WHERE b.subadmin_id = $1 AND (b.updated_count, b.total_amount, b.owner_count, 1, b.updated_count, b.updated_count)
         IS DISTINCT FROM (s.lines, s.amount, s.owners, s.first_line, s.last_line, s.line_nos)
     UNION ALL
     SELECT 'owner of a line without a snapshot', l.challan_number FROM payment_lines l
       WHERE l.subadmin_id = $1 AND NOT EXISTS (SELECT FROM payment_batch_owners o
         WHERE o.subadmin_id = $1 AND o.batch_id = l.batch_id AND o.owner_id = l.owner_id)
     UNION ALL
     SELECT 'reversal does not agree with its lines', r.batch_id::text FROM payment_reversals r
       WHERE r.subadmin_id = $1 AND (r.reversed_count, r.reversed_amount) IS DISTINCT FROM (
         SELECT count(*), sum(amount) FROM payment_lines l WHERE l.subadmin_id = $1 AND l.batch_id = r.batch_id
           AND l.kind = 'reverse' AND l.created_at = r.created_at)
     UNION ALL
     SELECT 'reversed batch with a live line', live.challan_number FROM live
       JOIN payment_reversals r ON r.subadmin_id = $1 AND r.batch_id = live.batch_id
     UNION ALL
     SELECT 'batch numbers with a gap', k.name FROM counters k WHERE k.subadmin_id = $1 AND k.name LIKE 'payment-%'
       AND k.value <> (SELECT count(*) FROM payment_batches b WHERE b.subadmin_id = $1
         AND b.number LIKE 'PAY-' || right(k.name, 4) || '-%')`,
    [db.tenantId],
  );
  expect(rows).toEqual([]);
}

/** What is unpaid by the table and by the maintained totals: the two always agree. */
export async function assertTotals(db: TenantDb): Promise<void> {
  const { rows } = await db.query<{ recount: string; totals: string }>(
    `SELECT
       (SELECT string_agg(concat_ws(' ', owner_id, payment_status, n, amount), '; ' ORDER BY owner_id, payment_status) FROM (
         SELECT owner_id, payment_status, count(*) AS n, sum(net_amount_payable) AS amount FROM challans
         WHERE subadmin_id = $1 AND deleted_at IS NULL GROUP BY 1, 2) AS a) AS recount,
       (SELECT string_agg(concat_ws(' ', owner_id, payment_status, n, amount), '; ' ORDER BY owner_id, payment_status) FROM (
         SELECT owner_id, payment_status, sum(challans) AS n, sum(net_amount) AS amount FROM (
           SELECT owner_id, payment_status, challans, net_amount FROM challan_totals_by_owner WHERE subadmin_id = $1
           UNION ALL
           SELECT owner_id, payment_status, challans, net_amount FROM challan_deltas WHERE subadmin_id = $1) AS parts
         GROUP BY 1, 2 HAVING sum(challans) <> 0) AS b) AS totals`,
    [db.tenantId],
  );
  expect(rows[0]?.totals).toEqual(rows[0]?.recount);
}

export interface TestChallan {
  id: string;
  number: string;
  net: string;
}

let made = 0;

/**
 * Unpaid challans by the hundred, without the API: 1 MT at a rate that differs in every challan, so that each net is its
 * own to the paisa and a sum tells which challans it holds. Advance above the rate makes the net negative.
 */
export async function insertChallans(
  db: TenantDb,
  refs: { ownerId: string; tagId?: string | null },
  count: number,
  over: { depositedOn?: string | null; advance?: string } = {},
): Promise<TestChallan[]> {
  const first = made;
  made += count;
  const depositedOn = over.depositedOn === undefined ? '2026-04-12' : over.depositedOn;
  const { rows } = await db.query<TestChallan>(
    `INSERT INTO challans (subadmin_id, id, challan_number, owner_id, tag_id, tp_no, vehicle_no, owner_name,
       owner_contact_number, material, loading_at, unloading_at, loading_place, unloading_place, loading_weight,
       unloading_weight, difference_weight, rate_per_mt, tds_amount, advance_money, net_amount_payable, deposited_at)
     SELECT $1, x.id, 'T-' || x.n || '-' || left(x.id::text, 8), $2, $3, 'TP' || x.n, 'OD09AB1234', o.name,
       o.contact_number, 'Iron ore fines', '2026-04-10T00:00:00Z', '2026-04-11T00:00:00Z', 'Joda', 'Paradip Port', 1, 1, 0,
       x.rate, 0, $5, x.rate - $5, $6::date::timestamp AT TIME ZONE 'Asia/Kolkata'
     FROM owners o, (SELECT $7::int + n AS n, ids.id, 1000 + ($7::int + n) * 0.37 AS rate
       FROM unnest($4::uuid[]) WITH ORDINALITY AS ids (id, n)) AS x
     WHERE o.subadmin_id = $1 AND o.id = $2
     ORDER BY x.n
     RETURNING id, challan_number AS number, net_amount_payable AS net`,
    [
      db.tenantId,
      refs.ownerId,
      refs.tagId ?? null,
      Array.from({ length: count }, () => randomUUID()),
      over.advance ?? '0',
      depositedOn,
      first,
    ],
  );
  return rows;
}

export const totalOf = (challans: readonly TestChallan[]): string => sum(challans.map(({ net }) => net));

export const idsOf = (challans: readonly { id: string }[]): string[] => challans.map(({ id }) => id);
