import { median } from './compare.ts';
import type { Context } from './context.ts';
import { ms, times, type Line } from './table.ts';
import { cpuNs, databaseCpuNs } from './usage.ts';

interface Answer {
  totals: { challanCount: number; netAmountPayable: string };
}

const rounds = 7;
const targetMs = 300;

/** By what the challans are grouped, and the same in SQL. */
const cases: readonly [string, string][] = [
  ['owner', 'owner_id'],
  ['owner,month', `owner_id, date_trunc('month', deposited_on)`],
  ['route,month', `lower(loading_place), lower(unloading_place), date_trunc('month', deposited_on)`],
  ['vehicle,material', 'vehicle_key, lower(material)'],
  ['pump,week', `petrol_pump_id, date_trunc('week', deposited_on)`],
  ['payment,owner', 'paid_on, owner_id'],
];

/** The first page of groups of all challans, with their subtotals, compared with the sums of the same groups in SQL. */
export async function measureGroups({ data, large, sql, processes }: Context): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [groupBy, columns] of cases) {
    const [byApi, bySql]: [number[], number[]] = [[], []];
    let cpu = 0;
    for (let round = 0; round < rounds; round += 1) {
      const before = cpuNs(processes.server) + databaseCpuNs(processes.postmaster);
      const begun = performance.now();
      const { totals } = await large.ask<Answer>('GET', `/api/challans/groups?limit=50&groupBy=${groupBy}`);
      byApi.push(performance.now() - begun);
      cpu += (cpuNs(processes.server) + databaseCpuNs(processes.postmaster) - before) / 1e6 / rounds;
      const sqlBegun = performance.now();
      const { rows } = await sql.query<{ count: number; net: string }>(
        `WITH of_group AS (SELECT count(*) AS count, sum(loading_weight), sum(unloading_weight), sum(shortage_amount),
             sum(tds_amount), sum(hsd_amount), sum(advance_money), sum(office_charges), sum(material_shortage_amount),
             sum(net_amount_payable) AS net, sum(net_amount_payable) FILTER (WHERE payment_status)
           FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL GROUP BY ${columns})
         SELECT sum(count)::int AS count, sum(net)::text AS net FROM of_group`,
        [data.large.id],
      );
      bySql.push(performance.now() - sqlBegun);
      const [{ count, net } = { count: 0, net: '' }] = rows;
      if (totals.challanCount !== count || totals.netAmountPayable !== net)
        throw new Error(
          `${groupBy}: the API has ${totals.challanCount}, ${totals.netAmountPayable}; SQL ${count}, ${net}`,
        );
    }
    const [api, plain] = [median(byApi), median(bySql)];
    lines.push({
      what: `groups of ${data.large.size.challans} challans by ${groupBy}: p50`,
      measured: ms(api),
      sql: ms(plain),
      ratio: times(api / plain),
      target: `≤ ${targetMs} ms`,
      isMet: api <= targetMs,
      note: `CPU of both ${ms(cpu)}`,
    });
  }
  return lines;
}
