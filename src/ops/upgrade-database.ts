import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatCount } from '../shared/calc/count-text.ts';
import { megabytesOf } from './backups.ts';
import { checkDatabase, secondsSince } from './check-database.ts';
import { dumpServer } from './backup-programs.ts';
import { findNative, findPrograms, prepareBinaries, systemPrograms } from './embedded-binaries.ts';
import { layoutOf } from './embedded-cluster.ts';
import { EmbeddedError, claimDirectory } from './embedded-owner.ts';
import { chooseUser, changeOwner } from './embedded-user.ts';
import { versionError, versionOfCluster } from './embedded-version.ts';
import { startEmbedded } from './embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { findDumpPrograms, findServerPrograms, versionOfBinaries } from './postgres-programs.ts';
import { restoreIntoServer } from './restore.ts';
import { countRows, setPassword, otherDatabases } from './upgrade-contents.ts';
import { refuseUnmovable, completeExchange, exchangeClusters, removeUnfinished } from './upgrade-exchange.ts';
import { findInterrupted, oldPlace, realPathOf } from './upgrade-place.ts';
import { OperatorError, reasonOf } from '../server/operator-error.ts';

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
