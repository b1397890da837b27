import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatCount } from '../shared/calc/count-text.ts';
import { megabytesOf } from './backups.ts';
import { checkDatabase, secondsSince } from './check-database.ts';
import { dumpServer } from './backup-programs.ts';
import { findNative, findPrograms, prepareBinaries, systemPrograms } from './embedded-binaries.ts';
import { layoutOf, syncDirectory } from './embedded-cluster.ts';
import { claimDirectory, EmbeddedError } from './embedded-owner.ts';
import { changeOwner, chooseUser } from './embedded-user.ts';
import { versionError, versionOfCluster } from './embedded-version.ts';
import { startEmbedded } from './embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { findDumpPrograms, findServerPrograms, versionOfBinaries } from './postgres-programs.ts';
import { restoreIntoServer } from './restore.ts';
import { checkedMarker, findInterrupted, findWorkDirectories, oldPlace, realPathOf } from './upgrade-place.ts';
import { OperatorError, reasonOf } from '../server/operator-error.ts';
import { endEarlierServer } from './embedded-process.ts';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { withClient } from '../server/db/client.ts';

interface UpgradeOptions {
  dataDir: string;
  /** The folder of the older version's programs. Absent: the folder into which its packages install them. */
  programs?: string | undefined;
  say: (line: string) => void;
}

/**
 * Upgrades the embedded database from an older major version of PostgreSQL (docs/architecture.md §6.5). Until the new
 * cluster is complete and checked, the old one stays in place and unchanged. Afterwards the old one is kept next to it.
 */
export async function upgradeDatabase({ dataDir: given, programs, say }: UpgradeOptions): Promise<void> {
  const dataDir = resolve(given);
  const { cluster } = layoutOf(dataDir);
  const place = realPathOf(cluster);
  if (!existsSync(place) && findInterrupted(cluster) === undefined) {
    throw new EmbeddedError(`There is no database in ${dataDir}.`);
  }
  const release = claimDirectory(dataDir);
  try {
    const interrupted = findInterrupted(cluster);
    if (interrupted !== undefined) {
      await completeExchange(place, interrupted);
      say('The upgrade that was interrupted is complete.');
    }
    await removeUnfinished(place);
    const to = await versionIn(findPrograms(), dataDir);
    const from = versionOfCluster(cluster);
    if (from > to) throw versionError(cluster, from, to);
    if (from === to && systemPrograms() !== undefined) await tryPrograms(dataDir, say);
    else if (from === to) say(`The database in ${cluster} is of PostgreSQL ${to}: there is nothing to do.`);
    else await upgrade({ dataDir, place, from, to, programs, say });
  } catch (error) {
    const reason = error instanceof OperatorError ? undefined : reasonOf(error);
    if (reason === undefined) throw error;
    throw new EmbeddedError(`The upgrade was given up: ${reason}.`, { cause: error });
  } finally {
    release();
  }
}

/** Starts the database with the programs of POSTGRES_BIN and checks it: with the same major version they use the same files. */
async function tryPrograms(dataDir: string, say: (line: string) => void): Promise<void> {
  const database = await startEmbedded({ dataDir, isOwned: true, log: say });
  try {
    const { isGood, summary } = await checkDatabase(database.url, say);
    say(`${summary}.`);
    if (!isGood) throw new EmbeddedError('The books differ: see npm run verify.');
  } finally {
    await database.stop();
  }
  say(
    'The programs of POSTGRES_BIN run this database as it is. Keep POSTGRES_BIN for the service and for each command; without it the programs of the npm package run the same files.',
  );
}

async function versionIn(native: string, dataDir: string): Promise<number> {
  const user = chooseUser(layoutOf(dataDir).cluster);
  const users = user === null ? [] : [user.server, user.initdb];
  return versionOfBinaries(await prepareBinaries(native, users, dataDir), user?.server ?? null);
}

interface Plan extends UpgradeOptions {
  place: string;
  from: number;
  to: number;
}

