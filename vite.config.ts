import { readFileSync } from 'node:fs';
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin, Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';
import { playwright } from '@vitest/browser-playwright';
import { namedScreens } from './src/shared/contract/nouns.ts';
import { chromiumLaunchOptions } from './src/tasks/browser-path.ts';
import { longLimit } from './tests/long.ts';

const apiTarget = `http://127.0.0.1:${process.env.API_PORT ?? '3001'}`;

/** The tests that also run on the oldest supported PostgreSQL: schema, tenants, money, files, start and stop. */
const olderPostgresCore = [
  'app-role',
  'bank-statement',
  'batches',
  'challans',
  'challans-csv',
  'challans-list',
  'challans-sheet',
  'copy',
  'dashboard',
  'dump',
  'migrate',
  'payments',
  'payments-by-filter',
  'payments-ledger',
  'pool',
  'search-order',
  'seed',
  'stop',
  'tenancy',
  'tenant',
  'totals',
  'upgrade',
];

/** The id of a module of the web app. */
const web = (module: string): string => path.resolve(import.meta.dirname, 'src/web', module);

const parts = (...paths: string[]) => {
  const pattern = new RegExp(`/src/web/(?:${paths.join('|')})\\.tsx?$`);
  return (id: string): boolean => pattern.test(id);
};
const isBasic = parts('kit/(actions|feedback|ui)/.*');
/** Further ones that dialogs and panels load on many screens. Without them here, each would come with a chunk of other things. */
const isOfFrame = parts('kit/ui/(checkbox|copy-text)', 'kit/forms/kept-entries', 'kit/feedback/messages-dialog');

/** Libraries of every screen. `useQueries` is left out, because only the history uses it. */
const isOfAll = (id: string): boolean =>
  /\/(lucide-react|@tanstack)\//.test(id) && !/\/(useQueries|queriesObserver)\.js$/.test(id);

const isOfList = parts('kit/filters/.*', 'kit/grid/(?!data-grid|row-selection).*', 'features/challans/hold/use-hold');

type PartTest = (id: string, context: Rolldown.ChunkingContext) => boolean;

/** Tests whether a module is imported by the given ones, directly or through others; dynamic imports do not count. */
function importedBy(...modules: string[]): PartTest {
  const found = new Set<string>();
  return (id, context) => {
    const add = (one: string): void => {
      // Not through the door of a feature, which imports more than its user needs.
      if (found.has(one) || /\/features\/[^/]+\/index\.ts$/.test(one)) return;
      found.add(one);
      context.getModuleInfo(one)?.importedIds.forEach(add);
    };
    modules.forEach((module) => add(web(module)));
    return found.has(id);
  };
}
/** The page itself, which an invited person and an expired session load as well. */
const isOfLogin = parts('app/session/(?!sign-out).*');
const neededByLogin = importedBy('app/session/login-pages.tsx');
const neededByFrame = importedBy('app/shell/layout.tsx');
const neededByList = importedBy('features/challans/list/challan-list-page.tsx');

/** Contract, hooks, columns and rules. Each screen loads only its own, so a new screen adds nothing to the others. */
const isData = (id: string): boolean => /\/src\/(shared|web\/(resources|kit\/api))\//.test(id);
/** Modules of the lists of records. The list of challans needs some of them, and loads them without the rest. */
const isOfRecords = parts(
  'kit/records/(?!bulk-dialog).*',
  'kit/cells/.*',
  'features/master-data/(cell-|record-|lazy-).*',
);

/**
 * The chunks for modules that several screens share: a few chunks instead of one for each set of screens
 * (`docs/decisions.md` 65). A module that is not in the initial chunk goes into the first group that matches, together with its
 * imports. So the groups that all screens need come first, and those that few screens need come last.
 */
const groupTests: readonly [name: string, isPart: PartTest][] = [
  // What the sign-in page needs, and no more: it is the first that a new browser loads.
  ['sign-in', (id, context) => !isOfLogin(id) && neededByLogin(id, context)],
  [
    'frame',
    (id, context) =>
      isOfAll(id) ||
      isOfFrame(id) ||
      (isBasic(id) && neededByList(id, context)) ||
      ((isData(id) || isBasic(id)) && neededByFrame(id, context)),
  ],
  ['list', (id, context) => (isData(id) || isOfList(id) || isOfRecords(id)) && neededByList(id, context)],
  // The list of challans loads it only where it had a selection.
  ['statement', (id) => /\/src\/(shared\/contract|web\/resources)\/bank-statement\.ts/.test(id)],
  // A separate chunk, because this module starts to load AG Grid, which screens without a grid do not need.
  ['grid', parts('kit/grid/(data-grid|row-selection)')],
  // The details of one record.
  ['details', parts('kit/ui/tabs', 'kit/records/facts', 'features/challans/details/challan-.*')],
  ['history', parts('kit/history/.*')],
  ['filters', parts('kit/filters/.*', 'features/filters/.*', 'kit/forms/day-field', 'features/master-data/pickers')],
  ['forms', parts('kit/forms/.*', 'features/(master-data|bank)/.*-form-dialog')],
  ['records', isOfRecords],
  // What reads tables, which imports nothing of the groups below. As data, its parts came into chunks that import each other.
  [
    'tables',
    (id) => /\/src\/shared\/(reading\/|sheet\/(headings|table-cells|total-rows)|calc\/column-headings)/.test(id),
  ],
  ['data', isData],
];
const scriptGroups = groupTests.map(([name, isPart], index) => ({
  debugName: name,
  name: (id: string, context: Rolldown.ChunkingContext) => (isPart(id, context) ? name : null),
  priority: groupTests.length - index,
  minShareCount: 2,
  // One chunk with the data of all screens would add 15 kB to each of them.
  ...(name === 'data' && { entriesAware: true, entriesAwareMergeThreshold: 12_000 }),
}));

