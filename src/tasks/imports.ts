import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './run.ts';

export interface Import {
  from: string;
  /** Loaded when it is called for. */
  isLazy: boolean;
  /** A project path for a relative import, else the package's name. */
  to: string;
}

/** The files below a folder of the project, as project paths. */
export function filesUnder(folder: string, ending = /\.(ts|tsx)$/): string[] {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => path.relative(projectRoot, path.join(entry.parentPath, entry.name)));
}

/** What a file imports, in the order of its text. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(projectRoot, file), 'utf8');
  const found = text.matchAll(/(from\s+|import\s+|import\()\s*'([^']+)'/g);
  return [...found].map(([, how = '', target = '']) => ({
    from: file,
    isLazy: how === 'import(',
    to: target.startsWith('.') ? path.normalize(path.join(path.dirname(file), target)) : target,
  }));
}
