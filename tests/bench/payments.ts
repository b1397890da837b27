import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import { payment } from './sql.ts';
import { ms, times, type Line } from './table.ts';
import { cpuNs, databaseCpuNs } from './usage.ts';

interface Range {
  from: string;
  to: string;
  challans: number;
}

interface Paid {
  data: { batchId: string; updatedCount: number };
}

/** A payment of 10,000 challans, in turns with the same rows written by one SQL statement; then one payment of 100,000. */
export async function measurePayments(context: Context): Promise<Line[]> {
  const { isQuick, data } = context;
  const some = await unpaidRange(context, data.large.id, isQuick ? 500 : 10_000);
  const many = await unpaidRange(context, data.large.id, isQuick ? 1_500 : 100_000);
  return [...(await manyTimes(context, some)), await once(context, many)];
}

/** The latest deposited days that have at least `wanted` unpaid challans together. */
async function unpaidRange({ sql }: Context, tenantId: string, wanted: number): Promise<Range> {
  const { rows } = await sql.query<{ day: string; challans: number }>(
    `SELECT deposited_on AS day, count(*)::int AS challans FROM challans
     WHERE subadmin_id = $1 AND deleted_at IS NULL AND NOT payment_status AND deposited_on IS NOT NULL
     GROUP BY 1 ORDER BY 1 DESC`,
    [tenantId],
  );
  let challans = 0;
  for (const row of rows) {
    challans += row.challans;
    if (challans >= wanted) return { from: row.day, to: rows[0]?.day ?? row.day, challans };
  }
  throw new Error(`The business has only ${challans} unpaid challans`);
}

async function manyTimes(context: Context, range: Range): Promise<Line[]> {
  const sides = {
    api: { work: () => payByApi(context, range), node: context.server.pid, times: [] as number[], cpu: [] as number[] },
    sql: { work: () => payBySql(context, range), node: process.pid, times: [] as number[], cpu: [] as number[] },
  };
  const rounds = context.isQuick ? 3 : 5;
  for (let round = 0; round < rounds; round += 1) {
    context.say(`  payment of ${range.challans}, round ${round + 1} of ${rounds}`);
    for (const side of round % 2 === 0 ? [sides.api, sides.sql] : [sides.sql, sides.api]) {
      const before = databaseCpuNs(context.processes.postmaster) + cpuNs(side.node);
      const begun = performance.now();
      const batchId = await side.work();
      side.times.push(performance.now() - begun);
      side.cpu.push((databaseCpuNs(context.processes.postmaster) + cpuNs(side.node) - before) / 1e6);
      await context.large.ask('POST', `/api/payment-batches/${batchId}/reverse`, { reason: 'Measured' });
      // Brings the database back to the state before: the differences are folded, the old versions of the rows are removed.
      await wait(1_500);
      await context.sql.query('VACUUM challans');
    }
  }
  const line = (what: string, api: number, sql: number): Line => ({
    what: `payment of ${range.challans}: ${what}`,
    measured: ms(api),
    sql: ms(sql),
    ratio: times(api / sql),
    target: '≤ 2 ×',
    isMet: api / sql <= 2,
  });
  return [
    line('p50', median(sides.api.times), median(sides.sql.times)),
    line('CPU', median(sides.api.cpu), median(sides.sql.cpu)),
  ];
}

async function payByApi({ large }: Context, { from, to, challans }: Range): Promise<string> {
  const body = {
    filters: { depositedStartDate: from, depositedEndDate: to },
    excludeChallanIds: [],
    paymentStatus: true,
    paysNegative: true,
  };
  const { data } = await large.ask<Paid>('PUT', '/api/challans/bank-report/bulk-payment-status', body, randomUUID());
  if (data.updatedCount !== challans) throw new Error(`Paid ${data.updatedCount} challans instead of ${challans}`);
  return data.batchId;
}

async function payBySql({ sql, data }: Context, { from, to, challans }: Range): Promise<string> {
  const id = randomUUID();
  const { rows } = await sql.query<{ challans: number }>(payment, [data.large.id, from, to, id, `BENCH-${id}`]);
  if (rows[0]?.challans !== challans) throw new Error(`Paid ${rows[0]?.challans} challans instead of ${challans}`);
  return id;
}

async function once(context: Context, range: Range): Promise<Line> {
  context.say(`  payment of ${range.challans}, once`);
  const begun = performance.now();
  const refusal = await payByApi(context, range).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const duration = performance.now() - begun;
  return {
    what: `payment of ${range.challans}, one transaction`,
    measured: refusal === undefined ? ms(duration) : `failed after ${ms(duration)}`,
    target: '≤ 25 s',
    isMet: refusal === undefined && duration <= 25_000,
    ...(refusal === undefined ? {} : { note: refusal }),
  };
}
