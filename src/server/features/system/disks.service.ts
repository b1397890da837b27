import { statfs } from 'node:fs/promises';
import type { DiskRoom } from '../../../shared/contract/health.ts';

/** The directories that the program fills, by what is in them. */
export type Directories = Readonly<Partial<Record<DiskRoom['name'], string>>>;

/** Returns how much room each directory has; one that cannot be asked (it is not there yet) is left out. */
export async function roomOf(directories: Directories): Promise<DiskRoom[]> {
  const asked = Object.entries(directories).map(async ([name, path]) => {
    const { bavail, blocks, bsize } = await statfs(path);
    // The cast is safe: the names are those of Directories.
    return { name: name as DiskRoom['name'], freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  });
  return (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
