import { challanSortKeys } from '../../src/shared/contract/challan-fields.ts';
import type { ChallanSort } from '../../src/shared/contract/challan-order.ts';
import { joinsOf, orderOf } from '../../src/server/features/challans/challans-order.queries.ts';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import { ms, times, type Line } from './table.ts';
import { cpuNs, databaseCpuNs } from './usage.ts';

interface Answer {
  data: { id: string }[];
}

const rounds = 5;
const targetMs = 30;

/**
 * The first page of the whole list, sorted by each key in the slower direction. It is compared with SQL that sorts all
 * challans and must find the same ones.
 */
export async function measureSorts(context: Context): Promise<Line[]> {
  const lines: Line[] = [];
  for (const key of challanSortKeys) {
    const [up, down] = [await measure(context, { key, order: 'asc' }), await measure(context, { key, order: 'desc' })];
    const slower = up.api > down.api ? up : down;
    lines.push({
      what: `sort by ${key}: p50`,
      measured: ms(slower.api),
      sql: ms(slower.sql),
      ratio: times(slower.api / slower.sql),
      target: `≤ ${targetMs} ms`,
      isMet: slower.api <= targetMs,
      note: `CPU ${ms(slower.cpu)}`,
    });
  }
  return lines;
}

async function measure(
  { data, large, sql, processes }: Context,
  sort: ChallanSort,
): Promise<{ api: number; sql: number; cpu: number }> {
  const path = `/api/challans?limit=50&sortBy=${sort.key}&sortOrder=${sort.order}`;
  const sorted = `SELECT c.id FROM challans AS c ${joinsOf([sort])} WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL
    ORDER BY ${orderOf([sort])} LIMIT 50`;
  const taken: { api: number[]; sql: number[] } = { api: [], sql: [] };
  let cpu = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = cpuNs(processes.server) + databaseCpuNs(processes.postmaster);
    const begun = performance.now();
    const answer = await large.ask<Answer>('GET', path);
    const answered = performance.now();
    cpu += (cpuNs(processes.server) + databaseCpuNs(processes.postmaster) - before) / 1e6 / rounds;
    const { rows } = await sql.query<{ id: string }>(sorted, [data.large.id]);
    taken.api.push(answered - begun);
    taken.sql.push(performance.now() - answered);
    if (answer.data.map(({ id }) => id).join() !== rows.map(({ id }) => id).join()) {
      throw new Error(`sort by ${sort.key} ${sort.order}: the API has other challans than SQL`);
    }
  }
  return { api: median(taken.api), sql: median(taken.sql), cpu };
}
