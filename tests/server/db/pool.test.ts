import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool, isDatabaseAway } from '../../../src/server/db/pool.ts';
import { withGlobal, withTenant } from '../../../src/server/db/tenant.ts';
import { emptyDatabase, type TestDatabase } from '../database.ts';

const first = '11111111-1111-4111-8111-111111111111';

let database: TestDatabase;
let pipelined: Pool;
let plain: Pool;

beforeAll(async () => {
  database = await emptyDatabase();
  pipelined = createPool(database.url, { max: 3 });
  plain = createPool(database.url, { max: 3, pipeline: false });
});

afterAll(async () => {
  await Promise.all([pipelined.end(), plain.end()]);
  await database.drop();
});

describe('copyOut', () => {
  it('streams the rows inside the transaction', async () => {
    const text = await withTenant(plain, first, 'read', async (db) => {
      let all = '';
      for await (const chunk of db.copyOut(
        "COPY (SELECT current_setting('app.tenant'), n FROM generate_series(1, 3) n) TO STDOUT",
      )) {
        all += String(chunk);
      }
      return all;
    });
    expect(text).toBe([1, 2, 3].map((n) => `${first}\t${n}\n`).join(''));
  });

  it('quotes values for its text, since it takes no parameters', async () => {
    const odd = 'O\'Brien \\ "50%" \n; --';
    const text = await withTenant(plain, first, 'read', async (db) => {
      let all = '';
      for await (const chunk of db.copyOut(`COPY (SELECT md5(${db.literal(odd)})) TO STDOUT`)) all += String(chunk);
      return all;
    });
    expect(text.trim()).toBe(createHash('md5').update(odd).digest('hex'));
  });

  it('passes on the error of the statement, and the connection stays in use', async () => {
    let removed = 0;
    plain.on('remove', () => (removed += 1));
    const failing = withTenant(plain, first, 'read', async (db) => {
      for await (const chunk of db.copyOut('COPY (SELECT 1 / (n - 100) FROM generate_series(1, 200) n) TO STDOUT'))
        void chunk;
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(removed).toBe(0);
    expect((await withGlobal(plain, 'read', (db) => db.query('SELECT 1 AS one'))).rows).toEqual([{ one: 1 }]);
  });

  it('stops the statement in the database when the reader gives up', async () => {
    const mark = 'given_up_by_its_reader';
    const givenUp = withTenant(plain, first, 'read', async (db) => {
      // Some rows at once, and then nothing for a minute: a closed connection alone would go unnoticed until then.
      const rows = db.copyOut(
        `COPY (SELECT repeat('x', 10000) AS ${mark} UNION ALL SELECT pg_sleep(60)::text) TO STDOUT`,
      );
      await pipeline(
        rows,
        async function* (chunks) {
          for await (const chunk of chunks) {
            yield chunk;
            throw new Error('the client went away');
          }
        },
        async (chunks: AsyncIterable<unknown>) => {
          for await (const chunk of chunks) void chunk;
        },
      );
    });
    await expect(givenUp).rejects.toThrow('the client went away');
    const running = async () => {
      const { rows } = await withGlobal(pipelined, 'read', (db) =>
        db.query<{ n: number }>(
          "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()",
          [`COPY%${mark}%`],
        ),
      );
      return rows[0]?.n;
    };
    await expect.poll(running).toBe(0);
    expect((await withGlobal(plain, 'read', (db) => db.query('SELECT 1 AS one'))).rows).toEqual([{ one: 1 }]);
  });

  it('refuses to be left before its end, and to run on a pipelined connection', async () => {
    const left = withTenant(plain, first, 'read', async (db) => {
      db.copyOut('COPY (SELECT n FROM generate_series(1, 100000) n) TO STDOUT');
    });
    await expect(left).rejects.toThrow('The work ended before its stream did');
    const refused = withTenant(pipelined, first, 'read', async (db) => db.copyOut('COPY (SELECT 1) TO STDOUT'));
    await expect(refused).rejects.toThrow('pipeline: false');
  });
});

describe('createPool', () => {
  it('keeps exact values exact and days unshifted', async () => {
    const { rows } = await withGlobal(pipelined, 'read', (db) =>
      db.query(`SELECT 12345678901234.10::numeric(16,2) AS amount, array[0.10::numeric] AS amounts, 9007199254740993 AS big,
        array[9007199254740993] AS bigs, date '2026-04-01' AS day, array[date '2026-04-01'] AS days, 7 AS wheels,
        timestamptz '2026-04-01 00:00+05:30' AS at, true AS paid, null AS nothing`),
    );
    expect(rows).toEqual([
      {
        amount: '12345678901234.10',
        amounts: ['0.10'],
        big: '9007199254740993',
        bigs: ['9007199254740993'],
        day: '2026-04-01',
        days: ['2026-04-01'],
        wheels: 7,
        at: new Date('2026-03-31T18:30:00Z'),
        paid: true,
        nothing: null,
      },
    ]);
  });

  it('gives each connection its limits and its zone', async () => {
    const pool = createPool(`${database.url}?options=-c%20application_name%3Dfrom_the_url`, {
      statementTimeoutMs: 1234,
    });
    const names = [
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
      'TimeZone',
      'jit',
      'application_name',
    ];
    const { rows } = await withGlobal(pool, 'read', (db) =>
      db.query<{ value: string }>(
        'SELECT current_setting(name) AS value FROM unnest($1::text[]) WITH ORDINALITY AS n(name, at) ORDER BY at',
        [names],
      ),
    );
    await pool.end();
    expect(rows.map(({ value }) => value)).toEqual(['1234ms', '5s', '30s', 'UTC', 'off', 'from_the_url']);
  });

  it('gives up waiting for a free connection', async () => {
    const pool = createPool(database.url, { max: 1 });
    const error: unknown = await withGlobal(pool, 'read', () =>
      withGlobal(pool, 'read', async () => 'never').catch((reason: unknown) => reason),
    );
    await pool.end();
    expect(isDatabaseAway(error)).toBe(true);
  });

  it('tells a database that is away from an error of ours', async () => {
    const nowhere = createPool('postgres://nobody@127.0.0.1:1/nothing');
    const away: unknown = await withGlobal(nowhere, 'read', async () => 1).catch((reason: unknown) => reason);
    await nowhere.end();
    expect(isDatabaseAway(away)).toBe(true);
    const ours: unknown = await withGlobal(plain, 'read', (db) => db.query('SELECT 1 / 0')).catch(
      (reason: unknown) => reason,
    );
    expect(isDatabaseAway(ours)).toBe(false);
    expect(isDatabaseAway(new Error('anything else'))).toBe(false);
  });

  it('takes a server that is no primary for one that is away', async () => {
    const error: unknown = await withGlobal(plain, 'write', async (db) => {
      await db.query('SET TRANSACTION READ ONLY');
      await db.query('CREATE TABLE new_one ()');
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: '25006' });
    expect(isDatabaseAway(error)).toBe(true);
  });
});
