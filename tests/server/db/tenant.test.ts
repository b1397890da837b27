import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool, isDatabaseAway } from '../../../src/server/db/pool.ts';
import { CommitUnknownError, withGlobal, withTenant, type TenantDb } from '../../../src/server/db/tenant.ts';
import { emptyDatabase, type TestDatabase } from '../database.ts';

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
  // A connection that an earlier test broke may close only now.
  const used = new Set<unknown>();
  pool.on('acquire', (client) => used.add(client));
  pool.on('remove', (client) => {
    if (used.has(client)) removed += 1;
  });
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
      ];
    });
    expect(bound).toEqual([[{ tenant: first }], [{ tenant: first }]]);
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

  it('runs all its statements in one transaction', async () => {
    await clear();
    const failing = withTenant(pools[kind], first, 'write', async (db) => {
      await db.query('INSERT INTO note VALUES (1, $1)', ['first']);
      const { rows, rowCount } = await db.query<{ text: string }>('SELECT text FROM note');
      expect([rows, rowCount]).toEqual([[{ text: 'first' }], 1]);
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
    await expect(leaked?.texts('SELECT 1', [])).rejects.toThrow('This transaction is over');
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

  it('commits with the last statement, and saves nothing when that one fails', async () => {
    await clear();
    const removed = countRemoved(pools[kind]);
    await withTenant(pools[kind], first, 'write', async (db) => {
      db.withCommit(db.query("INSERT INTO note VALUES (1, 'kept')"));
    });
    const failing = withTenant(pools[kind], first, 'write', async (db) => {
      await db.query("INSERT INTO note VALUES (2, 'lost')");
      db.withCommit(db.query("INSERT INTO note VALUES (1, 'taken')"));
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await notes()).toEqual(['kept']);
    expect(removed()).toBe(0);
    await clear();
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
