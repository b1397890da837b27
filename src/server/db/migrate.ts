import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { OperatorError } from '../operator-error.ts';
import { withClient } from './client.ts';

/** The schema could not be updated. The message is one line for the operator. */
export class MigrationError extends OperatorError {
  override name = 'MigrationError';
}

interface Migration {
  number: number;
  file: string;
  sql: string;
  checksum: string;
}

interface AppliedMigration {
  number: number;
  name: string;
  checksum: string;
}

/**
 * The folder next to this module: src/server/db/migrations under tsx, dist/server/migrations in the build, which copies
 * the folder.
 */
const migrationsDirectory = join(import.meta.dirname, 'migrations');

const selectApplied = 'SELECT number, name, checksum FROM schema_migrations ORDER BY number';

/** The key of the advisory lock: an arbitrary number that every version of the program shares. */
const lockKey = 4_863_712_094_551;

/**
 * Applies the pending migrations and returns their file names. Each file is one transaction, so that an interruption
 * leaves nothing half done. One advisory lock around all of them makes two simultaneous starts wait for each other.
 * Refuses a database that a newer program created, and one whose applied files differ from the known ones. Connect as
 * the owner of the schema.
 */
export async function migrate(target: string | Client, directory: string = migrationsDirectory): Promise<string[]> {
  if (typeof target !== 'string') return migrateLocked(target, directory);
  return withClient(target, 'migrate', (client) => migrateLocked(client, directory));
}

/**
 * Refuses a database to which not all migrations of this version have been applied. May connect with the role of
 * requests.
 */
export async function checkMigrated(url: string, directory: string = migrationsDirectory): Promise<void> {
  await withClient(url, 'start', async (client) => {
    const found = await client.query<{ is_there: boolean }>(
      `SELECT coalesce(has_table_privilege(to_regclass('schema_migrations'), 'SELECT'), false) AS is_there`,
    );
    const { rows } = found.rows[0]?.is_there ? await client.query<AppliedMigration>(selectApplied) : { rows: [] };
    const [next] = findPending(await readMigrations(directory), rows);
    if (next === undefined) return;
    throw new MigrationError(
      `The database lacks migration ${next.file}: start once with DATABASE_ADMIN_URL, the owner of the schema`,
    );
  });
}

async function migrateLocked(client: Client, directory: string): Promise<string[]> {
  const known = await readMigrations(directory);
  await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
  try {
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      number integer PRIMARY KEY,
      name text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now(),
      checksum text NOT NULL
    )`);
    const { rows } = await client.query<AppliedMigration>(selectApplied);
    const pending = findPending(known, rows);
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ file }) => file);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [lockKey]).catch(() => undefined);
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const number = /^(\d{3})-[a-z0-9-]+\.sql$/.exec(file)?.[1];
      if (number === undefined) throw new MigrationError(`Migration ${file} is not named NNN-name.sql`);
      const sql = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
      return { number: Number(number), file, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
  for (const [index, { number, file }] of migrations.entries()) {
    const previous = migrations[index - 1];
    if (previous?.number === number) throw new MigrationError(`Migrations ${previous.file} and ${file} share a number`);
  }
  return migrations;
}

function findPending(known: Migration[], applied: AppliedMigration[]): Migration[] {
  const newestKnown = known.at(-1)?.number ?? 0;
  const newestApplied = applied.at(-1)?.number ?? 0;
  const checksums = new Map(known.map(({ number, checksum }) => [number, checksum]));
  // Before the check for a newer version: a database of another history may have higher numbers too.
  const other = applied.find(({ number, checksum }) => number <= newestKnown && checksums.get(number) !== checksum);
  if (other) {
    throw new MigrationError(
      `The database was made with another text of migration ${other.name} than this version has`,
    );
  }
  if (newestApplied > newestKnown) {
    throw new MigrationError(
      `The database belongs to a newer version of this program: it has migration ${newestApplied}, this version knows up to ${newestKnown}`,
    );
  }
  const pending = known.filter(({ number }) => !applied.some((done) => done.number === number));
  const late = pending.find(({ number }) => number < newestApplied);
  if (late)
    throw new MigrationError(`Migration ${late.file} comes before migration ${newestApplied}, which is applied`);
  return pending;
}

async function apply(client: Client, { number, file, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query('INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)', [
      number,
      file,
      checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`Migration ${file} failed: ${reason}`, { cause: error });
  }
}