async function upgrade({ dataDir, place, from, to, programs, say }: Plan): Promise<void> {
  const start = performance.now();
  const ofPackage = systemPrograms() === undefined ? undefined : findNative();
  const native =
    programs === undefined && ofPackage !== undefined && (await versionIn(ofPackage, dataDir)) === from
      ? ofPackage
      : findServerPrograms(from, programs);
  const other = await versionIn(native, dataDir);
  if (other !== from) {
    throw new EmbeddedError(`The programs in ${native} are of PostgreSQL ${other}, and the database is of ${from}.`);
  }
  const dump = findDumpPrograms(from, to, join(native, 'bin'));
  await refuseUnmovable(place, from);
  await checkFreeSpace(place);
  const work = `${place}.new-${randomBytes(6).toString('hex')}`;
  const file = join(work, 'dump');
  try {
    say(`Starting the database of PostgreSQL ${from} with the programs in ${native} …`);
    const old = await startEmbedded({ dataDir, native, isOwned: true, log: say });
    let rows: Map<string, number>;
    try {
      await mkdir(work, { mode: 0o700 });
      const user = chooseUser(place);
      if (user !== null) await changeOwner(work, user.server);
      for (const name of await otherDatabases(old.url)) {
        say(`The database ${name} is none of this program's: it stays in the old cluster alone.`);
      }
      say(`Reading it with pg_dump ${dump.version} in ${dump.folder} …`);
      rows = await countRows(old.url);
      await dumpServer(old.url, file, null, dump.folder);
    } finally {
      await old.stop();
    }
    say(`Writing it into a new one of PostgreSQL ${to} …`);
    const fresh = await startEmbedded({ dataDir: work, log: say });
    try {
      await restoreIntoServer(file, fresh.url, null, dump.folder);
      compareRowCounts(rows, await countRows(fresh.url));
      const applied = await migrate(fresh.url);
      if (applied.length > 0) say(`Applied ${applied.length} migrations of this version.`);
      say('Checking it …');
      const { isGood, summary } = await checkDatabase(fresh.url, say);
      say(`${summary}.`);
      if (!isGood) {
        throw new EmbeddedError(
          'The upgrade was given up, because the books differ; the database is as it was. Mend what npm run verify finds with the version before.',
        );
      }
      await setPassword(fresh.url, decodeURIComponent(new URL(old.url).password));
    } finally {
      await fresh.stop();
    }
    say('Putting it in place …');
    await exchangeClusters(place, work, from);
  } finally {
    // While no cluster is in place, the new one is still needed.
    if (existsSync(place)) await rm(work, { recursive: true, force: true, maxRetries: 5 });
  }
  say(
    `The database in ${place} is of PostgreSQL ${to} now (${secondsSince(start)}). The old one is ${oldPlace(place, from)}: remove it when you do not want to go back. Backups of before hold PostgreSQL ${from}: make a new one with npm run backup`,
  );
}

/**
 * Refuses when the disk has too little room for the new cluster and the dump. The new cluster lacks the space of
 * deleted rows, but has a log of its own.
 */
async function checkFreeSpace(place: string): Promise<void> {
  const needed = (await megabytesOf(place)) * 1.25;
  const { bavail, bsize } = await statfs(dirname(place));
  const free = (bavail * bsize) / 1e6;
  if (free >= needed) return;
  const inWords = (megabytes: number): string => `${formatCount(Math.ceil(megabytes))} MB`;
  throw new EmbeddedError(
    `The upgrade needs about ${inWords(needed)} beside ${place}, and the disk has ${inWords(free)} free: make room there first.`,
  );
}

function compareRowCounts(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
  for (const [table, rows] of before) {
    if (after.get(table) === rows) continue;
    throw new EmbeddedError(
      `The upgrade was given up; the database is as it was: of the ${rows} rows of ${table}, ${after.get(table) ?? 0} were taken over.`,
    );
  }
}

/**
 * Removes what killed upgrades left, and stops their servers. The owner file of the data directory keeps others out.
 */
async function removeUnfinished(place: string): Promise<void> {
  for (const work of findWorkDirectories(place)) {
    await endEarlierServer(join(work, 'postgres'));
    await rm(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Checks at the beginning the conditions that would make the renames at the end fail. */
async function refuseUnmovable(place: string, version: number): Promise<void> {
  if (existsSync(oldPlace(place, version))) {
    throw new EmbeddedError(
      `The database is kept as ${oldPlace(place, version)} when a new one replaces it, and that is there already: move it away.`,
    );
  }
  if ((await stat(place)).dev !== (await stat(dirname(place))).dev) {
    throw new EmbeddedError(
      `${place} is where a disk is mounted, and the database is replaced as a whole: mount the disk one directory higher.`,
    );
  }
}

/**
 * Replaces the old cluster with the new one; the old one is kept next to it. If the program is killed in between, the
 * next run completes the exchange.
 */
async function exchangeClusters(place: string, work: string, version: number): Promise<void> {
  await writeFile(join(work, checkedMarker), `${version}\n`, { flush: true });
  await syncDirectory(work);
  await rename(place, oldPlace(place, version));
  try {
    await completeExchange(place, work);
  } catch (error) {
    await rename(oldPlace(place, version), place);
    throw error;
  }
}

/** Does the second of the two renames. */
async function completeExchange(place: string, work: string): Promise<void> {
  await rename(join(work, 'postgres'), place);
  await syncDirectory(dirname(place));
}

/** Counts the rows of each table. Connect as a superuser, from whom no policy hides rows. */
async function countRows(url: string): Promise<Map<string, number>> {
  return withClient(url, 'upgrade', async (client) => {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `SELECT schemaname AS schema, tablename AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
    );
    const counts = new Map<string, number>();
    for (const { schema, name } of tables) {
      const table = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
      const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${table}`);
      counts.set(table, Number(rows[0]?.count));
    }
    return counts;
  });
}

/** Returns the databases of the cluster that do not belong to this program. */
async function otherDatabases(url: string): Promise<string[]> {
  return withClient(url, 'upgrade', async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE NOT datistemplate AND datname <> current_database() ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  });
}

/** Sets the superuser's password to the given one, so that the file with the password need not change. */
async function setPassword(url: string, password: string): Promise<void> {
  await withClient(url, 'upgrade', (client) =>
    client.query(`ALTER ROLE CURRENT_USER PASSWORD ${escapeLiteral(password)}`),
  );
}
