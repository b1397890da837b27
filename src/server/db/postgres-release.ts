/**
 * The newest minor version of each major one that a server may have, as PostgreSQL's release notes said on that day. Renew it
 * with the packages (docs/running.md §8). What came out later is not in it, so an old table says that about itself.
 */
const newestKnown: { on: string; minors: Readonly<Record<number, number>> } = {
  on: '2026-08-15',
  minors: { 15: 19, 16: 15, 17: 11, 18: 6 },
};

/** PostgreSQL brings out minor versions every three months. After two of them this table is no longer believed. */
const believedForMs = 200 * 24 * 3_600_000;

const month = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(day));

/** '18.4' of '18.4 (Debian 18.4-1.pgdg12+1)' */
export const shortVersion = (version: string): string => /^\d+(\.\d+)?/.exec(version)?.[0] ?? version;

/** Returns why a version of PostgreSQL should be replaced by a newer one of the same major version, or null. */
export function releaseWarning(version: string, now: Date = new Date()): string | null {
  const [major = 0, minor = 0] = shortVersion(version).split('.').map(Number);
  const newest = newestKnown.minors[major];
  if (newest === undefined) return null;
  if (minor < newest) return `${major}.${newest} is out since ${month(newestKnown.on)}: update it (docs/running.md §8)`;
  if (minor > newest || now.getTime() - Date.parse(newestKnown.on) < believedForMs) return null;
  return `Versions after ${month(newestKnown.on)} are not known here: see whether there is a newer one (docs/running.md §8)`;
}
