import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The marker file in the working directory of an upgrade. It says that the new cluster is complete and checked, and
 * contains the version of the cluster that it replaces.
 */
export const checkedMarker = 'checked';

/** Returns the real path of a cluster. It may be on another disk, with a link to it in the data directory. */
export function realPathOf(cluster: string): string {
  try {
    return resolve(dirname(cluster), readlinkSync(cluster));
  } catch {
    return cluster;
  }
}

export const oldPlace = (place: string, version: number | string): string => `${place}.old-${version}`;

/** Returns the working directories that unfinished upgrades left next to a cluster. */
export function findWorkDirectories(place: string): string[] {
  const parent = dirname(place);
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => name.startsWith(`${basename(place)}.new-`) && /\.new-[0-9a-f]{12}$/.test(name))
    .map((name) => join(parent, name));
}

/**
 * Returns the working directory of an upgrade that was interrupted between its two renames, so that no cluster is in
 * place.
 */
export function findInterrupted(cluster: string): string | undefined {
  const place = realPathOf(cluster);
  if (existsSync(place)) return undefined;
  return findWorkDirectories(place).find((work) => {
    const file = join(work, checkedMarker);
    return existsSync(file) && existsSync(oldPlace(place, readFileSync(file, 'utf8').trim()));
  });
}
