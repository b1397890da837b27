import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import { ledgerDifferences } from '../../../src/server/features/system/checks-ledger.queries.ts';
import type { TenantDb } from '../../../src/server/db/tenant.ts';
import type { Api } from './api.ts';
import { takeNumbers } from './numbers.ts';

/** The invariants of the payment ledger (server/features/system/checks-ledger.queries.ts), for one tenant. */
export async function assertLedger(db: TenantDb): Promise<void> {
  // Test databases have no statistics: without them the planner would join thousands of lines by nested loops.
  await db.query('SET LOCAL enable_nestloop = off');
  const { rows } = await db.query<{ rule: string; wrong: string }>(ledgerDifferences, [db.tenantId]);
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
           SELECT owner_id, true AS payment_status, paid_challans AS challans, paid_amount AS net_amount
           FROM challan_totals_by_owner WHERE subadmin_id = $1
           UNION ALL
           SELECT owner_id, false, challans - paid_challans, net_amount - paid_amount FROM challan_totals_by_owner
           WHERE subadmin_id = $1
           UNION ALL
           SELECT owner_id, payment_status, challans, net_amount FROM open_challan_totals WHERE subadmin_id = $1) AS parts
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
  const first = takeNumbers('challans', count) - 1;
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
