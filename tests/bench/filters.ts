import type { challanListFilters } from '../../src/shared/filters/challan-filters.ts';
import type { FilterName } from '../../src/shared/filters/define.ts';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import { ms, times, type Line } from './table.ts';
import { cpuNs, databaseCpuNs } from './usage.ts';

interface Answer {
  data: { id: string }[];
  summary: { totalCount: number; totalAmount: string };
}

/** One filter: the value that is sent, and its condition in SQL over challans `c`. */
interface FilterCase {
  value: string;
  sql: string;
}

const [rowsMs, sumsMs] = [100, 500];
const rounds = 5;

/** The first page with its totals, by each filter of the list alone and by searches that many challans match. */
export async function measureFilters({ data, large, sql, processes }: Context): Promise<Line[]> {
  const [owner, tag, pump] = [data.large.owners[1], data.large.tags[1], data.large.pumps[0]];
  if (!owner || !tag || !pump) throw new Error('The largest business has owners, tags and pumps');
  const text = (value: string, ...columns: string[]): FilterCase => ({
    value,
    sql: columns.map((column) => `c.${column} ILIKE '%${value}%'`).join(' OR '),
  });
  // There is one for each filter of the list. A new filter does not compile until it has one here.
  const filterCases: { readonly [N in FilterName<typeof challanListFilters>]: FilterCase } = {
    tpNo: text('kjr', 'tp_no'),
    paymentStatus: { value: 'unpaid', sql: 'NOT c.payment_status' },
    tagId: { value: tag.id, sql: `c.tag_id = '${tag.id}'` },
    ownerId: { value: owner.id, sql: `c.owner_id = '${owner.id}'` },
    startDate: { value: '2026-05-01', sql: `c.loading_on >= '2026-05-01'` },
    endDate: { value: '2026-05-31', sql: `c.loading_on <= '2026-05-31'` },
    depositedDate: { value: '2026-05-12', sql: `c.deposited_on = '2026-05-12'` },
    depositedStartDate: { value: '2026-05-01', sql: `c.deposited_on >= '2026-05-01'` },
    depositedEndDate: { value: '2026-05-31', sql: `c.deposited_on <= '2026-05-31'` },
    challanNumber: text('0001', 'challan_number'),
    vehicleNo: { value: 'OD09', sql: `c.vehicle_key LIKE '%OD09%'` },
    material: text('iron', 'material'),
    place: text('joda', 'loading_place', 'unloading_place'),
    petrolPumpId: { value: pump.id, sql: `c.petrol_pump_id = '${pump.id}'` },
    hsdVerified: { value: 'verified', sql: 'c.hsd_verified' },
    netFrom: { value: '20000', sql: 'c.net_amount_payable >= 20000' },
    netTo: { value: '5000', sql: 'c.net_amount_payable <= 5000' },
    paidStartDate: { value: '2026-05-01', sql: `c.paid_on >= '2026-05-01'` },
    paidEndDate: { value: '2026-05-31', sql: `c.paid_on <= '2026-05-31'` },
    hold: {
      value: 'held',
      sql: `c.hold_reason <> '' OR EXISTS (SELECT FROM owners AS o
        WHERE o.subadmin_id = $1 AND o.id = c.owner_id AND o.hold_reason <> '')`,
    },
    tdsDeclared: {
      value: 'over',
      sql: `c.tds_percentage > 0 AND EXISTS (SELECT FROM declarations AS d
        WHERE d.subadmin_id = $1 AND d.owner_id = c.owner_id AND d.deleted_at IS NULL
          AND coalesce(c.deposited_on, c.loading_on) BETWEEN d.valid_from AND d.valid_to)`,
    },
    tpUse: {
      value: 'twice',
      sql: `c.tp_key IN (SELECT s.tp_key FROM challans AS s WHERE s.subadmin_id = $1 AND s.deleted_at IS NULL
        GROUP BY s.tp_key HAVING count(*) > 1)`,
    },
    materialIs: { value: 'iron ore', sql: `lower(c.material) = 'iron ore'` },
    loadingPlaceIs: { value: 'joda', sql: `lower(c.loading_place) = 'joda'` },
    unloadingPlaceIs: { value: 'paradip', sql: `lower(c.unloading_place) = 'paradip'` },
    vehicleIs: { value: 'OD09AB1234', sql: `c.vehicle_key = 'OD09AB1234'` },
    driverIs: { value: 'none', sql: `lower(c.driver_name) IN ('', 'none')` },
    paymentIs: { value: 'none', sql: 'NOT c.payment_status' },
  };
  const cases: [string, string, FilterCase][] = [
    ...Object.entries(filterCases).map(([name, one]): [string, string, FilterCase] => [`filter ${name}`, name, one]),
    ['TP search that a third match (260)', 'tpNo', text('260', 'tp_no')],
  ];
  const lines: Line[] = [];
  for (const [what, name, { value, sql: condition }] of cases) {
    const path = `/api/challans?limit=50&${name}=${encodeURIComponent(value)}`;
    const where = `FROM challans AS c WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND (${condition})`;
    const taken: { api: number[]; rows: number[]; sql: number[] } = { api: [], rows: [], sql: [] };
    let cpu = 0;
    try {
      for (let round = 0; round < rounds; round += 1) {
        const before = cpuNs(processes.server) + databaseCpuNs(processes.postmaster);
        const begun = performance.now();
        const answer = await large.ask<Answer>('GET', path);
        const answered = performance.now();
        cpu += (cpuNs(processes.server) + databaseCpuNs(processes.postmaster) - before) / 1e6 / rounds;
        const rowsBegun = performance.now();
        // As the screen asks: the sums may come after the rows.
        await large.ask('GET', `${path}&totals=later`);
        taken.rows.push(performance.now() - rowsBegun);
        const sqlBegun = performance.now();
        const [page, totals] = [
          await sql.query<{ id: string }>(`SELECT c.id ${where} ORDER BY c.created_at DESC, c.id DESC LIMIT 50`, [
            data.large.id,
          ]),
          await sql.query<{ count: number; amount: string }>(
            `SELECT count(*)::int AS count, coalesce(sum(c.net_amount_payable), 0.00)::text AS amount ${where}`,
            [data.large.id],
          ),
        ];
        taken.api.push(answered - begun);
        taken.sql.push(performance.now() - sqlBegun);
        const [ids, { totalCount, totalAmount }] = [answer.data.map(({ id }) => id).join(), answer.summary];
        const [{ count, amount } = { count: 0, amount: '' }] = totals.rows;
        if (ids !== page.rows.map(({ id }) => id).join() || totalCount !== count || totalAmount !== amount) {
          throw new Error(`The API has ${totalCount}, ${totalAmount}; SQL ${count}, ${amount}, or other challans`);
        }
      }
      const [api, inSql, rows] = [median(taken.api), median(taken.sql), median(taken.rows)];
      lines.push({
        what: `${what}: p50`,
        measured: ms(api),
        sql: ms(inSql),
        ratio: times(api / inSql),
        target: `rows ≤ ${rowsMs} ms, sums ≤ ${sumsMs} ms`,
        isMet: rows <= rowsMs && api <= sumsMs,
        note: `rows alone ${ms(rows)}, CPU of both ${ms(cpu)}`,
      });
    } catch (error) {
      lines.push({ what, measured: 'failed', note: error instanceof Error ? error.message : String(error) });
    }
  }
  for (const search of ['260', 'kjr', 'OD09', 'sahu', '12500']) {
    const found: number[] = [];
    const before = cpuNs(processes.server) + databaseCpuNs(processes.postmaster);
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      await large.ask('GET', `/api/palette?search=${search}`);
      found.push(performance.now() - begun);
    }
    const p50 = median(found);
    const cpu = (cpuNs(processes.server) + databaseCpuNs(processes.postmaster) - before) / 1e6 / rounds;
    lines.push({
      what: `palette “${search}”: p50`,
      measured: ms(p50),
      target: '≤ 15 ms',
      isMet: p50 <= 15,
      note: `CPU ${ms(cpu)}`,
    });
  }
  return lines;
}
