import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * The layering of the house, as a test: who may import whom, and what may stand where. A broken rule is printed with the
 * file and the import that breaks it.
 */
const root = path.resolve(import.meta.dirname, '..');

function filesUnder(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

interface Import {
  from: string;
  /** A project path for a relative import, else the package's name. */
  to: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const found = text.matchAll(/(?:from\s+|import\s+|import\()\s*'([^']+)'/g);
  return [...found].map(([, target = '']) => ({
    from: file,
    to: target.startsWith('.') ? path.normalize(path.join(path.dirname(file), target)) : target,
  }));
}

const sources = filesUnder('src');
const imports = sources.flatMap(importsOf);
const inside =
  (...folders: string[]) =>
  (file: string) =>
    folders.some((folder) => file.startsWith(`src/${folder}`));
const ours = (file: string): boolean => file.startsWith('src/');

/** Layer → the project folders it may import (its own always), by path prefix under src/. */
const mayImport: Record<string, string[]> = {
  'shared/calc/': [],
  'shared/contract/': ['shared/calc/'],
  'shared/columns/': ['shared/calc/', 'shared/contract/'],
  'shared/access': ['shared/calc/', 'shared/contract/'],
  'server/queries/': ['shared/', 'server/db/', 'server/caller.ts', 'server/refusal.ts'],
  'server/services/': [
    'shared/',
    'server/queries/',
    'server/files/',
    'server/db/',
    'server/caller.ts',
    'server/refusal.ts',
  ],
  'server/routes/': [
    'shared/',
    'server/services/',
    'server/queries/',
    'server/files/',
    'server/http/',
    'server/db/',
    'server/caller.ts',
    'server/refusal.ts',
  ],
  'server/files/': ['shared/', 'server/db/', 'server/refusal.ts'],
  'server/': ['shared/', 'server/', 'tasks/'],
  'web/ui/': [],
  'web/grid/': ['shared/', 'web/ui/'],
  'web/api/': ['shared/'],
  'web/': ['shared/', 'web/'],
};

function layerOf(file: string): string | undefined {
  return Object.keys(mayImport)
    .filter((layer) => file.startsWith(`src/${layer}`))
    .sort((a, b) => b.length - a.length)[0];
}

describe('layers', () => {
  it('import only what the table allows', () => {
    const broken = imports.filter(({ from, to }) => {
      const layer = layerOf(from);
      if (!layer || !ours(to)) return false;
      return !inside(layer, ...(mayImport[layer] ?? []))(to);
    });
    expect(broken).toEqual([]);
  });

  it('keep the pages apart: a page links to another, it does not import it', () => {
    const folderOf = (file: string) => /^src\/web\/pages\/([^/]+)\//.exec(file)?.[1];
    const broken = imports.filter(
      ({ from, to }) => folderOf(from) && folderOf(to) && folderOf(from) !== folderOf(to) && ours(to),
    );
    expect(broken).toEqual([]);
  });

  it('name AG Grid only in the grid', () => {
    const broken = imports.filter(({ from, to }) => to.startsWith('ag-grid') && !inside('web/grid/')(from));
    expect(broken).toEqual([]);
  });

  it('reach the pool only from http, db, the seed and the start', () => {
    const allowed = inside(
      'server/db/',
      'server/http/',
      'server/start.ts',
      'server/app.ts',
      'server/routes/health.ts',
      'tasks/',
    );
    const broken = imports.filter(({ from, to }) => {
      const names = to === 'pg' || to.endsWith('server/db/pool.ts');
      return names && !allowed(from);
    });
    expect(broken).toEqual([]);
  });
});

const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const withoutComments = (text: string): string =>
  // A comment begins a line or follows a space; '/challans/*' is none.
  text.replace(/(^|\s)\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:])\/\/.*$/gm, '$1');

