import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorStatus } from '../src/shared/contract/errors.ts';
import { filesUnder, importsOf } from '../src/tasks/imports.ts';
import { projectRoot } from '../src/tasks/run.ts';
import { fullOnlyFiles, testName } from './suites.ts';

/**
 * The layers as a test: who may import whom, and what may be where. A broken rule is printed with the
 * file and the import that breaks it.
 */
const root = projectRoot;

const sources = filesUnder('src');
const imports = sources.flatMap(importsOf);
/** A file of a server's feature stands for its layer, which its name ends with: `src/*.queries.ts`. */
const layerFile = (file: string): string =>
  file.replace(/^src\/server\/features\/[^/]+\/.+(\.(?:routes|service|queries|file)\.ts)$/, 'src/*$1');
const inside =
  (...folders: string[]) =>
  (file: string) =>
    folders.some((folder) => layerFile(file).startsWith(`src/${folder}`));
const ours = (file: string): boolean => file.startsWith('src/');

/** Layer → the project folders it may import (its own always), by path prefix under src/. */
const mayImport: Record<string, string[]> = {
  'shared/calc/': [],
  'shared/filters/': ['shared/calc/'],
  'shared/bank/': ['shared/calc/'],
  'shared/reading/': ['shared/calc/'],
  'shared/contract/': ['shared/calc/', 'shared/filters/', 'shared/bank/', 'shared/reading/'],
  'shared/columns/': ['shared/calc/', 'shared/contract/', 'shared/filters/', 'shared/bank/'],
  'shared/bank-answers/': ['shared/calc/', 'shared/reading/', 'shared/sheet/'],
  'shared/sheet/': ['shared/calc/', 'shared/reading/', 'shared/contract/', 'shared/filters/', 'shared/columns/'],
  'shared/access': ['shared/calc/', 'shared/contract/'],
  'server/db/': ['shared/', 'server/operator-error.ts'],
  'server/sql/': ['shared/', 'server/db/', 'server/refusal.ts'],
  'server/files/': ['shared/', 'server/db/', 'server/refusal.ts', 'server/semaphore.ts'],
  '*.queries.ts': ['shared/', 'server/db/', 'server/sql/', 'server/caller.ts', 'server/refusal.ts'],
  '*.file.ts': ['shared/', 'server/files/', 'server/db/', 'server/refusal.ts', 'server/semaphore.ts'],
  '*.service.ts': [
    'shared/',
    '*.queries.ts',
    '*.file.ts',
    'server/files/',
    'server/sql/',
    'server/db/',
    'server/caller.ts',
    'server/refusal.ts',
    'server/seat.ts',
    'server/secret-box.ts',
    'server/semaphore.ts',
  ],
  '*.routes.ts': [
    'shared/',
    '*.service.ts',
    '*.queries.ts',
    '*.file.ts',
    'server/files/',
    'server/http/',
    'server/sql/',
    'server/db/',
    'server/bucket.ts',
    'server/caller.ts',
    'server/refusal.ts',
    'server/secret-box.ts',
  ],
  'server/features/routes.ts': ['shared/', '*.routes.ts', '*.service.ts', 'server/http/', 'server/secret-box.ts'],
  'ops/': ['shared/', 'server/db/', 'server/env.ts', 'server/operator-error.ts', '*.service.ts', '*.queries.ts'],
  'sample-data/': ['shared/', 'ops/', 'server/db/', 'server/env.ts', 'server/operator-error.ts', '*.service.ts'],
  'server/': ['shared/', 'server/', 'ops/', 'tasks/', '*.routes.ts', '*.service.ts', '*.queries.ts'],
  'web/kit/ui/': [],
  'web/kit/grid/': ['shared/', 'web/kit/ui/', 'web/kit/api/account-storage.ts'],
  'web/kit/api/': ['shared/'],
  'web/kit/': ['shared/', 'web/kit/', 'web/screens.ts'],
  'web/resources/': ['shared/', 'web/kit/api/'],
  'web/screens.ts': ['shared/'],
  'web/features/': ['shared/', 'web/kit/', 'web/resources/', 'web/screens.ts'],
  'web/app/': ['shared/', 'web/'],
};

