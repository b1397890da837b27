import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool, isDatabaseAway } from '../../src/server/db/pool.ts';
import { CommitUnknownError, withGlobal, withTenant, type TenantDb } from '../../src/server/db/tenant.ts';
import { emptyDatabase, type TestDatabase } from './database.ts';

const first = '11111111-1111-4111-8111-111111111111';
const second = '22222222-2222-4222-9222-222222222222';
const currentTenant = "SELECT current_setting('app.tenant', true) AS tenant";

let database: TestDatabase;
let pools: { pipelined: Pool; plain: Pool };

beforeAll(async () => {
  database = await emptyDatabase();
  pools = {
    pipelined: createPool(database.url, { max: 3 }),
    plain: createPool(database.url, { max: 3, pipeline: false }),
  };
  await withGlobal(pools.plain, 'write', (db) =>
    db.query(`
      CREATE TABLE note (id integer PRIMARY KEY, text text NOT NULL);
      CREATE TABLE parent (id integer PRIMARY KEY);
      CREATE TABLE child (parent_id integer REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE fatal (id integer);
      CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON fatal
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_session();
    `),
  );
});

afterAll(async () => {
  await Promise.all([pools.pipelined.end(), pools.plain.end()]);
  await database.drop();
});

function raise(code: string): string {
  return `DO $$ BEGIN RAISE EXCEPTION 'made for a test' USING ERRCODE = '${code}'; END $$`;
}

/** How many connections the pool has thrown away since. */
function countRemoved(pool: Pool): () => number {
  let removed = 0;
  pool.on('remove', () => (removed += 1));
  return () => removed;
}

