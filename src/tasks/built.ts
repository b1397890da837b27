import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { projectRoot, runTool, say } from './run.ts';

export const dist = join(projectRoot, 'dist');
/** A file in dist with the hash of the sources that it was built from. */
export const stampName = '.sources';

const sources = ['src', 'package-lock.json', 'vite.config.ts', 'tailwind.config.ts', 'tsconfig.json'];

/** Whether dist was built from the current sources. */
export async function isBuilt(): Promise<boolean> {
  const made = await readFile(join(dist, stampName), 'utf8').catch(() => '');
  return made === (await hashSources());
}

/**
 * Builds dist if it is not up to date. A child process does it, so that the memory of the build is freed. Returns whether
 * dist is up to date.
 */
export async function ensureBuilt(): Promise<boolean> {
  if (await isBuilt()) return true;
  say('Building the app …');
  return runTool('tsx', ['src/tasks/build.ts']);
}

export async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of sources) {
    const path = join(projectRoot, name);
    const files = extname(name) === '' ? await filesIn(path) : [path];
    for (const file of files)
      hash
        .update(`${file.slice(projectRoot.length)}\0`)
        .update(await readFile(file))
        .update('\0');
  }
  return hash.digest('hex');
}

export async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
