import { randomUUID } from 'node:crypto';
import { createPool } from '../../src/server/db/pool.ts';
import type { Context } from './context.ts';
import { Caller } from './server.ts';
import { sheetOf } from './sheet.ts';
import { bareCreate } from './sql.ts';
import { times, type Line } from './table.ts';

const connections = 16;
const wantedPerSecond = 1_000;

type Write = (turn: number) => Promise<unknown>;

/**
 * Writes of one challan each, in one business: how many a second over one connection, and over 16 connections at the same
 * time.
 */
export async function measureSingles(context: Context): Promise<Line[]> {
  const { data, server, say, isQuick } = context;
  const callers = Array.from({ length: connections }, () => new Caller(server.url));
  const pool = createPool(context.databaseUrl, { max: connections });
  try {
    for (const caller of callers) caller.shareSession(context.large);
    const rows = await sheetOf(context);
    const bodies = rows.map(({ row }) => ({ ...row, key: undefined }));
    const made: string[] = [];
    const create = (caller: Caller): Write => {
      return async (turn) => {
        const body = bodies[turn % bodies.length];
        const { data: challan } = await caller.ask<{ data: { id: string } }>(
          'POST',
          '/api/challans',
          body,
          randomUUID(),
        );
        made.push(challan.id);
      };
    };
    const template = await anyChallan(context);
    const bare = (): Promise<unknown> =>
      pool.query({ name: 'bare-create', text: bareCreate, values: [data.large.id, template] });
    const pay = (caller: Caller): (() => Promise<unknown>) => {
      return () => caller.ask('PUT', `/api/challans/${made.pop() ?? ''}`, { paymentStatus: true });
    };
    const count = isQuick ? 400 : 2_000;
    const lines: Line[] = [];
    for (const many of [1, connections]) {
      const some = callers.slice(0, many);
      const name = many === 1 ? 'one connection' : `${many} connections`;
      say(`  single writes over ${name}`);
      // Some writes before the measurement, so that code is compiled and statements are planned.
      const perSecond = async (writes: readonly Write[]): Promise<number> => {
        await rate(writes, 200);
        return rate(writes, count);
      };
      const created = await perSecond(some.map(create));
      const inSql = await perSecond(some.map(() => bare));
      const paid = await perSecond(some.map(pay));
      lines.push(
        line(`create with key and history, ${name}`, created, many, inSql),
        line(`mark one paid, ${name}`, paid, many),
      );
    }
    return lines;
  } finally {
    for (const caller of callers) caller.close();
    await pool.end();
  }
}

/** Calls a second. Each connection begins the next call as soon as it has the answer of the last one. */
export async function rate(writes: readonly Write[], count: number): Promise<number> {
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    writes.map(async (write) => {
      while (next < count) await write(next++);
    }),
  );
  return count / ((performance.now() - begun) / 1_000);
}

async function anyChallan({ sql, data }: Context): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    'SELECT id FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL AND NOT payment_status LIMIT 1',
    [data.large.id],
  );
  return rows[0]?.id ?? '';
}

function line(what: string, perSecond: number, many: number, inSql?: number): Line {
  const isTarget = many === connections;
  return {
    what,
    measured: `${Math.round(perSecond)} a second`,
    ...(inSql !== undefined && { sql: `${Math.round(inSql)} a second`, ratio: times(perSecond / inSql) }),
    ...(isTarget && { target: `≥ ${wantedPerSecond} a second`, isMet: perSecond >= wantedPerSecond }),
  };
}
