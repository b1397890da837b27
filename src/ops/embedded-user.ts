import { readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { chown, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './embedded-owner.ts';

export interface RunAs {
  uid: number;
  gid: number;
}

export interface DatabaseUser {
  /** Whether this user owns the directory. Otherwise it is a service account that only runs the server. */
  isOwner: boolean;
  /** The user who owns the files and runs the server. */
  server: RunAs;
  /** The user for initdb, which needs a user with a name; the server does not. */
  initdb: RunAs;
}

/**
 * Chooses the operating system user that runs the database. PostgreSQL refuses root, so root runs it as the owner of
 * the data directory, else as `postgres`, else as `nobody` (docs/architecture.md §6.2). Null: this process is an
 * ordinary user, and the database runs as the same user.
 */
export function chooseUser(clusterDir: string): DatabaseUser | null {
  if (process.getuid?.() !== 0) return null;
  const entries = readPasswd();
  const named = ['postgres', '_postgres', 'nobody'].map((name) => entries.find((entry) => entry.name === name));
  const service = named.find((entry) => entry !== undefined && entry.uid > 0);
  const owner = nearestStat(clusterDir);
  if (owner.uid !== 0) {
    const entry = entries.find(({ uid }) => uid === owner.uid);
    const server = { uid: owner.uid, gid: entry?.gid ?? owner.gid };
    const initdb = entry ? server : service;
    if (initdb) return { isOwner: true, server, initdb };
  } else if (service) {
    return { isOwner: false, server: service, initdb: service };
  }
  throw new EmbeddedError(
    'The database does not run as root, and there is no user postgres or nobody to run it as: start as an ordinary user, or set DATABASE_URL.',
  );
}

function readPasswd(): (RunAs & { name: string })[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  } catch {
    return [];
  }
}

/**
 * Returns the stats of the path, or of the nearest existing directory above it, whose owner will own what is created in
 * it.
 */
function nearestStat(path: string): Stats {
  for (let at = path; ; at = dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false });
    if (found) return found;
  }
}

/**
 * Whether a user may read a file or directory. Each directory above it must be passable for the user
 * (docs/architecture.md §6.2).
 */
export function canReach(path: string, user: RunAs): boolean {
  const real = realpathSync(path);
  const end = statSync(real);
  if (!isAllowed(end, user, end.isDirectory() ? 5 : 4)) return false;
  for (let at = real; at !== dirname(at); at = dirname(at)) {
    if (!isAllowed(statSync(dirname(at)), user, 1)) return false;
  }
  return true;
}

function isAllowed({ mode, uid, gid }: Stats, user: RunAs, wanted: number): boolean {
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & wanted) === wanted;
}

/** Makes a user the owner of a directory and everything in it. */
export async function changeOwner(path: string, user: RunAs): Promise<void> {
  await chown(path, user.uid, user.gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await changeOwner(inner, user);
    else if (!entry.isSymbolicLink()) await chown(inner, user.uid, user.gid);
  }
}

/** Gives `file` the owner of `like`, the user who runs the database. Only root needs to do that. */
export async function copyOwner(like: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(like);
  await chown(file, uid, gid);
}