describe.each(['pipelined', 'plain'] as const)('withTenant on a %s pool', (kind) => {
  const notes = async (): Promise<string[]> => {
    const { rows } = await withGlobal(pools[kind], 'read', (db) =>
      db.query<{ text: string }>('SELECT text FROM note ORDER BY id'),
    );
    return rows.map(({ text }) => text);
  };
  const clear = () => withGlobal(pools[kind], 'write', (db) => db.query('DELETE FROM note'));

  it('binds the transaction to the tenant, and leaves nothing on the connection', async () => {
    const bound = await withTenant(pools[kind], first, 'read', async (db) => {
      expect([db.scope, db.tenantId]).toEqual(['tenant', first]);
      return [
        (await db.query<{ tenant: string }>(currentTenant)).rows,
        (await db.query<{ tenant: string }>(currentTenant, [], 'tenant')).rows,
        (await sql<{ tenant: string }>`SELECT current_setting('app.tenant', true) AS tenant`.execute(db.kysely)).rows,
      ];
    });
    expect(bound).toEqual([[{ tenant: first }], [{ tenant: first }], [{ tenant: first }]]);
    const after = await Promise.all(
      Array.from({ length: 3 }, () =>
        withGlobal(pools[kind], 'read', (db) => db.query<{ tenant: string }>(currentTenant)),
      ),
    );
    expect(after.flatMap(({ rows }) => rows).filter(({ tenant }) => tenant)).toEqual([]);
  });

  it('never mixes two tenants, however many run at once', async () => {
    const seen = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const tenant = index % 2 ? first : second;
        const { rows } = await withTenant(pools[kind], tenant, index % 3 ? 'read' : 'write', (db) =>
          db.query<{ tenant: string }>(currentTenant),
        );
        return rows[0]?.tenant === tenant;
      }),
    );
    expect(seen.filter((isRight) => !isRight)).toEqual([]);
  });

  it.each(["11111111-1111-4111-8111-111111111111'", '', 'x', `${first}\n`])(
    'refuses %j as a tenant',
    async (tenant) => {
      await expect(withTenant(pools[kind], tenant, 'read', async () => 1)).rejects.toThrow(
        'A tenant is named by a UUID',
      );
    },
  );

  it('keeps what a write did, and undoes it when the work fails', async () => {
    await clear();
    await withTenant(pools[kind], first, 'write', (db) => db.query("INSERT INTO note VALUES (1, 'kept')"));
    const failing = withTenant(pools[kind], first, 'write', async (db) => {
      await db.query("INSERT INTO note VALUES (2, 'undone')");
      throw new Error('the work failed');
    });
    await expect(failing).rejects.toThrow('the work failed');
    expect(await notes()).toEqual(['kept']);
  });

  it('runs kysely and query in the same transaction', async () => {
    await clear();
    const failing = withTenant(pools[kind], first, 'write', async (db) => {
      await sql`INSERT INTO note VALUES (1, ${'by kysely'})`.execute(db.kysely);
      const { rows, rowCount } = await db.query<{ text: string }>('SELECT text FROM note');
      expect([rows, rowCount]).toEqual([[{ text: 'by kysely' }], 1]);
      throw new Error('over');
    });
    await expect(failing).rejects.toThrow('over');
    expect(await notes()).toEqual([]);
  });

  it('cannot write in a read, and sees one snapshot in it', async () => {
    await clear();
    await expect(
      withTenant(pools[kind], first, 'read', (db) => db.query("INSERT INTO note VALUES (1, 'x')")),
    ).rejects.toMatchObject({ code: '25006' });
    const counts = await withTenant(pools[kind], first, 'read', async (db) => {
      const count = () => db.query<{ n: string }>('SELECT count(*) AS n FROM note');
      const before = await count();
      await withTenant(pools[kind], first, 'write', (other) => other.query("INSERT INTO note VALUES (1, 'x')"));
      return [before.rows[0]?.n, (await count()).rows[0]?.n];
    });
    expect(counts).toEqual(['0', '0']);
    expect(await notes()).toEqual(['x']);
  });

  it('does not report success when the error of a statement was swallowed', async () => {
    await clear();
    const swallowing = withTenant(pools[kind], first, 'write', async (db) => {
      await db.query("INSERT INTO note VALUES (1, 'lost')");
      await db.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('Nothing was saved');
    expect(await notes()).toEqual([]);
  });

  it('hands out a handle that is dead once the transaction is over', async () => {
    let leaked: TenantDb | undefined;
    await withTenant(pools[kind], first, 'write', async (db) => {
      leaked = db;
    });
    await expect(leaked?.query('SELECT 1')).rejects.toThrow('This transaction is over');
    await expect(sql`SELECT 1`.execute((leaked as unknown as TenantDb).kysely)).rejects.toThrow(
      'This transaction is over',
    );
  });

  it.each(['40001', '40P01'])(
    'repeats a write that the database gave up with %s, three times at most',
    async (code) => {
      let tries = 0;
      const work = async (db: TenantDb) => {
        tries += 1;
        if (tries <= 3) await db.query(raise(code));
        return tries;
      };
      expect(await withTenant(pools[kind], first, 'write', work)).toBe(4);
      tries = -1;
      await expect(withTenant(pools[kind], first, 'write', work)).rejects.toMatchObject({ code });
      expect(tries).toBe(3);
    },
  );

  it('repeats also when the work wrapped the error, and never for anything else', async () => {
    let tries = 0;
    await expect(
      withTenant(pools[kind], first, 'write', async (db) => {
        tries += 1;
        await db.query(raise('40001')).catch((cause: unknown) => {
          throw new Error('wrapped', { cause });
        });
      }),
    ).rejects.toThrow('wrapped');
    expect(tries).toBe(4);
    for (const [mode, code] of [
      ['write', '23505'],
      ['read', '40001'],
    ] as const) {
      tries = 0;
      await expect(
        withTenant(pools[kind], first, mode, async (db) => {
          tries += 1;
          await db.query(raise(code));
        }),
      ).rejects.toMatchObject({ code });
      expect(tries).toBe(1);
    }
  });

  it('comes out of a real deadlock with both writes done', async () => {
    await clear();
    await withGlobal(pools[kind], 'write', (db) => db.query("INSERT INTO note VALUES (1, ''), (2, '')"));
    const add = (mark: string, order: number[]) =>
      withTenant(pools[kind], first, 'write', async (db) => {
        for (const id of order) {
          await db.query('UPDATE note SET text = text || $1 WHERE id = $2', [mark, id]);
          await db.query('SELECT pg_sleep(0.05)');
        }
      });
    await Promise.all([add('a', [1, 2]), add('b', [2, 1])]);
    expect((await notes()).map((text) => [...text].sort().join(''))).toEqual(['ab', 'ab']);
  });

  it('passes on what COMMIT refuses, and the connection stays in use', async () => {
    const removed = countRemoved(pools[kind]);
    const refused = withTenant(pools[kind], first, 'write', (db) => db.query('INSERT INTO child VALUES (404)'));
    await expect(refused).rejects.toMatchObject({ code: '23503' });
    expect(removed()).toBe(0);
  });

  it('says that the outcome is unknown when the connection breaks in COMMIT, and does not repeat the work', async () => {
    let tries = 0;
    const broken = withTenant(pools[kind], first, 'write', async (db) => {
      tries += 1;
      await db.query('INSERT INTO fatal VALUES (1)');
    });
    await expect(broken).rejects.toBeInstanceOf(CommitUnknownError);
    expect(tries).toBe(1);
  });

  it('survives a connection that breaks between two statements', async () => {
    const breaking = withTenant(pools[kind], first, 'write', async (db) => {
      const { rows } = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await withGlobal(pools[kind], 'write', (other) => other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]));
      await db.query('SELECT pg_sleep(0.2)');
      await db.query('SELECT 1');
    });
    const error: unknown = await breaking.catch((reason: unknown) => reason);
    expect(isDatabaseAway(error)).toBe(true);
    expect((await withTenant(pools[kind], first, 'read', (db) => db.query('SELECT 1 AS one'))).rows).toEqual([
      { one: 1 },
    ]);
  });

  it('gives every connection back', async () => {
    await expect.poll(() => pools[kind].idleCount - pools[kind].totalCount).toBe(0);
    expect(pools[kind].waitingCount).toBe(0);
    const { rows } = await withGlobal(pools[kind], 'read', (db) =>
      db.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'",
      ),
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('copyOut', () => {
  it('streams the rows inside the transaction', async () => {
    const text = await withTenant(pools.plain, first, 'read', async (db) => {
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

  it('passes on the error of the statement, and the connection stays in use', async () => {
    const removed = countRemoved(pools.plain);
    const failing = withTenant(pools.plain, first, 'read', async (db) => {
      for await (const chunk of db.copyOut('COPY (SELECT 1 / (n - 100) FROM generate_series(1, 200) n) TO STDOUT'))
        void chunk;
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(removed()).toBe(0);
    expect((await withGlobal(pools.plain, 'read', (db) => db.query('SELECT 1 AS one'))).rows).toEqual([{ one: 1 }]);
  });

  it('stops the statement in the database when the reader gives up', async () => {
    const mark = 'given_up_by_its_reader';
    const givenUp = withTenant(pools.plain, first, 'read', async (db) => {
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
      const { rows } = await withGlobal(pools.pipelined, 'read', (db) =>
        db.query<{ n: number }>(
          "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()",
          [`COPY%${mark}%`],
        ),
      );
      return rows[0]?.n;
    };
    await expect.poll(running, { timeout: 2_000 }).toBe(0);
    expect((await withGlobal(pools.plain, 'read', (db) => db.query('SELECT 1 AS one'))).rows).toEqual([{ one: 1 }]);
  });

  it('refuses to be left before its end, and to run on a pipelined connection', async () => {
    const left = withTenant(pools.plain, first, 'read', async (db) => {
      db.copyOut('COPY (SELECT n FROM generate_series(1, 100000) n) TO STDOUT');
    });
    await expect(left).rejects.toThrow('The work ended before its stream did');
    const pipelined = withTenant(pools.pipelined, first, 'read', async (db) => db.copyOut('COPY (SELECT 1) TO STDOUT'));
    await expect(pipelined).rejects.toThrow('pipeline: false');
  });
});

describe('createPool', () => {
  it('keeps exact values exact and days unshifted', async () => {
    const { rows } = await withGlobal(pools.pipelined, 'read', (db) =>
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

  it('gives each connection its limits, its zone and its role', async () => {
    const pool = createPool(`${database.url}?options=-c%20application_name%3Dfrom_the_url`, {
      role: 'pg_monitor',
      statementTimeoutMs: 1234,
    });
    const names = [
      'role',
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
      'TimeZone',
      'application_name',
    ];
    const { rows } = await withGlobal(pool, 'read', (db) =>
      db.query<{ value: string }>(
        'SELECT current_setting(name) AS value FROM unnest($1::text[]) WITH ORDINALITY AS n(name, at) ORDER BY at',
        [names],
      ),
    );
    await pool.end();
    expect(rows.map(({ value }) => value)).toEqual(['pg_monitor', '1234ms', '5s', '30s', 'UTC', 'from_the_url']);
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
    const ours: unknown = await withGlobal(pools.plain, 'read', (db) => db.query('SELECT 1 / 0')).catch(
      (reason: unknown) => reason,
    );
    expect(isDatabaseAway(ours)).toBe(false);
    expect(isDatabaseAway(new Error('anything else'))).toBe(false);
  });
});