/** What runs in tests alone proves nothing about the product: the rule that is tested has to be the one that runs. */
describe('every value that is exported', () => {
  /** Those that only tests ask for, and why they are no part of a rule. */
  const forTests = new Set([
    // Where the tests find the program that opens the product's files; the search itself stands beside the others.
    'src/tasks/libreoffice.ts requireLibreOffice',
    // What tests and bench may take for granted of the sample data.
    'src/server/db/seed/trade.ts commonestTag',
  ]);

  /** `file name` of all that src and the configurations import; `file *` where a module is imported as a whole. */
  function importedNames(): Set<string> {
    const found = new Set<string>();
    for (const file of [...sources, 'vite.config.ts', 'tailwind.config.ts']) {
      const text = withoutComments(textOf(file));
      const target = (to = ''): string => path.normalize(path.join(path.dirname(file), to));
      for (const [, names, to] of text.matchAll(/(?:import|export)\s+(?:type\s+)?([^;'"]*?)\s*from\s*'(\.[^']+)'/g)) {
        const list = /\{([^}]*)\}/.exec(names ?? '')?.[1];
        if (list === undefined) found.add(`${target(to)} *`);
        for (const name of (list ?? '').split(',')) {
          const [, imported] = /^\s*(?:type\s+)?([\w$]+)/.exec(name) ?? [];
          if (imported !== undefined) found.add(`${target(to)} ${imported}`);
        }
      }
      for (const [, to] of text.matchAll(/import\(\s*'(\.[^']+)'\s*\)/g)) found.add(`${target(to)} *`);
    }
    return found;
  }

  it('is used by the product: imported in src, or at work in its own file', () => {
    const imported = importedNames();
    const unused = sources.flatMap((file) => {
      if (imported.has(`${file} *`)) return [];
      const text = withoutComments(textOf(file));
      const names = [...text.matchAll(/^export\s+(?:async\s+)?(?:const|let|function\*?|class)\s+([\w$]+)/gm)];
      return names
        .map(([, name = '']) => name)
        .filter((name) => text.split(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`)).length === 2)
        .map((name) => `${file} ${name}`)
        .filter((name) => !imported.has(name));
    });
    expect(unused.filter((name) => !forTests.has(name))).toEqual([]);
    // A reason that is no longer needed is taken out.
    expect([...forTests].filter((name) => !unused.includes(name))).toEqual([]);
  });
});

describe('what may stand where', () => {
  it('has SQL only in queries and db', () => {
    const sql = /\b(SELECT\s+[\s\S]{1,200}?\bFROM\b|INSERT INTO\s|UPDATE\s+\w+\s+SET\b|DELETE FROM\s)/;
    const broken = sources.filter(
      (file) =>
        inside('server/')(file) &&
        !inside('server/queries/', 'server/db/')(file) &&
        sql.test(withoutComments(textOf(file))),
    );
    expect(broken).toEqual([]);
  });

  it('calls fetch only in web/api', () => {
    const broken = sources.filter(
      (file) => inside('web/')(file) && !inside('web/api/')(file) && /\bfetch\(/.test(withoutComments(textOf(file))),
    );
    expect(broken).toEqual([]);
  });

  it('does no arithmetic on money outside calc', () => {
    const broken = sources.filter((file) => {
      if (inside('shared/calc/', 'server/db/seed/')(file)) return false;
      const text = withoutComments(textOf(file));
      return /from 'big\.js'/.test(text) || /\bparseFloat\(/.test(text);
    });
    expect(broken).toEqual([]);
  });

  it('keeps every source file small enough to see whole', () => {
    const broken = sources
      .map((file) => ({ file, lines: textOf(file).split('\n').length }))
      .filter(({ lines }) => lines > 450);
    expect(broken).toEqual([]);
  });

  it('never writes HTML from a string', () => {
    const broken = sources.filter((file) => /dangerouslySetInnerHTML|\.innerHTML\b/.test(textOf(file)));
    expect(broken).toEqual([]);
  });
});

describe('README', () => {
  it('names only commands that exist', () => {
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