/**
 * Replaces parts of libraries by empty functions: zod's description of schemas as JSON Schema, which only the server needs for
 * the API's document, its reading of values that contain themselves, which JSON cannot have, and the queries of endless lists,
 * which no screen has. This saves 6 kB of every first load.
 */
const unusedParts =
  /(zod\/v4\/core\/(json-schema-processors|memoizer|to-json-schema)|query-core\/build\/modern\/infiniteQueryBehavior)\.js$/;
const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  apply: 'build',
  enforce: 'pre',
  load: (id) => {
    if (!unusedParts.test(id)) return null;
    const names = readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)|^export \{ (.+) \}/gm);
    return [...names]
      .flatMap(([, name, listed = '']) => (name ? [name] : listed.split(', ')))
      .map((name) => (name.includes(' as ') ? `export { ${name} };` : `export const ${name} = () => undefined;`))
      .join('\n');
  },
};

/** react-router's package gives its development build to every bundler. That build is larger, and warns of what users cannot mend. */
const productionRouter: Plugin = {
  name: 'production-router',
  apply: 'build',
  enforce: 'pre',
  resolveId(id) {
    const file = { 'react-router': 'index.mjs', 'react-router/dom': 'dom-export.mjs' }[id];
    return file && path.resolve(import.meta.dirname, 'node_modules/react-router/dist/production', file);
  },
};

/** Gives the toaster's style element the nonce of the page, which the other libraries do themselves (theme.js). */
const toasterNonce: Plugin = {
  name: 'toaster-nonce',
  apply: 'build',
  transform: (code, id) => {
    if (!id.endsWith('/sonner/dist/index.mjs')) return null;
    const creation = "style.type = 'text/css'";
    if (!code.includes(creation)) throw new Error('The toaster creates its style element in another way');
    return code.replace(creation, `${creation}; style.nonce = globalThis.__webpack_nonce__ ?? ''`);
  },
};

/**
 * Lists the chunks of each screen by its path, for the links of the page that the server sends (server/http/web-files.ts). Without
 * them the browser learns of a chunk only from the one that imports it, one after the other.
 */
const preloads: Plugin = {
  name: 'preloads',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const chunkOf = (module: string): Rolldown.OutputChunk => {
      const found = chunks.find(({ moduleIds }) => moduleIds.includes(web(module)));
      if (!found) throw new Error(`${module} is in no chunk`);
      return found;
    };
    const addImports = (files: Set<string>, { fileName, imports }: Rolldown.OutputChunk): void => {
      if (files.has(fileName)) return;
      files.add(fileName);
      for (const chunk of chunks) if (imports.includes(chunk.fileName)) addImports(files, chunk);
    };
    const pages = readFileSync(web('app/pages.ts'), 'utf8');
    const modules = pages.matchAll(/^ {2}(\w+): \{\n(?: {4}.*\n)*? {4}load:[^']+'\.\.\/(.+?)'/gm);
    const gridParts = [
      ['kit/grid/data-grid.tsx', 'kit/grid/ag-table.tsx'],
      ['kit/grid/sheet-grid.tsx', 'kit/grid/ag-sheet.tsx'],
    ] as const;
    const paths = new Map<string, string>(Object.entries(namedScreens).map(([id, { path: at }]) => [id, at]));
    const table = [...modules].map(([, id = '', module = '']) => {
      const files = new Set<string>();
      addImports(files, chunkOf('app/shell/layout.tsx'));
      addImports(files, chunkOf(module));
      // Each of these modules loads its half of AG Grid as soon as it runs, or is shown.
      for (const [user, part] of gridParts) if (files.has(chunkOf(user).fileName)) addImports(files, chunkOf(part));
      for (const { isEntry, fileName } of chunks) if (isEntry) files.delete(fileName);
      return [paths.get(id), [...files]] as const;
    });
    if (table.length !== paths.size || table.some(([screen]) => !screen)) throw new Error('Not every screen has files');
    this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(Object.fromEntries(table)) });
  },
};

