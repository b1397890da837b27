import { createPool } from '../../src/server/db/pool.ts';
import { withTenant, type TenantDb } from '../../src/server/db/tenant.ts';
import { selectExceptions, selectExceptionSums } from '../../src/server/features/exceptions/exceptions.queries.ts';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import { ms, type Line } from './table.ts';
import { databaseCpuNs } from './usage.ts';

const rounds = 7;

/**
 * The first page of exceptions and their sum for Today, as of the last day of the data: by the clock the server would find none
 * in it. The shortage of the routes is compared with SQL.
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
  const list = () =>
    within((db) => selectExceptions(db, { sortBy: 'effect', sortOrder: 'desc' }, day, { page: 1, limit: 50 }));
  const cases = [
    { what: 'the exceptions of 30 days', targetMs: 1_500, work: list },
    {
      what: 'the sum of the exceptions entered in 7 days',
      targetMs: 1_000,
      work: () => within((db) => selectExceptionSums(db, { days: 'entered' }, day)),
    },
  ];
  try {
    const lines: Line[] = [];
    for (const { what, targetMs, work } of cases) {
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
    const { count, routes } = await list();
    const { rows } = await sql.query<{ amount: string }>(
      `SELECT sum(shortage_amount)::text AS amount FROM challans
       WHERE subadmin_id = $1 AND deleted_at IS NULL AND shortage_amount > 0 AND loading_on BETWEEN $2::date - 29 AND $2::date
       GROUP BY lower(loading_place), lower(unloading_place) ORDER BY sum(shortage_amount) DESC LIMIT 1`,
      [id, day],
    );
    if (count === 0 || routes[0]?.amount !== rows[0]?.amount)
      throw new Error(`${count} exceptions; most shortage is ${routes[0]?.amount}, in SQL ${rows[0]?.amount}`);
    return lines;
  } finally {
    await pool.end();
  }
}
