import { median } from './compare.ts';
import type { Context } from './context.ts';
import { ms, type Line } from './table.ts';
import { cpuNs, databaseCpuNs } from './usage.ts';

interface Answer {
  data: { due: { unpaid: { count: number; amount: string } }; notDeposited: { count: number; amount: string } };
}

const rounds = 15;
const targetMs = 100;

/** The lines that the dashboard opens with, since a month ago; what is unpaid and not deposited is compared with SQL. */
export async function measureToday({ data, large, sql, processes }: Context): Promise<Line[]> {
  const since = new Date(Date.now() - 30 * 24 * 3_600_000).toISOString();
  const path = `/api/today?since=${since}`;
  const took: number[] = [];
  let cpu = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = cpuNs(processes.server) + databaseCpuNs(processes.postmaster);
    const begun = performance.now();
    await large.ask<Answer>('GET', path);
    took.push(performance.now() - begun);
    cpu += (cpuNs(processes.server) + databaseCpuNs(processes.postmaster) - before) / 1e6 / rounds;
  }
  const { due, notDeposited } = (await large.ask<Answer>('GET', path)).data;
  const { rows } = await sql.query<{ found: string }>(
    `SELECT concat_ws(' ', count(*) FILTER (WHERE NOT payment_status), sum(net_amount_payable) FILTER (WHERE NOT payment_status),
       count(*) FILTER (WHERE deposited_on IS NULL), coalesce(sum(net_amount_payable) FILTER (WHERE deposited_on IS NULL), 0.00))
       AS found
     FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL`,
    [data.large.id],
  );
  const answered = [due.unpaid.count, due.unpaid.amount, notDeposited.count, notDeposited.amount].join(' ');
  if (rows[0]?.found !== answered) throw new Error(`The API has ${answered}, SQL ${rows[0]?.found}`);
  const p50 = median(took);
  return [
    {
      what: `the lines of Today of ${data.large.size.challans} challans: p50`,
      measured: ms(p50),
      target: `≤ ${targetMs} ms`,
      isMet: p50 <= targetMs,
      note: `CPU of both ${ms(cpu)}`,
    },
  ];
}