export default defineConfig({
  root: 'src/web',
  cacheDir: path.resolve(import.meta.dirname, 'node_modules/.vite'),
  plugins: [withoutUnusedParts, productionRouter, toasterNonce, preloads, react(), tailwindcss()],
  // Listed here and not discovered: a library discovered during a run would be bundled separately, with a second React.
  optimizeDeps: {
    include: [
      '@hookform/resolvers/zod',
      '@radix-ui/react-dialog',
      '@tanstack/react-query',
      '@visx/scale',
      'ag-grid-community',
      'ag-grid-react',
      'big.js',
      'clsx',
      'lucide-react',
      'radix-ui',
      'react',
      'react-day-picker',
      'react-dom',
      'react-dom/client',
      'react-hook-form',
      'react-router-dom',
      'react/jsx-dev-runtime',
      'react/jsx-runtime',
      'sonner',
      'zod',
    ],
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    sourcemap: false,
    // In kB. The grid is one script of more than the usual 500; what a screen loads is limited by tests/e2e/scripts.test.ts.
    chunkSizeWarningLimit: 1000,
    target: 'es2023',
    modulePreload: {
      // A browser that does not load modules ahead by itself loads them a moment later.
      polyfill: false,
      // The page that the server sends names the files of its screen. Naming those of every screen in the first script would make
      // each visit load that list, to save one round trip at the first look at another screen.
      resolveDependencies: () => [],
    },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'app', priority: 100, tags: ['$initial'] }, ...scriptGroups] },
        // Shared data would be named after all screens that share them, in each script that names the file.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
      },
    },
  },
  server: {
    port: 3000,
    host: '127.0.0.1',
    strictPort: true,
    // Vite serves our own modules of the modules of the web app under /api too, so TypeScript files are not proxied.
    proxy: { '^/api/(?!.*\\.tsx?($|\\?))': apiTarget, '/health': apiTarget, '/share': apiTarget },
  },
  test: {
    projects: [
      {
        extends: true,
        root: import.meta.dirname,
        test: {
          name: 'calc',
          sequence: { groupOrder: 0 },
          environment: 'node',
          // Files share the modules of their process. Loading them for each file took a third of the time.
          isolate: false,
          include: ['tests/calc/**/*.test.ts', 'tests/contract/**/*.test.ts', 'tests/*.test.ts'],
          testTimeout: longLimit(30_000),
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        root: import.meta.dirname,
        test: {
          name: 'server',
          sequence: { groupOrder: 1 },
          environment: 'node',
          include: ['tests/server/**/*.test.ts'],
          // These two need another PostgreSQL: pg_dump cannot read a newer server than itself and the embedded one has no pg_dump,
          // and an upgrade needs an older version. The project `postgres` runs them.
          exclude: ['tests/server/ops/dump.test.ts', 'tests/server/ops/upgrade.test.ts'],
          globalSetup: ['tests/server/global-setup.ts'],
          // One more than the cores of the machine it was tuned on, because the tests mostly wait for a database or a process.
          maxWorkers: 3,
          // Files share the modules of their process, which saves a fifth of the processor time.
          isolate: false,
          setupFiles: ['tests/server/setup.ts'],
          // Much longer than usual, because a machine with shared cores takes several times as long.
          testTimeout: longLimit(60_000),
          expect: { poll: { timeout: 20_000 } },
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        root: import.meta.dirname,
        test: {
          name: 'postgres',
          sequence: { groupOrder: 1 },
          environment: 'node',
          include: olderPostgresCore.map((name) => `tests/server/**/${name}.test.ts`),
          globalSetup: ['tests/server/older-postgres.ts'],
          // One more than the cores of the machine it was tuned on, because the tests mostly wait for a database or a process.
          maxWorkers: 3,
          // Files share the modules of their process, which saves a fifth of the processor time.
          isolate: false,
          setupFiles: ['tests/server/setup.ts'],
          // Much longer than usual, because a machine with shared cores takes several times as long.
          testTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        root: import.meta.dirname,
        optimizeDeps: { include: ['@testing-library/react', 'fast-check'] },
        test: {
          name: 'web',
          sequence: { groupOrder: 2 },
          include: ['tests/web/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/web/setup.ts'],
          // By default the runner opens one page at a time, which leaves a core idle.
          maxWorkers: 2,
          testTimeout: 30_000,
          // The same as in setup.ts: a busy machine may need this long.
          expect: { poll: { timeout: 20_000 } },
          browser: {
            enabled: true,
            // A second run at the same time (another checkout, an editor) takes the next free port.
            api: { strictPort: false },
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunchOptions() }),
            instances: [{ browser: 'chromium', viewport: { width: 1366, height: 768 } }],
          },
        },
      },
      {
        extends: true,
        root: import.meta.dirname,
        test: {
          name: 'e2e',
          sequence: { groupOrder: 3 },
          environment: 'node',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/global-setup.ts'],
          maxWorkers: 2,
          testTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
