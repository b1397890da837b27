import type { PoolClient } from 'pg';
import { commonestTag } from '../../src/sample-data/trade.ts';
import { compare, cpuOf, type Comparison, type Side } from './compare.ts';
import type { Context } from './context.ts';
import type { BenchData } from './data.ts';
import { Caller, startProgram } from './server.ts';
import * as sql from './sql.ts';
import { ms, times, type Line } from './table.ts';

interface Answer {
  data: { id: string }[];
  summary: { totalCount: number; totalAmount: string };
}

interface ListCase {
  what: string;
  query: string;
  sql: sql.ListSql;
}

/** The list is sorted by the newest first, with 50 challans on a page. */
const page = 'limit=50';

/** The list page with its totals, TP search and filters: median time and processor time, compared with the best SQL. */
export async function measureLists(context: Context): Promise<Line[]> {
  const { data, say } = context;
  const [large, small] = [await casesOf(context, data.large), await casesOf(context, data.small)];
  const lines: Line[] = await measureBareHandler(context);
  for (const [index, ofLarge] of large.entries()) {
    const ofSmall = small[index];
    if (!ofSmall) continue;
    say(`  ${ofLarge.what}`);
    try {
      const atLarge = await measure(context, data.large.id, context.large, ofLarge);
      const atSmall = await measure(context, data.small.id, context.small, ofSmall);
      lines.push(...report(ofLarge.what, atLarge, atSmall));
    } catch (error) {
      // When a filter fails or does not agree with SQL, the others are still measured.
      lines.push({
        what: ofLarge.what,
        measured: 'failed',
        note: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return lines;
}

/** How close a server can come to the speed of the SQL: one handler that only runs the SQL and sends the rows. */
async function measureBareHandler(context: Context): Promise<Line[]> {
  const { data, databaseUrl, processes, sql: pool } = context;
  const script = 'tests/bench/bare-server.ts';
  const bare = await startProgram(['--import', 'tsx', script, data.large.id, databaseUrl]);
  const caller = new Caller(bare.url);
  const client = await pool.connect();
  try {
    const inSql = sqlWork(client, data.large.id, { what: '', query: '', sql: sql.everything() });
    const { api, sql: best } = await compare({ ...processes, server: bare.pid }, () => answered(caller, '/'), inSql);
    return [
      {
        what: 'list page through a bare handler: p50',
        measured: ms(api.p50),
        sql: ms(best.p50),
        ratio: times(api.p50 / best.p50),
      },
      {
        what: 'list page through a bare handler: CPU (database + Node)',
        measured: cpuText(api),
        sql: cpuText(best),
        ratio: times(cpuOf(api) / cpuOf(best)),
      },
    ];
  } finally {
    client.release();
    caller.close();
    await bare.stop();
  }
}

async function casesOf({ sql: pool }: Context, tenant: BenchData['large']): Promise<ListCase[]> {
  const tag = tenant.tagOfName.get(commonestTag);
  // The second owner, because the first one has the most trucks and is not typical.
  const owner = tenant.owners[1];
  if (!tag || !owner) throw new Error('Every business has the commonest tag and more than one owner');
  const { rows } = await pool.query<{ total: number; pass: string }>(
    `SELECT count(*)::int AS total, min(tp_no) FILTER (WHERE tp_no ~ '^Y\\d{7}$') AS pass
     FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL`,
    [tenant.id],
  );
  const { total, pass } = rows[0] ?? { total: 0, pass: '' };
  const farPage = Math.floor((total * 2) / 3 / 50);
  return [
    { what: 'list page', query: '', sql: sql.everything() },
    { what: 'page at two thirds', query: `page=${farPage + 1}`, sql: sql.farPage(total - farPage * 50 - 50) },
    { what: 'filter unpaid', query: 'paymentStatus=unpaid', sql: sql.unpaid() },
    { what: 'filter paid', query: 'paymentStatus=paid', sql: sql.paid() },
    { what: 'filter tag', query: `tagId=${tag.id}`, sql: sql.ofTag(tag.id) },
    { what: 'filter without a tag', query: 'tagId=none', sql: sql.withNoTag() },
    { what: 'filter owner', query: `ownerId=${owner.id}`, sql: sql.ofOwner(owner.id) },
    {
      what: 'filter deposited day',
      query: 'depositedDate=2026-05-12',
      sql: sql.deposited('2026-05-12', '2026-05-12'),
    },
    {
      what: 'filter deposited month',
      query: 'depositedStartDate=2026-05-01&depositedEndDate=2026-05-31',
      sql: sql.deposited('2026-05-01', '2026-05-31'),
    },
    {
      what: 'filter loading month',
      query: 'startDate=2026-05-01&endDate=2026-05-31',
      sql: sql.loaded('2026-05-01', '2026-05-31'),
    },
    { what: 'TP search, 6 characters', query: `tpNo=${pass.slice(2)}`, sql: sql.tpNumber(pass.slice(2)) },
    { what: 'TP search, 3 characters (many hits)', query: 'tpNo=kjr', sql: sql.tpNumber('kjr') },
  ];
}

async function measure(context: Context, tenantId: string, caller: Caller, listCase: ListCase): Promise<Comparison> {
  const path = `/api/challans?${page}&${listCase.query}`;
  const client = await context.sql.connect();
  try {
    const inSql = sqlWork(client, tenantId, listCase);
    await mustAgree(listCase.what, await caller.ask<Answer>('GET', path), await inSql());
    return await compare(context.processes, () => answered(caller, path), inSql, context.isQuick ? 4 : 8);
  } finally {
    client.release();
  }
}

/** Waits for the last byte. The JSON is not parsed, because the browser does that. */
async function answered(caller: Caller, path: string): Promise<void> {
  const { status } = await caller.send('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
}

interface Found {
  ids: (string | null)[];
  count: number;
}

let prepared = 0;

/** The two statements of a case for one business. They have names, so each is prepared once. */
function sqlWork(client: PoolClient, tenantId: string, { sql: { totals, page, values } }: ListCase) {
  const parameters = values(tenantId);
  prepared += 1;
  const name = `list ${prepared}`;
  return async (): Promise<Found> => {
    const [summed, rows] = await Promise.all([
      totals === ''
        ? undefined
        : client.query<{ challans: number }>({ name: `${name} totals`, text: totals, values: parameters }),
      client.query<{ id: string | null; challans?: number }>({ name: `${name} page`, text: page, values: parameters }),
    ]);
    const count = summed ? summed.rows.reduce((sum, row) => sum + row.challans, 0) : (rows.rows[0]?.challans ?? 0);
    return { ids: rows.rows.map(({ id }) => id).filter((id) => id !== null), count };
  };
}

/** Throws when the two answers differ, because then the work is not the same. */
async function mustAgree(what: string, api: Answer, inSql: Found): Promise<void> {
  const ids = api.data.map(({ id }) => id);
  if (ids.join() !== inSql.ids.join() || api.summary.totalCount !== inSql.count) {
    throw new Error(
      `${what}: the API has ${ids.length} of ${api.summary.totalCount}, SQL ${inSql.ids.length} of ${inSql.count}`,
    );
  }
}

const cpuText = ({ databaseCpu, nodeCpu }: Side): string =>
  `${ms(databaseCpu + nodeCpu)} (${databaseCpu.toFixed(2)} + ${nodeCpu.toFixed(2)})`;

function report(what: string, large: Comparison, small: Comparison): Line[] {
  const ratio = large.api.p50 / large.sql.p50;
  const cpuRatio = cpuOf(large.api) / cpuOf(large.sql);
  const growth = large.api.p50 / small.api.p50;
  return [
    {
      what: `${what}: p50`,
      measured: ms(large.api.p50),
      sql: ms(large.sql.p50),
      ratio: times(ratio),
      target: '≤ 1.5 ×',
      isMet: ratio <= 1.5,
    },
    {
      what: `${what}: CPU (database + Node)`,
      measured: cpuText(large.api),
      sql: cpuText(large.sql),
      ratio: times(cpuRatio),
      target: '≤ 1.5 ×',
      isMet: cpuRatio <= 1.5,
    },
    {
      what: `${what}: against the small business`,
      measured: ms(large.api.p50),
      sql: `${ms(small.api.p50)} (API)`,
      ratio: times(growth),
      target: '≤ 3 ×',
      isMet: growth <= 3,
    },
  ];
}
