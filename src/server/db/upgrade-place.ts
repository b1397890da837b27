import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** In a directory that is worked in: the new cluster is whole and checked, and the version of the one it replaces. */
export const marker = 'checked';

/** Where a cluster really is: its directory may be on another disk, with a link to it in the data directory. */
export function placeOf(cluster: string): string {
  try {
    return resolve(dirname(cluster), readlinkSync(cluster));
  } catch {
    return cluster;
  }
}

export const oldPlace = (place: string, version: number | string): string => `${place}.old-${version}`;

/** What upgrades that did not come to their end left beside a cluster. */
export function worksBeside(place: string): string[] {
  const parent = dirname(place);
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => name.startsWith(`${basename(place)}.new-`) && /\.new-[0-9a-f]{12}$/.test(name))
    .map((name) => join(parent, name));
}

/** The directory of an upgrade that ended between its two renames, when no cluster is in place. */
export function findInterrupted(cluster: string): string | undefined {
  const place = placeOf(cluster);
  if (existsSync(place)) return undefined;
  return worksBeside(place).find((work) => {
    const file = join(work, marker);
    return existsSync(file) && existsSync(oldPlace(place, readFileSync(file, 'utf8').trim()));
  });
}
