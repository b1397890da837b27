import { sum } from '../../src/shared/calc/money.ts';
import { createPool } from '../../src/server/db/pool.ts';
import { withTenant, type TenantDb } from '../../src/server/db/tenant.ts';
import { selectExceptions, selectExceptionSums } from '../../src/server/features/exceptions/exceptions.queries.ts';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import { ms, type Line } from './table.ts';
import { databaseCpuNs } from './usage.ts';

const rounds = 7;

/**
 * The first page of exceptions and their sum, as of the last day of the data: by the clock the server would find none in it.
 * Before it is timed each is compared with the rows of all pages, and the shortage of the routes with SQL.
 */
export async function measureExceptions({ appUrl, data, sql, processes }: Context): Promise<Line[]> {
  const { id, size } = data.large;
  const { rows: last } = await sql.query<{ day: string }>(
    'SELECT max(loading_on)::text AS day FROM challans WHERE subadmin_id = $1',
    [id],
  );
  const day = last[0]?.day ?? '';
  const pool = createPool(appUrl, { max: 1 });
  const within = <T>(work: (db: TenantDb) => Promise<T>): Promise<T> => withTenant(pool, id, 'read', work);
  const list = (days: '30' | '180', paging?: { page: number; limit: number }) => () =>
    within((db) => selectExceptions(db, { days, sortBy: 'effect', sortOrder: 'desc' }, day, paging));
  const sums = (days: '180' | 'entered') => () => within((db) => selectExceptionSums(db, { days }, day));
  const firstPage = { page: 1, limit: 50 };
  /** The most shortage of a route is that in SQL, and the sum that of all rows. */
  const checkList = async (days: '30' | '180'): Promise<void> => {
    const { count, effect, data: all, routes } = await list(days)();
    const { rows } = await sql.query<{ amount: string }>(
      `SELECT sum(shortage_amount)::text AS amount FROM challans
       WHERE subadmin_id = $1 AND deleted_at IS NULL AND shortage_amount > 0 AND loading_on BETWEEN $2::date - $3::int + 1 AND $2::date
       GROUP BY lower(loading_place), lower(unloading_place) ORDER BY sum(shortage_amount) DESC LIMIT 1`,
      [id, day, days],
    );
    if (count === 0 || routes[0]?.amount !== rows[0]?.amount)
      throw new Error(`${count} exceptions; most shortage is ${routes[0]?.amount}, in SQL ${rows[0]?.amount}`);
    const total = sum(all.map((row) => row.effect));
    if (count !== all.length || effect !== total)
      throw new Error(`${count} exceptions of ${effect}, but ${all.length} rows of ${total}`);
  };
  /** The sum has of each challan, or bill, the largest effect in the list, without patterns. */
  const checkSums = async (days: '180' | 'entered'): Promise<void> => {
    const { data: all } = await within((db) =>
      selectExceptions(db, { days, sortBy: 'effect', sortOrder: 'desc' }, day),
    );
    const most = new Map<string, string>();
    for (const { kind, challanId, subject, effect } of all) {
      const of = challanId ?? subject;
      // The largest come first.
      if (!kind.endsWith('Shortage') && !most.has(of)) most.set(of, effect);
    }
    const { count, effect } = await sums(days)();
    const total = sum(['0.00', ...most.values()]);
    if (count !== all.length || effect !== total)
      throw new Error(`The sum has ${count} of ${effect}, the list ${all.length} of ${total}`);
  };
  const cases = [
    { what: 'the exceptions of 30 days', targetMs: 1_500, work: list('30', firstPage), check: () => checkList('30') },
    {
      what: 'the exceptions of 180 days',
      targetMs: 3_000,
      work: list('180', firstPage),
      check: () => checkList('180'),
    },
    {
      what: 'the sum of the exceptions entered in 7 days',
      targetMs: 1_000,
      work: sums('entered'),
      check: () => checkSums('entered'),
    },
    {
      what: 'the sum of the exceptions of 180 days',
      targetMs: 3_000,
      work: sums('180'),
      check: () => checkSums('180'),
    },
  ];
  try {
    const lines: Line[] = [];
    for (const { what, targetMs, work, check } of cases) {
      await check();
      const took: number[] = [];
      const before = databaseCpuNs(processes.postmaster);
      for (let round = 0; round < rounds; round += 1) {
        const begun = performance.now();
        await work();
        took.push(performance.now() - begun);
      }
      const cpu = (databaseCpuNs(processes.postmaster) - before) / 1e6 / rounds;
      const p50 = median(took);
      lines.push({
        what: `${what} of ${size.challans} challans: p50`,
        measured: ms(p50),
        target: `≤ ${targetMs} ms`,
        isMet: p50 <= targetMs,
        note: `CPU of the database ${ms(cpu)}`,
      });
    }
    return lines;
  } finally {
    await pool.end();
  }
}
