import { existsSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory } from './embedded-cluster.ts';
import { EmbeddedError } from './embedded-owner.ts';
import { endEarlierServer } from './embedded-process.ts';
import { marker, oldPlace, worksBeside } from './upgrade-place.ts';

/** What killed upgrades left, with their servers. The owner file of the data directory keeps others out. */
export async function removeUnfinished(place: string): Promise<void> {
  for (const work of worksBeside(place)) {
    await endEarlierServer(join(work, 'postgres'));
    await rm(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Refuses at the beginning what would stop the renames at the end. */
export async function checkPlace(place: string, version: number): Promise<void> {
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

/** Puts the new cluster in place of the old one, which stays beside it. A kill in between is completed by the next run. */
export async function exchange(place: string, work: string, version: number): Promise<void> {
  await writeFile(join(work, marker), `${version}\n`, { flush: true });
  await syncDirectory(work);
  await rename(place, oldPlace(place, version));
  try {
    await complete(place, work);
  } catch (error) {
    await rename(oldPlace(place, version), place);
    throw error;
  }
}

/** The second of the two renames. */
export async function complete(place: string, work: string): Promise<void> {
  await rename(join(work, 'postgres'), place);
  await syncDirectory(dirname(place));
}
