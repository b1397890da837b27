import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import type { TenantDb } from '../../../src/server/db/tenant.ts';
import type { Api } from './api.ts';

/**
 * The invariants of the payment ledger, for one tenant:
 * a challan is paid exactly when it has one live line ('pay' in its present cycle, not reversed); the line's amount is the
 * challan's net, and the challan's paid day its payment's; each earlier cycle is a payment and its reversal of the same batch and amount; a batch's count, sum and
 * owners are those of its 'pay' lines and of what was carried and deducted, numbered 1 to n; each owner of a batch has a
 * snapshot; numbers have no gap. A carry is open, deducted or cancelled, in whole; it brings its owner's part of the payment
 * to nothing, with all of its challans or none; a payment that pays an owner nothing any more has no live deduction of it.
 */
export async function assertLedger(db: TenantDb): Promise<void> {
  // Test databases have no statistics: without them the planner would join thousands of lines by nested loops.
  await db.query('SET LOCAL enable_nestloop = off');
  const { rows } = await db.query<{ rule: string; wrong: string }>(
    `WITH pays AS (SELECT * FROM payment_lines WHERE subadmin_id = $1 AND kind = 'pay'),
     backs AS (SELECT * FROM payment_lines WHERE subadmin_id = $1 AND kind = 'reverse'),
     own AS (SELECT * FROM challans WHERE subadmin_id = $1),
     live AS (
       SELECT p.challan_id, count(*) AS lines, min(p.amount) AS amount, min(p.pay_cycle) AS cycle,
         min(CASE WHEN made.kind = 'import' THEN made.paid_on::timestamp AT TIME ZONE 'Asia/Kolkata'
           ELSE p.created_at END) AS at
       FROM pays p JOIN payment_batches made ON made.subadmin_id = $1 AND made.id = p.batch_id
         LEFT JOIN backs b USING (challan_id, pay_cycle) WHERE b.challan_id IS NULL GROUP BY p.challan_id
     ), undone AS (
       SELECT p.challan_id, count(*) AS cycles, max(p.pay_cycle) AS last
       FROM pays p JOIN backs b USING (challan_id, pay_cycle, batch_id, owner_id, amount, line_no, challan_number)
       GROUP BY p.challan_id
     ), lines_of AS (
       SELECT batch_id, count(*) AS lines, sum(amount) AS amount, count(DISTINCT owner_id) AS owners,
         min(line_no) AS first_line, max(line_no) AS last_line, count(DISTINCT line_no) AS line_nos
       FROM pays GROUP BY batch_id
     ), reversed AS (
       SELECT batch_id, created_at, count(*) AS lines, sum(amount) AS amount FROM backs GROUP BY batch_id, created_at
     ), carries AS (
       SELECT k.*, lag(kind) OVER w AS kind_before, lag(batch_id) OVER w AS batch_before,
         lag(event_no) OVER w AS no_before, first_value(batch_id) OVER w AS made_in, first_value(owner_id) OVER w AS of,
         first_value(amount) OVER w AS whole
       FROM carry_events k WHERE k.subadmin_id = $1 WINDOW w AS (PARTITION BY carry_id ORDER BY event_no)
     ), carried_of AS (
       SELECT batch_id, sum(amount) FILTER (WHERE kind IN ('carry', 'deduct')) AS amount FROM carries GROUP BY batch_id
     ), parts AS (
       SELECT k.batch_id, k.owner_id, k.amount AS carried, k.makes, l.lines, l.live, l.amount
       FROM (SELECT batch_id, owner_id, sum(amount) AS amount, bool_or(kind = 'carry') AS makes FROM carries GROUP BY 1, 2) k
         CROSS JOIN LATERAL (
           SELECT count(*) AS lines, count(*) FILTER (WHERE b.challan_id IS NULL) AS live,
             coalesce(sum(p.amount) FILTER (WHERE b.challan_id IS NULL), 0) AS amount
           FROM pays p LEFT JOIN backs b USING (challan_id, pay_cycle)
           WHERE p.batch_id = k.batch_id AND p.owner_id = k.owner_id) l
     ), owners_of AS (SELECT DISTINCT batch_id, owner_id FROM pays)
     SELECT 'paid without exactly one live line of its net and cycle' AS rule, c.challan_number AS wrong
       FROM own c LEFT JOIN live l ON l.challan_id = c.id
       WHERE c.payment_status AND (l.lines, l.amount, l.at, l.cycle)
         IS DISTINCT FROM (1::bigint, c.net_amount_payable, c.paid_at, c.pay_cycle)
     UNION ALL
     SELECT 'paid on another day than its payment', c.challan_number FROM own c
       LEFT JOIN pays p ON p.challan_id = c.id AND p.pay_cycle = c.pay_cycle
       LEFT JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = p.batch_id
       WHERE c.payment_status AND c.paid_on IS DISTINCT FROM b.paid_on OR NOT c.payment_status AND c.paid_on IS NOT NULL
     UNION ALL
     SELECT 'unpaid with a live line', c.challan_number FROM own c JOIN live l ON l.challan_id = c.id
       WHERE NOT c.payment_status
     UNION ALL
     SELECT 'paid and deleted', challan_number FROM own WHERE payment_status AND deleted_at IS NOT NULL
     UNION ALL
     SELECT 'earlier cycles are not each a payment and its reversal', c.challan_number
       FROM own c LEFT JOIN undone u ON u.challan_id = c.id
       WHERE coalesce(u.cycles, 0) <> c.pay_cycle OR coalesce(u.last, -1) <> c.pay_cycle - 1
     UNION ALL
     SELECT 'a reversal of nothing', b.challan_number FROM backs b LEFT JOIN pays p USING (challan_id, pay_cycle)
       WHERE p.challan_id IS NULL
     UNION ALL
     SELECT 'events of a carry in no order', carry_id::text FROM carries
       WHERE event_no <> coalesce(no_before, 0) + 1 OR owner_id <> of OR abs(amount) <> whole
         OR NOT (CASE kind WHEN 'carry' THEN kind_before IS NULL
           WHEN 'deduct' THEN kind_before IN ('carry', 'restore') AND batch_id <> made_in
           WHEN 'restore' THEN kind_before = 'deduct' AND batch_id = batch_before
           ELSE kind_before IN ('carry', 'restore') AND batch_id = made_in END)
     UNION ALL
     SELECT 'a carry that does not bring its owner to nothing', batch_id::text FROM parts
       WHERE makes AND (amount + carried <> 0 OR live NOT IN (0, lines))
     UNION ALL
     SELECT 'carried or deducted without a challan that is still paid', batch_id::text FROM parts
       WHERE live = 0 AND carried <> 0
     UNION ALL
     SELECT 'batch does not agree with its lines', b.number FROM payment_batches b LEFT JOIN lines_of l ON l.batch_id = b.id
       LEFT JOIN carried_of k ON k.batch_id = b.id
       WHERE b.subadmin_id = $1 AND (b.updated_count, b.total_amount, b.owner_count, 1, b.updated_count, b.updated_count)
         IS DISTINCT FROM (l.lines, l.amount + coalesce(k.amount, 0), l.owners, l.first_line, l.last_line, l.line_nos)
     UNION ALL
     SELECT 'owners of the lines and of the batch differ', coalesce(l.batch_id, o.batch_id)::text
       FROM owners_of l FULL JOIN (SELECT * FROM payment_batch_owners WHERE subadmin_id = $1) o USING (batch_id, owner_id)
       WHERE l.owner_id IS NULL OR o.owner_id IS NULL
     UNION ALL
     SELECT 'reversal does not agree with its lines', r.batch_id::text FROM payment_reversals r
       LEFT JOIN reversed l ON l.batch_id = r.batch_id AND l.created_at = r.created_at
       WHERE r.subadmin_id = $1 AND (r.reversed_count, r.reversed_amount) IS DISTINCT FROM (l.lines, l.amount)
     UNION ALL
     SELECT 'reversed batch with a live line', p.challan_number FROM payment_reversals r JOIN pays p USING (batch_id)
       JOIN live l ON l.challan_id = p.challan_id AND l.cycle = p.pay_cycle WHERE r.subadmin_id = $1
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
  over: { depositedOn?: string | null; advance?: string; minutesApart?: number } = {},
): Promise<TestChallan[]> {
  const first = made;
  made += count;
  const depositedOn = over.depositedOn === undefined ? '2026-04-12' : over.depositedOn;
  const { rows } = await db.query<TestChallan>(
    `INSERT INTO challans (subadmin_id, id, challan_number, owner_id, tag_id, tp_no, vehicle_no, owner_name,
       owner_contact_number, material, loading_at, unloading_at, loading_place, unloading_place, loading_weight,
       unloading_weight, difference_weight, rate_per_mt, tds_amount, advance_money, net_amount_payable, deposited_at, created_at)
     SELECT $1, x.id, 'T-' || x.n || '-' || left(x.id::text, 8), $2, $3, 'TP' || x.n, 'OD09AB1234', o.name,
       o.contact_number, 'Iron ore fines', '2026-04-10T00:00:00Z', '2026-04-11T00:00:00Z', 'Joda', 'Paradip Port', 1, 1, 0,
       x.rate, 0, $5, x.rate - $5, $6::date::timestamp AT TIME ZONE 'Asia/Kolkata',
       clock_timestamp() - (x.n - $7) * make_interval(mins => $8)
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
      over.minutesApart ?? 0,
    ],
  );
  return rows;
}

export const totalOf = (challans: readonly TestChallan[]): string => sum(challans.map(({ net }) => net));

export const idsOf = (challans: readonly { id: string }[]): string[] => challans.map(({ id }) => id);

/**
 * What autovacuum does by itself elsewhere (the test server runs without it): new statistics also make each connection
 * forget the plans it kept for its foreign keys while the tables were empty.
 */
export async function analyze(api: Api): Promise<void> {
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  await client.query('ANALYZE challans, payment_lines, payment_batches, owners, tags');
  await client.end();
}
