import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from './run.ts';

export interface Shipped {
  name: string;
  version: string;
  licence: string;
  /** The folder where it is installed. */
  path: string;
}

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** The licences of packages that name none in package-lock.json, read in their own licence files. */
const readByHand: Record<string, string> = { 'png-js': 'MIT' };

/**
 * The packages that reach a user: those that the server needs at run time, and those that the pages of the web app import,
 * because the build puts them into its scripts. Tools for building and testing are not among them.
 */
export function shippedPackages(): Shipped[] {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const shipped = new Set(Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true));
  const add = (name: string, from: string): void => {
    const path = resolved(name, from, packages);
    // undefined: an optional package for another platform, or a package that has only types.
    if (path === undefined || shipped.has(path)) return;
    shipped.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) add(next, path);
  };
  for (const name of importedByPages()) add(name, '');
  return [...shipped]
    .map((path) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const { version = '', license } = packages[path] ?? {};
      return { name, version, licence: license ?? readByHand[name] ?? '', path };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The path of a package as Node finds it: in the folder of the package that imports it, then in the folders above. */
function resolved(name: string, from: string, packages: Record<string, Locked>): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

function importedByPages(): Set<string> {
  const names = new Set<string>();
  for (const folder of ['src/web', 'src/shared']) {
    for (const file of readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(tsx?|css)$/.test(file)) continue;
      const text = readFileSync(join(projectRoot, folder, file), 'utf8');
      for (const [, name = ''] of text.matchAll(/(?:from\s+|import\s+|import\()\s*'([^'.\s/][^'\s]*)'/g)) {
        if (name.startsWith('node:') || builtinModules.includes(name)) continue;
        names.add(
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        );
      }
    }
  }
  return names;
}
