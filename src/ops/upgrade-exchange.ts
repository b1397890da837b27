import { existsSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory } from './embedded-cluster.ts';
import { EmbeddedError } from './embedded-owner.ts';
import { endEarlierServer } from './embedded-process.ts';
import { checkedMarker, oldPlace, findWorkDirectories } from './upgrade-place.ts';

/**
 * Removes what killed upgrades left, and stops their servers. The owner file of the data directory keeps others out.
 */
export async function removeUnfinished(place: string): Promise<void> {
  for (const work of findWorkDirectories(place)) {
    await endEarlierServer(join(work, 'postgres'));
    await rm(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Checks at the beginning the conditions that would make the renames at the end fail. */
export async function refuseUnmovable(place: string, version: number): Promise<void> {
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
export async function exchangeClusters(place: string, work: string, version: number): Promise<void> {
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
export async function completeExchange(place: string, work: string): Promise<void> {
  await rename(join(work, 'postgres'), place);
  await syncDirectory(dirname(place));
}
