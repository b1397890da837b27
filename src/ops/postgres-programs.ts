import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { OperatorError, reasonOf } from '../server/operator-error.ts';
import type { Binaries } from './embedded-binaries.ts';
import type { RunAs } from './embedded-user.ts';

/**
 * The folders into which packages install the programs of a version: Debian's, PostgreSQL's own for Red Hat,
 * Homebrew's.
 */
export const packageFolders = (version: number): string[] => [
  `/usr/lib/postgresql/${version}/bin`,
  `/usr/pgsql-${version}/bin`,
  `/opt/homebrew/opt/postgresql@${version}/bin`,
  `/usr/local/opt/postgresql@${version}/bin`,
];

/** Returns the major version that a program reports. */
function readMajorVersion(program: string, env?: NodeJS.ProcessEnv, user?: RunAs | null): number {
  let output: string;
  try {
    output = execFileSync(program, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, LC_ALL: 'C' },
      ...(user && { uid: user.uid, gid: user.gid }),
    });
  } catch (error) {
    throw new OperatorError(`The program ${program} does not run: ${reasonOf(error) ?? String(error)}`, {
      cause: error,
    });
  }
  const version = /\(PostgreSQL\) (\d+)/.exec(output)?.[1];
  if (version === undefined) throw new OperatorError(`The program ${program} does not say of which PostgreSQL it is.`);
  return Number(version);
}

export const versionOfBinaries = ({ postgres, env }: Binaries, user: RunAs | null): number =>
  readMajorVersion(postgres, env, user);

/**
 * Returns the folder above `bin` of the server programs of this version: the given one, else one where packages install
 * them.
 */
export function findServerPrograms(version: number, given?: string): string {
  const toPass = 'npm run upgrade:database -- <folder of its programs>';
  if (given === undefined) {
    const found = packageFolders(version).find((place) => existsSync(join(place, 'postgres')));
    if (found !== undefined) return dirname(found);
    throw new OperatorError(
      `The database was made by PostgreSQL ${version}, whose programs were not found: install them (Debian: postgresql-${version}), or name their folder: ${toPass}`,
    );
  }
  const folder = basename(given) === 'bin' ? dirname(given) : given;
  const program = join(folder, 'bin', 'postgres');
  if (!existsSync(program))
    throw new OperatorError(`There is no program postgres in ${join(folder, 'bin')}: ${toPass}`);
  return folder;
}

/**
 * Returns the folder of the newest pg_dump, with its pg_restore, that can read a server of version `from` and write for
 * one of version `to`. A pg_dump cannot read a newer server, and a newer one may write what an older server does not
 * understand. `first` is preferred among programs of the same version.
 */
export function findDumpPrograms(from: number, to: number, first: string): { folder: string; version: number } {
  const versions = Array.from({ length: to - from + 1 }, (_, at) => to - at);
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((place) => place !== '');
  const found = [...new Set([first, ...versions.flatMap(packageFolders), ...onPath])]
    .filter((folder) => ['pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))))
    .map((folder) => ({ folder, version: readMajorVersion(join(folder, 'pg_dump')) }))
    .filter(({ version }) => version >= from && version <= to)
    .toSorted((one, other) => other.version - one.version);
  if (found[0] !== undefined) return found[0];
  throw new OperatorError(
    `No pg_dump with its pg_restore of PostgreSQL ${from} to ${to} was found: install them (Debian: postgresql-client-${to}), or put their folder on the PATH.`,
  );
}
