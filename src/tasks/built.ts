import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { projectRoot, runTool, say } from './run.ts';

export const dist = join(projectRoot, 'dist');
/** Kept inside dist: a hash of the sources it was built from. */
export const stampName = '.sources';

const sources = ['src', 'package-lock.json', 'vite.config.ts', 'tailwind.config.ts', 'tsconfig.json'];

/** Whether dist was built from the current sources. */
export async function isBuilt(): Promise<boolean> {
  const made = await readFile(join(dist, stampName), 'utf8').catch(() => '');
  return made === (await hashSources());
}

/** Builds what is not up to date, in a child process, so that its memory is freed. Returns whether dist exists. */
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
