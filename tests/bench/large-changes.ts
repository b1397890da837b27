import { setTimeout as wait } from 'node:timers/promises';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import type { Caller } from './server.ts';
import { ms, times, type Line } from './table.ts';

/** Pages whose totals come from different roll-ups. */
const pages: readonly [string, string][] = [
  ['list', '/api/challans?limit=50'],
  ['list of some days', '/api/challans?limit=50&depositedStartDate=2026-05-01&depositedEndDate=2026-05-31'],
  ['list of unpaid ones', '/api/challans?limit=50&paymentStatus=false'],
  ['search by TP number', '/api/challans?limit=50&tpNo=260'],
  ['bank statement', '/api/challans/bank-report/owners?limit=50'],
  ['owner accounts', '/api/accounting/owners?limit=50'],
  ['ageing', '/api/dashboard/owner-ageing?limit=50'],
];
const mostTimes = 3;

type Times = Map<string, number[]>;

/**
 * Changes every challan of the largest business at once and reverses it, and asks for pages of the largest and the smallest
 * business until all differences are folded (docs/decisions.md 129).
 */
export async function measureLargeChanges(context: Context): Promise<Line[]> {
  const { sql, data, large, small, isQuick } = context;
  const tenant = [data.large.id];
  const businesses: [string, Caller][] = [
    ['largest', large],
    ['smallest', small],
  ];
  const ask = async (rounds: number, into: Times): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      for (const [business, caller] of businesses) {
        for (const [page, path] of pages) {
          const begun = performance.now();
          await caller.ask('GET', path);
          const key = `${page}, ${business}`;
          into.set(key, [...(into.get(key) ?? []), performance.now() - begun]);
        }
      }
    }
  };
  const open = async (): Promise<number> => {
    const { rows } = await sql.query<{ open: number }>(
      `SELECT (SELECT count(*) FROM challan_deltas WHERE subadmin_id = $1)::int
         + (SELECT count(*) FROM challan_totals_by_tag WHERE subadmin_id = $1 AND change > 0)::int AS open`,
      tenant,
    );
    return rows[0]?.open ?? 0;
  };
  await ask(10, new Map());
  const usual: Times = new Map();
  await ask(isQuick ? 10 : 20, usual);

  const connection = await sql.connect();
  const written: number[] = [];
  try {
    await connection.query(
      `CREATE TEMP TABLE kept AS SELECT id, payment_status, paid_at FROM challans
       WHERE subadmin_id = '${data.large.id}' AND deleted_at IS NULL`,
    );
    await connection.query('ANALYZE kept');
    for (const change of [
      `UPDATE challans SET payment_status = NOT payment_status, paid_at = CASE WHEN NOT payment_status THEN now() END
       WHERE subadmin_id = $1 AND deleted_at IS NULL`,
      `UPDATE challans AS c SET payment_status = kept.payment_status, paid_at = kept.paid_at FROM kept
       WHERE c.subadmin_id = $1 AND c.id = kept.id`,
    ]) {
      context.say('  every challan of the largest business is changed');
      const begun = performance.now();
      await connection.query(change, tenant);
      written.push(performance.now() - begun);
    }
    await connection.query('DROP TABLE kept');
  } finally {
    connection.release();
  }

  context.say('  pages until all is folded');
  const meanwhile: Times = new Map();
  const begun = performance.now();
  await ask(1, meanwhile);
  while ((await open()) > 0) {
    await ask(1, meanwhile);
    await wait(20);
  }
  const folded = performance.now() - begun;
  return [
    { what: 'every challan of the largest business changed / reversed', measured: written.map(ms).join(' / ') },
    {
      what: 'folded after',
      measured: ms(folded),
      note: `${meanwhile.get('list, largest')?.length ?? 0} rounds of pages`,
    },
    ...[...meanwhile].map(([page, taken]): Line => {
      const [now, before] = [median(taken), median(usual.get(page) ?? [])];
      return {
        what: `${page}, until all is folded`,
        measured: `${ms(now)} instead of ${ms(before)}`,
        ratio: times(now / before),
        target: `≤ ${mostTimes} ×`,
        isMet: now / before <= mostTimes,
      };
    }),
  ];
}
