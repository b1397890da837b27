import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '../ops/postgres-programs.ts';

/** The versions before the embedded one that DATABASE_URL may name. The tests use the oldest of them that is installed. */
export const olderVersions = [15, 16, 17];

/** The directory with the programs of the oldest PostgreSQL that is installed. POSTGRES_PATH names another one. */
export function findOlderPostgres(): string | undefined {
  return [process.env.POSTGRES_PATH, ...olderVersions.flatMap(packageFolders)].find(
    (path) => path !== undefined && path !== '' && existsSync(join(path, 'initdb')),
  );
}

/** What to do when there is no older PostgreSQL. */
export const postgresMissing =
  'No PostgreSQL 15, 16 or 17 was found. Install its package (postgresql-15), or name the directory of its programs by POSTGRES_PATH.';

/** The path of PgBouncer, the connection pooler that tests put in front of the database. */
export const findPgBouncer = (): string | undefined => ['/usr/sbin/pgbouncer'].find((path) => existsSync(path));

export const pgBouncerMissing = 'PgBouncer was not found. Install its package (pgbouncer).';