/** The features, by the names of their folders. Each may use those before it, through their `index.ts`. */
const features = [
  'master-data',
  'filters',
  'challans',
  'bank',
  'payments',
  'owners',
  'accounting',
  'exceptions',
  'hsd',
  'import',
  'tds',
  'shared-reports',
  'profile',
  'people',
  'subadmins',
  'dashboard',
];
/** Features that have no screen of their own. */
const onServer = ['batches', 'history', 'palette', 'session', 'system'];
const featureOf = (file: string): string | undefined => /^src\/web\/features\/([^/]+)\//.exec(file)?.[1];

function layerOf(file: string): string | undefined {
  return Object.keys(mayImport)
    .filter((layer) => layerFile(file).startsWith(`src/${layer}`))
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
    const outside = sources.filter((file) => !inside('tasks/')(file) && !layerOf(file));
    expect(outside).toEqual([]);
  });

  it('let a feature use only those before it in the list, through their doors', () => {
    const broken = imports.filter(({ from, to }) => {
      const [user, used] = [featureOf(from), featureOf(to)];
      if (!user || !used || user === used) return false;
      return to !== `src/web/features/${used}/index.ts` || features.indexOf(used) > features.indexOf(user);
    });
    expect(broken).toEqual([]);
  });

  it('name a feature alike on both sides', () => {
    const foldersIn = (side: string) =>
      readdirSync(path.join(root, 'src', side, 'features')).filter((name) => !name.endsWith('.ts'));
    expect(foldersIn('web').toSorted()).toEqual(features.toSorted());
    const named = [...features, ...onServer];
    expect(foldersIn('server').filter((name) => !named.includes(name))).toEqual([]);
  });

  it('import in one direction: no file imports itself through others, not even later', () => {
    const done = new Set<string>();
    /** The way from a file back to itself, when there is one. */
    const circleFrom = (file: string, way: readonly string[]): readonly string[] | undefined => {
      if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
      if (done.has(file)) return undefined;
      for (const { to } of imports.filter(({ from, to }) => from === file && ours(to))) {
        const circle = circleFrom(to, [...way, file]);
        if (circle) return circle;
      }
      done.add(file);
      return undefined;
    };
    expect(sources.map((file) => circleFrom(file, [])).find((circle) => circle !== undefined)).toBeUndefined();
  });

  it('load the contract by resource: a screen does without the calls of the others', () => {
    const broken = imports.filter(({ from, to }) => inside('web/')(from) && to === 'src/shared/contract/index.ts');
    expect(broken, 'import the hooks and calls from src/web/resources/<resource>.ts').toEqual([]);
  });

  it('name AG Grid only in the grid', () => {
    const broken = imports.filter(({ from, to }) => to.startsWith('ag-grid') && !inside('web/kit/grid/')(from));
    expect(broken).toEqual([]);
  });

  it('reach the pool only from http, db, the seed and the start', () => {
    const allowed = inside(
      'server/db/',
      'server/http/',
      'server/start.ts',
      'server/maintenance.ts',
      'ops/',
      'sample-data/',
      'server/app.ts',
      '*.routes.ts',
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
    // Where the tests find the program that opens the product's files; the search itself is beside the others.
    'src/tasks/libreoffice.ts requireLibreOffice',
    // What tests and bench may take for granted of the sample data.
    'src/sample-data/trade.ts commonestTag',
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

describe('what may be where', () => {
  it('has SQL only in queries, sql and db', () => {
    const sql = /\b(SELECT\s+[\s\S]{1,200}?\bFROM\b|INSERT INTO\s|UPDATE\s+\w+\s+SET\b|DELETE FROM\s)/;
    const broken = sources.filter(
      (file) =>
        file.startsWith('src/server/') &&
        !inside('*.queries.ts', 'server/sql/', 'server/db/')(file) &&
        sql.test(withoutComments(textOf(file))),
    );
    expect(broken).toEqual([]);
  });

  it('calls fetch only in web/kit/api', () => {
    const broken = sources.filter(
      (file) =>
        inside('web/')(file) && !inside('web/kit/api/')(file) && /\bfetch\(/.test(withoutComments(textOf(file))),
    );
    expect(broken).toEqual([]);
  });

  it('does no arithmetic on money outside calc', () => {
    const broken = sources.filter((file) => {
      if (inside('shared/calc/', 'sample-data/')(file)) return false;
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

  it('moves the focus at once: the form library does it a task later, in the middle of what is typed by then', () => {
    const broken = sources.filter((file) => {
      const text = withoutComments(textOf(file));
      return /\bsetFocus\(/.test(text) || (/\buseForm</.test(text) && !text.includes('shouldFocusError: false'));
    });
    expect(broken).toEqual([]);
  });

  it('takes keys and pastes as soon as a screen is drawn: what comes before an effect would go elsewhere', () => {
    const late = sources.filter((file) =>
      /\buseEffect\((?:(?!\n}|\buse(?:Layout)?Effect\()[^])*?\b(?:window|document)\.addEventListener\('(?:keydown|paste)'/.test(
        withoutComments(textOf(file)),
      ),
    );
    expect(late).toEqual([]);
  });

  it('never writes HTML from a string', () => {
    const broken = sources.filter((file) => /dangerouslySetInnerHTML|\.innerHTML\b/.test(textOf(file)));
    expect(broken).toEqual([]);
  });
});

const documents = ['README.md', ...readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'))].map(
  (name) => (name === 'README.md' ? name : `docs/${name}`),
);

/** Numbers of a document's headings: '8', '8.4', '8.4.1'. */
function sectionsOf(document: string): Set<string> {
  return new Set([...textOf(document).matchAll(/^#{2,4} (\d+(?:\.\d+)*)/gm)].map(([, number = '']) => number));
}

describe('documents', () => {
  it('name only commands that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = documents.flatMap((file) =>
      [...textOf(file).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('link to files that exist', () => {
    const broken = documents.flatMap((file) =>
      [...textOf(file).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => path.join(path.dirname(file), target))
        .filter((target) => !existsSync(path.join(root, target)))
        .map((target) => `${file}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('name a test that exists for each attack, fault and expectation', () => {
    const named = (document: string, name: RegExp): string[] =>
      [...textOf(document).matchAll(/^\|.*\|$/gm)].flatMap(([row]) =>
        [...row.matchAll(name)].map(([, found = '']) => found),
      );
    const ofFolder = /`((?:bench|calc|contract|e2e|server|web)\/[\w/-]+)`/g;
    const rows = [...textOf('docs/safety-tests.md').matchAll(/^(?:\|[^|]*){2}\|([^|]*)\|/gm)];
    const ofServer = rows.flatMap(([, tests = '']) =>
      [...tests.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => `server/${name}`),
    );
    const inFolders = ['docs/safety-tests.md', 'docs/expectations.md'].flatMap((document) => named(document, ofFolder));
    expect(ofServer.length).toBeGreaterThan(100);
    expect(inFolders.length).toBeGreaterThan(80);
    const names = new Set(
      filesUnder('tests', /\.tsx?$/).map((file) => testName(file).replace(/^tests\/|\.tsx?$/g, '')),
    );
    expect([...ofServer, ...inFolders].filter((name) => !names.has(name))).toEqual([]);
  });

  it('name source files that exist', () => {
    const broken = documents.flatMap((file) =>
      [...textOf(file).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|md))`/g)]
        .map(([, target = '']) => target)
        .filter(
          (target) =>
            !['', 'src', 'src/server', 'src/shared'].some((folder) => existsSync(path.join(root, folder, target))),
        )
        .map((target) => `${file}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('the decisions', () => {
  const [inForce = '', replaced = ''] = textOf('docs/decisions.md').split(/^## No longer in force$/m);
  const entries = inForce.split(/^## /m).slice(1);
  const rows = [...replaced.matchAll(/^- (.+)$/gm)].map(([, row = '']) => row);
  const numbersOf = (texts: readonly string[]): number[] => texts.map((text) => Number.parseInt(text, 10));
  const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

  it('have each number from 1 on once, in force or in the list of those that are not, both in order', () => {
    for (const part of [entries, rows]) expect(numbersOf(part)).toEqual(ascending(numbersOf(part)));
    const all = ascending(numbersOf([...entries, ...rows]));
    expect(all).toEqual(all.map((_, at) => at + 1));
  });

  it('have a date in force, and one line that names what holds now otherwise', () => {
    expect(entries.filter((entry) => !/^\d+\. .+\n\n_\d{4}-\d\d-\d\d\._ \S/.test(entry))).toEqual([]);
    const numbers = new Set(numbersOf(entries));
    // Sections and files are checked with the citations below.
    const isAnswered = (now: string): boolean =>
      /\d|`/.test(now) && [...now.matchAll(/(?<![§.\d])\d+/g)].every(([number]) => numbers.has(Number(number)));
    expect(rows.filter((row) => !isAnswered(/^\d+ → (.+)$/.exec(row)?.[1] ?? ''))).toEqual([]);
  });
});

describe('the error codes', () => {
  it('are those of the specification, each under its status', () => {
    const rows = textOf('docs/specification.md').matchAll(/^\| (\d{3}) +\| ([A-Z_, ]+)/gm);
    const documented = [...rows].flatMap(([, status, codes = '']) =>
      codes.split(',').map((code): [string, number] => [code.trim(), Number(status)]),
    );
    expect(Object.fromEntries(documented)).toEqual(errorStatus);
  });
});

// A comment cannot cite what a reader of the repository cannot open.
describe('citations', () => {
  const here = path.relative(root, import.meta.filename);
  const commented = /\.(tsx?|sql|css)$/;
  const files = [...filesUnder('src', commented), ...filesUnder('tests', commented), ...documents].filter(
    (file) => file !== here,
  );
  const lines = files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((text, at) => ({ text, where: `${file}:${at + 1}` })),
  );

  it('name only documents of this repository', () => {
    const elsewhere =
      /\b[Rr]ulings?\b|\b[Pp]arts? [12]\b|\bS[12] §|\b[Ee]xpectations? \d|\b[Ii]ssue ["#\d]|\b[Ss]afety,? (?:[A-H]\d|rule)/;
    const named = /(?<![\w/-])((?:[\w-]+\/)*[\w-]+\.md)\b/g;
    const broken = lines.filter(
      ({ text, where }) =>
        elsewhere.test(text) ||
        [...text.matchAll(named)].some(
          ([, name = '']) =>
            !documents.includes(name) && !(where.startsWith('docs/') && documents.includes(`docs/${name}`)),
        ),
    );
    expect(broken.map(({ text, where }) => `${where}: ${text.trim()}`)).toEqual([]);
  });

  it('name sections that exist', () => {
    const sections = new Map(documents.map((file) => [file, sectionsOf(file)]));
    // A citation may go on in the next line of its comment.
    const cited = files.flatMap((file) => {
      const text = textOf(file).replace(/\n\s*(?:\*|\/\/|--)? */g, ' ');
      const found = text.matchAll(
        /`?(?<![\w/])(?:docs\/)?([a-z]+\.md)`?(?:\]\([^)]*\))? ((?:(?:, | and | to )?§?\d+(?:\.\d+)*)+)/g,
      );
      return [...found].flatMap(([, name = '', numbers = '']) =>
        [...numbers.matchAll(/\d+(?:\.\d+)*/g)].map(([number]) => ({ file, document: `docs/${name}`, number })),
      );
    });
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(({ document, number }) => !sections.get(document)?.has(number))).toEqual([]);
  });

  it('of a section alone mean the document itself, in the decisions the specification', () => {
    const broken = documents.flatMap((file) => {
      const sections = sectionsOf(file === 'docs/decisions.md' ? 'docs/specification.md' : file);
      const own = textOf(file)
        .replace(/\s+/g, ' ')
        .matchAll(/(?<!\.md`?(?:\]\([^)]*\))?) §(\d+(?:\.\d+)*)/g);
      return [...own]
        .map(([, number = '']) => number)
        .filter((number) => !sections.has(number))
        .map((number) => `${file} §${number}`);
    });
    expect(broken).toEqual([]);
  });
});

it('each file of tests/cases is read by a test', () => {
  const tests = filesUnder('tests', /\.test\.tsx?$/).map((file) => readFileSync(path.join(root, file), 'utf8'));
  const cases = readdirSync(path.join(root, 'tests/cases'));
  expect(cases.filter((name) => !tests.some((text) => text.includes(name)))).toEqual([]);
});

describe('the suites', () => {
  it('name only test files that exist, and no two tests of a project have one name', () => {
    const names = filesUnder('tests', /\.test\.tsx?$/).map(testName);
    expect([...fullOnlyFiles].filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
