import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate, MigrationError } from '../../../src/server/db/migrate.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../database.ts';

let database: TestDatabase;
let directory: string;
let client: Client;

beforeEach(async () => {
  database = await emptyDatabase();
  directory = await mkdtemp(join(tmpdir(), 'challan-desk-migrations-'));
  client = new Client({ connectionString: database.url });
  await client.connect();
  await give('001-first.sql', 'CREATE TABLE first (id integer); INSERT INTO first VALUES (1);');
  await give('002-second.sql', 'ALTER TABLE first ADD COLUMN name text;\nUPDATE first SET name = $$one; two$$;');
});

afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

function give(file: string, sql: string): Promise<void> {
  return writeFile(join(directory, file), sql);
}

async function select(text: string): Promise<unknown[]> {
  return (await client.query({ text, rowMode: 'array' })).rows;
}

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MigrationError);
  const { message } = error as MigrationError;
  expect(message).not.toContain('\n');
  return message;
}

describe('migrate', () => {
  it('applies the files in order, once', async () => {
    expect(await migrate(database.url, directory)).toEqual(['001-first.sql', '002-second.sql']);
    expect(await migrate(client, directory)).toEqual([]);
    await give('003-third.sql', 'INSERT INTO first VALUES (3);');
    expect(await migrate(client, directory)).toEqual(['003-third.sql']);
    expect(await select('SELECT id, name FROM first ORDER BY id')).toEqual([
      [1, 'one; two'],
      [3, null],
    ]);
    expect(await select('SELECT number, name, applied_at <= now() FROM schema_migrations ORDER BY number')).toEqual([
      [1, '001-first.sql', true],
      [2, '002-second.sql', true],
      [3, '003-third.sql', true],
    ]);
  });

  it('keeps what came before a file that fails, and nothing of that file', async () => {
    await give('003-third.sql', 'INSERT INTO first VALUES (3); SELECT 1 / 0;');
    expect(await refusalOf(migrate(client, directory))).toBe('Migration 003-third.sql failed: division by zero');
    expect(await select('SELECT id FROM first')).toEqual([[1]]);
    expect(await select('SELECT max(number) FROM schema_migrations')).toEqual([[2]]);
    await give('003-third.sql', 'INSERT INTO first VALUES (3);');
    expect(await migrate(client, directory)).toEqual(['003-third.sql']);
  });

  it('refuses a database that a newer version made', async () => {
    await give('003-third.sql', 'SELECT 3;');
    await migrate(client, directory);
    await rm(join(directory, '003-third.sql'));
    expect(await refusalOf(migrate(client, directory))).toBe(
      'The database belongs to a newer version of this program: it has migration 3, this version knows up to 2',
    );
  });

  it('refuses a file that was changed after it had been applied', async () => {
    await migrate(client, directory);
    await give('002-second.sql', 'SELECT 2;');
    expect(await refusalOf(migrate(client, directory))).toBe(
      'The database was made with another text of migration 002-second.sql than this version has',
    );
  });

  it('says that the text differs, not that the program is older, where a database of another history has more files', async () => {
    await give('003-third.sql', 'SELECT 3;');
    await migrate(client, directory);
    await rm(join(directory, '003-third.sql'));
    await give('002-second.sql', 'SELECT 2;');
    expect(await refusalOf(migrate(client, directory))).toBe(
      'The database was made with another text of migration 002-second.sql than this version has',
    );
  });

  it('takes the same text with the line ends of another system', async () => {
    await migrate(client, directory);
    await give('002-second.sql', 'ALTER TABLE first ADD COLUMN name text;\r\nUPDATE first SET name = $$one; two$$;');
    expect(await migrate(client, directory)).toEqual([]);
  });

  it('refuses a file that would have to be applied out of order', async () => {
    await give('004-fourth.sql', 'SELECT 4;');
    await migrate(client, directory);
    await give('003-third.sql', 'SELECT 3;');
    expect(await refusalOf(migrate(client, directory))).toBe(
      'Migration 003-third.sql comes before migration 4, which is applied',
    );
  });

  it.each([
    ['two files of one number', '002-again.sql', 'Migrations 002-again.sql and 002-second.sql share a number'],
    ['a name that is not NNN-name.sql', '3-third.sql', 'Migration 3-third.sql is not named NNN-name.sql'],
  ])('refuses %s', async (_, file, message) => {
    await give(file, 'SELECT 1;');
    expect(await refusalOf(migrate(client, directory))).toBe(message);
  });

  it('lets starters at the same time follow each other', async () => {
    await give('003-third.sql', 'SELECT pg_sleep(0.2);');
    const done = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, directory)));
    expect(done.flat()).toEqual(['001-first.sql', '002-second.sql', '003-third.sql']);
    expect(await select('SELECT id FROM first')).toEqual([[1]]);
  });
});

describe('migrate, killed in the middle', () => {
  const rounds = long(20);

  it(
    `leaves what the next start completes (${rounds} rounds of kill -9)`,
    { timeout: longLimit(120_000) },
    async () => {
      const random = seeded(testSeed('moments of the kill'));
      // Slow files, so that the kill falls between and inside them.
      for (let number = 3; number <= 8; number += 1) {
        await give(`00${number}-part.sql`, `INSERT INTO first VALUES (${number}); SELECT pg_sleep(0.01);`);
      }
      for (let round = 0; round < rounds; round += 1) {
        await client.query('DROP TABLE IF EXISTS first, schema_migrations');
        const starters = Array.from({ length: 1 + (round % 2) }, () => startMigrating(database.url, directory));
        await Promise.all(starters.map(({ begun }) => begun));
        await wait(random() * 150);
        for (const { child } of starters) child.kill('SIGKILL');
        await Promise.all(starters.map(({ ended }) => ended));
        await migrate(database.url, directory);
        expect(await select('SELECT id FROM first ORDER BY id')).toEqual([[1], [3], [4], [5], [6], [7], [8]]);
        expect(await select('SELECT count(*)::int FROM schema_migrations')).toEqual([[8]]);
      }
    },
  );
});

describe("the program's own migrations", () => {
  let cloned: TestDatabase;
  beforeAll(async () => {
    cloned = await freshDatabase();
  });
  afterAll(() => cloned.drop());

  it('are all applied in a fresh test database', async () => {
    expect(await migrate(cloned.url)).toEqual([]);
  });
});

function startMigrating(
  url: string,
  from: string,
): { child: ChildProcess; begun: Promise<void>; ended: Promise<void> } {
  const child = fork(join(import.meta.dirname, '../migrate-child.ts'), [url, from], { execArgv: ['--import', 'tsx'] });
  return {
    child,
    begun: new Promise((resolve) => child.once('message', () => resolve())),
    ended: new Promise((resolve) => child.once('exit', () => resolve())),
  };
}

/** Mulberry32: small, and the same numbers for the same seed everywhere. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
