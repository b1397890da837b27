import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../server/operator-error.ts';
import { systemPrograms, type Binaries } from './embedded-binaries.ts';
import { EmbeddedError } from './embedded-owner.ts';
import type { RunAs } from './embedded-user.ts';
import { versionOfBinaries } from './postgres-programs.ts';

/** Returns the major version of PostgreSQL that created a cluster. */
export function versionOfCluster(cluster: string): number {
  const file = join(cluster, 'PG_VERSION');
  try {
    const version = /^(\d+)(?:\.\d+)?\s*$/.exec(readFileSync(file, 'utf8'))?.[1];
    if (version !== undefined) return Number(version);
  } catch (error) {
    throw new EmbeddedError(`The version of the database cannot be read: ${reasonOf(error) ?? String(error)}`, {
      cause: error,
    });
  }
  throw new EmbeddedError(
    `The file ${file} does not say which PostgreSQL made the database: put the file of a backup in its place.`,
  );
}

/** The major versions that can run a database of ours: it sorts texts by PostgreSQL's own rules, which came with 17. */
const ownVersions = [17, 18];

/** Refuses a cluster of another major version, because only the version that created it can open it. */
export function checkVersion(cluster: string, binaries: Binaries, user: RunAs | null): void {
  const own = versionOfBinaries(binaries, user);
  if (systemPrograms() !== undefined && !ownVersions.includes(own)) {
    throw new EmbeddedError(
      `POSTGRES_BIN has PostgreSQL ${own}, and a database of this program needs ${ownVersions.join(' or ')}.`,
    );
  }
  // When something else is there instead of a cluster, ensureCluster reports it.
  if (!existsSync(join(cluster, 'PG_VERSION'))) return;
  const made = versionOfCluster(cluster);
  if (made !== own) throw versionError(cluster, made, own);
}

export function versionError(cluster: string, made: number, own: number): EmbeddedError {
  const which = `The database in ${cluster} is of PostgreSQL ${made}, and ${systemPrograms() === undefined ? 'this program comes with' : 'POSTGRES_BIN has'} PostgreSQL ${own}`;
  return new EmbeddedError(
    made < own
      ? `${which}: take it over once with npm run upgrade:database`
      : `${which}, so it is older than its data: use the version of the program that was used last.`,
  );
}
