import { median } from './compare.ts';
import type { Context } from './context.ts';
import type { Caller } from './server.ts';
import { ms, times, type Line } from './table.ts';
import { databaseCpuNs } from './usage.ts';

/** Pages whose totals come from different roll-ups. */
const pages: readonly [string, string][] = [
  ['list', '/api/challans?limit=50'],
  ['list of some days', '/api/challans?limit=50&depositedStartDate=2026-05-01&depositedEndDate=2026-05-31'],
  ['list of unpaid ones', '/api/challans?limit=50&paymentStatus=unpaid'],
  ['search by TP number', '/api/challans?limit=50&tpNo=260'],
  ['bank statement', '/api/challans/bank-report/owners?limit=50'],
  ['owner accounts', '/api/accounting/owners?limit=50'],
  ['analytics', '/api/accounting/tag-analytics'],
];
const mostTimes = 3;

const changes: readonly [string, string][] = [
  [
    'changed',
    `UPDATE challans SET payment_status = NOT payment_status, paid_at = CASE WHEN NOT payment_status THEN now() END
     WHERE subadmin_id = $1 AND deleted_at IS NULL`,
  ],
  [
    'reversed',
    `UPDATE challans AS c SET payment_status = kept.payment_status, paid_at = kept.paid_at FROM kept
     WHERE c.subadmin_id = $1 AND c.id = kept.id`,
  ],
];

/**
 * Changes every challan of the largest business in one statement and reverses it (docs/decisions.md 133), and asks for pages of
 * the largest and of the smallest business before, meanwhile and after. The pages afterwards are as quick as the old versions
 * of the rows allow, which the database has still to remove.
 */
export async function measureLargeChanges(context: Context): Promise<Line[]> {
  const { sql, data, large, small, isQuick } = context;
  const businesses: [string, Caller][] = [
    ['largest', large],
    ['smallest', small],
  ];
  const askAll = async (into: Map<string, number[]>): Promise<void> => {
    for (const [business, caller] of businesses) {
      for (const [page, path] of pages) {
        const begun = performance.now();
        await caller.ask('GET', path);
        const key = `${page}, ${business} business`;
        into.set(key, [...(into.get(key) ?? []), performance.now() - begun]);
      }
    }
  };
  const [usual, after] = [new Map<string, number[]>(), new Map<string, number[]>()];
  const rounds = isQuick ? 10 : 20;
  for (let round = 0; round < 5; round += 1) await askAll(new Map());
  for (let round = 0; round < rounds; round += 1) await askAll(usual);

  const lines: Line[] = [];
  const meanwhile = new Map<string, number[]>();
  const connection = await sql.connect();
  try {
    await connection.query(
      `CREATE TEMP TABLE kept AS SELECT id, payment_status, paid_at FROM challans
       WHERE subadmin_id = '${data.large.id}' AND deleted_at IS NULL`,
    );
    await connection.query('ANALYZE kept');
    for (const [what, statement] of changes) {
      context.say(`  every challan of the largest business is ${what}`);
      const [begun, cpu] = [performance.now(), databaseCpuNs(context.processes.postmaster)];
      const done = new AbortController();
      const writing = connection.query(statement, [data.large.id]).finally(() => done.abort());
      writing.catch(() => undefined);
      while (!done.signal.aborted) await askAll(meanwhile);
      const { rowCount } = await writing;
      lines.push({
        what: `${rowCount} challans ${what} in one statement, with pages meanwhile`,
        measured: `${ms(performance.now() - begun)} (${ms((databaseCpuNs(context.processes.postmaster) - cpu) / 1e6)} of the database)`,
      });
      for (let round = 0; round < rounds; round += 1) await askAll(after);
    }
    const open = await sql.query<{ open: number }>('SELECT count(*)::int AS open FROM challan_deltas');
    lines.push({ what: 'differences that are open then', measured: `${open.rows[0]?.open}` });
  } finally {
    await connection.query('DROP TABLE IF EXISTS kept');
    connection.release();
  }
  for (const [when, taken] of [
    ['meanwhile', meanwhile],
    ['right after', after],
  ] as const) {
    for (const [page, took] of taken) {
      const [now, before] = [median(took), median(usual.get(page) ?? [])];
      lines.push({
        what: `${page}, ${when}`,
        measured: `${ms(now)} instead of ${ms(before)}`,
        ratio: times(now / before),
        target: `≤ ${mostTimes} ×`,
        isMet: now / before <= mostTimes,
      });
    }
  }
  return lines;
}
