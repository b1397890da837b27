import { median } from './compare.ts';
import type { Context } from './context.ts';
import { ms, times, type Line } from './table.ts';

const sums = (day: string): string =>
  `SELECT owner_id, tds_percentage, count(*), sum(round(least(loading_weight, unloading_weight) * rate_per_mt, 2)),
     sum(tds_amount)
   FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL AND ${day} BETWEEN '2026-07-01' AND '2026-09-30' GROUP BY 1, 2`;

/**
 * A page of the TDS register of one quarter, by the day paid and by the day deposited, compared with its sums in SQL; and of a year,
 * searched for an owner that there is not.
 */
export async function measureTds({ data, large, sql, isQuick }: Context): Promise<Line[]> {
  const lines: Line[] = [];
  for (const basis of ['paid', 'deposited'] as const) {
    const { data: settings } = await large.ask<{ data: { version: number } }>('GET', '/api/accounting/tds/settings');
    await large.ask('PUT', '/api/accounting/tds/settings', {
      basis,
      section: '',
      yearThreshold: '100000.00',
      challanThreshold: null,
      version: settings.version,
    });
    const [byApi, bySql]: [number[], number[]] = [[], []];
    for (let round = 0; round < (isQuick ? 5 : 15); round += 1) {
      const begun = performance.now();
      await large.ask('GET', '/api/accounting/tds?year=2026-27&quarter=q2&limit=50');
      byApi.push(performance.now() - begun);
      const sqlBegun = performance.now();
      await sql.query(sums(basis === 'paid' ? 'payment_status AND paid_on' : 'deposited_on'), [data.large.id]);
      bySql.push(performance.now() - sqlBegun);
    }
    const [api, plain] = [median(byApi), median(bySql)];
    lines.push({
      what: `TDS register: a quarter of ${data.large.size.challans} challans by the day ${basis}`,
      measured: ms(api),
      sql: ms(plain),
      ratio: times(api / plain),
      target: '≤ 300 ms',
      isMet: api <= 300,
    });
  }
  const searched: number[] = [];
  for (let round = 0; round < (isQuick ? 5 : 15); round += 1) {
    const begun = performance.now();
    await large.ask('GET', '/api/accounting/tds?year=2026-27&limit=50&search=no-such-owner');
    searched.push(performance.now() - begun);
  }
  const search = median(searched);
  lines.push({
    what: 'TDS register: a year, searched for what is not there',
    measured: ms(search),
    target: '≤ 60 ms',
    isMet: search <= 60,
  });
  return lines;
}
